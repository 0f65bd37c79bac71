"""The characters of a written game: which are read alike, and what may stand between two squares.

Promises: `fold` keeps every character in its place, so that a place in the folded text is a place in the text.
"""

from __future__ import annotations

import unicodedata

DASHES = "-~_\u4e00\u30fc"
"""Signs of a quiet move, once the text is folded; the Chinese one (一) among them, as it is typed for a long dash."""

CROSSES = "xX:*%\u5403\u6253\u98df\u8df3\u63d0"
"""Signs of a capture, once the text is folded: letters and multiplication signs, colon, star, percent, 吃 打 食 跳 提."""

PLAIN_WORDS = ("to", "naar", "nach", "vers", "na", "на", "到", "至", "走", "进", "往", "去", "移")
CAPTURE_WORDS = (
    "takes",
    "slaat",
    "prend",
    "bat",
    "schlägt",
    "бьет",
    "бьёт",
    "bije",
    "captures",
    "吃到",
    "跳到",
    "打到",
    "吃掉",
    "打掉",
)
"""Words met between two squares."""

LOOKALIKES = str.maketrans("lI|iOoQ\u041e\u043e\u3007ZzSB\u0417\u0437\u0431", "11110000002258336")
"""Letters written or typed for the digit they look like."""

_ODD = {
    "\u2212": "-", "\u2043": "-", "\u00ad": "-", "\u301c": "~", "\u223c": "~", "\u02dc": "~", "\u2500": "-", "\u2501": "-",
    "\u00d7": "x", "\u2715": "x", "\u2716": "x", "\u2a2f": "x", "\u2573": "x", "\u2a09": "x", "\u2717": "x", "\u2718": "x",
    "\u2613": "x", "\u274c": "x", "\u0445": "x", "\u0425": "x", "\u03c7": "x", "\u2a30": "x", "\u2612": "x", "\u22c5": "\u00b7",
    "\u2236": ":", "\u2982": ":", "\u2027": "\u00b7", "\u2022": "\u00b7", "\u2219": "\u00b7", "\u30fb": "\u00b7", "\u22c4": "\u00b7",
    "\u3001": "\u3001", "\u3002": ".", "\uff61": ".", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"',
    "\u00bb": '"', "\u2033": '"', "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u2032": "'", "\u00b4": "'", "\u3010": "[",
    "\u3011": "]", "\u3014": "(", "\u3015": ")", "\u2502": "|", "\u2503": "|", "\u22ef": "\u2026", "\u2044": "/", "\u2215": "/",
    "\u25b6": ">", "\u25ba": ">", "\u27a4": ">", "\u203a": ">", "\u2028": "\n", "\u2029": "\n", "\u0085": "\n",
}  # fmt: skip
_ARROWS = ((0x2190, 0x21FF), (0x2794, 0x27BF), (0x27F0, 0x27FF), (0x2900, 0x297F), (0x2B00, 0x2B4F))


class _Folding(dict[int, int]):
    """Works out what a character is read as when it is first met."""

    def __missing__(self, code: int) -> int:
        self[code] = folded = ord(_fold(chr(code)))
        return folded


def _fold(character: str) -> str:
    if character < "\x80":
        return character
    if character in _ODD:
        return _ODD[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Pd":
        return "-"
    if category in ("Zs", "Cf"):
        return " "
    if any(low <= ord(character) <= high for low, high in _ARROWS):
        return ">"
    plain = unicodedata.normalize("NFKC", character)
    if category[0] in "PSL" and len(plain) == 1 and plain != character and plain != " ":
        return _ODD.get(plain, plain)
    return character


_FOLDED = _Folding()


def fold(text: str) -> str:
    """The text with full-width signs, dashes of all alphabets, multiplication signs, arrows, brackets, quotes and blanks
    in one form each; as long as before, character by character."""
    return text if text.isascii() else text.translate(_FOLDED)
