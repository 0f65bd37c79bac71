"""The quick entry page as the server sees it: both copies are filed through the sheets' own service, once, and only what is new."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Scoresheet
from games.services import sheets
from games.services.sheets import Handed
from tests.games.boards import LEGAL, Board, board
from tests.tournaments.desk_cast import client_of
from tournaments.models import Pairing

pytestmark = pytest.mark.django_db

OTHER = "1. 32-28 18-23 2. 38-32 12-18 3. 31-27 7-12 4. 43-38 20-25"


@pytest.fixture
def on() -> Board:
    return board()


def address(on: Board) -> str:
    return reverse("games:quick_entry", args=[on.pairing.pk])


def filled(client: Client, on: Board, **fields: str) -> dict[str, str]:
    """The fields of the page as it is served, with some of them filled in."""
    page: Any = client.get(address(on))
    found = {}
    for column in page.context["columns"]:
        for name in ("submission", "pasted", "result", "white_seconds", "black_seconds"):
            field = column.form[name]
            found[field.html_name] = str(field.value() or "")
    return found | {name.replace("_", "-", 1): value for name, value in fields.items()}


def send(client: Client, on: Board, fields: dict[str, str]) -> HttpResponse:
    return client.post(address(on), fields)  # type: ignore[return-value]


def filed() -> list[tuple[str, int, str]]:
    return [(row.side, row.verdicts.get().plies, row.result) for row in Scoresheet.objects.all()]


def test_both_copies_are_filed_and_the_page_leads_to_the_next_board(on: Board) -> None:
    client = client_of(on.arbiter.user)
    fields = filled(client, on, W_pasted=LEGAL, W_result="2-0", B_pasted=OTHER, B_result="2-0")

    answer = send(client, on, fields)

    assert answer["Location"] == f"{address(on)}?filed=WB"
    assert filed() == [("W", 8, "2-0"), ("B", 8, "2-0")]
    following = Pairing.objects.get(round=on.pairing.round, board=2)
    page = client.get(answer["Location"]).content.decode()
    assert reverse("games:quick_entry", args=[following.pk]) in page
    assert 'data-filed="WB"' in page


def test_the_same_page_sent_twice_files_once(on: Board) -> None:
    client = client_of(on.arbiter.user)
    fields = filled(client, on, W_pasted=LEGAL, W_result="2-0")

    send(client, on, fields)
    send(client, on, fields)

    assert filed() == [("W", 8, "2-0")]


def test_a_copy_that_says_nothing_new_is_not_filed_again(on: Board) -> None:
    client = client_of(on.arbiter.user)
    send(client, on, filled(client, on, W_pasted=LEGAL, W_result="2-0", W_white_seconds="1:05"))

    page = filled(client, on, B_pasted=OTHER)
    assert (page["W-result"], page["W-white_seconds"]) == ("2-0", "1:05:00")
    send(client, on, page)
    assert filed() == [("W", 8, "2-0"), ("B", 8, "")]

    send(client, on, filled(client, on, B_result="0-2"))
    assert filed() == [("W", 8, "2-0"), ("B", 8, ""), ("B", 8, "0-2")]


def test_a_copy_that_is_not_legal_to_its_end_is_named_and_never_filed_shortened(on: Board) -> None:
    text = LEGAL.replace("31-27", "31-22")
    sheets.file_sheet(on.arbiter, on.pairing.pk, Handed(text=text, submission="s"), link=on.white.link)
    client = client_of(on.arbiter.user)

    page = client.get(address(on)).content.decode()
    assert "White's copy on file is not legal to its end" in page
    send(client, on, filled(client, on, W_result="2-0"))

    assert Scoresheet.objects.get().text == text


def test_a_text_without_a_move_is_refused_on_the_page_and_nothing_is_filed(on: Board) -> None:
    client = client_of(on.arbiter.user)

    answer = send(client, on, filled(client, on, W_pasted="hello"))

    assert answer.status_code == 400
    assert "No move was found" in answer.content.decode()
    assert not Scoresheet.objects.exists()
