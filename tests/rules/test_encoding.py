from __future__ import annotations

import pytest

from rules.encoding import EncodingError, decode

WESTERN = '[Event "2ème Open du Léman"]\n[Site "Genève, Hôtel d\'Angleterre"]\n'
CHINESE = '[Event "全国国际跳棋锦标赛"]\n[White "张伟"]\n[Black "李娜"]\n'
RUSSIAN = '[Event "Первенство Москвы"]\n[White "Иванов П."]\n[Black "Сидоров А."]\n'


@pytest.mark.parametrize(
    ("text", "written", "found"),
    [
        ("1. 32-28", "ascii", "ascii"),
        (WESTERN, "utf-8", "utf-8"),
        (WESTERN, "utf-8-sig", "utf-8-sig"),
        (WESTERN, "utf-16", "utf-16"),
        (WESTERN, "utf-16-le", "utf-16-le"),
        (WESTERN, "utf-16-be", "utf-16-be"),
        (WESTERN, "cp1252", "cp1252"),
        (CHINESE, "gb18030", "gb18030"),
        (CHINESE, "gbk", "gb18030"),
        (RUSSIAN, "cp1251", "cp1251"),
    ],
)
def test_the_encoding_of_a_file_is_found(text, written, found):
    decoded = decode(text.encode(written))

    assert (decoded.text.removeprefix("\ufeff"), decoded.encoding) == (text, found)
    assert decoded.alternatives == ()


def test_a_doubtful_encoding_names_what_else_would_do():
    decoded = decode(b'[White "\xcd\xee"]')

    assert decoded.alternatives


def test_the_reader_may_say_the_encoding():
    assert decode("é".encode("cp1252"), encoding="latin-1").text == "é"


@pytest.mark.parametrize(
    ("data", "encoding", "line"),
    [
        (b"1. 32-28\n\xff\xff", "utf-8", 2),
        (b"a\r\rb\xff", "ascii", 3),
        (b"32-28\n\x00\x01\x02\x00\x00", None, 2),
        (b"32-28", "klingon", 1),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_the_line(data, encoding, line):
    with pytest.raises(EncodingError) as caught:
        decode(data, encoding=encoding)

    assert caught.value.line == line


def test_utf_8_with_one_bad_byte_stays_utf_8() -> None:
    data = "白方：张三 黑方：李四\n1. 32-28 19-23".encode() + b" \xff 2. 28x19"

    found = decode(data)

    assert found.encoding == "utf-8"
    assert found.text.startswith("白方：张三")
    assert found.text.count("\ufffd") == 1
