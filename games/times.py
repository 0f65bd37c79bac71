"""Times as people write them and read them back: charges and used time. Pure."""

from __future__ import annotations

import re

_PARTS = re.compile(r"([+\-−]?)\s*(\d{1,3})(?:[:：.](\d{2}))?(?:[:：.](\d{2}))?")
LONGEST = 24 * 3600


def charge(text: str) -> int | None:
    """Seconds of a charge written m:ss or h:mm:ss, with a minus for time restored; plain digits are seconds.

    `2:30` is two and a half minutes. None for what cannot be read.
    """
    match = _PARTS.fullmatch(text.strip())
    if match is None:
        return None
    sign, *parts = match.groups()
    numbers = [int(part) for part in parts if part is not None]
    if any(number > 59 for number in numbers[1:]):
        return None
    seconds = 0
    for number in numbers:
        seconds = seconds * 60 + number
    return -seconds if sign in ("-", "−") else seconds


def used(text: str, *, is_short: bool = False) -> int | None:
    """Seconds of time used: h:mm or h:mm:ss, as classical sheets and PDN have it; with `is_short`, of a blitz game, m:ss.

    Plain digits are minutes. None for what cannot be read.
    """
    match = _PARTS.fullmatch(text.strip())
    if match is None or match[1]:
        return None
    first, second, third = (int(part) if part is not None else None for part in match.groups()[1:])
    assert first is not None
    if second is None:
        return first * 60
    if second > 59 or (third or 0) > 59:
        return None
    if is_short and third is None:
        return first * 60 + second
    return first * 3600 + second * 60 + (third or 0)


def clock(seconds: int) -> str:
    """`2:30` for minutes and seconds, `1:02:30` from an hour on; a minus before time restored."""
    minutes, rest = divmod(abs(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
    return f"-{text}" if seconds < 0 else text
