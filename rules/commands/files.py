"""Games of a file for `validate`: PDN in any dialect, plain text, or JSON lines. What cannot be read has a code and values."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rules.board import START, FenError, Position
from rules.encoding import decode
from rules.pdn import read_pdn
from rules.pdn_sheet import sheet_of
from rules.sheet import Sheet

MESSAGES: Mapping[str, str] = {
    "encoding": "read as %(encoding)s",
    "encoding-doubtful": "read as %(encoding)s; %(others)s would do as well (choose with --encoding)",
    "note": "line %(line)d: %(code)s: %(text)s",
    "no-game": "line 1: there is no game in this file",
    "no-json": "line %(line)d is no JSON: %(error)s",
    "no-moves": 'line %(line)d: write {"moves": ["32-28", ...]}, the moves as a list of texts',
    "no-text": "line %(line)d: %(name)s must be a text such as %(example)s",
}


class Note(NamedTuple):
    """Something about the file: a code of MESSAGES, and the values of its sentence."""

    code: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return MESSAGES[self.code] % self.values


class UnreadableGames(ValueError):
    """The file holds no games that can be read."""

    def __init__(self, code: str, **values: Any) -> None:
        self.note = Note(code, values)
        super().__init__(str(self.note))


class Games(NamedTuple):
    sheets: Iterable[Sheet]
    notes: list[Note]


def read_games(name: str, data: bytes, *, encoding: str | None = None) -> Games:
    """The games of a file called `name`, "-" for none. Raises UnreadableGames, PdnError, EncodingError: ValueErrors."""
    if name.endswith(".jsonl") or (name == "-" and _is_jsonl(data)):
        return _jsonl(data)
    file = read_pdn(data, encoding=encoding)
    notes = []
    if file.alternatives:
        others = ", ".join(file.alternatives)
        notes.append(Note("encoding-doubtful", {"encoding": file.encoding, "others": others}))
    elif file.encoding not in ("ascii", "utf-8", "utf-8-sig"):
        notes.append(Note("encoding", {"encoding": file.encoding}))
    notes += [Note("note", {"line": note.line, "code": note.code, "text": note.text}) for note in file.notes]
    return Games((sheet_of(game) for game in file.games), notes)


def _is_jsonl(data: bytes) -> bool:
    """Whether the first line is a JSON object; a PDN comment in braces is none."""
    first = data.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")[0]
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _jsonl(data: bytes) -> Games:
    sheets = []
    for number, line in enumerate(decode(data).text.split("\n"), 1):
        if line.strip():
            sheets.append(_jsonl_sheet(number, line))
    if not sheets:
        raise UnreadableGames("no-game")
    return Games(sheets, [])


def _jsonl_sheet(number: int, line: str) -> Sheet:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableGames("no-json", line=number, error=error) from error
    moves = entry.get("moves") if isinstance(entry, dict) else None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise UnreadableGames("no-moves", line=number)
    fen, result = (_text(number, entry, name) for name in ("fen", "result"))
    start = START
    bad_setups: tuple[tuple[int, str], ...] = ()
    if fen is not None:
        try:
            start = Position.from_fen(fen)
        except FenError:
            bad_setups = ((0, fen),)
    return Sheet(moves=tuple(moves), start=start, bad_setups=bad_setups, result=result)


def _text(number: int, entry: dict[str, object], name: str) -> str | None:
    value = entry.get(name)
    if value is None or isinstance(value, str):
        return value
    examples = {"fen": '"W:W31-50:B1-20"', "result": '"2-0"'}
    raise UnreadableGames("no-text", line=number, name=name, example=examples[name])
