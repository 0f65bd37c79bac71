"""What a page needs beside its data: its own address in the other language, the zone of its times, its htmx."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.templatetags.static import static
from django.urls import reverse
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.selectors import versions
from tournaments.wording.names import is_chinese

register = template.Library()


@register.simple_tag(takes_context=True)
def address_without_language(context: dict[str, Any]) -> str:
    """The page's address without `lang`, which would outweigh the choice that the switch stores."""
    request: HttpRequest | None = context.get("request")
    if request is None:
        return "/"
    query = request.GET.copy()
    query.pop("lang", None)
    return f"{request.path}?{query.urlencode()}" if query else request.path


@register.simple_tag(takes_context=True)
def address_with(context: dict[str, Any], **changes: Any) -> str:
    """The page's query string with some parameters changed; an empty value takes its parameter away."""
    request: HttpRequest | None = context.get("request")
    query = request.GET.copy() if request else QueryDict(mutable=True)
    for name, value in changes.items():
        if value in (None, ""):
            query.pop(name, None)
        else:
            query[name] = str(value)
    return f"?{query.urlencode()}" if query else "?"


@register.simple_tag(takes_context=True)
def language_addresses(context: dict[str, Any]) -> dict[str, Any]:
    """The page's full address with the language in it: `own`, and the `others` by language code."""
    request: HttpRequest | None = context.get("request")
    if request is None:
        return {"own": "/", "others": []}
    base = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
    by_code = {code: f"{base}{request.path}?lang={code}" for code, _name in settings.LANGUAGES}
    own = by_code.get(get_language() or "", f"{base}{request.path}")
    return {"own": own, "others": [("zh-Hans" if c == "zh-hans" else c, a) for c, a in by_code.items()]}


@register.simple_tag(takes_context=True)
def full_address(context: dict[str, Any], path: str) -> str:
    """A path with the site's own address in front."""
    request: HttpRequest | None = context.get("request")
    base = settings.PUBLIC_URL or (f"{request.scheme}://{request.get_host()}" if request else "")
    return f"{base}{path}"


@register.simple_tag
def zone_name() -> str:
    return timezone.get_current_timezone_name()


@register.simple_tag
def htmx() -> SafeString:
    """The script for pages that swap fragments; it comes with the django-htmx package."""
    return format_html('<script src="{}" defer></script>', static("django_htmx/htmx-2.min.js"))


@register.simple_tag
def site_name() -> str:
    """The name of the site. One written in two scripts, "Hundred Squares · 百格弈事", is shown in the reader's."""
    parts = [part.strip() for part in settings.SITE_NAME.split("·")]
    chinese = (get_language() or "").startswith("zh")
    return next((part for part in parts if is_chinese(part) == chinese), settings.SITE_NAME)


@register.simple_tag
def icon(name: str) -> SafeString:
    """A sign of icons.svg, in the colour of the text. It says nothing alone: a word stands beside it, or a label does."""
    return format_html(
        '<svg class="ic" aria-hidden="true"><use href="{}#{}"/></svg>', static("tournaments/icons.svg"), name
    )


_BOARD_DARK = "".join(f"M{x} {y}h1v1h-1z" for y in range(10) for x in range(10) if (x + y) % 2)
_DIAGONAL = "".join(f"M{x} {9 - x}h1v1h-1z" for x in range(10))
_BOARD = f'<path class="lt" d="M0 0h10v10H0z"/><path class="dk" d="{_BOARD_DARK}"/>'


@register.simple_tag
def empty_board() -> SafeString:
    """The board without pieces, for pages that have nothing to show yet."""
    return mark_safe(f'<svg viewBox="0 0 10 10" aria-hidden="true" class="pos">{_BOARD}</svg>')


@register.simple_tag
def rounds_progress(done: int, total: int, running: bool = False) -> SafeString:
    """A square for each round on two ranks of the board: played, being played, to come."""
    squares = []
    for index in range(total):
        x, y = 1 + 8 * index, 1 if index % 2 else 9
        if index < done:
            squares.append(f'<rect class="a" x="{x}" y="{y}" width="8" height="8"/>')
        elif index == done and running:
            squares.append(
                f'<rect class="m" x="{x + 0.75}" y="{y + 0.75}" width="6.5" height="6.5"/>'
                f'<circle class="k" cx="{x + 4}" cy="{y + 4}" r="2.2"/>'
            )
        else:
            squares.append(f'<rect class="z" x="{x + 0.5}" y="{y + 0.5}" width="7" height="7"/>')
    label = _("%(done)d of %(total)d rounds done") % {"done": done, "total": total}
    width = 2 + 8 * total
    return format_html(
        '<svg class="prog" viewBox="0 0 {} 18" width="{}" height="18" role="img" aria-label="{}">{}</svg>',
        width, width, label, mark_safe("".join(squares)),
    )  # fmt: skip


def _in_words(value: dt.date, pattern: str, chinese: str) -> str:
    day = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    return dateformat.format(day, chinese if (get_language() or "").startswith("zh") else pattern)


@register.filter
def day(value: dt.date) -> str:
    """2 Dec, 12月2日."""
    return _in_words(value, "j M", "n月j日")


@register.filter
def day_of_week(value: dt.date) -> str:
    """Wed 2 December, 12月2日 星期三."""
    return _in_words(value, "D j F", "n月j日 l")


@register.simple_tag(takes_context=True)
def follow(context: dict[str, Any]) -> SafeString:
    """The script that keeps an open page of an event up to date, with the version that this page shows. Drafts have none."""
    request: HttpRequest | None = context.get("request")
    event, section = context.get("event"), context.get("section")
    if request is None or event is None or event.state == event.State.DRAFT:
        return mark_safe("")
    shown = getattr(request, "page_version", None)
    if shown is None:
        found = versions.of_event(event.code)
        shown = found.of(section.code if section else None) if found else None
    if not shown:
        return mark_safe("")
    return format_html(
        '<meta name="follow" content="{}" data-section="{}" data-version="{}" data-lost="{}"><script src="{}" defer></script>',
        reverse("public:version", args=[event.code]),
        section.code if section else "",
        shown,
        _("No connection. What you see is of"),
        static("tournaments/follow.js"),
    )
