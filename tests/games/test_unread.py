"""Text of a scoresheet that nobody understood shows at every door, and no score is taken from such a copy."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from games.adjudication import Meeting
from games.models import Scoresheet, Verdict
from games.selectors import meeting
from games.services import sheets
from games.services.sheets import Handed
from games.slots import seat_of
from tests.games.boards import LEGAL, Board, board
from tests.games.test_rules_commands import judged, run
from tests.tournaments.desk_cast import client_of
from tournaments.errors import BadInput

UNREAD = LEGAL.replace("20-24", "§§§")


@pytest.fixture
def on(db) -> Board:
    return board()


@pytest.fixture
def filed(on: Board) -> Board:
    for side, entry, text in (("W", on.white, UNREAD), ("B", on.black, LEGAL)):
        handed = Handed(text=text, submission=side, result="2-0")
        sheets.file_sheet(on.arbiter, on.pairing.pk, handed, link=entry.link)
    return on


def test_the_interface_lists_it_and_the_status_is_not_legal(on: Board) -> None:
    address = f"/api/v1/events/{on.event.code}/sections/{on.section.code}/pairings/{on.pairing.pk}/sheets/"
    reply = APIClient().post(
        address, {"submission": "s", "text": UNREAD, "link": on.white.link}, format="json"
    )

    verdict = reply.json()["verdict"]
    assert (reply.status_code, verdict["status"], verdict["plies"]) == (201, "unread", 7)
    assert [(found["text"], found["ply"]) for found in verdict["unread"]] == [("§§§", 8)]
    assert Verdict.objects.get().status == "unread"


def test_the_player_is_told_on_his_page(filed: Board) -> None:
    page = Client(headers={"accept-language": "en"}).get(
        reverse("games:my_sheet", args=[filed.white.link, 1])
    )

    assert "Not understood: “§§§”" in page.content.decode()


def test_the_queue_and_the_page_of_the_game_say_so(filed: Board) -> None:
    met = meeting.met(seat_of(filed.pairing.pk, 1))
    rows = meeting.of_round(filed.pairing.round)
    client = client_of(filed.arbiter.user)
    page = client.get(reverse("games:desk_game", args=[filed.pairing.pk])).content.decode()

    assert met.decision.meeting is Meeting.UNREAD
    assert not met.decision.is_clear
    assert [row.pairing.pk for row in meeting.chosen(rows, "differ")] == [filed.pairing.pk]
    assert "§§§" in page
    assert met.decision.side is not None
    assert met.decision.side.value == "B"


def test_a_score_with_text_that_is_not_understood_is_not_accepted(filed: Board) -> None:
    fields = {"moves": UNREAD, "outcome": "WHITE", "version": 0, "source": "WHITE"}
    answer = client_of(filed.arbiter.user).post(
        reverse("games:desk_accept", args=[filed.pairing.pk]), fields, headers={"accept-language": "en"}
    )

    assert answer.status_code == 400
    assert "Not understood: “§§§”" in answer.content.decode()


def test_the_command_names_it_and_exits_with_one(tmp_path) -> None:
    code, (game,) = judged(tmp_path, "a.pdn", UNREAD)

    assert (code, game["status"], [found["text"] for found in game["unread"]]) == (1, "unread", ["§§§"])
    assert "§§§" in run("validate", str(tmp_path / "a.pdn"))[1]


def hand_in(on: Board, side: str, text: str, result: str) -> None:
    entry = on.white if side == "W" else on.black
    sheets.file_sheet(
        on.arbiter, on.pairing.pk, Handed(text=text, submission=side, result=result), link=entry.link
    )


@pytest.mark.parametrize(
    ("white", "black", "text"),
    [("2-0", "0-2", LEGAL), ("2-0", "2-0", f'[Result "0-2"]\n\n{LEGAL}'), ("2-0", "2-0", f"{LEGAL} 0-2")],
)
def test_results_that_differ_are_a_difference_in_the_queue_and_on_the_page(on, white, black, text) -> None:
    hand_in(on, "W", text, white)
    hand_in(on, "B", LEGAL, black)

    met = meeting.met(seat_of(on.pairing.pk, 1))
    page = client_of(on.arbiter.user).get(reverse("games:desk_game", args=[on.pairing.pk])).content.decode()

    assert met.decision.meeting is Meeting.DECLARED
    assert not met.decision.is_clear
    assert meeting.chosen(meeting.of_round(on.pairing.round), "differ")
    assert "The scoresheets agree" not in page


def test_a_sheet_with_a_position_of_its_own_is_refused(on: Board) -> None:
    with pytest.raises(BadInput) as refused:
        hand_in(on, "W", '[FEN "W:W36:B20"]\n\n1. 36-31', "2-0")

    assert refused.value.code == "own-position"


def test_an_empty_field_between_moves_keeps_its_place_on_file(on: Board) -> None:
    fields = ["32-28", "18-23", "38-32", "", "31-27", "7-12"]
    Client().post(
        reverse("games:my_sheet", args=[on.white.link, 1]), {"m": fields, "submission": "x", "file_it": "1"}
    )

    (sheet,) = Scoresheet.objects.all()
    assert sheet.text.splitlines() == ["1. 32-28 18-23", "2. 38-32 -", "3. 31-27 7-12"]
    found = Verdict.objects.get().record
    assert (found["status"], found["ply"], found["kind"]) == ("illegal", 4, "not-written")
