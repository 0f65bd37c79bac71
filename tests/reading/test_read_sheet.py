"""`manage.py read_sheet`: pictures and scans in, games out, and one word for each bad picture."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from django.core.management import CommandError, call_command

from tests.reading.photographs import CODE, PLIES, SMALL, photo, picture, scanned
from tests.rules.damage import played_game
from training.pages import jpeg

GAME = played_game(8, 36)


@pytest.fixture(scope="module")
def sheet() -> Any:
    return photo(GAME, struck=0.1)


def read(*files: Path) -> dict[str, Any]:
    out = StringIO()
    call_command("read_sheet", *map(str, files), "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def read_one(folder: Path, content: bytes, name: str = "sheet.jpg") -> dict[str, Any]:
    file = folder / name
    file.write_bytes(content)
    found: dict[str, Any] = read(file)["pages"][0]
    return found


def test_a_photograph_gives_the_game_with_rows_crossed_out_left_aside(tmp_path: Path, sheet: Any) -> None:
    page = read_one(tmp_path, jpeg(sheet))

    assert page["moves"] == GAME
    assert page["code"] == CODE.text
    assert page["cells"] == 36
    assert len(page["struck"]) == 8
    assert not page["certain"]  # one copy alone does not prove the order of moves
    assert len(page["plies"]) == 36
    for ply in page["plies"]:
        assert ply["move"] in [option for option, _ in ply["options"]]


@pytest.mark.parametrize("turns", [cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE])
def test_a_sheet_upside_down_or_sideways_is_read_alike(tmp_path: Path, sheet: Any, turns: int) -> None:
    assert read_one(tmp_path, jpeg(cv2.rotate(sheet, turns)))["moves"] == GAME


def test_both_copies_of_a_scanned_pdf_prove_the_game(tmp_path: Path) -> None:
    black = replace(CODE, side="B")
    file = tmp_path / "scan.pdf"
    file.write_bytes(scanned([picture(GAME), picture(GAME, code=black, writer=1, seed=2), picture(GAME)]))

    found = read(file)

    assert [page["fault"] for page in found["pages"]] == [None, None, "doubled"]
    (game,) = found["games"]
    assert (game["code"], game["copies"]) == ("spring-open/OPEN:3:7.1", "WB")
    assert (game["moves"], game["certain"]) == (GAME, True)


def test_a_second_page_goes_on_where_the_first_ends(tmp_path: Path) -> None:
    long = played_game(1614, 190)
    assert len(long) > PLIES
    first, second = tmp_path / "1.jpg", tmp_path / "2.jpg"
    first.write_bytes(picture(long[:PLIES]))
    second.write_bytes(picture(long[PLIES:], code=replace(CODE, page=2), seed=3))

    (game,) = read(second, first)["games"]

    assert game["moves"] == long


def black_square() -> Any:
    return np.zeros((600, 800, 3), np.uint8)


def test_what_is_wrong_with_a_picture_is_said_and_nothing_is_guessed(tmp_path: Path, sheet: Any) -> None:
    _height, width = sheet.shape[:2]
    two = np.hstack([cv2.resize(sheet, None, fx=0.8, fy=0.8)] * 2)
    grey = np.full_like(sheet, 140)
    bad = {
        "no-picture": b"no picture at all",
        "no-sheet": jpeg(np.random.default_rng(1).integers(0, 255, (900, 700, 3)).astype(np.uint8)),
        "two-sheets": jpeg(two),
        "cut": jpeg(sheet[:, : int(width * 0.7)]),
        "dark": jpeg((sheet * 0.03).astype(np.uint8)),
        "blurred": jpeg(cv2.GaussianBlur(sheet, (0, 0), 14)),
    }

    found = {fault: read_one(tmp_path, content) for fault, content in bad.items()}

    assert {fault: page["fault"] for fault, page in found.items()} == {fault: fault for fault in bad}
    assert all(page["moves"] == [] for page in found.values())
    assert read_one(tmp_path, jpeg(grey))["fault"] in {"no-sheet", "blurred"}


def test_a_lower_edge_cut_off_is_said_and_not_read_as_the_end_of_the_game(tmp_path: Path, sheet: Any) -> None:
    assert read_one(tmp_path, jpeg(sheet[: int(sheet.shape[0] * 0.8)]))["fault"] == "cut"


def test_a_picture_of_fifty_megapixels_is_read(tmp_path: Path, sheet: Any) -> None:
    large = cv2.resize(sheet, (6000, 8160), interpolation=cv2.INTER_LINEAR)
    assert read_one(tmp_path, jpeg(large, 60))["moves"] == GAME


def test_too_many_pixels_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    huge = jpeg(np.zeros((8000, 8000), np.uint8), 30)
    assert read_one(tmp_path, huge)["fault"] == "too-large"


def test_a_covered_code_leaves_the_moves_and_says_so(tmp_path: Path, sheet: Any) -> None:
    hidden = photo(GAME, camera=SMALL)
    width = hidden.shape[1]
    cv2.rectangle(hidden, (int(width * 0.68), 0), (int(width * 0.86), int(width * 0.19)), (200, 200, 200), -1)
    page = read_one(tmp_path, jpeg(hidden))
    assert (page["fault"], page["code"], page["moves"]) == ("no-code", None, GAME)


def test_a_page_of_text_in_a_pdf_holds_no_picture(tmp_path: Path) -> None:
    from games.exports.form_setting import FormPage, to_pdf

    page = read_one(tmp_path, to_pdf([FormPage(code=CODE.text)]), "form.pdf")
    assert page["fault"] == "no-picture"


def test_an_empty_form_has_no_moves(tmp_path: Path) -> None:
    page = read_one(tmp_path, picture([]))
    assert (page["moves"], page["code"]) == ([], CODE.text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        read(tmp_path / "nowhere.jpg")


def test_one_measures_on_ones_own_sheets(tmp_path: Path) -> None:
    for side, writer in (("white", 0), ("black", 1)):
        code = replace(CODE, side=side[0].upper())
        (tmp_path / f"a-{side}.jpg").write_bytes(picture(GAME, code=code, writer=writer, seed=writer + 1))
        (tmp_path / f"a-{side}.txt").write_text(" ".join(GAME))
    out = StringIO()

    call_command("measure_reader", str(tmp_path), stdout=out)

    said = out.getvalue()
    assert "one picture: 2 of 2 exact" in said
    assert "both copies: 1 of 1 exact, 1 certain, 0 certain and wrong, 0 wrong plies not doubted" in said
