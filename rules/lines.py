"""What a king sees along its lines, looked up by which of their squares are empty.

For each square and each of its diagonals there is a table: from the empty squares of the diagonal to the pieces a king
could jump there and its moves without capture. The tables know nothing of sides: of the nearest pieces the caller keeps
those of the enemy. Their 13,312 entries cover every board there is; they are made when the module is loaded.
"""

from __future__ import annotations

from rules.board import RAYS

Jump = tuple[int, tuple[int, ...]]
"""(the bit jumped, the landing bits nearest first)."""

Sight = tuple[int, tuple[Jump, ...], tuple[tuple[int, int, int], ...]]
"""What a king finds on one diagonal: (the nearest pieces with an empty square behind them, how each of them is jumped,
its moves without capture as in `rules.moves.RawMove`). A plain tuple, for it is taken apart at every look."""


def _ray_sights(bit: int, ray: tuple[int, ...]) -> list[tuple[Sight, list[int]]]:
    """What can be seen in one direction: (the sight, all sets of empty squares that give it)."""
    slides = tuple((bit, end, 0) for end in ray)
    found: list[tuple[Sight, list[int]]] = [((0, (), slides), [sum(ray)])]
    for index, nearest in enumerate(ray):
        behind = ray[index + 1 :]
        for free in range(len(behind) + 1):
            jumps = ((nearest, behind[:free]),) if free else ()
            sight = (nearest if free else 0, jumps, slides[:index])
            seen = sum(ray[:index]) + sum(behind[:free])
            found.append((sight, [seen | others for others in _subsets(behind[free + 1 :])]))
    return found


def _subsets(bits: tuple[int, ...]) -> list[int]:
    found = [0]
    for bit in bits:
        found += [bit | chosen for chosen in found]
    return found


def _diagonal(bit: int, rays: list[tuple[int, ...]]) -> tuple[int, dict[int, Sight]]:
    """(the squares of a diagonal but the king's, the sights by those that are empty) from its directions."""
    table: dict[int, Sight] = {}
    sights, opposite = (_ray_sights(bit, ray) for ray in (*rays, ())[:2])
    for (nearest, jumps, slides), empty in sights:
        for (other_nearest, other_jumps, other_slides), others in opposite:
            sight = (nearest | other_nearest, jumps + other_jumps, slides + other_slides)
            table.update([(here | there, sight) for here in empty for there in others])
    return sum(sum(ray) for ray in rays), table


def _diagonals(bit: int) -> tuple[tuple[int, dict[int, Sight]], ...]:
    """The diagonal that falls from left to right, then the one that rises."""
    falling: list[tuple[int, ...]] = []
    rising: list[tuple[int, ...]] = []
    for ray in RAYS[bit]:
        step = abs(ray[0].bit_length() - bit.bit_length())
        (rising if step == 5 else falling).append(ray)
    return tuple(_diagonal(bit, rays) for rays in (falling, rising) if rays)


LINES: dict[int, tuple[tuple[int, dict[int, Sight]], ...]] = {bit: _diagonals(bit) for bit in RAYS}
"""For each square its diagonals: (the squares on it, the sights by those of them that are empty)."""
