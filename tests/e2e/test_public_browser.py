"""Public pages in a real browser: they fit a phone, are big enough for a thumb, and find the reader's own name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests import factories as f
from tests.e2e.browser import browser, faults, needs_browser
from tests.tournaments import public_addresses
from tournaments.engine.types import Outcome
from tournaments.models import Pairing, Section

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

WAIT = 20
SMALL = """
return [...document.querySelectorAll('main a, main button, main select, main summary, main input, header a, header button')]
  .filter(element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.height < 43.5 && element.type !== 'hidden';
  })
  .map(element => element.outerHTML.slice(0, 100));
"""
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;"


def wait_for(driver: WebDriver, truth: Callable[[], Any]) -> None:
    """What is looked at may be exchanged for newer content in the very moment: then it is looked at again."""
    wait = WebDriverWait(
        driver, WAIT, poll_frequency=0.1, ignored_exceptions=[StaleElementReferenceException]
    )
    wait.until(lambda _driver: truth())


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
            driver.get(f"{live_server.url}{address}{join}lang={language}")

            # The projector's script lays its lists out after the page has loaded.
            wait_for(driver, lambda: driver.execute_script(OVERFLOW) == 0)
            if name != "screen":
                assert driver.execute_script(SMALL) == [], name
            assert faults(driver) == [], name


def test_the_own_name_is_marked_and_kept_for_the_next_round(live_server, section) -> None:
    with browser(width=1200) as driver:
        driver.get(live_server.url + public_addresses.of_round(section, 3)["round"])
        driver.find_element(By.ID, "q").send_keys("OuYang")
        marked = driver.find_elements(By.CSS_SELECTOR, ".mine")
        assert marked
        assert all("欧阳" in row.text for row in marked)
        assert driver.find_element(By.CSS_SELECTOR, "[data-count]").text == str(len(marked))

        driver.get(live_server.url + public_addresses.of_round(section, 4)["round"])

        assert driver.find_element(By.ID, "q").get_attribute("value") == "OuYang"
        wait_for(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".mine"))


def test_a_club_is_chosen_without_the_remembered_name(live_server, section) -> None:
    with browser(width=1200) as driver:
        address = live_server.url + public_addresses.of_section(section)["players"]
        driver.get(address)
        driver.find_element(By.ID, "q").send_keys("ouyang")
        Select(driver.find_element(By.ID, "club")).select_by_visible_text("Beijing")

        wait_for(driver, lambda: "club=Beijing" in driver.current_url)
        rows = driver.find_elements(By.CSS_SELECTOR, "tbody tr")
        assert len(rows) == section.entries.filter(player__club="Beijing").count()


def test_the_theme_is_switched_and_kept(live_server, section) -> None:
    with browser(width=1200) as driver:
        driver.get(live_server.url)
        before = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        driver.find_element(By.CSS_SELECTOR, "[data-theme-switch]").click()
        after = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        driver.refresh()

        assert before != after
        assert driver.execute_script("return getComputedStyle(document.body).backgroundColor") == after


def test_the_projector_turns_its_pages_and_survives_a_lost_line(live_server, section) -> None:
    address = live_server.url + public_addresses.of_section(section)["screen"]
    with browser(width=1000, height=600) as driver:
        driver.get(f"{address}?lang=en")
        shown = [row.text for row in driver.find_elements(By.CSS_SELECTOR, "tbody tr") if row.is_displayed()]
        assert 0 < len(shown) < 23
        assert "starts in" in driver.find_element(By.TAG_NAME, "h1").text
        assert "last updated" in driver.find_element(By.CSS_SELECTOR, "[data-stamp]").text

        driver.execute_script("window.fetch = () => Promise.reject(new Error('no line'));")
        wait_for(driver, lambda: "no connection" in driver.find_element(By.CSS_SELECTOR, "[data-stamp]").text)

        assert [row for row in driver.find_elements(By.CSS_SELECTOR, "tbody tr") if row.is_displayed()]


def test_new_results_come_in_by_themselves(live_server, section) -> None:
    with browser(width=1000) as driver:
        driver.get(live_server.url + public_addresses.of_round(section, 4)["round"])
        Pairing.objects.filter(round__number=4, board=1).update(outcome=Outcome.DRAW.value)
        f.bump(section, public=True)

        driver.execute_script(
            "htmx.ajax('GET', location.pathname, {target: '#boards', select: '#boards', swap: 'outerHTML'})"
        )

        wait_for(driver, lambda: "1-1" in driver.find_element(By.ID, "boards").text)
        assert faults(driver) == []
