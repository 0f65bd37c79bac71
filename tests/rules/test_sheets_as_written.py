"""Sheets as players and programs write them: each read whole, or what is odd named where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import Status, read_sheet, validate

CASES = Path(__file__).parents[3] / "shared" / "cases" / "sheets.jsonl"
PLAIN = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 5-10 5. 46-41 14-19"
MOVES = tuple(move for move in PLAIN.split() if not move.endswith("."))


def judged(text: str):
    sheet = read_sheet(text)
    return sheet, validate(sheet)


def signed(sign: str) -> str:
    return PLAIN.replace("-", sign).replace("x", sign)


def cases() -> list[dict]:
    return (
        [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
        if CASES.exists()
        else []
    )


@pytest.mark.skipif(
    not CASES.exists(), reason="the sheets that failed are not beside this checkout (../shared/cases)"
)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["about"])
def test_every_sheet_that_failed_is_read_whole_or_its_place_named(case):
    sheet, verdict = judged(case["text"])

    if "gap_at" in case:
        assert (verdict.problem.ply, verdict.problem.kind, len(sheet.moves)) == (
            case["gap_at"],
            "not-written",
            case["plies"] + 1,
        )
        return
    assert verdict.plies == case["plies"]
    assert verdict.status is Status.LEGAL or verdict.unread
    if case.get("results_differ"):
        assert "results-differ" in [found.kind for found in verdict.disagreements]


@pytest.mark.parametrize(
    "sign",
    ["→", "⇒", "->", "=>", "—", "–", "―", "−", "﹣", "～", "~", "到", "至", "走", "吃", "打", "跳", "×", "✕", "х", "：", "·", "•",
     "‧", "・", "/", "／", "\\", "|", ",", "，", "+", "=", "^", "&", "_", "'", "°", "§", ">", " to ", " naar ", " slaat ", " 到 ", " → ",
     " - ", "."],
)  # fmt: skip
def test_whatever_sign_stands_between_the_squares_the_moves_are_read(sign):
    _, verdict = judged(signed(sign))

    assert (verdict.status, verdict.plies, verdict.unread) == (Status.LEGAL, 10, ())


@pytest.mark.parametrize("number", ["#{}", "{}/", "{}·", "{}•", "{})", "({})", "第{}回合"])
def test_moves_are_numbered_in_many_ways(number):
    moves = "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19".split()
    text = "\n".join(f"{number.format(n + 1)} {moves[2 * n]} {moves[2 * n + 1]}" for n in range(4))

    sheet, verdict = judged(text)

    assert (sheet.moves, verdict.status, verdict.unread) == (tuple(moves), Status.LEGAL, ())


@pytest.mark.parametrize(
    "head",
    [
        "白方：张三（国家大师）  黑方：李四",
        "第3轮 第5台 2024年5月1日",
        "电话：138-1234-5678",
        "Blancs : Dupont  Noirs : Martin",
        "Partij 12-3 Ronde 5, 10-05-2024",
        "Cadence 80'+1'",
        "Score 2-0",
        "[White Li]\n[Black Wang]\n[Result 1-1]",
        "[white 'Li']\n[black “Wang”]",
        "[White &quot;Li&quot;]",
        "Opening: 32-28 variant 19-23",
        "A. Player (32) - B. Player (28)",
    ],
)
def test_no_header_is_a_move(head):
    sheet, verdict = judged(f"{head}\n\n{PLAIN}")

    assert (verdict.status, verdict.plies, verdict.unread) == (Status.LEGAL, 10, ())
    assert head.startswith("[") or sheet.asides[0].kind == "header"


@pytest.mark.parametrize(
    "clock", ["[0:05]", "(0:07)", "0:05", "1:19", "[%clk 1:12:30]", "5'", "1:12:30", "12:05", "3分20秒"]
)
def test_a_time_among_the_moves_is_a_time(clock):
    sheet, verdict = judged(PLAIN.replace(" 2.", f" {clock} 2."))

    assert (verdict.status, verdict.plies) == (Status.LEGAL, 10)
    assert clock in [aside.text for aside in sheet.asides if aside.kind == "clock"] or clock[0] == "("


@pytest.mark.parametrize("gap", ["-", "--", "...", "…", "空", "缺", "___", "—", "?"])
def test_a_move_left_out_keeps_its_place(gap):
    sheet, verdict = judged(f"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 {gap} 4. 41-37 5-10")

    assert (len(sheet.moves), verdict.problem.ply, verdict.problem.kind) == (8, 6, "not-written")


def test_an_empty_field_of_the_form_keeps_its_place():
    sheet, verdict = judged("1. 32-28 19-23 2. 28x19 14x23 3. 37-32 4. 41-37 5-10")

    assert (sheet.moves[5], verdict.problem.ply, verdict.problem.kind) == ("", 6, "not-written")


def test_numbers_that_count_single_moves_leave_nothing_out():
    assert judged("1. 32-28 2. 19-23 3. 28x19 4. 14x23")[1].plies == 4


@pytest.mark.parametrize("moves", ["32-28 l9-23", "32-28 19-23 28x19 14x23 37-32 1O-14", "3Z-28 19-23"])
def test_letters_that_look_like_digits_are_read_as_such_and_said(moves):
    _, verdict = judged(moves)

    assert (verdict.status, verdict.plies) == (Status.LEGAL, len(moves.split()))
    assert "letter-for-digit" in [remark.kind for remark in verdict.remarks]


def test_digits_alone_are_moves():
    text = "1. 3228 1923 2. 2819 1423 3. 3732 1014 4. 4137 510"

    assert judged(text)[1].plies == 8


@pytest.mark.parametrize("moves", ["28x23 14x19", "28x23x19 14x19x23", "28x19x23 14x23x19"])
def test_captures_that_name_the_piece_taken(moves):
    white, black = moves.split()
    _, verdict = judged(f"1. 32-28 19-23 2. {white} {black} 3. 37-32 10-14")

    assert (verdict.status, verdict.plies) == (Status.LEGAL, 6)


WHITE, BLACK = MOVES[::2], MOVES[1::2]


@pytest.mark.parametrize(
    ("moves", "layout"),
    [
        ([move for pair in zip(BLACK, WHITE, strict=True) for move in pair], "columns-exchanged"),
        ([*WHITE, *BLACK], "columns-one-below-the-other"),
        ([*BLACK, *WHITE], "columns-one-below-the-other"),
        (["19-23", "32-28", "23x32", "37x28", "14-19", "41-37"], "numbered-from-the-other-side"),
        (["32-28", "32-28", "28x19", "37x28", "37-32", "41-37"], "black-moves-numbered-from-the-other-side"),
        (["19-23", "19-23", "23x32", "14x23", "14-19", "10-14"], "white-moves-numbered-from-the-other-side"),
    ],
)
def test_sheets_written_the_other_way_round_are_recognised_and_said(moves, layout):
    _, verdict = judged(" ".join(moves))

    assert (verdict.status, verdict.plies) == (Status.LEGAL, len(moves))
    assert [str(remark.kind) for remark in verdict.remarks if not remark.ply] == [layout]


@pytest.mark.parametrize(
    ("own", "layout", "place"), [(WHITE, "white-moves-only", 0), (BLACK, "black-moves-only", 1)]
)
def test_own_moves_alone_stand_each_in_its_place(own, layout, place):
    sheet, verdict = judged("\n".join(f"{n}. {move}" for n, move in enumerate(own, 1)))

    assert sheet.moves[place::2] == own
    assert not any(sheet.moves[1 - place :: 2])
    assert ([str(found) for found in sheet.layouts], verdict.problem.kind) == ([layout], "not-written")


def test_times_behind_the_result_are_read():
    sheet, verdict = judged(f"{PLAIN} 2-0 用时：白 1:12:30 黑 1:20:05")

    assert (verdict.status, verdict.result, sheet.white_seconds, sheet.black_seconds) == (
        Status.LEGAL,
        "2-0",
        4350,
        4805,
    )


@pytest.mark.parametrize(
    "text",
    [
        "第1回合 白 32到28 黑 18到23\n第2回合 白 33到29 黑 23吃32\n",
        "1. 白32-28 黑18-23 2. 白33-29 黑23x32",
        "1.白方:32-28 黑方:18-23\n2.白方:33-29 黑方:23x32\n",
        "白：32-28\n黑：18-23\n白：33-29\n黑：23x32\n",
    ],
)
def test_moves_that_name_their_side_are_read(text: str) -> None:
    sheet, verdict = judged(text)

    assert [move.replace("到", "-").replace("吃", "x") for move in sheet.moves] == [
        "32-28",
        "18-23",
        "33-29",
        "23x32",
    ]
    assert not sheet.unread
    assert verdict.status is Status.LEGAL
