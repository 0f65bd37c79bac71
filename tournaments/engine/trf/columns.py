"""Columns of a report file: cutting a line, numbers and points in it, and the cell of a round."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tournaments.engine.trf.values import TrfError

FIRST_CELL = 91  # index of the first column of round 1; a round is 10 columns wide
CELL = 10
_POINTS = re.compile(r"-?\d{1,4}(?:[.,]\d)?|-?[.,]\d")

PLAYED_CODES = frozenset("10=WDL")
NO_OPPONENT_CODES = frozenset({"H", "F", "U", "Z", "+", "-", "=", ""})
ALL_CODES = "1, 0, =, W, D, L, +, -, H, F, U, Z or blank"


def decode(data: bytes, *, encoding: str = "") -> str:
    """Return the text of a report file: in `encoding`, else UTF-8 (with or without mark) or UTF-16 with mark.

    Raises TrfError `trf-encoding` with the line for anything else: a guess could put wrong names on a list.
    """
    marked = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding or marked)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TrfError("trf-encoding", line=line, found=encoding or marked) from error
    except LookupError as error:
        raise TrfError("trf-encoding", found=encoding) from error


def cut(line: str, first: int, last: int) -> str:
    """Columns first..last (1-based, both included) without blanks around."""
    return line[first - 1 : last].strip()


def number(text: str, *, name: str, line: int, column: int, least: int = 1) -> int:
    """A whole number >= least. Raises TrfError with the place."""
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    raise TrfError(
        "trf-number",
        line=line,
        column=column,
        field=name,
        found=text,
        expected=f"a whole number from {least}",
    )


def tenths(text: str, *, name: str, line: int, column: int) -> int:
    """Points such as 11.5 in tenths. Raises TrfError with the place."""
    if not _POINTS.fullmatch(text):
        raise TrfError(
            "trf-number",
            line=line,
            column=column,
            field=name,
            found=text,
            expected="points such as 2, 1.0 or 11.5",
        )
    whole, _, fraction = text.replace(",", ".").partition(".")
    sign = -1 if whole.startswith("-") else 1
    return sign * (abs(int(whole or "0") if whole != "-" else 0) * 10 + int(fraction or "0"))


def points_text(value: int) -> str:
    """Tenths as the file writes them: 115 -> "11.5"; from 100 points without the decimal, to keep to 4 columns."""
    sign = "-" if value < 0 else ""
    if abs(value) >= 1000 and value % 10 == 0:
        return f"{sign}{abs(value) // 10}"
    return f"{sign}{abs(value) // 10}.{abs(value) % 10}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One round of one player as written: opponent 0 for none, colour "w", "b" or "", code in upper case or ""."""

    opponent: int
    colour: str
    code: str
    line: int
    column: int
    text: str


def cells(text: str, *, line: int, player: int) -> dict[int, Cell]:
    """The rounds of a player's line, by number; rounds left blank are left out. Raises TrfError."""
    found = {}
    for index, start in enumerate(range(FIRST_CELL, len(text), CELL), start=1):
        raw = text[start : start + CELL].ljust(CELL)
        if raw.strip():
            found[index] = _cell(raw, line=line, column=start + 1, player=player, round_=index)
    return found


def _cell(raw: str, *, line: int, column: int, player: int, round_: int) -> Cell:
    for offset in (4, 6, 8, 9):
        if raw[offset] != " ":
            raise TrfError(
                "trf-shifted",
                line=line,
                column=column + offset,
                player=player,
                round=round_,
                found=raw.strip(),
                expected=f"an opponent in columns {column}-{column + 3}, a colour in {column + 5}, a result in {column + 7}",
            )
    name = f"the opponent of player {player} in round {round_}"
    opponent = number(raw[:4].strip() or "0", name=name, line=line, column=column, least=0)
    colour, code = raw[5].lower().strip(" -"), raw[7].upper().strip()
    cell = Cell(opponent=opponent, colour=colour, code=code, line=line, column=column, text=raw[:8])
    _refuse_bad_cell(cell, player=player, round_=round_)
    return cell


def _refuse_bad_cell(cell: Cell, *, player: int, round_: int) -> None:
    place = {"line": cell.line, "player": player, "round": round_}
    if cell.colour not in ("", "w", "b"):
        raise TrfError("trf-colour", column=cell.column + 5, found=cell.colour, expected="w, b or -", **place)
    if cell.opponent == player:
        raise TrfError("trf-opponent-self", column=cell.column, **place)
    if cell.opponent and cell.code not in PLAYED_CODES | {"+", "-", ""}:
        expected = "1, 0, =, W, D, L, +, - or blank beside an opponent"
        if cell.code not in NO_OPPONENT_CODES:
            expected = ALL_CODES
        raise TrfError("trf-result-code", column=cell.column + 7, found=cell.code, expected=expected, **place)
    if not cell.opponent and cell.code not in NO_OPPONENT_CODES:
        expected = "H, F, U, Z, +, - or blank without an opponent"
        if cell.code not in PLAYED_CODES:
            expected = ALL_CODES
        raise TrfError("trf-result-code", column=cell.column + 7, found=cell.code, expected=expected, **place)
    if not cell.opponent and cell.colour:
        raise TrfError(
            "trf-colour", column=cell.column + 5, found=cell.colour, expected="- without an opponent", **place
        )
    if cell.opponent and cell.code in PLAYED_CODES and not cell.colour:
        raise TrfError(
            "trf-colour", column=cell.column + 5, found="-", expected="w or b for a game played", **place
        )
