"""Games are written down with digits alone: a real game typed as fast as the keys come, on a slow network, by tap, on a phone."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.urls import reverse
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

import rules
from games.board_svg import signs
from games.models import Scoresheet
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
)
from tests.rules.played import chance_game
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import Pairing

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

STATUS = "[data-status]"
REAL = (
    "32-28 17-22 28x17 12x21 37-32 7-12 31-26 1-7 26x17 11x22 41-37 16-21 32-28 21-26 28x17 12x21 37-31 26x37 42x31 7-11 "
    "46-41 21-26 41-37 19-23 38-32 11-17 43-38 6-11 49-43 17-22 47-42 22-27 31x22 18x27 32x21 26x17 35-30 14-19 30-25 19-24 "
    "25x14 10x19 34-29 23x34 40x20 15x24 45-40 5-10 40-34 13-18 38-32 8-12 43-38 9-13 33-29 24x33 39x28 19-24 36-31 10-14 "
    "48-43 11-16 44-40 14-19 28-23 19x28 32x23 18x29 34x23 13-18 43-39 18x29 39-34 3-9 34x23 9-13 23-19 24-29 19x8 2x13 "
    "50-45 12-18"
).split()
"""Wiersma against Kouogueu, world championship match, 24 September 2005: 41 moves."""
AMBIGUOUS = chance_game(2352, plies=35)
"""After these moves Black has a king that can go from 48 to 49 in two ways."""

READ = """
const law = window.draughtsLaw;
return JSON.parse(arguments[0]).map(position => law.legalMoves(position).map(move => [move.from, move.to, move.taken]));
"""


def board() -> tuple[Actor, Pairing]:
    organizer = builders.organizer()
    section = builders.section(organizer, players=4, rounds_total=3)
    builders.publish_next(organizer, section)
    return organizer, Pairing.objects.get(round__section=section, board=1)


def digits(moves: list[str]) -> str:
    return "".join(
        square.zfill(2) for move in moves for square in (move.split("x") if "x" in move else move.split("-"))
    )


def copied(driver: WebDriver, side: str) -> list[str]:
    text = driver.execute_script("return document.querySelector(`[data-text='${arguments[0]}']`).value", side)
    return list(rules.read_sheet(text).moves) if text else []


def test_what_the_browser_takes_for_legal_is_what_the_law_does(live_server: Any) -> None:
    organizer, pairing = board()
    positions = [position for seed in range(12) for position in chance_game(seed, plies=140).positions]
    sent = json.dumps([{"signs": signs(p), "white": p.white_to_move} for p in positions])
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + reverse("games:quick_entry", args=[pairing.pk]))
        found = driver.execute_script(READ, sent)

    ours = [
        sorted([m.origin, m.destination, list(m.captured_squares)] for m in rules.legal_moves(p))
        for p in positions
    ]
    assert [sorted(moves) for moves in found] == ours


def test_a_real_game_is_typed_on_both_copies_and_filed(live_server: Any) -> None:
    organizer, pairing = board()
    address = live_server.url + reverse("games:quick_entry", args=[pairing.pk])
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, address)
        driver.set_network_conditions(offline=False, latency=250, throughput=100 * 1024)
        begun = time.perf_counter()
        press_keys(driver, digits(REAL))
        wait_for(driver, lambda: copied(driver, "W") == REAL)
        spent = time.perf_counter() - begun
        print(f"{len(REAL)} plies, {len(digits(REAL))} keys: {spent:.1f} s")

        tap(driver, "[data-turn='B']")
        press_keys(driver, " ".join(digits([move]) for move in REAL[:-2]) + " ")
        wait_for(driver, lambda: copied(driver, "B") == REAL[:-2])
        says(driver, "41. White to move.", within=STATUS)
        tap(driver, "[name='W-result'][value='1-1']")
        follow(driver, "form[action$='/quick/'] button.primary")
        says(driver, "Filed: White, Black", within=".messages")
        assert driver.execute_script("return localStorage.length") == 0
        assert faults(driver) == []

    filed = {row.side: row for row in Scoresheet.objects.all()}
    read = {side: list(rules.read_sheet(row.text).moves) for side, row in filed.items()}
    assert read == {"W": REAL, "B": REAL[:-2]}
    assert (filed["W"].result, filed["B"].result) == ("1-1", "")


def test_typing_on_a_phone_by_key_by_tap_and_by_board(live_server: Any) -> None:
    organizer, pairing = board()
    address = live_server.url + reverse("games:quick_entry", args=[pairing.pk])
    with browser(width=360) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, address)
        press_keys(driver, "32281923")
        wait_for(driver, lambda: copied(driver, "W") == ["32-28", "19-23"])
        tap(driver, "[data-choices] button")  # the only move
        wait_for(driver, lambda: copied(driver, "W") == ["32-28", "19-23", "28x19"])
        press_keys(driver, "3228")
        says(driver, "3228 is no legal move at 2…", within=STATUS)
        press_keys(driver, Keys.BACKSPACE * 4 + "1423" + "510")
        wait_for(driver, lambda: copied(driver, "W") == ["32-28", "19-23", "28x19", "14x23"])
        assert element(driver, "[data-keys]").get_attribute("value") == "510"  # not White's
        press_keys(driver, Keys.ESCAPE)
        touch(driver, 37)
        touch(driver, 32)
        wait_for(driver, lambda: copied(driver, "W")[4:] == ["37-32"])
        press_keys(driver, Keys.BACKSPACE)
        wait_for(driver, lambda: len(copied(driver, "W")) == 4)
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= 360

        open_page(driver, address)  # what was typed is still there
        says(driver, "is restored; it is not filed yet", within=STATUS)
        assert copied(driver, "W") == ["32-28", "19-23", "28x19", "14x23"]
        assert not Scoresheet.objects.exists()
        tap(driver, "[data-act='discard']")
        wait_for(driver, lambda: copied(driver, "W") == [])
        assert faults(driver) == []


def test_one_key_makes_the_only_move_and_typing_it_as_well_changes_nothing(live_server: Any) -> None:
    organizer, pairing = board()
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + reverse("games:quick_entry", args=[pairing.pk]))
        for separator in (Keys.ENTER, " ", Keys.TAB):
            press_keys(driver, f"32281923{separator}1423")
            wait_for(driver, lambda: copied(driver, "W") == ["32-28", "19-23", "28x19", "14x23"])
            tap(driver, "[data-act='discard']")
        press_keys(driver, "3228 1923 2819 1423 3732 ")
        wait_for(driver, lambda: copied(driver, "W") == ["32-28", "19-23", "28x19", "14x23", "37-32"])


def test_a_move_in_the_middle_is_corrected_and_what_still_fits_stays(live_server: Any) -> None:
    organizer, pairing = board()
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + reverse("games:quick_entry", args=[pairing.pk]))
        press_keys(driver, "32281823383212183127")
        wait_for(driver, lambda: len(copied(driver, "W")) == 5)
        tap(driver, "[data-moves] button[aria-label*='2… ']")
        press_keys(driver, "1318")
        wait_for(driver, lambda: copied(driver, "W") == ["32-28", "18-23", "38-32", "13-18", "31-27"])
        tap(driver, "[data-moves] button[aria-label*='1… ']")
        press_keys(driver, "1923")
        says(driver, "no longer fit were taken out", within=STATUS)
        press_keys(driver, Keys.BACKSPACE)
        wait_for(driver, lambda: len(copied(driver, "W")) == 5)


def test_a_capture_that_can_take_different_pieces_is_asked_for(live_server: Any) -> None:
    organizer, pairing = board()
    before = AMBIGUOUS.positions[-1]
    wanted = {move.captured_squares for move in rules.legal_moves(before)}
    found = set()
    with browser(width=1280) as driver:
        log_in(driver, client_of(organizer.user), live_server.url)
        open_page(driver, live_server.url + reverse("games:quick_entry", args=[pairing.pk]))
        press_keys(driver, digits(list(AMBIGUOUS.moves)))
        for answer in ("a", "b", "30", "34"):
            press_keys(driver, "4849")
            says(driver, "Which pieces are taken?", within=STATUS)
            assert count(driver, "[data-choices] button") == 2
            press_keys(driver, answer)
            wait_for(driver, lambda: len(copied(driver, "W")) == 36)
            verdict = rules.validate(rules.Sheet(moves=tuple(copied(driver, "W"))))
            assert (verdict.status, verdict.plies) == ("legal", 36)
            found.add(verdict.moves[-1].captured_squares)
            assert answer in "ab" or int(answer) in verdict.moves[-1].captured_squares
            press_keys(driver, Keys.BACKSPACE)

    assert found == wanted


def touch(driver: WebDriver, square: int) -> None:
    driver.execute_script(
        """
        const box = document.querySelector('[data-quick] svg').getBoundingClientRect();
        const row = Math.floor((arguments[0] - 1) / 5), column = 2 * ((arguments[0] - 1) % 5) + 1 - row % 2;
        const at = {clientX: box.left + (column * 10 + 6) * box.width / 102, clientY: box.top + (row * 10 + 6) * box.height / 102};
        document.querySelector('[data-quick] svg').dispatchEvent(new MouseEvent('click', {...at, bubbles: true}));
        """,
        square,
    )
