"""Public pages in a real browser: they fit a phone, are big enough for a thumb, and find the reader's own name."""

from __future__ import annotations

import datetime as dt
import time

import pytest
from django.utils import timezone
from selenium.webdriver.remote.webdriver import WebDriver

from tests import factories as f
from tests.e2e.browser import (
    browser,
    choose,
    count,
    element,
    faults,
    leave,
    needs_browser,
    open_page,
    rows,
    says,
    tap,
    text,
    texts,
    wait_for,
    write,
)
from tests.tournaments import public_addresses
from tournaments.engine.types import Outcome
from tournaments.models import Pairing, Section

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

SMALL = """
return [...document.querySelectorAll('main a, main button, main select, main summary, main input, header a, header button')]
  .filter(element => {
    const box = element.getBoundingClientRect();
    // The two names of a board share its height on a phone, so that five boards are seen at once: 36 px each.
    const least = element.closest('.boards td, .boards .bd') ? 35.5 : 43.5;
    const seen = element.checkVisibility({visibilityProperty: true}) && !element.closest('.vh');
    return seen && box.width > 0 && box.height > 0 && box.height < least && element.type !== 'hidden';
  })
  .map(element => element.outerHTML.slice(0, 100));
"""
LISTEN = "window.swapped = 0; document.addEventListener('follow:swapped', () => { window.swapped += 1; });"
SLACK = 3  # seconds more that a machine full of other work may take
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;"


@pytest.fixture
def section() -> Section:
    event = f.make_event(name="2026年全国国际跳棋锦标赛（岳阳站）暨青少年公开赛", contact="+86 730 1234567")
    section = f.make_section(
        event, rounds_total=7, tiebreaks=["SOLKOFF_TRUNC_FULL", "SOLKOFF", "DIRECT", "ARO"]
    )
    f.make_section(event, code="w", name="女子组")
    entries = f.make_entries(section, 23)
    f.play_rounds(section, entries, 3)
    f.make_round(section, f.draw(entries, 4), starts_at=timezone.now() + dt.timedelta(minutes=30))
    for number in range(1, 5):
        f.make_standings(section, after_round=number)
    return section


def pages(section: Section) -> dict[str, str]:
    entry = section.entries.select_related("section__event").get(number=1)
    addresses = public_addresses.everything(section, entry, 4)
    return {n: a for n, a in addresses.items() if not n.endswith(("calendar", "input"))}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_fits_a_phone_and_a_thumb(live_server, section, language) -> None:
    with browser(width=390) as driver:
        for name, address in pages(section).items():
            join = "&" if "?" in address else "?"
            open_page(driver, f"{live_server.url}{address}{join}lang={language}")

            # The projector's script lays its lists out after the page has loaded.
            wait_for(driver, lambda: driver.execute_script(OVERFLOW) == 0)
            if name != "screen":
                assert driver.execute_script(SMALL) == [], name
            assert faults(driver) == [], name


def test_the_own_name_is_marked_and_kept_for_the_next_round(live_server, section) -> None:
    with browser(width=1200) as driver:
        open_page(driver, live_server.url + public_addresses.of_round(section, 3)["round"])
        write(driver, "#q", "OuYang")
        wait_for(driver, lambda: count(driver, ".mine"))
        marked = rows(driver, ".mine")
        assert marked
        assert all("欧阳" in " ".join(row) for row in marked)
        wait_for(driver, lambda: text(driver, "[data-count]") == str(len(marked)))

        open_page(driver, live_server.url + public_addresses.of_round(section, 4)["round"])

        wait_for(driver, lambda: element(driver, "#q").get_attribute("value") == "OuYang")
        wait_for(driver, lambda: count(driver, ".mine"))


def test_a_club_is_chosen_without_the_remembered_name(live_server, section) -> None:
    with browser(width=1200) as driver:
        open_page(driver, live_server.url + public_addresses.of_section(section)["players"])
        write(driver, "#q", "ouyang")
        tap(driver, ".filter summary")
        leave(driver, lambda: choose(driver, "#club", "Beijing"))

        wait_for(driver, lambda: "club=Beijing" in driver.current_url)
        beijing = section.entries.filter(player__club="Beijing").count()
        wait_for(driver, lambda: len(rows(driver, "tbody tr")) == beijing)


