"""The picture that shows beside a shared link to an event."""

from __future__ import annotations

import json
from pathlib import Path

import typst
from django.conf import settings
from django.utils.formats import date_format

from tournaments.exports.printing import fonts
from tournaments.models import Event

PNG_TYPE = "image/png"
WIDTH, HEIGHT = 1200, 630  # pixels, as the sites that show links ask for
_TEMPLATE = Path(__file__).with_name("preview.typ")


def preview(event: Event) -> bytes:
    """A PNG with the event's names, dates and place."""
    days = [date_format(day, "Y-m-d") for day in (event.starts_on, event.ends_on) if day]
    data = {
        "site": settings.SITE_NAME,
        "names": list(dict.fromkeys(filter(None, [event.name, event.name_en]))),
        "about": " · ".join(filter(None, [event.place, " – ".join(dict.fromkeys(days))])),
    }
    compiler = typst.Compiler(
        _TEMPLATE.read_bytes(), font_paths=fonts(), ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )  # fmt: skip
    picture = compiler.compile(format="png", ppi=144)
    assert isinstance(picture, bytes)  # one page is one picture
    return picture
