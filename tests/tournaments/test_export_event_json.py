"""The event as JSON: nothing is lost on the way out and in again, and what is wrong is named by its path."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from tests.documents import changed, doubled
from tests.tournaments.whole_event import build
from tournaments.audit import SYSTEM, Actor
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput, NotAllowed
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import (
    Absence,
    Adjustment,
    AuditEntry,
    Entry,
    Event,
    ForbiddenPair,
    Job,
    MatchGame,
    Pairing,
    Player,
    Role,
    Round,
    Section,
    Standings,
    TeamMember,
    User,
)
from tournaments.services.event_import import import_event

pytestmark = pytest.mark.django_db


def staff() -> Actor:
    return Actor(user=User.objects.create_user(username="org", is_staff=True))


def as_bytes(document: dict[str, Any]) -> bytes:
    return as_text(document).encode()


def test_an_event_comes_back_equal_on_another_site() -> None:
    event = build()
    document = export_event(event)
    links = set(Entry.objects.values_list("link", flat=True))
    Pairing.objects.all().delete()
    event.delete()

    again = import_event(SYSTEM, as_bytes(document)).event

    assert export_event(again) == document
    assert again.code == "whole"
    assert not links & set(Entry.objects.values_list("link", flat=True))


def test_beside_the_original_only_the_address_code_differs() -> None:
    document = export_event(build())

    again = export_event(import_event(SYSTEM, as_bytes(document)).event)

    assert again["event"]["code"] != "whole"
    assert {**again, "event": {**again["event"], "code": "whole"}} == document


def test_the_document_holds_every_board_bye_and_forfeit() -> None:
    document = export_event(build())

    found = [
        (r["number"], p["outcome"]) for s in document["sections"] for r in s["rounds"] for p in r["pairings"]
    ]
    assert len(found) == Pairing.objects.count() == 12
    assert (2, Outcome.BOTH_FORFEIT.value) in found
    assert (2, Outcome.HALF_BYE.value) in found
    assert json.loads(as_text(document)) == document


def test_the_importer_is_the_organizer_and_the_log_tells_it() -> None:
    actor = staff()

    event = import_event(actor, as_bytes(export_event(build())), filename="whole.json").event

    assert list(event.roles.values_list("user", "kind")) == [(actor.user.pk, Role.Kind.ORGANIZER)]
    entry = AuditEntry.objects.get(event=event)
    assert (entry.action, entry.after["file"], entry.after["players"]) == ("import-event", "whole.json", 7)


def test_search_keys_are_made_again() -> None:
    document = as_bytes(export_event(build()))
    Player.objects.all().update(search_keys="")

    event = import_event(SYSTEM, document).event

    assert "ouyangnana" in event.players.get(name="欧阳娜娜").search_keys.split()


def test_a_table_that_was_not_computed_yet_is_asked_for() -> None:
    document = export_event(build())

    event = import_event(SYSTEM, as_bytes(document)).event

    jobs = Job.objects.filter(section__event=event).values_list("section__code", "kind", "round_number")
    assert list(jobs) == [("b", Job.Kind.STANDINGS, 1)]


def test_the_log_is_written_when_asked_for_and_not_brought_back() -> None:
    event = build()
    AuditEntry.objects.create(
        event=event, action="something", actor_name="某人", address="10.0.0.1", after={"x": 1}
    )
    document = export_event(event, with_log=True)

    again = import_event(SYSTEM, as_bytes(document)).event

    assert document["log"][0]["actor_name"] == "某人"
    assert "10.0.0.1" not in as_text(document)
    assert [e.action for e in AuditEntry.objects.filter(event=again)] == ["import-event"]
    assert AuditEntry.objects.get(event=again).after["log_lines_left_out"] == 1


def test_only_who_may_make_events_may_import_one() -> None:
    document = as_bytes(export_event(build()))
    plain = Actor(user=User.objects.create_user(username="plain"))

    for actor in (plain, Actor()):
        with pytest.raises(NotAllowed):
            import_event(actor, document)

    assert Event.objects.count() == 1


S = ("sections", 0)
R1 = (*S, "rounds", 0)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (changed("format", to="other"), "format"),
        (changed("version", to=99), "version"),
        (changed("surprise", to=1), "/"),
        (changed("event", "code", to="Not A Code"), "event.code"),
        (changed("event", "starts_on", to="1.5.2026"), "event.starts_on"),
        (changed("event", "state", to="HALF"), "event.state"),
        (changed("event", "created_at", to="2026-05-01T09:00:00"), "event.created_at"),
        (changed("event", "name", to="x" * 201), "event.name"),
        (changed("event", "name", to=""), "event.name"),
        (changed("event", "name", to="a\x00b"), "event.name"),
        (changed("players", 0, "rating", to="1500"), "players[0].rating"),
        (changed("players", 0, "rating", to=True), "players[0].rating"),
        (changed("players", 1, "id", to=1), "players[1].id"),
        (changed("players", 2, "name", to=" "), "players[2].name"),
        (changed("sections", to={}), "sections"),
        (changed(*S, "scheme", to="NONE"), "sections[0].scheme"),
        (changed(*S, "tiebreaks", 1, to="MAGIC"), "sections[0].tiebreaks[1]"),
        (changed(*S, "rounds_total", to=0), "sections[0].rounds_total"),
        (changed(*S, "lateness_limit", to=61), "sections[0].lateness_limit"),
        (changed("sections", 1, "code", to="a"), "sections[1].code"),
        (changed(*S, "entries", 0, "player", to=99), "sections[0].entries[0].player"),
        (changed(*S, "entries", 1, "number", to=1), "sections[0].entries[1].number"),
        (changed(*S, "entries", 1, "player", to=1), "sections[0].entries[1].player"),
        (changed(*R1, "number", to=2), "sections[0].rounds[1].number"),
        (changed(*R1, "pairings", 0, "white", to=5), "sections[0].rounds[0].pairings[1].white"),
        (changed(*R1, "pairings", 0, "black", to=1), "sections[0].rounds[0].pairings[0].black"),
        (changed(*R1, "pairings", 1, "board", to=1), "sections[0].rounds[0].pairings[1].board"),
        (changed(*R1, "pairings", 0, "outcome", to="BYE"), "sections[0].rounds[0].pairings[0].outcome"),
        (changed(*R1, "pairings", 0, "outcome", to="WON"), "sections[0].rounds[0].pairings[0].outcome"),
        (changed(*R1, "pairings", 0, "grade", to="8-4"), "sections[0].rounds[0].pairings[0].grade"),
        (changed(*R1, "state", to="OPEN"), "sections[0].rounds[0].pairings"),
        (changed(*R1, "proposal", 0, to=[1, 1]), "sections[0].rounds[0].proposal[0]"),
        (changed(*R1, "proposal", 1, to=[1, 1, 88]), "sections[0].rounds[0].proposal[1][2]"),
        (changed(*R1, "edits", 0, to=[]), "sections[0].rounds[0].edits[0]"),
        (changed(*R1, "edits", 0, "names", to=[1]), "sections[0].rounds[0].edits[0].names[0]"),
        (changed(*R1, "edits", 0, "entries", to=[77]), "sections[0].rounds[0].edits"),
        (changed(*S, "absences", 0, "kind", to="WHITE"), "sections[0].absences[0].kind"),
        (doubled(*S, "absences"), "sections[0].absences[1]"),
        (changed(*S, "forbidden_pairs", 0, "second", to=1), "sections[0].forbidden_pairs[0].second"),
        (changed(*S, "adjustments", 0, "points", to=1.5), "sections[0].adjustments[0].points"),
        (changed(*S, "standings", 0, "rows", 0, "entry", to=99), "sections[0].standings[0].rows[0].entry"),
        (changed(*S, "policy", to={"bye_opponent_score": "much"}), "sections[0].policy"),
        (changed(*S, "policy", to={"surprise": True}), "sections[0].policy"),
        (changed(*S, "preset", to="NONE"), "sections[0].preset"),
        (changed(*S, "standings", 1, "policy", to=[]), "sections[0].standings[1].policy"),
        (changed(*S, "standings", 0, "rows", 0, "rank", to=None), "sections[0].standings[0].rows[0].rank"),
        (
            changed(*S, "standings", 0, "rows", 2, "values", "SOLKOFF", to="1/0"),
            "sections[0].standings[0].rows[2].values.SOLKOFF",
        ),
        (doubled(*S, "standings"), "sections[0].standings[2].after_round"),
    ],
)  # fmt: skip
def test_a_fault_is_named_by_its_path_and_nothing_is_written(
    change: Callable[[dict[str, Any]], None], path: str
) -> None:
    document = export_event(build())
    change(document)
    before = [model.objects.count() for model in (Event, Player, Section, Entry, Standings, AuditEntry, Job)]

    with pytest.raises(BadInput) as caught:
        import_event(SYSTEM, as_bytes(document))

    assert caught.value.values["path"] == path
    assert caught.value.values["reason"]
    assert [m.objects.count() for m in (Event, Player, Section, Entry, Standings, AuditEntry, Job)] == before


def test_a_missing_member_is_named() -> None:
    document = export_event(build())
    del document["sections"][0]["seed"]

    with pytest.raises(BadInput) as caught:
        import_event(SYSTEM, as_bytes(document))

    assert caught.value.values["path"] == "sections[0]"
    assert "seed" in caught.value.message


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[1, 2]", b"null", b"\x89PNG\r\n\x1a\n", "{\"format\": \"é\"".encode("latin-1"), b'{"a": NaN}', b'{"a": 1, "a": 2}',
        b'{"format": 1e999}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput):
        import_event(SYSTEM, content)

    assert not Event.objects.exists()


def test_an_object_deeper_than_any_of_ours_is_refused() -> None:
    document = export_event(build())
    deep: dict[str, Any] = {}
    for _level in range(60):
        deep = {"a": deep}
    document["sections"][0]["policy"] = deep

    with pytest.raises(BadInput) as caught:
        import_event(SYSTEM, as_bytes(document))

    assert caught.value.values["path"] == "sections[0].policy"


def test_the_commands_carry_an_event_through_a_file(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    event = build()
    document = export_event(event)
    path = tmp_path / "赛事.json"

    call_command("export_event", "whole", out=str(path))
    Pairing.objects.all().delete()
    event.delete()
    call_command("import_event", str(path))

    assert json.loads(path.read_text("utf-8")) == document
    assert export_event(Event.objects.get(code="whole")) == document
    assert capsys.readouterr().out.startswith("whole ")


def test_the_commands_say_what_is_wrong(tmp_path: Any) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    build()

    for arguments, words in (
        (["export_event", "nowhere"], "whole"),
        (["import_event", str(tmp_path / "missing.json")], "missing.json"),
        (["import_event", str(bad)], "JSON"),
        (["import_event", str(bad), "--as", "nobody"], "nobody"),
    ):
        with pytest.raises(CommandError, match=words) as caught:
            call_command(*arguments)
        assert caught.value.returncode == 1


# Left out: what points at the parent (told by the nesting), what belongs to a site, what is counted or made anew.
LEFT_OUT = {
    Event: {"id", "created_by", "notices_version"},
    Section: {"id", "event", "version", "public_version"},
    Player: {"id", "event", "user", "search_keys"},
    Entry: {"id", "section", "link"},
    Round: {"id", "section"},
    Pairing: {"id", "round", "version"},
    Absence: {"id"},
    ForbiddenPair: {"id", "section"},
    Adjustment: {"id", "section"},
    Standings: {"id", "section", "version"},
    TeamMember: {"id", "entry"},
    MatchGame: {"id", "pairing"},
}
OWN_NAMES = {Absence: {"round_number": "round"}}


def test_every_field_of_the_ledger_is_in_the_document_or_left_out_on_purpose() -> None:
    document = export_event(build())
    section = document["sections"][0]
    samples = {
        Event: document["event"], Section: section, Player: document["players"][0], Entry: section["entries"][0],
        Round: section["rounds"][0], Pairing: section["rounds"][0]["pairings"][0], Absence: section["absences"][0],
        ForbiddenPair: section["forbidden_pairs"][0], Adjustment: section["adjustments"][0],
        Standings: section["standings"][0],
    }  # fmt: skip

    for model, sample in samples.items():
        names = {field.name for field in model._meta.concrete_fields} - LEFT_OUT[model]
        written = {OWN_NAMES.get(model, {}).get(name, name) for name in names}
        assert written <= sample.keys(), (model, written - sample.keys())


def test_every_table_of_the_ledger_is_in_the_document_or_left_out_on_purpose() -> None:
    of_the_site = {
        "User",
        "Role",
        "Notice",
        "Job",
        "AuditEntry",
        "ImportDraft",
        "Paper",
        "ApiToken",
        "Heartbeat",
        "Attempts",
        "Submission",
        "RegistrationTerms",
        "Registration",
        "Payment",
        "AbsenceRequest",
        "Presence",
    }
    of_rulings = {"Hold"}  # made anew from the rulings and decisions that the document carries

    # How players are reached, and what is over once the round is paired: not for whom the document is given to.
    of_the_desk = {"Registration", "RegistrationTerms", "Payment", "AbsenceRequest", "Presence"}

    tables = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}

    assert tables == {model.__name__ for model in LEFT_OUT} | of_the_site | of_rulings | of_the_desk
