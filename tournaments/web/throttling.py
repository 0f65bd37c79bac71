"""Rate limits for log-in attempts, at every door (pages, admin, API), and for questions to the engine.

Wrong passwords are counted by the minute on an account *from an address*, so that one who guesses locks out neither the
account nor the hall that shares his address. Wider limits stand behind, on an account from everywhere and on an address for
everybody. A browser that has logged in to the account before has a count of its own and meets none of these. The counts stand
in the database, so that every web process and every machine counts the same.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models.functions import Now
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from tournaments.models import Attempts, User

QUESTIONS = 12  # to the engine, from one browser
QUESTIONS_FROM_ADDRESS = 240  # a hall of many browsers behind one address
FORMS = 10  # sent without a log-in, from one browser
FORMS_FROM_ADDRESS = 60
FROM_ONE_BROWSER = 10  # that the account knows
ON_ACCOUNT_FROM_ADDRESS = 10
ON_ONE_ACCOUNT = 60
FROM_ONE_ADDRESS = 120
KNOWN_COOKIE = "known_browser"
KNOWN_SECONDS = 180 * 24 * 3600
SECONDS = 60
_TELLING = ("HTTP_USER_AGENT", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT")

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
    """Whether one more question to the engine may come in this minute; it is counted.

    By browser, as far as one can be told from the next, so that a hall behind one address does not share one count; and, more
    generously, by address, for whoever changes what his browser says of itself.
    """
    address = request.META.get("REMOTE_ADDR") or ""
    told = "\n".join(request.META.get(name, "") for name in _TELLING)
    browser = hashlib.sha256(told.encode()).hexdigest()[:16]
    from_browser = _add(f"questions-from-{address}-{browser}", 1)
    return _add(f"questions-from-{address}", 1) <= QUESTIONS_FROM_ADDRESS and from_browser <= QUESTIONS


def may_send(request: HttpRequest) -> bool:
    """Whether one more form without a log-in may come in this minute; it is counted as `may_ask` counts."""
    address = request.META.get("REMOTE_ADDR") or ""
    told = "\n".join(request.META.get(name, "") for name in _TELLING)
    browser = hashlib.sha256(told.encode()).hexdigest()[:16]
    from_browser = _add(f"forms-from-{address}-{browser}", 1)
    return _add(f"forms-from-{address}", 1) <= FORMS_FROM_ADDRESS and from_browser <= FORMS


def remember_browser(response: HttpResponseBase, user: User) -> None:
    """Let the browser of a log-in that succeeded be known at the next one, until the password changes."""
    response.set_signed_cookie(
        KNOWN_COOKIE,
        f"{user.pk}:{secrets.token_hex(8)}:{_mark(user)}",
        max_age=KNOWN_SECONDS,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _known_browser(request: HttpRequest, username: str) -> str:
    """What names the browser, when it has logged in to the account before; else ""."""
    told = request.get_signed_cookie(KNOWN_COOKIE, default="", max_age=KNOWN_SECONDS) or ""
    pk, _colon, rest = told.partition(":")
    name, _colon, mark = rest.partition(":")
    if not pk.isdecimal():
        return ""
    user = User.objects.filter(pk=int(pk), username=username, is_active=True).first()
    return name if user is not None and constant_time_compare(mark, _mark(user)) else ""


def _mark(user: User) -> str:
    return user.get_session_auth_hash()[:16]


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
    account = hashlib.sha256(username.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    browser = _known_browser(request, username)
    if browser:
        return [(f"attempts-on-{account}-known-{browser}", FROM_ONE_BROWSER)]
    return [
        (f"attempts-on-{account}-from-{address}", ON_ACCOUNT_FROM_ADDRESS),
        (f"attempts-on-{account}", ON_ONE_ACCOUNT),
        (f"attempts-from-{address}", FROM_ONE_ADDRESS),
    ]
