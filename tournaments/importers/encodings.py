"""Bytes to text: which encoding a text file is in.

Promised: UTF-8 and UTF-16 (with or without a byte order mark) and GB18030 are told apart by what decodes without a
fault *and* reads like text. Where two readings remain possible, or none is, the file is refused with a sentence that
says so: a wrong guess would put wrong names on the pairing list and nobody would be told.
"""

from __future__ import annotations

import codecs
import itertools
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from tournaments.errors import BadInput


class Encoding(StrEnum):
    """The encodings a list may come in; the value is the name Python's codecs and the forms use."""

    UTF_8 = "utf-8"
    GB18030 = "gb18030"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    text: str
    encoding: Encoding
    has_mark: bool  # a byte order mark stood in front


_MARKS = (
    (codecs.BOM_UTF8, Encoding.UTF_8),
    (codecs.BOM_UTF16_LE, Encoding.UTF_16_LE),
    (codecs.BOM_UTF16_BE, Encoding.UTF_16_BE),
)
_UTF_32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_ALLOWED_CONTROLS = frozenset("\t\n\r\x1a")


def decode(content: bytes, *, encoding: Encoding | None = None) -> Decoded:
    """The text of a file, by its byte order mark, by `encoding` when the user named one, else by what it reads like.

    Raises BadInput `encoding-undecidable` when more than one reading, or none, is plausible.
    """
    if content.startswith(_UTF_32_MARKS):
        raise BadInput(
            _("The file is in UTF-32, which is not read. Save it as UTF-8."), code="encoding-unknown"
        )
    for mark, marked in _MARKS:
        if content.startswith(mark):
            return Decoded(
                text=_strict(content[len(mark) :], encoding=marked), encoding=marked, has_mark=True
            )
    if encoding is not None:
        return Decoded(text=_strict(content, encoding=encoding), encoding=encoding, has_mark=False)
    return _guess(content)


def _strict(content: bytes, *, encoding: Encoding) -> str:
    try:
        text = content.decode(encoding.value)
    except UnicodeDecodeError as error:
        line = 1 + _lines_before(content[: error.start], encoding=encoding)
        raise BadInput(
            _("Line %(line)s cannot be read as %(encoding)s. Save the file as UTF-8 and upload it again."),
            code="encoding-broken",
            line=line,
            encoding=encoding.value.upper(),
        ) from None
    if not _is_text(text):
        raise BadInput(
            _("This is not a text file in %(encoding)s: it holds control characters."),
            code="not-a-table",
            encoding=encoding.value.upper(),
        )
    return text


def _lines_before(content: bytes, *, encoding: Encoding) -> int:
    return content.decode(encoding.value, errors="replace").count("\n")


def _is_text(text: str) -> bool:
    return not any(
        (character < " " and character not in _ALLOWED_CONTROLS) or character == "\x7f" for character in text
    )


def _guess(content: bytes) -> Decoded:
    if b"\x00" in content:
        return _guess_utf_16(content)
    utf_8, gb18030 = _reading(content, Encoding.UTF_8), _reading(content, Encoding.GB18030)
    if utf_8 is not None and content.isascii():
        return Decoded(text=utf_8, encoding=Encoding.UTF_8, has_mark=False)
    if utf_8 is not None:
        if gb18030 is not None and _utf_8_may_be_chinese(content, utf_8=utf_8):
            raise _undecidable("UTF-8, GB18030")
        return Decoded(text=utf_8, encoding=Encoding.UTF_8, has_mark=False)
    if gb18030 is not None and _reads_like_chinese(gb18030):
        return Decoded(text=gb18030, encoding=Encoding.GB18030, has_mark=False)
    raise _undecidable("")


def _guess_utf_16(content: bytes) -> Decoded:
    """Separators and line ends are ASCII, so one byte of their pair is zero: which one tells the order."""
    readings = {
        encoding: text
        for encoding in (Encoding.UTF_16_LE, Encoding.UTF_16_BE)
        if (text := _reading(content, encoding)) is not None and _reads_like_words(text)
    }
    if not readings:
        raise BadInput(
            _("This is not a table: neither text nor an XLSX workbook. Save it as CSV or XLSX."),
            code="not-a-table",
        )
    if len(readings) > 1:
        raise _undecidable("UTF-16 LE, UTF-16 BE")
    ((encoding, text),) = readings.items()
    return Decoded(text=text, encoding=encoding, has_mark=False)


