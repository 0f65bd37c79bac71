"""From a picture to a filed sheet: by link, at the desk, in a stack; and what is never guessed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.exports import paper_form
from games.models import Scoresheet, SheetPhoto
from games.reading.code import Code
from games.services import photos
from games.slots import seat_of
from tests.games.boards import Board, board
from tests.reading.photographs import picture, scanned
from tests.rules.damage import played_game
from tests.tournaments.desk_cast import client_of
from tournaments.models import AuditEntry, Job
from tournaments.services.runners import work_off_waiting

pytestmark = pytest.mark.django_db

GAME = played_game(8, 36)


@pytest.fixture
def on() -> Board:
    return board()


def english() -> Client:
    return Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)


def code(on: Board, side: str = "W", page: int = 1) -> Code:
    return photos.code_of(seat_of(on.pairing.pk), side, page)


def my_photo(on: Board) -> str:
    return reverse("games:my_sheet_photo", args=[on.white.link, 1])


def send(on: Board, content: bytes, name: str = "sheet.jpg") -> Any:
    return english().post(my_photo(on), {"file": SimpleUploadedFile(name, content)})


def read(on: Board) -> list[SheetPhoto]:
    work_off_waiting(on.section.pk)
    return list(SheetPhoto.objects.order_by("pk"))


def test_a_player_photographs_his_sheet_looks_at_it_and_hands_it_in(on: Board) -> None:
    given = picture(GAME, code=code(on))

    assert send(on, given).status_code == 302
    assert "The picture is being read" in english().get(my_photo(on)).content.decode()
    (photo,) = read(on)
    assert (photo.state, photo.fault, photo.side, photo.page) == ("READ", "", "W", 1)
    assert Scoresheet.objects.count() == 0  # nobody has looked at it

    sheet = reverse("games:my_sheet", args=[on.white.link, 1])
    page = english().get(f"{sheet}?photo={photo.pk}").content.decode()
    doubts = [ply for ply in photo.reading["plies"] if ply["doubtful"]]
    assert page.count("data-ply=") == len(doubts)
    assert page.count("data:image/png;base64,") == len(doubts)
    for move in GAME[:4]:
        assert f'value="{move}"' in page
    sent = {"m": GAME, "submission": "s1", "result": "1-1", "photo": str(photo.pk), "file_it": "1"}
    assert english().post(sheet, sent).status_code == 302

    filed = Scoresheet.objects.get()
    photo.refresh_from_db()
    assert photo.sheet == filed
    assert (photo.given, photo.digest) == (
        hashlib.sha256(given).hexdigest(),
        hashlib.sha256(photo.content).hexdigest(),
    )
    assert AuditEntry.objects.get(action="add-sheet-photo").after["pages"] == 1


def test_the_picture_is_kept_without_what_the_camera_wrote_beside_it(on: Board) -> None:
    given = picture(GAME, code=code(on))
    marked = given[:2] + b"\xff\xfe\x00\x08Hubert" + given[2:]
    send(on, marked)
    (photo,) = read(on)
    assert b"Hubert" not in bytes(photo.content)
    shown = english().get(reverse("games:my_sheet_picture", args=[on.white.link, photo.pk]))
    assert (shown.status_code, shown["Content-Type"], shown.content) == (
        200,
        "image/jpeg",
        bytes(photo.content),
    )
    other = english().get(reverse("games:my_sheet_picture", args=[on.black.link, photo.pk]))
    assert other.status_code == 404


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"side": "B"}, "wrong-sheet"),
        ({"round": 2}, "wrong-sheet"),
        ({"board": 9}, "wrong-sheet"),
        ({"signature": "AAAAAAAA"}, "unknown"),
    ],
)
def test_a_page_of_another_place_is_named_and_not_set_in(
    on: Board, change: dict[str, Any], fault: str
) -> None:
    changed = replace(code(on), **change)
    send(on, picture(GAME[:6], code=changed if "signature" in change else photos.signed(changed)))
    (photo,) = read(on)
    assert (photo.state, photo.fault, photo.reading) == ("REFUSED", fault, {})
    page = english().get(my_photo(on)).content.decode()
    assert "Type beside the picture" in page and "Set into the form" not in page


def test_no_picture_is_refused_with_a_sentence(on: Board) -> None:
    send(on, b"hello")
    (photo,) = read(on)
    assert (photo.state, photo.fault) == ("REFUSED", "no-picture")
    assert "send a JPEG, PNG or WebP" in english().get(my_photo(on)).content.decode()
    assert send(on, scanned([picture(GAME[:4])] * 2), "two.pdf").status_code == 400


def test_a_stack_sorts_itself_by_its_codes(on: Board) -> None:
    pages = [
        picture(GAME, code=code(on, "B"), writer=1),
        picture(GAME, code=code(on)),
        picture(GAME, code=code(on)),
    ]
    file = SimpleUploadedFile("round.pdf", scanned(pages))
    address = reverse("games:sheet_photos", args=[on.section.pk, 1])
    client = client_of(on.arbiter.user)

    assert client.post(address, {"files": [file]}).status_code == 302
    assert "0 / 3" in client.get(address).content.decode()
    found = read(on)

    assert [(p.side, p.state, p.fault) for p in found] == [
        ("B", "READ", ""), ("W", "READ", ""), ("W", "REFUSED", "doubled"),
    ]  # fmt: skip
    assert Job.objects.get(kind="READ_SHEETS").state == "DONE"
    assert [ply["move"] for ply in found[1].reading["plies"]] == GAME
    page = client.get(address).content.decode()
    assert page.count(f"?photo={found[0].pk}") == page.count(f"?photo={found[1].pk}") == 1


def test_a_stranger_sends_and_sees_nothing(on: Board) -> None:
    address = reverse("games:my_sheet_photo", args=["0" * 12, 1])
    assert english().post(address, {"file": SimpleUploadedFile("a.jpg", b"x")}).status_code == 404
    assert SheetPhoto.objects.count() == 0


def test_a_round_prints_the_form_of_each_player_twice_with_its_own_code(on: Board) -> None:
    response = client_of(on.arbiter.user).get(reverse("games:sheet_forms", args=[on.section.pk, 1]))
    assert response["Content-Type"] == "application/pdf"
    pages = paper_form.pages_of(on.pairing.round)
    mine = [page for page in pages if page.code == code(on, "W").text]
    assert len(mine) == 2 and mine[0].head[2] != mine[0].head[3]
    with pikepdf.open(BytesIO(response.content)) as file:
        assert len(file.pages) == len(pages) == 2 * len({page.code for page in pages})
