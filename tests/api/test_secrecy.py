"""A round that is not published is nowhere: not in a list, a count, a filter, an order, an ETag."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, get_resolver

from tests.api.conftest import Caller, at, caller_as
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Event, Role, Section
from tournaments.services import draft, entries, events, results, rounds

pytestmark = pytest.mark.django_db

FILTERS = {
    "api-entries": [
        {}, {"q": "1"}, {"q": "player"}, {"q": "Player 3"}, {"order": "rating"}, {"order": "-name"}, {"status": "ACTIVE"},
        {"status": "WITHDRAWN"}, {"rating_min": 2360}, {"page_size": 2},
    ],
    "api-standings": [{}, {"after_round": 1}, {"after_round": 2}, {"after_round": 3}],
    "api-workings": [{}, {"after_round": 2}],
    "api-pairings": [{}, {"q": "2"}, {"open": "true"}],
}  # fmt: skip
DESK = {
    "api-roles", "api-log", "api-desk", "api-desk-entries", "api-absences", "api-jobs", "api-job", "api-boards", "api-draft",
    "api-bracket-repairs",
    "api-forbidden-pairs", "api-import", "api-event-document", "api-token",
}  # fmt: skip
ONE_BOARD = {"api-match"}  # named by the key of a board; tests/api/test_matches.py asks for a draft's


def names() -> Iterator[str]:
    """Every address of the ledger's interface that answers to GET."""
    from tournaments.web.api import urls

    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        if hasattr(pattern.callback.view_class, "get"):
            yield pattern.name or ""


def addresses(section: Section) -> Iterator[str]:
    """Every public reading address about the section, with every round it may have."""
    known = {
        "event": section.event.code,
        "section": section.code,
        "entry": section.entries.order_by("pk")[0].pk,
    }
    for name in names():
        if name in DESK | ONE_BOARD:
            continue
        route = get_resolver().reverse_dict.getlist(name)[0][0][0]
        for number in (1, 2, 3, 4) if "number" in route[1] else (0,):
            yield name, "/" + route[0] % {**known, "number": number}


def answers(section: Section, caller: Caller) -> dict[str, tuple[int, bytes, str]]:
    """What each address tells: its status, its body, its ETag."""
    found = {}
    for name, address in addresses(section):
        for query in FILTERS.get(name, [{}]):
            reply = caller.client.get(address, query)
            found[f"{address} {query}"] = (reply.status_code, reply.content, reply.get("ETag", ""))
    return found


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return [address for address in before if before[address] != after[address]]


def test_every_reading_address_is_walked(section: Section) -> None:
    walked = {name for name, _address in addresses(section)}

    assert walked | DESK | ONE_BOARD == set(names())
    assert len(walked) == 20


@pytest.mark.parametrize("who", [None, Role.Kind.PLAYER, Role.Kind.CHIEF_ARBITER])
def test_drafting_round_1_shows_nowhere(organizer: Actor, section: Section, who: Role.Kind | None) -> None:
    caller = caller_as(section, who) if who else Caller()
    before = answers(section, caller)

    round_ = b.draft(organizer, section)
    assert changed(before, answers(section, caller)) == []

    change_by_hand(organizer, round_)
    assert changed(before, answers(section, caller)) == []

    rounds.discard_draft(organizer, section.pk)
    assert changed(before, answers(section, caller)) == []

    b.publish_next(organizer, section)
    b.work_all(section)
    assert len(changed(before, answers(section, caller))) > 15


def test_drafting_a_later_round_shows_nowhere(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.work_all(section)
    before = answers(section, Caller())

    round_ = b.draft(organizer, section)
    change_by_hand(organizer, round_)
    assert changed(before, answers(section, Caller())) == []

    rounds.publish_round(organizer, round_.pk)
    rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
    b.work_all(section)
    bodies = {address: told[:2] for address, told in before.items()}
    again = {address: told[:2] for address, told in answers(section, Caller()).items()}
    assert changed(bodies, again) == []


def test_what_is_arranged_for_a_later_round_shows_nowhere(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.work_all(section)
    first, second, *_rest = section.entries.all()
    before = answers(section, Caller())

    entries.announce_absence(organizer, first.pk, round_number=2)
    draft.forbid_pair(organizer, section.pk, first=first.pk, second=second.pk)
    b.draft(organizer, section)

    assert changed(before, answers(section, Caller())) == []


def test_a_player_put_out_by_a_draft_is_still_in(organizer: Actor) -> None:
    section = b.section(organizer, players=8, drop_absent=True)
    events.show_event(organizer, section.event_id, public=True)
    section.refresh_from_db()
    entry = section.entries.order_by("pk")[0]
    for number in (1, 2, 3):
        round_ = b.publish_next(organizer, section)
        if number != 2:
            board = b.board_of(round_, entry)
            outcome = "WHITE_FORFEITS" if board.white_id == entry.pk else "BLACK_FORFEITS"
            results.record_outcome(organizer, board.pk, outcome=outcome, version=board.version)
        b.enter_all(organizer, round_, "DRAW")
    b.work_all(section)
    before = answers(section, Caller())

    b.draft(organizer, section)

    assert changed(before, answers(section, Caller())) == []


def test_a_late_entry_made_beside_a_draft_does_not_tell_of_it(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.draft(organizer, section)

    entry = entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2385})

    assert entry.first_round == 3
    assert Caller().get(at(section, f"entries/{entry.pk}/"))["first_round"] == 2


def test_an_event_in_preparation_answers_as_if_there_were_none(organizer: Actor, section: Section) -> None:
    events.show_event(organizer, section.event_id, public=False)
    stranger, official = Caller(b.organizer()), caller_as(section, Role.Kind.ARBITER)

    for _name, address in addresses(section):
        for caller in (Caller(), stranger):
            nothing = caller.client.get("/api/v1/events/nothing/")
            reply = caller.client.get(address)
            if address == "/api/v1/events/":
                assert reply.json()["count"] == 0
                continue
            assert (reply.status_code, reply.content) == (404, nothing.content)
            # Each answer has a number of its own.
            own = {"Allow": "", "X-Request-ID": ""}
            assert dict(reply.headers) | own == dict(nothing.headers) | own

    assert official.get(at(section))["name"] == section.name
    assert [event["state"] for event in official.get("events/")["results"]] == [Event.State.DRAFT]
    reply = official.client.get(f"/api/v1/{at(section)}")
    assert reply["Cache-Control"] == "private, no-cache"


def change_by_hand(organizer: Actor, round_: object) -> None:
    board = round_.pairings.get(board=1)
    draft.swap(
        organizer,
        round_.pk,
        first=board.white_id,
        second=board.black_id,
        version=Section.objects.get(pk=round_.section_id).version,
        reason="colour due",
    )
