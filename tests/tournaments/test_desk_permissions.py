"""Every address of the desk, knocked at by everybody: who gets in, who is refused, who finds nothing; and nothing happens."""

from __future__ import annotations

import pytest

from tests.permission_table import ADMINS, ANYONE, LOGGED_IN, OWNERS, TOURNAMENTS_DESK, Who
from tests.tournaments import desk_cast
from tests.tournaments.desk_cast import Cast

pytestmark = pytest.mark.django_db

AT_THE_DESK = {Who.ORGANIZER, Who.CHIEF_ARBITER, Who.ARBITER}
EVERYBODY = [
    "anonymous", "stranger", "other organizer", Who.ORGANIZER, Who.CHIEF_ARBITER, Who.ARBITER, Who.COMMITTEE, Who.PLAYER,
    Who.ADMIN,
]  # fmt: skip
NAMES = [name.removeprefix("desk:") for name in TOURNAMENTS_DESK if name not in {"desk:setup"}]

# A held file is seen by whoever uploaded it, here the organizer.
HELD_BY_THE_UPLOADER = {("import_preview", Who.CHIEF_ARBITER)}


def expected(name: str, who: str) -> str:
    """in, refused (403), nothing (404) or log-in."""
    row = TOURNAMENTS_DESK[f"desk:{name}"]
    if (name, who) in HELD_BY_THE_UPLOADER:
        return "nothing"
    if who == "anonymous":
        return "log-in"
    if row in (LOGGED_IN, ANYONE):
        return "in"
    if row == ADMINS:
        return "in" if who in {Who.ADMIN, "other organizer"} else "refused"
    if row == OWNERS:
        return "refused"
    if who in row:
        return "in"
    return "refused" if who in AT_THE_DESK else "nothing"


def said(status: int, address: str) -> str:
    if status == 302 and address.startswith("/accounts/login/"):
        return "log-in"
    return {403: "refused", 404: "nothing"}.get(status, "in")


@pytest.fixture
def cast() -> Cast:
    return desk_cast.cast()


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_gets_in(cast: Cast, method: str) -> None:
    found = desk_cast.arguments(cast)
    wrong = []
    for who in EVERYBODY:
        client = cast.client(who)
        before = desk_cast.fingerprint(cast)
        for name in NAMES:
            want = expected(name, who)
            if method == "post" and want == "in":
                continue
            answer = getattr(client, method)(desk_cast.url(name, **found[name]))
            got = said(answer.status_code, answer.headers.get("Location", ""))
            if got != want and answer.status_code != 405:
                wrong.append(f"{who} {method} {name}: {got}, not {want} ({answer.status_code})")
        if desk_cast.fingerprint(cast) != before:
            wrong.append(f"{who} changed something")

    assert wrong == []


def test_all_addresses_are_knocked_at(cast: Cast) -> None:
    assert sorted(desk_cast.arguments(cast)) == sorted(["setup", *NAMES])


def test_anonymous_log_in_leads_back(cast: Cast) -> None:
    address = desk_cast.url("section", section_id=cast.section.pk)

    answer = cast.client("anonymous").get(address)

    assert answer.headers["Location"] == f"/accounts/login/?next={address}"


def test_an_event_that_is_not_there_and_one_of_others_answer_alike(cast: Cast) -> None:
    client = cast.client("stranger")

    other = client.get(desk_cast.url("event", event_id=cast.event.pk))
    none = client.get(desk_cast.url("event", event_id=cast.event.pk + 1000))

    assert (other.status_code, none.status_code) == (404, 404)
    assert cast.event.name not in other.content.decode()
