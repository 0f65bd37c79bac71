"""Pairings of several games as pages show them: the boards of a team match, the games of a micro-match, a bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from tournaments import formats, snapshot
from tournaments.engine import micromatch, scoring
from tournaments.engine.types import STANDARD, Board, Outcome
from tournaments.formats import brackets, match_outcome
from tournaments.formats.repairs import repairs_in
from tournaments.models import OUTCOME_LABELS, PUBLIC_STATES, Entry, MatchGame, Pairing, Section, TeamMember
from tournaments.wording.sections import PACES


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game; `score` and `words` are from the side of the entry that the pairing names as White."""

    number: int
    first: TeamMember | None
    second: TeamMember | None
    first_white: bool
    outcome: str
    grade: str
    value: str  # what a form sends for its result
    score: str
    words: Any
    pace: Any = ""
    clock: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    pairing: Pairing
    games: tuple[Game, ...]
    score: str  # the games added up
    coming: Game | None  # the next game of a micro-match, if there is one
    winner: Entry | None  # of a knock-out


def match_of(section: Section, pairing: Pairing) -> Match:
    """One query."""
    rows = pairing.match_games.select_related("first", "second").order_by("number")
    return _match(section, pairing, list(rows))


def public_matches(section: Section, number: int) -> list[Match]:
    """The matches of a public round by board, byes apart. Two queries."""
    pairings = _public_pairings(section).filter(round__number=number, black__isnull=False).order_by("board")
    rows = MatchGame.objects.filter(pairing__in=pairings).select_related("first", "second")
    games: dict[int, list[MatchGame]] = {}
    for row in rows.order_by("number"):
        games.setdefault(row.pairing_id, []).append(row)
    return [_match(section, pairing, games.get(pairing.pk, [])) for pairing in pairings]


def public_match(section: Section, pairing_id: int) -> Match | None:
    pairing = _public_pairings(section).filter(pk=pairing_id, black__isnull=False).first()
    return match_of(section, pairing) if pairing is not None else None


def members_of(section: Section) -> dict[int, list[TeamMember]]:
    """The players of every team in board order, by entry. One query."""
    found: dict[int, list[TeamMember]] = {}
    for member in TeamMember.objects.filter(entry__section=section).order_by("entry_id", "position"):
        found.setdefault(member.entry_id, []).append(member)
    return found


def _public_pairings(section: Section) -> QuerySet[Pairing]:
    return Pairing.objects.filter(round__section=section, round__state__in=PUBLIC_STATES).select_related(
        "round", "white__player", "black__player"
    )


def _match(section: Section, pairing: Pairing, rows: list[MatchGame]) -> Match:
    rule = formats.match_rule(section)
    scheme = (
        STANDARD if rule is not None else section.result_scheme
    )  # a match's own games are won, drawn, lost
    games, first, second = [], 0, 0
    for row in rows:
        white, black = scoring.board_points(
            Board(number=row.number, white=1, black=2, outcome=Outcome(row.outcome), grade=row.grade), scheme
        )
        ours, theirs = (white, black) if row.first_white else (black, white)
        first, second = first + ours, second + theirs
        games.append(_game(row, f"{ours}-{theirs}", rule))
    return Match(
        pairing=pairing,
        games=tuple(games),
        score=_match_score(rule, rows) or (f"{first}-{second}" if rows else ""),
        coming=_coming(rule, rows) if rule else None,
        winner=_winner(pairing) if formats.of(section).has_bracket else None,
    )


def _match_score(rule: micromatch.MatchRule | None, rows: Sequence[MatchGame]) -> str:
    """The score that the rule gives a match that is over; "" before, and for matches of teams."""
    score = micromatch.evaluate(rule, match_outcome.played(rows)).score if rule is not None else None
    return f"{score[0]}-{score[1]}" if score else ""


def _game(row: MatchGame, score: str, rule: micromatch.MatchRule | None) -> Game:
    stage = rule.stages[row.stage] if rule is not None and row.stage < len(rule.stages) else None
    open_ = row.outcome == Outcome.UNPLAYED
    return Game(
        number=row.number,
        first=row.first,
        second=row.second,
        first_white=row.first_white,
        outcome=row.outcome,
        grade=row.grade,
        value="" if open_ else f"{row.outcome}:{row.grade}" if row.grade else row.outcome,
        score="" if open_ else score,
        words=OUTCOME_LABELS[Outcome(row.outcome)],
        pace=PACES[stage.pace] if stage else "",
        clock=stage.clock if stage else "",
    )


