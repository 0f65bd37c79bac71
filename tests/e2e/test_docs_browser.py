"""The page that describes the programming interface, in a real browser: it lists the operations and lets one try them."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests import factories as f
from tests.e2e.browser import browser, faults, needs_browser

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), needs_browser]

WAIT = 30


def test_the_interface_is_read_and_tried_on_its_own_page(live_server) -> None:
    event = f.make_event(name="岳阳公开赛")

    with browser(width=1200) as driver:
        driver.get(f"{live_server.url}/api/docs/")
        wait = WebDriverWait(driver, WAIT, poll_frequency=0.2)
        operation = wait.until(
            lambda d: d.find_elements(By.CSS_SELECTOR, "[id='operations-events-list_events']")
        )[0]
        assert len(driver.find_elements(By.CSS_SELECTOR, ".opblock")) > 60

        operation.find_element(By.CSS_SELECTOR, ".opblock-summary-control").click()
        wait.until(lambda d: d.find_elements(By.CSS_SELECTOR, ".try-out__btn"))[0].click()
        wait.until(lambda d: d.find_elements(By.CSS_SELECTOR, ".execute"))[0].click()
        wait.until(lambda d: event.name in d.find_element(By.CSS_SELECTOR, ".responses-wrapper").text)

        assert faults(driver) == []
