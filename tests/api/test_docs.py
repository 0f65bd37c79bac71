"""The examples of docs/api.md, run in their order, and its table of codes held to the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Section
from tournaments.services import entries, events

DOC = Path(__file__).resolve().parents[2] / "docs" / "api.md"
KEEP = re.compile(r'# (\w+) is "([\w.]+)" of the answer')
PLAYERS = "姓名,等级分\n李芳,2000\n王强,1950\n陈静怡,1900\n"


def steps() -> list[str]:
    """The lines of every shell block."""
    blocks = re.findall(r"```sh\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


def expanded(line: str, known: dict[str, str]) -> list[str]:
    """The words of a command, variables put in (but not inside single quotes)."""
    parts = re.split(r"('[^']*')", line)
    parts = [
        part if part.startswith("'") else re.sub(r"\$(\w+)", lambda found: known[found[1]], part)
        for part in parts
    ]
    return shlex.split("".join(parts))


def run(line: str, known: dict[str, str]) -> Any:
    """What curl would do, by the test client."""
    words = expanded(line, known)[1:]
    method, headers, data, files, address = "", {}, [], {}, ""
    while words:
        word = words.pop(0)
        if word == "-X":
            method = words.pop(0)
        elif word == "-H":
            name, value = words.pop(0).split(": ", 1)
            headers[name.lower()] = value
        elif word == "-d":
            data.append(words.pop(0))
        elif word == "-F":
            name, _path = words.pop(0).split("=@")
            files[name] = SimpleUploadedFile("players.csv", PLAYERS.encode())
        else:
            address = word
    kind = headers.pop("content-type", "application/x-www-form-urlencoded")
    call = getattr(APIClient(headers=headers), (method or ("POST" if data or files else "GET")).lower())
    return (
        call(address, files, format="multipart")
        if files
        else call(address, "&".join(data), content_type=kind)
    )


def picked(body: Any, path: str) -> str:
    for step in path.split("."):
        body = body[int(step)] if step.isdigit() else body[step]
    return str(body)


@pytest.fixture
def known(organizer: Actor) -> dict[str, str]:
    """A public event with a round played, and the organizer's account."""
    password = "correct-horse"
    assert organizer.user is not None
    organizer.user.username = "organizer"
    organizer.user.set_password(password)
    organizer.user.save()
    section = b.section(organizer, players=4)
    events.update_event(organizer, section.event_id, {"place": "Yueyang"})
    events.show_event(organizer, section.event_id, public=True)
    entries.add_entry(organizer, section.pk, {"name": "张伟"})
    b.play_round(organizer, section)
    b.work_all(section)
    return {
        "SITE": "/api/v1", "EVENT": section.event.code, "SECTION": section.code, "PASSWORD": password,
    }  # fmt: skip


@pytest.mark.django_db
def test_the_examples_work_in_their_order(known: dict[str, str]) -> None:
    body: Any = None
    for line in steps():
        keep = KEEP.fullmatch(line)
        if keep:
            known[keep[1]] = picked(body, keep[2])
            continue
        reply = run(line, known)
        assert reply.status_code < 300, (line, reply.content)
        body = reply.json()
        for section in Section.objects.all():
            b.work_all(section)

    final = Section.objects.get(event__code=known["EVENT"])
    assert final.state == Section.State.CLOSED
    assert final.standings.get(after_round=1).final


@pytest.mark.django_db
def test_lists_of_the_examples_find_something(known: dict[str, str]) -> None:
    found = [run(line, known) for line in steps() if line.startswith("curl") and "TOKEN" not in line]

    lists = [reply.json() for reply in found if reply.status_code == 200 and "count" in reply.json()]
    assert len(lists) == 14  # the last two are of a court that had nothing to do
    assert all(body["count"] > 0 for body in lists[:12])


def test_the_codes_named_are_codes_of_the_program() -> None:
    table = DOC.read_text("utf-8").split("| status | codes |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", table))
    root = DOC.parents[1]
    source = "".join(
        path.read_text("utf-8")
        for folder in ("tournaments", "config")
        for path in (root / folder).rglob("*.py")
    )

    assert len(named) > 20
    assert {code for code in named if f'"{code}"' not in source} == set()
