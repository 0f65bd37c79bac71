"""What the interface's addresses of games and of the court share: who asks, what is visible, pages, errors, ETags."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.audit import Actor
from tournaments.errors import NotFound
from tournaments.models import Event, Pairing, Section
from tournaments.permissions import sees
from tournaments.selectors import public as public_rows


class GameErrorSerializer(serializers.Serializer[Any]):
    """Every refusal: a stable code, a sentence in the reader's language, and what a program may need."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.JSONField()


_MEANING = {
    400: "Some of the input is wrong.",
    401: "Log in first.",
    403: "Your role does not allow this.",
    404: "There is no such thing, or it is not shown to you.",
    409: "Not possible in the present state, or somebody else was faster.",
}


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: OpenApiResponse(GameErrorSerializer, description=_MEANING[status]) for status in statuses}


READ = errors(404)
WRITE = errors(400, 401, 403, 404, 409)


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


PAGE = [
    OpenApiParameter("page", int, description="Page of the list, from 1."),
    OpenApiParameter("page_size", int, description="Rows of a page, at most 500."),
]


def paged(serializer: type[serializers.BaseSerializer[Any]]) -> Any:
    """The description of a page of such rows."""
    return inline_serializer(
        f"PageOf{serializer.__name__.removesuffix('Serializer')}",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer(many=True),
        },
    )


def page_of(
    request: Request, rows: Sequence[Any] | QuerySet[Any], show: Callable[[Any], Any]
) -> dict[str, Any]:
    """One page of a list as a body."""
    pages = Pages()
    chosen = pages.paginate_queryset(rows, request)
    return dict(pages.get_paginated_response([show(row) for row in chosen or []]).data)


def actor_of(request: Request) -> Actor:
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=request.META.get("REMOTE_ADDR") or "")


def event_at(request: Request, code: str) -> Event:
    """Raises NotFound; a draft is not found by those without a role in it."""
    event = public_rows.event_by_code(code)
    if event is None or not sees(actor_of(request).user, event):
        raise NotFound
    return event


def section_at(request: Request, event: str, section: str) -> Section:
    found = public_rows.section_by_code(event, section)
    if found is None or not sees(actor_of(request).user, found.event):
        raise NotFound
    return found


def pairing_at(request: Request, event: str, section: str, pk: int) -> Pairing:
    """A board with two players of a public round."""
    found = section_at(request, event, section)
    pairing = (
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(pk=pk, round__section=found, black__isnull=False)
        .first()
    )
    if pairing is None or not pairing.round.is_public:
        raise NotFound
    return pairing


def checked(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The request's body as the serializer understands it. Raises ValidationError by field."""
    found = serializer(data=request.data)
    found.is_valid(raise_exception=True)
    return dict(found.validated_data)


def public(request: Request, event: Event, body: Any) -> HttpResponseBase:
    """An answer for everybody with an ETag of its content; 304 for a reader who holds it."""
    text = f"{get_language()} {request.get_full_path()} ".encode() + JSONRenderer().render(body)
    etag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    reply: HttpResponseBase = get_conditional_response(request._request, etag=etag) or Response(body)
    reply["ETag"] = etag
    reply["Cache-Control"] = f"{'private' if event.state == Event.State.DRAFT else 'public'}, no-cache"
    patch_vary_headers(reply, ["Accept", "Accept-Language", "Cookie", "Authorization"])
    return reply


def private(body: Any, *, status: int = 200) -> Response:
    """An answer for this reader only."""
    reply = Response(body, status=status)
    reply["Cache-Control"] = "no-store"
    return reply