def test_a_starred_player_is_marked_on_lists_until_the_star_is_taken_back(live_server, section) -> None:
    entry = section.entries.select_related("player").order_by("number")[0]
    lists = [
        public_addresses.of_round(section, 4)["round"],
        public_addresses.of_section(section)["standings"],
    ]
    with browser(width=1200, language="zh-CN") as driver:
        open_page(driver, live_server.url + public_addresses.of_entry(entry)["player"])
        tap(driver, "[data-star]")
        wait_for(driver, lambda: element(driver, "[data-star]").get_attribute("aria-pressed") == "true")
        for address in lists:
            open_page(driver, live_server.url + address)
            says(driver, entry.player.name, within="[data-favourites]")
            wait_for(driver, lambda: count(driver, ".starred") == 1)
            assert faults(driver) == []

        open_page(driver, live_server.url + public_addresses.of_entry(entry)["player"])
        wait_for(driver, lambda: element(driver, "[data-star]").get_attribute("aria-pressed") == "true")
        tap(driver, "[data-star]")
        wait_for(driver, lambda: element(driver, "[data-star]").get_attribute("aria-pressed") == "false")
        open_page(driver, live_server.url + lists[0])

        hidden = "return document.querySelector('[data-favourites]').hidden"
        wait_for(driver, lambda: count(driver, "[data-keys]") and driver.execute_script(hidden))
        assert count(driver, ".favourite") == count(driver, ".starred") == 0


def background(driver: WebDriver) -> str:
    return driver.execute_script("return getComputedStyle(document.body).backgroundColor")


def test_the_theme_is_switched_and_kept(live_server, section) -> None:
    with browser(width=1200) as driver:
        open_page(driver, live_server.url)
        before = background(driver)
        tap(driver, "[data-theme-switch]")
        wait_for(driver, lambda: background(driver) != before)
        after = background(driver)
        leave(driver, driver.refresh)

        wait_for(driver, lambda: background(driver) == after)


def test_the_projector_turns_its_pages_and_survives_a_lost_line(live_server, section) -> None:
    address = live_server.url + public_addresses.of_section(section)["screen"]
    with browser(width=1000, height=600) as driver:
        open_page(driver, f"{address}?lang=en")
        # Its pages turn by themselves: the one of the round comes round again.
        wait_for(
            driver,
            lambda: (
                "starts in" in text(driver, "main") and 0 < len(texts(driver, ".slide:not([hidden]) li")) < 69
            ),
        )
        says(driver, "last updated", within="[data-stamp]")

        driver.execute_script("window.fetch = () => Promise.reject(new Error('no line'));")
        says(driver, "no connection", within="[data-stamp]")

        wait_for(driver, lambda: texts(driver, ".slide:not([hidden]) li"))


def test_new_results_come_in_by_themselves(live_server, section) -> None:
    with browser(width=1000) as driver:
        open_page(driver, live_server.url + public_addresses.of_round(section, 4)["round"])
        Pairing.objects.filter(round__number=4, board=1).update(outcome=Outcome.DRAW.value)
        f.bump(section, public=True)

        wait_for(driver, lambda: texts(driver, "#boards .boards .r.dr") == ["1", "1"])
        assert faults(driver) == []


@pytest.mark.parametrize("name", ["round", "event", "standings", "my", "screen", "player"])
def test_an_open_page_learns_of_it_within_five_seconds(live_server, section, name) -> None:
    """A ruling on points, which every one of these pages tells, and the table that follows from it."""
    entry = section.entries.select_related("section__event").get(number=1)
    addresses = public_addresses.of_section(section) | public_addresses.of_entry(entry)
    addresses |= public_addresses.of_round(section, 4)
    with browser(width=390) as driver:
        open_page(driver, live_server.url + addresses[name])
        driver.execute_script(LISTEN)

        started = time.monotonic()
        Pairing.objects.filter(round__section=section, round__number=4, board=1).update(outcome="WHITE")
        f.bump(section, public=True)
        f.make_standings(section, after_round=4)

        wait_for(driver, lambda: driver.execute_script("return window.swapped"))
        assert time.monotonic() - started < 5 + SLACK
        assert faults(driver) == []


def test_a_page_that_lost_its_connection_says_so_and_finds_back(live_server, section) -> None:
    with browser(width=390) as driver:
        open_page(driver, live_server.url + public_addresses.of_section(section)["standings"])
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*version.json*"]})
        says(driver, "No connection", within=".follow-lost")

        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})

        wait_for(driver, lambda: count(driver, ".follow-lost") == 0)