def _reading(content: bytes, encoding: Encoding) -> str | None:
    try:
        text = content.decode(encoding.value)
    except UnicodeDecodeError:
        return None
    return text if _is_text(text) else None


def _undecidable(candidates: str) -> BadInput:
    if candidates:
        return BadInput(
            _("The encoding cannot be told with certainty (%(candidates)s are possible). Choose it by hand."),
            code="encoding-undecidable",
            candidates=candidates,
        )
    return BadInput(
        _("The encoding is not recognised. Save the file as UTF-8, or choose the encoding by hand."),
        code="encoding-undecidable",
        candidates="",
    )


_WORD_BLOCKS = (
    ("\u4e00", "\u9fff"),
    ("\u3400", "\u4dbf"),
    ("\u0020", "\u052f"),
    ("\u3000", "\u303f"),
    ("\uff00", "\uffef"),
    ("\u3040", "\u30ff"),
    ("\uac00", "\ud7af"),
    ("\u2010", "\u2030"),
)


def _reads_like_words(text: str) -> bool:
    """At least nine characters in ten from scripts that people's names and their separators are written in.

    The line feed and the digits decide between the two byte orders: read the wrong way round they become U+0A00
    (Gurmukhi) and U+3000..U+3900 (rare ideographs), so a table without a single ASCII character stays undecided.
    """
    if not text:
        return False
    assigned = all(unicodedata.category(c) not in {"Cn", "Co", "Cs"} for c in text)
    familiar = sum(
        c in _ALLOWED_CONTROLS or any(low <= c <= high for low, high in _WORD_BLOCKS) for c in text
    )
    return assigned and familiar * 10 >= len(text) * 9 and any(c in "\n\r,;\t " or c.isdigit() for c in text)


def _is_hanzi(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff"


def _utf_8_may_be_chinese(content: bytes, *, utf_8: str) -> bool:
    """Whether valid UTF-8 could as well be a short Chinese text: known from files that hold two or three words.

    Only the two-byte forms of UTF-8 coincide with everyday GB2312, so any ideograph settles it for UTF-8; so does an
    accented letter inside a Latin word, which as GB2312 would be an ideograph in the middle of that word.
    """
    if any(_is_hanzi(c) for c in utf_8):
        return False
    try:
        chinese = content.decode("gb2312")
    except UnicodeDecodeError:
        return False
    hanzi = [c for c in chinese if _is_hanzi(c)]
    return bool(hanzi) and not _mixes_with_latin(chinese)


def _mixes_with_latin(text: str) -> bool:
    pairs = itertools.pairwise(text)
    return any(
        (_is_hanzi(left) and right.isascii() and right.isalpha())
        or (_is_hanzi(right) and left.isascii() and left.isalpha())
        for left, right in pairs
    )


def _reads_like_chinese(text: str) -> bool:
    """Most ideographs from level 1 of GB2312 (the 3755 of daily use), which other 8-bit encodings do not hit by chance.

    A rare given name does not matter beside its family name; a Cyrillic or Big5 file read this way gives mostly rare
    ideographs, and a Western one gives ideographs inside Latin words.
    """
    foreign = [c for c in text if not c.isascii() and not _is_common_symbol(c)]
    hanzi = [c for c in foreign if _is_hanzi(c)]
    everyday = sum(_is_level_one(c) for c in hanzi)
    if everyday * 2 < len(foreign):
        return False
    joined = sum(_is_hanzi(a) and b.isascii() and b.islower() for a, b in itertools.pairwise(text))
    return joined * 4 <= len(hanzi) and not _may_be_big5(text)


def _may_be_big5(text: str) -> bool:
    """Whether the bytes are everyday Big5 throughout: a list of two or three words can be both."""
    try:
        big5 = text.encode("gb18030").decode("big5")
    except UnicodeDecodeError:
        return False
    pairs = [c.encode("big5") for c in big5 if not c.isascii() and not _is_common_symbol(c)]
    return bool(pairs) and all(b"\xa4\x40" <= pair <= b"\xc6\x7e" for pair in pairs)


def _is_common_symbol(character: str) -> bool:
    return "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uffef"


def _is_level_one(character: str) -> bool:
    try:
        pair = character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return b"\xb0\xa1" <= pair <= b"\xd7\xf9"
