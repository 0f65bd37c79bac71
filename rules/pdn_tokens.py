"""Cutting the text of written games into tokens. Every character but blanks comes out in one: what cannot be read is a token
that says so.

What a piece of text is depends on what stands around it: "25.34" is a move or a number and a square, "1:19" a capture or a
time. Where the neighbours do not settle it the token says so (`COLON`, `SOLID`), and the reader of games decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from rules.notation import SQUARE_DIGIT, WORDS
from rules.prose import NUMBERED_START, may_hide_move, prose_length
from rules.signs import CROSSES, DASHES, fold
from rules.tags import read_bracket


class TokenKind(StrEnum):
    TAG = "tag"
    NUMBER = "number"
    MOVE = "move"
    INTEGER = "integer"
    LONE = "lone"
    """An integer that is no square of a move: a move number, or something else."""
    SOLID = "solid"
    """Three or four digits: a move without a sign, or a year or a rating."""
    COLON = "colon"
    """A capture with a colon, or a time."""
    CLOCK = "clock"
    TEXT = "text"
    """Prose: a line of a header or footer, a label, a date."""
    GAP = "gap"
    """A sign that a move is not written."""
    ALGEBRAIC = "algebraic"
    STRENGTH = "strength"
    NAG = "nag"
    COMMENT = "comment"
    SETUP = "setup"
    OPEN = "open"
    CLOSE = "close"
    RESULT = "result"
    MARK = "mark"
    ELLIPSIS = "ellipsis"
    UNKNOWN = "unknown"


class Token(NamedTuple):
    """`text` is what stood there, without the brackets of a tag, comment or set-up; `name` is a tag's name. `fault`
    names what was wrong with it. `column` counts from 1 in its line."""

    kind: TokenKind
    text: str
    line: int
    column: int
    name: str = ""
    fault: str = ""


class Item(NamedTuple):
    """One thing of a game's body. `depth` is 0 in the game itself and more inside variations."""

    kind: TokenKind
    text: str
    line: int
    depth: int = 0
    column: int = 0


