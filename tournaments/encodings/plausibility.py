"""How likely it is that a decoded text is what somebody wrote: scripts, capitals and alphabets of its words.

A reading is judged by the words that are not ASCII. It is refused when they mix scripts, have capitals inside, or use
letters that no language of that code page puts together.
"""

from __future__ import annotations

import re
import unicodedata

from tournaments.encodings.code_pages import ALPHABETS, Encoding

_WORD = re.compile(r"[^\W\d_]+(?:[^\W\d_]|[\u0300-\u036f])*")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f-\x9f]")
_SIGNS = frozenset("\u00a0‘’‚“”„«»‹›–—…§°·•№€½¼¾ªº¿¡´`′″×±²³™®©")
_ENOUGH = 0.9


def is_text(text: str) -> bool:
    """Return whether no control character stands in it, other than those of lines, pages and the end of a file."""
    return _CONTROL.search(text) is None


def is_plausible(text: str, encoding: Encoding) -> bool:
    """Return whether somebody may have written the text in this encoding; the text holds more than ASCII."""
    if encoding is Encoding.GB18030:
        return _reads_like_gb(text)
    if encoding is Encoding.BIG5:
        return _reads_like_big5(text)
    if encoding is Encoding.EUC_KR:
        return _is_mostly(text, "HANGUL")
    if encoding is Encoding.SHIFT_JIS:
        return _reads_like_japanese(text)
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    outside = _FOREIGN.findall(_WORD.sub("", text))
    odd = sum(sign not in _SIGNS for sign in outside)
    if odd * 10 > len(words) + len(outside):
        return False
    script = "CYRILLIC" if encoding in (Encoding.CP1251, Encoding.KOI8_R) else "LATIN"
    fitting = sum(_fits(word, script=script, encoding=encoding) for word in words)
    return fitting >= _ENOUGH * len(words)


def _fits(word: str, *, script: str, encoding: Encoding) -> bool:
    foreign = [letter for letter in word if not letter.isascii()]
    if any(not unicodedata.name(letter, "").startswith(script) for letter in foreign):
        return False
    if not (word.islower() or word.isupper() or word[1:].islower() or _has_inner_capital(word)):
        return False
    if script == "CYRILLIC":
        return len(foreign) == len(word)
    if len(foreign) > max(1, (len(word) + 1) // 2):
        return False
    letters = frozenset("".join(foreign).lower())
    return any(letters <= alphabet for alphabet in ALPHABETS[encoding])


def _has_inner_capital(word: str) -> bool:
    """McKèe, LeBlancé: two capitalised parts in ASCII capitals."""
    return word[0].isupper() and sum(letter.isupper() for letter in word) == 2 and word[-1].islower()


def reads_like_words(text: str) -> bool:
    """Return whether nine characters in ten are of scripts that names and separators are written in (for UTF-16).

    The line feed and the digits decide between the two byte orders: read the wrong way round they become U+0A00
    (Gurmukhi) and U+3000..U+3900 (rare ideographs), so a table without a single ASCII character stays undecided.
    """
    if not text:
        return False
    assigned = all(unicodedata.category(c) not in {"Cn", "Co", "Cs"} for c in text)
    familiar = sum(c in "\t\n\r\x1a" or any(low <= c <= high for low, high in _WORD_BLOCKS) for c in text)
    return assigned and familiar * 10 >= len(text) * 9 and any(c in "\n\r,;\t " or c.isdigit() for c in text)


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


def is_hanzi(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff"


def mixes_with_latin(text: str) -> bool:
    """Return whether an ideograph touches a Latin letter."""
    return _HANZI_BESIDE_LATIN.search(text) is not None


_HANZI_BESIDE_LATIN = re.compile(r"[\u3400-\u9fff][A-Za-z]|[A-Za-z][\u3400-\u9fff]")
_HANZI_BEFORE_SMALL = re.compile(r"[\u3400-\u9fff](?=[a-z])")


def _reads_like_gb(text: str) -> bool:
    """Most ideographs from level 1 of GB2312 (the 3755 of daily use), few of them inside Latin words."""
    return _is_everyday(text, codec="gb2312", first=b"\xb0\xa1", last=b"\xd7\xf9", share=0.5)


def _reads_like_big5(text: str) -> bool:
    """Most ideographs from level 1 of Big5 (the 5401 of daily use), few of them inside Latin words."""
    return _is_everyday(text, codec="big5", first=b"\xa4\x40", last=b"\xc6\x7e", share=0.95)


def _is_everyday(text: str, *, codec: str, first: bytes, last: bytes, share: float) -> bool:
    foreign = [c for c in _FOREIGN.findall(text) if not _is_common_symbol(c)]
    hanzi = [c for c in foreign if is_hanzi(c)]
    everyday = sum(first <= _pair(c, codec) <= last for c in hanzi)
    if not hanzi or everyday < share * len(foreign):
        return False
    return len(_HANZI_BEFORE_SMALL.findall(text)) * 4 <= len(hanzi)


def _pair(character: str, codec: str) -> bytes:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return b""


def _is_common_symbol(character: str) -> bool:
    return character in _SIGNS or "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff65"


def _is_mostly(text: str, script: str) -> bool:
    letters = [c for c in _FOREIGN.findall(text) if c.isalpha()]
    of_script = sum(unicodedata.name(c, "").startswith(script) for c in letters)
    return bool(letters) and of_script >= _ENOUGH * len(letters)


def _reads_like_japanese(text: str) -> bool:
    """Kana among ideographs, and no katakana of half width, which any pair of high bytes can be."""
    letters = [c for c in _FOREIGN.findall(text) if c.isalpha()]
    kana = sum("\u3041" <= c <= "\u30fe" for c in letters)
    narrow = any("\uff66" <= c <= "\uff9f" for c in letters)
    return kana * 4 >= len(letters) > 0 and not narrow
