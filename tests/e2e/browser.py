"""A headless Chromium for the tests marked e2e, found on the machine; nothing is fetched."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.test import Client
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    not CHROMIUM or not DRIVER, reason="needs Chromium and chromedriver on this machine"
)


@contextmanager
def browser(*, width: int, height: int = 900, language: str = "en") -> Iterator[webdriver.Chrome]:
    """A window of that many CSS pixels; narrower than 600 it is a phone with a touch screen."""
    options = Options()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.add_argument(f"--window-size={max(width, 500)},{height}")
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        yield driver
    finally:
        driver.quit()


def log_in(driver: webdriver.Chrome, client: Client, address: str) -> None:
    """The session of a logged-in test client, given to the browser."""
    driver.get(f"{address}/static/tournaments/icon.svg")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    driver.add_cookie({"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "path": "/"})


def faults(driver: webdriver.Chrome) -> list[str]:
    """What the browser complains about: broken scripts, what the security policy stopped, missing files."""
    return [
        line["message"]
        for line in driver.get_log("browser")
        if line["level"] == "SEVERE" and "favicon" not in line["message"]
    ]
