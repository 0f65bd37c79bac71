"""What a report file says without words: the points a section needs for it, and whether it is a round robin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.engine import roundrobin, scoring
from tournaments.engine.scoring import OWN_POINTS, SCHEMES, board_points
from tournaments.engine.trf import TrfFile
from tournaments.engine.types import (
    STANDARD,
    Adjustment,
    Board,
    InvalidState,
    Outcome,
    ResultScheme,
    Round,
    Tournament,
)
from tournaments.errors import BadInput

_GRADED = frozenset({Outcome.WHITE, Outcome.DRAW, Outcome.BLACK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """A result scheme and a section's own points over it, the boards under them, and what only a ruling can give."""

    scheme: str
    own: dict[str, Any]
    rounds: tuple[Round, ...]
    adjustments: tuple[Adjustment, ...]


def points_of(tournament: Tournament) -> Points:
    """How a section counts as the file does. Raises BadInput `unknown-scheme` for points that no section can have."""
    bare = replace(tournament.scheme, code="", grades=MappingProxyType({}))
    found = [_board(board, round_, tournament) for round_ in tournament.rounds for board in round_.boards]
    grades = {grade for _board_, grade, _extra in found if grade}
    adjustments = tuple(each for _board_, _grade, extra in found for each in extra)
    boards = iter(board for board, _grade, _extra in found)
    rounds = tuple(
        replace(round_, boards=tuple(next(boards) for _each in round_.boards)) for round_ in tournament.rounds
    )
    for code, known in SCHEMES.items():
        if not grades and replace(known, code="", grades=MappingProxyType({})) == bare:
            return Points(scheme=code, own={}, rounds=rounds, adjustments=adjustments)
    own: dict[str, Any] = {name: getattr(bare, name) for name in OWN_POINTS}
    if grades:
        own["grades"] = [list(grade) for grade in sorted(grades, reverse=True)]
    own = _without_what_follows(own)
    try:
        scoring.with_own_points(STANDARD, own)
    except InvalidState:
        raise _unknown(bare) from None
    return Points(scheme="STD", own=own, rounds=rounds, adjustments=adjustments)


def _without_what_follows(own: dict[str, Any]) -> dict[str, Any]:
    """The points without those that follow from the others."""
    for name in list(own):
        rest = {key: value for key, value in own.items() if key != name}
        try:
            if name != "grades" and scoring.with_own_points(STANDARD, rest) == scoring.with_own_points(
                STANDARD, own
            ):
                own = rest
        except InvalidState:
            continue
    return own


def _unknown(scheme: ResultScheme) -> BadInput:
    return BadInput(
        _(
            "The points of the file (win %(win)s, draw %(draw)s, loss %(loss)s, bye %(bye)s) belong to no result scheme here."
        ),
        code="unknown-scheme",
        win=scheme.win,
        draw=scheme.draw,
        loss=scheme.loss,
        bye=scheme.bye,
    )


def _board(
    board: Board, round_: Round, tournament: Tournament
) -> tuple[Board, tuple[int, int, str] | None, tuple[Adjustment, ...]]:
    """A board as a section has it: with a grade of its points, or without one and the difference as rulings."""
    if not board.grade:
        return board, None, ()
    white, black = board_points(board, tournament.scheme)
    ahead = Outcome.WHITE if white > black else Outcome.BLACK if black > white else Outcome.DRAW
    if board.outcome in _GRADED and board.outcome in (ahead, Outcome.DRAW):
        kind = "DRAW" if board.outcome is Outcome.DRAW else "WIN"
        return replace(board, grade=f"{white}-{black}"), (max(white, black), min(white, black), kind), ()
    plain = replace(board, grade="")
    given = board_points(plain, tournament.scheme)
    sides = [(board.white, white - given[0])]
    if board.black is not None:
        sides.append((board.black, black - given[1]))
    return (
        plain,
        None,
        tuple(
            Adjustment(
                player=player, points=points, after_round=round_.number, reason=f"TRF, {round_.number}"
            )
            for player, points in sides
            if points
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A round robin: once or twice round, and the rounds that the file does not have yet."""

    double: bool
    to_come: tuple[Round, ...]


_SAYS_ROUND_ROBIN = ("round robin", "round-robin", "roundrobin", "berger", "循环")
_SAYS_SWISS = ("swiss", "dutch", "积分编排")


def round_robin_of(file: TrfFile) -> Table | None:
    """The table that the file plays, if it is a round robin: one that says so and follows the Berger table so far, or
    one that has every meeting and does not say that it is a Swiss.
    """
    said = " ".join(text[3:].lower() for text in file.extra if text[:3] in ("092", "192"))
    tournament = file.tournament
    count = len(tournament.players)
    if count < 3 or any(word in said for word in _SAYS_SWISS):
        return None
    for double in (False, True):
        if _is_complete(tournament, double=double):
            return Table(double=double, to_come=())
    if not any(word in said for word in _SAYS_ROUND_ROBIN):
        return None
    if sorted(player.number for player in tournament.players) != list(range(1, count + 1)):
        return None
    says_double = "double" in said or "g2" in said or "双循环" in said
    for double in (True, False) if says_double else (False, True):
        drawn = roundrobin.schedule(count, double=double)
        if _pairs(tournament.rounds) == _pairs(drawn[: len(tournament.rounds)]):
            return Table(double=double, to_come=drawn[len(tournament.rounds) :])
    return None


def _pairs(rounds: Sequence[Round]) -> list[set[tuple[int, int]]]:
    return [
        {(board.white, board.black) for board in round_.boards if board.black is not None}
        for round_ in rounds
    ]


def _is_complete(tournament: Tournament, *, double: bool) -> bool:
    count = len(tournament.players)
    if len(tournament.rounds) != roundrobin.rounds_needed(count, double=double):
        return False
    if tournament.rounds_total > len(tournament.rounds):
        return False
    met = Counter(frozenset(pair) for pairs in _pairs(tournament.rounds) for pair in pairs)
    times = 2 if double else 1
    return len(met) == count * (count - 1) // 2 and all(number == times for number in met.values())
