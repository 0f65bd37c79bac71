"""The notice board through the interface, and the changes to results."""

from __future__ import annotations

import pytest

from tests.api.conftest import BASE, Caller, at, caller_as
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Notice, Role, Section
from tournaments.services import entries, notices, results

pytestmark = pytest.mark.django_db


def board(section: Section) -> str:
    return f"events/{section.event.code}/notices/"


@pytest.fixture
def told(organizer: Actor, section: Section) -> Section:
    """A round, a withdrawal, a notice for all and one for the section."""
    round_ = b.play_round(organizer, section)
    entries.withdraw_entry(organizer, round_.pairings.get(board=1).white_id, after_round=1)
    notices.post_notice(organizer, section.event_id, text="Lunch at noon")
    notices.post_notice(
        organizer, section.event_id, text="No phones", kind="REGULATIONS", section_id=section.pk
    )
    return section


def test_the_board_is_read_in_order_and_by_kind(told: Section) -> None:
    rows = Caller().get(board(told))["results"]

    assert [row["kind"] for row in rows] == ["REGULATIONS", "NOTICE", "round", "left"]
    assert (rows[0]["text"], rows[0]["section"], rows[1]["section"]) == ("No phones", told.code, None)
    assert [row["text"] for row in Caller().get(board(told), kind="NOTICE")["results"]] == ["Lunch at noon"]
    assert Caller().get(board(told), section=told.code, page_size=2)["count"] == 4
    assert Caller().refused("get", f"{board(told)}?kind=GOSSIP") == (400, "bad-input")
    assert Caller().refused("get", f"{board(told)}?section=none") == (404, "not-found")


def test_a_notice_is_posted_and_struck_out(section: Section) -> None:
    arbiter = caller_as(section, Role.Kind.ARBITER)

    posted = arbiter.done("post", board(section), {"text": "Hall 2", "section": section.code})
    struck = arbiter.done("post", f"{board(section)}{posted['id']}/withdrawal/", {"reason": "Hall 3"})

    assert (posted["kind"], posted["section"], posted["withdrawn_at"]) == ("NOTICE", section.code, None)
    assert struck["withdrawn_at"] is not None
    assert Caller().get(board(section))["results"][0]["withdrawn_at"] == struck["withdrawn_at"]


@pytest.mark.parametrize(
    ("sent", "refusal"),
    [
        ({}, (400, "bad-input")),
        ({"text": "  "}, (400, "bad-input")),
        ({"text": "x", "kind": "RULING"}, (400, "bad-input")),
        ({"text": "x", "section": "none"}, (404, "not-found")),
    ],
)
def test_a_notice_that_says_nothing_is_refused(
    organizer: Actor, section: Section, sent: dict[str, str], refusal: tuple[int, str]
) -> None:
    assert Caller(organizer).refused("post", board(section), sent) == refusal
    assert not Notice.objects.exists()


def test_a_notice_of_a_ruling_follows_its_ruling(organizer: Actor, section: Section) -> None:
    row = Notice.objects.create(event=section.event, kind=Notice.Kind.RULING, texts={"en": "x"})

    path = f"{board(section)}{row.pk}/withdrawal/"

    assert Caller(organizer).refused("post", path, {"reason": "x"}) == (409, "wrong-state")
    assert Caller(organizer).refused("post", path, {}) == (409, "wrong-state")


def test_a_new_notice_has_a_new_etag(organizer: Actor, section: Section) -> None:
    client = Caller().client
    first = client.get(BASE + board(section))
    assert client.get(BASE + board(section), headers={"if-none-match": first["ETag"]}).status_code == 304

    notices.post_notice(organizer, section.event_id, text="x")

    assert client.get(BASE + board(section), headers={"if-none-match": first["ETag"]}).status_code == 200


def test_a_result_changed_after_publication_is_told_with_its_reason(
    organizer: Actor, section: Section
) -> None:
    round_ = b.play_round(organizer, section)
    pairing = round_.pairings.get(board=1)
    results.record_outcome(organizer, pairing.pk, outcome="DRAW", version=pairing.version, reason="slip")

    (change,) = Caller().get(f"events/{section.event.code}/result-changes/")["results"]

    assert (change["round"], change["board"], change["before"], change["after"], change["reason"]) == (
        1, 1, "WHITE", "DRAW", "slip",
    )  # fmt: skip
    assert change["white"]["id"] == pairing.white_id
    assert Caller().get(at(section, "rounds/1/pairings/"))["results"][0]["id"] == pairing.pk
