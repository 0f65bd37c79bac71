"""An event by the pages of the desk alone, from the first set-up to the final table; jobs are run as a worker runs them."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from tests.tournaments import builders
from tests.tournaments.desk_cast import LIST, url
from tournaments.models import Entry, Event, Job, Pairing, Round, Section, Standings, User

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "three-kings-1935"


def text_of(answer: HttpResponse) -> str:
    plain = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(plain.split())


def set_up(client: Client) -> None:
    answer = client.post(
        "/setup/", {"username": "anna", "full_name": "Anna", "password": PASSWORD, "repeated": PASSWORD}
    )
    assert answer.headers["Location"] == "/desk/"


def make_section(client: Client, **fields: str) -> Section:
    answer = client.post("/desk/events/new/", {"name": "岳阳公开赛", "code": "yueyang"})
    event = Event.objects.get(code="yueyang")
    assert answer.headers["Location"] == url("event", event_id=event.pk)
    values = {
        "name": "公开组", "format": "SWISS", "rounds_total": "5", "time_control": "4800+60", "numbering": "RATING",
        "ranking": "RATING", "initial_colour": "w", "scheme": "STD", "preset": "CN_SWISS", "withdrawal": "STAND",
        "lateness_limit": "60", "appeal_fee": "500", "appeal_deadline": "30", "protect_clubs_rounds": "0",
    }  # fmt: skip
    answer = client.post(url("section_new", event_id=event.pk), {**values, **fields})
    assert answer.status_code == 302, text_of(answer)
    return Section.objects.get(event=event)


def import_list(client: Client, section: Section, content: bytes) -> None:
    address = url("import", section_id=section.pk)
    answer = client.post(address, {"file": SimpleUploadedFile("list.csv", content), "repeats": "refuse"})
    preview = answer.headers["Location"]
    assert "20 players can be entered" in text_of(client.get(preview))
    answer = client.post(preview, {"enter": "1"})
    assert answer.headers["Location"] == url("entries", section_id=section.pk)


def pair(client: Client, section: Section) -> str:
    """Press the button, let the worker work, follow the job's page to the draft."""
    answer = client.post(url("pair", section_id=section.pk))
    job_page = answer.headers["Location"]
    assert client.get(job_page).status_code == 200
    builders.work_all(section)
    return client.get(job_page).headers["Location"]


def enter_results(client: Client, section: Section, number: int) -> None:
    """The form as a browser without scripts sends it: every board, each with its version."""
    posted = {}
    pairings = Pairing.objects.filter(round__section=section, round__number=number, black__isnull=False)
    for pairing in pairings:
        posted[f"outcome-{pairing.pk}"] = ("WHITE", "DRAW", "BLACK")[(pairing.board + number) % 3]
        posted[f"version-{pairing.pk}"] = str(pairing.version)
        posted[f"was-{pairing.pk}"] = ""
    answer = client.post(url("results", section_id=section.pk, number=number), posted)
    assert answer.status_code == 302, text_of(answer)


def test_from_the_first_set_up_to_the_final_table() -> None:
    client = Client(headers={"accept-language": "en"})
    assert client.get("/desk/").headers["Location"] == "/setup/"
    set_up(client)
    section = make_section(client)
    section_page = url("section", section_id=section.pk)
    assert "Enter the players." in text_of(client.get(section_page))

    import_list(client, section, LIST.encode("gb18030"))
    for number in range(1, 6):
        assert f"Pair round {number}." in text_of(client.get(section_page))
        draft = pair(client, section)
        assert draft == url("draft", section_id=section.pk, number=number)
        assert f"Draft of round {number}" in text_of(client.get(draft))
        client.post(url("publish", section_id=section.pk, number=number))
        assert f"10 results are missing in round {number}." in text_of(client.get(section_page))
        enter_results(client, section, number)
        builders.work_all(section)
    assert "All results are in: close the section." in text_of(client.get(section_page))
    client.post(url("section_close", section_id=section.pk))
    client.post(url("event_show", event_id=section.event_id), {"public": "yes"})
    answer = client.post(url("event_close", event_id=section.event_id), {"word": "CLOSE"})

    assert answer.status_code == 302, text_of(answer)
    final = Standings.objects.get(section=section, after_round=5, final=True)
    assert len(final.rows) == 20
    assert sum(row["points"] for row in final.rows) == 100
    assert Event.objects.get().state == Event.State.CLOSED
    page = text_of(client.get(url("standings", section_id=section.pk)))
    assert "Final table after round 5." in page


def test_a_round_robin_is_drawn_and_published_whole() -> None:
    client = Client(headers={"accept-language": "en"})
    set_up(client)
    section = make_section(client, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", rounds_total="7")
    for name in ("Anna", "Berta", "Clara", "Dora", "Emma"):
        client.post(url("entry_new", section_id=section.pk), {"name": name, "rating": "0"})

    assert "Draw the round robin." in text_of(client.get(url("section", section_id=section.pk)))
    draft = pair(client, section)
    assert draft == url("draft", section_id=section.pk, number=1)
    client.post(url("publish_all", section_id=section.pk))
    section.refresh_from_db()
    assert section.rounds_total == 5
    for number in range(1, 6):
        enter_results(client, section, number)
    builders.work_all(section)
    client.post(url("section_close", section_id=section.pk))

    assert list(section.rounds.values_list("state", flat=True)) == [Round.State.CLOSED] * 5
    assert Standings.objects.filter(section=section, final=True, after_round=5).exists()


def test_the_second_set_up_leads_to_the_log_in() -> None:
    builders.user()
    client = Client()

    answer = client.post(
        "/setup/", {"username": "eve", "full_name": "", "password": PASSWORD, "repeated": PASSWORD}
    )

    assert answer.headers["Location"] == "/accounts/login/"
    assert not User.objects.filter(username="eve").exists()


def test_a_failed_pairing_says_why_and_what_to_do() -> None:
    client = Client(headers={"accept-language": "en"})
    set_up(client)
    section = make_section(client)
    for name in ("Anna", "Berta"):
        client.post(url("entry_new", section_id=section.pk), {"name": name})
    first, second = Entry.objects.order_by("pk")
    client.post(
        url("forbidden", section_id=section.pk),
        {"first": first.pk, "second": second.pk, "first_round": "1", "last_round": "99", "reason": "sisters"},
    )

    answer = client.post(url("pair", section_id=section.pk))
    builders.work_all(section)
    page = text_of(client.get(answer.headers["Location"]))

    assert Job.objects.filter(section=section, kind="PAIR").latest("pk").state == Job.State.FAILED
    assert "No legal pairing exists" in page
    assert "Anna" in page and "Forbidden pairs" in page
    assert "Round 1 could not be paired." in text_of(client.get(url("section", section_id=section.pk)))
