"""Team events: line-ups by a fixed board order, matches over several boards, teams as participants, sums of places.

A team is a participant of the ordinary tournament: its matches have match points 2/1/0, so the Swiss engine, the Berger
tables and the tie-breaks serve teams unchanged, with board points as a tie-break. Sources: Xiangqi rules 2011, art. 13
(match points, then board points; colours by board); FMJD annex 5 (the same Swiss for teams); Chinese practice for sums
of places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournaments.engine.scoring import board_points
from tournaments.engine.types import STANDARD, Board, Outcome, ResultScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """`members` are player numbers in board order; those after the number of boards are substitutes."""

    number: int
    name: str = ""
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatch:
    """One match. `first` is the team named first; without a `second` it has the bye of kind `bye`.

    `games` are the boards in order: 1 is the top board, and the first team has White on the odd ones. A board where a
    team has nobody is a forfeit of that side, with 0 for the player.
    """

    round: int
    number: int
    first: int
    second: int | None
    games: tuple[Board, ...] = ()
    bye: Outcome = Outcome.BYE


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamEvent:
    """A team section, whole. `boards` is how many games a match has."""

    teams: tuple[Team, ...]
    boards: int
    matches: tuple[TeamMatch, ...] = ()
    scheme: ResultScheme = STANDARD  # of a game: board points


@dataclass(frozen=True, slots=True, kw_only=True)
class LineupFault:
    """What is wrong with a line-up: `code` is unknown-member, twice, order, gap or too-many; `board` from 1."""

    code: str
    board: int
    player: int


def lineup_faults(team: Team, lineup: Sequence[int | None], *, boards: int) -> tuple[LineupFault, ...]:
    """Faults of a line-up, top board first; None is an empty board.

    The order of the list is fixed: a substitute comes in below all those listed before him, and empty boards are the
    last ones.
    """
    place = {member: index for index, member in enumerate(team.members)}
    faults: list[LineupFault] = []
    seen: set[int] = set()
    last, empty = -1, False
    for board, player in enumerate(lineup, start=1):
        if board > boards:
            faults.append(LineupFault(code="too-many", board=board, player=player or 0))
        if player is None:
            empty = True
            continue
        if empty:
            faults.append(LineupFault(code="gap", board=board, player=player))
        if player not in place:
            faults.append(LineupFault(code="unknown-member", board=board, player=player))
            continue
        if player in seen:
            faults.append(LineupFault(code="twice", board=board, player=player))
        elif place[player] < last:
            faults.append(LineupFault(code="order", board=board, player=player))
        seen.add(player)
        last = max(last, place[player])
    return tuple(faults)


def seat(first: Sequence[int | None], second: Sequence[int | None], *, boards: int) -> tuple[Board, ...]:
    """The games of a match from two line-ups: the first team has White on boards 1, 3, 5 and so on.

    An empty board is a forfeit of its side (both empty: of both); the missing player has the number 0.
    """
    games = []
    for number in range(1, boards + 1):
        ours = first[number - 1] if number <= len(first) else None
        theirs = second[number - 1] if number <= len(second) else None
        white, black = (ours, theirs) if number % 2 else (theirs, ours)
        outcome = Outcome.UNPLAYED
        if white is None or black is None:
            outcome = Outcome.WHITE_FORFEITS if black is not None else Outcome.BLACK_FORFEITS
            outcome = Outcome.BOTH_FORFEIT if white is None and black is None else outcome
        games.append(Board(number=number, white=white or 0, black=black or 0, outcome=outcome))
    return tuple(games)


def match_score(match: TeamMatch, scheme: ResultScheme) -> tuple[int, int]:
    """Board points of the first and the second team so far."""
    first = second = 0
    for game in match.games:
        white, black = board_points(game, scheme)
        ours, theirs = (white, black) if game.number % 2 else (black, white)
        first += ours
        second += theirs
    return first, second


def match_outcome(match: TeamMatch, scheme: ResultScheme) -> Outcome:
    """The match as one outcome, the first team as White; UNPLAYED until every board has a result.

    A match in which one team appeared on no board is a forfeit.
    """
    if match.second is None:
        return match.bye
    if not match.games or any(game.outcome is Outcome.UNPLAYED for game in match.games):
        return Outcome.UNPLAYED
    first_missing, second_missing = _missing(match)
    if first_missing or second_missing:
        if first_missing and second_missing:
            return Outcome.BOTH_FORFEIT
        return Outcome.WHITE_FORFEITS if first_missing else Outcome.BLACK_FORFEITS
    first, second = match_score(match, scheme)
    if first == second:
        return Outcome.DRAW
    return Outcome.WHITE if first > second else Outcome.BLACK


def _missing(match: TeamMatch) -> tuple[bool, bool]:
    """Whether the first and the second team lost every game by not appearing."""
    lost = {1: 0, 2: 0}
    for game in match.games:
        white_side, black_side = (1, 2) if game.number % 2 else (2, 1)
        if game.outcome in (Outcome.WHITE_FORFEITS, Outcome.BOTH_FORFEIT):
            lost[white_side] += 1
        if game.outcome in (Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT):
            lost[black_side] += 1
    return lost[1] == len(match.games), lost[2] == len(match.games)


def board_points_of(event: TeamEvent, *, after_round: int | None = None) -> dict[int, int]:
    """Board points of every team after a round (default: the last); a bye counts as half of the boards won."""
    points = {team.number: 0 for team in event.teams}
    bye = event.scheme.win * event.boards // 2
    for match in event.matches:
        if after_round is not None and match.round > after_round:
            continue
        if match.second is None:
            points[match.first] += bye if match.bye is Outcome.BYE else 0
            continue
        first, second = match_score(match, event.scheme)
        points[match.first] += first
        points[match.second] += second
    return points


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSum:
    """A team by the places of its players in an individual event: `places` counted, best first."""

    team: int
    rank: int
    total: Fraction
    places: tuple[Fraction, ...]


def place_sums(
    places: Mapping[int, Fraction | int], teams: Sequence[Team], *, counted: int
) -> tuple[PlaceSum, ...]:
    """Teams by the sum of their best `counted` places, the lower the better; equal sums by the best single place.

    `places` are those of the individual event (shared places as their mean). A team with fewer players takes, for each
    one missing, the place after the last. What stays equal shares the rank.
    """
    after_last = Fraction(len(places) + 1)
    sums = []
    for team in teams:
        own = sorted(Fraction(places[member]) for member in team.members if member in places)[:counted]
        own += [after_last] * (counted - len(own))
        sums.append(PlaceSum(team=team.number, rank=0, total=sum(own, Fraction(0)), places=tuple(own)))
    sums.sort(key=lambda row: (row.total, row.places[:1], row.team))
    ranked: list[PlaceSum] = []
    for index, row in enumerate(sums):
        above = ranked[-1] if ranked else None
        equal = above is not None and (above.total, above.places[:1]) == (row.total, row.places[:1])
        ranked.append(replace(row, rank=above.rank if above is not None and equal else index + 1))
    return tuple(ranked)


def mean_places(ranks: Mapping[int, int]) -> dict[int, Fraction]:
    """The place of everybody by number from ranks that several may share; those who share places 2-4 have 3 each."""
    sharing = Counter(ranks.values())
    return {number: Fraction(2 * rank + sharing[rank] - 1, 2) for number, rank in ranks.items()}
