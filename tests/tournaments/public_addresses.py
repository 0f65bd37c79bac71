"""Every public address of a section with its event, for tests that walk them all."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from tournaments.models import Entry, Section


def of_section(section: Section) -> dict[str, str]:
    """Name -> address of the pages that need no round, no table and no entry."""
    at = [section.event.code, section.code]
    names = ["section", "standings", "cross", "results", "info", "screen", "players", "charts"]
    return {
        "home": reverse("public:home"),
        "event": reverse("public:event", args=at[:1]),
        "event_calendar": reverse("public:event_calendar", args=at[:1]),
        "notices": reverse("public:notices", args=at[:1]),
        "notices_feed": reverse("public:notices_feed", args=at[:1]),
        "changes": reverse("public:changes", args=at[:1]),
        **{name: reverse(f"public:{name}", args=at) for name in names},
    }


def of_entry(entry: Entry) -> dict[str, str]:
    at = [entry.section.event.code, entry.section.code, entry.pk]
    return {
        "player": reverse("public:player", args=at),
        "player_calendar": reverse("public:player_calendar", args=at),
        "my": reverse("public:my", args=[entry.link]),
        "my_calendar": reverse("public:my_calendar", args=[entry.link]),
    }


def of_round(section: Section, number: int) -> dict[str, str]:
    at = [section.event.code, section.code, number]
    names = ["round", "round_names", "why", "why_input"]
    return {name: reverse(f"public:{name}", args=at) for name in names}


def everything(section: Section, entry: Entry, number: int = 1) -> dict[str, str]:
    """The whole site, once round `number` is public and has its table."""
    working = reverse("public:working", args=[section.event.code, section.code, entry.pk])
    return {
        **of_section(section),
        **of_entry(entry),
        **of_round(section, number),
        "working": working,
        "standings_after": f"{of_section(section)['standings']}?after={number}",
        "search": f"{of_section(section)['section']}?q=zhang",
        "event_search": f"{of_section(section)['event']}?q=zhang",
        "home_search": f"{of_section(section)['home']}?q=zhang",
    }


def snapshot(client: Client, addresses: dict[str, str]) -> dict[str, tuple[int, str, bytes]]:
    """What each address answers: status, ETag, body."""
    answers = {name: client.get(address) for name, address in addresses.items()}
    return {
        name: (answer.status_code, answer.headers.get("ETag", ""), without_version(answer.content))
        for name, answer in answers.items()
    }


def without_version(content: bytes) -> bytes:
    """A page without the name of its version, which counts on also where nothing to be seen changed."""
    return re.sub(rb' data-version="[0-9a-f]+"', b"", content)
