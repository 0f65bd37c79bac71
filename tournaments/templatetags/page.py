"""What a page needs beside its data: its own address in the other language, the zone of its times, its htmx."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest, QueryDict
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

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


@register.simple_tag
def zone_name() -> str:
    return timezone.get_current_timezone_name()


@register.simple_tag
def htmx() -> SafeString:
    """The script for pages that swap fragments; it comes with the django-htmx package."""
    return format_html('<script src="{}" defer></script>', static("django_htmx/htmx-2.min.js"))
