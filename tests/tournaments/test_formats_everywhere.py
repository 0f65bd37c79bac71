"""Every public page and every page of the desk answers for every format, in both languages, drafted and played."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.tournaments import builders as b
from tests.tournaments import public_addresses
from tests.tournaments.desk_cast import client_of
from tournaments import formats
from tournaments.audit import Actor
from tournaments.models import Event, Section
from tournaments.services import results, rounds

pytestmark = pytest.mark.django_db

FORMATS = {
    "KNOCKOUT": {"third_place": True, "match_rule": "WTM_2020", "scheme": "MICRO12"},
    "GROUPS_KNOCKOUT": {"groups": 2, "group_places": 1},
    "SCHEVENINGEN": {"team_places": 2},
    "TEAM_SWISS": {"team_boards": 2, "preset": "TEAM"},
    "TEAM_ROUND_ROBIN": {"team_boards": 2, "preset": "TEAM"},
    "SWISS": {"acceleration": True, "ranking": "SOLKOFF", "scheme": "DELFT4", "team_places": 2},
}


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def played(organizer: Actor, kind: str) -> Section:
    section = b.section(organizer, players=6, rounds_total=4, format=kind, **FORMATS[kind])
    Event.objects.update(state=Event.State.OPEN)
    b.draft(organizer, section)
    section.refresh_from_db()
    if formats.of(section).drawn_ahead:
        for round_ in rounds.publish_all_rounds(organizer, section.pk):
            b.enter_all(organizer, round_)
    else:
        round_ = rounds.publish_round(organizer, section.rounds.get(number=1).pk)
        b.enter_all(organizer, round_)
    b.work_all(section)
    if not formats.of(section).drawn_whole:
        b.draft(organizer, section)
    section.refresh_from_db()
    return section


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("kind", FORMATS)
def test_every_page_answers(client, organizer, kind, language) -> None:
    section = played(organizer, kind)
    entry = section.entries.select_related("section__event").get(number=1)
    addresses = public_addresses.everything(section, entry)
    if kind not in {"SWISS", "TEAM_SWISS"}:
        addresses.pop("why_input")
    at = [section.event.code, section.code]
    if formats.of(section).has_bracket:
        addresses["bracket"] = reverse("public:bracket", args=at)
    if formats.of(section).has_matches(section):
        addresses["match"] = reverse("public:match", args=[*at, 1, 1])
    for name, code in (("report", "trf"), ("results-book", "xlsx"), ("cross", "csv"), ("standings", "csv")):
        addresses[name] = reverse("download:section_file", args=[*at, name, code])
    wrong = {
        name: answer.status_code
        for name, address in addresses.items()
        if (answer := client.get(address, headers={"accept-language": language})).status_code != 200
    }
    assert wrong == {}

    desk = client_of(organizer.user, language=language)
    board = section.rounds.get(number=1).pairings.get(board=1)
    pages = [
        reverse("desk:section", args=[section.pk]),
        reverse("desk:section_settings", args=[section.pk]),
        reverse("desk:entries", args=[section.pk]),
        reverse("desk:entry", args=[entry.pk]),
        reverse("desk:standings", args=[section.pk]),
        reverse("desk:results", args=[section.pk, 1]),
        reverse("desk:round", args=[section.pk, 1]),
        reverse("desk:draft", args=[section.pk, section.rounds.last().number]),
        reverse("desk:publish", args=[section.pk, section.rounds.last().number]),
        reverse("desk:match", args=[board.pk]),
        reverse("desk:print_standings", args=[section.pk]),
        reverse("download:section_report", args=[section.pk]),
    ]
    assert {page: s for page in pages if (s := desk.get(page).status_code) not in (200, 302)} == {}


def test_a_knock_out_is_played_to_the_end_by_the_buttons_of_the_desk(organizer) -> None:
    section = b.section(organizer, players=3, format="KNOCKOUT")
    desk = client_of(organizer.user)

    for number in (1, 2):
        assert "Next" in desk.get(reverse("desk:section", args=[section.pk])).content.decode()
        desk.post(reverse("desk:pair", args=[section.pk]))
        b.work_all(section)
        desk.post(reverse("desk:publish", args=[section.pk, number]))
        b.enter_all(organizer, section.rounds.get(number=number))
    b.work_all(section)

    assert "Close the section" in desk.get(reverse("desk:section", args=[section.pk])).content.decode()
    assert results.close_section(organizer, section.pk).final
