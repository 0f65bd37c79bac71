"""The lines of a report file that are not players: what the tournament carries of them, with their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tournaments.engine.trf.columns import cut, number, tenths
from tournaments.engine.trf.values import TrfError
from tournaments.engine.types import Colour, ForbiddenGroup, Outcome

BYE_KINDS: Mapping[str, Outcome] = {"F": Outcome.BYE, "H": Outcome.HALF_BYE, "Z": Outcome.ZERO_BYE}
_XXS_KEYS: Mapping[str, tuple[str, ...]] = {
    "W": ("W", "FW", "FPB"),
    "D": ("D", "HPB"),
    "L": ("L",),
    "FW": ("FW",),
    "FPB": ("FPB",),
    "HPB": ("HPB",),
    "PAB": ("U",),
    "ZPB": ("Z",),
    "FL": ("F",),
}
_XXS_BY_COLOUR = {
    "WW": ("W", "BW"),
    "BW": ("W", "WW"),
    "WD": ("D", "BD"),
    "BD": ("D", "WD"),
    "WL": ("L", "BL"),
    "BL": ("L", "WL"),
}
_POINTS_162: Mapping[str, tuple[str, ...]] = {
    "W": ("W",),
    "D": ("D",),
    "L": ("L",),
    "A": ("Z", "F"),
    "Z": ("Z", "F"),
    "P": ("U",),
}

_DEFAULTS = {"W": 10, "D": 5, "L": 0}


MOST_VIRTUAL = 100_000
"""Players named by all lines of virtual points together: a bound on what a few short lines can ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Player numbers named on a line, with the column of each, to be checked when all players are known."""

    line: int
    players: tuple[tuple[int, int], ...]


@dataclass(slots=True, kw_only=True)
class Records:
    """What the records of one file say; points are in tenths as the file has them."""

    name: str = ""
    rounds_total: int = 0
    initial_colour: Colour | None = None
    rank_order: bool = False
    scale: dict[str, int] = field(default_factory=dict)
    has_xxs: bool = False
    by_colour: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # XXS letter -> points, place
    requested: list[tuple[int, int, Outcome, int, int]] = field(
        default_factory=list
    )  # player, round, kind, place
    absent: list[Named] = field(default_factory=list)
    virtual: list[tuple[int, int, int, range, int]] = field(default_factory=list)
    virtual_players: int = 0
    virtual_cells: dict[int, list[int]] = field(default_factory=dict)  # player -> points by round
    forbidden: list[tuple[ForbiddenGroup, Named]] = field(default_factory=list)
    adjustments: list[tuple[int, int, int]] = field(default_factory=list)  # points, round, player
    overrides: list[tuple[int, int, int, int]] = field(default_factory=list)  # points, round, player, line
    named: list[Named] = field(default_factory=list)


def _numbers(text: str, start: int, step: int, *, line: int) -> tuple[tuple[int, int], ...]:
    """Player numbers in fields of 4 columns, `step` apart, from column `start`, each with its column."""
    found = []
    for column in range(start, len(text) + 1, step):
        part = cut(text, column, column + 3)
        if part:
            found.append((number(part, name="the player number", line=line, column=column), column))
    return tuple(found)


def _refuse(text: str, *, line: int, column: int, expected: str) -> TrfError:
    return TrfError(
        "trf-record", line=line, column=column, tag=text[:3], found=text.strip(), expected=expected
    )


def _name(records: Records, text: str, line: int) -> None:
    records.name = text[4:].strip()


def _rounds(records: Records, text: str, line: int) -> None:
    records.rounds_total = number(text[3:].strip(), name="the number of rounds", line=line, column=5)


def _colour(records: Records, text: str, line: int) -> None:
    value = text[3:].strip().upper()
    if value not in ("W", "B"):
        raise _refuse(text, line=line, column=5, expected="W or B")
    records.initial_colour = Colour(value.lower())


def _configuration(records: Records, text: str, line: int) -> None:
    for token in text[3:].lower().split():
        if token == "rank":
            records.rank_order = True
        elif token in ("white1", "black1"):
            records.initial_colour = Colour(token[0])
        else:
            raise _refuse(text, line=line, column=5, expected="white1, black1 or rank")


def _point_system(records: Records, text: str, line: int) -> None:
    for column in range(6, len(text) + 1, 9):
        letter = cut(text, column, column).upper()
        if not letter and not cut(text, column, column + 8):
            continue
        value = tenths(cut(text, column + 1, column + 4), name="the points", line=line, column=column + 1)
        if letter == "X":
            continue  # points of a result not known yet: such a board has none here
        if letter not in _POINTS_162:
            raise _refuse(text, line=line, column=column, expected="W, D, L, A, P or X before the points")
        for key in _POINTS_162[letter]:
            records.scale[key] = value


def _points_of(key: str) -> Callable[[Records, str, int], None]:
    def record(records: Records, text: str, line: int) -> None:
        records.scale[key] = tenths(text[3:].strip(), name="the points", line=line, column=5)

    return record


def _javafo_points(records: Records, text: str, line: int) -> None:
    """Points by result; those of White and Black apart (WW, BW ...) must be the same, since nothing here knows others."""
    records.has_xxs = True
    for token in text[3:].upper().split():
        letter, _, value = token.partition("=")
        column = text.upper().find(token) + 1
        if letter not in (*_XXS_KEYS, *_XXS_BY_COLOUR):
            known = ", ".join((*_XXS_KEYS, *_XXS_BY_COLOUR))
            raise _refuse(text, line=line, column=column, expected=f"one of {known} with =points")
        points = tenths(value, name=f"the points of {letter}", line=line, column=column)
        if letter in _XXS_BY_COLOUR:
            records.by_colour[letter] = (points, line, column)
            letter = _XXS_BY_COLOUR[letter][0]
            records.scale[letter] = points
            continue
        for key in _XXS_KEYS[letter]:
            records.scale[key] = points


def refuse_points_by_colour(records: Records) -> None:
    """Raises TrfError where a result counts otherwise with White than with Black."""
    for letter, (points, line, column) in records.by_colour.items():
        result, other = _XXS_BY_COLOUR[letter]
        twin = records.by_colour.get(other, (_DEFAULTS[result], line, column))[0]
        if twin != points:
            raise TrfError(
                "trf-points-by-colour", line=line, column=column, found=f"{letter} and {other}", result=result
            )


def _byes(records: Records, text: str, line: int) -> None:
    kind = cut(text, 5, 5).upper()
    if kind not in BYE_KINDS:
        raise _refuse(text, line=line, column=5, expected="F, H or Z in column 5")
    round_ = number(cut(text, 7, 9), name="the round", line=line, column=7)
    for player, column in _numbers(text, 11, 5, line=line):
        records.requested.append((player, round_, BYE_KINDS[kind], line, column))


def _absent(records: Records, text: str, line: int) -> None:
    found, column = [], 4
    for token in text[3:].split():
        column = text.index(token, column - 1) + 1
        found.append((number(token, name="the player number", line=line, column=column), column))
        column += len(token)
    records.absent.append(Named(line=line, players=tuple(found)))


def _virtual(records: Records, text: str, line: int) -> None:
    points = tenths(cut(text, 10, 13), name="the virtual points", line=line, column=10)
    first = number(cut(text, 15, 17), name="the first round", line=line, column=15)
    last = number(cut(text, 19, 21), name="the last round", line=line, column=19)
    low = number(cut(text, 23, 26), name="the first player", line=line, column=23)
    high = number(cut(text, 28, 31), name="the last player", line=line, column=28)
    if last < first or high < low:
        raise _refuse(text, line=line, column=15, expected="rounds and players from the lower to the higher")
    records.virtual.append((points, first, last, range(low, high + 1), line))
    records.virtual_players += high - low + 1
    if records.virtual_players > MOST_VIRTUAL:
        raise _refuse(
            text, line=line, column=23, expected=f"at most {MOST_VIRTUAL} players in all such lines"
        )


def _virtual_cells(records: Records, text: str, line: int) -> None:
    player = number(cut(text, 5, 8), name="the player number", line=line, column=5)
    records.named.append(Named(line=line, players=((player, 5),)))
    row = records.virtual_cells.setdefault(player, [])
    for column in range(10, len(text) + 1, 5):
        part = cut(text, column, column + 3)
        row.append(tenths(part, name="the virtual points", line=line, column=column) if part else 0)


def _forbidden(records: Records, text: str, line: int) -> None:
    first = number(cut(text, 5, 7), name="the first round", line=line, column=5)
    last = number(cut(text, 9, 11), name="the last round", line=line, column=9)
    players = _numbers(text, 13, 5, line=line)
    group = ForbiddenGroup(
        players=frozenset(player for player, _ in players), first_round=first, last_round=last
    )
    records.forbidden.append((group, Named(line=line, players=players)))


def _forbidden_always(records: Records, text: str, line: int) -> None:
    named: list[Named] = []
    scratch = Records(absent=named)
    _absent(scratch, text, line)
    group = ForbiddenGroup(players=frozenset(player for player, _ in named[0].players))
    records.forbidden.append((group, named[0]))


def _abnormal(records: Records, text: str, line: int) -> None:
    letter = cut(text, 5, 5).upper()
    if cut(text, 8, 11):
        raise _refuse(
            text, line=line, column=8, expected="no match points: this is a section of single players"
        )
    points = tenths(cut(text, 14, 17), name="the points", line=line, column=14)
    round_ = number(cut(text, 20, 22) or "0", name="the round", line=line, column=20, least=0)
    if letter not in ("", "W", "D", "L", "F", "H", "Z", "+", "-"):
        raise _refuse(text, line=line, column=5, expected="W, D, L, F, H, Z, +, - or blank in column 5")
    named = _numbers(text, 24, 5, line=line)
    records.named.append(Named(line=line, players=named))
    for player, _ in named:
        if letter:
            records.overrides.append((points, round_, player, line))
        else:
            records.adjustments.append((points, round_, player))


RECORDS: Mapping[str, Callable[[Records, str, int], None]] = {
    "012": _name,
    "142": _rounds,
    "XXR": _rounds,
    "152": _colour,
    "XXC": _configuration,
    "162": _point_system,
    "XXS": _javafo_points,
    "BBW": _points_of("W"),
    "BBD": _points_of("D"),
    "BBL": _points_of("L"),
    "BBZ": _points_of("Z"),
    "BBF": _points_of("F"),
    "BBU": _points_of("U"),
    "240": _byes,
    "XXZ": _absent,
    "250": _virtual,
    "XXA": _virtual_cells,
    "260": _forbidden,
    "XXP": _forbidden_always,
    "299": _abnormal,
}
