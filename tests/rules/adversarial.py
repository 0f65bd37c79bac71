"""Damage that is meant to deceive: two copies wrong at the same place, ends that nothing tests, moves in another order.

Unlike `tests.rules.damage` nothing here follows the odds that `rules.misreading` is built on: digits go wrong into any
other digit, the wrong move is sought among the legal ones where there is one, and errors come together. Each kind takes a
game and a source of chance and returns the copies. Deterministic by seed; what leaves nothing to be found out by anyone
(both copies alike and legal as they stand) is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import rules
from tests.rules.damage import damaged

Copies = list[list[str]]


def sign_of(move: str) -> str:
    return "x" if "x" in move else "-"


def misread(move: str, chance: Random) -> str:
    """One digit of one square becomes any other digit."""
    sign = sign_of(move)
    squares = move.split(sign)
    which = chance.choice((0, -1))
    digits = list(squares[which])
    place = chance.randrange(len(digits))
    digits[place] = chance.choice("0123456789".replace(digits[place], ""))
    squares[which] = "".join(digits)
    return sign.join(squares)


def misread_as_legal(moves: Sequence[str], place: int, chance: Random) -> str:
    """One digit wrong so that another legal move stands there, where there is such a digit; else any digit."""
    position = _position(moves, place)
    other = [
        text
        for text in (rules.write(position, move) for move in rules.legal_moves(position))
        if text != moves[place] and _digits_apart(text, moves[place]) == 1
    ]
    return chance.choice(other) if other else misread(moves[place], chance)


def _digits_apart(one: str, other: str) -> int:
    if len(one) != len(other):
        return 9
    return sum(a != b for a, b in zip(one, other, strict=True))


def _position(moves: Sequence[str], place: int) -> rules.Position:
    return rules.validate(rules.Sheet(moves=tuple(moves[:place]))).final_position


def _both(moves: list[str], places: Sequence[int], chance: Random, *, legal_in_one: bool = True) -> Copies:
    """Both copies wrong at the same plies, each in its own way; one of them with a legal move where it can be."""
    copies = [list(moves), list(moves)]
    bold = chance.randrange(2)
    for place in places:
        for number, copy in enumerate(copies):
            tries = 0
            while copy[place] == moves[place] or (
                copy[place] == copies[1 - number][place] and number and tries < 20
            ):
                legal = legal_in_one and number == bold
                copy[place] = (
                    misread_as_legal(moves, place, chance) if legal else misread(moves[place], chance)
                )
                tries += 1
    return copies


def _inner(moves: Sequence[str], chance: Random) -> int:
    return chance.randrange(2, len(moves) - 2)


def same_ply(moves: list[str], chance: Random) -> Copies:
    return _both(moves, [_inner(moves, chance)], chance)


def same_ply_unlike(moves: list[str], chance: Random) -> Copies:
    return _both(moves, [_inner(moves, chance)], chance, legal_in_one=False)


def two_same_plies(moves: list[str], chance: Random) -> Copies:
    return _both(moves, chance.sample(range(2, len(moves) - 2), 2), chance)


def last_ply(moves: list[str], chance: Random) -> Copies:
    return _both(moves, [len(moves) - 1], chance)


def last_two(moves: list[str], chance: Random) -> Copies:
    return _both(moves, [len(moves) - 2, len(moves) - 1], chance)


def last_two_each_one(moves: list[str], chance: Random) -> Copies:
    """One copy is wrong at the last ply, the other at the ply before."""
    copies = [list(moves), list(moves)]
    for copy, place in zip(copies, (len(moves) - 1, len(moves) - 2), strict=True):
        copy[place] = misread_as_legal(moves, place, chance)
    return copies


def last_in_one(moves: list[str], chance: Random) -> Copies:
    """One copy alone is wrong at the last ply, and says something legal."""
    copy = list(moves)
    copy[-1] = misread_as_legal(moves, len(moves) - 1, chance)
    return _shuffled([copy, list(moves)], chance)


def last_wrong_and_lacking(moves: list[str], chance: Random) -> Copies:
    """One copy lacks the last ply, the other is wrong there."""
    copy = list(moves)
    copy[-1] = misread_as_legal(moves, len(moves) - 1, chance)
    return _shuffled([copy, list(moves[:-1])], chance)


def wrong_and_lacking(moves: list[str], chance: Random) -> Copies:
    """One copy lacks a ply, the other is wrong there."""
    place = _inner(moves, chance)
    copy = list(moves)
    copy[place] = misread_as_legal(moves, place, chance)
    return _shuffled([copy, [*moves[:place], *moves[place + 1 :]]], chance)


def exchanged(moves: list[str], chance: Random) -> list[str]:
    """Two moves of one player in each other's place, so that the copy is legal as it stands where that can be."""
    legal, any_ = [], []
    for place in range(len(moves) - 2):
        copy = list(moves)
        copy[place], copy[place + 2] = copy[place + 2], copy[place]
        if copy[place] == moves[place]:
            continue
        any_.append(copy)
        if rules.validate(rules.Sheet(moves=tuple(copy))).status is rules.Status.LEGAL:
            legal.append(copy)
    return chance.choice(legal or any_ or [list(moves)])


