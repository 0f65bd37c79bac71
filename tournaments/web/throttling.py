"""The brake on guessing passwords, at every door: the pages, the admin and the programming interface; and on questions.

Wrong attempts are counted by the minute, on one account and from one address. The counts stand in the database, so that
every web process and every machine counts the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models.functions import Now
from django.http import HttpRequest

from tournaments.models import Attempts, User

QUESTIONS = 12  # to the engine, from one address
ON_ONE_ACCOUNT = 10
FROM_ONE_ADDRESS = 20
SECONDS = 60

# One statement, so that of many at once each is counted. A minute that is over begins anew.
_COUNT = """
INSERT INTO tournaments_attempts AS known (key, count, until)
VALUES (%(key)s, greatest(%(number)s, 0), statement_timestamp() + %(seconds)s * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
    count = CASE
        WHEN known.until > statement_timestamp() THEN greatest(known.count + %(number)s, 0)
        ELSE EXCLUDED.count
    END,
    until = CASE WHEN known.until > statement_timestamp() THEN known.until ELSE EXCLUDED.until END
RETURNING count
"""


def too_many(request: HttpRequest, username: str) -> bool:
    """Whether the attempts of this minute are used up."""
    limits = dict(_counters(request, username))
    counts = Attempts.objects.filter(key__in=limits, until__gt=Now()).values_list("key", "count")
    return any(count > limits[key] for key, count in counts)


def may_ask(request: HttpRequest) -> bool:
    """Whether one more question to the engine may come from this address in this minute; it is counted."""
    return _add(f"questions-from-{request.META.get('REMOTE_ADDR') or ''}", 1) <= QUESTIONS


def forget_old() -> None:
    """Take away the counts of minutes that are over; they hold addresses."""
    Attempts.objects.filter(until__lte=Now()).delete()


class BrakedBackend(ModelBackend):
    """Django's own log-in, which looks at no password any more for who has guessed too often."""

    def authenticate(self, request: HttpRequest | None, **given: Any) -> User | None:  # type: ignore[override]
        name = given.get("username")
        if request is None or name is None:
            return super().authenticate(request, **given)
        # Counted before the password is looked at, so that guesses at the same moment count too.
        counters = _counters(request, str(name))
        counts = [(_add(key, 1), limit) for key, limit in counters]
        if any(count > limit for count, limit in counts):
            raise PermissionDenied
        user = super().authenticate(request, **given)
        if user is not None:
            for key, _limit in counters:
                _add(key, -1)
        return user


def _add(key: str, number: int) -> int:
    """The count with this one."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"key": key, "number": number, "seconds": SECONDS})
        found: int = cursor.fetchone()[0]
    return found


def _counters(request: HttpRequest, username: str) -> Sequence[tuple[str, int]]:
    address = request.META.get("REMOTE_ADDR") or ""
    return [
        (f"attempts-on-{username[:150].encode().hex()[:200]}", ON_ONE_ACCOUNT),
        (f"attempts-from-{address}", FROM_ONE_ADDRESS),
    ]
