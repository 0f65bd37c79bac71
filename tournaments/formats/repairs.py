"""What of a drawn bracket no longer follows after a corrected result.

Who sits in a tie that has begun is the one who went on, whatever a corrected result says since: it is told, not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tournaments import snapshot
from tournaments.engine import knockout as engine
from tournaments.formats import brackets, of
from tournaments.formats.brackets import Bracket, Meeting
from tournaments.models import Section


class Kind(StrEnum):
    REPLACE = "replace"  # drawn and not begun: others belong there, and it is known who
    WAITS = "waits"  # drawn and not begun: who belongs there is open again
    STANDS = "stands"  # the tie after it has begun: who sits there went on, against the corrected result
    QUALIFIERS = "qualifiers"  # the groups as corrected would send others, or in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What no longer follows. REPLACE, WAITS: `meeting` is the drawn tie, `leaving` and `coming` go pair by pair, `before`
    are the ties that its players come from.

    STANDS: `meeting` is the corrected tie, `leaving` the one who went on, `coming` the one who would (none when level),
    `after` the ties that have begun since. QUALIFIERS: who would not be in the bracket, and who would.
    """

    kind: Kind
    meeting: Meeting | None = None
    leaving: tuple[int, ...] = ()
    coming: tuple[int, ...] = ()
    before: tuple[Meeting, ...] = ()
    after: tuple[Meeting, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether the section cannot go on before the arbiter has said what holds."""
        return self.kind is not Kind.QUALIFIERS


def open_repairs(section: Section) -> list[Repair]:
    """Everything that the arbiter has to settle, drafts included; nothing for other formats."""
    if not of(section).has_bracket or not section.bracket:
        return []
    bracket = brackets.bracket_of(section, brackets.meetings_of(section))
    found = [] if bracket is None else repairs_in(bracket)
    return found + _qualifiers(section)


def repairs_in(bracket: Bracket) -> list[Repair]:
    return list(_repairs(bracket))


def _repairs(bracket: Bracket) -> Iterator[Repair]:
    for tie in bracket.ties:
        meeting = bracket.seated.get(tie.number)
        if meeting is None:
            continue
        if tie.number not in bracket.fixed:
            expected = bracket.expected(tie.number)
            before = tuple(bracket.seated[n] for n in engine.feeders(tie) if n in bracket.seated)
            if expected is None:
                yield Repair(kind=Kind.WAITS, meeting=meeting, before=before)
            elif frozenset(expected) != meeting.players:
                leaving, coming = _changes(bracket, tie.number)
                yield Repair(
                    kind=Kind.REPLACE, meeting=meeting, leaving=leaving, coming=coming, before=before
                )
            continue
        begun = tuple(
            bracket.seated[t.number] for t in bracket.fed_by(tie.number) if t.number in bracket.fixed
        )
        went_on = bracket.winner(tie.number)
        if begun and went_on is not None and went_on != meeting.winner:
            would = () if meeting.winner is None else (meeting.winner,)
            yield Repair(kind=Kind.STANDS, meeting=meeting, leaving=(went_on,), coming=would, after=begun)


def _changes(bracket: Bracket, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who leaves a drawn tie and who comes for him: the two come from the same tie before."""
    expected, seated = set(bracket.expected(number) or ()), bracket.seated[number].players
    tie = next(tie for tie in bracket.ties if tie.number == number)
    reach = engine.reach(bracket.ties)
    sides = [{bracket.seeds[seed - 1] for seed in reach[before]} for before in engine.feeders(tie)]
    pairs = [
        (gone, come)
        for side in sides
        for gone in seated & side - expected
        for come in expected & side - seated
    ]
    return tuple(gone for gone, _come in pairs), tuple(come for _gone, come in pairs)


def _qualifiers(section: Section) -> list[Repair]:
    """Whom the groups would send now, against those in the bracket; an order that differs counts."""
    if not of(section).has_groups:
        return []
    drawn = list(section.bracket)
    now = brackets.seeds_of(section, snapshot.load(section))
    if now == drawn:
        return []
    out, in_ = [pk for pk in drawn if pk not in now], [pk for pk in now if pk not in drawn]
    return [Repair(kind=Kind.QUALIFIERS, leaving=tuple(out), coming=tuple(in_))]


def has_begun(section: Section) -> bool:
    """Whether anything of the knock-out is played."""
    return any(meeting.begun for meeting in brackets.meetings_of(section) if meeting.black is not None)
