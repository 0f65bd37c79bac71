"""Names of people and teams: family name, reading in Latin letters, and the keys by which a name is found.

A person's name is read as Chinese names are; one with a dot in it, or made of the parts of Uyghur, Mongolian or Tibetan
names, as those are written. Teams and clubs are places and words, never a family name with a given name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pypinyin import Style, lazy_pinyin

from tournaments.wording import romanised

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

_DOT = re.compile(rf"\s*[{romanised.DOTS}]\s*")
_TEAM_ENDINGS = (
    "队", "隊", "俱乐部", "俱樂部", "代表团", "大学", "大學", "学院", "中学", "小学", "学校", "体校", "棋院", "棋协", "协会", "体育局", "公司",
)  # fmt: skip
_SHORTEST_BORROWED = 3  # characters of a name without a dot that may be read by the tables
_UMLAUT_SPELLINGS = ("v", "u", "yu")  # lü as keyboards, without its dots, and in passports


def is_chinese(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def split_family(name: str) -> str:
    """The family name as far as the name shows it: Chinese by its first (or compound) characters, "Last, First" by comma.

    Of a name with a dot it is the last part (阿不都热合曼·吐尔逊: 吐尔逊).
    """
    name = name.strip()
    if "," in name or "，" in name:
        return name.replace("，", ",").split(",")[0].strip()
    if parts := _dotted(name):
        return parts[-1]
    if is_chinese(name):
        compact = "".join(name.split())
        return compact[:2] if compact[:2] in COMPOUND_FAMILY_NAMES and len(compact) > 2 else compact[:1]
    words = name.split()
    return words[-1] if len(words) > 1 else name


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


def _dotted(name: str) -> list[str]:
    """The parts of a Chinese name written with a dot, [] for any other name."""
    parts = [part for part in _DOT.split(name.strip()) if part]
    return parts if len(parts) > 1 and is_chinese(name) else []


def _decomposed(text: str, table: Mapping[str, str]) -> list[str] | None:
    """The readings of the parts, longest first, when the whole text is made of parts of the table."""
    found: list[str] = []
    while text:
        part = next(
            (text[:length] for length in range(min(4, len(text)), 0, -1) if text[:length] in table), ""
        )
        if not part:
            return None
        found.append(table[part])
        text = text[len(part) :]
    return found


_BORROWED = {**romanised.TIBETAN, **romanised.MONGOLIAN, **romanised.TURKIC}


def _sound(text: str) -> str:
    """One part of a dotted name: known parts as their people write them, the rest by the sound of the characters."""
    read = ""
    while text:
        part = next((text[:n] for n in range(min(4, len(text)), 0, -1) if text[:n] in _BORROWED), "")
        read += _BORROWED.get(part) or romanised.SOUNDS.get(text[0]) or "".join(_syllables(text[0]))
        text = text[len(part) or 1 :]
    return read


def _borrowed(name: str) -> str:
    """The reading of a name written by its sound; "" for a Chinese one."""
    if parts := _dotted(name):
        return " ".join(_sound("".join(part.split())).capitalize() for part in parts)
    compact = "".join(name.split())
    if len(compact) < _SHORTEST_BORROWED:
        return ""
    if len(words := _decomposed(compact, romanised.TIBETAN) or []) > 1:
        return " ".join(word.capitalize() for word in words)
    for table in (romanised.MONGOLIAN, romanised.TURKIC):
        if words := _decomposed(compact, table) or []:
            return "".join(words).capitalize()
    return ""


@lru_cache(maxsize=20_000)
def _readings(name: str) -> tuple[str, tuple[str, ...]]:
    """Pinyin of the family name and the syllables of the rest."""
    family = split_family(name)
    given = "".join(name.split())[len(family) :]
    return FAMILY_READINGS.get(family) or "".join(_syllables(family)), _syllables(given)


def search_keys(*names: str) -> str:
    """Keys to search in, one space between: the plain name, its readings, the initials, the family name's pinyin."""
    keys: dict[str, None] = {}
    for name in filter(None, names):
        keys[plain(name)] = None
        if is_chinese(name):
            keys.update(dict.fromkeys(_chinese_keys(name)))
        else:
            keys.update(dict.fromkeys(plain(part) for part in name.replace("-", " ").split()))
    return " ".join(key for key in keys if key)[:400]


