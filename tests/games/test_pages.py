"""The pages of games: what they show, to whom, in how many queries, without a script, and that no cookie is set."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import rules
from games import sheets as reading
from games.models import Copy, Game, Scoresheet
from games.selectors import meeting
from games.services import results, sheets
from games.services.results import Score
from games.services.sheets import Handed
from games.slots import seat_of
from tests.games.boards import LEGAL, Board, board
from tests.tournaments.desk_cast import client_of
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def on() -> Board:
    return board()


def english() -> Client:
    return Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)


def my_sheet(on: Board, side: str = "W") -> str:
    entry = on.white if side == "W" else on.black
    return reverse("games:my_sheet", args=[entry.link, 1])


def moves(text: str = LEGAL) -> list[str]:
    return list(reading.read_sheet(text).moves)


def accepted(on: Board) -> Game:
    for side, entry in (("W", on.white), ("B", on.black)):
        handed = Handed(text=LEGAL, submission=side, result="2-0", white_seconds=60, black_seconds=90,
                        white_signed=True, black_signed=True)  # fmt: skip
        sheets.file_sheet(on.arbiter, on.pairing.pk, handed, link=entry.link)
    return results.accept_score(
        on.arbiter,
        on.pairing.pk,
        Score(moves=moves(), outcome="WHITE", version=0, source="WHITE", white_seconds=60),
    )


def viewer(on: Board, game: Game) -> str:
    return reverse("games:game", args=[on.event.code, on.section.code, game.pk])


def test_a_player_types_a_sheet_on_the_page_of_his_link(on: Board) -> None:
    client = english()
    page = client.get(my_sheet(on)).content.decode()
    submission = re.search(r'name="submission" value="(\w+)"', page)
    assert submission is not None

    fields = ["32 28", "18-23", "3832", "12-18", "31-27", "7-12", "43-38", "20-24", "", ""]
    sent = {"m": fields, "submission": submission[1], "file_it": "1", "result": "2-0", "white_seconds": "1:05",
            "white_signed": "on", "black_signed": "on"}  # fmt: skip
    answer = client.post(my_sheet(on), sent)
    client.post(my_sheet(on), sent)

    assert answer.status_code == 302
    sheet = Scoresheet.objects.get()
    assert sheet.text.splitlines() == ["1. 32-28 18-23", "2. 38-32 12-18", "3. 31-27 7-12", "4. 43-38 20-24"]
    assert (sheet.side, sheet.result, sheet.white_seconds, sheet.white_signed, sheet.black_signed) == (
        "W", "2-0", 3900, True, False,
    )  # fmt: skip
    shown = client.get(answer.headers["Location"]).content.decode()
    assert "Your scoresheet is handed in" in shown
    assert "8 legal single moves" in shown


def test_a_capture_typed_without_a_sign_gets_its_cross(on: Board) -> None:
    english().post(my_sheet(on), {"m": ["32-28", "19 23", "28 19"], "submission": "x", "file_it": "1"})

    assert Scoresheet.objects.get().text == "1. 32-28 19-23\n2. 28x19"


def test_what_is_typed_is_checked_with_the_board_and_the_legal_moves_at_the_fault(on: Board) -> None:
    page = english().post(
        my_sheet(on), {"m": ["32-28", "19-23", "31-27"], "submission": "x"}, headers={"hx-request": "true"}
    )

    text = page.content.decode()
    assert "<html" not in text
    assert "A capture is possible, so a capture must be made." in text
    assert "1 piece must be taken." in text
    assert "28x19 (23)" in text
    assert "draughts-board" in text
    assert Scoresheet.objects.count() == 0


def test_a_tap_on_a_legal_move_adds_it_without_a_script_too(on: Board) -> None:
    page = english().post(my_sheet(on), {"m": ["32-28"], "submission": "x", "add": "19-23"}).content.decode()

    assert 'value="19-23"' in page
    assert "2 single moves, all legal." in page
    assert 'value="x"' in page


def test_an_unreadable_move_is_told_and_what_was_typed_stays(on: Board) -> None:
    page = english().post(
        my_sheet(on), {"m": ["32-28", "blah"], "submission": "x", "file_it": "1", "result": "1-1"}
    )

    assert page.status_code == 400
    assert "Move 1 (blah) cannot be read" in page.content.decode()
    assert 'value="blah"' in page.content.decode()


def test_pasted_text_and_files_are_taken_as_handed_in(on: Board) -> None:
    pasted = '[White "a"]\n[Result "2-0"]\n\n1. 32-28 18-23 2-0'
    english().post(my_sheet(on), {"pasted": pasted, "submission": "x", "file_it": "1"})
    content = "1. 32-28 19-23 {好棋} *".encode("gb18030")
    sent = {"file": SimpleUploadedFile("game.pdn", content), "submission": "y", "file_it": "1"}
    refused = english().post(my_sheet(on, "B"), sent)
    assert (refused.status_code, Scoresheet.objects.count()) == (400, 1)
    assert "EUC-KR, GB18030" in refused.content.decode() or "GB18030, EUC-KR" in refused.content.decode()
    sent["file"] = SimpleUploadedFile("game.pdn", content)
    english().post(my_sheet(on, "B"), {**sent, "encoding": "gb18030"})

    first, second = Scoresheet.objects.all()
    assert (first.form, first.text.replace("\r\n", "\n")) == ("PASTED", pasted)
    assert (second.form, second.filename, "好棋" in second.text) == ("FILE", "game.pdn", True)


def test_a_link_of_another_board_a_draft_round_or_nothing_finds_nothing(on: Board) -> None:
    client = english()
    other = on.section.entries.get(number=3)
    assert client.get(reverse("games:my_sheet", args=[other.link, 1])).status_code == 200
    assert client.get(reverse("games:my_sheet", args=["nobody", 1])).status_code == 404
    assert client.get(reverse("games:my_sheet", args=[on.white.link, 2])).status_code == 404
    Round.objects.update(state=Round.State.PAIRED)
    assert client.get(my_sheet(on)).status_code == 404
    Round.objects.update(state=Round.State.PUBLISHED)
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(my_sheet(on)).status_code == 404


def test_the_link_stays_out_of_indexes_referrers_and_cookies(on: Board) -> None:
    answer = english().get(my_sheet(on))

    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies


def test_a_player_sees_that_the_other_sheet_is_in_and_nothing_of_it(on: Board) -> None:
    english().post(my_sheet(on, "B"), {"m": ["32-28", "17-23"], "submission": "y", "file_it": "1"})
    english().post(my_sheet(on), {"m": ["32-28"], "submission": "x", "file_it": "1"})

    page = english().get(my_sheet(on)).content.decode()

    assert "The opponent's scoresheet is in too." in page
    assert "17-23" not in page


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_viewer_shows_the_game_at_the_ply_of_its_address(on: Board, language: str) -> None:
    game = accepted(on)
    client = Client(headers={"accept-language": language})

    page = client.get(viewer(on, game), {"ply": "1"})

    text = page.content.decode()
    assert not page.cookies
    assert text.count('aria-current="true"') == 1
    assert 'href="?ply=2"' in text
    assert (">32-28</a>" in text, "draughts-board" in text) == (True, True)
    assert ("White men" in text) is (language == "en")
    assert text.count("<pre>") == 2


def test_the_viewer_flips_and_hides_numbers_without_a_script(on: Board) -> None:
    address = viewer(on, accepted(on))
    client = english()

    plain, changed = (
        client.get(address, query).content.decode() for query in ({}, {"flip": "1", "numbers": "0"})
    )

    assert plain.count("<text ") == 50
    assert changed.count("<text ") == 0
    assert "data-flipped" in changed


@pytest.mark.parametrize("ply", ["99999", "-1", "x", "٣"])
def test_a_ply_that_is_none_shows_the_last_position(on: Board, ply: str) -> None:
    page = english().get(viewer(on, accepted(on)), {"ply": ply})

    assert page.status_code == 200
    assert 'data-ply="8"' in page.content.decode()


def test_sheets_are_public_only_after_a_score_is_accepted_and_as_the_section_says(on: Board) -> None:
    english().post(my_sheet(on), {"m": ["32-28", "17-21"], "submission": "x", "file_it": "1"})
    address = reverse("games:board", args=[on.event.code, on.section.code, 1, 1])
    before = english().get(address).content.decode()
    game = accepted(on)
    results.set_game_rules(on.organizer, on.section.pk, early_draw="REFUSE", sheets="HIDDEN")
    hidden = english().get(viewer(on, game)).content.decode()

    assert ("17-21" in before, "No game score is accepted" in before) == (False, True)
    assert "<pre>" not in hidden


def test_a_reader_who_holds_the_page_gets_304(on: Board) -> None:
    address = viewer(on, accepted(on))
    first = english().get(address)

    assert english().get(address, headers={"if-none-match": first.headers["ETag"]}).status_code == 304


def test_pdn_out_reads_back_with_names_result_and_moves(on: Board) -> None:
    game = accepted(on)
    code = (on.event.code, on.section.code)
    for name, extra in (("game_pdn", (game.pk,)), ("round_pdn", (1,)), ("section_pdn", ())):
        answer = english().get(reverse(f"games:{name}", args=[*code, *extra]))

        (read,) = rules.read_pdn(answer.content).games
        assert (read.tag("White"), read.tag("Result"), read.tag("Round"), read.tag("WhiteTime")) == (
            on.white.player.name, "2-0", "1", "0:01:00",
        )  # fmt: skip
        assert list(read.moves) == moves()
    Round.objects.update(state=Round.State.PAIRED)
    assert english().get(reverse("games:section_pdn", args=code)).status_code == 404


def test_the_arbiter_sees_both_sheets_accepts_and_makes_it_final(on: Board) -> None:
    english().post(my_sheet(on), {"m": moves(), "submission": "x", "file_it": "1", "result": "2-0",
                                  "white_seconds": "1:00", "white_signed": "on"})  # fmt: skip
    differing = [*moves()[:4], "31-26", *moves()[5:]]
    english().post(my_sheet(on, "B"), {"m": differing, "submission": "y", "file_it": "1", "result": "2-0",
                                       "black_seconds": "62", "black_signed": "on"})  # fmt: skip
    client = client_of(on.arbiter.user)
    address = reverse("games:desk_game", args=[on.pairing.pk])

    queue = client.get(
        reverse("games:desk_round", args=[on.section.pk, 1]), {"show": "differ"}
    ).content.decode()
    page = client.get(address, {"take": "W"}).content.decode()

    assert "first difference at ply 5" in queue
    assert "First difference at ply 5." in page
    assert page.count('class="differs"') == 1
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    sent = {"moves": LEGAL, "outcome": "WHITE", "version": version[1], "source": "WHITE", "white_seconds": "1:00:00",
            "black_seconds": "1:02:00"}  # fmt: skip
    assert client.post(reverse("games:desk_accept", args=[on.pairing.pk]), sent).status_code == 302
    assert on.fresh().outcome == "WHITE"
    assert (
        client.post(reverse("games:desk_act", args=[on.pairing.pk, "final"]), {"note": ""}).status_code == 302
    )
    assert Game.objects.get().is_final


def test_a_refused_accept_keeps_what_was_typed(on: Board) -> None:
    client = client_of(on.arbiter.user)
    sent = {"moves": "1. 32-28 18-23", "outcome": "DRAW", "version": "0", "note": ""}

    page = client.post(reverse("games:desk_accept", args=[on.pairing.pk]), sent)

    assert page.status_code == 409
    assert "A draw cannot be agreed before each player has made 40 moves" in page.content.decode()
    assert "1. 32-28 18-23" in page.content.decode()
    assert on.fresh().outcome == "UNPLAYED"


def test_scoresheets_of_a_round_are_printed_in_duplicate(on: Board) -> None:
    page = (
        client_of(on.arbiter.user)
        .get(reverse("games:print_sheets", args=[on.section.pk, 1]))
        .content.decode()
    )

    assert (
        page.count('class="score-paper"') == 2 * 4
    )  # of each player's sheet the original and a copy (4.1, 4.2.2)
    assert page.count(f"{on.white.player.name}</strong>") == 4


def test_copies_are_noted_by_the_small_buttons(on: Board) -> None:
    client = client_of(on.arbiter.user)
    act = reverse("games:desk_act", args=[on.pairing.pk, "copy"])

    client.post(act, {"side": "W", "status": "MISSING"})
    client.post(act, {"side": "B", "waived_reason": "ill", "waive": "1"})

    assert [(c.side, c.status, c.waived_reason) for c in Copy.objects.order_by("side")] == [
        ("B", "ISSUED", "ill"), ("W", "MISSING", ""),
    ]  # fmt: skip


def test_9_1_the_clock_calculator_counts_the_worked_examples() -> None:
    ask = {"part": "late", "starts": "9:00", "limit": "60"}
    first = english().get("/clock/", {**ask, "white": "9:50", "black": "9:20"}).content.decode()
    second = (
        english().get("/clock/", {**ask, "white": "9:20", "black": "9:50", "moved": "9:21"}).content.decode()
    )
    late = english().get("/clock/", {**ask, "white": "10:01", "black": ""}).content.decode()

    assert ("White has used 0:40:00." in first, "Black has used 0:10:00." in first) == (True, True)
    assert ("White has used 0:11:00." in second, "Black has used 0:39:00." in second) == (True, True)
    assert "Both are too late and forfeit: 0-0." in late


def test_the_claim_desk_tells_what_can_be_claimed_and_since_when(on: Board) -> None:
    client = client_of(on.arbiter.user)
    address = reverse("games:claim", args=[on.pairing.pk])

    page = client.post(address, {"moves": LEGAL, "version": "0", "look": "1"}).content.decode()
    refused = client.post(
        address, {"moves": LEGAL, "version": "0", "claimant": "W", "kind": "25", "uphold": "1"}
    )

    assert "In the last position nothing can be claimed." in page
    assert refused.status_code == 409
    assert on.fresh().outcome == "UNPLAYED"


@pytest.mark.parametrize("players", [4, 40])
def test_pages_make_so_many_queries_whatever_the_round(players: int) -> None:
    on = board(players=players)
    game = accepted(on)
    sheets.issue_copies(on.arbiter, on.pairing.round_id)
    client = client_of(on.arbiter.user)
    counts = {}
    for name, address in {
        "viewer": viewer(on, game),
        "games": reverse("games:games", args=[on.event.code, on.section.code]),
        "sheet": my_sheet(on),
        "game": reverse("games:desk_game", args=[on.pairing.pk]),
        "queue": reverse("games:desk_round", args=[on.section.pk, 1]),
        "print": reverse("games:print_sheets", args=[on.section.pk, 1]),
    }.items():
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        counts[name] = len(captured)

    assert counts == {"viewer": 7, "games": 8, "sheet": 11, "game": 14, "queue": 12, "print": 7}


STOOD = "1. 32-28 19-23 2. 35-30 23x32 3. 37x28 14-19"


def test_an_irregular_move_that_both_copies_go_on_after_is_accepted_with_one_press(on: Board) -> None:
    for side, entry in (("W", on.white), ("B", on.black)):
        handed = Handed(text=STOOD, submission=side, result="2-0")
        sheets.file_sheet(on.arbiter, on.pairing.pk, handed, link=entry.link)
    client = client_of(on.arbiter.user)
    address = reverse("games:desk_game", args=[on.pairing.pk])

    page = client.get(address)
    proposed = client.get(reverse("games:proposals", args=[on.pairing.pk])).content.decode()
    pressed = client.post(
        reverse("games:desk_accept", args=[on.pairing.pk]),
        {field.name: "" if field.value() is None else field.value() for field in page.context["stood_form"]},
    )

    for text in (page.content.decode(), proposed):
        assert "Ply 3 (move 2): 35-30" in text
    assert "Proposal 1" not in proposed
    assert pressed.status_code == 302
    game = Game.objects.get()
    assert (game.moves, game.accepted_plies) == (moves(STOOD), [3])
    assert on.fresh().outcome == "WHITE"
    assert 'id="stood"' not in client.get(address).content.decode()


def test_proposals_name_each_change_and_are_taken_into_the_form_only(on: Board) -> None:
    plies = moves()
    english().post(my_sheet(on), {"m": [*plies[:3], "12-13", *plies[4:]], "submission": "x", "file_it": "1"})
    english().post(my_sheet(on, "B"), {"m": plies[:6] + plies[7:], "submission": "y", "file_it": "1"})
    client = client_of(on.arbiter.user)

    page = client.get(reverse("games:proposals", args=[on.pairing.pk])).content.decode()
    taken = client.post(
        reverse("games:desk_accept", args=[on.pairing.pk]), {"moves": " ".join(plies), "take": "1"}
    )

    assert "White&#x27;s sheet, ply 4: 12-13 → 12-18" in page
    assert "Black&#x27;s sheet, ply 7: – → 43-38 (missing on the sheet)" in page
    assert " ".join(plies) in page
    assert " ".join(plies) in taken.content.decode()
    assert (Game.objects.get().moves, on.fresh().outcome) == ([], "UNPLAYED")


def test_a_ply_that_one_sheet_lacks_stands_against_a_gap(on: Board) -> None:
    plies = moves()
    english().post(my_sheet(on), {"m": plies, "submission": "x", "file_it": "1"})
    english().post(my_sheet(on, "B"), {"m": plies[:4] + plies[6:], "submission": "y", "file_it": "1"})

    rows = meeting.met(seat_of(on.pairing.pk)).rows

    assert [(row.white, row.black, row.alike) for row in rows][3:7] == [
        ("12-18", "12-18", True), ("31-27", "", False), ("7-12", "", False), ("43-38", "43-38", True),
    ]  # fmt: skip
    assert [row.ply for row in rows if row.first_difference] == [5]


def test_the_games_of_a_section_are_listed_once_they_have_a_score(on: Board) -> None:
    address = reverse("games:games", args=[on.event.code, on.section.code])
    before = english().get(address).content.decode()
    game = accepted(on)
    page = english().get(address)

    assert "No game score of this section is accepted yet." in before
    assert viewer(on, game) in page.content.decode()
    assert not page.cookies
    Round.objects.update(state=Round.State.PAIRED)
    assert viewer(on, game) not in english().get(address).content.decode()


def test_of_a_pasted_text_the_public_sees_the_moves_alone(on: Board) -> None:
    text = "1. 32-28 {call me at 555} 18-23 2. 38-32 12-18 3. 31-27 7-12 4. 43-38 20-24"
    english().post(my_sheet(on), {"pasted": text, "submission": "x", "file_it": "1"})
    game = results.accept_score(on.arbiter, on.pairing.pk, Score(moves=moves(), outcome="WHITE", version=0))

    page = english().get(viewer(on, game)).content.decode()

    assert ("1. 32-28  18-23" in page, "555" in page) == (True, False)
