"""A player's rounds as an iCalendar file (RFC 5545)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

_LINE_OCTETS = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    uid: str
    starts_at: dt.datetime
    summary: str
    location: str = ""
    description: str = ""


def calendar(name: str, appointments: Iterable[Appointment]) -> str:
    """The whole file. The time stamp of each entry is its start, so that the same rounds give the same bytes."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//draughts-tournaments//EN",
        f"X-WR-CALNAME:{_escaped(name)}",
    ]
    for item in appointments:
        lines += _event(item)
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _event(item: Appointment) -> list[str]:
    stamp = item.starts_at.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
    lines = [
        "BEGIN:VEVENT",
        f"UID:{item.uid}",
        f"DTSTAMP:{stamp}",
        f"DTSTART:{stamp}",
        f"SUMMARY:{_escaped(item.summary)}",
    ]
    if item.location:
        lines.append(f"LOCATION:{_escaped(item.location)}")
    if item.description:
        lines.append(f"DESCRIPTION:{_escaped(item.description)}")
    return [*lines, "END:VEVENT"]


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\r\n", "\\n").replace("\r", "\\n").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Lines of 75 octets at most, never cut inside a character."""
    pieces: list[str] = []
    piece, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > _LINE_OCTETS:
            pieces.append(piece)
            piece, size = " ", 1
        piece += character
        size += width
    return "\r\n".join([*pieces, piece])
