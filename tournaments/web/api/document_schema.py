"""The JSON Schema of event documents, at an address of its own."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.documents.ledger import json_schema


@require_safe
@cache_control(public=True, max_age=3600)
def document_schema(request: HttpRequest) -> JsonResponse:
    """Return the schema that documents are written by and held against."""
    return JsonResponse(
        json_schema(), content_type="application/schema+json", json_dumps_params={"ensure_ascii": False}
    )
