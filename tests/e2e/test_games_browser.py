"""Two phones and a desk: both sheets of a game are typed in, meet, are accepted, and the standings change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from games.models import Game, Scoresheet
from tests.e2e.browser import browser, faults, log_in, needs_browser
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.models import Entry, Pairing

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

WAIT = 20  # seconds: how long a busy machine may take; nothing waits that long when all is well
GAME = ["32-28", "18-23", "38-32", "12-18", "31-27", "7-12"]


def wait_for(driver: WebDriver, truth: Callable[[], Any]) -> None:
    WebDriverWait(driver, WAIT, poll_frequency=0.1).until(lambda _driver: truth())


def text(driver: WebDriver, selector: str) -> str:
    """In one step, because what is read may be swapped meanwhile. Empty until the page is laid out: wait for it."""
    script = "return Array.from(document.querySelectorAll(arguments[0])).map(e => e.innerText).join(' ')"
    return str(driver.execute_script(script, selector))


def tap(driver: WebDriver, selector: str) -> None:
    element = driver.find_element(By.CSS_SELECTOR, selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
    element.click()


def tap_move(driver: WebDriver, move: str, *, made: int) -> None:
    """Tap a legal move under the board; wait until it stands as the list's last."""
    tap(driver, f"button[name='add'][value='{move}']")
    wait_for(driver, lambda: f"{made} single move" in text(driver, "#check"))


def type_sheet(driver: WebDriver, address: str, moves: list[str]) -> None:
    driver.get(address)
    for index, move in enumerate(moves):
        fields = driver.find_elements(By.CSS_SELECTOR, "input[name='m']")
        assert len(fields) > index, driver.page_source
        field = fields[index]
        assert field.is_displayed()
        field.send_keys(move)
    wait_for(driver, lambda: f"{len(moves)} single moves, all legal." in text(driver, "#check"))


def hand_in(driver: WebDriver, side: str) -> None:
    tap(driver, "input[name='result'][value='2-0']")
    driver.find_element(By.NAME, f"{side}_seconds").send_keys("1:05")
    tap(driver, f"input[name='{side}_signed']")
    tap(driver, "button[name='file_it']")
    wait_for(driver, lambda: "Your scoresheet is handed in" in text(driver, "main"))


def points_of(driver: WebDriver, address: str, entry: Entry) -> str:
    driver.get(address)
    row = next(
        row
        for row in driver.find_elements(By.CSS_SELECTOR, "table.data tbody tr")
        if entry.player.name in row.text
    )
    return " ".join(row.text.split())


def test_two_sheets_from_two_phones_meet_at_the_desk_and_change_the_standings(live_server: Any) -> None:
    organizer = builders.organizer()
    section = builders.section(organizer, players=4, rounds_total=3)
    from tournaments.services import events

    events.show_event(organizer, section.event_id, public=True)
    round_ = builders.publish_next(organizer, section)
    builders.work_all(section)
    board = Pairing.objects.select_related("white__player", "black__player").get(round=round_, board=1)
    assert board.black is not None
    base = live_server.url
    standings = f"{base}{reverse('public:standings', args=[section.event.code, section.code])}"
    with browser(width=390) as white, browser(width=390) as black, browser(width=1280) as desk:
        type_sheet(white, f"{base}{reverse('games:my_sheet', args=[board.white.link, 1])}", GAME)
        hand_in(white, "white")

        black.get(f"{base}{reverse('games:my_sheet', args=[board.black.link, 1])}")
        for made, move in enumerate(GAME[:4], 1):
            tap_move(black, move, made=made)
        field = black.find_elements(By.CSS_SELECTOR, "input[name='m']")[4]
        field.send_keys("31-22")
        wait_for(black, lambda: "A man moves one square only." in text(black, "#check"))
        wait_for(black, lambda: "31-27" in text(black, "#check"))
        field.clear()
        field.send_keys("31-27", Keys.ENTER, "7 12")
        wait_for(black, lambda: "6 single moves, all legal." in text(black, "#check"))
        hand_in(black, "black")
        wait_for(black, lambda: "The opponent's scoresheet is in too." in text(black, "main"))

        log_in(desk, client_of(organizer.user), base)
        desk.get(f"{base}{reverse('games:desk_round', args=[section.pk, 1])}?show=open")
        wait_for(desk, lambda: "The scoresheets agree" in text(desk, "table"))
        before = points_of(desk, standings, board.white) if round_.section.standings.exists() else ""
        desk.get(f"{base}{reverse('games:desk_game', args=[board.pk])}")
        wait_for(desk, lambda: "The scoresheets agree." in text(desk, ".notice.success"))
        assert (
            Select(desk.find_element(By.NAME, "outcome")).first_selected_option.get_attribute("value")
            == "WHITE"
        )
        tap(desk, f"form[action$='{reverse('games:desk_accept', args=[board.pk])}'] button.primary")
        wait_for(desk, lambda: "The game score and its result are accepted." in text(desk, ".messages"))
        tap(desk, f"form[action$='{reverse('games:desk_act', args=[board.pk, 'final'])}'] button")
        wait_for(desk, lambda: "The result is final." in text(desk, ".messages"))
        builders.work_all(section)
        after = points_of(desk, standings, board.white)

        assert after != before
        assert after.startswith("1 ")
        assert [faults(driver) for driver in (white, black, desk)] == [[], [], []]

    assert sorted(sheet.side for sheet in Scoresheet.objects.all()) == ["B", "W"]
    board.refresh_from_db()
    assert (board.outcome, Game.objects.get().moves) == ("WHITE", GAME)


def test_the_viewer_is_stepped_by_key_by_tap_and_by_address(live_server: Any) -> None:
    from games.services import results
    from games.services.results import Score
    from tournaments.services import events

    organizer = builders.organizer()
    section = builders.section(organizer, players=4, rounds_total=3)
    events.show_event(organizer, section.event_id, public=True)
    round_ = builders.publish_next(organizer, section)
    board = Pairing.objects.get(round=round_, board=1)
    game = results.accept_score(
        organizer, board.pk, Score(moves=GAME, outcome="WHITE", version=board.version)
    )
    address = live_server.url + reverse("games:game", args=[section.event.code, section.code, game.pk])
    with browser(width=390) as driver:
        driver.get(f"{address}?ply=2")

        def now() -> str:
            return text(driver, "[data-move-now]")

        assert "18-23" in now()
        ActionChains(driver).send_keys(Keys.ARROW_RIGHT).perform()
        wait_for(driver, lambda: "38-32" in now())
        assert driver.current_url.endswith("?ply=3")
        tap(driver, "[data-step='last']")
        wait_for(driver, lambda: "7-12" in now())
        tap(driver, "ol.moves a[data-to='1']")
        wait_for(driver, lambda: "32-28" in now())
        first = driver.find_element(By.CSS_SELECTOR, "g.numbers text").text
        tap(driver, "[data-flip]")
        wait_for(driver, lambda: "flip=1" in driver.current_url)
        assert driver.find_elements(By.CSS_SELECTOR, "g.pieces > g") != []
        assert len(driver.find_elements(By.CSS_SELECTOR, "g.pieces > g")) == 40
        shared = driver.current_url
        driver.get(shared)
        assert "32-28" in now()
        assert first == "1"
        assert faults(driver) == []
