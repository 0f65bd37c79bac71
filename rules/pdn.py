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
from rules.notation import DASHES, parse
from rules.pdn_tokens import Token, TokenKind, tokens


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


class Item(NamedTuple):
    """One thing of a game's body. `depth` is 0 in the game itself and more inside variations."""

    kind: TokenKind
    text: str
    line: int
    depth: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnGame:
    """One game as it stands in the file: its tags in order, its body in order."""

    tags: tuple[tuple[str, str], ...] = ()
    items: tuple[Item, ...] = ()
    line: int = 1

    def tag(self, name: str) -> str | None:
        """The value of a tag under its standard name or one that other programs use for it."""
        wanted = {name, *_ALIASES.get(name, ())}
        for known, value in self.tags:
            if known in wanted:
                return value
        return None

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the game itself, variations left out, as written."""
        return tuple(item.text for item in self.items if item.kind is TokenKind.MOVE and not item.depth)


_ALIASES: dict[str, tuple[str, ...]] = {
    "Event": ("Titre", "Dati"),
    "Date": ("Anno",),
    "Round": ("Manche",),
    "White": ("Bianco", "Blanc"),
    "Black": ("Nero", "Noir"),
    "Result": ("Risultato",),
    "WhiteTime": ("WhiteClock",),
    "BlackTime": ("BlackClock",),
    "WhiteRating": ("WhiteElo",),
    "BlackRating": ("BlackElo",),
}


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
                self._add(token._replace(kind=TokenKind.UNKNOWN))
                return None
            self._add(token)
            self.depth -= 1
            return None
        if token.kind is TokenKind.UNKNOWN:
            self._note_unknown(token)
        self._add(token)
        if token.kind is TokenKind.RESULT and not self.depth:
            self._close()
        return None

    def _add(self, token: Token) -> None:
        last = self.items[-1] if self.items else None
        side_by_side = last is not None and (last.kind, last.line) == (TokenKind.INTEGER, token.line)
        kind, text = token.kind, token.text
        if token.fault == "comment-unclosed":
            kind, text = TokenKind.UNKNOWN, "{" + text
        self.items.append(Item(kind, text, token.line, self.depth, token.column))
        if token.kind is TokenKind.INTEGER:
            self.in_body = self.in_body or side_by_side
        else:
            self.in_body = self.in_body or token.kind not in _ANYWHERE

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
        if last is None or (last.line, last.code) != (token.line, "not-pdn"):
            self.notes.append(Note(token.line, "not-pdn", token.text[:60]))

    def _close(self) -> None:
        if self.depth:
            self.notes.append(Note(self.items[-1].line, "variation-unclosed", "("))
        items = _pair_integers(
            self._without_blanks_left(self._solids_told_apart(_without_unclosed(self.items)))
        )
        if not self.tags and self.games and items and not any(item.kind in _CONTENT for item in items):
            last = self.games[-1]
            self.games[-1] = replace(last, items=(*last.items, *items))
        elif self.tags or any(item.kind in _CONTENT for item in items):
            self.games.append(PdnGame(tags=tuple(self.tags.items()), items=tuple(items), line=self.line))
        self.tags = {}
        self.items = []
        self.depth = 0
        self.in_body = False

    def _without_blanks_left(self, items: list[Item]) -> list[Item]:
        """Dashes behind the last move stand for moves that were never made."""
        kept = list(items)
        for at in range(len(kept) - 1, -1, -1):
            if kept[at].kind is not TokenKind.MOVE:
                continue
            if kept[at].text.strip(_DASHES_AND_BLANKS):
                break
            self.notes.append(Note(kept[at].line, "move-left-blank", kept[at].text))
            kept[at] = kept[at]._replace(kind=TokenKind.UNKNOWN)
        return kept

    def _solids_told_apart(self, items: list[Item]) -> list[Item]:
        """Four digits are a move written without a sign when most moves are; a year or a rating otherwise."""
        solid = sum(item.kind is TokenKind.SOLID for item in items)
        if not solid:
            return items
        moves = sum(item.kind is TokenKind.MOVE for item in items)
        are_moves = solid > 1 and solid > moves
        kind = TokenKind.MOVE if are_moves else TokenKind.UNKNOWN
        if not are_moves:
            self.notes += [
                Note(item.line, "not-pdn", item.text) for item in items if item.kind is TokenKind.SOLID
            ]
        return [item._replace(kind=kind) if item.kind is TokenKind.SOLID else item for item in items]

    def finish(self) -> tuple[PdnGame, ...]:
        self._close()
        return tuple(self.games)


_DASHES_AND_BLANKS = DASHES + " \t"
_ANYWHERE = frozenset({TokenKind.COMMENT, TokenKind.UNKNOWN, TokenKind.SOLID})
"""What may stand among the tags without being the game."""
_CONTENT = frozenset({TokenKind.MOVE, TokenKind.ALGEBRAIC, TokenKind.SETUP})


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
    found = []
    for at, item in enumerate(items):
        depth = item.depth - sum(before <= at for before in open_at)
        kind = TokenKind.UNKNOWN if at in open_at else item.kind
        found.append(item._replace(kind=kind, depth=depth))
    return found


def _pair_integers(items: Sequence[Item]) -> list[Item]:
    """Make moves of squares written side by side (`32 28 18 23`); an odd one in front is a move number."""
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
        group = list(items[at:end])
        if len(group) % 2:
            found.append(group.pop(0)._replace(kind=TokenKind.LONE))
        for first, second in zip(group[::2], group[1::2], strict=True):
            found.append(Item(TokenKind.MOVE, f"{first.text} {second.text}", first.line, first.depth))
        at = end
    return found


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
            return "".join(item.text.split()).translate(_HYPHENS)
        case TokenKind.UNKNOWN | TokenKind.MARK | TokenKind.INTEGER:
            return None
        case TokenKind.LONE:
            return f"{item.text}."
        case _:
            return "".join(item.text.split())


def plain_move(text: str) -> str:
    """A written move in the spelling of PDN 3.0, or as it stands when it cannot be read."""
    written = parse(text)
    if written.fault is not None:
        return "".join(text.split())
    return ("x" if written.takes else "-").join(map(str, written.path))


_HYPHENS = str.maketrans(dict.fromkeys(DASHES + ":\uff1a", "-"))


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
