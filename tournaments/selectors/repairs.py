"""What a corrected result leaves to settle in a bracket, in sentences for the desk."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.engine.types import Colour
from tournaments.formats.brackets import Meeting
from tournaments.formats.repairs import Kind, Repair, has_begun, open_repairs
from tournaments.models import Entry, Pairing, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """`pairing`, `version` and `advances` are what confirms that the one who went on stays in; `round` and `board` are
    those of the tie it is about, 0 for the groups.
    """

    kind: str
    text: str
    help: str
    round: int = 0
    board: int = 0
    pairing: int = 0
    version: int = 0
    advances: str = ""
    name: str = ""
    leaving: tuple[Entry, ...] = ()
    coming: tuple[Entry, ...] = ()
    also: frozenset[int] = field(default_factory=frozenset)  # other boards that it concerns


def of(section: Section) -> list[Told]:
    """Queries for a drawn bracket only, and two more where something is to be told."""
    found = open_repairs(section)
    if not found:
        return []
    entries = {entry.pk: entry for entry in section.entries.select_related("player")}
    return [_told(section, repair, entries) for repair in found]


def about(section: Section, pairing: int) -> list[Told]:
    """What concerns one board: the corrected tie itself, or one that hangs on it."""
    return [
        told for told in of(section) if told.kind == Kind.QUALIFIERS or pairing in {told.pairing, *told.also}
    ]


def _told(section: Section, repair: Repair, entries: dict[int, Entry]) -> Told:
    leaving, coming = (tuple(entries[pk] for pk in side) for side in (repair.leaving, repair.coming))
    meeting = repair.meeting
    if meeting is None:
        return Told(
            kind=repair.kind.value, text=_groups(leaving, coming), help=_groups_help(section), leaving=leaving,
            coming=coming,
        )  # fmt: skip
    version = Pairing.objects.values_list("version", flat=True).get(pk=meeting.pairing)
    values = {
        "round": meeting.round,
        "board": meeting.board,
        "out": ", ".join(map(str, leaving)),
        "in": ", ".join(map(str, coming)),
    }
    stays = repair.kind is Kind.STANDS
    return Told(
        kind=repair.kind.value,
        text=_text(repair) % values,
        help=_help(repair),
        round=meeting.round,
        board=meeting.board,
        pairing=meeting.pairing,
        version=version,
        advances=_side(meeting, repair.leaving[0]) if stays else "",
        name=str(leaving[0]) if stays else "",
        leaving=leaving,
        coming=coming,
        also=frozenset(each.pairing for each in (*repair.before, *repair.after)),
    )


def _side(meeting: Meeting, entry: int) -> str:
    return (Colour.WHITE if meeting.white == entry else Colour.BLACK).value


def _text(repair: Repair) -> str:
    if repair.kind is Kind.REPLACE:
        return _(
            "Round %(round)s, board %(board)s: by the corrected result %(in)s belongs there, not %(out)s. Nothing is "
            "played there yet."
        )
    if repair.kind is Kind.WAITS:
        return _(
            "Round %(round)s, board %(board)s: since a result was corrected or taken back it is open who plays there."
        )
    if repair.coming:
        return _(
            "Round %(round)s, board %(board)s: by the corrected result %(in)s won, but the tie after it was played by "
            "%(out)s, and that stands."
        )
    return _(
        "Round %(round)s, board %(board)s: as corrected nobody won, but the tie after it was played by %(out)s, and that "
        "stands."
    )


def _help(repair: Repair) -> str:
    if repair.kind is Kind.REPLACE:
        return _(
            "One press puts the rightful player in; it is recorded as the arbiter's change. Or say on the page of the earlier "
            "match that the other goes on all the same."
        )
    if repair.kind is Kind.WAITS:
        return _("Enter the earlier result, or say who goes on from it.")
    boards = "; ".join(
        _("round %(round)s, board %(board)s") % {"round": after.round, "board": after.board}
        for after in repair.after
    )
    return _(
        "Rule that it stands, with a reason; or have it played again: take back the result of %(boards)s, and whatever "
        "was played after it, the latest first, and then set the bracket right."
    ) % {"boards": boards}


def _groups(leaving: tuple[Entry, ...], coming: tuple[Entry, ...]) -> str:
    if not coming:
        return _("By the corrected results of the groups the bracket would be seeded in another order.")
    return _("By the corrected results of the groups %(in)s would be in the knock-out, not %(out)s.") % {
        "in": ", ".join(map(str, coming)),
        "out": ", ".join(map(str, leaving)),
    }


def _groups_help(section: Section) -> str:
    if has_begun(section):
        return _("The knock-out has begun: it stands as it was drawn unless a ruling says otherwise.")
    return _(
        "Nothing of the knock-out is played yet: take its round back, discard the draft, and pair it again; or let it stand."
    )
