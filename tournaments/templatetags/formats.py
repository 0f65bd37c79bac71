"""What a section's format has, for templates: they ask for a capability and never for a format."""

from __future__ import annotations

from django import template

from tournaments import formats
from tournaments.models import Section

register = template.Library()


@register.filter
def trait(section: Section, name: str) -> bool:
    """Whether the section's format has a capability of `formats.Strategy`; AttributeError for one that there is not."""
    found = getattr(formats.of(section), name)
    return bool(found(section) if callable(found) else found)
