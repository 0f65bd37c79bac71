"""Reading and writing PDN, the file format of draughts games (version 3.0 and the dialects met in real files).

Promises: the reader takes any text and loses nothing silently; what it could not make out is a note with its line.
It judges no move: `sheet_of` turns a game into a `Sheet` for `rules.validate`. The writer gives PDN 3.0 that reads
back to the same game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rules.encoding import Decoded, decode
from rules.notation import parse
from rules.pdn_tokens import Item as Item
from rules.pdn_tokens import Token, TokenKind, tokens
from rules.settling import settle
from rules.signs import DASHES, fold
from rules.tags import NAMES


class PdnError(ValueError):
    """A file with no game in it. `line` is where reading gave up, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Note(NamedTuple):
    """Something in the file that is not as PDN has it, at a line counted from 1."""

    line: int
    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnGame:
    """One game as it stands in the file: its tags in order, its body in order."""

    tags: tuple[tuple[str, str], ...] = ()
    items: tuple[Item, ...] = ()
    line: int = 1

    def tag(self, name: str) -> str | None:
        """The value of a tag under its standard name or one that other programs use for it."""
        for known, value in self.tags:
            if known == name or NAMES.get(known.casefold()) == name:
                return value
        return None

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the game itself, variations left out, as written."""
        return tuple(item.text for item in self.items if item.kind is TokenKind.MOVE and not item.depth)


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnFile:
    """What a file holds. `alternatives` are encodings that would have done nearly as well."""

    games: tuple[PdnGame, ...]
    encoding: str
    alternatives: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def read_pdn(data: bytes | str, *, encoding: str | None = None) -> PdnFile:
    """Read a file of games. Raises `EncodingError` for bytes that are no text and `PdnError` when there is no game."""
    decoded = Decoded(data, "text") if isinstance(data, str) else decode(data, encoding=encoding)
    collector = _Collector()
    for token in tokens(decoded.text):
        collector.take(token)
    games = collector.finish()
    if not games:
        line = len(re.findall(r"\r\n|\r|\n", decoded.text)) + 1
        raise PdnError(
            f'line {line}: the file ends without a game: no tag such as [White "..."], no move such as 32-28',
            line,
        )
    return PdnFile(
        games=games,
        encoding=decoded.encoding,
        alternatives=decoded.alternatives,
        notes=tuple(collector.notes),
    )


@dataclass(slots=True)
class _Collector:
    """Gathers tokens into games."""

    games: list[PdnGame] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    line: int = 1
    depth: int = 0
    in_body: bool = False
    """Something of the game itself has been read since its tags."""

    def take(self, token: Token) -> None:
        if token.kind is TokenKind.MOVE and self.items and not token.fault:
            self._add(token)
            return
        if token.fault:
            self.notes.append(Note(token.line, token.fault, token.text[:60]))
        if token.kind is TokenKind.TAG:
            self._take_tag(token)
            return
        if not self.tags and not self.items:
            self.line = token.line
        if token.kind is TokenKind.OPEN:
            self.depth += 1
            return self._add(token)
        if token.kind is TokenKind.CLOSE:
            if not self.depth:
                self.notes.append(Note(token.line, "variation-not-open", ")"))
                return self._add(token._replace(kind=TokenKind.UNKNOWN))
            self._add(token)
            self.depth -= 1
            return None
        if token.kind in (TokenKind.UNKNOWN, TokenKind.TEXT) and not token.fault:
            self._note_unknown(token)
        self._add(token)
        if token.kind is TokenKind.RESULT and not self.depth:
            self._close()
        return None

    def _add(self, token: Token) -> None:
        kind = token.kind
        if kind is TokenKind.INTEGER:
            last = self.items[-1] if self.items else None
            side_by_side = last is not None and (last.kind, last.line) == (TokenKind.INTEGER, token.line)
            self.in_body = self.in_body or side_by_side
        elif kind not in _ANYWHERE:
            self.in_body = True
        self.items.append(Item(kind, token.text, token.line, self.depth, token.column))

    def _take_tag(self, token: Token) -> None:
        if self.in_body:
            self._close()
        if self._begins_game(token):
            self._close()
        if not self.tags:
            self.line = token.line
        self.tags[token.name] = token.text

    def _begins_game(self, token: Token) -> bool:
        """A tag that comes again begins the next game, unless it only says the same once more."""
        if token.name not in self.tags:
            return False
        return token.name == "Event" or self.tags[token.name] != token.text

    def _note_unknown(self, token: Token) -> None:
        """One note a line is enough for a text that is no PDN."""
        last = self.notes[-1] if self.notes else None
        if last is None or last.line != token.line:
            self.notes.append(Note(token.line, "not-pdn", token.text[:60]))

    def _close(self) -> None:
        if self.depth:
            self.notes.append(Note(self.items[-1].line, "variation-unclosed", "("))
        items, notes = settle(self.items, fen=self._fen())
        self.notes += [Note(*note) for note in notes]
        held: list[Item] = []
        if self.tags or any(item.kind in _CONTENT for item in items):
            self.games.append(PdnGame(tags=tuple(self.tags.items()), items=tuple(items), line=self.line))
        elif items and self.games:
            last = self.games[-1]
            self.games[-1] = replace(last, items=(*last.items, *items))
        else:
            held = [item for item in items if item.kind in (TokenKind.TEXT, TokenKind.UNKNOWN)]
        self.tags = {}
        self.items = held
        self.depth = 0
        self.in_body = False

    def _fen(self) -> str | None:
        return next((value for name, value in self.tags.items() if name.upper() == "FEN"), None)

    def finish(self) -> tuple[PdnGame, ...]:
        self._close()
        return tuple(_joined(self.games))


_ANYWHERE = frozenset(
    {TokenKind.COMMENT, TokenKind.UNKNOWN, TokenKind.SOLID, TokenKind.TEXT, TokenKind.CLOCK}
)
"""What may stand among the tags without being the game."""
_CONTENT = frozenset({TokenKind.MOVE, TokenKind.ALGEBRAIC, TokenKind.SETUP})


def _joined(games: list[PdnGame]) -> list[PdnGame]:
    """One game of what a header with a result in it took apart: only one part has moves, and no tag comes twice."""
    if len(games) < 2 or sum(bool(game.moves) for game in games) != 1:
        return games
    names = [NAMES.get(name.casefold(), name) for game in games for name, _ in game.tags]
    with_body = sum(any(item.kind is TokenKind.SETUP for item in game.items) for game in games)
    if len(set(names)) < len(names) or with_body or not games[-1].moves:
        return games
    tags = tuple(pair for game in games for pair in game.tags)
    return [
        PdnGame(tags=tags, items=tuple(item for game in games for item in game.items), line=games[0].line)
    ]


_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_WIDTH = 79


def write_pdn(games: Iterable[PdnGame]) -> str:
    """Write games as PDN 3.0: UTF-8 text, roster first, moves without blanks or leading zeros, lines under 80."""
    return "\n".join(_write_game(game) for game in games)


def _write_game(game: PdnGame) -> str:
    named = dict(game.tags)
    ordered = [name for name in _ROSTER if name in named] + [name for name in named if name not in _ROSTER]
    lines = [f'[{name} "{_escaped(named[name])}"]' for name in ordered]
    body = _body(game)
    return "\n".join([*lines, "", *_wrapped(body), ""]) if lines else "\n".join([*_wrapped(body), ""])


def _escaped(value: str) -> str:
    flat = " ".join(value.split())
    return flat.replace("\\", "\\\\").replace('"', '\\"')


def _body(game: PdnGame) -> list[str]:
    words: list[str] = []
    ended = False
    for item in game.items:
        word = _word(item)
        if word is None:
            continue
        if item.kind is TokenKind.STRENGTH and words:
            words[-1] += word
            continue
        words.append(word)
        ended = item.kind is TokenKind.RESULT and not item.depth
    if not ended:
        words.append("*")
    return words


def _word(item: Item) -> str | None:
    match item.kind:
        case TokenKind.COMMENT:
            return "{" + item.text.replace("{", "(").replace("}", ")").strip() + "}"
        case TokenKind.SETUP:
            return f'/FEN "{item.text}"/'
        case TokenKind.MOVE:
            return plain_move(item.text)
        case TokenKind.RESULT:
            return "".join(fold(item.text).split()).translate(_HYPHENS)
        case TokenKind.UNKNOWN | TokenKind.MARK | TokenKind.INTEGER | TokenKind.TEXT | TokenKind.CLOCK:
            return None
        case TokenKind.LONE:
            return f"{item.text}."
        case _:
            return "".join(item.text.split())


def plain_move(text: str) -> str:
    """A written move in the spelling of PDN 3.0, or as it stands when it cannot be read."""
    written = parse(text)
    if written.fault == "not-written":
        return "-"
    if written.fault is not None:
        return "".join(text.split())
    return ("x" if written.takes else "-").join(map(str, written.path))


_HYPHENS = str.maketrans(dict.fromkeys(DASHES + ":", "-"))


def _wrapped(words: Sequence[str]) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    return lines
