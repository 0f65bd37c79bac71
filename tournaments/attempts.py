"""The brake on guessing passwords, at every door: the pages, the admin and the programming interface; and on questions.

Wrong attempts are counted by the minute, on one account and from one address. Each web process counts for itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from tournaments.models import User

QUESTIONS = 12  # to the engine, from one address
ON_ONE_ACCOUNT = 10
FROM_ONE_ADDRESS = 20
SECONDS = 60


def too_many(request: HttpRequest, username: str) -> bool:
    """Whether the attempts of this minute are used up."""
    return any(cache.get(key, 0) > limit for key, limit in _counters(request, username))


def may_ask(request: HttpRequest) -> bool:
    """Whether one more question to the engine may come from this address in this minute; it is counted."""
    key = f"questions-from-{request.META.get('REMOTE_ADDR') or ''}"
    _add([(key, QUESTIONS)], 1)
    return int(cache.get(key, 0)) <= QUESTIONS


class BrakedBackend(ModelBackend):
    """Django's own log-in, which looks at no password any more for who has guessed too often."""

    def authenticate(self, request: HttpRequest | None, **given: Any) -> User | None:  # type: ignore[override]
        name = given.get("username")
        if request is None or name is None:
            return super().authenticate(request, **given)
        # Counted before the password is looked at, so that guesses at the same moment count too.
        counters = _counters(request, str(name))
        _add(counters, 1)
        if too_many(request, str(name)):
            raise PermissionDenied
        user = super().authenticate(request, **given)
        if user is not None:
            _add(counters, -1)
        return user


def _add(counters: list[tuple[str, int]], number: int) -> None:
    for key, _limit in counters:
        cache.add(key, 0, SECONDS)
        with suppress(ValueError):  # the minute ended at this moment
            cache.incr(key, number)


def _counters(request: HttpRequest, username: str) -> list[tuple[str, int]]:
    address = request.META.get("REMOTE_ADDR") or ""
    return [
        (f"attempts-on-{username[:150].encode().hex()[:200]}", ON_ONE_ACCOUNT),
        (f"attempts-from-{address}", FROM_ONE_ADDRESS),
    ]