def exchanged_alone(moves: list[str], chance: Random) -> Copies:
    return [exchanged(moves, chance)]


def exchanged_and_digit(moves: list[str], chance: Random) -> Copies:
    copy = exchanged(moves, chance)
    place = chance.randrange(len(copy))
    copy[place] = misread(copy[place], chance)
    return [copy]


def exchanged_in_one(moves: list[str], chance: Random) -> Copies:
    return _shuffled([exchanged(moves, chance), list(moves)], chance)


def exchanged_in_one_and_digits(moves: list[str], chance: Random) -> Copies:
    copy = exchanged(moves, chance)
    place = next((n for n in range(len(moves)) if copy[n] != moves[n]), 0)
    other = list(moves)
    near = min(len(moves) - 1, max(0, place + chance.choice((-1, 0, 1, 2, 3))))
    other[near] = misread(other[near], chance)
    return _shuffled([copy, other], chance)


def exchanged_in_both(moves: list[str], chance: Random) -> Copies:
    first = exchanged(moves, chance)
    for _try in range(20):
        second = exchanged(moves, chance)
        if second != first:
            return [first, second]
    return [first, list(moves)]


def round_left_out(moves: list[str], chance: Random) -> Copies:
    place = chance.randrange(2, len(moves) - 4)
    return [moves[:place] + moves[place + 2 :]]


def round_left_out_of_one(moves: list[str], chance: Random) -> Copies:
    place = chance.randrange(2, len(moves) - 4)
    other = list(moves)
    at = place + chance.randrange(2)
    other[at] = misread_as_legal(moves, at, chance)
    return _shuffled([moves[:place] + moves[place + 2 :], other], chance)


def same_round_left_out(moves: list[str], chance: Random) -> Copies:
    place = chance.randrange(2, len(moves) - 4)
    left = moves[:place] + moves[place + 2 :]
    return [left, damaged(left, errors=1, chance=chance)]


def digit_alone(moves: list[str], chance: Random) -> Copies:
    """One copy, one digit wrong, legal there where it can be."""
    copy = list(moves)
    place = chance.randrange(len(copy))
    copy[place] = misread_as_legal(moves, place, chance)
    return [copy]


def last_alone(moves: list[str], chance: Random) -> Copies:
    copy = list(moves)
    copy[-1] = misread_as_legal(moves, len(moves) - 1, chance)
    return [copy]


def digits_in_both(moves: list[str], chance: Random) -> Copies:
    """Three digits wrong in each copy, one of them at the same ply."""
    shared = _inner(moves, chance)
    copies = _both(moves, [shared], chance)
    for copy in copies:
        for place in chance.sample([n for n in range(len(moves)) if n != shared], 2):
            copy[place] = misread(copy[place], chance)
    return copies


def mixed(moves: list[str], chance: Random) -> Copies:
    """The end wrong in both, a digit in one, exchanged moves in the other."""
    copies = [exchanged(moves, chance), list(moves)]
    place = _inner(moves, chance)
    copies[1][place] = misread(copies[1][place], chance)
    for copy in copies:
        copy[-1] = misread_as_legal(moves, len(moves) - 1, chance)
    if copies[0][-1] == copies[1][-1]:
        copies[1][-1] = misread(moves[-1], chance)
    return _shuffled(copies, chance)


def _shuffled(copies: Copies, chance: Random) -> Copies:
    return copies if chance.random() < 0.5 else copies[::-1]


KINDS: dict[str, Callable[[list[str], Random], Copies]] = {
    "two: same ply, one legal": same_ply,
    "two: same ply": same_ply_unlike,
    "two: same two plies": two_same_plies,
    "two: last ply": last_ply,
    "two: last two plies": last_two,
    "two: last ply and the one before": last_two_each_one,
    "two: last ply wrong in one": last_in_one,
    "two: last ply wrong and lacking": last_wrong_and_lacking,
    "two: ply wrong and lacking": wrong_and_lacking,
    "two: own moves exchanged in one": exchanged_in_one,
    "two: exchanged in one, digit near": exchanged_in_one_and_digits,
    "two: exchanged in both": exchanged_in_both,
    "two: round left out, other wrong": round_left_out_of_one,
    "two: same round left out": same_round_left_out,
    "two: three digits, one ply shared": digits_in_both,
    "two: end, digit and exchange": mixed,
    "one: own moves exchanged": exchanged_alone,
    "one: exchanged and a digit": exchanged_and_digit,
    "one: round left out": round_left_out,
    "one: digit": digit_alone,
    "one: last ply": last_alone,
}
