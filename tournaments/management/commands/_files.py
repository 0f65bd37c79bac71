"""What the file commands share: who acts, where text goes, how a refusal ends the command.

Exit codes: 0 done, 1 refused (the sentence says why), 2 wrong usage.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from tournaments.audit import SYSTEM, Actor
from tournaments.encodings import Encoding
from tournaments.errors import BadInput, SiteError
from tournaments.models import Event, Section, User


def add_actor(parser: CommandParser) -> None:
    parser.add_argument(
        "--as",
        dest="username",
        metavar="USER",
        default="",
        help="act as this account (default: the site itself)",
    )


def add_encoding(parser: CommandParser) -> None:
    parser.add_argument(
        "--encoding", default="", choices=["", *Encoding], metavar="NAME",
        help=f"override the detected encoding: {', '.join(Encoding)}",
    )  # fmt: skip


def actor_of(username: str) -> Actor:
    if not username:
        return SYSTEM
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no account {username!r}.")
    return Actor(user=user)


def find_event(code: str) -> Event:
    event = Event.objects.filter(code=code).first()
    if event is None:
        codes = ", ".join(Event.objects.order_by("code").values_list("code", flat=True)[:20]) or "none"
        raise CommandError(f"There is no event {code!r}. Events: {codes}.")
    return event


def find_section(event: Event, code: str) -> Section:
    section = event.sections.select_related("event").filter(code=code).first()
    if section is None:
        codes = ", ".join(event.sections.values_list("code", flat=True)) or "none"
        raise CommandError(f"The event {event.code!r} has no section {code!r}. Sections: {codes}.")
    return section


def read_file(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def write_file(path: str, text: str) -> None:
    """To a file, or to standard output for "-"; always UTF-8."""
    try:
        if path == "-":
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
        else:
            Path(path).write_bytes(text.encode())
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None


@contextmanager
def refusals() -> Iterator[None]:
    """A refusal of the house ends the command with its sentence instead of a traceback."""
    try:
        yield
    except BadInput as error:
        raise CommandError(_with_details(error)) from None
    except SiteError as error:
        raise CommandError(error.message) from None


def _with_details(error: BadInput) -> str:
    details = [
        f"  {name}: {' '.join(map(str, sentences))}"
        for name, sentences in {**error.values.get("fields", {}), **error.values.get("rows", {})}.items()
    ]
    return "\n".join([error.message, *details])
