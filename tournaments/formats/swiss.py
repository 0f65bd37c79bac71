"""The Swiss: round by round, by points, with nobody met twice."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict

from django.db.models import Q

from tournaments.engine import check, standings, swiss
from tournaments.engine.types import InvalidState, Outcome
from tournaments.errors import WrongState
from tournaments.formats.base import Draft, Request, Strategy
from tournaments.models import Pairing, Section
from tournaments.snapshot import Snapshot

LAST = 10**9  # after every lot


class Swiss(Strategy):
    pairs_each_round = True
    accelerates = True
    chooses_ranking = True
    report_words = "Individual: Swiss system"
    report_code = "FIDE_DUTCH"

    def draw(self, section: Section, snap: Snapshot, request: Request) -> Callable[[], list[Draft]]:
        order = self.ranking_order(section, snap)
        return lambda: [_pair(snap, order, request)]

    def ranking_order(self, section: Section, snap: Snapshot) -> list[int] | None:
        """The order inside score groups: None for the starting numbers. Swiss on Solkoff goes by the lot in round 1,
        later by the running tie-breaks.
        """
        if section.ranking != Section.Ranking.SOLKOFF:
            return None
        if not snap.tournament.rounds:
            lots = dict(section.entries.values_list("pk", "lot_number"))
            return sorted(snap.entry_of, key=lambda number: (lots.get(snap.entry_of[number]) or LAST, number))
        table = standings.compute(
            snap.tournament,
            tiebreaks=tuple(section.tiebreaks),
            policy=self.policy(section),
            after_round=len(snap.tournament.rounds),
        )
        return [row.number for row in sorted(table.rows, key=lambda row: (row.rank, row.number))]

    def report_type(self, section: Section) -> str:
        if section.ranking == Section.Ranking.SOLKOFF:
            return "CUSTOM_SWISS"
        return f"{self.report_code}_BAKU" if self.accelerates and section.virtual_points else self.report_code

    def missing(self, section: Section, *, number: int) -> tuple[set[int], set[int]]:
        """Entries that did not appear in the round before (not paired next) and those absent twice running (out).

        Applies under the section's rule only (Chinese practice for the score-pairing system).
        """
        return missing_from_play(section, number=number)

    def absence(self) -> WrongState | None:
        return None


def missing_from_play(section: Section, *, number: int) -> tuple[set[int], set[int]]:
    """Who is left out of a round, and who is out of the section, for boards that were forfeited."""
    if not section.drop_absent or number == 1:
        return set(), set()
    no_shows: dict[int, set[int]] = {}
    forfeits = (
        Q(outcome=Outcome.WHITE_FORFEITS)
        | Q(outcome=Outcome.BLACK_FORFEITS)
        | Q(outcome=Outcome.BOTH_FORFEIT)
    )
    rows = Pairing.objects.filter(forfeits, round__section=section, round__number__lt=number)
    for n, white, black, outcome in rows.values_list("round__number", "white_id", "black_id", "outcome"):
        missing = no_shows.setdefault(n, set())
        if outcome != Outcome.BLACK_FORFEITS:
            missing.add(white)
        if outcome != Outcome.WHITE_FORFEITS and black is not None:
            missing.add(black)
    last = no_shows.get(number - 1, set())
    # The round after a no-show is not played at all, so "two in a row" are two no-shows with one round between, or
    # without one where the arbiter paired the player all the same.
    return last, last & (no_shows.get(number - 2, set()) | no_shows.get(number - 3, set()))


def _pair(snap: Snapshot, order: list[int] | None, request: Request) -> Draft:
    absent = sorted(request.absent)
    paired = swiss.pair_round(
        snap.tournament,
        absent=absent,
        order=order,
        progress=request.progress,
        should_stop=request.should_stop,
    )
    _check_paired(snap, paired, absent)
    return Draft(
        number=paired.round,
        boards=paired.boards,
        engine=paired.engine,
        canonical_input=swiss.canonical_input(snap.tournament, absent=absent, order=order),
        digest=paired.digest,
        explanations={str(number): asdict(why) for number, why in paired.explanations.items()},
    )


def _check_paired(snap: Snapshot, paired: swiss.RoundPairing, absent: Collection[int]) -> None:
    """The checker, which shares no search with the engine, has the last word before anything is written."""
    breaches = check.find_breaches(snap.tournament, paired.boards, absent=absent)
    if breaches:
        first = breaches[0]
        raise InvalidState(why="breach", round=paired.round, rule=str(first.rule), players=first.players)
