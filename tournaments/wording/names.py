"""Names of people: family name, and the keys by which a name is found without its script or accents."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pypinyin import Style, lazy_pinyin

COMPOUND_FAMILY_NAMES = frozenset(
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 "
    "仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 令狐 轩辕 呼延 左丘 东郭 西门 歐陽 司馬 東方 諸葛 尉遲 "
    "公孫 長孫 鍾離 鮮于 軒轅 東郭 西門 獨孤 南宮".split()
)

# Characters that read otherwise as a family name than elsewhere.
FAMILY_READINGS = {
    "单": "shan", "單": "shan", "解": "xie", "仇": "qiu", "曾": "zeng", "查": "zha", "朴": "piao", "盖": "ge", "蓋": "ge",
    "区": "ou", "區": "ou", "翟": "zhai", "任": "ren", "华": "hua", "尉迟": "yuchi", "尉遲": "yuchi", "万俟": "moqi",
    "长孙": "zhangsun", "長孫": "zhangsun", "澹台": "tantai", "逄": "pang", "缪": "miao", "覃": "qin", "乐": "yue",
    "员": "yun", "黑": "he", "秘": "bi", "折": "she", "宓": "mi", "冼": "xian", "洗": "xian", "繁": "po", "种": "chong",
}  # fmt: skip


def is_chinese(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def split_family(name: str) -> str:
    """The family name as far as the name shows it: Chinese by its first (or compound) characters, "Last, First" by comma."""
    name = name.strip()
    if "," in name or "，" in name:
        return name.replace("，", ",").split(",")[0].strip()
    if is_chinese(name):
        compact = "".join(name.split())
        return compact[:2] if compact[:2] in COMPOUND_FAMILY_NAMES and len(compact) > 2 else compact[:1]
    parts = name.split()
    return parts[-1] if len(parts) > 1 else name


# An entry list holds the same names and clubs again and again.
@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Small letters without accents, spaces and punctuation."""
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKD", folded)
    return folded if folded.isalnum() else "".join(c for c in folded if c.isalnum())


@lru_cache(maxsize=20_000)
def _syllables(text: str) -> tuple[str, ...]:
    return tuple(plain(syllable) for syllable in lazy_pinyin(text, style=Style.NORMAL) if plain(syllable))


@lru_cache(maxsize=20_000)
def _readings(name: str) -> tuple[str, tuple[str, ...]]:
    """Pinyin of the family name and the syllables of the rest."""
    family = split_family(name)
    given = "".join(name.split())[len(family) :]
    return FAMILY_READINGS.get(family) or "".join(_syllables(family)), _syllables(given)


def search_keys(*names: str) -> str:
    """Keys to search in, one space between: the plain name, its pinyin, the initials, the family name's pinyin."""
    keys: dict[str, None] = {}
    for name in filter(None, names):
        keys[plain(name)] = None
        if is_chinese(name):
            family, given = _readings(name)
            plain_syllables = _syllables(name)
            keys[family + "".join(given)] = None
            keys["".join(plain_syllables)] = None
            keys["".join(syllable[0] for syllable in [family, *given])] = None
            keys[family] = None
        else:
            keys.update(dict.fromkeys(plain(part) for part in name.replace("-", " ").split()))
    return " ".join(key for key in keys if key)[:400]


def latin(name: str) -> str:
    """A reading in Latin letters, "" where the name is already in them: 张伟 -> Zhang Wei."""
    if not is_chinese(name):
        return ""
    family, given = _readings(name)
    return " ".join(part.capitalize() for part in (family, "".join(given)) if part)
