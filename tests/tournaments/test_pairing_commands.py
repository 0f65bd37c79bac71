"""The commands on report files: what they print, how they end, and that they need no database."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engine.builders import rounds
from tournaments.engine import trf
from tournaments.engine.types import Player, Tournament

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "swiss"
STATES = sorted(GOLDEN.glob("*.trf"))


def run(*args: str, **options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=io.StringIO(), **options)
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code, out.getvalue()
    return 0, out.getvalue()


def boards_of(printed: str) -> str:
    """What was printed without the lines of remarks."""
    return "".join(f"{line}\n" for line in printed.splitlines() if not line.startswith("#"))


def rounds_of(path: Path) -> int:
    return len(trf.read(trf.decode(path.read_bytes())).tournament.rounds)


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.name)
def test_pair_prints_boards_in_order(path: Path) -> None:
    expected = path.with_suffix(".pairs").read_text()

    code, printed = run("pair", str(path))

    assert boards_of(printed) == expected
    assert expected == "NO_VALID_PAIRING\n" or f"# round {rounds_of(path) + 1}\n" in printed
    assert code == (1 if expected == "NO_VALID_PAIRING\n" else 0)


def test_pair_as_json_says_the_same_and_why() -> None:
    path = next(path for path in STATES if "mixed" in path.name)
    _, lines = run("pair", str(path))

    code, printed = run("pair", str(path), "--json", "--explain")

    data = json.loads(printed)
    boards = [f"{board['white']} {board['black']}" for board in data["boards"]]
    assert code == 0
    assert [str(len(boards)), *boards] == boards_of(lines).split("\n")[:-1]
    assert f"# round {data['round']}\n" in lines
    assert len(data["digest"]) == 64
    paired = {player for board in data["boards"] for player in (board["white"], board["black"]) if player}
    assert {int(number) for number in data["explanations"]} == paired


def test_pair_explained_in_lines_keeps_the_boards_first() -> None:
    path = next(path for path in STATES if "mixed" in path.name)
    _, plain = run("pair", str(path))

    _, printed = run("pair", str(path), "--explain")

    boards = boards_of(plain)
    assert printed.startswith(boards)
    told = printed[len(boards) :].strip().split("\n")
    assert all(line.startswith("# ") for line in told)
    paired = sum(len([p for p in row.split() if p != "0"]) for row in boards.split("\n")[1:])
    assert len(told) == paired + len(plain[len(boards) :].strip().split("\n"))


def test_no_pairing_as_json_names_the_players() -> None:
    path = next(path for path in STATES if "none" in path.name)

    code, printed = run("pair", str(path), "--json")

    assert code == 1
    data = json.loads(printed)
    assert data["error"] == "NO_VALID_PAIRING"
    assert data["players"]


@pytest.mark.parametrize("command", ["pair", "check_pairings"])
def test_a_wrong_file_ends_with_two_and_its_line(command: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.trf"
    lines = STATES[0].read_text().split("\n")
    place = next(k for k, line in enumerate(lines) if line.startswith("001"))
    lines[place] = lines[place][:91] + "  99 w 1" + lines[place][99:]
    broken.write_text("\n".join(lines))

    with pytest.raises(CommandError, match=f"line {place + 1}") as caught:
        run(command, str(broken))
    assert caught.value.returncode == 2

    with pytest.raises(CommandError) as caught:
        run(command, str(tmp_path / "none.trf"))
    assert caught.value.returncode == 2


def test_check_pairings_finds_nothing_in_what_the_engine_paired(tmp_path: Path) -> None:
    path = tmp_path / "simulated.trf"
    code, _ = run("simulate", "--players", "24", "--rounds", "5", "--absences", "8", "--output", str(path))
    assert code == 0

    assert run("check_pairings", str(path)) == (0, "5 rounds checked: 0 differences, 0 breaches\n")
    code, printed = run("check_pairings", str(path), "--json")
    assert code == 0
    assert [round_["round"] for round_ in json.loads(printed)["rounds"]] == [1, 2, 3, 4, 5]


def test_check_pairings_names_a_difference_and_ends_with_one(tmp_path: Path) -> None:
    path = tmp_path / "swapped.trf"
    swapped = Tournament(players=tuple(Player(number=n) for n in range(1, 5)), rounds=rounds(["1-2:1 3-4:="]))
    path.write_text(trf.write(trf.TrfFile(tournament=swapped)))

    code, printed = run("check_pairings", str(path))

    assert code == 1
    assert printed == (
        "round 1: pairs: the engine says 1-3, 4-2, the file has 1-2, 3-4\n1 rounds checked: 1 differences, 0 breaches\n"
    )


def test_simulate_prints_a_readable_file_and_refuses_nonsense() -> None:
    _, text = run("simulate", "--players", "9", "--rounds", "3", "--seed", "4")

    tournament = trf.read(text).tournament
    assert (len(tournament.players), len(tournament.rounds)) == (9, 3)
    for wrong in (["--draws", "101"], ["--players", "0"]):
        with pytest.raises(CommandError) as caught:
            run("simulate", *wrong)
        assert caught.value.returncode == 2