def _coming(rule: micromatch.MatchRule, rows: Sequence[MatchGame]) -> Game | None:
    found = micromatch.evaluate(rule, match_outcome.played(rows)).next_game
    if found is None:
        return None
    return Game(
        number=len(rows) + 1, first=None, second=None, first_white=found.first_white, outcome=Outcome.UNPLAYED.value,
        grade="", value="", score="", words="", pace=PACES[found.pace], clock=found.clock,
    )  # fmt: skip


def _winner(pairing: Pairing) -> Entry | None:
    winner = brackets.winner_of(pairing.outcome, pairing.advances, pairing.white_id, pairing.black_id)
    return next((e for e in (pairing.white, pairing.black) if e is not None and e.pk == winner), None)


def public_pairing(section: Section, number: int, board: int) -> Pairing | None:
    found = _public_pairings(section).filter(round__number=number, board=board).first()
    if found is not None:
        found.round.section = section
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A tie of a drawn bracket. A side is None while it is not known; `is_bye` has one side only."""

    upper: Entry | None
    lower: Entry | None
    winner: Entry | None
    score: str
    board: int
    round: int
    is_bye: bool
    third_place: bool
    by_ruling: bool = False  # the winner goes on whatever the result
    is_wrong: bool = False  # drawn with others, before an earlier result was corrected
    is_final: bool = False

    @property
    def upper_score(self) -> str:
        return self.score.partition("-")[0]

    @property
    def lower_score(self) -> str:
        return self.score.partition("-")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    entry: Entry
    rank: int
    points: int
    goes_on: bool
    by_lot: bool  # nothing but the lot decided against the one above or below


def bracket_rounds(section: Section) -> list[list[Tie]]:
    """The ties of the bracket by round, as the public rounds have them; empty before the first is public."""
    meetings = brackets.meetings_of(section, public_only=True)
    found = brackets.bracket_of(section, meetings) if meetings else None
    if found is None:
        return []
    entries = {e.pk: e for e in section.entries.select_related("player")}
    boards = Pairing.objects.in_bulk([meeting.pairing for meeting in found.seated.values()])
    wrong = {r.meeting.pairing for r in repairs_in(found) if r.meeting}
    known = {m.tie: m for m in found.progress.meetings}
    rounds: list[list[Tie]] = [[] for _round in range(found.ties[-1].round)]
    for tie in found.ties:
        meeting = known.get(tie.number)
        seeds = (
            [meeting.upper, meeting.lower]
            if meeting
            else [max(tie.upper.number, tie.lower.number)]
            if tie.is_bye
            else []
        )
        upper, lower = ([entries.get(found.seeds[seed - 1]) for seed in seeds] + [None, None])[:2]
        row = boards.get(found.seated[tie.number].pairing) if tie.number in found.seated else None
        is_wrong = row is not None and row.pk in wrong
        winner = entries.get(found.seeds[meeting.winner - 1]) if meeting and meeting.winner else None
        rounds[tie.round - 1].append(
            Tie(
                upper=upper,
                lower=lower,
                winner=upper if tie.is_bye else winner,
                score=_tie_score(section, row, upper) if row and upper else "",
                board=row.board if row else 0,
                round=tie.round + found.offset,
                is_bye=tie.is_bye,
                third_place=tie.third_place,
                by_ruling=bool(row and row.advances),
                is_wrong=is_wrong,
                is_final=tie.round == found.ties[-1].round and not tie.third_place,
            )
        )
    return [sorted(ties, key=lambda tie: tie.third_place) for ties in rounds]


def _tie_score(section: Section, pairing: Pairing, upper: Entry | None) -> str:
    if pairing.outcome == Outcome.UNPLAYED or pairing.black_id is None:
        return ""
    white, black = scoring.board_points(
        Board(number=1, white=1, black=2, outcome=Outcome(pairing.outcome), grade=pairing.grade),
        section.result_scheme,
    )
    upper_is_white = upper is not None and pairing.white_id == upper.pk
    return f"{white}-{black}" if upper_is_white else f"{black}-{white}"


def groups(section: Section) -> list[list[GroupRow]]:
    """The tables of the groups by the public rounds; empty while they are not drawn in public."""
    snap = snapshot.load(section, public_only=True)
    if not snap.tournament.rounds:
        return []
    entries = {e.pk: e for e in section.entries.select_related("player")}
    return [
        [
            GroupRow(
                entry=entries[snap.entry_of[row.number]],
                rank=row.rank,
                points=row.points,
                goes_on=place <= section.group_places,
                by_lot=row.number in brackets.settled_by_lot(table),
            )
            for place, row in enumerate(table.rows, start=1)
        ]
        for table in brackets.group_tables(section, snap.tournament, snap)
    ]
