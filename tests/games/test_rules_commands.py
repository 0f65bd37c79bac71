from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from games.wording.explanations import DISAGREEMENTS, DRAWS, KINDS, REMARKS, explain
from rules import DisagreementKind, DrawKind, Kind, RemarkKind, Sheet, validate


def run(name: str, *arguments: str) -> tuple[int, str]:
    """(exit code, standard output)."""
    out = io.StringIO()
    try:
        call_command(name, *arguments, stdout=out, stderr=io.StringIO())
    except SystemExit as exit_:
        return int(exit_.code or 0), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def judged(tmp_path, name: str, content: str | bytes) -> tuple[int, list[dict]]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out = run("validate", str(path), "--json")
    return code, [json.loads(line) for line in out.splitlines()]


def test_perft_prints_the_number_of_leaves():
    assert run("perft", "W:W31-50:B1-20", "4") == (0, "4265\n")
    assert run("perft", "W:WK5:B46", "1") == (0, "8\n")
    assert run("perft", "W:W32:B28", "1", "--divide")[1] == "32x23 (28,) 1\n1\n"


@pytest.mark.parametrize(("fen", "depth"), [("W:W31:B31", "1"), ("W:W60:B1", "1"), ("W:W31:B1", "-1")])
def test_perft_refuses_what_is_no_position(fen, depth):
    assert run("perft", fen, depth)[0] == 2


def test_legal_games_exit_with_nought(tmp_path):
    code, games = judged(tmp_path, "a.pdn", "1. 32-28 19-23 2. 28x19 14x23 2-0")

    assert code == 0
    (game,) = games
    assert (game["game"], game["status"], game["plies"], game["result"]) == (1, "legal", 4, "2-0")
    assert (game["ply"], game["move"], game["kind"], game["legal_moves"]) == (None, None, None, [])
    assert (game["remarks"], game["draws"], game["final"]) == ([], [], "open")


def test_a_game_that_is_not_legal_exits_with_one_and_explains(tmp_path):
    lines = ['{"moves": ["32-28", "19-23"]}', "", '{"moves": ["32-28", "19-23", "33-29", "1-1"]}']
    code, games = judged(tmp_path, "a.jsonl", "\n".join(lines))

    assert code == 1
    assert [game["status"] for game in games] == ["legal", "illegal"]
    fault = games[1]
    assert (fault["plies"], fault["ply"], fault["move"], fault["kind"]) == (
        2,
        3,
        "33-29",
        "capture-mandatory",
    )
    assert fault["articles"] == ["6.2", "6.3", "7.4.6"]
    assert fault["legal_moves"] == ["28x19"]
    assert fault["fen_before"].startswith("W:W28,31,33")
    assert (fault["captures_due"], fault["captures"]) == (1, [{"path": [28, 19], "takes": [23]}])


def test_plain_text_one_move_a_line(tmp_path):
    code, games = judged(tmp_path, "a.txt", "32 28\n19 23\n28 19\n")

    assert (code, games[0]["plies"]) == (0, 3)


def test_draws_remarks_and_the_final_position(tmp_path):
    shuttle = "47-36 5-10 36-47 10-5 " * 3
    text = f'[GameType "20"][FEN "W:WK47,31:BK5"] {shuttle}\n[FEN "W:W32:B28"][GameType "20"] 32-23'
    code, games = judged(tmp_path, "a.pdn", text)

    assert code == 0
    assert games[0]["draws"] == [{"kind": "threefold", "ply": 8}, {"kind": "5", "ply": 10}]
    assert games[1]["remarks"] == [{"ply": 1, "kind": "wrong-separator"}]
    assert games[1]["final"] == "white-wins"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", '{"moves": []}\n{', "line 2"),
        ("a.jsonl", '{"moves": "32-28"}', "line 1"),
        ("a.jsonl", '{"moves": [1]}', "line 1"),
        ("a.jsonl", "[" * 100_000, "line 1"),
        ("a.jsonl", "", "line 1"),
        ("a.jsonl", b"{}\n\xff\x00\x01", "line 2"),
        ("a.pdn", "nothing\nhere", "line 2"),
        ("a.pdn", b"1. 32-28\n\x00\x01\x02\x03", "line 2"),
    ],
)
def test_a_file_that_cannot_be_read_exits_with_two_and_says_where(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with translation.override("en"):
        code, message = run("validate", str(path), "--json")

    assert code == 2
    assert says in message


def given(monkeypatch, content: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode()), encoding="utf-8"))


