"""Every page of games, knocked at by everybody; whoever is refused leaves no trace."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Adjournment, Copy, Game, GameRules, Result, Scoresheet, SheetPhoto
from games.services import pdn_files
from tests import factories as f
from tests.games.boards import Board, board
from tests.permission_table import ADMINS, ANYONE, GAMES, LOGGED_IN, Who
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Event, ImportDraft, Role, User

pytestmark = pytest.mark.django_db

PDN = '[Event "A"]\n[White "X"]\n[Black "Y"]\n[Round "1"]\n[Result "2-0"]\n\n1. 32-28 18-23 2-0\n'
OF_A_BOARD = ("quick_entry", "desk_game", "desk_accept", "proposals", "claim", "adjournment")
OF_A_ROUND = (
    "desk_round",
    "desk_rules",
    "print_sheets",
    "print_equipment",
    "print_entries",
    "sheet_forms",
    "sheet_photos",
)


def addresses(on: Board, staff: User) -> dict[str, str]:
    photo = SheetPhoto.objects.create(
        round=on.pairing.round,
        pairing=on.pairing,
        side="W",
        content=b"x",
        given="x",
        digest="x",
        state="READ",
    )
    held = pdn_files.hold_file(Actor(user=staff), filename="a.pdn", content=PDN.encode())
    return {
        **{name: reverse(f"games:{name}", args=[on.pairing.pk]) for name in OF_A_BOARD},
        **{name: reverse(f"games:{name}", args=[on.section.pk, 1]) for name in OF_A_ROUND},
        "desk_act": reverse("games:desk_act", args=[on.pairing.pk, "copy"]),
        "sheet_photo": reverse("games:sheet_photo", args=[on.pairing.pk, "W"]),
        "sheet_picture": reverse("games:sheet_picture", args=[photo.pk]),
        "sheet": reverse("games:sheet", args=[on.pairing.pk, "W"]),
        "pdn_upload": reverse("games:pdn_upload"),
        "pdn_preview": reverse("games:pdn_preview", args=[held.pk]),
    }


def people(on: Board) -> dict[str, User | None]:
    committee, player, stranger = f.make_user(), f.make_user(), f.make_user()
    f.make_role(committee, on.event, Role.Kind.COMMITTEE)
    f.make_role(player, on.event, Role.Kind.PLAYER)
    other = board_of_others()
    return {
        "anonymous": None,
        "stranger": stranger,
        "other organizer": other.organizer.user,
        Who.COMMITTEE: committee,
        Who.PLAYER: player,
        Who.ORGANIZER: on.organizer.user,
        Who.CHIEF_ARBITER: on.chief.user,
        Who.ARBITER: on.arbiter.user,
    }


def board_of_others() -> Board:
    return board()


def traces() -> list[Any]:
    tables = (Game, Copy, Scoresheet, Result, Adjournment, GameRules, ImportDraft, Event)
    return [list(table.objects.values().order_by("pk")) for table in tables] + [AuditEntry.objects.count()]


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_gets_in(method: str) -> None:
    on = board()
    staff = f.make_user(is_staff=True)
    found = addresses(on, staff)
    asked = {name for name, who in GAMES.items() if who not in (ANYONE, LOGGED_IN)}
    assert {f"games:{name}" for name in found} == asked
    wrong = []
    for who, user in people(on).items():
        client = client_of(user)
        for name, address in found.items():
            row = GAMES[f"games:{name}"]
            if who in row or (row == ADMINS and who == Who.ADMIN):
                continue
            before = traces()
            answer = getattr(client, method)(address)
            shut = answer.status_code in (403, 404, 405) or (
                answer.status_code == 302 and answer.headers["Location"].startswith("/accounts/login/")
            )
            if not shut or traces() != before:
                wrong.append(f"{method} {name} as {who}: {answer.status_code}")

    assert wrong == []


def test_the_desk_gets_in() -> None:
    on = board()
    staff = f.make_user(is_staff=True)
    found = addresses(on, staff)
    wrong = []
    for who, user in (*((k, v) for k, v in people(on).items() if isinstance(k, Who)), (Who.ADMIN, staff)):
        for name, address in found.items():
            if who in GAMES[f"games:{name}"]:
                status = client_of(user).get(address).status_code
                if status not in (200, 405):
                    wrong.append(f"{name} as {who}: {status}")

    assert wrong == []


def test_a_pdn_file_is_looked_at_and_then_made_an_event() -> None:
    staff = client_of(f.make_user(is_staff=True))
    bad = staff.post(reverse("games:pdn_upload"), {"file": SimpleUploadedFile("x.pdn", b"nothing here")})
    sent = staff.post(
        reverse("games:pdn_upload"), {"file": SimpleUploadedFile("x.pdn", PDN.encode()), "name": "杯赛"}
    )
    page = staff.get(sent.headers["Location"]).content.decode()

    assert (bad.status_code, "This is no PDN file" in bad.content.decode()) == (400, True)
    assert ("2 players" in page, "1 round" in page, "1 game" in page) == (True, True, True)
    assert Event.objects.count() == 0
    assert staff.post(sent.headers["Location"], {"enter": "1"}).status_code == 302
    event = Event.objects.get()
    assert (event.name, event.state, ImportDraft.objects.count()) == ("杯赛", "DRAFT", 0)
    assert Game.objects.get().moves == ["32-28", "18-23"]


def test_a_held_pdn_file_is_its_uploaders() -> None:
    one, two = f.make_user(is_staff=True), f.make_user(is_staff=True)
    held = pdn_files.hold_file(Actor(user=one), filename="a.pdn", content=PDN.encode())

    assert client_of(two).get(reverse("games:pdn_preview", args=[held.pk])).status_code == 404
    client_of(one).post(reverse("games:pdn_preview", args=[held.pk]), {"drop": "1"})
    assert ImportDraft.objects.count() == 0


def test_my_games_lists_the_boards_of_the_account_and_leads_to_its_sheets() -> None:
    on = board()
    user = on.white.player.user = f.make_user()
    on.white.player.save()
    address = reverse("games:mine")

    assert client_of(None).get(address).headers["Location"].startswith("/accounts/login/")
    page = client_of(user).get(address).content.decode()
    sheet = reverse("games:sheet", args=[on.pairing.pk, "W"])
    assert page.count("/sheets/") == 1
    assert sheet in page
    assert client_of(user).get(sheet).status_code == 200
    assert client_of(user).get(reverse("games:sheet", args=[on.pairing.pk, "B"])).status_code == 403
    assert "/sheets/" not in client_of(f.make_user()).get(address).content.decode()


def test_the_desk_leads_to_ones_games_and_to_ones_court_apart() -> None:
    page = client_of(f.make_user()).get(reverse("desk:home")).content.decode()

    assert reverse("games:mine") != reverse("games:my_courts")
    assert all(f'href="{reverse(f"games:{name}")}"' in page for name in ("mine", "my_courts"))


def test_more_pictures_of_a_round_cost_no_more_queries() -> None:
    on = board()
    client = client_of(on.arbiter.user)
    address = reverse("games:sheet_photos", args=[on.section.pk, 1])

    def queries() -> int:
        SheetPhoto.objects.create(
            round=on.pairing.round,
            pairing=on.pairing,
            side="W",
            content=b"x",
            given="x",
            digest="x",
            state="READ",
        )
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address).status_code == 200
        return len(caught)

    first = queries()
    assert [queries(), queries()] == [first, first]