_GAP = r"[^\S\r\n]"
"""Any blank that ends no line, narrow and wide ones too."""
_STRONG = rf"(?:[{re.escape(DASHES)}xX:>{CROSSES[5:]}\u5230\u81f3\u8d70\u8fdb]{{1,3}}|=>)"
"""Signs that stand between squares and nowhere else."""
_WEAK = r"(?:[^\w\s()\[\]{}\"]{1,2})"
"""Any other sign: between two bare squares it may be all that stands for a move."""
_APART = r"[^\w\s()\[\]{}\",;.|!?$]{1,2}"
"""A sign with blanks around it: none that ends a sentence or parts a list."""
_ON = rf"(?!{_STRONG}[0-9])"
_TO = rf"{_GAP}?[-:~]{_GAP}?"
_DRAWN = rf"1{_GAP}?-{_GAP}?1|1{_GAP}?:{_GAP}?1(?=\s*(?:\[|\Z))"
"""One each. With a colon it may be a capture that goes round and ends where it began, unless it comes last."""
_Q = SQUARE_DIGIT
_LOOK_AHEAD = 2_000
"""How many characters behind a result in the middle of a line are looked at for prose."""
_TOKEN = re.compile(
    rf"""
      (?P<blank>(?:\s|\\[rnt](?![A-Za-z0-9]))+)
    | (?P<line_comment>(?:(?<=\n)|(?<=\r)|(?<![\s\S]))%[^\r\n]*|(?:(?<=\s)|(?<![\s\S]));(?![ \t]*[0-9])[^\r\n]*)
    | (?P<date>[0-9]{{4}}[-./年][0-9]{{1,2}}[-./月][0-9]{{1,2}}日?(?![0-9])|[0-9]{{1,2}}(?P<ds>[-./])[0-9]{{1,2}}(?P=ds)(?:19|20)[0-9]{{2}}(?![0-9])
        |\+?1[0-9]{{10}}(?![0-9])|0[0-9]{{2,3}}-[0-9]{{6,8}}(?![0-9]))
    | (?P<result>(?:2{_TO}0|0{_TO}[012]|1{_TO}0|{_DRAWN}|1/2{_TO}1/2|½{_TO}½|0[.,]5{_TO}0[.,]5)[Ff]?
        (?![0-9xX:-]|\.[0-9])|[白黑]方?胜|和棋)
    | (?P<clock>[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?![0-9:xX-])|[0-9]{_GAP}?(?:h|u|时|小时){_GAP}?[0-9]{{1,2}}(?:{_GAP}?(?:m|min|分)(?:[0-9]{{1,2}}秒?)?)?(?!\w)
        |[0-9]{{1,3}}{_GAP}?(?:'(?:(?![0-9])|[0-9]{{1,2}}(?:\"|''))|min\b|mins\b|分钟?(?:[0-9]{{1,2}}秒)?|秒|sec\b))
    | (?P<move>[0-9]{{1,2}}(?:{_STRONG}[0-9]{{1,2}})+(?![0-9])|[0-9]{{1,2}}[*%][0-9]{{1,2}}(?![0-9.]))
    | (?P<dotted>[0-9]{{1,2}}(?:(?:\.{{1,3}}|、)[0-9]{{1,2}}){{1,40}}(?![0-9.])(?!{_GAP}?{_STRONG}{_GAP}?[0-9]))
    | (?P<number>[0-9]{{1,4}}{_GAP}*(?:\.+|…|、)(?:{_GAP}*(?:\.\.+|…))?|第[0-9]{{1,3}}(?:回合|着|手|步)[.:]?
        |[0-9]{{1,3}}:(?={_GAP}+[0-9]{{1,2}}[-~xX][0-9])|[0-9]{{1,3}}-(?={_GAP}+[0-9]{{1,2}}[-~xX:][0-9])|[0-9]{{1,3}}\)(?={_GAP}*[0-9])|\([0-9]{{1,3}}\)(?={_GAP}*[0-9])
        |\#[0-9]{{1,3}}(?={_GAP}+[0-9]{{1,2}}{_STRONG}[0-9])|[0-9]{{1,3}}[/·•](?={_GAP}+[0-9]{{1,2}}(?:{_STRONG}|[·•])[0-9]))
    | (?P<weak>[0-9]{{1,2}}(?:{_WEAK}[0-9]{{1,2}})+(?![0-9]){_ON})
    | (?P<spaced>[0-9]{{1,2}}(?:(?:{_GAP}*(?:{_STRONG}|{WORDS}){_GAP}*|{_GAP}+{_APART}{_GAP}+)[0-9]{{1,2}})+(?![0-9.…]){_ON})
    | (?P<solid>[0-9]{{3,4}}(?![0-9]))
    | (?P<algebraic>[a-jA-J](?:10|[1-9])(?:[ \t]*[-xX:~]?[ \t]*[a-jA-J](?:10|[1-9]))+(?![0-9A-Za-z]))
    | (?P<side>[白黑][方棋]?:?(?={_GAP}?{_Q}{{1,2}}{_GAP}?{_STRONG}{_GAP}?{_Q}{{1,2}}))
    | (?P<lookalike>(?<!\w)(?={_Q})(?=[^\s]{{0,40}}[0-9]){_Q}{{1,2}}(?:{_STRONG}{_Q}{{1,2}})+(?!\w))
    | (?P<integer>[0-9]{{1,3}}(?=[\s(){{}}\[\];!?,，；|]|$))
    | (?P<setup>/\s*FEN\s*"(?P<fen>[^"\r\n]*)"\s*/)
    | (?P<nag>\$[0-9]{{1,3}})
    | (?P<strength>\(\s*[!?*]+\s*\)|[!?]+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<mark>[aA]\.\s?[lL]\.?|[+=\#](?=[\s)}}\]]|$))
    | (?P<ellipsis>\.\.+|…)
    | (?P<gap>(?:[-~_]+(?:[ \t][-~_]+)*|/+|一|空|缺|无|漏|未记|没记|未写)(?=[\s|;,]|$))
    | (?P<unknown_move>[0-9]+[*%/xX:-][^\s(){{}}\[\];,"]*|[0-9]{{5,}})
    """,
    re.VERBOSE,
)
_COMMON = re.compile(
    r"(?P<move>(?:[3-9]|[1-9][0-9])[-x][1-9][0-9]?(?=[ \r\n]))|(?P<number>[0-9]{1,3}\.(?= [0-9]))"
)
"""What most of a file is, in a form that nothing before it in `_TOKEN` takes otherwise."""
_WORD = re.compile(r"[0-9]+[^\W\d]+|[^\s(){}\[\];0-9]+|.", re.DOTALL)
_BREAK = re.compile(r"\r\n|\r|\n")
_NAMED = re.compile(r"[^\W\dxX_]")
_TO_LINE_END = re.compile(r"(?:[^\S\r\n]|\\[rnt](?![A-Za-z0-9]))*")
_SEPARATORS = frozenset(",;|")
_END_OF_GAME = re.compile(r"\s*(?:\Z|\[|0?1\s?[.)])")

