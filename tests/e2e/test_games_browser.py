"""Two phones and a desk: both sheets of a game are typed in, meet, are accepted, and the standings change."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from games.models import Game, Scoresheet
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
    rows,
    says,
    tap,
    texts,
    wait_for,
    write,
)
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.models import Entry, Pairing

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

GAME = ["32-28", "18-23", "38-32", "12-18", "31-27", "7-12"]
FIELDS = "input[name='m']"


def tap_move(driver: WebDriver, move: str, *, made: int) -> None:
    """Tap a legal move under the board; wait until it stands as the list's last."""
    tap(driver, f"button[name='add'][value='{move}']")
    says(driver, f"{made} single move", within="#check")


def type_sheet(driver: WebDriver, address: str, moves: list[str]) -> None:
    open_page(driver, address)
    for index, move in enumerate(moves):
        element(driver, FIELDS, index=index).send_keys(move)
    says(driver, f"{len(moves)} single moves, all legal.", within="#check")


def hand_in(driver: WebDriver, side: str) -> None:
    tap(driver, "input[name='result'][value='2-0']")
    write(driver, f"[name='{side}_seconds']", "1:05")
    tap(driver, f"input[name='{side}_signed']")
    follow(driver, "button[name='file_it']")
    says(driver, "Your scoresheet is handed in")


def points_of(driver: WebDriver, address: str, entry: Entry) -> str:
    open_page(driver, address)
    name = entry.player.name
    found = wait_for(
        driver, lambda: [row for row in rows(driver, "table.stand tbody tr") if name in " ".join(row)]
    )
    return " ".join(" ".join(found[0]).split())


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

        open_page(black, f"{base}{reverse('games:my_sheet', args=[board.black.link, 1])}")
        for made, move in enumerate(GAME[:4], 1):
            tap_move(black, move, made=made)
        write(black, FIELDS, "31-22", index=4)
        says(black, "A man moves one square only.", "31-27", within="#check")
        write(black, FIELDS, f"31-27{Keys.ENTER}7 12", index=4)
        says(black, "6 single moves, all legal.", within="#check")
        hand_in(black, "black")
        says(black, "The opponent's scoresheet is in too.")

        log_in(desk, client_of(organizer.user), base)
        open_page(desk, f"{base}{reverse('games:desk_round', args=[section.pk, 1])}?show=open")
        says(desk, "The scoresheets agree", within="table")
        before = points_of(desk, standings, board.white) if round_.section.standings.exists() else ""
        open_page(desk, f"{base}{reverse('games:desk_game', args=[board.pk])}")
        says(desk, "The scoresheets agree.", within=".notice.success")
        assert element(desk, "[name='outcome']").get_attribute("value") == "WHITE"
        follow(desk, f"form[action$='{reverse('games:desk_accept', args=[board.pk])}'] button.primary")
        says(desk, "The game score and its result are accepted.", within=".messages")
        follow(desk, f"form[action$='{reverse('games:desk_act', args=[board.pk, 'final'])}'] button")
        says(desk, "The result is final.", within=".messages")
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
        open_page(driver, f"{address}?ply=2")
        now = "[data-move-now]"

        says(driver, "18-23", within=now)
        press_keys(driver, Keys.ARROW_RIGHT)
        says(driver, "38-32", within=now)
        wait_for(driver, lambda: driver.current_url.endswith("?ply=3"))
        tap(driver, "[data-step='last']")
        says(driver, "7-12", within=now)
        tap(driver, "ol.moves a[data-to='1']")
        says(driver, "32-28", within=now)
        wait_for(driver, lambda: texts(driver, "g.numbers text")[0] == "1")
        tap(driver, "[data-flip]")
        wait_for(driver, lambda: "flip=1" in driver.current_url)
        wait_for(driver, lambda: count(driver, "g.pieces > g") == 40)
        open_page(driver, driver.current_url)
        says(driver, "32-28", within=now)
        assert faults(driver) == []
