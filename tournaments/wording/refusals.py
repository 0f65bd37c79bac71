"""Why a round cannot be paired, in words for the arbiter."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.engine import swiss
from tournaments.engine.types import EngineError, NoLegalPairing, Tournament
from tournaments.errors import DomainError

TIME_LIMIT = 120  # seconds; far more than the largest field takes


class PairingRefused(DomainError):
    """The engine's answer that no pairing is possible, in words for the arbiter."""

    code = "no-legal-pairing"
    status = 409


def refusal(error: EngineError, tournament: Tournament) -> PairingRefused:
    """The engine's numbers turned into names."""
    numbers = error.values.get("players", ())
    players = list(numbers) if isinstance(numbers, Iterable) else []
    names = {player.number: player.name for player in tournament.players}
    listed = ", ".join(f"{n} {names.get(n, '')}".strip() for n in players)
    found = error.values.get("relax", ())
    relax = [str(code) for code in found] if isinstance(found, Iterable) else []
    text = _("The ledger contradicts itself: %(detail)s.")
    if isinstance(error, NoLegalPairing):
        text = no_pairing_text(relax)
    if isinstance(error, swiss.TimeLimit):
        text = time_limit_text()
    return PairingRefused(
        text,
        code=error.code,
        names=listed,
        detail=str(error),
        players=players,
        relax=relax,
        seconds=TIME_LIMIT,
    )


def time_limit_text() -> str:
    return _(
        "The engine found no answer within %(seconds)s seconds and was stopped; nothing was saved. Pair again, or pair "
        "the round by hand."
    )


def no_pairing_text(relax: Iterable[str]) -> str:
    """Why there is no round, and what an arbiter may give up so that there is one; `names` is to be put in."""
    helps = {
        "second-bye": _("a second bye for one player"),
        "forbidden-pairs": _("lifting forbidden pairs"),
        "colours": _("setting the colour rules aside"),
        "rematch": _("letting two players meet again"),
    }
    found = ", ".join(helps[code] for code in relax if code in helps)
    why = _("No legal pairing exists: these players cannot all be matched: %(names)s.")
    if not found:
        return f"{why} {_('Pair the round by hand.')}"
    what = _("One of these would help: {what}. Lift a forbidden pair, or pair the round by hand.")
    return f"{why} {what.format(what=found)}"
