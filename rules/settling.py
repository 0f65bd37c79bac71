"""Deciding what the doubtful pieces of a game's text are, by what stands around them and by the moves played so far.

A capture or a time, four digits or a year, a move left out or only a sign between two moves: where the signs alone do not
tell, the reading under which the game goes on is taken. What no reading explains is left as not understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules.board import START, FenError, Position
from rules.moves import play_raw
from rules.notation import from_algebraic, parse, split_digits
from rules.pdn_tokens import Item, TokenKind
from rules.replay import matching
from rules.signs import fold

Note = tuple[int, str, str]
_MOVE_KINDS = frozenset({TokenKind.MOVE, TokenKind.ALGEBRAIC, TokenKind.COLON, TokenKind.SOLID})
_DOUBTFUL = frozenset(
    {TokenKind.COLON, TokenKind.SOLID, TokenKind.GAP, TokenKind.ELLIPSIS, TokenKind.INTEGER}
)
_NUMBER = re.compile(r"[0-9]+")


def settle(items: Sequence[Item], *, fen: str | None = None) -> tuple[list[Item], list[Note]]:
    """(the items with every doubt decided, notes on what was no PDN)."""
    found = _pair_integers(_without_unclosed(list(items)))
    if not _needs_care(found):
        return found, []
    return _Settling(found, _start(fen)).run()


def _start(fen: str | None) -> Position | None:
    if not fen:
        return START
    try:
        return Position.from_fen(fold(fen))
    except FenError:
        return None


def _needs_care(items: Sequence[Item]) -> bool:
    """Whether anything is doubtful, or the move numbers do not go with the moves."""
    plies = 0
    for item in items:
        if item.depth:
            if item.kind is TokenKind.OPEN and item.depth == 1:
                return True
            continue
        kind = item.kind
        if kind is TokenKind.MOVE or kind is TokenKind.ALGEBRAIC:
            plies += 1
        elif (
            kind in _DOUBTFUL
            or (kind is TokenKind.STRENGTH and item.text.strip("?") == "")
            or (kind is TokenKind.NUMBER and plies % 2 and "…" not in item.text and ".." not in item.text)
        ):
            return True
    return False


class _Settling:
    """Walks through a game. `position` is `None` once it is lost; `gaps` are where moves are left out at the end."""

    def __init__(self, items: list[Item], start: Position | None) -> None:
        self.items = items
        self.position = start
        self.plies = 0
        self.found: list[Item] = []
        self.notes: list[Note] = []
        self.first_half = 0 if start is None or start.white_to_move else 1
        """1 when Black begins, so that his move has the number of the first full move."""
        self.foreign = any(item.kind is TokenKind.ALGEBRAIC for item in items)
        texts = [item.text for item in items if item.kind is TokenKind.MOVE and not item.depth]
        self.colon_takes = not any(sign in text for text in texts for sign in "xX×х")
        solid = sum(item.kind is TokenKind.SOLID for item in items)
        self.mostly_solid = solid > 1 and solid > len(texts)

    def run(self) -> tuple[list[Item], list[Note]]:
        at = 0
        while at < len(self.items):
            item = self.items[at]
            if item.depth:
                at = self._bracketed(at)
                continue
            self._take(at, item)
            at += 1
        return self._without_gaps_at_end(), self.notes

    def _take(self, at: int, item: Item) -> None:
        match item.kind:
            case TokenKind.MOVE | TokenKind.ALGEBRAIC:
                self._play(item)
            case TokenKind.COLON:
                self._colon(at, item)
            case TokenKind.SOLID:
                self._solid(item)
            case TokenKind.GAP:
                self._gap(at, item)
            case TokenKind.ELLIPSIS:
                self._ellipsis(at, item)
            case TokenKind.STRENGTH if item.text.strip("?") == "" and self._is_slot(at):
                self._leave_out(item)
            case TokenKind.NUMBER:
                self._number(at, item)
            case _:
                self.found.append(item)

    def _play(self, item: Item) -> None:
        self.found.append(item)
        self.plies += 1
        self.position = self._after(self.position, item)

    def _after(self, position: Position | None, item: Item) -> Position | None:
        """The position after a move as written; `None` when it is not legal."""
        if position is None:
            return None
        text = (from_algebraic(item.text) or item.text) if item.kind is TokenKind.ALGEBRAIC else item.text
        raws = matching(position, parse(text))
        return play_raw(position, raws[0]) if raws else None

    def _goes_on(self, item: Item, at: int) -> bool:
        """Whether the move is legal here, and the next one that is plainly a move after it."""
        after = self._after(self.position, item)
        if after is None:
            return False
        following = self._next_move(at)
        return following is None or self._after(after, following) is not None

    def _next_move(self, at: int) -> Item | None:
        """The next item that is plainly a move of the game; none when something doubtful comes before it."""
        for item in self.items[at + 1 :]:
            if item.depth:
                continue
            if item.kind in (TokenKind.MOVE, TokenKind.ALGEBRAIC):
                return item
            if item.kind in (TokenKind.COLON, TokenKind.SOLID, TokenKind.GAP):
                return None
        return None

    def _colon(self, at: int, item: Item) -> None:
        move = item._replace(kind=TokenKind.MOVE)
        is_move = self._goes_on(move, at) if self.position is not None else self.colon_takes
        if not is_move and self.position is not None and self.colon_takes:
            following = self._next_move(at)
            is_move = following is not None and self._after(self.position, following) is None
        if is_move:
            self._play(move)
        else:
            self.found.append(item._replace(kind=TokenKind.CLOCK))

    def _solid(self, item: Item) -> None:
        readings = [
            item._replace(kind=TokenKind.MOVE, text=f"{first} {last}")
            for first, last in split_digits(item.text)
        ]
        legal = [reading for reading in readings if self._after(self.position, reading) is not None]
        if len(legal) == 1 or (legal and self.mostly_solid):
            self._play(item._replace(kind=TokenKind.MOVE) if len(readings) == 1 else legal[0])
        elif self.mostly_solid:
            self._play(item._replace(kind=TokenKind.MOVE))
        else:
            self.notes.append((item.line, "not-pdn", item.text))
            self.found.append(item._replace(kind=TokenKind.UNKNOWN))

    def _gap(self, at: int, item: Item) -> None:
        """A dash between two moves that follow each other only parts them; any other stands for a move."""
        following = self._next_move(at)
        if (
            item.text.strip("-~_–—− /|") == ""
            and following is not None
            and self._after(self.position, following)
        ):
            self.found.append(item._replace(kind=TokenKind.ELLIPSIS))
        else:
            self._leave_out(item)

    def _leave_out(self, item: Item) -> None:
        self.found.append(item._replace(kind=TokenKind.MOVE))
        self.plies += 1
        self.position = None

    def _is_slot(self, at: int) -> bool:
        """Whether a sign stands where a move should: behind a number or before the next one, with a move missing."""
        before = self.items[at - 1].kind if at else None
        after = self.items[at + 1].kind if at + 1 < len(self.items) else None
        return before is TokenKind.NUMBER or (
            after is TokenKind.NUMBER and self.plies % 2 == 1 and before is not TokenKind.MOVE
        )

    def _ellipsis(self, at: int, item: Item) -> None:
        """Dots behind a number say that Black goes on, or that White's move is left out; before the next number that
        Black's is."""
        before = self.items[at - 1].kind if at else None
        following = self._next_move(at)
        goes_on = following is None or self._after(self.position, following) is not None
        if self.plies == 0 and before in (None, TokenKind.NUMBER):
            self.first_half = 1
            self.found.append(item)
        elif goes_on:
            self.found.append(item)
        else:
            self._leave_out(item)

    def _number(self, at: int, item: Item) -> None:
        """A number that comes while Black's move is still missing leaves it out, unless it counts single moves."""
        number = _NUMBER.search(item.text)
        value = int(number[0]) if number is not None else 0
        if value == 1 and 0 < self.plies <= 3 and self._is_head(item):
            self.found = [before._replace(kind=TokenKind.TEXT) for before in self.found]
            self.plies, self.position = 0, START
        dots = "…" in item.text or ".." in item.text
        if self.plies == 0 and dots:
            self.first_half = 1
        plies = self.plies + self.first_half
        if plies % 2 and value == plies // 2 + 2 and not dots and not self.foreign:
            following = self._next_move(at)
            if following is not None and self._is_skipped(following):
                self._leave_out(Item(TokenKind.MOVE, "", item.line, 0, item.column))
        self.found.append(item)

    def _is_skipped(self, following: Item) -> bool:
        """Whether a move between is left out: the next one is of the side that has just moved. Taken for granted once the
        board is lost."""
        if self.position is None:
            return True
        other = self.position._replace(white_to_move=not self.position.white_to_move)
        return self._after(self.position, following) is None and self._after(other, following) is not None

    def _is_head(self, item: Item) -> bool:
        """Whether all that came before the first number stands in lines above it and begins no game."""
        moves = [before for before in self.found if before.kind is TokenKind.MOVE]
        above = all(before.line < item.line for before in self.found)
        numbered = any(before.kind is TokenKind.NUMBER for before in self.found)
        return above and not numbered and self._after(START, moves[0]) is None

    def _bracketed(self, at: int) -> int:
        """Take a bracket: a single move in it that the game needs is one of the game. Returns where it ends."""
        end = at
        while end < len(self.items) and self.items[end].depth:
            end += 1
            if self.items[end - 1].kind is TokenKind.CLOSE and self.items[end - 1].depth == 1:
                break
        inside = self.items[at + 1 : end - 1]
        if len(inside) == 1 and inside[0].kind in _MOVE_KINDS:
            move = inside[0]._replace(depth=0, kind=TokenKind.MOVE)
            if inside[0].kind is TokenKind.COLON or self._goes_on(move, end - 1):
                self._colon(end - 1, inside[0]._replace(depth=0))
                return end
        self.found += [self._in_variation(item) for item in self.items[at:end]]
        return end

    def _in_variation(self, item: Item) -> Item:
        """Nothing depends on what stands in a variation: what may be a move is one."""
        return item._replace(kind=TokenKind.MOVE) if item.kind in (TokenKind.COLON, TokenKind.SOLID) else item

    def _without_gaps_at_end(self) -> list[Item]:
        """Signs behind the last move stand for moves that were never made."""
        kept = self.found
        for at in range(len(kept) - 1, -1, -1):
            if kept[at].kind is not TokenKind.MOVE or kept[at].depth:
                continue
            if parse(kept[at].text).fault != "not-written":
                break
            self.notes.append((kept[at].line, "move-left-blank", kept[at].text))
            kept[at] = kept[at]._replace(kind=TokenKind.ELLIPSIS)
        return kept


