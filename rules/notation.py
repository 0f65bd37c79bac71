"""Written moves: reading one in any dialect, writing one so that nobody can misread it (article 10.2).

Promises: `parse` never raises; what cannot be read is a `Written` with a fault. `write` gives the short form and
falls back to the whole path where two captures share origin and destination. Judges no legality.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.board import BIT, BOARD, SQUARE, Position
from rules.lines import Jump
from rules.moves import Move, RawMove, king_jumps, legal_moves, man_jumps
from rules.signs import CAPTURE_WORDS, CROSSES, DASHES, LOOKALIKES, PLAIN_WORDS, fold

LONGEST_PATH = 24
"""A capture takes at most twenty pieces, so no path has more squares than this; the rest is noise."""

_LONGEST_WRITTEN = 120
WORDS = "|".join(sorted(map(re.escape, PLAIN_WORDS + CAPTURE_WORDS), key=len, reverse=True))
SIGN = rf"(?:(?:[^\w\s()\[\]{{}}\"]|[xX_{DASHES[3:]}{CROSSES[5:]}]){{1,3}}|{WORDS})"
"""Whatever may stand between two squares, in folded text: up to three signs, or a word for it."""
SQUARE_DIGIT = "[0-9lIiOoQ\u041e\u043e\u3007ZzSB\u0417\u0437\u0431]"
"""A digit of a square, or a letter that looks like one."""
_SEPARATOR = rf"\s*{SIGN}\s*|\s+"
_MOVE = re.compile(rf"({SQUARE_DIGIT}{{1,2}})((?:(?:{_SEPARATOR}){SQUARE_DIGIT}{{1,2}})+)")
_STEP = re.compile(rf"({_SEPARATOR})({SQUARE_DIGIT}{{1,2}})")
_DIGIT = re.compile("[0-9]")
_GAP = re.compile(r"[-~_/?\s\u4e00\u2026]*|\.\.+|空|缺|无|無|漏|未记|没记|未写")
_ALGEBRAIC = re.compile(rf"([a-j])(10|[1-9])\s*[{re.escape(DASHES + CROSSES)}]?\s*", re.IGNORECASE)
_STRENGTH = re.compile(r"\s*(?:\(\s*[!?*]+\s*\)|[!?*]+)\s*$")
_AD_LIBITUM = re.compile(r"\s*\(?\s*a\s*\.\s*l\s*\.?\s*\)?\s*$", re.IGNORECASE)
_END_MARK = re.compile(r"\s*([+=#])\s*$")


class Written(NamedTuple):
    """A move as read from paper. `path` has two or more squares unless there is a fault."""

    path: tuple[int, ...]
    capture: bool
    """The sign between the squares says a piece is taken."""
    fault: str | None = None
    """`None`, or `unreadable` / `not-written` / `no-such-square` / `same-square`."""
    ad_libitum: bool = False
    """Followed by `a.l.` (article 10.2.6)."""
    end_mark: str = ""
    """`+` or `=` written behind the move (articles 10.2.4 and 10.2.5), else empty."""
    separator: bool = True
    """Whether a sign stood between the squares that tells a quiet move from a capture."""
    lookalike: bool = False
    """Whether a letter stood for a digit."""

    @property
    def takes(self) -> bool:
        """Whether it is meant as a capture, by its sign or because it has more than two squares."""
        return self.capture or len(self.path) > 2

    @property
    def origin(self) -> int:
        return self.path[0]

    @property
    def destination(self) -> int:
        return self.path[-1]


_known: dict[str, Written] = {}
_KNOWN_LIMIT = 20_000
_REMEMBERED_LENGTH = 24


def parse(text: str) -> Written:
    """Read one written move: `32-28`, `19x23`, `19×23`, `19:23`, `1- 7`, `06-11`, `32 28`, `3228`, a whole path
    `39x28x17`, any other sign between two squares, letters in place of digits (`l9-23`), with or without a strength (`!?`), `a.l.`, `+` or `=` behind it."""
    found = _known.get(text)
    if found is None:
        found = _parse(text)
        if len(text) <= _REMEMBERED_LENGTH:
            if len(_known) >= _KNOWN_LIMIT:
                _known.clear()
            _known[text] = found
    return found


def _parse(text: str) -> Written:
    if len(text) > _LONGEST_WRITTEN:
        return Written((), False, "unreadable")
    folded = fold(text).strip()
    if _GAP.fullmatch(folded):
        return Written((), False, "not-written")
    bare, ad_libitum, end_mark = _strip_marks(folded)
    match = _MOVE.fullmatch(bare)
    if match is not None and _DIGIT.search(bare):
        steps = _STEP.findall(match[2])
        squares = [match[1], *(square for _, square in steps)]
        signs = {sign.strip() for sign, _ in steps} - {""}
        telling = any(
            ">" not in sign and any(one in DASHES or one in CROSSES for one in sign) for sign in signs
        )
        if len(signs) > 1 and not all(sign[0] in DASHES or sign[0] in CROSSES for sign in signs):
            return Written((), False, "unreadable", ad_libitum, end_mark)
        taking = any(_is_capture(sign) for sign in signs)
        path = tuple(int(square.translate(LOOKALIKES)) for square in squares)
        found = _judge(path, taking, ad_libitum, end_mark, telling or taking)
        return found._replace(lookalike=True) if not all(square.isdigit() for square in squares) else found
    solid = split_digits(bare)
    if len(solid) == 1:
        return _judge(solid[0], False, ad_libitum, end_mark, False)
    return Written((), False, "unreadable", ad_libitum, end_mark)


def _is_capture(sign: str) -> bool:
    return sign in CAPTURE_WORDS or (">" not in sign and any(one in CROSSES for one in sign))


def split_digits(text: str) -> list[tuple[int, int]]:
    """The pairs of squares that three or four digits without a sign can stand for: `3228`, `510`; `116` for two."""
    if not text.isdigit() or not text.isascii() or not 3 <= len(text) <= 4:
        return []
    if len(text) == 4:
        return [(int(text[:2]), int(text[2:]))]
    pairs = ((text[:1], text[1:]), (text[:2], text[2:]))
    return [
        (int(first), int(last)) for first, last in pairs if 1 <= int(first) <= 50 and 1 <= int(last) <= 50
    ]


def _strip_marks(text: str) -> tuple[str, bool, str]:
    ad_libitum = False
    end_mark = ""
    for _ in range(4):
        before = text
        match = _AD_LIBITUM.search(text)
        if match is not None:
            ad_libitum = True
            text = text[: match.start()]
        match = _END_MARK.search(text)
        if match is not None:
            end_mark = end_mark or match[1].replace("#", "+")
            text = text[: match.start()]
        text = _STRENGTH.sub("", text)
        if text == before:
            break
    return text, ad_libitum, end_mark


def _judge(path: tuple[int, ...], capture: bool, ad_libitum: bool, end_mark: str, separator: bool) -> Written:
    fault = None
    if len(path) > LONGEST_PATH:
        fault = "unreadable"
    elif not all(1 <= square <= 50 for square in path):
        fault = "no-such-square"
    elif len(path) == 2 and path[0] == path[1] and not capture:
        fault = "same-square"
    return Written(path, capture, fault, ad_libitum, end_mark, separator)


def from_algebraic(text: str) -> str | None:
    """Turn `a3b4`, `c3-d4` or `b6:d4` on the 10x10 board (a1 is square 46) into numbers; `None` if it is no such move."""
    position = 0
    path = []
    while position < len(text):
        match = _ALGEBRAIC.match(text, position)
        if match is None:
            return None
        row, column = 10 - int(match[2]), ord(match[1].lower()) - ord("a")
        if (row + column) % 2 == 0:
            return None
        path.append(str(row * 5 + column // 2 + 1))
        position = match.end()
    sign = "x" if any(cross in text for cross in CROSSES) else "-"
    return sign.join(path) if len(path) > 1 else None


@lru_cache(maxsize=512)
def routes_taken(position: Position, piece: int, path: tuple[int, ...]) -> frozenset[RawMove]:
    """The captures, of any size, that the piece on the bit `piece` can make along a written path.

    A path fits a road of jumps when its squares are met on it in order, the last one at its end: so both ways of
    writing a path, every landing and turning squares only, are understood. Captures of every number of pieces are
    given; the caller asks for the greatest.
    """
    enemy, empty, king = _surroundings(position, piece)
    last = len(path) - 1
    goal = BIT[path[last]]
    found: set[RawMove] = set()
    seen = {(piece, 0, 1)}
    stack = [(piece, 0, 1)]
    find = king_jumps if king else man_jumps
    jumps: dict[int, list[Jump]] = {}
    while stack:
        square, taken, index = stack.pop()
        if square not in jumps:
            jumps[square] = find(square, enemy, empty)
        for victim, landings in jumps[square]:
            if victim & taken:
                continue
            done = taken | victim
            for landing in landings:
                if landing == goal and index == last:
                    found.add((piece, landing, done))
                indexes = (index, index + 1) if index < last and landing == BIT[path[index]] else (index,)
                for following in indexes:
                    state = (landing, done, following)
                    if state not in seen:
                        seen.add(state)
                        stack.append(state)
    return frozenset(found)


def _surroundings(position: Position, piece: int) -> tuple[int, int, bool]:
    """(enemy pieces, squares free for the piece once it has left its own, whether it is a king)."""
    white = bool(piece & (position.white_men | position.white_kings))
    enemy = position.black_men | position.black_kings if white else position.white_men | position.white_kings
    king = bool(piece & (position.white_kings | position.black_kings))
    return enemy, (BOARD ^ position.occupied) | piece, king


@lru_cache(maxsize=512)
def lands_on_the_way(position: Position, piece: int, square: int, count: int) -> bool:
    """Whether a capture of `count` pieces by the piece on the bit `piece` lands on the bit `square` before its end."""
    enemy, empty, king = _surroundings(position, piece)
    find = king_jumps if king else man_jumps
    jumps: dict[int, list[Jump]] = {}
    seen: set[tuple[int, int, bool]] = set()
    stack = [(piece, 0, False)]
    while stack:
        at, taken, landed = stack.pop()
        if landed and taken.bit_count() == count:
            return True
        landed = landed or (at == square and taken != 0)
        if at not in jumps:
            jumps[at] = find(at, enemy, empty)
        for victim, landings in jumps[at]:
            if victim & taken:
                continue
            for landing in landings:
                state = (landing, taken | victim, landed)
                if state not in seen:
                    seen.add(state)
                    stack.append(state)
    return False


def paths(position: Position, move: Move, *, limit: int = LONGEST_PATH) -> tuple[tuple[int, ...], ...]:
    """The roads of a legal move: one for each order in which its pieces can be taken, every landing square included.

    Of several landing squares between two jumps in one direction the one behind the captured piece is given, so that
    the answer is the standard's way of writing a path. At most `limit` roads are given.
    """
    if not move.captured:
        return ((move.origin, move.destination),)
    piece, goal = BIT[move.origin], BIT[move.destination]
    _, empty, king = _surroundings(position, piece)
    jumps = king_jumps if king else man_jumps
    found: list[tuple[int, ...]] = []
    victims_seen: set[tuple[int, ...]] = set()
    stack: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = [
        (piece, move.captured, (move.origin,), ())
    ]
    budget = 20_000
    while stack and len(found) < limit and budget:
        budget -= 1
        square, left, road, victims = stack.pop()
        if not left:
            if square == goal and victims not in victims_seen:
                victims_seen.add(victims)
                found.append(road)
            continue
        for victim, landings in reversed(jumps(square, left, empty)):
            for landing in reversed(landings):
                stack.append((landing, left ^ victim, (*road, SQUARE[landing]), (*victims, victim)))
    return tuple(found)


def write(position: Position, move: Move, *, ascii_only: bool = True) -> str:
    """Write a legal move: the short form unless another capture shares its squares, then the whole path.

    `ascii_only=False` gives the cross of article 10.2.3.
    """
    if not move.captured:
        return f"{move.origin}-{move.destination}"
    sign = "x" if ascii_only else "×"
    if not has_twin(move, legal_moves(position)):
        return f"{move.origin}{sign}{move.destination}"
    return sign.join(map(str, telling_path(position, move)))


def has_twin(move: Move, moves: Sequence[Move]) -> bool:
    """Whether another of the moves goes between the same squares."""
    return any(
        other.origin == move.origin
        and other.destination == move.destination
        and other.captured != move.captured
        for other in moves
    )


def telling_path(position: Position, move: Move) -> tuple[int, ...]:
    """The squares of a legal move in order, chosen so that no other capture of as many pieces fits them."""
    if not move.captured:
        return move.origin, move.destination
    roads = paths(position, move)
    piece = BIT[move.origin]
    greatest = move.captured_count
    for road in roads:
        fitting = {raw for raw in routes_taken(position, piece, road) if raw[2].bit_count() == greatest}
        if len(fitting) == 1:
            return road
    return roads[0]
