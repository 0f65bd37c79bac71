"""Tournaments from short lines, for tests that are worked out by hand.

A round is a line such as "1-2:1 3-4:= 5:U". After the colon: 1 White won, 0 Black won, = draw, 00 both lose, + Black did
not appear, - White did not appear, -- neither, ? no result yet, x annulled; U, H, Z a bye of full, half or no points.
"""

from collections.abc import Iterable

from tournaments.engine.types import Board, Outcome, Player, Round, Tournament

OUTCOMES = {
    "1": Outcome.WHITE,
    "0": Outcome.BLACK,
    "=": Outcome.DRAW,
    "00": Outcome.BOTH_LOSE,
    "+": Outcome.BLACK_FORFEITS,
    "-": Outcome.WHITE_FORFEITS,
    "--": Outcome.BOTH_FORFEIT,
    "?": Outcome.UNPLAYED,
    "x": Outcome.VOID,
    "U": Outcome.BYE,
    "H": Outcome.HALF_BYE,
    "Z": Outcome.ZERO_BYE,
}


def board(text: str, number: int) -> Board:
    players, _, code = text.partition(":")
    white, _, black = players.partition("-")
    return Board(
        number=number if black else 0,
        white=int(white),
        black=int(black) if black else None,
        outcome=OUTCOMES[code],
    )


def rounds(lines: Iterable[str]) -> tuple[Round, ...]:
    return tuple(
        Round(
            number=index,
            boards=tuple(board(text, place) for place, text in enumerate(line.split(), start=1)),
        )
        for index, line in enumerate(lines, start=1)
    )


def tournament(count: int, *lines: str, ratings: Iterable[int] = ()) -> Tournament:
    given = list(ratings) or [0] * count
    players = tuple(Player(number=number, rating=given[number - 1]) for number in range(1, count + 1))
    return Tournament(players=players, rounds=rounds(lines), rounds_total=len(lines))