def _without_unclosed(items: list[Item]) -> list[Item]:
    """Take brackets that are never closed for text that was not understood; what stands behind them belongs to the game."""
    open_at: list[int] = []
    for at, item in enumerate(items):
        if item.kind is TokenKind.OPEN:
            open_at.append(at)
        elif item.kind is TokenKind.CLOSE:
            open_at.pop()
    if not open_at:
        return items
    unclosed = set(open_at)
    found = []
    passed = 0
    for at, item in enumerate(items):
        passed += at in unclosed
        kind = TokenKind.UNKNOWN if at in unclosed else item.kind
        found.append(item._replace(kind=kind, depth=item.depth - passed))
    return found


def _pair_integers(items: list[Item]) -> list[Item]:
    """Make moves of squares written side by side (`32 28 18 23`); an odd one in front is a move number."""
    if not any(item.kind is TokenKind.INTEGER for item in items):
        return items
    found: list[Item] = []
    at = 0
    while at < len(items):
        if items[at].kind is not TokenKind.INTEGER:
            found.append(items[at])
            at += 1
            continue
        end = at
        while end < len(items) and items[end].kind is TokenKind.INTEGER and items[end].line == items[at].line:
            end += 1
        group = items[at:end]
        if len(group) % 2:
            first, *group = group
            is_solid = not group and len(first.text) == 3
            found.append(first._replace(kind=TokenKind.SOLID if is_solid else TokenKind.LONE))
        for first, second in zip(group[::2], group[1::2], strict=True):
            found.append(
                Item(TokenKind.MOVE, f"{first.text} {second.text}", first.line, first.depth, first.column)
            )
        at = end
    return found
