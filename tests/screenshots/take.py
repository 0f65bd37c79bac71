"""Takes a picture of every page of the demo site into docs/screenshots: `make screenshots`.

Both languages, light and dark, a phone and a desktop; screens of the hall at 1920 and 3840 pixels. `ONLY=word` takes only
the pages whose name holds the word. Not collected by the suite: it is named on the command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from selenium.webdriver.remote.webdriver import WebDriver

from tests.e2e.browser import browser, needs_browser, open_page
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Entry, Event, Job, Pairing, Paper, Role, User
from tournaments.services import papers
from tournaments.services.runners import work_off

pytestmark = [needs_browser, pytest.mark.django_db(transaction=True)]

TARGET = Path(settings.BASE_DIR) / "docs" / "screenshots"
SIZES = {"phone": (360, 740), "desktop": (1200, 900)}
LANGUAGES = {"en": "en", "zh": "zh-hans"}
THEMES = ("light", "dark")
NAMESPACES = ("public", "desk", "games")
NOT_PAGES = re.compile(
    r"calendar|feed|json|pdn|version|robots|sitemap|manifest|preview|_pdf|evidence|recompute|file$|report$|input$"
)


def pages() -> Iterator[tuple[str, str]]:
    """(name, path) of every address that the demo has an object for; what cannot be filled in is passed over."""
    known = _objects()
    for name, names in sorted(_addresses()):
        if NOT_PAGES.search(name):
            continue
        try:
            yield name, reverse(name, kwargs={key: known[key] for key in names})
        except (KeyError, NoReverseMatch):
            continue


def _addresses() -> Iterator[tuple[str, tuple[str, ...]]]:
    def walk(
        patterns: list[Any], prefix: str, before: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        for pattern in patterns:
            names = (*before, *pattern.pattern.converters)
            if isinstance(pattern, URLResolver):
                inner = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
                yield from walk(pattern.url_patterns, inner, names)
            elif isinstance(pattern, URLPattern) and pattern.name and prefix.rstrip(":") in NAMESPACES:
                yield f"{prefix}{pattern.name}", names

    return walk(get_resolver().url_patterns, "", ())


def _objects() -> dict[str, Any]:
    """One object of the demo for each kind of address."""
    pairing = Pairing.objects.filter(black__isnull=False, round__state="PUBLISHED").order_by("-pk").first()
    assert pairing is not None
    section, event = pairing.round.section, pairing.round.section.event
    entry = Entry.objects.filter(section=section).order_by("number").first()
    paper, job = Paper.objects.first(), Job.objects.first()
    assert entry is not None and paper is not None and job is not None
    return {
        "code": event.code, "section_code": section.code, "number": pairing.round.number, "board": pairing.board,
        "entry": entry.pk, "entry_id": entry.pk, "token": entry.link, "event_id": event.pk, "section_id": section.pk,
        "pairing_id": pairing.pk, "paper_id": paper.pk, "job_id": job.pk, "verb": "swap",
    }  # fmt: skip


@pytest.fixture
def chief() -> User:
    """The demo, with a paper printed, and somebody who may see everything of it."""
    call_command("load_demo")
    event = Event.objects.exclude(state=Event.State.DRAFT).order_by("pk").first()
    assert event is not None and AuditEntry.objects.exists()
    user = User.objects.create(username="screenshots", is_staff=True, is_superuser=True)
    for kind in (Role.Kind.ORGANIZER, Role.Kind.CHIEF_ARBITER):
        for each in Event.objects.all():
            Role.objects.create(event=each, user=user, kind=kind)
    work_off(papers.order_paper(Actor(user=user), event.pk, kind="POSTER").job)
    return user


def _log_in(driver: WebDriver, base: str, user: User) -> None:
    client = Client()
    client.force_login(user)
    open_page(driver, f"{base}/robots.txt")
    driver.add_cookie(
        {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    )


def _whole_page(driver: WebDriver, path: Path, width: int) -> None:
    height = min(6000, int(driver.execute_script("return document.documentElement.scrollHeight")))
    size = {"width": width, "height": max(height, 700), "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    path.parent.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(path))


@pytest.mark.parametrize("size", SIZES)
def test_take_pages(live_server: Any, chief: User, size: str) -> None:
    width, height = SIZES[size]
    wanted = [(name, path) for name, path in pages() if os.environ.get("ONLY", "") in name]
    assert wanted
    with browser(width=width, height=height) as driver:
        _log_in(driver, live_server.url, chief)
        for name, path in wanted:
            for language, code in LANGUAGES.items():
                for theme in THEMES:
                    reset = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
                    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", reset)
                    feature = [{"name": "prefers-color-scheme", "value": theme}]
                    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": feature})
                    open_page(driver, f"{live_server.url}{path}?lang={code}")
                    _whole_page(
                        driver, TARGET / size / f"{name.replace(':', '-')}.{language}.{theme}.png", width
                    )


@pytest.mark.parametrize("width", [1920, 3840])
def test_take_screens(live_server: Any, chief: User, width: int) -> None:
    known = _objects()
    path = reverse("public:event_screen", args=[known["code"]])
    with browser(width=width, height=width * 9 // 16) as driver:
        for kind in ("names", "clubs", "boards", "standings"):
            for language, code in LANGUAGES.items():
                open_page(driver, f"{live_server.url}{path}?lang={code}&list={kind}")
                (TARGET / "hall").mkdir(parents=True, exist_ok=True)
                driver.save_screenshot(str(TARGET / "hall" / f"{kind}.{width}.{language}.png"))
