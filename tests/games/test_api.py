"""Games through the interface: who may, what comes back, and one refusal shape."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from games import sheets as reading
from games.models import Game, GameRules, Scoresheet
from tests import factories as f
from tests.games.boards import LEGAL, Board, board
from tournaments.audit import Actor
from tournaments.models import Event, Role, Round

pytestmark = pytest.mark.django_db

MOVES = list(reading.read_sheet(LEGAL).moves)


@pytest.fixture
def on() -> Board:
    return board()


def client(actor: Actor | None = None) -> APIClient:
    made = APIClient(headers={"accept-language": "en"})
    if actor is not None and actor.user is not None:
        made.force_authenticate(actor.user)
    return made


def at(on: Board, tail: str) -> str:
    base = f"/api/v1/events/{on.event.code}/sections/{on.section.code}/"
    return base + (tail if tail == "games/" else f"pairings/{on.pairing.pk}/{tail}")


def body(**fields: Any) -> dict[str, Any]:
    return {"submission": "s1", "text": LEGAL, "result": "2-0", **fields}


def test_a_sheet_is_filed_by_link_and_the_second_time_answered_alike(on: Board) -> None:
    first = client().post(at(on, "sheets/"), body(link=on.white.link), format="json")
    second = client().post(at(on, "sheets/"), body(link=on.white.link, text="1. 33-29"), format="json")

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["verdict"]["status"] == "legal"
    assert (second.json()["again"], second.json()["sheet"]["id"]) == (True, first.json()["sheet"]["id"])
    assert Scoresheet.objects.get().text == LEGAL


def test_an_illegal_sheet_comes_back_with_its_fault(on: Board) -> None:
    reply = client().post(
        at(on, "sheets/"), body(link=on.white.link, text="32-28 19-23 31-27"), format="json"
    )

    verdict = reply.json()["verdict"]
    assert (reply.status_code, verdict["ply"], verdict["kind"]) == (201, 3, "capture-mandatory")


def test_an_arbiter_reads_both_sheets_and_a_player_his_own(on: Board) -> None:
    on.black.player.user = f.make_user()
    on.black.player.save()
    client().post(at(on, "sheets/"), body(link=on.white.link), format="json")
    client().post(at(on, "sheets/"), body(link=on.black.link, submission="s2", text="32-28"), format="json")

    both = client(on.arbiter).get(at(on, "sheets/")).json()
    own = client(Actor(user=on.black.player.user)).get(at(on, "sheets/")).json()

    assert ([row["side"] for row in both["sheets"]], both["differs_at"]) == (["W", "B"], 2)
    assert ([row["side"] for row in own["sheets"]], own["meeting"]) == (["B"], None)


def test_a_player_reads_his_own_sheet_by_his_link(on: Board) -> None:
    client().post(at(on, "sheets/"), body(link=on.white.link), format="json")
    client().post(at(on, "sheets/"), body(link=on.black.link, submission="s2"), format="json")

    own = client().get(at(on, "sheets/"), {"link": on.black.link}).json()
    sheet = own["sheets"][0]["id"]

    assert ([row["side"] for row in own["sheets"]], own["meeting"]) == (["B"], None)
    verdict = at(on, f"sheets/{sheet}/verdict/")
    assert client().get(verdict, {"link": on.black.link}).json()["verdict"]["plies"] == 8
    assert client().get(verdict, {"link": on.white.link}).status_code == 403
    other = on.section.entries.get(number=3).link
    for caller in (client(), client(on.arbiter)):
        assert caller.get(at(on, "sheets/"), {"link": other}).status_code == 404


def test_both_sheets_are_public_with_the_accepted_score_unless_the_section_hides_them(on: Board) -> None:
    for side, link in (("s1", on.white.link), ("s2", on.black.link)):
        client().post(at(on, "sheets/"), body(link=link, submission=side), format="json")
    assert client().get(at(on, "game/")).json()["sheets"] == []

    sent = {"moves": MOVES, "outcome": "WHITE", "version": 0}
    client(on.arbiter).put(at(on, "score/"), sent, format="json")

    game = client().get(at(on, "game/"))
    assert [(sheet["side"], sheet["moves"]) for sheet in game.json()["sheets"]] == [
        ("W", MOVES),
        ("B", MOVES),
    ]
    assert client().get(at(on, "game/"), headers={"if-none-match": game["ETag"]}).status_code == 304
    GameRules.objects.create(section=on.section, sheets=GameRules.Sheets.HIDDEN)
    assert client().get(at(on, "game/")).json()["sheets"] == []


def test_a_verdict_is_read_by_its_player_and_by_arbiters(on: Board) -> None:
    sheet = client().post(at(on, "sheets/"), body(link=on.white.link), format="json").json()["sheet"]["id"]

    assert client(on.arbiter).get(at(on, f"sheets/{sheet}/verdict/")).json()["verdict"]["plies"] == 8
    assert client().get(at(on, f"sheets/{sheet}/verdict/")).status_code == 404


def test_an_arbiter_accepts_a_score_and_everybody_reads_the_game(on: Board) -> None:
    sent = {"moves": MOVES, "outcome": "WHITE", "version": 0, "white_seconds": 60}
    accepted = client(on.arbiter).put(at(on, "score/"), sent, format="json")

    assert (accepted.status_code, accepted.json()["outcome"]) == (200, "WHITE")
    game = client().get(at(on, "game/")).json()
    assert (game["moves"], len(game["fens"]), game["verdict"]["status"]) == (MOVES, 9, "legal")
    assert [row["id"] for row in client().get(at(on, "games/")).json()["results"]] == [game["id"]]


def test_a_result_is_not_final_while_something_is_missing(on: Board) -> None:
    reply = client(on.arbiter).post(at(on, "finalisation/"), {"note": ""}, format="json")

    assert (reply.status_code, reply.json()["code"]) == (409, "not-complete")
    assert "white-copy" in reply.json()["details"]["gaps"]


@pytest.mark.parametrize(
    ("method", "tail", "sent"),
    [
        ("post", "sheets/", body(side="W")),
        ("get", "sheets/", None),
        ("put", "score/", {"moves": MOVES, "outcome": "WHITE", "version": 0}),
        ("post", "finalisation/", {"note": "x"}),
    ],
)
@pytest.mark.parametrize("who", ["nobody", "stranger", "committee", "player of another board"])
def test_others_do_and_see_nothing(on: Board, method: str, tail: str, sent: Any, who: str) -> None:
    actor: Actor | None = None
    if who != "nobody":
        actor = Actor(user=f.make_user())
    if who == "committee" and actor is not None and actor.user is not None:
        f.make_role(actor.user, on.event, Role.Kind.COMMITTEE)
    if who == "player of another board" and actor is not None:
        other = on.section.entries.get(number=3).player
        other.user = actor.user
        other.save()

    reply = getattr(client(actor), method)(at(on, tail), sent, format="json")

    assert reply.status_code in (401, 403, 404)
    assert reply.json().keys() == {"code", "message", "details"}
    assert (Game.objects.count(), on.fresh().outcome) == (0, "UNPLAYED")


def test_drafts_are_not_found(on: Board) -> None:
    for change in (
        lambda: Round.objects.update(state=Round.State.PAIRED),
        lambda: Event.objects.update(state=Event.State.DRAFT),
    ):
        change()
        assert client().get(at(on, "game/")).status_code == 404
    assert client().get(at(on, "games/")).status_code == 404


def test_wrong_input_names_its_fields(on: Board) -> None:
    reply = client().post(at(on, "sheets/"), {"text": LEGAL, "link": on.white.link}, format="json")

    assert (reply.status_code, reply.json()["code"]) == (400, "bad-input")
    assert "submission" in str(reply.json()["details"])
