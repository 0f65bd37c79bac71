"""Bytes to text: the one decoder of files from outside, for entry lists, report files, PDN and scoresheets.

Promised: a file is read without a question only if one reading of it is plausible. Where several readings that differ
remain possible, or none, it is refused, and the refusal names them, the likeliest first (charset-normalizer ranks
them): a wrong guess would put wrong names on the pairing list and nobody would notice.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import charset_normalizer
from django.utils.translation import gettext_lazy as _

from tournaments.encodings.code_pages import BYTE_ENCODINGS, Encoding
from tournaments.encodings.plausibility import (
    is_hanzi,
    is_plausible,
    is_text,
    mixes_with_latin,
    reads_like_words,
)
from tournaments.errors import BadInput

CHOICES = [("", _("find out")), *((encoding.value, encoding.label) for encoding in Encoding)]
"""For the field of a form: what users may choose when the encoding is in doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """`damaged` counts bytes that are not of the encoding; each stands as U+FFFD in the text."""

    text: str
    encoding: Encoding
    has_mark: bool = False  # a byte order mark stood in front
    damaged: int = 0


_MARKS = (
    (codecs.BOM_UTF8, Encoding.UTF_8),
    (codecs.BOM_UTF16_LE, Encoding.UTF_16_LE),
    (codecs.BOM_UTF16_BE, Encoding.UTF_16_BE),
)
_UTF_32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_SAMPLE = 100_000  # bytes of lines that are not ASCII: as much as is judged of a long file
_FOREIGN_LINE = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*[\r\n]*")


def decode(content: bytes, *, encoding: Encoding | None = None, is_strict: bool = False) -> Decoded:
    """Return the text of a file, by its byte order mark, by `encoding` when the user named one, else by what it reads like.

    A damaged byte in UTF-8 stands as U+FFFD, for a caller that shows it; `is_strict` refuses it.

    Raises BadInput: `encoding-undecidable` when more than one reading, or none, is plausible, `encoding-broken` with
    the line when it is not in the encoding named, `encoding-unknown` for UTF-32, `not-a-table` for what is no text.
    """
    if content.startswith(_UTF_32_MARKS):
        raise BadInput(
            _("The file is in UTF-32, which is not read. Save it as UTF-8."), code="encoding-unknown"
        )
    decoded = _decoded(content, encoding)
    if is_strict and decoded.damaged:
        _strict(content, encoding=decoded.encoding)
    return decoded


def _decoded(content: bytes, encoding: Encoding | None) -> Decoded:
    for mark, marked in _MARKS:
        if content.startswith(mark):
            return _marked(content[len(mark) :], marked)
    if encoding is not None:
        return Decoded(text=_strict(content, encoding=encoding), encoding=encoding)
    return _guess(content)


def encoding_named(name: str) -> Encoding | None:
    """Return the encoding with a form's or the API's name, None for "". Raises BadInput `encoding-unknown`."""
    try:
        return Encoding(name.lower()) if name else None
    except ValueError:
        raise BadInput(
            _("There is no encoding %(name)s. Choose one of: %(choices)s."),
            code="encoding-unknown",
            name=name,
            choices=", ".join(Encoding),
        ) from None


def _marked(content: bytes, encoding: Encoding) -> Decoded:
    damaged = _damaged_utf_8(content) if encoding is Encoding.UTF_8 and not _is_utf_8(content) else None
    if damaged is not None:
        return Decoded(text=damaged.text, encoding=encoding, has_mark=True, damaged=damaged.damaged)
    return Decoded(text=_strict(content, encoding=encoding), encoding=encoding, has_mark=True)


def _strict(content: bytes, *, encoding: Encoding) -> str:
    try:
        text = content.decode(encoding.value)
    except UnicodeDecodeError as error:
        line = 1 + _lines_before(content[: error.start], encoding=encoding)
        raise BadInput(
            _("Line %(line)s cannot be read as %(encoding)s. Save the file as UTF-8 and upload it again."),
            code="encoding-broken",
            line=line,
            encoding=encoding.label,
        ) from None
    if not is_text(text):
        raise BadInput(
            _("This is not a text file in %(encoding)s: it holds control characters."),
            code="not-a-table",
            encoding=encoding.label,
        )
    return text


def _lines_before(content: bytes, *, encoding: Encoding) -> int:
    before = content.decode(encoding.value, errors="replace")
    return before.count("\n") or before.count("\r")


