"""What a game's text holds beside its moves: titles, comments, times, variations, and what was not understood.

Promises: every item of the game that is no move, number, sign of strength, mark, set-up or result comes out in one of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.pdn_tokens import Item, TokenKind
from rules.prose import is_words, may_hide_move
from rules.sheet import Aside, AsideKind, Unread
from rules.signs import fold

_MOVES = (TokenKind.MOVE, TokenKind.ALGEBRAIC)
_STOPS = frozenset(".,;:\"'|`´’‘“”。、，；：·!?-–—~_/\\()[]<>*•=+#…")


def beside(items: Sequence[Item]) -> tuple[tuple[Unread, ...], tuple[Aside, ...]]:
    """(what was not understood, what is no move and known to be none)."""
    if not any(item.kind in _TO_TELL or item.depth for item in items):
        return (), ()
    return _Teller(items).tell()


_TO_TELL = frozenset(
    {TokenKind.UNKNOWN, TokenKind.LONE, TokenKind.TEXT, TokenKind.COMMENT, TokenKind.CLOCK, TokenKind.NUMBER}
)


class _Teller:
    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.plies = 0
        self.ended = False
        self.unread: list[Unread] = []
        self.asides: list[Aside] = []
        self.begin = _begin(items)

    def tell(self) -> tuple[tuple[Unread, ...], tuple[Aside, ...]]:
        at = 0
        while at < len(self.items):
            item = self.items[at]
            if item.depth:
                at = self._variation(at)
                continue
            if item.kind in _MOVES:
                self.plies += 1
            elif item.kind is TokenKind.RESULT:
                self.ended = True
            elif item.kind in _TO_TELL:
                at = self._piece(at)
            at += 1
        return tuple(self.unread), tuple(self.asides)

    def _variation(self, at: int) -> int:
        end = at
        while end < len(self.items) and self.items[end].depth:
            end += 1
        text = " ".join(item.text for item in self.items[at:end])
        kind = (
            AsideKind.VARIATION
            if any(item.kind in _MOVES for item in self.items[at:end])
            else AsideKind.COMMENT
        )
        if text != "( = )":
            self._aside(kind, text, self.items[at].line)
        return end

    def _piece(self, at: int) -> int:
        """Tell one item, with the words beside it. Returns the last one that was told."""
        item = self.items[at]
        match item.kind:
            case TokenKind.COMMENT:
                self._aside(AsideKind.COMMENT, item.text.strip(), item.line)
            case TokenKind.CLOCK:
                self._aside(AsideKind.CLOCK, item.text, item.line)
            case TokenKind.TEXT:
                self._aside(self._prose_kind(), item.text, item.line)
            case TokenKind.LONE if item.text.lstrip("0") not in self._due():
                return self._words(at)
            case TokenKind.UNKNOWN:
                return self._words(at)
        return at

    def _due(self) -> tuple[str, ...]:
        """The move numbers that may stand here."""
        return str(self.plies // 2 + 1), str((self.plies + 1) // 2)

    def _prose_kind(self) -> AsideKind:
        if self.ended:
            return AsideKind.FOOTER
        return AsideKind.COMMENT if self.plies else AsideKind.HEADER

    def _words(self, at: int) -> int:
        first = self.items[at]
        end = at
        while end + 1 < len(self.items) and self._continues(end + 1, first.line):
            end += 1
        text = _joined(self.items[at : end + 1])
        folded = fold(text)
        if all(character in _STOPS or character.isspace() for character in text) and not self._is_sign(
            folded
        ):
            return end
        if (at < self.begin and not may_hide_move(folded)) or (
            at < self.begin and self.begin < len(self.items) and self._starts_at_one()
        ):
            self._aside(AsideKind.HEADER, text, first.line)
        elif _is_prose(folded):
            self._aside(self._prose_kind(), text, first.line)
        else:
            self.unread.append(Unread(text, first.line, first.column, self.plies + 1))
        return end

    def _is_sign(self, folded: str) -> bool:
        """Whether stops may be the remains of something: a bracket, or one that is no stop at all."""
        return folded.strip() in ("{", "(", ")", "[", "]", "}", "<", ">", "/", "\\") and self.plies > 0

    def _starts_at_one(self) -> bool:
        number = self.items[self.begin - 1] if self.begin else None
        return (
            number is not None
            and number.kind is TokenKind.NUMBER
            and number.text.lstrip("0 (").startswith("1")
        )

    def _continues(self, at: int, line: int) -> bool:
        item = self.items[at]
        return item.kind in (TokenKind.UNKNOWN, TokenKind.LONE) and not item.depth and item.line == line

    def _aside(self, kind: AsideKind, text: str, line: int) -> None:
        if text:
            self.asides.append(Aside(kind, text, line))


def _joined(items: Sequence[Item]) -> str:
    """The text of items that stand side by side, with a blank where there was one."""
    text = ""
    end = items[0].column
    for item in items:
        text += " " if text and item.column > end else ""
        text += item.text
        end = item.column + len(item.text)
    return text


def _is_prose(folded: str) -> bool:
    """Whether it is words of two letters and more, in which no move can hide."""
    letters = sum(character.isalpha() for character in folded)
    strange = any(
        not (character.isalnum() or character.isspace() or character in _STOPS) for character in folded
    )
    return (
        is_words(folded) and not strange and (letters > 1 or (letters == 1 and folded.strip()[0] > "\u2e7f"))
    )


def _begin(items: Sequence[Item]) -> int:
    """Where the game begins: its first move, when its number 1 stands in front or whole lines of text above it."""
    first = next((at for at, item in enumerate(items) if item.kind in _MOVES and not item.depth), None)
    if first is None:
        return len(items)
    if (
        first
        and items[first - 1].kind is TokenKind.NUMBER
        and items[first - 1].text.lstrip("0 (").startswith("1")
    ):
        return first
    line = items[first].line
    return next((at for at, item in enumerate(items) if item.line >= line), 0)
