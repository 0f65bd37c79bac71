"""Who may do what through the interface: every method of every address by every role, and that a refusal leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.urls import URLPattern

from tests.api import test_secrecy
from tests.api.conftest import BASE, Caller, at
from tests.permission_table import CHIEFS, DESK, ORGANIZERS, Who
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Role, Section
from tournaments.services import draft, entries, entry_import, events, matches, notices, results
from tournaments.web.api import urls

pytestmark = pytest.mark.django_db

KINDS = {
    Who.ORGANIZER: Role.Kind.ORGANIZER,
    Who.CHIEF_ARBITER: Role.Kind.CHIEF_ARBITER,
    Who.ARBITER: Role.Kind.ARBITER,
    Who.COMMITTEE: Role.Kind.COMMITTEE,
    Who.PLAYER: Role.Kind.PLAYER,
}
CHIEF_ONLY = frozenset({Who.CHIEF_ARBITER})
ANY_ROLE = frozenset(KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A section at some point of its way, with what a request needs to name."""

    organizer: Actor
    section: Section

    def entry(self, place: int = 0) -> int:
        return self.section.entries.order_by("pk")[place].pk

    def board(self) -> Any:
        return self.section.rounds.order_by("-number")[0].pairings.get(board=1)

    def version(self) -> int:
        return Section.objects.values_list("version", flat=True).get(pk=self.section.pk)

    def change(self, **fields: int) -> dict[str, Any]:
        return {**fields, "version": self.version(), "reason": ""}


def fresh(scene: Scene) -> None:
    """Nothing is paired."""


def drafted(scene: Scene) -> None:
    b.draft(scene.organizer, scene.section)


def published(scene: Scene) -> None:
    b.publish_next(scene.organizer, scene.section)


def played(scene: Scene) -> None:
    b.play_round(scene.organizer, scene.section)


