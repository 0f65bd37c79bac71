"""The desk in a real browser: results by keyboard and by thumb, pairing with its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.e2e.browser import browser, faults, log_in, needs_browser
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.models import Pairing, Round, Section
from tournaments.services import results

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

WAIT = 20  # seconds: how long a busy machine may take; nothing waits that long when all is well


def wait_for(driver: WebDriver, truth: Callable[[], Any]) -> None:
    WebDriverWait(driver, WAIT, poll_frequency=0.1).until(lambda _driver: truth())


def press(driver: WebDriver, *keys: str) -> None:
    ActionChains(driver).send_keys(*keys).perform()


def tap(driver: WebDriver, element: WebElement) -> None:
    driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
    element.click()


def focused_board(driver: WebDriver) -> str:
    return str(
        driver.execute_script(
            "var row = document.activeElement.closest('[data-row]'); return row ? row.id : document.activeElement.name;"
        )
    )


def marked_saved(driver: WebDriver, board: int) -> bool:
    return bool(driver.find_elements(By.CSS_SELECTOR, f"#board-{board}.saved"))


@pytest.fixture
def stage() -> tuple[Actor, Section, Round]:
    organizer = builders.organizer()
    section = builders.section(organizer, players=8, rounds_total=3)
    return organizer, section, builders.publish_next(organizer, section)


def outcomes(round_: Round) -> list[str]:
    return list(Pairing.objects.filter(round=round_).order_by("board").values_list("outcome", flat=True))


def test_results_by_keyboard(stage: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = stage
    page = live_server.url + url("results", section_id=section.pk, number=1)
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        driver.get(page)
        assert focused_board(driver) == "board-1"

        press(driver, "1")
        wait_for(driver, lambda: marked_saved(driver, 1) and focused_board(driver) == "board-2")
        press(driver, "2")
        wait_for(driver, lambda: marked_saved(driver, 2) and focused_board(driver) == "board-3")
        press(driver, Keys.ARROW_DOWN)
        assert focused_board(driver) == "board-4"
        press(driver, "3")
        wait_for(driver, lambda: marked_saved(driver, 4) and focused_board(driver) == "board-3")
        press(driver, "4")
        wait_for(driver, lambda: marked_saved(driver, 3))
        assert outcomes(round_) == ["WHITE", "DRAW", "WHITE_FORFEITS", "BLACK"]

        # Overwriting asks first: Escape keeps, Enter agrees.
        press(driver, Keys.ARROW_UP, Keys.ARROW_UP)
        assert focused_board(driver) == "board-1"
        press(driver, "3")
        wait_for(
            driver,
            lambda: (
                focused_board(driver) == "board-1"
                and driver.find_elements(By.CSS_SELECTOR, "#board-1.confirm")
            ),
        )
        assert outcomes(round_)[0] == "WHITE"
        press(driver, Keys.ESCAPE)
        wait_for(driver, lambda: not driver.find_elements(By.CSS_SELECTOR, "#board-1.confirm"))
        press(driver, "3")
        wait_for(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#board-1.confirm"))
        press(driver, Keys.ENTER)
        wait_for(driver, lambda: marked_saved(driver, 1))
        assert outcomes(round_)[0] == "BLACK"

        wait_for(driver, lambda: len(driver.find_elements(By.CSS_SELECTOR, "#changes .change")) == 5)
        tap(driver, driver.find_elements(By.CSS_SELECTOR, "#changes .change form button")[0])
        wait_for(driver, lambda: outcomes(round_)[0] == "WHITE")
        assert [fault for fault in faults(driver) if "409" not in fault] == []


def test_results_by_thumb(stage: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = stage
    with browser(width=390) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        driver.get(live_server.url + url("results", section_id=section.pk, number=1))
        wait_for(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".board"))
        buttons = driver.find_elements(By.CSS_SELECTOR, "#board-2 > .choices > .choice")
        assert len(buttons) == 3
        sizes = [(button.size["width"], button.size["height"]) for button in buttons]
        assert all(width >= 44 and height >= 44 for width, height in sizes), sizes
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390

        tap(driver, buttons[1])
        wait_for(driver, lambda: marked_saved(driver, 2))
        assert outcomes(round_) == ["UNPLAYED", "DRAW", "UNPLAYED", "UNPLAYED"]

        driver.find_element(By.CSS_SELECTOR, "#board-3 summary").click()
        rarer = driver.find_elements(By.CSS_SELECTOR, "#board-3 details .choice")
        assert all(choice.size["height"] >= 44 for choice in rarer)
        tap(driver, rarer[2])
        wait_for(driver, lambda: marked_saved(driver, 3))
        assert outcomes(round_)[2] == "BOTH_FORFEIT"


def test_a_stale_board_is_told_and_not_overwritten(
    stage: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = stage
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        driver.get(live_server.url + url("results", section_id=section.pk, number=1))
        board = round_.pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="DRAW", version=board.version)

        press(driver, "1")
        wait_for(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#board-1.stale"))
        told = driver.find_element(By.CSS_SELECTOR, "#board-1 .state").text
        assert "draw" in told and "White won" in told
        assert outcomes(round_)[0] == "DRAW"


def test_pairing_shows_its_progress_and_opens_the_draft(
    stage: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = stage
    builders.enter_all(organizer, round_)
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        driver.get(live_server.url + url("section", section_id=section.pk))
        driver.find_element(By.CSS_SELECTOR, ".next-step button").click()
        wait_for(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#job progress"))

        builders.work_all(section)

        draft = url("draft", section_id=section.pk, number=2)
        wait_for(driver, lambda: driver.current_url == live_server.url + draft)
        assert len(driver.find_elements(By.CSS_SELECTOR, "table.data tbody tr")) == 4
        assert faults(driver) == []
