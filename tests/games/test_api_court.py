"""The court through the interface: who may do and read what, that a refusal leaves no trace, and what is public."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.urls import URLPattern
from django.utils import timezone
from rest_framework.test import APIClient

from games.models import Appeal, Incident, Ruling
from games.services.court import rulings
from games.services.court.incidents import note_refusal
from games.web.api import appeals as api_appeals
from games.web.api import court as api_court
from games.web.api import hall as api_hall
from games.web.api import urls
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.games.test_court_appeals import png
from tests.permission_table import ARBITERS, AT_COURT, CHIEFS, Who
from tournaments.models import Event, Role, Round, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court(members=4)


def client(user: User | None = None) -> APIClient:
    made = APIClient(headers={"accept-language": "en"})
    if user is not None:
        made.force_authenticate(user)
    return made


def at(stage: Court, rest: str) -> str:
    return f"/api/v1/events/{stage.event.code}/{rest}"


def people(stage: Court) -> dict[Any, User | None]:
    stranger, other, player = f.make_user(), f.make_user(), f.make_user()
    f.make_role(other, f.make_event(), Role.Kind.CHIEF_ARBITER)
    f.make_role(player, stage.event, Role.Kind.PLAYER)
    return {
        "anonymous": None,
        "stranger": stranger,
        "chief arbiter elsewhere": other,
        Who.PLAYER: player,
        Who.ORGANIZER: user_of(stage.organizer),
        Who.CHIEF_ARBITER: user_of(stage.chief),
        Who.ARBITER: user_of(stage.arbiter),
        Who.COMMITTEE: user_of(stage.committee[0]),
    }


def everything() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for label in ("tournaments", "games"):
            for model in apps.get_app_config(label).get_models():
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"SELECT t::text FROM {table} t ORDER BY 1")
                found[model._meta.db_table] = cursor.fetchall()
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    path: Callable[[Court], str]
    body: Any = None
    who: frozenset[Who] = ARBITERS


def waiting(stage: Court) -> int:
    """A loss that is proposed."""
    incident = log(stage, category="TECHNICAL", board=3)
    return note_refusal(stage.arbiter, incident.pk).rulings.get().pk


def late(stage: Court) -> str:
    """The address, once the limit has passed."""
    Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(hours=2))
    return "lateness"


def too_late(stage: Court) -> int:
    appeal = cases.filed(stage)
    Appeal.objects.filter(pk=appeal.pk).update(state="REFUSED", reasons=["late"])
    return appeal.number


WRITES = [
    Case(name="api-board-incidents", path=lambda s: f"sections/{s.section.code}/pairings/{s.board().pk}/incidents/", body={"category": "CONDUCT", "against": "W", "note": "talked"}),
    Case(name="api-round-incidents", path=lambda s: f"sections/{s.section.code}/rounds/2/incidents/", body={"person": "Zhou", "person_role": "SPECTATOR"}),
    Case(name="api-lateness", path=lambda s: f"sections/{s.section.code}/rounds/2/{late(s)}/", body={"boards": [{"pairing": 0, "absent": "W"}]}),
    Case(name="api-clocks", path=lambda s: f"sections/{s.section.code}/rounds/2/clocks/"),
    Case(name="api-arrival", path=lambda s: f"sections/{s.section.code}/rounds/2/arrival/"),
    Case(name="api-incident-standing", path=lambda s: f"incidents/{log(s, category='IRREGULAR', raised_by='B', ply=3).pk}/standing/"),
    Case(name="api-incident-refusal", path=lambda s: f"incidents/{log(s, category='TECHNICAL').pk}/refusal/"),
    Case(name="api-incident-rulings", path=lambda s: f"incidents/{log(s).pk}/rulings/", body={"effect": "WARNING", "side": "W"}),
    Case(name="api-ruling-confirmation", path=lambda s: f"rulings/{waiting(s)}/confirmation/"),
    Case(name="api-ruling-refusal", path=lambda s: f"rulings/{waiting(s)}/refusal/", body={"reason": "he wrote"}),
    Case(name="api-ruling-withdrawal", path=lambda s: f"rulings/{ruled(s, 'WARNING').pk}/withdrawal/", body={"reason": "not he"}),
    Case(name="api-paper-appeals", path=lambda s: "paper-appeals/", body={"kind": "OTHER", "grounds": "g", "request": "r", "submission": "s", "entry": 0, "subject": "PAIRING", "round": 2, "received_at": "2026-11-30T10:00:00Z", "received_by": "Li"}, who=AT_COURT),
    Case(name="api-appeal-fee", path=lambda s: f"appeals/{cases.filed(s).number}/fee/", who=CHIEFS),
    Case(name="api-appeal-late-hearing", path=lambda s: f"appeals/{too_late(s)}/late-hearing/", body={"cause": "ill"}, who=frozenset({Who.COMMITTEE})),
    Case(name="api-ruling-revision", path=lambda s: f"rulings/{ruled(s, 'WARNING').pk}/revision/", body={"effect": "REMINDER", "side": "W", "text": "not so loud"}),
]  # fmt: skip
BY_PARTIES = {"api-contested-decisions", "api-ruling-appeals", "api-appeal-evidence", "api-appeal-withdrawal"}
OFFICIALS_READ = {"api-incidents", "api-incident"}
PUBLIC = {"api-rulings", "api-appeals", "api-appeal"}


@pytest.mark.parametrize("case", WRITES, ids=lambda case: case.name)
def test_a_step_is_taken_by_its_roles_only_and_a_refusal_leaves_no_trace(stage: Court, case: Case) -> None:
    path, cast = at(stage, case.path(stage)), people(stage)
    if case.name == "api-lateness":
        case = replace(case, body={"boards": [{"pairing": stage.board().pk, "absent": "W"}]})
    if case.name == "api-paper-appeals":
        case = replace(case, body={**case.body, "entry": stage.board().white_id})
    before = everything()

    for who, user in cast.items():
        if who not in case.who:
            reply = client(user).post(path, case.body, format="json")
            expected = 401 if user is None else 403 if who in AT_COURT else 404
            assert (who, reply.status_code) == (who, expected)
            assert reply.json().keys() == {"code", "message", "details"}
            assert everything() == before

    for who in case.who:
        with transaction.atomic():
            reply = client(cast[who]).post(path, case.body, format="json")
            assert reply.status_code < 300, (who, reply.content)
            assert reply["Cache-Control"] == "no-store"
            assert everything() != before
            transaction.set_rollback(True)


@pytest.mark.parametrize("name", sorted(OFFICIALS_READ))
def test_incidents_are_read_at_the_court_only(stage: Court, name: str) -> None:
    incident = log(stage, note="said something")
    path = at(stage, "incidents/" if name == "api-incidents" else f"incidents/{incident.pk}/")

    for who, user in people(stage).items():
        reply = client(user).get(path)
        assert (who, reply.status_code) == (who, 200 if who in AT_COURT else 404)


OWN = {"api-own-court", "api-appeal-revision"}  # the latter the convenor alone: test_what_can_be_appealed


def test_every_address_of_the_court_is_held_to_its_people() -> None:
    modules = {api_court.__name__, api_appeals.__name__, api_hall.__name__}
    names = {
        pattern.name
        for pattern in urls.urlpatterns
        if isinstance(pattern, URLPattern) and pattern.callback.view_class.__module__ in modules
    }

    assert names == {case.name for case in WRITES} | BY_PARTIES | OFFICIALS_READ | PUBLIC | OWN


class TestRulings:
    def test_an_incident_is_logged_once_and_ruled_on(self, stage: Court) -> None:
        arbiter = client(user_of(stage.arbiter))
        board = f"sections/{stage.section.code}/pairings/{stage.board().pk}/incidents/"
        sent = {"category": "CONDUCT", "against": "W", "submission": "i1"}

        incident = arbiter.post(at(stage, board), sent, format="json").json()
        again = arbiter.post(at(stage, board), sent, format="json").json()
        order = {"effect": "WARNING", "side": "W", "text": "twice told"}
        ruling = arbiter.post(at(stage, f"incidents/{incident['id']}/rulings/"), order, format="json").json()

        assert (again["id"], Incident.objects.count(), incident["article"]) == (incident["id"], 1, "14.1.10")
        assert (ruling["state"], ruling["is_public"], ruling["text"]) == ("IN_FORCE", True, "twice told")
        read = arbiter.get(at(stage, f"incidents/{incident['id']}/")).json()
        assert (read["settled"], [r["number"] for r in read["rulings"]]) == ("RULED", [1])

    def test_a_submission_of_another_board_is_no_answer(self, stage: Court) -> None:
        log(stage, board=2, submission="i1")
        board = f"sections/{stage.section.code}/pairings/{stage.board().pk}/incidents/"

        sent = {"category": "CONDUCT", "against": "W", "submission": "i1"}
        reply = client(user_of(stage.arbiter)).post(at(stage, board), sent, format="json")

        assert (reply.status_code, reply.json()["code"]) == (409, "conflict")

    def test_what_the_opponent_alone_may_raise_is_refused_by_name(self, stage: Court) -> None:
        board = f"sections/{stage.section.code}/pairings/{stage.board().pk}/incidents/"

        sent = {"category": "IRREGULAR", "against": "W", "raised_by": "A"}
        reply = client(user_of(stage.arbiter)).post(at(stage, board), sent, format="json")

        assert (reply.status_code, reply.json()["code"]) == (403, "opponent-only")

    @pytest.mark.parametrize(
        "order", [
            {}, {"effect": "GONE"}, {"effect": "WARNING"}, {"effect": "WARNING", "side": "W", "article": "99"},
            {"effect": "WARNING", "side": "W", "white_seconds": 24 * 3600 + 1},
            {"effect": "WARNING", "side": "W", "black_seconds": -(10**30)},
        ]
    )  # fmt: skip
    def test_an_order_that_cannot_be_is_refused(self, stage: Court, order: dict[str, Any]) -> None:
        incident = log(stage)

        reply = client(user_of(stage.arbiter)).post(
            at(stage, f"incidents/{incident.pk}/rulings/"), order, format="json"
        )

        assert (reply.status_code, reply.json()["code"]) == (400, "bad-input")
        assert not Ruling.objects.exists()

    def test_a_disqualification_waits_for_the_chief(self, stage: Court) -> None:
        incident = log(stage)
        order = {"effect": "DISQUALIFY", "side": "W"}
        made = client(user_of(stage.arbiter)).post(
            at(stage, f"incidents/{incident.pk}/rulings/"), order, format="json"
        )
        assert made.json()["state"] == "AWAITING"

        path = at(stage, f"rulings/{made.json()['id']}/confirmation/")
        assert client(user_of(stage.arbiter)).post(path).status_code == 403
        assert client(user_of(stage.chief)).post(path).json()["state"] == "IN_FORCE"

    def test_what_is_of_another_event_is_not_found(self, stage: Court) -> None:
        other = court()
        chief = client(user_of(other.chief))
        ruling = ruled(stage, "WARNING")

        for path in (f"rulings/{ruling.pk}/withdrawal/", f"incidents/{ruling.incident_id}/rulings/"):
            body = {"reason": "x", "effect": "REMINDER", "side": "W"}
            assert chief.post(at(other, path), body, format="json").status_code == 404
        f.make_role(user_of(other.chief), stage.event, Role.Kind.ARBITER)
        path = f"rulings/{ruling.pk}/withdrawal/"
        assert chief.post(at(other, path), {"reason": "x"}, format="json").status_code == 404
        ruling.refresh_from_db()
        assert ruling.is_in_force


class TestPublicReading:
    def test_rulings_are_found_by_article_kind_and_section(self, stage: Court) -> None:
        ruled(stage, "WARNING")
        ruled(stage, "REMINDER", board=2)
        ruled(stage, "GAME_LOST", board=3, category="FLAG")

        def numbers(**query: str) -> list[int]:
            return [row["number"] for row in client().get(at(stage, "rulings/"), query).json()["results"]]

        assert numbers() == [3, 1]
        assert numbers(article="14") == numbers(category="CONDUCT") == [1]
        assert numbers(article="1") == []
        assert numbers(section=stage.section.code) == [3, 1]
        assert client().get(at(stage, "rulings/"), {"category": "GOSSIP"}).status_code == 400
        assert client().get(at(stage, "rulings/"), {"section": "none"}).status_code == 404

    def test_private_words_are_in_no_public_answer(self, stage: Court) -> None:
        ruling = ruled(stage, "WARNING", note="secret note")
        rulings.revise_ruling(
            stage.chief, ruling.pk, rulings.Order(effect="GAME_LOST", side="W", text="secret text")
        )
        case = cases.filed(stage, ruling=Ruling.objects.latest("pk"), grounds="secret grounds")

        for path in ("rulings/", "appeals/", f"appeals/{case.number}/"):
            text = client().get(at(stage, path)).content.decode()
            assert "secret" not in text
            assert case.appellant.link not in text

    def test_the_register_tells_a_decision(self, stage: Court) -> None:
        case = cases.decided(stage)

        row = client().get(at(stage, f"appeals/{case.number}/")).json()

        assert (row["state"], row["decision"]["verdict"], row["effect"]) == ("DECIDED", "UPHOLD", "GAME_LOST")
        assert client().get(at(stage, "appeals/"), {"article": "14"}).json()["results"] == [row]
        assert client().get(at(stage, "appeals/99/")).status_code == 404

    def test_an_answer_held_is_not_sent_again_until_it_changes(self, stage: Court) -> None:
        ruling = ruled(stage, "WARNING")
        first = client().get(at(stage, "rulings/"))
        held = {"if-none-match": first["ETag"]}
        assert client().get(at(stage, "rulings/"), headers=held).status_code == 304

        rulings.withdraw_ruling(stage.arbiter, ruling.pk, reason="not he")

        assert client().get(at(stage, "rulings/"), headers=held).json()["results"][0]["state"] == "WITHDRAWN"

    def test_of_an_event_in_preparation_only_its_officials_hear(self, stage: Court) -> None:
        case = cases.filed(stage)
        Event.objects.filter(pk=stage.event.pk).update(state=Event.State.DRAFT)

        for path in ("rulings/", "appeals/", f"appeals/{case.number}/", "own-court/"):
            assert client().get(at(stage, path)).status_code == 404
        reply = client(user_of(stage.arbiter)).get(at(stage, "rulings/"))
        assert (reply.status_code, reply["Cache-Control"]) == (200, "private, no-cache")


class TestAppeals:
    def file(self, stage: Court, ruling: Ruling, user: User | None = None, **fields: str) -> Any:
        sent = {
            "submission": "a1",
            "kind": "CONDUCT",
            "grounds": "I said nothing.",
            "request": "Take it back.",
        }
        return client(user).post(
            at(stage, f"rulings/{ruling.pk}/appeals/"), {**sent, **fields}, format="json"
        )

    def test_a_player_files_by_link_and_the_second_time_it_is_the_same_case(self, stage: Court) -> None:
        ruling = ruled(stage, "GAME_LOST")
        link = cases.loser(ruling).link

        first, second = self.file(stage, ruling, link=link), self.file(stage, ruling, link=link)

        assert (first.status_code, first.json()) == (201, second.json())
        assert (first.json()["state"], first.json()["fee"], first.json()["party"]) == (
            "FILED", stage.section.appeal_fee, "APPELLANT",
        )  # fmt: skip
        assert Appeal.objects.get().grounds == "I said nothing."

    def test_others_file_nothing(self, stage: Court) -> None:
        ruling = ruled(stage, "GAME_LOST")
        stranger_link = stage.board(2).white.link
        for who, user in people(stage).items():
            assert (who, self.file(stage, ruling, user).status_code) == (who, 404)
        assert self.file(stage, ruling, link=stranger_link).status_code == 404
        assert self.file(court(), ruling, link=cases.loser(ruling).link).status_code == 404
        assert not Appeal.objects.exists()

    def test_what_is_missing_is_named(self, stage: Court) -> None:
        ruling = ruled(stage, "GAME_LOST")

        reply = self.file(stage, ruling, link=cases.loser(ruling).link, kind="GOSSIP")

        assert (reply.status_code, list(reply.json()["details"]["fields"])) == (400, ["kind"])

    def test_the_same_ruling_is_not_appealed_twice(self, stage: Court) -> None:
        ruling = ruled(stage, "GAME_LOST")
        self.file(stage, ruling, link=cases.loser(ruling).link)

        reply = self.file(stage, ruling, link=cases.loser(ruling).link, submission="a2")

        assert (reply.status_code, reply.json()["code"]) == (409, "filed-already")

    def test_ones_own_rulings_come_with_the_terms_of_an_appeal(self, stage: Court) -> None:
        ruling = ruled(stage, "GAME_LOST")
        user = cases.login(cases.loser(ruling), f.make_user())

        by_link = client().get(at(stage, "own-court/"), {"link": cases.loser(ruling).link})
        by_account = client(user).get(at(stage, "own-court/"))

        assert by_link.json() == by_account.json()
        (row,) = by_link.json()["rulings"]
        assert (row["number"], row["appeal_fee"]) == (ruling.number, stage.section.appeal_fee)
        assert row["appeal_until"] is not None
        assert by_link["Cache-Control"] == "no-store"
        for other in ({}, {"link": "nothing"}, {"link": court().entries[0].link}):
            assert client().get(at(stage, "own-court/"), other).status_code == 404

    def test_evidence_is_handed_in_by_a_party_and_others_find_no_case(self, stage: Court) -> None:
        case = cases.filed(stage)
        path = at(stage, f"appeals/{case.number}/evidence/")

        def send(link: str, content: bytes) -> Any:
            file = SimpleUploadedFile("photo.png", content)
            return client().post(path, {"file": file, "link": link}, format="multipart")

        kept = send(case.appellant.link, png())

        assert (kept.status_code, kept.json()["media_type"]) == (201, "image/png")
        assert send(case.appellant.link, b"<html>").status_code == 400
        assert send(stage.board(2).white.link, png()).status_code == 404
        own = client().get(at(stage, "own-court/"), {"link": case.appellant.link}).json()
        assert own["appeals"][0]["evidence"] == ["photo.png"]
        assert case.evidence.count() == 1

    def test_the_appellant_alone_withdraws(self, stage: Court) -> None:
        case = cases.filed(stage)
        path = at(stage, f"appeals/{case.number}/withdrawal/")
        assert case.opponent is not None

        assert client().post(path, {"link": case.opponent.link}, format="json").status_code == 404
        assert client(user_of(stage.chief)).post(path, {}, format="json").status_code == 404
        withdrawn = client().post(path, {"link": case.appellant.link}, format="json")

        assert (withdrawn.status_code, withdrawn.json()["state"]) == (200, "WITHDRAWN")
