"""The desk in a real browser: results by keyboard and by thumb, pairing with its progress."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from tests.e2e.browser import (
    browser,
    count,
    element,
    faults,
    follow,
    log_in,
    needs_browser,
    open_page,
    press_keys,
    says,
    tap,
    wait_for,
    write,
)
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.models import Pairing, Round, Section
from tournaments.services import results

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

# The id of the board that has the focus.
FOCUSED = """
const row = document.activeElement.closest('[data-row]');
return row ? row.id : document.activeElement.name;
"""
SIZES = """
return [...document.querySelectorAll(arguments[0])].map(element => {
  const box = element.getBoundingClientRect();
  return [box.width, box.height];
});
"""


def wait_for_focus(driver: WebDriver, board: int, *, after: str = "") -> None:
    """The focus is on the board, and what is named has become of another one."""

    def there() -> bool:
        return driver.execute_script(FOCUSED) == f"board-{board}" and (not after or count(driver, after) == 1)

    wait_for(driver, there)


def wait_for_one(driver: WebDriver, where: str) -> None:
    wait_for(driver, lambda: count(driver, where) == 1)


@pytest.fixture
def stage() -> tuple[Actor, Section, Round]:
    organizer = builders.organizer()
    section = builders.section(organizer, players=8, rounds_total=3)
    return organizer, section, builders.publish_next(organizer, section)


def outcomes(round_: Round) -> list[str]:
    return list(Pairing.objects.filter(round=round_).order_by("board").values_list("outcome", flat=True))


def test_results_by_keyboard(stage: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = stage
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))
        wait_for_focus(driver, 1)

        press_keys(driver, "1")
        wait_for_focus(driver, 2, after="#board-1.saved")
        press_keys(driver, "2")
        wait_for_focus(driver, 3, after="#board-2.saved")
        press_keys(driver, Keys.ARROW_DOWN)
        wait_for_focus(driver, 4)
        press_keys(driver, "3")
        wait_for_focus(driver, 3, after="#board-4.saved")
        press_keys(driver, "4")
        wait_for_focus(driver, 3, after="#board-3.saved")
        assert outcomes(round_) == ["WHITE", "DRAW", "WHITE_FORFEITS", "BLACK"]

        # Overwriting asks first: Escape keeps, Enter agrees.
        press_keys(driver, Keys.ARROW_UP, Keys.ARROW_UP)
        wait_for_focus(driver, 1)
        press_keys(driver, "3")
        wait_for_focus(driver, 1, after="#board-1.confirm")
        assert outcomes(round_)[0] == "WHITE"
        press_keys(driver, Keys.ESCAPE)
        wait_for_focus(driver, 1, after="#board-1:not(.confirm)")
        press_keys(driver, "3")
        wait_for_focus(driver, 1, after="#board-1.confirm")
        press_keys(driver, Keys.ENTER)
        wait_for_focus(driver, 1, after="#board-1.saved")
        assert outcomes(round_)[0] == "BLACK"

        wait_for(driver, lambda: count(driver, "#changes .change") == 5)
        follow(driver, "#changes .change form button")
        assert outcomes(round_)[0] == "WHITE"
        assert [fault for fault in faults(driver) if "409" not in fault] == []


def test_results_by_thumb(stage: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = stage
    with browser(width=390) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))
        choices = "#board-2 > .choices > .choice"
        sizes = driver.execute_script(SIZES, choices)
        assert len(sizes) == 3
        assert all(width >= 44 and height >= 44 for width, height in sizes), sizes
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390

        tap(driver, choices, index=1)
        wait_for_one(driver, "#board-2.saved")
        assert outcomes(round_) == ["UNPLAYED", "DRAW", "UNPLAYED", "UNPLAYED"]

        tap(driver, "#board-3 summary")
        rarer = "#board-3 details[open] .choice"
        element(driver, rarer)
        sizes = driver.execute_script(SIZES, rarer)
        assert all(height >= 44 for _width, height in sizes), sizes
        tap(driver, rarer, index=2)
        wait_for_one(driver, "#board-3.saved")
        assert outcomes(round_)[2] == "BOTH_FORFEIT"


def test_a_stale_board_is_told_and_not_overwritten(
    stage: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = stage
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))
        wait_for_focus(driver, 1)
        board = round_.pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="DRAW", version=board.version)

        press_keys(driver, "1")
        wait_for_one(driver, "#board-1.stale")
        says(driver, "draw", "White won", within="#board-1 .state")
        assert outcomes(round_)[0] == "DRAW"


def test_pairing_shows_its_progress_and_opens_the_draft(
    stage: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = stage
    builders.enter_all(organizer, round_)
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("section", section_id=section.pk))
        follow(driver, ".next-step button")
        wait_for_one(driver, "#job progress")

        builders.work_all(section)

        draft = url("draft", section_id=section.pk, number=2)
        wait_for(driver, lambda: driver.current_url == live_server.url + draft)
        wait_for(driver, lambda: count(driver, "table.data tbody tr") == 4)
        assert faults(driver) == []


def slow(driver: WebDriver, *, latency: int = 250) -> None:
    """A hall's network: so many milliseconds for each question and answer."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def cut(driver: WebDriver, pattern: str) -> None:
    """Requests of these addresses do not get through; "" lets all pass again."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [pattern] if pattern else []})


def open_grid(driver: WebDriver, organizer: Actor, section: Section, address: str) -> None:
    log_in(driver, client_of(organizer.user), address)
    open_page(driver, address + url("results", section_id=section.pk, number=1))
    wait_for_focus(driver, 1)
    driver.execute_script(
        "window.refusals = 0; document.addEventListener('results:refused', () => { window.refusals += 1; });"
    )


@pytest.fixture
def hall() -> tuple[Actor, Section, Round]:
    """Six boards."""
    organizer = builders.organizer()
    section = builders.section(organizer, players=12, rounds_total=3)
    return organizer, section, builders.publish_next(organizer, section)


def test_no_key_is_swallowed_on_a_slow_network(hall: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = hall
    with browser(width=1280) as driver:
        open_grid(driver, organizer, section, live_server.url)
        slow(driver)

        press_keys(driver, *"112233")

        wait_for(driver, lambda: count(driver, ".board.saved") == 6)
        assert outcomes(round_) == ["WHITE", "WHITE", "DRAW", "DRAW", "BLACK", "BLACK"]
        assert driver.execute_script("return window.refusals") == 0
        assert faults(driver) == []


def test_a_choice_changed_before_it_is_saved_is_saved_as_changed(
    hall: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = hall
    with browser(width=1280) as driver:
        open_grid(driver, organizer, section, live_server.url)
        slow(driver)

        # Board 1 is on its way and board 2 in the queue when both are put right.
        press_keys(driver, "1", "1", Keys.ARROW_UP, "2", Keys.ARROW_UP, Keys.ARROW_UP, "3")

        wait_for(driver, lambda: count(driver, ".board.saved") == 2)
        wait_for(driver, lambda: outcomes(round_)[:3] == ["BLACK", "DRAW", "UNPLAYED"])
        assert faults(driver) == []


def test_saving_stops_at_the_first_refusal_and_goes_on_when_it_is_settled(
    hall: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = hall
    with browser(width=1280) as driver:
        open_grid(driver, organizer, section, live_server.url)
        board = round_.pairings.get(board=2)
        results.record_outcome(organizer, board.pk, outcome="BLACK", version=board.version)
        slow(driver)

        press_keys(driver, *"1212")

        wait_for_one(driver, "#board-2.stale")
        says(driver, "board 2", "2", within="#queue")
        assert driver.execute_script("return window.refusals") == 1
        assert outcomes(round_) == ["WHITE", "BLACK", "UNPLAYED", "UNPLAYED", "UNPLAYED", "UNPLAYED"]
        press_keys(driver, "3")  # keys are taken while saving stands still

        tap(driver, "#queue button")

        wait_for(driver, lambda: count(driver, ".board.saved") == 4)
        assert outcomes(round_) == ["WHITE", "BLACK", "WHITE", "DRAW", "BLACK", "UNPLAYED"]
        assert [fault for fault in faults(driver) if "409" not in fault] == []


def test_a_network_that_fails_for_a_while_loses_nothing(
    hall: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = hall
    with browser(width=1280) as driver:
        open_grid(driver, organizer, section, live_server.url)
        cut(driver, "*/result/*")

        press_keys(driver, *"123")

        says(driver, "No connection", "3", within="#queue")
        assert outcomes(round_)[:3] == ["UNPLAYED"] * 3
        cut(driver, "")
        wait_for(driver, lambda: count(driver, ".board.saved") == 3)
        assert outcomes(round_)[:4] == ["WHITE", "DRAW", "BLACK", "UNPLAYED"]


def test_what_was_not_saved_is_offered_again_after_a_reload(
    hall: tuple[Actor, Section, Round], live_server: Any
) -> None:
    organizer, section, round_ = hall
    with browser(width=1280) as driver:
        open_grid(driver, organizer, section, live_server.url)
        cut(driver, "*/result/*")
        press_keys(driver, *"123")
        says(driver, "No connection", within="#queue")

        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))

        says(driver, "1: White won", "2: draw", "3: Black won", within="#queue")
        assert outcomes(round_)[:3] == ["UNPLAYED"] * 3
        cut(driver, "")
        tap(driver, "#queue button")
        wait_for(driver, lambda: count(driver, ".board.saved") == 3)
        assert outcomes(round_)[:4] == ["WHITE", "DRAW", "BLACK", "UNPLAYED"]
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))
        assert count(driver, "#queue[hidden]") == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_an_earlier_round_is_corrected_in_its_row(
    stage: tuple[Actor, Section, Round], live_server: Any, width: int
) -> None:
    organizer, section, round_ = stage
    builders.enter_all(organizer, round_)
    builders.draft(organizer, section)
    with browser(width=width) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))

        tap(driver, "#board-2 > .choices > .choice", index=1)
        wait_for_one(driver, "#board-2.confirm")
        says(driver, "White won", "draw", within="#board-2 .state")
        tap(driver, "#board-2 [data-sends]")  # without a reason nothing is sent
        write(driver, "#board-2 .reason input", "both sheets say draw")
        tap(driver, "#board-2 [data-sends]")

        wait_for_one(driver, "#board-2.saved")
        assert outcomes(round_) == ["WHITE", "DRAW", "WHITE", "WHITE"]
        says(driver, "both sheets say draw", within="#changes")
        assert faults(driver) == []


def test_a_correction_can_be_left(stage: tuple[Actor, Section, Round], live_server: Any) -> None:
    organizer, section, round_ = stage
    builders.enter_all(organizer, round_)
    builders.draft(organizer, section)
    with browser(width=390) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + url("results", section_id=section.pk, number=1))

        tap(driver, "#board-2 > .choices > .choice", index=1)
        tap(driver, "#board-2 [data-keeps]")

        wait_for_one(driver, "#board-2:not(.confirm)")
        assert (
            driver.execute_script("return document.querySelector('#board-2 input:checked').value") == "WHITE"
        )
        assert outcomes(round_) == ["WHITE"] * 4
