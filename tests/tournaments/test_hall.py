"""Screens in the hall: every name once, in pages that fit, nothing before there is something."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.engine.types import Outcome
from tournaments.models import Role, Section
from tournaments.selectors import hall

pytestmark = pytest.mark.django_db


def played(players: int, *, code: str = "open", event=None, rounds: int = 2) -> Section:
    section = f.make_section(event, code=code, name=f"组{code}", name_en=f"Section {code}")
    f.play_rounds(section, f.make_entries(section, players), rounds)
    f.make_standings(section, after_round=rounds)
    return section


def page(
    client: Client, section: Section, query: str = "", *, name: str = "event_screen", language: str = "en"
) -> str:
    arguments = [section.event.code] + ([section.code] if name == "screen" else [])
    answer = client.get(f"{reverse(f'public:{name}', args=arguments)}?lang={language}{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def slides(text: str, kind: str) -> list[str]:
    return re.findall(rf'<section class="slide {kind}".*?</section>', text, re.DOTALL)


def test_two_hundred_players_go_by_in_a_minute_each_name_once(client: Client) -> None:
    section = played(200)

    text = page(client, section, "&list=names")

    pages = slides(text, "names")
    assert len(pages) == 3  # of 68 names
    items = re.findall(r"<li>", "".join(pages))
    assert len(items) == 200
    whole = hall.hall([section], hall.USUAL)
    assert whole.seconds * len(whole.slides) <= 60
    assert hall.hall([section], [hall.Kind.NAMES]).seconds == 15


def test_the_lists_chosen_of_the_sections_chosen_are_shown_and_no_other(client: Client) -> None:
    first = played(8)
    second = played(6, code="girls", event=first.event)

    both = page(client, first, "&list=boards")
    one = page(client, first, "&s=girls&list=standings&list=clubs")

    assert len(slides(both, "boards")) == 2 and not slides(both, "names")
    assert "Section girls" in one and "Section open" not in one
    assert slides(one, "clubs") and slides(one, "standings") and not slides(one, "boards")
    assert second.event == first.event


def test_by_club_every_club_heads_its_players(client: Client) -> None:
    section = played(9)

    text = "".join(slides(page(client, section, "&list=clubs"), "clubs"))

    assert text.count('class="head"') == 3  # Beijing, Shanghai, none
    assert text.count("<li>") == 9


def test_a_table_comes_with_the_first_result_and_is_called_provisional_while_results_lack(
    client: Client,
) -> None:
    section = f.make_section()
    entries = f.make_entries(section, 4)
    round_ = f.make_round(section, f.draw(entries, 1))
    f.make_standings(section, after_round=1)
    assert not slides(page(client, section, "&list=standings"), "standings")

    round_.pairings.filter(board=1).update(outcome=Outcome.WHITE.value)
    f.bump(section, public=True)

    assert "provisional, 1 result missing" in slides(page(client, section, "&list=standings"), "standings")[0]


def test_a_screen_with_nothing_to_show_says_so(client: Client) -> None:
    section = f.make_section()
    f.make_entries(section, 4)

    assert "Round 1 is not published yet" in page(client, section)
    assert "There is nothing to show" in page(client, section, "&s=nobody")


@pytest.mark.parametrize(("language", "said"), [("en", ">B<"), ("zh-hans", ">黑<")])
def test_the_address_sets_the_language(client: Client, language: str, said: str) -> None:
    assert said in page(client, played(4), name="screen", language=language)


def test_a_draft_is_on_no_screen(client: Client) -> None:
    section = played(4, rounds=1)
    f.make_round(section, f.draw(list(section.entries.order_by("number")), 2), state="PAIRED")

    text = page(client, section)

    assert "Round 1" in text and "Round 2" not in text
    section.event.state = "DRAFT"
    section.event.save()
    assert client.get(reverse("public:event_screen", args=[section.event.code])).status_code == 404


def test_the_organizer_chooses_what_a_screen_shows() -> None:
    section = played(4)
    organizer = b.with_role(section.event, Role.Kind.ORGANIZER)

    text = client_of(organizer.user).get(reverse("desk:screens", args=[section.event_id])).content.decode()

    assert reverse("public:event_screen", args=[section.event.code]) in text
    assert 'name="list" value="clubs"' in text and f'name="s" value="{section.code}"' in text
