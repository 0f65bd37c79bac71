"""One whole case in a real browser, from the board to the changed table, and one that is not accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from games.models import Appeal, Ruling
from tests.e2e.browser import browser, faults, log_in, needs_browser
from tests.e2e.test_desk_browser import tap, wait_for
from tests.games.court_cast import Court, court, user_of
from tests.games.test_court_appeals import png
from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]


@pytest.fixture
def stage() -> Court:
    return court(members=4, players=6)


def enter(driver: WebDriver, address: str, who: Actor, path: str) -> None:
    log_in(driver, client_of(user_of(who)), address)
    driver.get(address + path)


def press(driver: WebDriver, text: str) -> None:
    found = driver.find_elements(By.XPATH, f"//main//button[contains(normalize-space(), '{text}')]")
    assert found, f"no button {text}"
    button = found[0]
    driver.execute_script("document.documentElement.dataset.left = 'not yet'")
    tap(driver, button)
    arrived = "return !document.documentElement.dataset.left && document.readyState === 'complete'"
    wait_for(driver, lambda: driver.execute_script(arrived))


def write(driver: WebDriver, name: str, text: str, *, index: int = 0) -> None:
    field = driver.find_elements(By.NAME, name)[index]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.clear()
    field.send_keys(text)


def choose(driver: WebDriver, name: str, value: str) -> None:
    Select(driver.find_element(By.NAME, name)).select_by_value(value)


def text(driver: WebDriver) -> str:
    """What the page says, once it is laid out: before that a browser says nothing at all."""
    wait_for(driver, lambda: driver.find_element(By.TAG_NAME, "main").text)
    return driver.find_element(By.TAG_NAME, "main").text


def log_and_rule(driver: WebDriver, stage: Court, address: str) -> Ruling:
    """From the boards of the round: two taps and a few choices to an incident, one more to the ruling."""
    boards = reverse("games:court_boards", args=[stage.section.pk, stage.round.number])
    enter(driver, address, stage.arbiter, boards)
    driver.find_element(By.CSS_SELECTOR, "#board-1 .button").click()
    choose(driver, "against", "W")
    write(driver, "article", "14.1.1")
    write(driver, "note", "spoke with a spectator")
    press(driver, "Log the incident")
    choose(driver, "effect", "GAME_LOST")
    press(driver, "Rule")
    assert "in force" in text(driver)
    return Ruling.objects.get()


def test_one_whole_case(stage: Court, live_server: Any, tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    picture.write_bytes(png())
    chair, second, cousin, spare = stage.committee
    site = live_server.url
    with browser(width=1280) as desk, browser(width=390, height=844) as phone:
        ruling = log_and_rule(desk, stage, site)
        white, black = ruling.incident.white, ruling.incident.black
        assert white is not None and black is not None
        builders.work_all(stage.section)
        assert stage.board().outcome == "BLACK"

        phone.get(site + reverse("public:my", args=[white.link]))
        phone.find_element(By.LINK_TEXT, "Rulings and appeals").click()
        phone.find_element(By.LINK_TEXT, "Appeal against this ruling").click()
        assert "500 CNY" in text(phone) and "Deadline" in text(phone)
        write(phone, "grounds", "It was my neighbour who spoke.")
        write(phone, "request", "Let us play on.")
        phone.find_element(By.NAME, "files").send_keys(str(picture))
        press(phone, "File the appeal")
        appeal = Appeal.objects.get()
        assert "board.png" in text(phone) and "to be paid" in text(phone)
        width = phone.execute_script("return document.documentElement.scrollWidth")
        assert width <= 390

        case = reverse("games:case", args=[appeal.pk])
        enter(desk, site, cousin, reverse("games:relations", args=[stage.event.pk]))
        choose(desk, "entry", str(white.pk))
        press(desk, "Declare")
        enter(desk, site, stage.organizer, case)
        press(desk, "The fee is paid")
        press(desk, "Accept the case")
        for member in (chair, second, cousin):
            choose(desk, "user", str(user_of(member).pk))
            if member is chair:
                desk.find_element(By.NAME, "convenor").click()
            press(desk, "Give a seat")
        press(desk, "Open the hearing")
        assert "has an interest" in text(desk)
        seat = appeal.seats.get(user=user_of(cousin))
        box = desk.find_element(By.CSS_SELECTOR, f"#seat-{seat.pk} input[name=reason]")
        box.send_keys("my cousin")
        press(desk, "Recuse")
        choose(desk, "user", str(user_of(spare).pk))
        press(desk, "Seat as substitute")
        press(desk, "Open the hearing")

        own = reverse("games:my_case", args=[white.link, appeal.pk])
        phone.get(site + own)
        write(phone, "text", "I was silent all the time.")
        press(phone, "File the statement")
        phone.get(site + reverse("games:my_case", args=[black.link, appeal.pk]))
        press(phone, "I do not wish to be heard")

        enter(desk, site, chair, case)
        press(desk, "Begin the deliberation")
        choose(desk, "verdict", "UPHOLD")
        press(desk, "Propose")
        desk.find_element(By.LINK_TEXT, "What would change?").click()
        assert "nothing is written" in text(desk)
        rows = desk.find_elements(By.CSS_SELECTOR, "table.whatif tr.mine")
        assert len(rows) >= 2
        wait_for(desk, lambda: "Results are missing" in text(desk))
        assert stage.board().outcome == "BLACK"
        for member in (chair, second, spare):
            enter(desk, site, member, case)
            press(desk, "Vote for this")
        enter(desk, site, chair, case)
        press(desk, "Close the ballot and count")
        write(desk, "reasons", "The spectator himself says that it was the neighbour.")
        choose(desk, "refund", "yes")
        press(desk, "Make the decision")
        assert "The decision is final." in text(desk)
        builders.work_all(stage.section)

        phone.get(site + own)
        assert "refunded" in text(phone) and "the neighbour" in text(phone)
        phone.get(site + reverse("public:notices", args=[stage.event.code]))
        assert "appeal upheld" in text(phone) and "Withdrawn" in text(phone)
        phone.get(site + reverse("public:changes", args=[stage.event.code]))
        assert "Black won" in text(phone) and "no result yet" in text(phone)
        phone.get(site + reverse("public:round", args=[stage.event.code, stage.section.code, 2]))
        assert white.player.name in text(phone)
        refused = [
            line for line in faults(desk) if "/do/open/" not in line
        ]  # the hearing that could not open
        assert refused == [] and faults(phone) == []

    assert stage.board().outcome == "UNPLAYED"
    table = stage.section.standings.filter(after_round=2).latest("version")
    points = {row["entry"]: row["points"] for row in table.rows}
    assert points[black.pk] == stage_points(stage, black.pk)
    appeal.refresh_from_db()
    assert appeal.fee_state == Appeal.Fee.REFUNDED
    assert appeal.deliveries.get(party="APPELLANT", kind="DECIDED").seen_at is not None
    pdf = client_of(user_of(stage.organizer)).get(reverse("games:case_pdf", args=[appeal.pk]))
    assert pdf.content.startswith(b"%PDF-")


def stage_points(stage: Court, entry: int) -> int:
    """What the entry has from round 1 alone."""
    for board in stage.section.rounds.get(number=1).pairings.all():
        if entry in (board.white_id, board.black_id):
            won = "WHITE" if entry == board.white_id else "BLACK"
            return 1 if board.outcome == "DRAW" else 2 if board.outcome == won else 0
    return 0


def test_a_case_that_is_not_accepted(stage: Court, live_server: Any) -> None:
    stage.section.appeal_deadline = 0
    stage.section.save()
    site = live_server.url
    with browser(width=390, height=844) as phone:
        ruling = log_and_rule(phone, stage, site)
        white = ruling.incident.white
        assert white is not None
        phone.get(site + reverse("games:my_appeal", args=[white.link, ruling.pk]))
        assert "The deadline has passed" in text(phone)
        write(phone, "grounds", "I only saw it now.")
        write(phone, "request", "Take it back.")
        press(phone, "File the appeal")
        assert "not accepted" in text(phone) and "after the deadline" in text(phone).lower()

        appeal = Appeal.objects.get()
        enter(phone, site, stage.committee[0], reverse("games:case", args=[appeal.pk]))
        assert "filed after the deadline" in text(phone).lower()
        phone.get(site + reverse("games:register", args=[stage.event.code]))
        assert "not accepted" in text(phone)
        assert faults(phone) == []

    assert stage.board().outcome == "BLACK"
    register = Client(headers={"accept-language": "en"}).get(
        reverse("games:register", args=[stage.event.code])
    )
    assert "I only saw it now" not in register.content.decode()
