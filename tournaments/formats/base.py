"""What every format answers. A strategy reads a section and its snapshot and returns values; services write them.

Pages and services ask the capabilities below, never the name of a format.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.engine import micromatch
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.types import Board, Outcome
from tournaments.errors import WrongState
from tournaments.formats import departures
from tournaments.formats.policies import policy_of
from tournaments.formats.tables import Counted, ranked
from tournaments.models import Section, Standings
from tournaments.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a draw gives: the boards of a round, and what proves where they come from."""

    number: int
    boards: tuple[Board, ...]
    engine: str
    canonical_input: str = ""
    digest: str = ""
    explanations: dict[str, Any] = field(default_factory=dict)
    bracket: list[int] = field(default_factory=list)  # entries by seed, of a knock-out
    groups: dict[int, int] = field(default_factory=dict)  # group of each entry, of a group stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a draw is asked for: the round, who stays away (pairing numbers), and how to say how far it is."""

    number: int
    absent: Collection[int] = ()
    progress: Callable[[int, int], None] = lambda done, total: None
    should_stop: Callable[[], bool] = lambda: False


class Strategy:
    """One format. The capabilities tell what it has; the methods what it does."""

    enters_teams = False  # entries are teams, a pairing is a match over several boards
    has_bracket = False  # whoever wins a tie goes on
    has_groups = False  # groups by table first
    drawn_whole = False  # one table holds all rounds, drawn at once; everybody meets whom it says
    pairs_each_round = False  # round by round, by points
    accelerates = False
    chooses_ranking = False  # the order inside score groups is a choice
    report_words = ""  # the type of the tournament in a report file, line 092
    report_code = ""  # the same by its code, line 192: see report_type

    @property
    def drawn_ahead(self) -> bool:
        """Several rounds wait as drafts at once."""
        return self.drawn_whole or self.has_groups

    def draws_lots(self, section: Section) -> bool:
        """Whether round 1 goes by a lot, for the numbers or for the pairing order."""
        by_solkoff = self.chooses_ranking and section.ranking == Section.Ranking.SOLKOFF
        return by_solkoff or section.numbering == Section.Numbering.LOT

    def match_rule(self, section: Section) -> micromatch.MatchRule | None:
        """How the games of a match decide it; None where a pairing is one game, or a match of teams over its boards."""
        if section.own_match:
            return micromatch.own_rule(section.own_match)
        return micromatch.RULES.get(section.match_rule)

    def has_matches(self, section: Section) -> bool:
        """Whether a pairing may hold more than one game, or needs to be told who goes on."""
        return self.has_bracket or self.match_rule(section) is not None

    def report_type(self, section: Section) -> str:
        """The type of the tournament by its code, line 192 of a report file."""
        return self.report_code

    def policy(self, section: Section) -> TieBreakPolicy:
        """How byes, forfeits and withdrawals count in the tie-breaks."""
        return policy_of(section, annuls=False)

    def ready(self, section: Section, *, number: int, playing: int) -> WrongState | None:
        """What stands in the way of drawing round `number` with so many `playing`; None when nothing does."""
        if number > section.rounds_total:
            return WrongState(
                _("All %(rounds)s rounds are paired."), code="all-paired", rounds=section.rounds_total
            )
        if playing < 2:
            return WrongState(_("A round needs at least two players."), code="too-few-players")
        return None

    def draw(self, section: Section, snap: Snapshot, request: Request) -> Callable[[], list[Draft]]:
        """Read now what the draw needs; the call gives the rounds, and reads nothing.

        Either may raise EngineError.
        """
        raise NotImplementedError

    def ranking_order(self, section: Section, snap: Snapshot) -> list[int] | None:
        """The order inside score groups; None for the starting numbers."""
        return None

    def undecided(self, section: Section) -> list[int]:
        """Boards of public rounds that have a result but nobody who goes on."""
        return []

    def by_hand(self) -> WrongState | None:
        """Why a round cannot be paired by hand; None where it can."""
        return None

    def missing(self, section: Section, *, number: int) -> tuple[set[int], set[int]]:
        """Entries that are not paired in a round for staying away, and those who are out for it."""
        return set(), set()

    def table(
        self, section: Section, snap: Snapshot, counted: Counted, *, after_round: int, final: bool
    ) -> Callable[[], Standings]:
        """One table as an unsaved row. Reads now what it needs; the call computes it, and reads nothing."""
        policy = self.policy(section)
        return lambda: ranked(section, snap, counted, policy=policy, after_round=after_round, final=final)

    def planned_rounds(self, section: Section, *, drafted: int) -> int:
        """How many rounds there will be, told when a round is published; `drafted` is the last that is drawn."""
        return section.rounds_total

    def rounds_to_play(self, section: Section, *, drafted: int) -> int:
        """How many rounds have to be public before the section can be closed."""
        return section.rounds_total

    def late_entry(self, section: Section, *, drafted: int) -> WrongState | None:
        """Why nobody can be entered after the first `drafted` rounds; None where one can."""
        if drafted >= section.rounds_total:
            return WrongState(_("The last round is paired already: there is no round left to play."))
        return None

    def absence(self) -> WrongState | None:
        """Why nobody can announce an absence; None where one can."""
        return WrongState(
            _("In a round robin the boards are drawn ahead: enter a forfeit, or play the game later.")
        )

    def departure(
        self, section: Section, boards: Iterable[departures.Drawn], *, entry: int
    ) -> dict[int, Outcome]:
        """The boards of an entry that change when it is disqualified, by pairing."""
        return departures.fallen(boards, entry=entry, annuls=False)

    def withdrawal(
        self, section: Section, boards: Iterable[departures.Drawn], *, entry: int
    ) -> dict[int, Outcome]:
        """The same when it withdraws: a board that is paired already gets its result from the arbiter."""
        return {}

    def gone_after(self, *, round_number: int, played: int, public: int) -> int:
        """The round after which a disqualified player is gone: the last `public` one, for it is paired.

        Where rounds are drawn ahead it is the incident's round or, where the ruling came later, the last one `played`:
        games that stand are games of a player who was there.
        """
        return max(round_number, played if self.drawn_ahead else public)
