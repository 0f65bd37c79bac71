"""The one decoder of files: what reads in one way only is read, all else is asked, and nothing is decoded wrongly in silence."""

from __future__ import annotations

import itertools
import random

import pytest

from tournaments.encodings import CHOICES, Encoding, decode, encoding_named
from tournaments.errors import BadInput

LISTS = {
    "gb18030": "姓名,单位\n张伟,北京市棋院\n李娜,上海\n王芳,广州天河\n",
    "big5": "姓名,單位\n陳怡君,臺北\n林志豪,高雄\n",
    "cp1251": "имя;клуб\nИванов;Москва\nПетров;Казань\n",
    "koi8-r": "имя;клуб\nИванов;Москва\nПетров;Казань\n",
    "cp1250": "Nazwisko;Klub\nŻółkiewski Łukasz;Gdańsk\nWiśniewska Małgorzata;Poznań\n",
    "cp1257": "Vardas;Klubas\nKazlauskaitė Rūta;Šiauliai\nJokūbauskas Žygimantas;Panevėžys\n",
    "cp1252": "name,rating\nMüller,1200\nJosé,1300\n",
}


def refusal(content: bytes) -> BadInput:
    with pytest.raises(BadInput) as caught:
        decode(content)
    return caught.value


@pytest.mark.parametrize("codec", LISTS)
def test_a_list_that_reads_in_one_way_only_is_read(codec: str) -> None:
    decoded = decode(LISTS[codec].encode(codec))

    assert (decoded.text, decoded.encoding, decoded.damaged) == (LISTS[codec], codec, 0)


@pytest.mark.parametrize(
    ("codec", "text", "candidates"),
    [
        ("cp1252", "2ème Open de Genève", {"Windows-1250", "Windows-1252"}),
        ("cp1252", "Boomstra, Roël", {"Windows-1252", "Windows-1257"}),
        ("gb18030", "张伟", {"GB18030", "Windows-1251"}),
        ("euc-kr", "이름,소속\n김민수,서울\n", {"EUC-KR", "GB18030"}),
    ],
)
def test_a_text_that_reads_in_several_ways_is_refused_with_their_names(
    codec: str, text: str, candidates: set[str]
) -> None:
    error = refusal(text.encode(codec))

    assert error.code == "encoding-undecidable"
    assert candidates <= set(str(error.values["candidates"]).split(", "))
    assert decode(text.encode(codec), encoding=Encoding(codec)).text == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_mark_and_without_separator_is_refused(codec: str) -> None:
    assert refusal("张伟".encode(codec)).code == "encoding-undecidable"


FAMILY = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红文辉建波宁浩宇子轩欣怡梓涵一诺思远嘉琪雨泽晨曦昊天博文"
RUSSIAN = "Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков Алексеев Лебедев Семёнов Егоров Павлов Козлов Степанов Николаев Орлов Андреев Макаров Никитин Захаров Анна Ольга Пётр Игорь Юрий Яков".split()
WESTERN = "Müller Jürgen José Muñoz François Hélène Görge Åke Björn Sørensen Ångström Peña Íñigo João Gonçalves Noël Zoë Jérôme Benoît Thérèse".split()
CENTRAL = "Łukasz Wiśniewska Żółkiewski Małgorzata Dvořák Jiří Novákova Šťastný Kateřina Győző Tőkés Čaba Ağa Đorđe Ljubiša Žarko Ştefan".split()
BALTIC = "Kazlauskaitė Rūta Žygimantas Jūratė Bērziņš Jānis Kalniņa Līga Ozoliņš Šķēle Ūla Čepulytė Pärt Jõgi".split()


def chinese(chance: random.Random) -> str:
    return chance.choice(FAMILY) + "".join(chance.choices(GIVEN, k=chance.choice((1, 2))))


def word_of(codec: str, chance: random.Random) -> str:
    if codec in ("gb18030", "utf-8"):
        return chinese(chance)
    words = {"cp1251": RUSSIAN, "koi8-r": RUSSIAN, "cp1252": WESTERN, "cp1250": CENTRAL, "cp1257": BALTIC}[
        codec
    ]
    return chance.choice([word for word in words if word.encode(codec, errors="replace").count(b"?") == 0])


@pytest.mark.parametrize("codec", ["gb18030", "utf-8", "cp1251", "koi8-r", "cp1252", "cp1250", "cp1257"])
def test_lists_of_names_are_read_rightly_or_asked_never_wrongly(codec: str) -> None:
    chance = random.Random(8)
    read = 0
    for size in itertools.chain.from_iterable(itertools.repeat((1, 2, 3, 5, 8, 20, 60), 40)):
        lines = [f"{number},{word_of(codec, chance)},{chance.randrange(900, 2500)}" for number in range(size)]
        text = "\n".join(lines) + "\n"
        try:
            found = decode(text.encode(codec))
        except BadInput as error:
            assert error.code == "encoding-undecidable"
            continue
        assert found.text == text
        read += 1

    assert read > 0


def test_utf_8_with_a_bad_byte_stays_utf_8_and_says_so() -> None:
    data = "白方：张三 黑方：李四\n1. 32-28 19-23".encode() + b" \xff 2. 28x19"

    decoded = decode(data)

    assert (decoded.encoding, decoded.damaged, decoded.text.count("\ufffd")) == (Encoding.UTF_8, 1, 1)
    with pytest.raises(BadInput) as caught:
        decode(data, is_strict=True)
    assert (caught.value.code, caught.value.values["line"]) == ("encoding-broken", 2)


def test_every_encoding_can_be_chosen_by_its_name() -> None:
    assert [encoding_named(name) for name, _ in CHOICES] == [None, *Encoding]
    with pytest.raises(BadInput) as caught:
        encoding_named("klingon")
    assert caught.value.code == "encoding-unknown"