@pytest.mark.parametrize(
    "content",
    [
        '{"moves": ["32-28", "19-23"]}\n{"moves": ["32-28"]}\n',
        '\ufeff\n {"moves": ["32-28", "19-23"]}\r\n{"moves": ["32-28"], "result": null}',
        "1. 32-28 19-23 1-1\n1. 32-28 2-0",
        "{a comment} 1. 32-28 19-23 1-1\n1. 32-28 2-0",
    ],
)
def test_standard_input_is_json_lines_or_anything_else(monkeypatch, content):
    given(monkeypatch, content)

    code, out = run("validate", "-", "--json")

    assert (code, [json.loads(line)["plies"] for line in out.splitlines()]) == (0, [2, 1])


def test_a_fault_in_json_lines_on_standard_input_is_named(monkeypatch):
    given(monkeypatch, '{"moves": ["32-28"]}\n{"moves": 5}\n')

    with translation.override("en"):
        code, out = run("validate", "-", "--json")

    assert code == 2
    assert "line 2" in out


def test_a_line_of_json_ends_where_the_line_ends(tmp_path):
    lines = ['{"moves": ["32-28"], "note": "a\u2028b\u0085c"}', '{"moves": ["32-28", "19-23"]}']
    code, games = judged(tmp_path, "a.jsonl", "\n".join(lines))

    assert (code, [game["plies"] for game in games]) == (0, [1, 2])


@pytest.mark.parametrize("more", ['"fen": 5', '"fen": ["W:WK5:B46"]', '"result": 2'])
def test_a_start_or_a_result_that_is_no_text_is_refused(tmp_path, more):
    path = tmp_path / "a.jsonl"
    path.write_text('{"moves": ["32-28"], ' + more + "}")

    with translation.override("en"):
        code, out = run("validate", str(path), "--json")

    assert code == 2
    assert "line 1" in out


def test_a_file_that_is_not_there_exits_with_two(tmp_path):
    code, message = run("validate", str(tmp_path / "none.pdn"))

    assert code == 2
    assert "none.pdn" in message


def test_people_read_a_verdict_in_their_language(tmp_path):
    path = tmp_path / "a.pdn"
    path.write_text("1. 32-28 19-23 2. 33-29", encoding="utf-8")

    with translation.override("en"):
        english = run("validate", str(path))[1]
    with translation.override("zh-hans"):
        chinese = run("validate", str(path))[1]

    assert "A capture is possible, so a capture must be made. (art. 6.2, 6.3, 7.4.6)" in english
    assert "Legal here: 28x19 (23)" in english
    assert "必须吃子" in chinese


def test_every_code_of_the_law_has_its_words():
    assert set(KINDS) == set(Kind)
    assert set(REMARKS) == set(RemarkKind)
    assert set(DISAGREEMENTS) == set(DisagreementKind)
    assert set(DRAWS) == set(DrawKind)


def test_a_problem_in_words_says_how_many_must_be_taken():
    problem = validate(Sheet(moves=("32-28", "19-23", "33-29"))).problem

    with translation.override("en"):
        assert explain(problem)[1] == "1 piece must be taken."


def test_no_command_of_the_law_touches_the_database(tmp_path):
    """No database mark on this module: opening a connection would fail the tests above."""
    assert run("perft", "W:W31-50:B1-20", "1") == (0, "9\n")


@pytest.mark.parametrize("program", [["-m", "rules"], ["manage.py"]])
def test_a_reader_who_has_enough_ends_a_command_without_a_word(program: list[str], tmp_path: Path) -> None:
    copies = tmp_path / "copies.jsonl"
    copies.write_text('{"sheet_white": ["32-28", "19-23", "28x19", "14x23"]}\n' * 40)
    command = subprocess.Popen(
        [sys.executable, *program, "reconstruct", str(copies)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert command.stdout is not None and command.stderr is not None
    command.stdout.readline()
    command.stdout.close()

    assert command.wait(timeout=120) == 0
    assert command.stderr.read() == b""
