"""Adjournments (article 11): closing, the seal that nobody reads, opening, and what an illegal sealed move costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from django.db import connection
from django.test import Client
from django.urls import reverse

from config import environment
from games import encryption
from games.models import Adjournment, Game, Result
from games.services import adjournments
from tests import factories as f
from tests.games.boards import Board, board
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import AuditEntry, Role

pytestmark = pytest.mark.django_db

NOBODY = Actor(address="192.0.2.9")
# Two captures of as many pieces lead the king of AMBIGUOUS from 20 to 9.
QUIET = "W:W32,38:B12,13"
AMBIGUOUS = "W:WK20:B13,24,28,37"


@pytest.fixture(autouse=True)
def key(settings: Any, tmp_path: Path) -> Path:
    settings.VAR, settings.SEAL_KEY = tmp_path, ""
    return tmp_path / encryption.KEY_FILE


@pytest.fixture
def on() -> Board:
    return board()


def adjourned(on: Board, *, fen: str = QUIET) -> Adjournment:
    return adjournments.adjourn(
        on.arbiter, on.pairing.pk, reason="power cut", fen=fen, white_seconds=100, black_seconds=90
    )


def closed(on: Board, written: str, *, fen: str = QUIET) -> Adjournment:
    row = adjourned(on, fen=fen)
    for entry in (on.white, on.black):
        adjournments.confirm(NOBODY, row.pk, link=entry.link)
    adjournments.seal_move(NOBODY, row.pk, written=written, link=on.white.link)
    return adjournments.close_envelope(on.arbiter, row.pk, envelope="7")


def confirmed_again(on: Board, row: Adjournment) -> Adjournment:
    for entry in (on.white, on.black):
        adjournments.confirm(NOBODY, row.pk, link=entry.link)
    row.refresh_from_db()
    return row


@pytest.mark.clause("11.1", "11.2", "15.2.20", at="games/services/adjournments.py")
def test_11_1_only_an_arbiter_adjourns_and_only_with_a_reason(on: Board) -> None:
    with pytest.raises(BadInput):
        adjournments.adjourn(
            on.arbiter, on.pairing.pk, reason=" ", fen=QUIET, white_seconds=1, black_seconds=1
        )
    user = f.make_user()
    f.make_role(user, on.event, Role.Kind.COMMITTEE)
    for who in (NOBODY, Actor(user=user)):
        with pytest.raises((NotFound, NotAllowed)):
            adjournments.adjourn(who, on.pairing.pk, reason="x", fen=QUIET, white_seconds=1, black_seconds=1)

    assert Adjournment.objects.count() == 0
    assert adjourned(on).state == "CLOSING"
    with pytest.raises(WrongState):
        adjourned(on)


@pytest.mark.clause(
    "11.3.1", "11.3.4", "11.3.5", "11.4.1", "11.4.3", "11.4.4", at="games/services/adjournments.py"
)
def test_11_1_the_steps_come_in_their_order(on: Board) -> None:
    row = adjourned(on)
    with pytest.raises(WrongState):
        adjournments.close_envelope(on.arbiter, row.pk, envelope="7")
    for entry in (on.white, on.black):
        adjournments.confirm(NOBODY, row.pk, link=entry.link)
    with pytest.raises(WrongState):
        adjournments.close_envelope(on.arbiter, row.pk, envelope="7")
    with pytest.raises(WrongState):
        adjournments.open_envelope(on.arbiter, row.pk)
    adjournments.seal_move(NOBODY, row.pk, written="32-28", link=on.white.link)
    adjournments.close_envelope(on.arbiter, row.pk, envelope="7")
    with pytest.raises(WrongState):
        adjournments.open_envelope(on.arbiter, row.pk)
    with pytest.raises(WrongState):
        adjournments.resume(on.arbiter, row.pk)
    confirmed_again(on, row)
    adjournments.open_envelope(on.arbiter, row.pk)
    done = adjournments.resume(on.arbiter, row.pk)

    assert (done.state, done.played, done.envelope) == ("RESUMED", "32-28", "7")
    assert (on.fresh().outcome, Result.objects.count()) == ("UNPLAYED", 0)


def test_11_2_nobody_reads_the_sealed_move_before_it_is_opened(on: Board) -> None:
    row = closed(on, "32-28")

    row.refresh_from_db()
    stored = serializers.serialize("json", [row, *AuditEntry.objects.all()])
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_adjournment::text FROM games_adjournment")
        stored += cursor.fetchone()[0]
    assert "32-28" not in stored
    pages = [
        client_of(on.chief.user).get(reverse("games:adjournment", args=[on.pairing.pk])),
        client_of(f.make_user(is_superuser=True)).get(reverse("games:adjournment", args=[on.pairing.pk])),
        Client().get(reverse("games:my_adjournment", args=[on.white.link, 1])),
        Client().get(reverse("games:my_adjournment", args=[on.black.link, 1])),
    ]
    assert [page.status_code for page in pages] == [200] * 4
    assert not any("32-28" in page.content.decode() for page in pages)

    confirmed_again(on, row)
    adjournments.open_envelope(on.arbiter, row.pk)
    opened = AuditEntry.objects.get(action="open-envelope")
    assert (opened.actor, opened.after["written"]) == (on.arbiter.user, "32-28")


def test_11_2_the_key_lies_outside_the_database_and_is_the_owners(on: Board, key: Path) -> None:
    closed(on, "32-28")

    assert key.stat().st_mode & 0o777 == 0o600


def test_machines_that_share_a_secret_share_the_seal(
    on: Board, key: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEAL_KEY", raising=False)
    monkeypatch.setenv("SECRET_KEY", "one for all")
    settings.SEAL_KEY = environment.seal_key()
    row = closed(on, "32-28")

    assert encryption.unseal(row.sealed) == "32-28"
    assert environment.seal_key() == settings.SEAL_KEY
    assert not key.exists()


@pytest.mark.clause("11.3.3", at="games/services/adjournments.py")
def test_11_2_only_the_mover_seals_and_only_once(on: Board) -> None:
    row = adjourned(on)
    with pytest.raises(NotAllowed):
        adjournments.seal_move(NOBODY, row.pk, written="12-17", link=on.black.link)
    with pytest.raises(NotAllowed):
        adjournments.seal_move(on.arbiter, row.pk, written="32-28")
    with pytest.raises(NotFound):
        adjournments.seal_move(NOBODY, row.pk, written="32-28", link=on.section.entries.get(number=3).link)
    adjournments.seal_move(NOBODY, row.pk, written="32-28", link=on.white.link)
    with pytest.raises(WrongState):
        adjournments.seal_move(NOBODY, row.pk, written="32-27", link=on.white.link)

    row.refresh_from_db()
    assert encryption.unseal(row.sealed) == "32-28"


@pytest.mark.parametrize("written", ["32-23", "12-17", "nonsense", "32x23"])
@pytest.mark.clause("11.3.6", at="games/services/adjournments.py")
def test_11_3_an_illegal_sealed_move_loses(on: Board, written: str) -> None:
    row = confirmed_again(on, closed(on, written))

    opened = adjournments.open_envelope(on.arbiter, row.pk)
    assert (opened.state, on.fresh().outcome) == ("OPENED", "UNPLAYED")  # opening judges nothing
    lost = adjournments.judge_sealed_move(on.arbiter, row.pk)

    assert (lost.state, on.fresh().outcome) == ("LOST", "BLACK")
    assert (Result.objects.get().source, Game.objects.count()) == ("SEALED_MOVE", 1)


def test_11_3_an_ambiguous_capture_is_made_clear_before_it_is_played(on: Board) -> None:
    import rules

    position = rules.Position.from_fen(AMBIGUOUS)
    twins: dict[tuple[int, int], int] = {}
    for move in rules.legal_moves(position):
        twins[move.origin, move.destination] = twins.get((move.origin, move.destination), 0) + 1
    squares = next(pair for pair, count in twins.items() if count > 1)
    row = confirmed_again(on, closed(on, f"{squares[0]}x{squares[1]}", fen=AMBIGUOUS))

    opened = adjournments.open_envelope(on.arbiter, row.pk)
    assert (opened.state, opened.played) == ("OPENED", "")
    with pytest.raises(WrongState):
        adjournments.resume(on.arbiter, row.pk)
    with pytest.raises(BadInput):
        adjournments.clarify(on.arbiter, row.pk, choice=99)
    clear = adjournments.clarify(on.arbiter, row.pk, choice=1)

    assert clear.played.count("x") > 1
    assert adjournments.resume(on.arbiter, row.pk).state == "RESUMED"


def test_a_paper_envelope_holds_the_move_until_it_is_opened(on: Board) -> None:
    row = adjourned(on)
    for side in "WB":
        adjournments.confirm(on.arbiter, row.pk, side=side)
    adjournments.close_envelope(on.arbiter, row.pk, envelope="7", on_paper=True)
    confirmed_again(on, row)
    with pytest.raises(BadInput):
        adjournments.open_envelope(on.arbiter, row.pk)

    assert adjournments.open_envelope(on.arbiter, row.pk, written="32-28").played == "32-28"


def test_a_broken_seal_says_so_and_changes_nothing(on: Board, key: Path) -> None:
    row = confirmed_again(on, closed(on, "32-28"))
    key.unlink()

    with pytest.raises(encryption.BrokenSeal):
        adjournments.open_envelope(on.arbiter, row.pk)

    row.refresh_from_db()
    assert (row.state, row.written) == ("SEALED", "")


@pytest.mark.clause("11.3.2", at="games/web/desk/adjournments.py")
def test_the_whole_way_through_the_pages(on: Board) -> None:
    desk = client_of(on.arbiter.user)
    address = reverse("games:adjournment", args=[on.pairing.pk])
    mine = {e: reverse("games:my_adjournment", args=[e.link, 1]) for e in (on.white, on.black)}
    assert Client().get(mine[on.white]).status_code == 404
    started = {"reason": "flood", "moves": "1. 32-28 18-23", "white_seconds": "0:30", "black_seconds": "0:31"}
    assert desk.post(address, started).status_code == 302
    for entry in mine:
        assert Client(enforce_csrf_checks=True).post(mine[entry], {"confirm": "1"}).status_code == 302
    shown = Client().post(mine[on.white], {"written": "38-32"})
    assert (shown.status_code, Adjournment.objects.get().sealed) == (200, "")
    assert "38-32" in shown.content.decode() and 'name="sure"' in shown.content.decode()
    assert Client().post(mine[on.white], {"written": "38-32", "sure": "1"}).status_code == 302
    assert desk.post(address, {"close": "1", "envelope": "A"}).status_code == 302
    for side in "WB":
        desk.post(address, {"confirm": side})
    assert desk.post(address, {"open": "1"}).status_code == 302
    assert "38-32" in desk.get(address).content.decode()
    assert desk.post(address, {"resume": "1"}).status_code == 302

    row = Adjournment.objects.get()
    assert (row.state, row.white_seconds, row.played) == ("RESUMED", 1800, "38-32")


def test_a_page_that_is_refused_tells_why(on: Board) -> None:
    page = client_of(on.arbiter.user).post(
        reverse("games:adjournment", args=[on.pairing.pk]),
        {"reason": "flood", "moves": "1. 32-28 18-24", "white_seconds": "0:30", "black_seconds": "0:31"},
    )

    assert page.status_code == 400
    assert "The moves so far are not legal from move 1 on" in page.content.decode()


@pytest.mark.clause("11.3.6", at="games/services/adjournments.py")
def test_11_3_6_the_envelope_is_reopened_with_a_reason_and_never_judged_twice_silently(on: Board) -> None:
    row = confirmed_again(on, closed(on, "32-23"))
    adjournments.open_envelope(on.arbiter, row.pk)
    adjournments.judge_sealed_move(on.arbiter, row.pk)
    with pytest.raises(WrongState):
        adjournments.judge_sealed_move(on.arbiter, row.pk)
    with pytest.raises(BadInput):
        adjournments.reopen_envelope(on.arbiter, row.pk, reason=" ")

    again = adjournments.reopen_envelope(on.arbiter, row.pk, reason="the position was set up wrongly")

    assert (again.state, on.fresh().outcome) == ("OPENED", "UNPLAYED")
    logged = AuditEntry.objects.get(action="reopen-envelope")
    assert logged.reason == "the position was set up wrongly"
    with pytest.raises(WrongState):
        adjournments.mend_written(
            on.arbiter, row.pk, written="32-28", reason="he meant that"
        )  # sealed on a phone
    adjournments.judge_sealed_move(on.arbiter, row.pk)
    assert on.fresh().outcome == "BLACK"


def test_a_slip_of_the_arbiter_with_a_paper_envelope_is_shown_asked_and_mended_with_a_reason(
    on: Board,
) -> None:
    row = adjourned(on)
    for side in "WB":
        adjournments.confirm(on.arbiter, row.pk, side=side)
    adjournments.close_envelope(on.arbiter, row.pk, envelope="7", on_paper=True)
    confirmed_again(on, row)
    desk, address = client_of(on.arbiter.user), reverse("games:adjournment", args=[on.pairing.pk])

    shown = desk.post(address, {"open": "1", "written": "32-23"}).content.decode()
    row.refresh_from_db()
    assert (row.state, "32-23" in shown, 'name="sure"' in shown) == ("SEALED", True, True)

    desk.post(address, {"open": "1", "written": "32-23", "sure": "1"})
    row.refresh_from_db()
    assert (row.state, on.fresh().outcome) == ("OPENED", "UNPLAYED")
    with pytest.raises(WrongState):
        adjournments.resume(on.arbiter, row.pk)
    assert desk.post(address, {"mend": "1", "written": "32-28", "reason": ""}).status_code == 400
    assert (
        desk.post(address, {"mend": "1", "written": "32-28", "reason": "read 23 for 28"}).status_code == 302
    )
    row.refresh_from_db()
    assert (row.written, row.played) == ("32-28", "32-28")
    with pytest.raises(WrongState):
        adjournments.judge_sealed_move(on.arbiter, row.pk)
    assert AuditEntry.objects.get(action="mend-sealed-move").before == {"written": "32-23"}