def _chinese_keys(name: str) -> Iterator[str]:
    if is_team(name):
        yield plain(latin_team(name))
        yield "".join(_syllables(name))
        yield "".join(syllable[0] for syllable in _syllables(name))
        return
    if borrowed := _borrowed(name):
        yield plain(borrowed)
        yield from (plain(word) for word in borrowed.split())
    if parts := _dotted(name):
        syllables = ["du" if c == "都" else s for c in "".join(parts) for s in _syllables(c)]
        yield "".join(syllables)
        yield "".join(syllable[0] for syllable in syllables)
        return
    family, given = _readings(name)
    for spelling in _UMLAUT_SPELLINGS:
        written = [_with_umlaut(syllable, spelling) for syllable in (family, *given)]
        yield "".join(written)
        yield "".join(_with_umlaut(syllable, spelling) for syllable in _syllables(name))
        yield written[0]
    yield "".join(syllable[0] for syllable in (family, *given) if syllable)


def _with_umlaut(syllable: str, spelling: str) -> str:
    """lv -> lu, lyu: only after l and n does pinyin tell u and ü apart."""
    return spelling.join((syllable[0], syllable[2:])) if syllable[:2] in {"lv", "nv"} else syllable


def latin(name: str, *, team: bool = False) -> str:
    """A reading in Latin letters, "" where the name is already in them: 张伟 -> Zhang Wei, 北京队 -> Beijing."""
    if not is_chinese(name):
        return ""
    if team or is_team(name):
        return latin_team(name)
    if borrowed := _borrowed(name):
        return borrowed
    family, given = _readings(name)
    return " ".join(part.capitalize() for part in (family, _joined(given)) if part)


def _joined(syllables: tuple[str, ...]) -> str:
    """One word; a syllable that begins with a vowel is set off: wan'er, xi'an (GB/T 16159)."""
    return "".join(
        f"'{syllable}" if number and syllable[0] in "aeo" else syllable
        for number, syllable in enumerate(syllables)
    )


def is_team(name: str) -> bool:
    """Whether a name can only be that of a team, a club or a place."""
    compact = "".join(name.split())
    return compact.endswith(_TEAM_ENDINGS) or compact in romanised.PROVINCES


def latin_team(name: str) -> str:
    """The name of a team or club for readers of Latin letters: 北京一队 -> Beijing 1. "" where it is in them already."""
    if not is_chinese(name):
        return ""
    rest = "".join(name.split())
    place = next((rest[:n] for n in range(min(4, len(rest)), 1, -1) if rest[:n] in romanised.PLACES), "")
    words = [romanised.PLACES[place].replace("-", " ")] if place else []
    rest = rest[len(place) :]
    loose = ""
    while rest:
        known = next(
            (rest[:n] for n in range(min(5, len(rest)), 0, -1) if rest[:n] in romanised.TEAM_WORDS), ""
        )
        if known and (words or loose):
            words += [_word(loose)] if loose else []
            word = romanised.TEAM_WORDS[known].replace("-", " ").strip()
            words += [word] if word else []
            loose, rest = "", rest[len(known) :]
        else:
            loose, rest = loose + rest[0], rest[1:]
    words += [_word(loose)] if loose else []
    return " ".join(words)


def _word(text: str) -> str:
    """A place or another word of the name: one word in pinyin, what is no Chinese as it stands."""
    return _joined(_syllables(text)).capitalize() if is_chinese(text) else text


def address_code(name: str, *, length: int = 18) -> str:
    """Small letters and digits of a name, Chinese by its pinyin, in whole syllables: 岳阳公开赛 -> yueyanggongkaisai."""
    code = ""
    for part in lazy_pinyin(name, style=Style.NORMAL):
        piece = "".join(c for c in plain(part) if c.isascii() and c.isalnum())
        if code and len(code) + len(piece) > length:
            break
        code += piece
    return code[:length]