_PLAIN = {
    "date": TokenKind.TEXT,
    "result": TokenKind.RESULT,
    "number": TokenKind.NUMBER,
    "move": TokenKind.MOVE,
    "lookalike": TokenKind.MOVE,
    "side": TokenKind.TEXT,
    "spaced": TokenKind.MOVE,
    "solid": TokenKind.SOLID,
    "unknown_move": TokenKind.MOVE,
    "algebraic": TokenKind.ALGEBRAIC,
    "integer": TokenKind.INTEGER,
    "nag": TokenKind.NAG,
    "strength": TokenKind.STRENGTH,
    "open": TokenKind.OPEN,
    "close": TokenKind.CLOSE,
    "mark": TokenKind.MARK,
    "ellipsis": TokenKind.ELLIPSIS,
    "gap": TokenKind.GAP,
}
_MOVES = frozenset({TokenKind.MOVE, TokenKind.ALGEBRAIC, TokenKind.COLON, TokenKind.SOLID})


def tokens(text: str) -> Iterator[Token]:
    """The tokens of written games in order, each with its place. Linear in the length of the text."""
    return _Lexer(text).run()


class _Lexer:
    """`at` is where reading stands, `plies` how many moves were met since the game began."""

    def __init__(self, text: str) -> None:
        self.written = text
        self.text = fold(text)
        self.closing = _closing_braces(self.text)
        self.at = 0
        self.line = 1
        self.line_start = 0
        self.plies = 0
        self.next_start = -1
        """Where the next game that counts from 1 begins, once it was looked for."""

    def run(self) -> Iterator[Token]:
        text, end = self.text, len(self.text)
        common = _COMMON.match
        fresh = True
        while self.at < end:
            if not fresh:
                if text[self.at] == " ":
                    self.at += 1
                    continue
                match = common(text, self.at)
                if match is not None:
                    yield self._common(match)
                    continue
            at, line, column = self.at, self.line, self.at - self.line_start + 1
            if fresh:
                fresh = False
                length = self._prose(at)
                if length:
                    self.at = at + length
                    if self.written[at : self.at].strip():
                        yield Token(TokenKind.TEXT, self.written[at : self.at].strip(), line, column)
                    continue
            character = text[at]
            if character == "{":
                found, after = self._comment(at)
            elif character == "[":
                found, after = self._bracket(at)
            else:
                found, after = self._plain(at)
            if "\n" in text[at:after] or "\r" in text[at:after]:
                self._count_breaks(at, after)
                fresh = not found
            self.at = after
            for kind, what, name, fault in found:
                yield Token(kind, what, line, column, name, fault)
                if kind in _MOVES:
                    self.plies += 1
                elif kind is TokenKind.TAG or kind is TokenKind.RESULT:
                    self.plies = 0
                    fresh = fresh or kind is TokenKind.RESULT

    def _common(self, match: re.Match[str]) -> Token:
        """A move or a number in the form that nearly all files have."""
        at, self.at = self.at, match.end()
        kind = TokenKind.NUMBER
        if match.lastgroup == "move":
            kind = TokenKind.MOVE
            self.plies += 1
        return Token(kind, self.written[at : self.at], self.line, at - self.line_start + 1)

    def _count_breaks(self, start: int, end: int) -> None:
        for match in _BREAK.finditer(self.text, start, end):
            if match[0] == "\r" and self.text[match.end() : match.end() + 1] == "\n":
                continue
            self.line += 1
            self.line_start = match.end()

    def _prose(self, at: int) -> int:
        """How much of the line from here on is prose."""
        text = self.text
        match = _BREAK.search(text, at)
        stop = match.start() if match is not None else len(text)
        if at != self.line_start:
            stop = min(stop, at + _LOOK_AHEAD)
        bracket = text.find("{", at, stop)
        line = text[at : bracket if bracket >= 0 else stop]
        begin = line.lstrip()[:1]
        if not begin or begin in "[{%;(":
            return 0
        return prose_length(
            line, playing=self.plies > 0, numbered_later=lambda: self._is_numbered_later(stop)
        )

    def _is_numbered_later(self, stop: int) -> bool:
        """Whether a line below begins a game with move number 1; looked for once for each such line."""
        if self.next_start < stop:
            match = NUMBERED_START.search(self.text, stop)
            self.next_start = match.start() if match is not None else len(self.text) + 1
        return self.next_start <= len(self.text)

    def _plain(self, at: int) -> tuple[list[_Piece], int]:
        match = _TOKEN.match(self.text, at)
        if match is None:
            if self.text[at] in _SEPARATORS:
                return [], at + 1
            if self.text[at] == "*":
                return self._star(at)
            word = _WORD.match(self.text, at)
            assert word is not None
            return [(TokenKind.UNKNOWN, self.written[at : word.end()], "", "")], word.end()
        group, end = match.lastgroup or "", match.end()
        written = self.written[at:end].strip()
        if group == "blank":
            return [], end
        if group == "line_comment":
            if written[0] == "%" and may_hide_move(match[0]) and not _NAMED.search(match[0]):
                return [(TokenKind.UNKNOWN, "%", "", "")], at + 1
            return [(TokenKind.COMMENT, written[1:], "", "")], end
        if group == "clock":
            return [(_clock_kind(match[0]), written, "", "")], end
        if group == "dotted":
            return self._dotted(at, match)
        if group == "weak":
            return self._weak(match), end
        if match["setup"] is not None:
            return [(TokenKind.SETUP, self.written[match.start("fen") : match.end("fen")], "", "")], end
        return [(_PLAIN[group], written, "", "")], end

    def _dotted(self, at: int, match: re.Match[str]) -> tuple[list[_Piece], int]:
        """Squares with dots between: a move number in front is the one that is due."""
        groups = re.findall(r"[0-9]+", match[0])
        numbered = int(groups[0]) == self.plies // 2 + 1
        if numbered and (
            len(groups) > 2
            or re.match(r"[^\S\r\n]+[0-9]{1,2}(?![0-9.])", self.text[match.end() : match.end() + 8])
        ):
            return [(TokenKind.NUMBER, groups[0] + ".", "", "")], at + len(groups[0]) + 1
        return [(TokenKind.MOVE, self.written[at : match.end()], "", "")], match.end()

    def _weak(self, match: re.Match[str]) -> list[_Piece]:
        """Squares with other signs between: two are a move; more are moves one after the other, perhaps numbered."""
        groups = re.findall(r"[0-9]+", match[0])
        written = self.written[match.start() : match.end()]
        if len(groups) == 2:
            return [(TokenKind.COLON if "'" in match[0] else TokenKind.MOVE, written, "", "")]
        found: list[_Piece] = []
        if len(groups) % 2 and int(groups[0]) == self.plies // 2 + 1:
            found.append((TokenKind.NUMBER, groups.pop(0) + ".", "", ""))
        if len(groups) % 2:
            return [(TokenKind.MOVE, written, "", "")]
        pairs = zip(groups[::2], groups[1::2], strict=True)
        return [*found, *((TokenKind.MOVE, f"{first} {last}", "", "") for first, last in pairs)]

    def _star(self, at: int) -> tuple[list[_Piece], int]:
        """The end of an open game, or the sign of a forced move behind it."""
        behind = at > 0 and not self.text[at - 1].isspace()
        rest = _TO_LINE_END.match(self.text, at + 1)
        line_end = rest is not None and self.text[rest.end() : rest.end() + 1] in ("", "\n", "\r")
        last = _END_OF_GAME.match(self.text, rest.end() if rest is not None else at + 1) is not None
        is_result = last or (not behind and line_end)
        return [(TokenKind.RESULT if is_result else TokenKind.STRENGTH, "*", "", "")], at + 1

    def _bracket(self, at: int) -> tuple[list[_Piece], int]:
        found = read_bracket(self.text, self.written, at)
        if found is None:
            return [(TokenKind.UNKNOWN, "[", "", "")], at + 1
        kind, value, name, fault, end = found
        return [(TokenKind(kind), value, name, fault)], end

    def _comment(self, at: int) -> tuple[list[_Piece], int]:
        end = self.closing.get(at)
        if end is not None:
            inner = self.written[at + 1 : end]
            fault = "comment-nested" if "{" in self.text[at + 1 : end] else ""
            return [(TokenKind.COMMENT, inner, "", fault)], end + 1
        return [(TokenKind.UNKNOWN, "{", "", "comment-unclosed")], at + 1


_Piece = tuple[TokenKind, str, str, str]
"""(kind, text, name, fault) of a token."""


def _clock_kind(text: str) -> TokenKind:
    """A time for certain when it has a part that no square has, else perhaps a capture."""
    parts = text.split(":")
    if not all(part.isdigit() for part in parts) or len(parts) == 1:
        return TokenKind.CLOCK
    values = [int(part) for part in parts]
    if any(value > 59 for value in values[1:]):
        return TokenKind.MOVE
    padded = [part[0] == "0" for part in parts]
    odd = padded[1] and not padded[0] and values[0] < 10
    return TokenKind.CLOCK if odd or not all(1 <= value <= 50 for value in values) else TokenKind.COLON


def _closing_braces(text: str) -> dict[int, int]:
    """Where each comment ends. Braces inside a comment pair up; what is never closed has no entry."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            stack.append(match.start())
        elif stack:
            found[stack.pop()] = match.start()
    return found
