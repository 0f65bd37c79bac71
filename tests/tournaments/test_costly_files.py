"""No file from outside holds up the site: every reader keeps to its time and memory on inputs made to be slow."""

from __future__ import annotations

import io
import itertools
import os
import random
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

import rules
from games import sheets
from games.pdn_reading import read_placed
from tournaments.confined import CPU_SECONDS, TooCostly, run_confined
from tournaments.documents import parsing as documents
from tournaments.errors import BadInput, SiteError
from tournaments.importers import report_file
from tournaments.importers.entry_list import preview_entries
from tournaments.importers.tables import MAX_BYTES, read_table

SLOWEST = (
    CPU_SECONDS * 4
)  # of the processor: no measure of speed, what grows with the square of its length takes minutes
LEAST_MEMORY = 256 * 1024 * 1024


def workbook(sheet: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
    return stream.getvalue()


def filled(unit: bytes, size: int) -> bytes:
    return (unit * (size // len(unit) + 1))[:size]


def outcome(read: Callable[[bytes], Any], content: bytes) -> str:
    """The code of the refusal, or nothing. Any other error fails the test."""
    try:
        read(content)
    except SiteError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    "unit", [b"<c ", b"<c r='A", b"<x:", b"<row ", b"<row r =", b"<c><", b"&lt;", b"<c r r r="]
)
def test_a_workbook_of_endless_tags_is_refused_at_once(unit: bytes) -> None:
    began = time.process_time()

    assert outcome(read_table, workbook(filled(unit, 2_000_000))) in {"workbook-broken", "file-empty"}
    assert time.process_time() - began < 1


def test_what_takes_too_long_is_ended_and_other_threads_go_on() -> None:
    turns: list[float] = []
    done = threading.Event()

    def turn() -> None:
        while not done.wait(0.01):
            turns.append(time.monotonic())

    other = threading.Thread(target=turn)
    other.start()
    try:
        with pytest.raises(TooCostly):
            run_confined(rules.read_pdn, b"* " * 5_000_000)
    finally:
        done.set()
        other.join()

    assert max(after - before for before, after in itertools.pairwise(turns)) < 1


def test_what_takes_too_much_memory_is_ended() -> None:
    with pytest.raises(TooCostly):
        run_confined(bytearray, LEAST_MEMORY * 2)


def test_a_refusal_comes_through_in_the_words_of_the_reader() -> None:
    with pytest.raises(BadInput) as caught:
        run_confined(read_table, b"\x89PNG....", sheet="")

    assert (caught.value.code, caught.value.values["kind"]) == ("not-a-table", "PNG")
    assert "PNG" in str(caught.value)


def test_the_keys_of_the_site_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden")

    assert run_confined(os.getenv, "SECRET_KEY") is None
    assert run_confined(os.getenv, "PATH") == os.environ["PATH"]


TABLES = [
    b"a,", b'"', b'""', b'"a"\n', b"a\n", b";\t,", b"\xb0\xa1", b"\xd5\xc5\xce\xb0,1\n", b"\xc3\xa9", b"a\x00", b"\x00a",
    "张伟,男,1500\n".encode(), b"name\nA\n", "姓名,等级分\n".encode() + b"A,", b"x" * 1999 + b",",
]  # fmt: skip
GAMES = [
    b"[",
    b"(",
    b"{",
    b"1.",
    b"1. 32-28 19-23 ",
    b'[Event "x"]\n1. 32-28 *\n\n',
    b"1-",
    b"*",
    b'[A "',
    b" ",
    b"32x",
    b";",
    b"\xb0\xa1",
]


@pytest.mark.parametrize("unit", TABLES)
def test_a_table_is_read_or_refused_within_the_limits(unit: bytes) -> None:
    assert outcome(lambda content: run_confined(preview_entries, content), filled(unit, MAX_BYTES))


@pytest.mark.parametrize("unit", GAMES)
def test_games_are_read_or_refused_within_the_limits(unit: bytes) -> None:
    assert outcome(lambda content: run_confined(read_placed, content), filled(unit, 8_000_000))


def player(number: int) -> bytes:
    name = b"Name".ljust(33)
    return b"001 %4d m    %s2100 NED      123456 1990/00/00  0.0 %4d\n" % (number, name, number)


PLAYERS = b"".join(player(number) for number in range(1, 6000))
ALL = b"".join(b" %4d" % number for number in range(1, 6000))
REPORTS = {
    "many pairs": PLAYERS + b"XXP 1 2\n" * 40_000,
    "long groups": PLAYERS + (b"XXP" + ALL + b"\n") * 80,
    "groups of rounds": PLAYERS + (b"260   1  99" + ALL + b"\n") * 80,
    "absent": PLAYERS + (b"XXZ" + ALL + b"\n") * 80,
    "byes": PLAYERS + (b"240 F   1" + ALL + b"\n") * 80,
    "virtual points": PLAYERS + b"250       1.0 001 999    1 9999\n" * 40_000,
    "one by one": PLAYERS + b"250       1.0 001 999    1    1\n" * 40_000,
    "lines": b"XXP 1 2\r" * 2_000_000,
    "no line": b"a" * 20_000_000,
}
DOCUMENTS = {
    "lists": b"[" + b"[]," * 1_499_990 + b"1]",
    "objects": b"[" + b'{"a":1},' * 749_990 + b"1]",
    "members": b"{" + b",".join(b'"%d":1' % number for number in range(740_000)) + b"}",
    "text": b'["' + "😀".encode() + b"a" * 25_000_000 + b'"]',
    "depth": b"[" * 20_000_000,
    "more": b"[" + b"[]," * 5_000_000 + b"1]",
}


def cost(read: Callable[[bytes], Any], content: bytes) -> float:
    began = time.process_time()
    outcome(read, content)
    return time.process_time() - began


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_read_or_refused_in_time(name: str) -> None:
    assert cost(report_file.read_report, REPORTS[name]) < SLOWEST


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_read_or_refused_in_time(name: str) -> None:
    assert cost(documents.parse, DOCUMENTS[name]) < SLOWEST


def test_a_document_stays_within_its_memory() -> None:
    tracemalloc.start()
    try:
        outcome(documents.parse, DOCUMENTS["objects"])
        assert tracemalloc.get_traced_memory()[1] < LEAST_MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("unit", GAMES)
def test_a_scoresheet_is_read_and_judged_in_time(unit: bytes) -> None:
    def judge(content: bytes) -> None:
        rules.validate(sheets.read_sheet(content.decode("latin-1")))

    assert cost(judge, filled(unit, sheets.LARGEST_SHEET)) < SLOWEST


PIECES = [*GAMES, *TABLES[:-1], b"\r\n", b"\xff\xfe", b"sep=;\n", b"<c ", b"]", b")", b"}", b"\\"]


@pytest.mark.parametrize("seed", range(6))
def test_any_mixture_of_such_pieces_is_read_in_time(seed: int) -> None:
    chosen = random.Random(seed)
    content = b"".join(chosen.choice(PIECES) * chosen.choice([1, 3, 50_000]) for _ in range(40))

    for read in (read_table, read_placed):
        outcome(lambda text, read=read: run_confined(read, text), content[:MAX_BYTES])
