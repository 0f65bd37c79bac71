"""The files page of an event: what it offers is there, a report file becomes a section, an event file an event."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.tournaments.whole_event import build
from tournaments.exports.event_json import as_text, export_event
from tournaments.importers import report_file, tables
from tournaments.models import Event, Player, Role, Section, User

pytestmark = pytest.mark.django_db

REPORT = b"""012 Small
001    1 m    Ouyang, Nana                      1500 CHN                         1.0    1     2 w 1
001    2 m    Li, Wei                           1400 CHN                         0.0    2     1 b 0
092 individual
"""


def logged_in(event: Event, kind: str = Role.Kind.ORGANIZER, *, staff: bool = False) -> Client:
    user = factories.make_user(is_staff=staff)
    factories.make_role(user, event, kind)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def played() -> Section:
    section = factories.make_section()
    factories.play_rounds(section, factories.make_entries(section, 6), 2)
    factories.make_standings(section)
    return section


def test_every_file_that_the_page_offers_is_there() -> None:
    section = played()
    client = logged_in(section.event)

    page = client.get(reverse("desk:files", args=[section.event.pk])).content.decode()
    found = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]+)"[^>]* download', page)]

    assert len(found) == 9
    assert [link for link in found if client.get(link).status_code != 200] == []


def test_every_file_that_the_public_page_offers_is_there(client: Client) -> None:
    section = played()

    page = client.get(reverse("public:info", args=[section.event.code, section.code])).content.decode()
    found = re.findall(r'href="([^"]+)" download', page)

    assert len(found) == 6
    assert [link for link in found if client.get(link).status_code != 200] == []


def test_an_arbiter_is_not_offered_the_log_or_a_new_section() -> None:
    section = played()

    page = logged_in(section.event, Role.Kind.ARBITER).get(reverse("desk:files", args=[section.event.pk]))

    assert "log=1" not in page.content.decode()
    assert reverse("desk:report_import", args=[section.event.pk]) not in page.content.decode()


def test_a_report_file_becomes_a_section() -> None:
    event = factories.make_event()
    at = reverse("desk:report_import", args=[event.pk])

    answer = logged_in(event).post(at, {"file": SimpleUploadedFile("s.trf", REPORT), "name": ""}, follow=True)

    section = event.sections.get()
    assert section.name == "Small"
    assert answer.redirect_chain[-1][0] == reverse("desk:section", args=[section.pk])
    assert "092 individual" in answer.content.decode()


def test_a_report_file_in_a_doubtful_encoding_is_entered_once_the_encoding_is_chosen() -> None:
    event = factories.make_event()
    at = reverse("desk:report_import", args=[event.pk])
    content = REPORT.decode().replace("Small", "Genève").encode("cp1252")
    client = logged_in(event)

    refused = client.post(at, {"file": SimpleUploadedFile("s.trf", content)})
    assert refused.status_code == 400
    assert "Windows-1250" in refused.content.decode()
    assert not Section.objects.exists()

    client.post(at, {"file": SimpleUploadedFile("s.trf", content), "encoding": "cp1252"})
    assert event.sections.get().name == "Genève"


def test_a_broken_report_file_is_told_at_the_form() -> None:
    event = factories.make_event()
    at = reverse("desk:report_import", args=[event.pk])

    answer = logged_in(event).post(
        at, {"file": SimpleUploadedFile("s.trf", REPORT.replace(b"1 b 0", b"1 b 1"))}
    )

    assert answer.status_code == 400
    assert "round 1" in answer.content.decode()
    assert not Section.objects.exists()


def test_an_event_file_becomes_an_event() -> None:
    source = build()
    content = as_text(export_event(source)).encode()
    client = logged_in(factories.make_event(), staff=True)

    answer = client.post(
        reverse("desk:event_import"), {"file": SimpleUploadedFile("e.json", content)}, follow=True
    )

    made = Event.objects.filter(name=source.name).exclude(pk=source.pk).get()
    assert answer.redirect_chain[-1][0] == reverse("desk:event", args=[made.pk])
    assert made.roles.get().user == User.objects.get(is_staff=True)


def test_a_broken_event_file_is_told_with_its_path() -> None:
    document = export_event(build())
    document["sections"][0]["rounds"][1]["pairings"][0]["outcome"] = "WON"
    players = Player.objects.count()
    client = logged_in(factories.make_event(), staff=True)

    answer = client.post(
        reverse("desk:event_import"), {"file": SimpleUploadedFile("e.json", as_text(document).encode())}
    )

    assert answer.status_code == 400
    assert "sections[0].rounds[1].pairings[0].outcome" in answer.content.decode()
    assert Player.objects.count() == players


@pytest.mark.parametrize(
    ("name", "limit"), [("report_import", report_file.MAX_BYTES), ("import", tables.MAX_BYTES)]
)
def test_a_file_over_the_limit_is_told_at_the_form(name: str, limit: int) -> None:
    section = factories.make_section()
    at = reverse(f"desk:{name}", args=[section.pk if name == "import" else section.event.pk])
    file = SimpleUploadedFile("big.csv", b"x" * (limit + 1))

    answer = logged_in(section.event).post(at, {"file": file, "repeats": "refuse"})

    assert answer.status_code == 400
    assert f"at most {limit // 2**20} MB" in answer.content.decode()
