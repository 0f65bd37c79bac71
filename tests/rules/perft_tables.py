"""Published leaf counts (captures that differ only by their road merged), deepest last."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    name: str
    fen: str
    leaves: tuple[int, ...]
    suite_depth: int
    """How deep the normal suite counts; the benchmark goes on from there."""


_ALL_KINGS = f"W:W{','.join(f'K{n}' for n in range(31, 51))}:B{','.join(f'K{n}' for n in range(1, 21))}"

TABLES = (
    Table(
        "start",
        "W:W31-50:B1-20",
        (9, 81, 658, 4265, 27117, 167140, 1049442, 6483961, 41022423, 258895763, 1665861398),
        6,
    ),
    Table(
        "woldouby",
        "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
        (6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436, 1910989, 9872645, 58360286, 346184885),
        10,
    ),
    Table(
        "random178",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        (14, 55, 1168, 5432, 87195, 629010, 9041010, 86724219, 1216917193),
        5,
    ),
    Table("all kings", _ALL_KINGS, (17, 79, 352, 1399, 7062, 37589, 217575, 1333217, 8558321, 58381162), 5),
    Table(
        "almost promotion",
        "W:W6,7,8,9,10:B41,42,43,44,45",
        (9, 81, 795, 7578, 86351, 936311, 11448262, 138362698, 1799526674),
        5,
    ),
    Table(
        "front rows",
        "W:W31-35:B16-20",
        (9, 81, 534, 2538, 9052, 29999, 98971, 310315, 1008313, 3174155),
        7,
    ),
)
