"""The encodings that a file may be in, and the alphabets written in each Latin code page."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Encoding(StrEnum):
    """The encodings of files; the value is the name that Python's codecs, the forms and the API use."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    GB18030 = "gb18030"
    BIG5 = "big5"
    CP1252 = "cp1252"
    CP1250 = "cp1250"
    CP1257 = "cp1257"
    CP1251 = "cp1251"
    KOI8_R = "koi8-r"
    EUC_KR = "euc-kr"
    SHIFT_JIS = "shift_jis"

    @property
    def label(self) -> str:
        """The name that office programs show; the same in every language."""
        return LABELS[self]


LABELS: Mapping[Encoding, str] = {
    Encoding.UTF_8: "UTF-8",
    Encoding.UTF_16_LE: "UTF-16 LE",
    Encoding.UTF_16_BE: "UTF-16 BE",
    Encoding.GB18030: "GB18030",
    Encoding.BIG5: "Big5",
    Encoding.CP1252: "Windows-1252",
    Encoding.CP1250: "Windows-1250",
    Encoding.CP1257: "Windows-1257",
    Encoding.CP1251: "Windows-1251",
    Encoding.KOI8_R: "KOI8-R",
    Encoding.EUC_KR: "EUC-KR",
    Encoding.SHIFT_JIS: "Shift_JIS",
}

BYTE_ENCODINGS = (
    Encoding.GB18030,
    Encoding.BIG5,
    Encoding.CP1252,
    Encoding.CP1250,
    Encoding.CP1257,
    Encoding.CP1251,
    Encoding.KOI8_R,
    Encoding.EUC_KR,
    Encoding.SHIFT_JIS,
)

_LANGUAGES = {
    Encoding.CP1252: (
        "àâæçèéêëîïôœùûüÿ",  # French
        "äöüßé",  # German
        "áéíóúüñ",  # Spanish
        "àáâãçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöæøé",  # Nordic
        "áéíóúýþæöð",  # Icelandic
        "áèéêëíïóöüúà",  # Dutch
        "äöõüšž",  # Estonian
        "àçèéíïòóúü",  # Catalan
    ),
    Encoding.CP1250: (
        "ąćęłńóśźż",  # Polish
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíĺľňóôŕšťúýž",  # Slovak
        "áéíóöőúüű",  # Hungarian
        "ăâîşţ",  # Romanian
        "čćđšž",  # Croatian and Slovene
        "äöüß",
        "çë",  # Albanian
    ),
    Encoding.CP1257: (
        "ąčęėįšųūž",  # Lithuanian
        "āčēģīķļņšūž",  # Latvian
        "äõöüšž",  # Estonian
        "åäöæøé",
        "ąćęłńóśźż",
        "äöüß",
    ),
}
ALPHABETS: Mapping[Encoding, tuple[frozenset[str], ...]] = {
    encoding: tuple(frozenset(letters) for letters in languages) for encoding, languages in _LANGUAGES.items()
}
