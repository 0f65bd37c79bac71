"""Three whole cases in a real browser: handed in on paper; two appeals against one ruling; the last round of a closed section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from selenium.webdriver.remote.webdriver import WebDriver

from games.models import Appeal, Evidence
from tests.e2e.browser import (
    attach,
    browser,
    choose,
    faults,
    follow,
    link,
    needs_browser,
    open_page,
    says,
    tap,
    write,
)
from tests.e2e.test_court_browser import enter, named, press
from tests.games.court_cast import Court, court, ruled, user_of
from tests.games.test_court_appeals import png
from tests.tournaments import builders
from tournaments.models import Pairing, Section
from tournaments.services import results

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]


@pytest.fixture
def stage() -> Court:
    return court(members=3, players=6)


def admit(driver: WebDriver, stage: Court, site: str, *cases: Appeal) -> None:
    """Paid and accepted; the first leads, and gets its panel."""
    for appeal in cases:
        enter(driver, site, stage.organizer, reverse("games:case", args=[appeal.pk]))
        press(driver, "The fee is paid")
        press(driver, "Accept the case")
    open_page(driver, site + reverse("games:case", args=[cases[0].pk]))
    for member in stage.committee:
        choose(driver, named("user"), str(user_of(member).pk))
        if member is stage.committee[0]:
            tap(driver, "#panel [name='convenor']")
        press(driver, "Give a seat")
    press(driver, "Open the hearing")


def hear(driver: WebDriver, stage: Court, site: str, appeal: Appeal) -> None:
    """The arbiter states, the convenor records that the parties were called; the deliberation begins."""
    address = reverse("games:case", args=[appeal.pk])
    enter(driver, site, stage.arbiter, address)
    write(driver, named("text"), "I saw it from two metres away.")
    follow(driver, "form[action$='/statement/'] button")
    enter(driver, site, stage.committee[0], address)
    for party in ("APPELLANT", "OPPONENT"):
        form = f"form:has(input[name=party][value={party}])"
        write(driver, f"{form} input[name=reason]", "called, did not come")
        follow(driver, f"{form} button")
    press(driver, "Begin the deliberation")


def decide(driver: WebDriver, stage: Court, site: str, appeal: Appeal) -> None:
    """The proposal on the page is voted for by all, counted and written."""
    address = reverse("games:case", args=[appeal.pk])
    for member in stage.committee:
        enter(driver, site, member, address)
        press(driver, "Vote for this")
    enter(driver, site, stage.committee[0], address)
    write(driver, named("reasons"), "Two witnesses agree.")
    press(driver, "Make the decision")
    says(driver, "The decision is final.")


def result(stage: Court, outcome: str, *, board: int = 1) -> None:
    row = stage.board(board)
    results.record_outcome(stage.arbiter, row.pk, outcome=outcome, version=row.version)


def test_an_appeal_on_paper_against_a_typed_result(stage: Court, live_server: Any, tmp_path: Path) -> None:
    picture = tmp_path / "sheet.png"
    picture.write_bytes(png())
    result(stage, "BLACK")
    site = live_server.url
    with browser(width=1280) as desk:
        enter(desk, site, stage.chief, reverse("games:court", args=[stage.event.pk]))
        follow(desk, link("Log an appeal on paper"))
        choose(desk, named("entry"), str(stage.board().white_id))
        choose(desk, named("subject"), "RESULT")
        write(desk, named("round_number"), "2")
        write(desk, named("grounds"), "The game was drawn.")
        write(desk, named("request"), "Enter the draw.")
        attach(desk, named("files"), picture)
        press(desk, "Log the appeal")
        says(desk, "received", "sheet.png")
        appeal = Appeal.objects.get()
        assert (appeal.on_paper, Evidence.objects.get().appeal) == (True, appeal)

        admit(desk, stage, site, appeal)
        hear(desk, stage, site, appeal)
        choose(desk, "select[name='verdict']", "PARTLY")
        choose(desk, named("effect"), "RESULT")
        choose(desk, named("outcome"), "DRAW")
        tap(desk, "form[action$='/propose/'] details summary")
        choose(desk, named("effect_2"), "WARNING")
        choose(desk, named("side_2"), "B")
        follow(desk, "//button[normalize-space()='Propose']")
        decide(desk, stage, site, appeal)
        assert stage.board().outcome == "DRAW"

        open_page(desk, site + reverse("public:notices", args=[stage.event.code]))
        says(desk, "appeal upheld in part", "result set (draw)", "public warning")
        assert faults(desk) == []


def test_two_appeals_against_one_ruling_are_one_case(stage: Court, live_server: Any) -> None:
    ruling = ruled(stage, "BOTH_LOSE", side="")
    site = live_server.url
    with browser(width=1280) as desk, browser(width=390, height=844) as phone:
        cases = []
        for entry in (stage.board().white, stage.board().black):
            assert entry is not None
            open_page(phone, site + reverse("games:my_appeal", args=[entry.link, ruling.pk]))
            write(phone, named("grounds"), "It was the other one.")
            write(phone, named("request"), "The point for me.")
            press(phone, "File the appeal")
            says(phone, "filed")
            cases.append(Appeal.objects.get(appellant=entry))
        admit(desk, stage, site, *cases)
        open_page(desk, site + reverse("games:case", args=[cases[1].pk]))
        says(desk, "Joined to appeal 1")

        hear(desk, stage, site, cases[0])
        choose(desk, "select[name='verdict']", "PARTLY")
        choose(desk, named("effect"), "RESULT")
        choose(desk, named("outcome"), "DRAW")
        follow(desk, "//button[normalize-space()='Propose']")
        decide(desk, stage, site, cases[0])

        for appeal in cases:
            open_page(phone, site + reverse("games:my_case", args=[appeal.appellant.link, appeal.pk]))
            says(phone, "decided", "Two witnesses agree.", "refunded")
        assert faults(desk) == [] and faults(phone) == []
    assert stage.board().outcome == "DRAW"


def test_the_last_round_of_a_closed_section(stage: Court, live_server: Any) -> None:
    Section.objects.filter(pk=stage.section.pk).update(rounds_total=2)
    ruling = ruled(stage, "GAME_LOST")
    for board in Pairing.objects.filter(round=stage.round, outcome="UNPLAYED"):
        results.record_outcome(stage.arbiter, board.pk, outcome="DRAW", version=board.version)
    builders.work_all(stage.section)
    site = live_server.url
    with browser(width=1280) as desk, browser(width=390, height=844) as phone:
        white = ruling.incident.white
        assert white is not None
        open_page(phone, site + reverse("games:my_appeal", args=[white.link, ruling.pk]))
        write(phone, named("grounds"), "I said nothing.")
        write(phone, named("request"), "A draw.")
        press(phone, "File the appeal")
        appeal = Appeal.objects.get()

        enter(desk, site, stage.organizer, reverse("desk:section_close", args=[stage.section.pk]))
        says(desk, f"Appeal {appeal.number} of")
        write(desk, named("reason"), "The prizes are given at six.")
        press(desk, "Close the section")
        says(desk, "its places are final")
        before = stage.section.standings.get(after_round=2, final=True)

        admit(desk, stage, site, appeal)
        hear(desk, stage, site, appeal)
        choose(desk, "select[name='verdict']", "PARTLY")
        choose(desk, named("effect"), "RESULT")
        choose(desk, named("outcome"), "DRAW")
        follow(desk, "//button[normalize-space()='Propose']")
        decide(desk, stage, site, appeal)
        assert faults(desk) == [] and faults(phone) == []

    after = stage.section.standings.get(after_round=2, final=True)
    points = {row["entry"]: row["points"] for row in after.rows}
    assert points[white.pk] == {row["entry"]: row["points"] for row in before.rows}[white.pk] + 1
    assert (stage.fresh().state, stage.board().outcome) == (Section.State.CLOSED, "DRAW")