def _guess(content: bytes) -> Decoded:
    if b"\x00" in content:
        return _guess_utf_16(content)
    utf_8 = _reading(content, Encoding.UTF_8)
    if utf_8 is not None:
        if not content.isascii() and _may_be_short_chinese(content, utf_8=utf_8):
            raise _undecidable([Encoding.UTF_8, Encoding.GB18030])
        return Decoded(text=utf_8, encoding=Encoding.UTF_8)
    return _damaged_utf_8(content) or _guess_bytes(content)


def _guess_bytes(content: bytes) -> Decoded:
    sample = _sample(content)
    readings: dict[str, Encoding] = {}
    for encoding in BYTE_ENCODINGS:
        part, whole = _reading(sample, encoding), _reading(content, encoding)
        if part is not None and whole is not None and is_plausible(part, encoding):
            readings.setdefault(whole, encoding)
    if len(readings) != 1:
        raise _undecidable(_ranked(sample, list(readings.values())))
    ((text, encoding),) = readings.items()
    return Decoded(text=text, encoding=encoding)


def _sample(content: bytes) -> bytes:
    """The lines that are not ASCII, up to a limit: all that differs between the encodings."""
    lines: list[bytes] = []
    size = 0
    for match in _FOREIGN_LINE.finditer(content):
        lines.append(match[0])
        size += len(match[0])
        if size > _SAMPLE:
            break
    return b"".join(lines)


def _ranked(sample: bytes, possible: list[Encoding]) -> list[Encoding]:
    """The possible encodings, likeliest first, as the library ranks them."""
    if len(possible) < 2:
        return possible
    found = charset_normalizer.from_bytes(
        sample[:10_000], cp_isolation=[codecs.lookup(encoding).name for encoding in possible]
    )
    order = [codecs.lookup(match.encoding).name for match in found]
    places = {name: place for place, name in enumerate(order)}
    return sorted(possible, key=lambda encoding: places.get(codecs.lookup(encoding).name, len(places)))


def _is_utf_8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _damaged_utf_8(content: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes: far more of it is well formed than chance gives in another encoding."""
    text = content.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd") - content.count("\ufffd".encode())
    long_forms = len(re.findall(r"[\u0800-\ufffc\U00010000-\U0010ffff]", text))
    short_forms = len(re.findall(r"[\u0080-\u07ff]", text))
    enough = long_forms >= 2 or short_forms >= 12
    if not enough or damaged > 1 + (long_forms + short_forms) // 20 or not is_text(text):
        return None
    return Decoded(text=text, encoding=Encoding.UTF_8, damaged=damaged)


def _guess_utf_16(content: bytes) -> Decoded:
    """Separators and line ends are ASCII, so one byte of their pair is zero: which one tells the order."""
    readings = {
        encoding: text
        for encoding in (Encoding.UTF_16_LE, Encoding.UTF_16_BE)
        if (text := _reading(content, encoding)) is not None and reads_like_words(text)
    }
    if not readings:
        raise BadInput(
            _("This is not a table: neither text nor an XLSX workbook. Save it as CSV or XLSX."),
            code="not-a-table",
        )
    if len(readings) > 1:
        raise _undecidable(list(readings))
    ((encoding, text),) = readings.items()
    return Decoded(text=text, encoding=encoding)


def _reading(content: bytes, encoding: Encoding) -> str | None:
    try:
        text = content.decode(encoding.value)
    except UnicodeDecodeError:
        return None
    return text if is_text(text) else None


def _undecidable(candidates: list[Encoding]) -> BadInput:
    if candidates:
        return BadInput(
            _("The encoding cannot be told with certainty (%(candidates)s are possible). Choose it by hand."),
            code="encoding-undecidable",
            candidates=", ".join(encoding.label for encoding in candidates),
        )
    return BadInput(
        _("The encoding is not recognised. Save the file as UTF-8, or choose the encoding by hand."),
        code="encoding-undecidable",
        candidates="",
    )


def _may_be_short_chinese(content: bytes, *, utf_8: str) -> bool:
    """Whether valid UTF-8 could as well be a short Chinese text: known from files that hold two or three words.

    Only the two-byte forms of UTF-8 coincide with everyday GB2312, so any ideograph settles it for UTF-8; so does an
    accented letter inside a Latin word, which as GB2312 would be an ideograph in the middle of that word.
    """
    if any(is_hanzi(c) for c in utf_8):
        return False
    try:
        chinese = content.decode("gb2312")
    except UnicodeDecodeError:
        return False
    return any(is_hanzi(c) for c in chinese) and not mixes_with_latin(chinese)
