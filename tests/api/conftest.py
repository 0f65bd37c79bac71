"""Clients of the programming interface, and one small event as they find it."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Role, Section
from tournaments.services import events

BASE = "/api/v1/"


class Caller:
    """Speaks for one person, or for nobody. Paths are below /api/v1/; answers are statuses and bodies."""

    def __init__(self, actor: Actor | None = None) -> None:
        self.client = APIClient(headers={"accept-language": "en"})
        if actor is not None and actor.user is not None:
            self.client.force_authenticate(actor.user)

    def get(self, path: str, **query: Any) -> Any:
        reply = self.client.get(BASE + path, query)
        assert reply.status_code == 200, (path, reply.status_code, reply.content)
        return reply.json()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return getattr(self.client, method)(BASE + path, body, format="json")

    def done(self, method: str, path: str, body: Any = None) -> Any:
        """The body of an answer that must be a success."""
        reply = self.call(method, path, body)
        assert reply.status_code < 300, (path, reply.status_code, reply.content)
        return reply.json() if reply.content else None

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        reply = self.call(method, path, body)
        assert reply.json().keys() == {"code", "message", "details"}, reply.content
        return reply.status_code, reply.json()["code"]


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    """A Swiss of six in a public event, nothing paired."""
    made = b.section(organizer, players=6, rounds_total=3)
    events.show_event(organizer, made.event_id, public=True)
    made.refresh_from_db()
    return made


def at(section: Section, rest: str = "") -> str:
    return f"events/{section.event.code}/sections/{section.code}/{rest}"


def caller_as(section: Section, kind: Role.Kind) -> Caller:
    return Caller(b.with_role(section.event, kind))
