"""Nothing filed at a board is lost with its round: taking back, throwing away, pairing again and editing are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.utils import ProgrammingError
from django.urls import reverse
from django.utils import translation
from rest_framework.test import APIClient

from games import encryption
from games.models import Game, Incident, Ruling, Scoresheet
from games.services import adjournments, draw_offers, sheets
from games.services.court import incidents, rulings
from games.services.court.incidents import Report
from games.services.court.orders import Order
from games.services.sheets import Handed
from tests.games.boards import LEGAL, actor
from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import WrongState
from tournaments.models import Event, Pairing, Role, Round, Section
from tournaments.services import corrections, draft, events, matches, rounds
from tournaments.services.filed import FiledAlready

pytestmark = pytest.mark.django_db

NOBODY = Actor(address="192.0.2.9")


@pytest.fixture(autouse=True)
def key(settings: Any, tmp_path: Path) -> Path:
    settings.VAR, settings.SEAL_KEY = tmp_path, ""
    return tmp_path / encryption.KEY_FILE


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The services' sentences in one language, whatever a page before was answered in."""
    with translation.override("en"):
        yield


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    made = b.section(organizer, players=6)
    Event.objects.update(state=Event.State.OPEN)
    made.refresh_from_db()
    return made


@pytest.fixture
def round_(organizer: Actor, section: Section) -> Round:
    return b.publish_next(organizer, section)


def board(round_: Round, number: int = 2) -> Pairing:
    return round_.pairings.select_related("white", "black").get(board=number)


def file_sheet(arbiter: Actor, pairing: Pairing) -> None:
    sheets.file_sheet(
        NOBODY, pairing.pk, Handed(text=LEGAL, submission=f"s{pairing.pk}"), link=pairing.white.link
    )


def note_copy(arbiter: Actor, pairing: Pairing) -> None:
    sheets.mark_copy(arbiter, pairing.pk, "B", status="MISSING")


def offer_draw(arbiter: Actor, pairing: Pairing) -> None:
    draw_offers.offer_draw(arbiter, pairing.pk, side="W", ply=81)


def adjourn(arbiter: Actor, pairing: Pairing) -> None:
    adjournments.adjourn(
        arbiter,
        pairing.pk,
        reason="power cut",
        moves=["32-28"],
        white_seconds=1,
        black_seconds=1,
    )


def log_incident(arbiter: Actor, pairing: Pairing) -> None:
    incidents.log_incident(arbiter, pairing.pk, Report(category="CONDUCT", raised_by="A", against="W"))


def warn(arbiter: Actor, pairing: Pairing) -> None:
    log_incident(arbiter, pairing)
    rulings.rule(arbiter, Incident.objects.get().pk, Order(effect="WARNING", side="W"))


KINDS = [file_sheet, note_copy, offer_draw, adjourn, log_incident, warn]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def filed(request: pytest.FixtureRequest, section: Section, round_: Round) -> Pairing:
    """Board 2 with something filed at it."""
    pairing = board(round_)
    request.param(actor(section.event, Role.Kind.CHIEF_ARBITER), pairing)
    return pairing


def as_draft(round_: Round) -> None:
    """A round that was taken back in spite of what is filed, as an earlier version let it be."""
    Round.objects.filter(pk=round_.pk).update(state=Round.State.PAIRED, published_at=None)


def version(section: Section) -> int:
    return Section.objects.values_list("version", flat=True).get(pk=section.pk)


def test_a_round_with_something_filed_is_not_taken_back(
    organizer: Actor, round_: Round, filed: Pairing
) -> None:
    with pytest.raises(FiledAlready, match=r"round 1, board 2\. ") as refused:
        rounds.unpublish_round(organizer, round_.pk, reason="wrong list")

    assert refused.value.values["boards"] == [{"round": 1, "board": 2}]
    round_.refresh_from_db()
    assert round_.state == Round.State.PUBLISHED


def again(actor: Actor, round_: Round) -> None:
    rounds.request_pairing(actor, round_.section_id, again=True)


def discard(actor: Actor, round_: Round) -> None:
    rounds.discard_draft(actor, round_.section_id)


def swap(actor: Actor, round_: Round) -> None:
    one, two = board(round_, 1), board(round_, 2)
    draft.swap(
        actor, round_.pk, first=one.white_id, second=two.white_id, version=version(round_.section), reason="x"
    )


def set_board(actor: Actor, round_: Round) -> None:
    one, two = board(round_, 1), board(round_, 2)
    draft.set_board(
        actor, round_.pk, white=one.white_id, black=two.white_id, version=version(round_.section), reason="x"
    )


@pytest.mark.parametrize("verb", [again, discard, swap, set_board])
def test_a_draft_with_something_filed_is_neither_thrown_away_nor_changed(
    organizer: Actor, round_: Round, filed: Pairing, verb: Callable[[Actor, Round], None]
) -> None:
    as_draft(round_)
    before = list(Pairing.objects.order_by("pk").values_list("pk", "white_id", "black_id"))

    with pytest.raises(FiledAlready, match="round 1, board 2"):
        verb(organizer, round_)

    assert list(Pairing.objects.order_by("pk").values_list("pk", "white_id", "black_id")) == before
    assert rounds.publish_round(organizer, round_.pk).state == Round.State.PUBLISHED


