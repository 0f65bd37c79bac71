"""The standings command: a table or JSON from a report file, and one sentence with the line for a wrong one."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments.engine.presets import PRESETS

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "trf"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("standings", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def report(tmp_path: Path) -> Path:
    def row(number: int, points: str, *cells: str) -> str:
        head = f"001 {number:>4}      {f'棋手{number}':<33} {1900 + number:>4} {'':>3} {'':>11} {'':>10} {points:>4} {'':>4}"
        return head + "".join("  " + cell for cell in cells)

    lines = [
        "012 Four",
        row(1, "1.5", "   3 w 1", "   2 b ="),
        row(2, "1.5", "   4 b 1", "   1 w ="),
        row(3, "1.0", "   1 b 0", "   4 w 1"),
        row(4, "0.0", "   2 w 0", "   3 b 0"),
    ]
    path = tmp_path / "four.trf"
    path.write_text("\r".join(lines) + "\r", encoding="utf-8")
    return path


def test_json_has_places_points_and_every_code_that_is_asked_for(report: Path) -> None:
    data = json.loads(run(str(report), "--json", "--tiebreaks", "SOLKOFF,SOLKOFF_TRUNC_1,wins_black,ARO"))

    assert data["players"] == {
        "1": {"rank": 1, "points": 3, "SOLKOFF": 5, "SOLKOFF_TRUNC_1": 3, "wins_black": 0, "ARO": 1903},
        "2": {"rank": 2, "points": 3, "SOLKOFF": 3, "SOLKOFF_TRUNC_1": 3, "wins_black": 1, "ARO": 1903},
        "3": {"rank": 3, "points": 2, "SOLKOFF": 3, "SOLKOFF_TRUNC_1": 3, "wins_black": 0, "ARO": 1903},
        "4": {"rank": 4, "points": 0, "SOLKOFF": 5, "SOLKOFF_TRUNC_1": 3, "wins_black": 0, "ARO": 1903},
    }
    assert (data["preset"], data["policy"]["forfeits_in_solkoff"]) == (None, False)


def test_json_without_codes_has_the_usual_ones(report: Path) -> None:
    data = json.loads(run(str(report), "--json"))

    assert data["players"]["2"] == {
        "rank": 2,
        "points": 3,
        "SOLKOFF": 3,
        "SOLKOFF_TRUNC_1": 3,
        "SOLKOFF_TRUNC_2": 0,
        "SOLKOFF_TRUNC_3": 0,
        "SOLKOFF_MEDIAN": 0,
        "SB": 2 * 0 + 1 * 3,
        "WINS": 1,
        "CUM": 2 + 3,
        "games_black": 1,
        "wins_black": 1,
        "ARO": 1903,
    }


def test_as_of_round_one(report: Path) -> None:
    data = json.loads(run(str(report), "--json", "--after", "1", "--tiebreaks", ""))

    assert {player: (row["rank"], row["points"]) for player, row in data["players"].items()} == {
        "1": (1, 2),
        "2": (1, 2),
        "3": (3, 0),
        "4": (3, 0),
    }


def test_table_is_aligned_and_shares_places(report: Path) -> None:
    assert run(str(report), "--tiebreaks", "WINS").split("\n")[:9] == [
        "Four: standings after round 2",
        "",
        "place  no.  name   points  WINS",
        "  1-2    1  棋手1       3     1",
        "  1-2    2  棋手2       3     1",
        "    3    3  棋手3       2     1",
        "    4    4  棋手4       0     0",
        "",
        "Byes and forfeits (no preset: the practice of draughts):",
    ]


def test_lots_come_from_the_seed(report: Path) -> None:
    one = run(str(report), "--tiebreaks", "WINS,LOTS", "--lots", "5")

    assert one == run(str(report), "--tiebreaks", "WINS,LOTS", "--lots", "5")
    assert "1-2" not in one


@pytest.mark.parametrize("name", ["nine_trf16.trf", "twelve_trf26.trf", "six_ruling.trf"])
def test_own_files_give_a_table(name: str) -> None:
    assert "standings after round" in run(str(GOLDEN / name))


@pytest.mark.parametrize(
    ("old", "new", "arguments", "part"),
    [
        (" 1.5 ", " 2.5 ", (), "line 2, column 81: player 1 has 2.5 points, but the results give 1.5"),
        ("   3 w 1", "   3 w =", (), "line 2"),
        ("", "", ("--after", "3"), "--after 3: the file has rounds 1 to 2"),
        ("", "", ("--tiebreaks", "NONSENSE"), "no tie-break is called 'NONSENSE'"),
    ],
)
def test_what_is_wrong_ends_with_code_two_and_the_reason(
    report: Path, old: str, new: str, arguments: tuple[str, ...], part: str
) -> None:
    if old:
        text = report.read_bytes().decode()
        report.write_bytes(text.replace(old, new, 1).encode())

    with pytest.raises(CommandError) as caught:
        run(str(report), *arguments)

    assert caught.value.returncode == 2
    assert part in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.trf: No such file") as caught:
        run(str(tmp_path / "none.trf"))

    assert caught.value.returncode == 2


FORFEIT = """012 Round robin
162  W 2.0    D 1.0
001    1 m    A                                 2000 CHN                         3.0    2     4 w 0     2 b =     3 w 1
001    2 m    B                                 2000 CHN                         3.0    2     3 w +     1 w =     4 b 0
001    3 m    C                                 2000 CHN                         1.0    4     2 b -     4 w =     1 b 0
001    4 m    D                                 2000 CHN                         5.0    1     1 b 1     3 b =     2 w 1
"""


class TestPreset:
    @pytest.fixture
    def forfeit(self, tmp_path: Path) -> Path:
        path = tmp_path / "forfeit.trf"
        path.write_text(FORFEIT)
        return path

    def test_it_brings_its_order_and_its_treatment(self, forfeit: Path) -> None:
        data = json.loads(run(str(forfeit), "--json", "--preset", "xiangqi_2011_round_robin"))

        assert [data["players"][number]["SB"] for number in "1234"] == [5, 5, 5, 13]
        assert (data["preset"], data["policy"]["forfeits_in_wins"]) == ("XIANGQI_2011_ROUND_ROBIN", True)

    def test_an_order_of_ones_own_keeps_its_treatment(self, forfeit: Path) -> None:
        told = ["--json", "--tiebreaks", "WINS"]
        wins = [
            json.loads(run(str(forfeit), *told, *more))["players"]["2"]["WINS"]
            for more in ([], ["--preset", "FMJD_ROUND_ROBIN"])
        ]
        assert wins == [0, 1]

    def test_the_table_says_which_treatment_it_used(self, forfeit: Path) -> None:
        assert "Byes and forfeits (no preset: the practice of draughts):" in run(str(forfeit))
        told = run(str(forfeit), "--preset", "FMJD_SWISS")
        assert "Byes and forfeits (preset FMJD_SWISS):" in told
        assert "A forfeited pairing gives the points of the opponent to Solkoff: yes" in told

    def test_every_preset_makes_a_table(self, forfeit: Path) -> None:
        for code in PRESETS:
            assert f"preset {code}" in run(str(forfeit), "--preset", code)
        with pytest.raises(CommandError, match="there is no such preset"):
            run(str(forfeit), "--preset", "FIDE")
