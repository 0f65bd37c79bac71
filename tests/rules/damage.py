"""Damaging a sheet as tired hands do: a model of our own, for tests and for measuring. Deterministic by seed."""

from __future__ import annotations

from random import Random

ALIKE = {
    "0": "6",
    "1": "74",
    "2": "37",
    "3": "825",
    "4": "19",
    "5": "36",
    "6": "05",
    "7": "12",
    "8": "30",
    "9": "47",
}
KINDS = ("digit",) * 13 + ("omit",) * 3 + ("swap",) * 2 + ("exchange", "twice")


def damaged(
    moves: list[str], *, errors: int, chance: Random, spare: frozenset[int] = frozenset()
) -> list[str]:
    """A copy with that many errors, none of them at the plies (0-based) in `spare`."""
    places = chance.sample([n for n in range(len(moves) - 1) if n not in spare], errors)
    out = list(moves)
    for place in sorted(places, reverse=True):
        _damage(out, place, chance.choice(KINDS), chance)
    return out


def _damage(out: list[str], place: int, kind: str, chance: Random) -> None:
    if kind == "omit":
        del out[place]
    elif kind == "twice":
        out.insert(place, out[place])
    elif kind == "swap":
        out[place], out[place + 1] = out[place + 1], out[place]
    else:
        sign = "x" if "x" in out[place] else "-"
        squares = out[place].split(sign)
        if kind == "exchange":
            squares[0], squares[-1] = squares[-1], squares[0]
        else:
            _misread(squares, chance)
        out[place] = sign.join(squares)


def _misread(squares: list[str], chance: Random) -> None:
    number = chance.choice((0, -1))
    digits = list(squares[number])
    at = chance.randrange(len(digits))
    options = ALIKE[digits[at]] if chance.random() < 0.7 else "0123456789".replace(digits[at], "")
    digits[at] = chance.choice(options)
    squares[number] = "".join(digits)


def played_game(seed: int, plies: int) -> list[str]:
    """A legal game by chance, with a liking for quiet moves forward; ends early when a side cannot move."""
    import rules

    chance = Random(seed)
    position, moves = rules.START, []
    for _ply in range(plies):
        legal = rules.legal_moves(position)
        if not legal:
            break
        move = chance.choice(legal)
        moves.append(rules.write(position, move))
        position = rules.play(position, move)
    return moves
