"""Family names and search keys, in any script."""

from __future__ import annotations

import pytest

from tournaments.wording import names


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("张伟", "张"),
        ("欧阳明月", "欧阳"),
        ("欧阳", "欧"),  # two characters: the family name is the first
        ("諸葛 亮亮", "諸葛"),
        ("司马懿", "司马"),
        ("Roel Boomstra", "Boomstra"),
        ("Boomstra, Roel", "Boomstra"),
        ("王，小明", "王"),
        ("Sukhbaatar", "Sukhbaatar"),
        ("  Jan  van den  Berg ", "Berg"),
        ("", ""),
    ],
)
def test_the_family_name_is_split_off(name: str, family: str) -> None:
    assert names.split_family(name) == family


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("张伟", "Zhang Wei"),
        ("单晓丽", "Shan Xiaoli"),
        ("曾国藩", "Zeng Guofan"),
        ("尉迟恭", "Yuchi Gong"),
        ("吕布", "Lv Bu"),  # as keyboards type it
        ("Roel Boomstra", ""),
        ("", ""),
    ],
)
def test_the_reading_in_latin_letters(name: str, latin: str) -> None:
    assert names.latin(name) == latin


@pytest.mark.parametrize("key", ["张伟", "zhangwei", "zw", "zhang"])
def test_a_chinese_name_is_found_by_characters_pinyin_initials_and_family_name(key: str) -> None:
    assert key in names.search_keys("张伟").split()


@pytest.mark.parametrize("key", ["shanxiaoli", "danxiaoli", "sxl", "shan"])
def test_a_family_name_with_its_own_reading_is_found_by_both(key: str) -> None:
    assert key in names.search_keys("单晓丽").split()


@pytest.mark.parametrize("key", ["joseeduardo", "jose", "eduardo"])
def test_accents_and_hyphens_do_not_hide_a_name(key: str) -> None:
    assert key in names.search_keys("José-Eduardo").split()


@pytest.mark.parametrize("name", ["Сухэ-Батор", "בן גוריון", "しょうぎ", "ᠮᠣᠩᠭᠣᠯ"])
def test_any_other_script_is_found_as_written(name: str) -> None:
    assert names.plain(name) in names.search_keys(name).split()


def test_keys_fit_their_column() -> None:
    assert len(names.search_keys(*("Name" * 40 for _time in range(5)))) <= 400


def test_plain_is_blind_to_case_accents_spaces_and_signs() -> None:
    assert names.plain(" Él-Ñandú 7 ") == "elnandu7"
