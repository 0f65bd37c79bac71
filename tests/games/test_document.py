"""Games and the court in the event document: out and in again nothing is lost but what is named, and faults are named."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.models import (
    Adjournment,
    Appeal,
    AppealDecision,
    Copy,
    DrawOffer,
    Game,
    GameRules,
    Incident,
    Proposal,
    Result,
    Ruling,
    Scoresheet,
    Verdict,
)
from games.services import adjournments, document_court, document_games, results, sheets
from games.services.court import appeals, rulings
from games.services.court.orders import Order
from games.services.results import Score
from games.services.sheets import Handed
from tests.documents import at, changed, doubled
from tests.games import case_cast as cases
from tests.games.boards import LEGAL
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.games.test_api import MOVES
from tests.tournaments.desk_cast import client_of
from tournaments.audit import SYSTEM, Actor
from tournaments.documents.ledger import json_schema
from tournaments.errors import BadInput
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import AuditEntry, Event, Notice, Pairing, Role
from tournaments.services import notices
from tournaments.services.event_import import ImportedEvent, import_event

pytestmark = pytest.mark.django_db

NOBODY = Actor(address="192.0.2.9")


@pytest.fixture(autouse=True)
def key(settings: Any, tmp_path: Path) -> None:
    settings.VAR, settings.SEAL_KEY = tmp_path, ""


@pytest.fixture
def stage() -> Court:
    return built()


@cache
def written() -> str:
    """The document, made once: it needs none of the rows it was made from."""
    return as_text(export_event(built().event))


def built() -> Court:
    """A court with everything that the document holds, and every case over."""
    stage = court(members=3)
    played(stage)
    notices.post_notice(stage.arbiter, stage.event.pk, text="Lunch at noon")
    row = notices.post_notice(stage.arbiter, stage.event.pk, text="Hall 2", section_id=stage.section.pk)
    notices.withdraw_notice(stage.arbiter, row.pk, reason="Hall 3")
    warning = ruled(stage, "WARNING", board=2)
    rulings.revise_ruling(stage.arbiter, warning.pk, Order(effect="GAME_LOST", side="W", text="worse"))
    log(stage, board=3, category="TECHNICAL", refused=True)
    incident = log(stage, board=3, note="said something")
    rulings.rule(stage.chief, incident.pk, Order(effect="DISQUALIFY", side="B"))
    cases.decided(stage, ruling=ruled(stage, "GAME_LOST", board=4))
    withdrawn = cases.filed(stage, ruling=Ruling.objects.get(supersedes=warning))
    appeals.withdraw_appeal(NOBODY, withdrawn.pk, link=withdrawn.appellant.link)
    return stage


def played(stage: Court) -> None:
    """Board 1: both sheets, an offer refused, a score accepted, final, and changed by a later result."""
    board = stage.board(1)
    results.set_game_rules(stage.organizer, stage.section.pk, early_draw="ALLOW", sheets="HIDDEN")
    assert board.black is not None
    for number, entry in enumerate((board.white, board.black)):
        handed = Handed(submission=f"s{number}", text=LEGAL, form=Scoresheet.Form.PASTED, result="2-0")
        sheets.file_sheet(NOBODY, board.pk, handed, link=entry.link)
    game = Game.objects.get(pairing=board)
    DrawOffer.objects.create(game=game, side="W", ply=80, state=DrawOffer.State.REFUSED)
    for outcome, version in (("WHITE", 0), ("DRAW", 1)):
        score = Score(moves=MOVES, outcome=outcome, version=version, white_seconds=60, note="agreed")
        results.accept_score(stage.arbiter, board.pk, score)
    results.finalise(stage.arbiter, board.pk, note="copies are in")


def carried(event: Event) -> ImportedEvent:
    return import_event(SYSTEM, as_text(export_event(event)).encode())


def same(document: dict[str, Any], code: str = "x") -> dict[str, Any]:
    """Without the address code, which another site may have to change."""
    return {**document, "event": {**document["event"], "code": code}}


def test_an_event_with_games_and_a_court_comes_back_equal(stage: Court) -> None:
    document = export_event(stage.event)

    again = carried(stage.event)

    assert same(export_event(again.event)) == same(document)
    assert again.left_out == ()
    jsonschema.validate(document, json_schema())
    counts = {name: len(document["court"][name]) for name in ("incidents", "rulings", "appeals")}
    assert counts == {"incidents": 4, "rulings": 5, "appeals": 2}
    first = next(game for game in document["games"] if game["board"] == {"round": 2, "board": 1})
    assert [sheet["text"] for sheet in first["sheets"]] == [LEGAL, LEGAL]
    assert [result["supersedes"] for result in first["results"]] == [None, 1]
    assert {notice["kind"] for notice in document["notices"]} >= {"NOTICE", "WARNING", "RULING", "DECISION"}


def test_it_is_shown_on_the_other_site_as_it_was_here(stage: Court) -> None:
    again = carried(stage.event).event
    section = again.sections.get()
    anybody = Client(headers={"accept-language": "en"})

    for path in ("-/appeals/", "-/appeals/1/", "-/notices/", f"{section.code}/r/2/b/1/"):
        here = anybody.get(f"/e/{stage.event.code}/{path}")
        there = anybody.get(f"/e/{again.code}/{path}")
        assert (path, here.status_code, there.status_code) == (path, 200, 200)
    rulings_there = anybody.get(f"/api/v1/events/{again.code}/rulings/").json()["results"]
    rulings_here = anybody.get(f"/api/v1/events/{stage.event.code}/rulings/").json()["results"]
    told = ("number", "round", "board", "article", "effect", "words", "state", "in_force_at")
    assert [[r[name] for name in told] for r in rulings_there] == [
        [r[name] for name in told] for r in rulings_here
    ]


def test_a_ruling_brought_over_can_be_taken_back_there(stage: Court) -> None:
    again = carried(stage.event).event
    chief = Actor(user=user_of(stage.chief))
    Role.objects.create(event=again, user=chief.user, kind=Role.Kind.CHIEF_ARBITER)
    out = again.rulings.get(effect="DISQUALIFY")
    lost = again.rulings.get(effect="GAME_LOST", state=Ruling.State.IN_FORCE, incident__board=2)
    entry = out.incident.black
    assert entry is not None and entry.status == "DISQUALIFIED"

    rulings.withdraw_ruling(chief, out.pk, reason="another player")
    rulings.withdraw_ruling(chief, lost.pk, reason="not so bad")

    entry.refresh_from_db()
    assert entry.status == "ACTIVE"
    outcomes = Pairing.objects.filter(round__number=2).values_list(
        "round__section__event", "board", "outcome"
    )
    assert (again.pk, 2, "UNPLAYED") in outcomes
    assert (stage.event.pk, 2, "BLACK") in outcomes


def test_numbers_of_the_court_go_on_where_they_were(stage: Court) -> None:
    again = carried(stage.event).event
    arbiter = Actor(user=user_of(stage.arbiter))
    Role.objects.create(event=again, user=arbiter.user, kind=Role.Kind.ARBITER)
    there = Court(
        section=again.sections.get(), entries=[], round=again.sections.get().rounds.get(number=2),
        organizer=arbiter, chief=arbiter, arbiter=arbiter,
    )  # fmt: skip

    assert log(there, board=2).number == 5


def test_what_is_private_of_a_case_is_not_in_the_document(stage: Court) -> None:
    case = Appeal.objects.get(number=1)
    Appeal.objects.update(grounds="secret grounds", request="secret request")
    AppealDecision.objects.update(reasons="secret reasons")

    text = as_text(export_event(stage.event))

    assert "secret" not in text
    for entry in stage.event.sections.get().entries.all():
        assert entry.link not in text
    assert str(case.submission) not in text


def test_a_case_that_is_not_over_goes_on_where_it_is_and_that_is_told() -> None:
    stage = court(members=3)
    cases.heard(stage)

    again = carried(stage.event)

    assert [(told.what, told.value) for told in again.left_out] == [
        (again.left_out[0].what, str(Appeal.objects.get().number))
    ]
    assert not again.event.appeals.exists()
    assert again.event.rulings.count() == 1
    assert AuditEntry.objects.get(action="import-event").after["left_out"][0].endswith(" 1")
    document = export_event(stage.event)
    document["court"]["appeals"] = []
    assert same(export_event(again.event)) == same(document)


def test_a_sealed_move_stays_where_it_was_sealed() -> None:
    stage = court()
    board = stage.board(1)
    row = adjournments.adjourn(
        stage.arbiter,
        board.pk,
        reason="power cut",
        fen="W:W32,38:B12,13",
        white_seconds=100,
        black_seconds=90,
    )
    assert board.black is not None
    for entry in (board.white, board.black):
        adjournments.confirm(NOBODY, row.pk, link=entry.link)
    adjournments.seal_move(NOBODY, row.pk, written="32-28", link=board.white.link)
    adjournments.close_envelope(stage.arbiter, row.pk, envelope="7")
    row.refresh_from_db()
    text = as_text(export_event(stage.event))

    again = carried(stage.event)

    assert row.sealed and row.sealed not in text
    assert [told.value for told in again.left_out] == ["open/2/1"]
    copied = Adjournment.objects.exclude(pk=row.pk).get()
    assert (copied.state, copied.envelope, copied.sealed, copied.white_seconds) == ("SEALED", "7", "", 100)


def test_what_is_left_out_is_told_at_every_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage = court(members=3)
    cases.heard(stage)
    path = tmp_path / "event.json"
    path.write_text(as_text(export_event(stage.event)), "utf-8")
    staff = user_of(stage.organizer)
    staff.is_staff = True
    staff.save()

    call_command("import_event", str(path))
    with path.open("rb") as file:
        page = client_of(staff).post(reverse("desk:event_import"), {"file": file}, follow=True)
    with path.open("rb") as file:
        api = client_of(staff)
        reply = api.post("/api/v1/event-documents/", {"file": file})

    assert capsys.readouterr().err.strip().endswith(" 1")
    assert page.status_code == 200
    assert any("1" in str(message) and message.level_tag == "warning" for message in page.context["messages"])
    assert [told["value"] for told in reply.json()["left_out"]] == ["1"]


def test_an_older_document_without_games_is_read(stage: Court) -> None:
    document = export_event(stage.event)
    for name in ("games", "game_rules", "court", "notices"):
        del document[name]
    document["version"] = 1

    again = import_event(SYSTEM, as_text(document).encode())

    assert again.left_out == ()
    assert not Game.objects.filter(pairing__round__section__event=again.event).exists()


def test_an_imported_pdn_game_keeps_its_source(stage: Court) -> None:
    game = Game.objects.get(pairing=stage.board(1))
    other = Game.objects.create(
        pairing=Pairing.objects.get(round__section=stage.section, round__number=1, board=1),
        moves=MOVES, tags={"Annotator": "某人"}, source='[Event "x"]\n\n' + LEGAL + " *",
    )  # fmt: skip

    again = carried(stage.event).event

    copied = Game.objects.filter(pairing__round__section__event=again)
    assert set(copied.values_list("source", flat=True)) == {"", other.source}
    assert copied.get(source="", number=game.number, pairing__board=1).moves == game.moves


def repeated(*path: Any) -> Callable[[dict[str, Any]], None]:
    """The row once more, at the end of its list."""

    def change(document: dict[str, Any]) -> None:
        at(document, *path[:-1]).append(copy.deepcopy(at(document, *path)))

    return change


G = ("games", 0)
C = "court"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (changed("notices", 0, "kind", to="GOSSIP"), "notices[0].kind"),
        (changed("notices", 0, "texts", to={"en": 1}), "notices[0].texts.en"),
        (changed("notices", 1, "section", to="none"), "notices[1].section"),
        (changed("game_rules", 0, "sheets", to="SOME"), "game_rules[0].sheets"),
        (doubled("game_rules"), "game_rules[1]"),
        (changed(*G, "board", "board", to=99), "games[0].board"),
        (changed(*G, "surprise", to=1), "games[0]"),
        (changed(*G, "moves", to=["32-28", 7]), "games[0].moves[1]"),
        (changed(*G, "fen", to="nonsense"), "games[0].fen"),
        (changed(*G, "source", to="nonsense"), "games[0].source"),
        (changed(*G, "replaces", to=9), "games[0].replaces"),
        (changed(*G, "accepted_plies", to=["x"]), "games[0].accepted_plies[0]"),
        (doubled("games"), None),
        (changed(*G, "sheets", 0, "text", to="32-28 18-23"), "games[0].sheets[0].digest"),
        (changed(*G, "sheets", 0, "side", to="X"), "games[0].sheets[0].side"),
        (changed(*G, "sheets", 0, "white_signed", to=1), "games[0].sheets[0].white_signed"),
        (doubled(*G, "sheets", 0, "verdicts"), "games[0].sheets[0].verdicts[1]"),
        (changed(*G, "results", 0, "supersedes", to=1), "games[0].results[0].supersedes"),
        (changed(*G, "results", 0, "outcome", to="WON"), "games[0].results[0].outcome"),
        (repeated(*G, "results", 1), "games[0].results[2].supersedes"),
        (changed(*G, "number", to=0), "games[0].number"),
        (changed(*G, "attempt", to=32767), "games[0].attempt"),
        (changed(*G, "draw_offers", 0, "ply", to=-1), "games[0].draw_offers[0].ply"),
        (doubled(*G, "copies"), None),
        (changed(C, "incidents", 0, "category", to="GOSSIP"), "court.incidents[0].category"),
        (changed(C, "incidents", 0, "article", to="99.9"), "court.incidents[0].article"),
        (changed(C, "incidents", 0, "article", to=[]), "court.incidents[0].article"),
        (changed(C, "incidents", 0, "number", to=2**31 - 1), "court.incidents[0].number"),
        (changed(C, "incidents", 0, "white", to=99), "court.incidents[0].white"),
        (changed(C, "incidents", 0, "pairing", to={"round": 9, "board": 1}), "court.incidents[0].pairing"),
        (changed(C, "incidents", 0, "game", to=9), "court.incidents[0].game"),
        (changed(C, "incidents", 1, "number", to=1), "court.incidents[1].number"),
        (changed(C, "rulings", 0, "incident", to=99), "court.rulings[0].incident"),
        (changed(C, "rulings", 0, "supersedes", to=2), "court.rulings[0].supersedes"),
        (changed(C, "rulings", 2, "supersedes", to=1), "court.rulings[2].supersedes"),
        (changed(C, "rulings", 4, "number", to=2**31 - 1), "court.rulings[4].number"),
        (changed(C, "rulings", 0, "article", to={}), "court.rulings[0].article"),
        (changed(C, "rulings", 0, "effect", to="PRAISE"), "court.rulings[0].effect"),
        (changed(C, "rulings", 0, "notice", to=99), "court.rulings[0].notice"),
        (changed(C, "rulings", 1, "applied", to={"surprise": 1}), "court.rulings[1].applied"),
        (changed(C, "rulings", 1, "applied", "outcome", "after", to="WON"), "court.rulings[1].applied.outcome.after"),
        (changed(C, "appeals", 0, "decision", to=None), "court.appeals[0].decision"),
        (changed(C, "appeals", 0, "appellant", to=None), "court.appeals[0].appellant"),
        (changed(C, "appeals", 0, "ruling", to=99), "court.appeals[0].ruling"),
        (changed(C, "appeals", 0, "article", to=[None]), "court.appeals[0].article"),
        (changed(C, "appeals", 1, "number", to=2**31 - 1), "court.appeals[1].number"),
        (changed(C, "appeals", 1, "number", to=1), "court.appeals[1].number"),
    ],
)  # fmt: skip
def test_a_fault_is_named_by_its_path_and_nothing_is_written(
    change: Callable[[dict[str, Any]], None], path: str | None
) -> None:
    document = json.loads(written())
    document["games"].sort(key=lambda game: game["board"]["board"])
    change(document)
    tables = (Event, Game, Scoresheet, Incident, Ruling, Appeal, Notice, AuditEntry)
    before = [model.objects.count() for model in tables]

    with pytest.raises(BadInput) as caught:
        import_event(SYSTEM, as_text(document).encode())

    assert caught.value.values["path"] == path or path is None
    assert caught.value.values["reason"]
    assert [model.objects.count() for model in tables] == before


# Left out: what the nesting or a reference tells, accounts, what is sealed or private, numbers of the sender's own.
LEFT_OUT = {
    GameRules: {"id", "section"},
    Game: {"id", "pairing", "replaces", "accepted_by"},
    Copy: {"id", "game"},
    Scoresheet: {"id", "game", "submission", "filed_by"},
    Verdict: {"id", "sheet"},
    Result: {"id", "game", "supersedes", "made_by"},
    DrawOffer: {"id", "game"},
    Adjournment: {"id", "game", "sealed", "opened_by"},
    Incident: {
        "id", "event", "section", "pairing", "game", "white", "black", "round_number", "board", "submission",
        "logged_by", "entry", "member",
    },
    Ruling: {"decided_in",
        "id", "event", "incident", "supersedes", "follows", "applied", "notice", "made_by", "approved_by", "ended_by",
    },
    Appeal: {
        "id", "event", "section", "ruling", "appellant", "opponent", "grounds", "request", "note", "deadline_minutes",
        "deadline_at", "fee", "fee_state", "fee_paid_at", "fee_settled_at", "submission", "filed_by", "filer",
        "by_captain", "on_paper", "received_at", "received_by", "late_cause", "joined_to", "revises", "copy_to_chief_at", "copy_read_at", "admitted_at", "opened_at", "deliberated_at", "ballot",
    },
    Proposal: {"id", "appeal", "effects", "proposed_at", "proposed_by"},
    AppealDecision: {"id", "appeal", "proposal", "reasons", "refund", "applied", "notice", "written_by", "ruling"},
}  # fmt: skip
WRITTEN = {
    GameRules: document_games.RULES_FIELDS,
    Game: document_games.GAME_FIELDS,
    Copy: document_games.COPY_FIELDS,
    Scoresheet: document_games.SHEET_FIELDS,
    Verdict: document_games.VERDICT_FIELDS,
    Result: document_games.RESULT_FIELDS,
    DrawOffer: document_games.OFFER_FIELDS,
    Adjournment: document_games.ADJOURNMENT_FIELDS,
    Incident: document_court.INCIDENT_FIELDS,
    Ruling: document_court.RULING_FIELDS,
    Appeal: document_court.APPEAL_FIELDS,
    Proposal: ("verdict", "text"),
    AppealDecision: document_court.DECISION_FIELDS,
}
PRIVATE = {
    "CourtCounter",
    "SheetPhoto",
    "Letter",
    "ArbiterReport",
    "Relation",
    "Evidence",
    "PanelSeat",
    "Statement",
    "Vote",
    "Tally",
    "Delivery",
}


def test_every_field_of_the_court_is_in_the_document_or_left_out_on_purpose() -> None:
    for model, names in WRITTEN.items():
        fields = {field.name for field in model._meta.concrete_fields}
        assert fields == LEFT_OUT[model] | set(names), model
        assert not LEFT_OUT[model] & set(names)


def test_every_table_of_the_court_is_in_the_document_or_left_out_on_purpose() -> None:
    from django.apps import apps

    tables = {model.__name__ for model in apps.get_app_config("games").get_models()}

    assert tables == {model.__name__ for model in WRITTEN} | PRIVATE


def test_the_document_is_plain_json(stage: Court) -> None:
    document = export_event(stage.event)

    assert json.loads(as_text(document)) == document
