"""A headless Chromium for the tests marked e2e, found on the machine; nothing is fetched.

The driver promises less than it seems. `driver.get`, and a click on a link, may come back when the new document has only
begun to arrive: the answer to the navigation and the end of the old page's script context reach the driver together, and
it then takes nothing to be under way. On a busy machine that is one page in ten. So no test reads a page at once. It opens
and leaves pages, finds, taps and reads through the functions below, each of which waits for what it needs; whatever it
expects to see, it waits for with `wait_for` or `says`. A wait costs nothing when all is well, so all have one long limit.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.conf import settings
from django.test import Client
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    InvalidSessionIdException,
    MoveTargetOutOfBoundsException,
    NoSuchElementException,
    NoSuchWindowException,
    StaleElementReferenceException,
    TimeoutException,
    WebDriverException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from urllib3.exceptions import HTTPError

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    not CHROMIUM or not DRIVER, reason="needs Chromium and chromedriver on this machine"
)

PATIENCE = 300  # seconds: how long a busy machine may take
STARTS = 4  # how often a browser that does not come up is tried
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--force-prefers-reduced-motion",
)  # fmt: skip

# The document is whole, its load handlers have run, and htmx has bound what it swapped in.
SETTLED = """
const load = performance.getEntriesByType('navigation')[0];
return document.readyState === 'complete' && load.loadEventEnd > 0
  && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added');
"""
DOCUMENT = "return performance.timeOrigin"  # when the document began: another one has another
TEXTS = """
return [...document.querySelectorAll(arguments[0])]
  .filter(element => element.checkVisibility({visibilityProperty: true}))
  .map(element => (element.innerText ?? element.textContent).trim());  // a drawing has no innerText
"""
ROWS = """
return [...document.querySelectorAll(arguments[0])]
  .filter(row => row.checkVisibility({visibilityProperty: true}))
  .map(row => [...row.children].map(cell => cell.innerText.trim()));
"""

# What an action meets when the page changes under it: it was not carried out and may be tried again.
NOT_NOW = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
)
GONE = (InvalidSessionIdException, NoSuchWindowException)

T = TypeVar("T")
_marks = itertools.count(1)


@contextmanager
def browser(*, width: int, height: int = 900, language: str = "en") -> Iterator[WebDriver]:
    """A window of that many CSS pixels; narrower than 600 it is a phone with a touch screen."""
    options = Options()
    options.binary_location = CHROMIUM or ""
    for argument in (*ARGUMENTS, f"--window-size={max(width, 500)},{height}"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = _start(options)
    try:
        driver.set_script_timeout(PATIENCE)
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        yield driver
    finally:
        driver.quit()


def _start(options: Options) -> WebDriver:
    """On a busy machine a browser may not come up in the driver's time, or its port be taken meanwhile."""
    told: list[str] = []
    while len(told) < STARTS:
        try:
            return webdriver.Chrome(options=options, service=Service(DRIVER))
        except (WebDriverException, HTTPError, OSError) as error:
            told.append(str(error).strip().partition("\n")[0])
    raise RuntimeError(f"{CHROMIUM} with {DRIVER} did not start in {STARTS} tries:\n" + "\n".join(told))


# --- waiting


def wait_for(driver: WebDriver, truth: Callable[[], T]) -> T:
    """What the call answers once that is true. A page that changes in that very moment is looked at again."""
    faced: list[WebDriverException] = []

    def look(_driver: WebDriver) -> T | None:
        try:
            return truth()
        except GONE:
            raise
        except WebDriverException as error:
            faced[:] = [error]
            return None

    try:
        return WebDriverWait(driver, PATIENCE, poll_frequency=0.05).until(look)
    except TimeoutException:
        page = driver.execute_script("return document.documentElement.outerHTML")
        reason = f"; the last try met: {faced[0].msg}" if faced else ""
        raise AssertionError(
            f"waited {PATIENCE} seconds in vain at {driver.current_url}{reason}; the page:\n{page}"
        ) from None


def settle(driver: WebDriver) -> None:
    wait_for(driver, lambda: driver.execute_script(SETTLED))


def says(driver: WebDriver, *words: str, within: str = "main") -> None:
    """Wait until all these words stand, to be seen, in what the selector names."""
    wait_for(driver, lambda: all(some in text(driver, within) for some in words))


# --- pages


def open_page(driver: WebDriver, address: str) -> None:
    """Go to the address; back when its document is whole and its scripts have run."""
    leave(driver, lambda: driver.get(address))


