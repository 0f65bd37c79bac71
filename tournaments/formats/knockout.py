"""Knock-outs: whoever wins a tie goes on, with or without groups before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from tournaments.engine.types import InvalidState
from tournaments.errors import WrongState
from tournaments.formats import bracket_table, brackets
from tournaments.formats.base import Draft, Request, Strategy
from tournaments.formats.tables import Counted
from tournaments.models import Section, Standings
from tournaments.snapshot import Snapshot


class Knockout(Strategy):
    has_bracket = True
    report_words = "Individual: knock-out"
    report_code = "CUSTOM_KNOCKOUT"

    def ready(self, section: Section, *, number: int, playing: int) -> WrongState | None:
        """A bracket tells the number of its rounds; before it is drawn there is always one more."""
        found = brackets.bracket_of(section, [])
        if found is not None and number > found.rounds_total:
            return WrongState(
                _("All %(rounds)s rounds are paired."), code="all-paired", rounds=section.rounds_total
            )
        if number == 1 and playing < 2:
            return WrongState(_("A round needs at least two players."), code="too-few-players")
        return None

    def draw(self, section: Section, snap: Snapshot, request: Request) -> Callable[[], list[Draft]]:
        draft = self.draw_ties(section, snap, request.number)
        return lambda: [draft]

    def draw_ties(self, section: Section, snap: Snapshot, number: int) -> Draft:
        """The ties of a round; with the first one the seeds of the bracket. Raises InvalidState."""
        is_first = number == brackets.group_rounds(section) + 1
        seeds = brackets.seeds_of(section, snap) if is_first else list(section.bracket)
        section.bracket = seeds
        found = brackets.bracket_of(section, [] if is_first else brackets.meetings_of(section))
        if found is None:
            raise InvalidState(why="no-bracket", round=number)
        boards = brackets.boards_of_round(section, snap, found, number)
        if not boards:
            raise InvalidState(why="ties-undecided", round=number)
        return Draft(number=number, boards=boards, engine=brackets.NAME, bracket=seeds)

    def undecided(self, section: Section) -> list[int]:
        return brackets.undecided(section)

    def by_hand(self) -> WrongState | None:
        return WrongState(_("A knock-out is drawn by its bracket."))

    def table(
        self, section: Section, snap: Snapshot, counted: Counted, *, after_round: int, final: bool
    ) -> Callable[[], Standings]:
        made = bracket_table.compute_table(section, snap, after_round=after_round, final=final)
        return lambda: made

    def planned_rounds(self, section: Section, *, drafted: int) -> int:
        """From the number of players or, after groups, of those who go on."""
        found = brackets.bracket_of(section, [])
        if found is not None:
            return found.rounds_total
        sizes = Counter(section.entries.filter(group__isnull=False).values_list("group", flat=True))
        players = len(sizes) * min(section.group_places, *sizes.values())
        return brackets.group_rounds(section) + max(players - 1, 1).bit_length()

    def late_entry(self, section: Section, *, drafted: int) -> WrongState | None:
        return WrongState(
            _("The knock-out is drawn already: discard the draw to enter another player."),
            code="already-drawn",
        )


class GroupsKnockout(Knockout):
    has_groups = True
    report_words = "Individual: groups, then knock-out"

    def ready(self, section: Section, *, number: int, playing: int) -> WrongState | None:
        if number == 1 and playing < 2 * section.groups:
            return WrongState(_("Each group needs at least two players."), code="too-few-players")
        return super().ready(section, number=number, playing=playing)

    def draw(self, section: Section, snap: Snapshot, request: Request) -> Callable[[], list[Draft]]:
        if request.number > 1:
            return super().draw(section, snap, request)
        group_of, rounds = brackets.group_draw(snap, section)
        groups = {snap.entry_of[number]: group for number, group in group_of.items()}
        drafts = [
            Draft(number=number, boards=boards, engine=brackets.GROUPS_NAME, groups=groups)
            for number, boards in enumerate(rounds, start=1)
        ]
        return lambda: drafts
