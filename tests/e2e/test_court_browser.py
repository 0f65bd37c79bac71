"""One whole case in a real browser, from the board to the changed table, and one that is not accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from selenium.webdriver.remote.webdriver import WebDriver

from games.models import Appeal, Ruling
from tests.e2e.browser import (
    attach,
    browser,
    button,
    choose,
    count,
    faults,
    follow,
    link,
    log_in,
    needs_browser,
    open_page,
    says,
    tap,
    text,
    wait_for,
    write,
)
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
    open_page(driver, address + path)


def press(driver: WebDriver, words: str) -> None:
    follow(driver, button(words))


def named(name: str) -> str:
    return f"[name='{name}']"


def log_and_rule(driver: WebDriver, stage: Court, address: str) -> Ruling:
    """From the boards of the round: two taps and a few choices to an incident, one more to the ruling."""
    boards = reverse("games:court_boards", args=[stage.section.pk, stage.round.number])
    enter(driver, address, stage.arbiter, boards)
    follow(driver, "#board-1 .button")
    choose(driver, named("category"), "CONDUCT")
    choose(driver, named("against"), "W")
    write(driver, named("article"), "14.1.1")
    write(driver, "#id_note", "spoke with a spectator")
    press(driver, "Log the incident")
    choose(driver, named("effect"), "GAME_LOST")
    choose(driver, named("side"), "W")
    press(driver, "Rule")
    says(driver, "in force")
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

        open_page(phone, site + reverse("public:my", args=[white.link]))
        follow(phone, link("Rulings and appeals"))
        follow(phone, link("Appeal against this ruling"))
        says(phone, "500 CNY", "Deadline")
        write(phone, named("grounds"), "It was my neighbour who spoke.")
        write(phone, named("request"), "Let us play on.")
        attach(phone, named("files"), picture)
        press(phone, "File the appeal")
        appeal = Appeal.objects.get()
        says(phone, "board.png", "to be paid")
        width = phone.execute_script("return document.documentElement.scrollWidth")
        assert width <= 390

        case = reverse("games:case", args=[appeal.pk])
        enter(desk, site, cousin, reverse("games:relations", args=[stage.event.pk]))
        choose(desk, named("entry"), str(white.pk))
        press(desk, "Declare")
        enter(desk, site, stage.organizer, case)
        press(desk, "The fee is paid")
        press(desk, "Accept the case")
        for member in (chair, second, cousin):
            choose(desk, named("user"), str(user_of(member).pk))
            if member is chair:
                tap(desk, "#panel [name='convenor']")
            press(desk, "Give a seat")
        press(desk, "Open the hearing")
        says(desk, "has an interest")
        seat = appeal.seats.get(user=user_of(cousin))
        write(desk, f"#seat-{seat.pk} input[name=reason]", "my cousin")
        press(desk, "Recuse")
        choose(desk, named("user"), str(user_of(spare).pk))
        press(desk, "Seat as substitute")
        press(desk, "Open the hearing")

        own = reverse("games:my_case", args=[white.link, appeal.pk])
        open_page(phone, site + own)
        write(phone, named("text"), "I was silent all the time.")
        press(phone, "File the statement")
        open_page(phone, site + reverse("games:my_case", args=[black.link, appeal.pk]))
        press(phone, "I do not wish to be heard")

        enter(desk, site, stage.arbiter, case)
        write(desk, named("text"), "I heard White himself.")
        follow(desk, "form[action$='/statement/'] button")
        enter(desk, site, chair, case)
        press(desk, "Begin the deliberation")
        choose(desk, "select[name='verdict']", "UPHOLD")
        follow(desk, "//button[normalize-space()='Propose']")
        follow(desk, link("What would change?"))
        says(desk, "nothing is written")
        wait_for(desk, lambda: count(desk, "table.whatif tr.mine") >= 2)
        says(desk, "Results are missing")
        assert stage.board().outcome == "BLACK"
        for member in (chair, second, spare):
            enter(desk, site, member, case)
            press(desk, "Vote for this")
        enter(desk, site, chair, case)
        write(desk, named("reasons"), "The spectator himself says that it was the neighbour.")
        choose(desk, named("refund"), "yes")
        press(desk, "Make the decision")
        says(desk, "The decision is final.")
        builders.work_all(stage.section)

        open_page(phone, site + own)
        says(phone, "refunded", "the neighbour")
        open_page(phone, site + reverse("public:notices", args=[stage.event.code]))
        says(phone, "appeal upheld", "Withdrawn")
        open_page(phone, site + reverse("public:changes", args=[stage.event.code]))
        says(phone, "Black won", "no result yet")
        open_page(phone, site + reverse("public:round", args=[stage.event.code, stage.section.code, 2]))
        says(phone, white.player.name)
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
        open_page(phone, site + reverse("games:my_appeal", args=[white.link, ruling.pk]))
        says(phone, "The deadline has passed")
        write(phone, named("grounds"), "I only saw it now.")
        write(phone, named("request"), "Take it back.")
        press(phone, "File the appeal")
        says(phone, "not accepted")
        wait_for(phone, lambda: "after the deadline" in text(phone).lower())

        appeal = Appeal.objects.get()
        enter(phone, site, stage.committee[0], reverse("games:case", args=[appeal.pk]))
        wait_for(phone, lambda: "filed after the deadline" in text(phone).lower())
        open_page(phone, site + reverse("games:register", args=[stage.event.code]))
        says(phone, "not accepted")
        assert faults(phone) == []

    assert stage.board().outcome == "BLACK"
    register = Client(headers={"accept-language": "en"}).get(
        reverse("games:register", args=[stage.event.code])
    )
    assert "I only saw it now" not in register.content.decode()
