"""A tournament out of a PDN file: the points are those that the file's results add up to."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

import rules
from games.models import Game
from games.pdn_grouping import name_key, outcome_of
from tournaments.models import Event, Pairing, Standings

pytestmark = pytest.mark.django_db

OWN = """[Event "Club evening"]
[Round "1"]
[White "Ann Bell"]
[Black "王 伟"]
[Result "2-0"]

1. 32-28 19-23 2. 28x19 14x23 2-0

[Event "Club evening"]
[Round "1"]
[White "Carl Dorn"]
[Black "Eva Funk"]
[Result "1/2-1/2"]

1. 33-28 18-22 1-1

[Event "Club evening"]
[Round "2"]
[White "Bell, Ann"]
[Black "Carl Dorn"]
[Result "0-1"]

1. 32-27 19-23 2. 27-22 0-2

[Event "Club evening"]
[Round "2"]
[White "Eva Funk"]
[Result "1-0"]

1. 32-28 1-0
"""
POINTS = {"WHITE": (2, 0), "BLACK": (0, 2), "DRAW": (1, 1)}
SHARED = Path(__file__).parents[2].parent / "shared" / "pdn"
REAL = [
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__Montpellier Open Serie A.pdn",
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__Championnat de France 2021.pdn",
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__4th African BLITZ Championship OUAGA ZIIRI 2024.pdn",
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__48th Polish Team Championship.pdn",
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__1er Open International Allinges 2007.pdn",
    "Yodachess+BrunoGUI_Dames/Dames_PartiesPdn_FEN__29eme Open d'Avignon 2014.pdn",
    "wiegerw+pdn/games__succeed__wk2003.pdn",
]


def run(path: Path, *options: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("import_pdn", str(path), "--json", *options, stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def points_of_file(data: bytes) -> Counter[str]:
    """The sums of the results as they stand in the file, by a count of its own."""
    points: Counter[str] = Counter()
    for game in rules.read_pdn(data).games:
        white, black = name_key(game.tag("White") or ""), name_key(game.tag("Black") or "")
        if not white or not black:
            continue
        tag = (game.tag("Result") or "").strip()
        said = tag if tag not in {"", "*", "?"} else rules.sheet_of(game).text_result or ""
        code = outcome_of(said)
        of_white, of_black = POINTS.get(code or "", (0, 0))
        points[white] += of_white
        points[black] += of_black
    return points


def test_players_rounds_boards_and_games(tmp_path: Path) -> None:
    file = tmp_path / "club.pdn"
    file.write_text(OWN, encoding="utf-8")

    said = run(file)

    assert {p["name"]: p["points"] for p in said["players"]} == {
        "Carl Dorn": 3, "Ann Bell": 2, "Eva Funk": 1, "王 伟": 0,
    }  # fmt: skip
    assert (said["rounds"], said["pairings"], said["games"]) == (2, 3, 3)
    assert [(r["game"], r["kind"]) for r in said["not_placed"]] == [(4, "no-player")]
    assert Pairing.objects.count() == Game.objects.count() == 3
    assert Game.objects.order_by("pk").first().moves == ["32-28", "19-23", "28x19", "14x23"]  # type: ignore[union-attr]
    assert Event.objects.get().state == Event.State.DRAFT


def test_a_file_without_a_game_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "letter.pdn"
    file.write_text("Dear friends, no game here.", encoding="utf-8")

    with pytest.raises(CommandError, match=r"letter\.pdn"):
        run(file)

    assert not Event.objects.exists()


def test_a_file_in_a_doubtful_encoding_is_read_once_the_encoding_is_named(tmp_path: Path) -> None:
    file = tmp_path / "club.pdn"
    file.write_bytes(OWN.replace("王 伟", "Hervé Père").encode("cp1252"))

    with pytest.raises(CommandError, match="Windows-1250"):
        run(file)
    assert not Event.objects.exists()

    said = run(file, "--encoding", "cp1252")
    assert "Hervé Père" in {player["name"] for player in said["players"]}


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        run(tmp_path / "nowhere.pdn")


@pytest.mark.skipif(not SHARED.exists(), reason="the real tournament files are not beside this checkout")
@pytest.mark.parametrize("name", REAL)
def test_real_tournaments_add_up(name: str) -> None:
    path = SHARED / name
    said = run(path)

    expected = points_of_file(path.read_bytes())
    found = {name_key(p["name"]): p["points"] for p in said["players"]}
    assert found == {key: expected[key] for key in found}
    assert set(found) == set(expected)
    tables = Standings.objects.filter(section__event__code=said["event"])
    assert tables.filter(after_round=max(s["rounds"] for s in said["sections"])).exists()


def test_a_file_in_which_everybody_met_everybody_is_a_round_robin(tmp_path: Path) -> None:
    games = [("1", "Ann", "Bob", "2-0"), ("2", "Bob", "Cid", "1-1"), ("3", "Cid", "Ann", "0-2")]
    text = "".join(
        f'[Event "Three"]\n[Round "{round_}"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n'
        f"1. 32-28 19-23 {result}\n\n"
        for round_, white, black, result in games
    )
    file = tmp_path / "three.pdn"
    file.write_text(text, encoding="utf-8")

    said = run(file)

    section = Event.objects.get().sections.get()
    assert (section.format, section.preset) == ("ROUND_ROBIN", "CN_ROUND_ROBIN")
    assert {p["name"]: p["points"] for p in said["players"]} == {"Ann": 4, "Bob": 1, "Cid": 1}