def over(scene: Scene) -> None:
    played(scene)
    results.close_section(scene.organizer, scene.section.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One method of one address, when it can be used, and by whom."""

    name: str
    method: str
    who: frozenset[Who]
    path: Callable[[Scene], str]
    body: Callable[[Scene], Any] = lambda _scene: None
    when: Callable[[Scene], None] = fresh


def below(rest: str) -> Callable[[Scene], str]:
    return lambda scene: at(scene.section, rest)


def event(rest: str = "") -> Callable[[Scene], str]:
    return lambda scene: f"events/{scene.section.event.code}/{rest}"


def role(scene: Scene) -> str:
    kept = Role.objects.get_or_create(event=scene.section.event, user=b.user(), kind=Role.Kind.PLAYER)[0]
    return event(f"roles/{kept.pk}/")(scene)


def absence(scene: Scene) -> str:
    made = entries.announce_absence(scene.organizer, scene.entry(), round_number=1)
    return at(scene.section, f"absences/{made.pk}/")


def forbidden(scene: Scene) -> str:
    pair = draft.forbid_pair(scene.organizer, scene.section.pk, first=scene.entry(), second=scene.entry(1))
    return at(scene.section, f"forbidden-pairs/{pair.pk}/")


def withdrawn(scene: Scene) -> str:
    entries.withdraw_entry(scene.organizer, scene.entry(), after_round=0)
    return at(scene.section, f"entries/{scene.entry()}/return/")


def round_robin(scene: Scene) -> None:
    events.update_section(scene.organizer, scene.section.pk, {"format": "ROUND_ROBIN"})
    scene.section.refresh_from_db()
    drafted(scene)


def corrected_tie(scene: Scene) -> None:
    """A knock-out whose first tie was corrected after the second round was published."""
    events.update_section(scene.organizer, scene.section.pk, {"format": "KNOCKOUT"})
    scene.section.refresh_from_db()
    first = b.play_round(scene.organizer, scene.section).pairings.get(board=1)
    published(scene)
    first.refresh_from_db()
    results.record_outcome(
        scene.organizer, first.pk, outcome="BLACK", version=first.version, reason="misread"
    )


def closed(scene: Scene) -> None:
    over(scene)


def two(scene: Scene) -> Any:
    return {"first": scene.entry(), "second": scene.entry(1)}


def result_path(scene: Scene) -> str:
    return at(scene.section, f"pairings/{scene.board().pk}/result/")


def swap_body(scene: Scene) -> Any:
    return scene.change(first=scene.board().white_id, second=scene.board().black_id)


def set_body(scene: Scene) -> Any:
    return scene.change(white=scene.board().black_id, black=scene.board().white_id)


def teams(scene: Scene) -> None:
    """A Swiss of teams, round 1 public."""
    events.update_section(scene.organizer, scene.section.pk, {"format": "TEAM_SWISS", "team_boards": 1})
    scene.section.refresh_from_db()
    for entry in scene.section.entries.select_related("player"):
        matches.set_members(scene.organizer, entry.pk, [(f"{entry.player.name} / 1", 2000)])
    published(scene)


def team_boards(scene: Scene) -> Any:
    board = scene.board()
    first, second = (entry.members.get().pk for entry in (board.white, board.black))
    return {"boards": [{"first": first, "second": second, "outcome": "WHITE"}], "version": board.version}


def level_tie(scene: Scene) -> None:
    events.update_section(scene.organizer, scene.section.pk, {"format": "KNOCKOUT"})
    scene.section.refresh_from_db()
    published(scene)
    board = scene.board()
    results.record_outcome(scene.organizer, board.pk, outcome="DRAW", version=board.version)


def notice(scene: Scene) -> str:
    row = notices.post_notice(scene.organizer, scene.section.event_id, text="x")
    return event(f"notices/{row.pk}/withdrawal/")(scene)


WRITES = [
    Case(name="api-event", method="patch", who=ORGANIZERS, path=event(), body=lambda s: {"place": "岳阳"}),
    Case(name="api-event-visibility", method="put", who=ORGANIZERS, path=event("visibility/"), body=lambda s: {"public": False}),
    Case(name="api-event-closing", method="post", who=CHIEFS, path=event("closing/"), when=closed),
    Case(name="api-roles", method="post", who=ORGANIZERS, path=event("roles/"), body=lambda s: {"username": s.organizer.user.username, "kind": "ARBITER"}),
    Case(name="api-role", method="delete", who=ORGANIZERS, path=role),
    Case(name="api-sections", method="post", who=ORGANIZERS, path=event("sections/"), body=lambda s: {"name": "女子组"}),
    Case(name="api-section", method="patch", who=ORGANIZERS, path=below(""), body=lambda s: {"name": "女子组"}),
    Case(name="api-section", method="delete", who=ORGANIZERS, path=below("")),
    Case(name="api-section-closing", method="post", who=CHIEFS, path=below("closing/"), when=played),
    Case(name="api-section-reopening", method="post", who=CHIEFS, path=below("reopening/"), body=lambda s: {"reason": "x"}, when=over),
    Case(name="api-entries", method="post", who=CHIEFS, path=below("entries/"), body=lambda s: {"name": "张伟"}),
    Case(name="api-entry", method="patch", who=CHIEFS, path=lambda s: at(s.section, f"entries/{s.entry()}/"), body=lambda s: {"club": "上海"}),
    Case(name="api-entry", method="delete", who=CHIEFS, path=lambda s: at(s.section, f"entries/{s.entry()}/")),
    Case(name="api-entry-withdrawal", method="post", who=CHIEFS, path=lambda s: at(s.section, f"entries/{s.entry()}/withdrawal/"), body=lambda s: {"after_round": 0}),
    Case(name="api-entry-return", method="post", who=CHIEFS, path=withdrawn, body=lambda s: {}),
    Case(name="api-notices", method="post", who=DESK, path=event("notices/"), body=lambda s: {"text": "Lunch at noon"}),
    Case(name="api-notice-withdrawal", method="post", who=DESK, path=notice, body=lambda s: {"reason": "x"}),
    Case(name="api-entry-members", method="put", who=CHIEFS, path=lambda s: at(s.section, f"entries/{s.entry()}/members/"), body=lambda s: {"members": [{"name": "李芳"}]}, when=teams),
    Case(name="api-match", method="put", who=DESK, path=lambda s: at(s.section, f"pairings/{s.board().pk}/match/"), body=team_boards, when=teams),
    Case(name="api-advancing", method="put", who=DESK, path=lambda s: at(s.section, f"pairings/{s.board().pk}/advancing/"), body=lambda s: {"advances": "b", "version": s.board().version, "reason": "blitz 1-0"}, when=level_tie),
    Case(name="api-absences", method="post", who=CHIEFS, path=below("absences/"), body=lambda s: {"entry": s.entry(), "round": 1}),
    Case(name="api-absence", method="delete", who=CHIEFS, path=absence),
    Case(name="api-pairing", method="post", who=DESK, path=below("pairing/"), body=lambda s: {}),
    Case(name="api-pairing-by-hand", method="post", who=DESK, path=below("pairing/by-hand/"), body=lambda s: {"reason": "x"}),
    Case(name="api-draft-discard", method="delete", who=DESK, path=below("draft/"), when=drafted),
    Case(name="api-draft-swap", method="post", who=DESK, path=below("rounds/1/draft/swap/"), body=swap_body, when=drafted),
    Case(name="api-draft-set", method="post", who=DESK, path=below("rounds/1/draft/set/"), body=set_body, when=drafted),
    Case(name="api-draft-bye", method="post", who=DESK, path=below("rounds/1/draft/bye/"), body=lambda s: s.change(entry=s.board().white_id), when=drafted),
    Case(name="api-bracket-repairs", method="post", who=DESK, path=below("bracket/repairs/"), body=lambda s: {"version": s.version(), "reason": "x"}, when=corrected_tie),
    Case(name="api-forbidden-pairs", method="post", who=DESK, path=below("forbidden-pairs/"), body=two),
    Case(name="api-forbidden-pair", method="delete", who=DESK, path=forbidden),
    Case(name="api-publish-all", method="post", who=CHIEFS, path=below("rounds/publication/"), when=round_robin),
    Case(name="api-publish", method="post", who=CHIEFS, path=below("rounds/1/publication/"), when=drafted),
    Case(name="api-unpublish", method="post", who=CHIEFS, path=below("rounds/1/taking-back/"), body=lambda s: {"reason": "x"}, when=published),
    Case(name="api-round-start", method="put", who=CHIEFS, path=below("rounds/1/start/"), body=lambda s: {"starts_at": "2026-11-28T09:00:00Z"}),
    Case(name="api-result", method="put", who=DESK, path=result_path, body=lambda s: {"outcome": "DRAW", "version": 0}, when=published),
    Case(name="api-results", method="post", who=DESK, path=below("results/"), body=lambda s: {"lines": [{"pairing": s.board().pk, "outcome": "DRAW", "version": 0}]}, when=published),
    Case(name="api-adjustments", method="post", who=CHIEF_ONLY, path=below("adjustments/"), body=lambda s: {"entry": s.entry(), "points": 1, "after_round": 1, "reason": "x"}, when=published),
]  # fmt: skip
DESK_READS = {
    "api-roles": (event("roles/"), DESK),
    "api-log": (event("log/"), CHIEFS),
    "api-desk": (below("desk/"), DESK),
    "api-desk-entries": (below("desk/entries/"), DESK),
    "api-absences": (below("absences/"), DESK),
    "api-forbidden-pairs": (below("forbidden-pairs/"), DESK),
    "api-jobs": (below("jobs/"), DESK),
    "api-job": (lambda s: at(s.section, f"jobs/{s.section.jobs.all()[0].pk}/"), DESK),
    "api-event-document": (event("document/"), DESK),
    "api-boards": (below("rounds/1/boards/"), DESK),
    "api-draft": (below("rounds/1/draft/"), DESK),
    "api-bracket-repairs": (below("bracket/repairs/"), DESK),
}
FILES = {
    ("api-imports", "post"),
    ("api-reports", "post"),
    ("api-event-documents", "post"),
    *(("api-import", m) for m in ("get", "put", "delete")),
    ("api-import-confirmation", "post"),
}


@pytest.fixture
def scene(organizer: Actor, section: Section) -> Scene:
    events.update_section(organizer, section.pk, {"rounds_total": 1})
    section.refresh_from_db()
    return Scene(organizer=organizer, section=section)


@pytest.fixture
def people(scene: Scene) -> dict[Who, Caller]:
    """One person for each role, and two without any here."""
    holders = {who: Caller(b.with_role(scene.section.event, kind)) for who, kind in KINDS.items()}
    return {
        **holders,
        Who.ANYONE: Caller(),
        Who.LOGGED_IN: Caller(Actor(user=b.user())),
        Who.ADMIN: other_organizer(),
    }


def other_organizer() -> Caller:
    """Staff of the site and organizer of another event."""
    other = b.organizer()
    b.section(other, players=2)
    return Caller(other)


def everything() -> dict[str, list[Any]]:
    """Every row of the ledger."""
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("tournaments").get_models():
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT t::text FROM {table} t ORDER BY 1")
            found[model._meta.db_table] = cursor.fetchall()
    return found


def expected_refusal(who: Who) -> int:
    if who is Who.ANYONE:
        return 401
    return 403 if who in DESK else 404


@pytest.mark.parametrize("case", WRITES, ids=lambda case: f"{case.name}-{case.method}")
def test_a_write_is_done_by_its_roles_only_and_a_refusal_leaves_no_trace(
    case: Case, scene: Scene, people: dict[Who, Caller]
) -> None:
    case.when(scene)
    path, body = case.path(scene), case.body(scene)
    before = everything()

    for who, caller in people.items():
        if who not in case.who:
            status, code = caller.refused(case.method, path, body)
            assert (who, status) == (who, expected_refusal(who)), code
            assert everything() == before

    for who in case.who:
        with transaction.atomic():
            reply = people[who].call(case.method, path, body)
            assert reply.status_code < 300, (who, reply.content)
            assert everything() != before
            transaction.set_rollback(True)
        assert everything() == before


@pytest.mark.parametrize("name", DESK_READS)
def test_what_only_officials_see(name: str, scene: Scene, people: dict[Who, Caller]) -> None:
    drafted(scene)
    path_of, allowed = DESK_READS[name]
    path = path_of(scene)

    for who, caller in people.items():
        reply = caller.call("get", path)
        refusal = 404 if who is Who.ANYONE else expected_refusal(who)
        assert (who, reply.status_code) == (who, 200 if who in allowed else refusal)
        if who in allowed:
            assert reply["Cache-Control"] == "no-store"


def test_a_held_file_is_seen_by_the_one_who_uploaded_it(scene: Scene, people: dict[Who, Caller]) -> None:
    uploads = at(scene.section, "imports/")
    for who, caller in people.items():
        file = SimpleUploadedFile("list.csv", "姓名\n张伟\n".encode())
        reply = caller.client.post(f"{BASE}{uploads}", {"file": file}, format="multipart")
        assert (who, reply.status_code) == (who, 201 if who in CHIEFS else expected_refusal(who))

    held = entry_import.hold_entries(
        scene.organizer, scene.section.pk, filename="list.csv", content="姓名\n李芳\n".encode()
    )
    before = everything()
    for who, caller in people.items():
        for method, rest in (("get", ""), ("put", ""), ("delete", ""), ("post", "confirmation/")):
            reply = caller.call(method, f"{uploads}{held.pk}/{rest}", {} if method == "put" else None)
            refusals = (401, 403, 404) if who is Who.ANYONE or rest else (404,)
            assert reply.status_code in refusals, (who, method, rest)
    assert everything() == before

    assert Caller(scene.organizer).done("post", f"{uploads}{held.pk}/confirmation/")["skipped_lines"] == []


@pytest.mark.parametrize("who", [Who.LOGGED_IN, *KINDS])
def test_only_staff_make_events(who: Who, people: dict[Who, Caller]) -> None:
    before = everything()

    assert people[who].refused("post", "events/", {"name": "A"}) == (403, "not-allowed")
    assert Caller().refused("post", "events/", {"name": "A"}) == (401, "not-logged-in")
    assert everything() == before

    assert people[Who.ADMIN].done("post", "events/", {"name": "A"})["state"] == "DRAFT"


def test_every_method_of_every_address_is_held_to_its_roles() -> None:
    tested = {(case.name, case.method) for case in WRITES} | {(name, "get") for name in DESK_READS} | FILES
    tested |= {("api-events", "post"), ("api-token", "post"), ("api-token", "delete")}
    tested |= {("api-recomputation", "post"), ("api-why-not", "post")}  # anybody's: test_proof.py

    written = set()
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        view = pattern.callback.view_class
        written |= {
            (pattern.name, method)
            for method in ("get", "post", "put", "patch", "delete")
            if hasattr(view, method)
        }
    public_reads = {
        (name, "get") for name, method in written if method == "get" and name not in test_secrecy.DESK
    }
    assert written - public_reads == tested | {("api-token", "get")}
