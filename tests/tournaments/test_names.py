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


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("阿不都热合曼·吐尔逊", "Abdurahman Tursun"),
        ("迪丽热巴 • 迪力木拉提", "Dilraba Dilmurat"),
        ("艾力・成都", "Eli Chengdu"),  # what no table knows keeps its pinyin; 都 is du in names
        ("买买提", "Memet"),
        ("扎西次仁", "Tashi Tsering"),
        ("苏和巴特尔", "Sukhbaatar"),
        ("乌云其木格", "Oyunchimeg"),
        ("江汗", "Jiang Han"),  # two characters are a Chinese name
        ("上官婉儿", "Shangguan Wan'er"),
        ("张天爱", "Zhang Tian'ai"),
    ],
)
def test_names_of_other_peoples_and_syllables_set_off(name: str, latin: str) -> None:
    assert names.latin(name) == latin


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("北京队", "Beijing"), ("重庆", "Chongqing"), ("重庆二队", "Chongqing 2"), ("陕西代表队", "Shaanxi"),
        ("成都棋院", "Chengdu Chess Academy"), ("火箭俱乐部", "Huojian Club"), ("Ajax", ""),
    ],
)  # fmt: skip
def test_teams_and_clubs_are_no_persons(name: str, latin: str) -> None:
    assert names.latin(name) == latin
    assert names.latin(name, team=True) == latin


def test_a_team_called_like_a_person_is_a_team() -> None:
    assert (names.latin("安庆"), names.latin("安庆", team=True)) == ("An Qing", "Anqing")


@pytest.mark.parametrize("query", ["吕布", "lü", "lu", "lyu", "lv", "lübu", "lyubu", "lvbu", "lubu", "lb"])
def test_an_umlaut_is_found_however_it_is_typed(query: str) -> None:
    assert names.plain(query) in names.search_keys("吕布").split()


@pytest.mark.parametrize(
    "query", ["阿不都热合曼·吐尔逊", "吐尔逊", "abdurahman", "tursun", "abudureheman", "tuerxun"]
)
def test_a_name_with_a_dot_is_found_by_its_parts_and_readings(query: str) -> None:
    assert any(names.plain(query) in key for key in names.search_keys("阿不都热合曼·吐尔逊").split())
    assert names.split_family("阿不都热合曼·吐尔逊") == "吐尔逊"
