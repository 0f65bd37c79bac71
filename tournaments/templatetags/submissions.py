"""The number that tells a form sent twice from two forms."""

from __future__ import annotations

import secrets

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def submission_number() -> SafeString:
    """A hidden field for a form that makes something."""
    return format_html('<input type="hidden" name="submission" value="{}">', secrets.token_urlsafe(16))