def leave(driver: WebDriver, action: Callable[[], Any]) -> None:
    """Do what leads to another document (or to this one anew); back when that one is whole."""
    before = wait_for(driver, lambda: driver.execute_script(DOCUMENT))
    action()
    wait_for(driver, lambda: driver.execute_script(DOCUMENT) != before)
    settle(driver)


def follow(driver: WebDriver, where: str) -> None:
    """Tap a link or a button that leads to another document."""
    leave(driver, lambda: tap(driver, where))


def log_in(driver: WebDriver, client: Client, address: str) -> None:
    """The session of a logged-in test client, given to the browser."""
    open_page(driver, f"{address}/static/tournaments/mark.svg")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    driver.add_cookie({"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "path": "/"})


# --- elements: `where` is a CSS selector, or an XPath when it begins with a stroke


def link(words: str) -> str:
    return f"//a[normalize-space()='{words}']"


def button(words: str) -> str:
    return f"//main//button[contains(normalize-space(), '{words}')]"


def count(driver: WebDriver, where: str) -> int:
    return len(_find(driver, where))


def element(driver: WebDriver, where: str, *, index: int = 0) -> WebElement:
    """The element, once the page has settled and it is to be seen."""

    def find() -> WebElement | None:
        found = _find(driver, where) if driver.execute_script(SETTLED) else []
        return found[index] if index < len(found) and found[index].is_displayed() else None

    found = wait_for(driver, find)
    assert found is not None
    return found


def tap(driver: WebDriver, where: str, *, index: int = 0) -> None:
    _act(driver, where, lambda found: found.click(), index=index)


def write(driver: WebDriver, where: str, words: str, *, index: int = 0) -> None:
    """Type the words into a field in place of what it holds."""

    def type_anew(field: WebElement) -> None:
        field.clear()
        field.send_keys(words)

    _act(driver, where, type_anew, index=index)


def attach(driver: WebDriver, where: str, path: Path) -> None:
    _act(driver, where, lambda field: field.send_keys(str(path)))


def choose(driver: WebDriver, where: str, value: str) -> None:
    """Choose the option with that value or those words."""
    option = f".//option[@value='{value}' or normalize-space()='{value}']"
    _act(driver, where, lambda field: field.find_element(By.XPATH, option).click())


def press_keys(driver: WebDriver, *keys: str) -> None:
    """Keys to whatever has the focus."""
    ActionChains(driver).send_keys(*keys).perform()


def _find(driver: WebDriver, where: str) -> list[WebElement]:
    return driver.find_elements(By.XPATH if where.startswith("/") else By.CSS_SELECTOR, where)


def _act(driver: WebDriver, where: str, action: Callable[[WebElement], Any], *, index: int = 0) -> None:
    """Bring the element to the middle and act on it; again when it was exchanged or covered in that moment."""

    def attempt() -> bool:
        found = element(driver, where, index=index)
        driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found)
        try:
            action(found)
        except NOT_NOW:
            return False
        except WebDriverException as error:
            raise AssertionError(f"{where} could not be acted on: {error.msg}") from error
        return True

    wait_for(driver, attempt)


# --- reading: in one step, because what is read may be exchanged meanwhile


def text(driver: WebDriver, selector: str = "main") -> str:
    """What is to be seen in all that the selector names: "" while it is not there."""
    return " ".join(driver.execute_script(TEXTS, selector))


def texts(driver: WebDriver, selector: str) -> list[str]:
    return list(driver.execute_script(TEXTS, selector))


def rows(driver: WebDriver, selector: str) -> list[list[str]]:
    """The cells of each row that the selector names and that is to be seen."""
    return list(driver.execute_script(ROWS, selector))


def faults(driver: WebDriver) -> list[str]:
    """What the browser complains about: broken scripts, what the security policy stopped, missing files.

    Complaints reach the driver after the page that made them, one behind the other: all are there once a mark set
    behind them is.
    """
    settle(driver)
    mark = f"mark {next(_marks)} behind all complaints"
    driver.execute_script("console.warn(arguments[0])", mark)
    lines: list[dict[str, Any]] = []

    def all_there() -> bool:
        lines.extend(driver.get_log("browser"))
        return any(mark in line["message"] for line in lines)

    wait_for(driver, all_there)
    return [
        line["message"] for line in lines if line["level"] == "SEVERE" and "favicon" not in line["message"]
    ]
