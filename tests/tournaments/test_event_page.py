"""The event's own page and the home page: who is searched for, when play begins, who leads, in which script names stand."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.tournaments import public_addresses
from tests.tournaments.test_public_pages import page, text_of
from tournaments.engine.types import Outcome
from tournaments.models import Event, Round, Section

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return f.make_event(name="石桥公开赛", name_en="Stone Bridge Open", code="bridge")


def section_of(event: Event, code: str, *names: str) -> Section:
    section = f.make_section(
        event, code=code, name=code.upper(), name_en=code.upper(), rounds_total=7, tiebreaks=["SOLKOFF"]
    )
    for number, name in enumerate(names, start=1):
        f.make_entry(section, number=number, name=name)
    return section


def first_round(section: Section, **fields: object) -> Round:
    entries = list(section.entries.order_by("number"))
    boards = [(entries[i], entries[i + 1], Outcome.UNPLAYED) for i in range(0, len(entries) - 1, 2)]
    return f.make_round(section, boards, **fields)


class TestSearch:
    def test_on_an_event_goes_over_all_its_sections_and_names_the_board(
        self, client: Client, event: Event
    ) -> None:
        one, two = section_of(event, "a", "夏一步", "Piet Mol"), section_of(event, "b", "Xia Li", "Anna Berg")
        first_round(one)
        first_round(two)

        words = text_of(page(client, reverse("public:event", args=["bridge"]) + "?q=xia"))

        assert "Xia Yibu 夏一步 A · round 1, board 1 · White · against Piet Mol" in words
        assert "Xia Li B · round 1, board 1" in words
        assert "Anna Berg B" not in words

    def test_by_number_before_round_1_finds_nobody(self, client: Client, event: Event) -> None:
        section = section_of(event, "a", "夏一步", "Piet Mol")
        address = reverse("public:event", args=["bridge"]) + "?q=1"

        assert "Nobody of this name plays here." in text_of(page(client, address))
        first_round(section)
        f.bump(section, public=True)
        assert "Xia Yibu 夏一步 A · round 1, board 1" in text_of(page(client, address))

    def test_at_home_leaves_drafts_out(self, client: Client, event: Event) -> None:
        section_of(event, "a", "夏一步")
        hidden = f.make_event(name="Hidden", state=Event.State.DRAFT)
        section_of(hidden, "a", "夏二步")

        words = text_of(page(client, "/?q=xia"))

        assert "Xia Yibu 夏一步 Stone Bridge Open · A" in words
        assert "夏二步" not in words


class TestSchedule:
    def test_names_the_next_start_and_what_is_over(self, client: Client, event: Event) -> None:
        section = section_of(event, "a", "夏一步", "Piet Mol")
        at = dt.datetime(2026, 12, 2, 1, 0, tzinfo=dt.UTC)
        played = first_round(section, starts_at=at)
        played.pairings.update(outcome=Outcome.DRAW.value)
        f.make_round(section, [], state="OPEN", starts_at=at + dt.timedelta(hours=5))

        words = text_of(page(client, reverse("public:event", args=["bridge"])))

        assert "Next start A, round 2, 2 Dec 14:00" in words
        assert "Wed 2 December 09:00 1 A played 14:00 2 A" in words

    def test_is_a_calendar_file_with_every_round(self, client: Client, event: Event) -> None:
        section = section_of(event, "a", "夏一步", "Piet Mol")
        at = timezone.now()
        for number in (1, 2):
            f.make_round(section, [], number=number, state="OPEN", starts_at=at + dt.timedelta(days=number))

        answer = client.get(
            reverse("public:event_calendar", args=["bridge"]), headers={"accept-language": "en"}
        )

        body = answer.content.decode()
        assert body.count("BEGIN:VEVENT") == 2
        assert "SUMMARY:A\\, round 2" in body
        assert "Piet" not in body


class TestLeader:
    def test_is_told_anew_when_only_the_table_was_computed_anew(self, client: Client, event: Event) -> None:
        section = section_of(event, "a", "夏一步", "Piet Mol")
        first_round(section).pairings.update(outcome=Outcome.WHITE.value)
        address = reverse("public:event", args=["bridge"])
        before = client.get(address, headers={"accept-language": "en"})

        f.make_standings(section)

        held = {"if-none-match": before.headers["ETag"], "accept-language": "en"}
        after = client.get(address, headers=held)
        assert after.status_code == 200
        assert "Xia Yibu <b>2</b>" in after.content.decode()


class TestNames:
    def test_stand_in_latin_letters_for_readers_of_english_wherever_they_are_met(
        self, client: Client, event: Event
    ) -> None:
        section = section_of(event, "a", "夏一步", "何和棋", "田中心", "钟读秒")
        first_round(section).pairings.update(outcome=Outcome.WHITE.value)
        f.make_standings(section)
        entry = section.entries.select_related("section__event").get(number=2)

        for name in (
            "round",
            "round_names",
            "standings",
            "cross",
            "results",
            "players",
            "player",
            "my",
            "event",
        ):
            addresses = public_addresses.everything(section, entry)
            body = text_of(page(client, addresses[name]))
            assert "Xia Yibu" in body, name

    def test_stand_as_they_are_for_readers_of_chinese(self, client: Client, event: Event) -> None:
        section = section_of(event, "a", "夏一步", "何和棋")
        first_round(section)
        words = text_of(page(client, public_addresses.of_section(section)["section"], "zh-hans"))

        assert "夏一步" in words
        assert "Xia" not in words


class TestSiteName:
    def test_is_shown_in_the_readers_script(self, client: Client) -> None:
        assert "<title>Hundred Squares</title>" in page(client, "/")
        assert "<title>百格弈事</title>" in page(client, "/", "zh-hans")

    @override_settings(SITE_NAME="Chess & More")
    def test_of_one_script_is_shown_to_all(self, client: Client) -> None:
        assert "<title>Chess &amp; More</title>" in page(client, "/", "zh-hans")
