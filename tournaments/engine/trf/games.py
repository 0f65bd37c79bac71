"""From players' lines to boards: opponents that mirror each other, results that go together, published board order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.engine.scoring import board_points
from tournaments.engine.trf.columns import Cell
from tournaments.engine.trf.values import TrfError
from tournaments.engine.types import BYES, Board, Colour, Outcome, ResultScheme, Round

Cells = Mapping[int, Mapping[int, Cell]]  # player -> round -> cell

_UNRATED = {"W": "1", "D": "=", "L": "0"}
OUTCOMES: Mapping[tuple[str, str], Outcome] = {
    ("1", "0"): Outcome.WHITE,
    ("=", "="): Outcome.DRAW,
    ("0", "1"): Outcome.BLACK,
    ("0", "0"): Outcome.BOTH_LOSE,
    ("+", "-"): Outcome.BLACK_FORFEITS,
    ("-", "+"): Outcome.WHITE_FORFEITS,
    ("-", "-"): Outcome.BOTH_FORFEIT,
    ("", ""): Outcome.UNPLAYED,
}
# Results that an arbiter gave one side and not the other: the board is won where one side has a win, else drawn, and
# has a grade that is the two letters.
_UNEQUAL: Mapping[tuple[str, str], Outcome] = {
    ("=", "0"): Outcome.DRAW,
    ("0", "="): Outcome.DRAW,
    ("1", "="): Outcome.WHITE,
    ("=", "1"): Outcome.BLACK,
}
UNEQUAL_GRADES = frozenset("".join(codes) for codes in _UNEQUAL)
BYE_OUTCOMES: Mapping[str, Outcome] = {
    "U": Outcome.BYE,
    "F": Outcome.BYE,
    "+": Outcome.BYE,
    "H": Outcome.HALF_BYE,
    "=": Outcome.HALF_BYE,
    "Z": Outcome.ZERO_BYE,
    "-": Outcome.ZERO_BYE,
    "": Outcome.ZERO_BYE,
}
CELL_CODES: Mapping[Outcome, tuple[str, str]] = {
    **{outcome: codes for codes, outcome in OUTCOMES.items()},
    Outcome.BYE: ("U", ""),
    Outcome.HALF_BYE: ("H", ""),
    Outcome.ZERO_BYE: ("Z", ""),
    Outcome.VOID: ("", ""),
}


def plain(code: str) -> str:
    """A result code with the unrated W, D, L as 1, =, 0."""
    return _UNRATED.get(code, code)


def rounds_played(rows: Cells) -> int:
    """The last round in which anybody was paired, or everybody has something; later columns are byes given ahead."""
    cells: dict[int, list[Cell]] = {}
    for row in rows.values():
        for round_, cell in row.items():
            cells.setdefault(round_, []).append(cell)
    return max(
        (
            round_
            for round_, row in cells.items()
            if any(cell.opponent for cell in row)
            or (len(row) == len(rows) and any(cell.code in ("U", "+") for cell in row))
        ),
        default=0,
    )


def boards_of(round_: int, rows: Cells, *, everyone: bool) -> list[Board]:
    """Boards of a round, not numbered yet. `everyone`: a blank is a board too, because an absence has points."""
    boards = []
    for player, row in rows.items():
        cell = row.get(round_)
        if cell is None:
            if everyone:
                boards.append(Board(number=0, white=player, black=None, outcome=Outcome.ZERO_BYE))
            continue
        if not cell.opponent:
            boards.append(Board(number=0, white=player, black=None, outcome=BYE_OUTCOMES[cell.code]))
            continue
        other = _mirror(round_, player, cell, rows)
        if cell.colour == "w" or (not cell.colour and player < cell.opponent):
            boards.append(_board(round_, player, cell, other))
    return boards


def _mirror(round_: int, player: int, cell: Cell, rows: Cells) -> Cell:
    place = {"line": cell.line, "column": cell.column, "player": player, "round": round_}
    if cell.opponent not in rows:
        raise TrfError(
            "trf-unknown-player",
            found=f"opponent {cell.opponent}",
            expected="the number of a player with a line of its own",
            **place,
        )
    other = rows[cell.opponent].get(round_)
    if other is None or other.opponent != player:
        says = "nothing" if other is None else f"opponent {other.opponent or 'none'}"
        raise TrfError(
            "trf-no-mirror", opponent=cell.opponent, found=says, expected=f"opponent {player}", **place
        )
    if {cell.colour, other.colour} not in ({"w", "b"}, {""}):
        raise TrfError(
            "trf-no-mirror",
            opponent=cell.opponent,
            found=f"colour {other.colour or '-'}",
            expected=f"the colour other than {cell.colour or '-'}",
            **place,
        )
    return other


def _board(round_: int, player: int, cell: Cell, other: Cell) -> Board:
    codes = (plain(cell.code), plain(other.code))
    if codes in _UNEQUAL:
        return Board(
            number=0, white=player, black=cell.opponent, outcome=_UNEQUAL[codes], grade="".join(codes)
        )
    if codes not in OUTCOMES:
        raise TrfError(
            "trf-results-contradict",
            line=cell.line,
            column=cell.column + 7,
            player=player,
            opponent=cell.opponent,
            round=round_,
            found=f"{cell.code or 'blank'} and {other.code or 'blank'}",
            expected="1 with 0 or =, = with = or 0, 0 with 0, + with -, - with -",
        )
    return Board(number=0, white=player, black=cell.opponent, outcome=OUTCOMES[codes])


def numbered(
    round_: int, boards: Sequence[Board], standing: Mapping[int, int], scheme: ResultScheme
) -> Round:
    """The round in the order of publication (FIDE C.04.2): higher score, then the sum, then the better number.

    `standing` holds the points before the round. Byes come last, with board number 0.
    """

    def order(board: Board) -> tuple[bool, int, int, int]:
        if board.black is None:
            return True, -board_points(board, scheme)[0], 0, board.white
        scores = standing[board.white], standing[board.black]
        top = board.white if (-scores[0], board.white) < (-scores[1], board.black) else board.black
        return False, -max(scores), -sum(scores), top

    ordered = sorted(boards, key=order)
    return Round(
        number=round_,
        boards=tuple(
            board if board.outcome in BYES else replace(board, number=index)
            for index, board in enumerate(ordered, start=1)
        ),
    )


def first_colour(rounds: Sequence[Round]) -> Colour:
    """The initial colour as round 1 shows it: of the best number paired, the others alternating with it."""
    for round_ in rounds:
        pairs = [board for board in round_.boards if board.black is not None]
        if not pairs:
            continue
        order = sorted(
            player
            for board in round_.boards
            if board.outcome not in (Outcome.HALF_BYE, Outcome.ZERO_BYE)
            for player in (board.white, board.black)
            if player is not None
        )
        whites = {board.white for board in pairs}
        blacks = {board.black for board in pairs}
        for index, player in enumerate(order):
            if player in whites or player in blacks:
                white = (player in whites) == (index % 2 == 0)
                return Colour.WHITE if white else Colour.BLACK
    return Colour.WHITE
