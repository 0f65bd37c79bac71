"""The list of what is open before pairing, publishing and closing, and where the draft and the engine differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.urls import reverse
from django.utils import translation

from games.models import Copy
from games.services import sheets
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import Pairing, Section
from tournaments.selectors import draft_checks, drafts, readiness
from tournaments.selectors.readiness import Before
from tournaments.services import absence_requests, check_in, draft, entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return builders.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    return builders.section(organizer, players=8, rounds_total=3)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def texts(section: Section, before: Before = Before.PAIRING, **more: object) -> list[str]:
    return [point.text for point in readiness.points(section, before, **more)]  # type: ignore[arg-type]


def page(actor: Actor, name: str, *arguments: int) -> str:
    return client_of(actor.user).get(reverse(f"desk:{name}", args=arguments)).content.decode()


class TestPoints:
    def test_nothing_to_tell_of_an_empty_section(self, section: Section) -> None:
        assert texts(section) == []

    def test_results_requests_absences_and_who_is_missing(self, organizer: Actor, section: Section) -> None:
        first, second, third = builders.entry_list(section)[:3]
        round_ = builders.publish_next(organizer, section)
        assert texts(section) == ["4 results are missing in round 1."]

        builders.enter_all(organizer, round_)
        absence_requests.ask(organizer, first.link, round_number=2, kind="ZERO_BYE")
        entries.announce_absence(organizer, second.pk, round_number=2, kind="HALF_BYE")
        check_in.mark(organizer, third.pk, present=True)

        assert texts(section) == [
            "1 request for an absence waits for an answer.",
            "The check-in is not closed: 6 players are missing.",
            "All results are in.",
            "1 player is absent in round 2.",
        ]
        assert "The check-in is not closed" in page(organizer, "section", section.pk)

    def test_scoresheets_that_are_not_handed_in(self, organizer: Actor, section: Section) -> None:
        round_ = builders.publish_next(organizer, section)
        sheets.issue_copies(organizer, round_.pk)
        assert Copy.objects.count() == 8
        assert "scoresheets" not in " ".join(texts(section))  # nobody has finished

        builders.enter_all(organizer, round_)

        assert "8 scoresheets are not handed in." in texts(section)

    def test_club_mates_who_meet_in_round_1(self, organizer: Actor, section: Section) -> None:
        for entry in builders.entry_list(section):
            entries.update_entry(organizer, entry.pk, {"club": "Ajax"})
        round_ = builders.draft(organizer, section)

        assert "Club-mates meet in round 1 on 4 boards." in texts(section, Before.PUBLISHING, round_=round_)
        assert "Club-mates meet in round 1 on 4 boards." in page(organizer, "publish", section.pk, 1)

    def test_shared_places_before_closing(self, organizer: Actor, section: Section) -> None:
        Section.objects.update(rounds_total=1, tiebreaks=[])
        section.refresh_from_db()
        builders.play_round(organizer, section)
        builders.work_all(section)

        point = next(
            p for p in readiness.points(section, Before.CLOSING) if p.text.startswith("Shared places")
        )
        assert point.details == ("Place 1: 4 players", "Place 5: 4 players")
        assert "Shared places" in page(organizer, "section_close", section.pk)


class TestDifferences:
    def names(self, round_number: int, section: Section) -> dict[str, set[tuple[str, str]]]:
        found = drafts.load(section.rounds.get(number=round_number)).differences
        return {
            side: {(str(d["white"]), str(d["black"])) for d in found if d["side"] == side}
            for side in ("engine", "arbiter")
        }

    def test_in_round_1_they_name_the_players_though_nobody_has_a_number_yet(
        self, organizer: Actor, section: Section
    ) -> None:
        round_ = builders.draft(organizer, section)
        boards = list(
            Pairing.objects.filter(round=round_)
            .select_related("white__player", "black__player")
            .order_by("board")
        )
        one, two = boards[0], boards[1]
        before = {(str(one.white), str(one.black)), (str(two.white), str(two.black))}
        section.refresh_from_db()
        draft.swap(
            organizer,
            round_.pk,
            first=one.white_id,
            second=two.white_id,
            version=section.version,
            reason="club",
        )

        found = self.names(1, section)

        assert found["engine"] == before
        assert found["arbiter"] == {(str(two.white), str(one.black)), (str(one.white), str(two.black))}
        assert all(d["white"] and d["black"] for d in draft_checks.differences(section.rounds.get(number=1)))
        words = re.sub(r"<[^>]+>", " ", page(organizer, "publish", section.pk, 1))
        assert "Where the draft and the engine differ" in words
        assert "1 change by hand." in words
        assert all(f"{white} – {black}" in words for white, black in before)

    def test_an_untouched_draft_says_so(self, organizer: Actor, section: Section) -> None:
        round_ = builders.draft(organizer, section)

        assert texts(section, Before.PUBLISHING, round_=round_) == ["Nothing was changed by hand."]
        assert "Where the draft and the engine differ" not in page(organizer, "publish", section.pk, 1)