def test_a_disqualification_does_not_take_such_a_draft_with_it(
    organizer: Actor, section: Section, round_: Round
) -> None:
    pairing = board(round_)
    file_sheet(organizer, pairing)
    as_draft(round_)

    with pytest.raises(FiledAlready), transaction.atomic():
        corrections.disqualify_entry(organizer, pairing.white_id, round_number=1, reason="x")

    assert Scoresheet.objects.get().game.pairing_id == pairing.pk


def test_players_of_boards_with_something_filed_are_not_exchanged(
    organizer: Actor, round_: Round, filed: Pairing
) -> None:
    other = board(round_, 1)

    with pytest.raises(FiledAlready, match="board 2"), transaction.atomic():
        corrections.exchange_players(
            organizer, round_.pk, first=other.white_id, second=filed.white_id, reason="x"
        )

    assert board(round_).white_id == filed.white_id


def test_blank_copies_hold_nothing_back(organizer: Actor, section: Section, round_: Round) -> None:
    sheets.issue_copies(actor(section.event, Role.Kind.ARBITER), round_.pk)
    assert Game.objects.count() == 3

    rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
    rounds.discard_draft(organizer, section.pk)

    assert not Pairing.objects.exists()


def test_a_copy_taken_back_to_issued_holds_nothing_back(
    organizer: Actor, section: Section, round_: Round
) -> None:
    arbiter = actor(section.event, Role.Kind.ARBITER)
    note_copy(arbiter, board(round_))
    sheets.mark_copy(arbiter, board(round_).pk, "B", status="ISSUED")

    assert rounds.unpublish_round(organizer, round_.pk, reason="wrong list").state == Round.State.PAIRED


def test_results_of_single_games_of_a_match_are_results(organizer: Actor) -> None:
    section = b.section(organizer, players=4, match_rule="TWO_GAMES")
    round_ = b.publish_next(organizer, section)
    pairing = board(round_, 1)
    matches.record_stage_games(organizer, pairing.pk, ["DRAW"], version=0)

    with pytest.raises(FiledAlready, match="round 1, board 1"):
        rounds.unpublish_round(organizer, round_.pk, reason="wrong list")

    pairing.refresh_from_db()
    matches.record_stage_games(organizer, pairing.pk, [], version=pairing.version)
    assert rounds.unpublish_round(organizer, round_.pk, reason="wrong list").state == Round.State.PAIRED


def test_a_section_with_an_incident_on_record_is_not_deleted(
    organizer: Actor, section: Section, round_: Round
) -> None:
    warn(actor(section.event, Role.Kind.CHIEF_ARBITER), board(round_))
    Pairing.objects.all().delete()
    Round.objects.update(state=Round.State.OPEN)

    with pytest.raises(WrongState):
        events.delete_section(organizer, section.pk)

    assert (Section.objects.count(), Ruling.objects.count()) == (1, 1)


def test_the_desk_says_which_boards_stand_in_the_way(
    organizer: Actor, section: Section, round_: Round
) -> None:
    file_sheet(organizer, board(round_))
    client = client_of(organizer.user)

    taken = client.post(reverse("desk:unpublish", args=[section.pk, 1]), {"reason": "wrong list"})
    as_draft(round_)
    thrown = client.post(reverse("desk:discard", args=[section.pk]))
    paired = client.post(reverse("desk:pair", args=[section.pk]), {"again": "1"})

    for page in (taken, thrown, paired):
        assert "round 1, board 2" in page.content.decode()
        assert page.status_code in (400, 409)
    assert Scoresheet.objects.count() == 1


def test_the_interface_refuses_alike(organizer: Actor, section: Section, round_: Round) -> None:
    file_sheet(organizer, board(round_))
    client = APIClient(headers={"accept-language": "en"})
    client.force_authenticate(organizer.user)
    at = f"/api/v1/events/{section.event.code}/sections/{section.code}/"

    taken = client.post(at + "rounds/1/taking-back/", {"reason": "x"}, format="json")
    as_draft(round_)
    thrown = client.delete(at + "draft/")
    paired = client.post(at + "pairing/", {"again": True}, format="json")

    for reply in (taken, thrown, paired):
        assert (reply.status_code, reply.json()["code"]) == (409, "filed")
        assert reply.json()["details"]["boards"] == [{"round": 1, "board": 2}]
    assert Scoresheet.objects.count() == 1


@pytest.mark.parametrize("filed_by", [file_sheet, offer_draw, adjourn], ids=lambda verb: verb.__name__)
def test_the_database_lets_nothing_filed_go_with_its_board(
    section: Section, round_: Round, filed_by: Callable[[Actor, Pairing], None]
) -> None:
    filed_by(actor(section.event, Role.Kind.CHIEF_ARBITER), board(round_))

    with pytest.raises(ProgrammingError, match="is kept"), transaction.atomic():
        Pairing.objects.all().delete()

    assert board(round_) in Pairing.objects.filter(games__isnull=False)
