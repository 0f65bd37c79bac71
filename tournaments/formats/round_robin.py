"""Round robins: one table holds all rounds, and everybody meets everybody once or twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext_lazy as _

from tournaments.engine import roundrobin
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.types import Outcome, Round
from tournaments.errors import WrongState
from tournaments.formats.base import Draft, Request, Strategy
from tournaments.formats.departures import Drawn, fallen
from tournaments.formats.policies import policy_of
from tournaments.models import Section
from tournaments.snapshot import Snapshot


class RoundRobin(Strategy):
    drawn_whole = True
    report_words = "Individual: round robin"
    report_code = "BERGER_ROUNDROBIN"
    table_name = roundrobin.NAME

    def schedule(self, snap: Snapshot) -> tuple[Round, ...]:
        """All rounds over the pairing numbers. Raises InvalidState for a field that the table does not take."""
        return roundrobin.schedule(len(snap.tournament.players), double=False)

    def policy(self, section: Section) -> TieBreakPolicy:
        return policy_of(section, annuls=_annuls(section))

    def ready(self, section: Section, *, number: int, playing: int) -> WrongState | None:
        if number > 1:
            return WrongState(_("The round robin is drawn whole already."), code="all-paired")
        if playing < 2:
            return WrongState(_("A round needs at least two players."), code="too-few-players")
        return None

    def draw(self, section: Section, snap: Snapshot, request: Request) -> Callable[[], list[Draft]]:
        drawn = [
            Draft(number=round_.number, boards=round_.boards, engine=self.table_name)
            for round_ in self.schedule(snap)
        ]
        return lambda: drawn

    def by_hand(self) -> WrongState | None:
        return WrongState(_("A round robin is drawn by its table."))

    def planned_rounds(self, section: Section, *, drafted: int) -> int:
        return drafted

    def rounds_to_play(self, section: Section, *, drafted: int) -> int:
        return drafted

    def late_entry(self, section: Section, *, drafted: int) -> WrongState | None:
        return WrongState(
            _("The round robin is drawn already: discard the draw to enter another player."),
            code="already-drawn",
        )

    def departure(self, section: Section, boards: Iterable[Drawn], *, entry: int) -> dict[int, Outcome]:
        return fallen(boards, entry=entry, annuls=_annuls(section))

    def withdrawal(self, section: Section, boards: Iterable[Drawn], *, entry: int) -> dict[int, Outcome]:
        return self.departure(section, boards, entry=entry)


class DoubleRoundRobin(RoundRobin):
    report_words = "Individual: double round robin"
    report_code = "FIDE_DOUBLEROUNDROBIN"

    def schedule(self, snap: Snapshot) -> tuple[Round, ...]:
        return roundrobin.schedule(len(snap.tournament.players), double=True)


def _annuls(section: Section) -> bool:
    return section.withdrawal == Section.Withdrawal.ANNUL
