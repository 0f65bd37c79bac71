"""The page that describes the programming interface, in a real browser: it lists the operations and lets one try them."""

from __future__ import annotations

import pytest

from tests import factories as f
from tests.e2e.browser import browser, count, faults, needs_browser, open_page, says, tap, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

OPERATION = "[id='operations-events-list_events']"


def test_the_interface_is_read_and_tried_on_its_own_page(live_server) -> None:
    event = f.make_event(name="岳阳公开赛")

    with browser(width=1200) as driver:
        open_page(driver, f"{live_server.url}/api/docs/")
        wait_for(driver, lambda: count(driver, ".opblock") > 60)

        tap(driver, f"{OPERATION} .opblock-summary-control")
        tap(driver, f"{OPERATION} .try-out__btn")
        tap(driver, f"{OPERATION} .execute")
        says(driver, event.name, within=f"{OPERATION} .responses-wrapper")

        assert faults(driver) == []
