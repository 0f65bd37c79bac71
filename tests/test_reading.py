"""Every page of the demo that a link leads to, by everybody who may log in: reading writes nothing, so none of them breaks."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import Resolver404, resolve

from tournaments.models import User

LINK = re.compile(rb'(?:href|hx-get|action)="([^"#]+)')
OF_A_KIND = 2  # addresses of one name that are read for one reader


def crawl(client: Client, start: str) -> list[str]:
    """What broke, of all that can be reached from the address."""
    waiting, known, read = [start], {start}, dict[str, int]()
    broken = []
    while waiting:
        address = waiting.pop()
        try:
            name = resolve(urlsplit(address).path).view_name
        except Resolver404:
            continue
        if read.get(name, 0) >= OF_A_KIND or name.startswith("admin:jsi18n"):
            continue
        read[name] = read.get(name, 0) + 1
        answer = client.get(address)
        if answer.status_code >= 500:
            broken.append(f"{address} ({name}): {answer.status_code}")
        if "Location" in answer.headers:
            target = urljoin(address, answer.headers["Location"])
            if target.startswith("/") and target not in known:
                known.add(target)
                waiting.append(target)
        if "text/html" not in answer.headers.get("Content-Type", "") or answer.streaming:
            continue
        for found in LINK.findall(answer.content):
            target = urljoin(address, found.decode().replace("&amp;", "&"))
            if target.startswith("/") and not target.startswith("/static/") and target not in known:
                known.add(target)
                waiting.append(target)
    assert len(read) > 10
    return broken


@pytest.mark.django_db(transaction=True)
def test_nothing_that_is_read_breaks_for_anybody() -> None:
    call_command("load_demo", verbosity=0)
    found = crawl(Client(raise_request_exception=False), "/")
    for user in User.objects.filter(is_active=True).order_by("pk")[:8]:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        found += [f"{user.username}: {fault}" for fault in crawl(client, "/desk/")]
    assert found == []
