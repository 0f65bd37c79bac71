"""A tournament report file as a value: the tournament, and what the file says beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from tournaments.engine.types import EngineError, Tournament

FILE_SCALE_DEFAULT = MappingProxyType(
    {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0, "U": 10, "FW": 10, "FPB": 10, "HPB": 5}
)  # tenths: 1, 0.5, 0
FILE_SCALE_DRAUGHTS = MappingProxyType(
    {"W": 20, "D": 10, "L": 0, "Z": 0, "F": 0, "U": 20, "FW": 20, "FPB": 20, "HPB": 10}
)  # tenths: 2, 1, 0


class Dialect(StrEnum):
    """Which records carry what has no place in a player's line."""

    TRF16 = "TRF16"  # XXR, XXC, XXP, XXA, BBW ...; absences of the next round as a column of their own
    TRF26 = "TRF26"  # 142, 152, 162, 240, 250, 260, 299


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the file's layout. `text` is verbatim; it is empty where the tournament itself gives the lines."""

    tag: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A report file, whole.

    `unit` is how many tenths of a point of the file make one point of the tournament: 10 for a file that counts 2/1/0,
    5 for one that counts 1/0.5/0. `ranks` are the places as the file states them. `marks` are results written in
    another way than this program would (an unrated W, a blank for Z), by (player, round). `layout` keeps the order of
    the lines, and verbatim those with no meaning here.
    """

    tournament: Tournament
    unit: int = 10
    dialect: Dialect = Dialect.TRF26
    ranks: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    marks: Mapping[tuple[int, int], str] = field(default_factory=lambda: MappingProxyType({}))
    layout: tuple[Line, ...] = ()
    newline: str = "\n"
    rank_order: bool = False  # the file asks that places, not numbers, order the players
    points_with_requested: bool = False  # the points of the file hold the byes of the round to pair
    points_with_virtual: bool = False  # ... and the virtual points of that round

    @property
    def extra(self) -> tuple[str, ...]:
        """The lines kept verbatim."""
        return tuple(line.text for line in self.layout if line.text)

    @property
    def absent(self) -> frozenset[int]:
        """Players that have a bye of any kind in the round to pair, so are not to be paired."""
        following = len(self.tournament.rounds) + 1
        return frozenset(bye.player for bye in self.tournament.requested_byes if bye.round == following)


MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        "trf-encoding": "the text is not in {found!r}; name its encoding with --encoding, such as gb18030 or cp1252",
        "trf-empty": "the file has no player line (001)",
        "trf-number": "{field} is {found!r}; expected {expected}",
        "trf-record": "{found!r} is not a valid {tag} record; expected {expected}",
        "trf-shifted": "round {round} of player {player}: {found!r} stands outside its columns; expected {expected}",
        "trf-result-code": "round {round} of player {player}: result {found!r}; expected {expected}",
        "trf-colour": "round {round} of player {player}: colour {found!r}; expected {expected}",
        "trf-player-twice": "player {player} has a line already (line {first_line})",
        "trf-unknown-player": "{found} names no player of the file; expected {expected}",
        "trf-opponent-self": "round {round}: player {player} is given as the opponent of player {player}",
        "trf-no-mirror": "round {round}: player {player} met {opponent}, but the line of {opponent} says {found}; "
        "expected {expected}",
        "trf-results-contradict": "round {round}: players {player} and {opponent} have results {found} that do not go "
        "together; expected {expected}",
        "trf-points-mismatch": "player {player} has {found} points, but the results give {expected}",
        "trf-points-by-colour": "{found} differ: points that depend on the colour are not counted here",
        "trf-team-file": "{found!r} is of a file of teams: it is read as a section of teams (import_trf), if it names them "
        "in 310 or 013 records",
        "trf-team-points": "{found!r}: a section of teams counts 2, 1, 0 for matches and games alike",
        "trf-team-twice": "round {round}: a team meets more than one other",
        "trf-team-boards": "round {round}: players {player} and {opponent} do not face each other with the colours of "
        "their board, which go by turns",
        "trf-bye-contradicts": "round {round}: a bye record for player {player}, who has {found} in that round; "
        "expected {expected}",
    }
)


class TrfError(EngineError):
    """The file is wrong. `values`: line (1-based), column (1-based), found, expected; player and round where known."""

    code = "trf-error"

    def __str__(self) -> str:
        values = dict(self.values)
        where = f"line {values['line']}" if values.get("line") else "file"
        if values.get("column"):
            where += f", column {values['column']}"
        template = MESSAGES.get(self.code)
        return f"{where}: {template.format(**values)}" if template else f"{where}: {self.code}"
