"""Tournament report files read for entering: what they say, and their faults in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.encodings import Encoding, decode
from tournaments.engine import trf
from tournaments.errors import BadInput

MAX_BYTES = 3 * 1024 * 1024
MAX_LINES = 50_000

_SENTENCES: Mapping[str, str | Promise] = {
    "trf-empty": _("the file has no player line (001)"),
    "trf-number": _("column %(column)s: “%(found)s” is no number that fits there"),
    "trf-record": _("“%(found)s” is no valid %(tag)s record"),
    "trf-shifted": _("round %(round)s of player %(player)s: “%(found)s” stands outside its columns"),
    "trf-result-code": _("round %(round)s of player %(player)s: “%(found)s” is no result"),
    "trf-colour": _("round %(round)s of player %(player)s: “%(found)s” is no colour"),
    "trf-player-twice": _("player %(player)s has a line already"),
    "trf-unknown-player": _("“%(found)s” names no player of the file"),
    "trf-opponent-self": _("round %(round)s: player %(player)s is given as his own opponent"),
    "trf-no-mirror": _("round %(round)s: player %(player)s met %(opponent)s, but the line of %(opponent)s says otherwise"),
    "trf-results-contradict": _(
        "round %(round)s: the results of players %(player)s and %(opponent)s do not go together"
    ),
    "trf-points-mismatch": _("player %(player)s has %(found)s points, but the results give %(expected)s"),
    "trf-points-by-colour": _("%(found)s differ: points that depend on the colour are not counted here"),
    "trf-team-file": _("“%(found)s” is of a file of teams, which names no teams in 310 or 013 records"),
    "trf-team-points": _("“%(found)s”: a section of teams counts 2, 1, 0 for matches and games alike"),
    "trf-team-twice": _("round %(round)s: a team meets more than one other"),
    "trf-team-boards": _(
        "round %(round)s: players %(player)s and %(opponent)s do not face each other with the colours of their board, which go by turns"
    ),
    "trf-bye-contradicts": _("round %(round)s: a bye record for player %(player)s, who has another line there"),
}  # fmt: skip


def read_report(content: bytes, *, encoding: Encoding | None = None) -> trf.TrfFile | trf.TeamReport:
    """Return the file as a value. Raises BadInput: `bad-report` naming line and column, or what `decode` refuses."""
    if len(content) > MAX_BYTES or max(content.count(b"\n"), content.count(b"\r")) > MAX_LINES:
        raise BadInput(_("The file is too large."), code="file-too-large")
    text = decode(content, encoding=encoding, is_strict=True).text.rstrip("\x1a")
    try:
        return trf.read_teams(text) if trf.names_teams(text) else trf.read(text)
    except trf.TrfError as error:
        raise _fault(error) from None


def _fault(error: trf.TrfError) -> BadInput:
    values = dict(error.values)
    sentence = _SENTENCES.get(error.code)
    try:
        reason = str(sentence) % values if sentence is not None else str(error)
    except KeyError:
        reason = str(error)
    line = values.get("line")
    text = _("Line %(line)s: %(reason)s.") if line else _("The report file is wrong: %(reason)s.")
    return BadInput(text, code="bad-report", line=line or 0, column=values.get("column", 0), reason=reason)
