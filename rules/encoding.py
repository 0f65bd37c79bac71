"""Finding out how a file is encoded, and saying so.

Promises: text that is certain (marks, ASCII, valid UTF-8) is decoded as such; anything else is weighed by what the
bytes look like, and the encodings that would also have done are named, so that nobody is misled in silence.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple


class Decoded(NamedTuple):
    """`encoding` is the one used; `alternatives` others that fit nearly as well, empty when there is no doubt."""

    text: str
    encoding: str
    alternatives: tuple[str, ...] = ()


class EncodingError(ValueError):
    """Bytes that are no text in the encoding asked for, or no text at all. `line` is where, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 200_000
_HIGH_RUN = re.compile(rb"([A-Za-z]?)([\x80-\xff]+)([A-Za-z]?)")
_CLOSE = 0.25
"""Two weights nearer than this leave a doubt, or than twice this when there is little to weigh."""
_ENOUGH = 8


def decode(data: bytes, *, encoding: str | None = None) -> Decoded:
    """Decode a file. `encoding` overrides what would be found. Raises `EncodingError`."""
    if encoding is not None:
        return Decoded(_strict(data, encoding), encoding)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_strict(data, name), name)
    wide = _wide(data)
    if wide is not None:
        return Decoded(_strict(data, wide), wide)
    if b"\x00" in data:
        line = _line(data, data.index(b"\x00"))
        raise EncodingError(f"line {line}: this is no text file, it holds zero bytes", line)
    for name in ("ascii", "utf-8"):
        try:
            return Decoded(data.decode(name), name)
        except UnicodeDecodeError:
            continue
    return _damaged_utf_8(data) or _weighed(data)


def _damaged_utf_8(data: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes: far more of it is well-formed than chance gives. The bad ones show as U+FFFD, and what else
    it could be is named."""
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    good = sum(character > "\x7f" for character in text) - bad
    return (
        Decoded(text, "utf-8", _weighed(data)[1:2])
        if good >= 3 and bad * 20 <= good + 20 and bad <= good
        else None
    )


def _strict(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = _line(data, error.start)
        raise EncodingError(f"line {line}: byte {error.start} is not {name}", line) from error
    except LookupError as error:
        raise EncodingError(f"no encoding is called {name!r}", 1) from error


def _line(data: bytes, offset: int) -> int:
    before = data[:offset]
    return max(before.count(b"\n"), before.count(b"\r")) + 1


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of mostly plain text is zero."""
    sample = data[:4000]
    if len(sample) < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.6 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _weighed(data: bytes) -> Decoded:
    runs = [match.groups() for match in _HIGH_RUN.finditer(data[:_SAMPLE])]
    weights = {
        "gb18030": _weight_chinese(runs),
        "cp1252": _weight_western(runs),
        "cp1251": _weight_cyrillic(runs),
    }
    usable: list[tuple[float, str, str]] = []
    for name, weight in weights.items():
        try:
            usable.append((weight, name, data.decode(name)))
        except UnicodeDecodeError:
            continue
    usable.append((0.05, "latin-1", data.decode("latin-1")))
    usable.sort(key=lambda entry: -entry[0])
    weight, name, text = usable[0]
    close = _CLOSE if sum(len(run[1]) for run in runs) >= _ENOUGH else 2 * _CLOSE
    near = tuple(other for value, other, _ in usable[1:] if value > 0.05 and weight - value < close)
    if weight < 0.5:
        near = near or tuple(other for _, other, _ in usable[1:])
    return Decoded(text, name, near)


_Runs = list[tuple[bytes, ...]]


def _weight_chinese(runs: _Runs) -> float:
    """Characters come in pairs of high bytes; the common ones begin with B0 to D7."""
    good = total = 0.0
    for before, run, after in runs:
        total += len(run)
        if len(run) % 2 or (before and after and len(run) == 2):
            continue
        for lead, trail in zip(run[::2], run[1::2], strict=True):
            if trail < 0xA1:
                continue
            if 0xB0 <= lead <= 0xD7 or 0xA1 <= lead <= 0xA3:
                good += 2
            elif 0xD8 <= lead <= 0xF7:
                good += 0.8
    return good / total if total else 0.0


def _weight_western(runs: _Runs) -> float:
    """Single accented letters inside Latin words."""
    good = total = 0.0
    for before, run, after in runs:
        total += len(run)
        letters = all((byte >= 0xC0 and byte not in (0xD7, 0xF7)) or byte in _WESTERN_SIGNS for byte in run)
        if not letters or len(run) > 3:
            continue
        good += len(run) * (1.0 if before or after else 0.4)
    return good / total if total else 0.0


_WESTERN_SIGNS = frozenset(
    b"\x80\x85\x8a\x8c\x8e\x91\x92\x93\x94\x96\x97\x9a\x9c\x9e\x9f\xa0\xab\xb0\xba\xaa\xbb\xbd\xb4"
)
_CYRILLIC_SIGNS = b"\x85\x91\x92\x93\x94\x96\x97\xa0\xab\xb9\xbb"
_CYRILLIC_WORD = re.compile(rb"[\xc0-\xdf\xa8]?[\xe0-\xff\xb8]*|[\xc0-\xdf\xa8]+")


def _weight_cyrillic(runs: _Runs) -> float:
    """Whole words of high bytes, a capital only in front or all capitals, no Latin letter beside them."""
    good = total = 0.0
    for before, run, after in runs:
        total += len(run)
        if before or after:
            continue
        word = run.strip(_CYRILLIC_SIGNS)
        if not _CYRILLIC_WORD.fullmatch(word):
            continue
        good += len(run) * (1.0 if len(word) > 2 else 0.6)
    return good / total if total else 0.0
