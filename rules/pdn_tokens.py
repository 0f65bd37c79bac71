"""Cutting PDN text into tokens. Everything is let through: what cannot be read becomes a token that says so.

A bracket whose name is no identifier is no tag (PDN 3.0): what stands in it is text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from rules.notation import DASHES, FULL_WIDTH


class TokenKind(StrEnum):
    TAG = "tag"
    NUMBER = "number"
    MOVE = "move"
    INTEGER = "integer"
    LONE = "lone"
    """An integer that is no square of a move: a move number, or something else."""
    SOLID = "solid"
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
    name: str = ""
    fault: str = ""
    column: int = 0


_D = re.escape(DASHES)
_TIGHT = rf"[{_D}xX×✕✖\u0445\u0425\uff58\uff38:：]"
_GAP = r"[^\S\r\n]"
"""Any blank that ends no line, narrow and wide ones too."""
_TO = rf"{_GAP}?[{_D}:：]{_GAP}?"
_DRAWN = rf"1{_GAP}?[{_D}]{_GAP}?1|1{_GAP}?[:：]{_GAP}?1(?=\s*(?:\[|\Z))"
"""One each. With a colon it may be a capture that goes round and ends where it began, unless it comes last."""
_TOKEN = re.compile(
    rf"""
      (?P<blank>(?:[\s\u00a0\ufeff\u200b\u3000]|\\[rnt](?![A-Za-z0-9]))+)
    | (?P<line_comment>(?:(?<=\n)|(?<=\r)|(?<![\s\S]))%[^\r\n]*|(?:(?<=\s)|(?<![\s\S]));(?![ \t]*[0-9])[^\r\n]*)
    | (?P<date>[0-9]{{4}}[-./年][0-9]{{1,2}}[-./月][0-9]{{1,2}}日?(?![0-9]))
    | (?P<result>(?:2{_TO}0|0{_TO}[012]|1{_TO}0|{_DRAWN}|1/2{_TO}1/2|½{_TO}½|0\.5{_TO}0\.5)[Ff]?
        (?![0-9xX×:：{_D}]|\.[0-9])|\*)
    | (?P<number>[0-9]{{1,4}}[ \t]*(?:\.+|…|、)(?:[ \t]*(?:\.\.+|…))?
        |[0-9]{{1,3}}[:：](?={_GAP}+[0-9]{{1,2}}[{_D}xX×][0-9]))
    | (?P<move>[0-9]{{1,2}}(?:(?:{_TIGHT}|[*%])[0-9]{{1,2}})+(?![0-9]))
    | (?P<spaced>[0-9]{{1,2}}{_GAP}*{_TIGHT}{_GAP}*[0-9]{{1,2}}(?![0-9.…]))
    | (?P<solid>[0-9]{{4}}(?![0-9]))
    | (?P<algebraic>[a-jA-J](?:10|[1-9])(?:[ \t]*{_TIGHT}?[ \t]*[a-jA-J](?:10|[1-9]))+(?![0-9A-Za-z]))
    | (?P<integer>[0-9]{{1,3}}(?=[\s(){{}}\[\];!?,，；]|$))
    | (?P<setup>/\s*FEN\s*"(?P<fen>[^"\r\n]*)"\s*/)
    | (?P<nag>\$[0-9]{{1,3}})
    | (?P<strength>\(\s*[!?*]+\s*\)|[!?]+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<mark>[aA]\.\s?[lL]\.?|[+=\#])
    | (?P<ellipsis>\.\.+|…)
    | (?P<unknown_move>[{_D}]+(?:[ \t][{_D}]+)*(?=\s|$)|[0-9]+[*%/xX×{_D}:][^\s(){{}}\[\];,，；"]*|[0-9]{{5,}})
    """,
    re.VERBOSE,
)
_TAG = re.compile(r'\[\s*([^\W\d]\w*)\s*"((?:[^"\\\r\n]|\\[^\r\n])*)"\s*\]')
_BROKEN_TAG = re.compile(r'\[\s*([^\W\d]\w*)\s*"([^"\]\[\r\n]*)"?[ \t]*\]?')
_WORD = re.compile(r"[0-9]+[^\W\d]+|[^\s(){}\[\];0-9]+|.", re.DOTALL)
_BREAK = re.compile(r"\r\n|\r|\n")
_ESCAPE = re.compile(r"\\([\"'\\])")

_PLAIN = {
    "date": TokenKind.UNKNOWN,
    "result": TokenKind.RESULT,
    "number": TokenKind.NUMBER,
    "move": TokenKind.MOVE,
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
}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of PDN text in order, each with its line (from 1). Linear in the length of the text."""
    written, text = text, text.translate(FULL_WIDTH)
    closing = _closing_braces(text)
    at, line, line_start = 0, 1, 0
    end = len(text)
    while at < end:
        start_line = line
        character = text[at]
        token: Token | None
        if character == "{":
            token, after = _comment(written, at, closing, start_line)
        elif character == "[":
            token, after = _tag(text, at, start_line)
        else:
            token, after = _plain(text, at, start_line)
        breaks = _breaks(text, at, after)
        if token is not None:
            yield token._replace(column=at - line_start + 1)
        if breaks:
            line += breaks
            line_start = max(text.rfind("\n", at, after), text.rfind("\r", at, after)) + 1
        at = after


def _breaks(text: str, start: int, end: int) -> int:
    if "\r" in text[start:end]:
        return len(_BREAK.findall(text, start, end)) - (text[end - 1] == "\r" and text[end : end + 1] == "\n")
    return text.count("\n", start, end)


def _plain(text: str, at: int, line: int) -> tuple[Token | None, int]:
    match = _TOKEN.match(text, at)
    if match is None:
        word = _WORD.match(text, at)
        assert word is not None
        return Token(TokenKind.UNKNOWN, word[0], line), word.end()
    group = match.lastgroup or ""
    if group == "blank":
        return None, match.end()
    if group == "line_comment":
        return Token(TokenKind.COMMENT, match[0][1:], line), match.end()
    if match["setup"] is not None:
        return Token(TokenKind.SETUP, match["fen"], line), match.end()
    return Token(_PLAIN[group], match[0].strip(), line), match.end()


def _tag(text: str, at: int, line: int) -> tuple[Token, int]:
    match = _TAG.match(text, at)
    if match is not None:
        value = _ESCAPE.sub(r"\1", match[2])
        return Token(TokenKind.TAG, value, line, match[1]), match.end()
    broken = _BROKEN_TAG.match(text, at)
    if broken is not None:
        return Token(TokenKind.TAG, broken[2].strip(), line, broken[1], "tag-unfinished"), broken.end()
    return Token(TokenKind.UNKNOWN, "[", line), at + 1


def _comment(text: str, at: int, closing: dict[int, int], line: int) -> tuple[Token, int]:
    end = closing.get(at)
    if end is not None:
        inner = text[at + 1 : end]
        fault = "comment-nested" if "{" in inner.translate(FULL_WIDTH) else ""
        return Token(TokenKind.COMMENT, inner, line, fault=fault), end + 1
    match = _BREAK.search(text, at)
    stop = match.start() if match is not None else len(text)
    return Token(TokenKind.COMMENT, text[at + 1 : stop], line, fault="comment-unclosed"), stop


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
