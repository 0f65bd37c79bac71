"""The REST API's door, for both apps: addresses turned into rows, bodies checked, pages of lists, answers and their caching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import NotFound
from tournaments.models import Event, Section
from tournaments.permissions import sees
from tournaments.selectors import public as public_rows
from tournaments.services import submissions
from tournaments.web.caching import conditional
from tournaments.web.http import actor_of, sent
from tournaments.web.request_fields import refuse_unknown

M = TypeVar("M", bound=Model)
API_VARY = ("Accept", "Accept-Language", "Cookie", "Authorization")


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


class ErrorSerializer(serializers.Serializer[Any]):
    """Every error: a stable code, a sentence in the reader's language, and what a program may need."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.JSONField()


ONCE = [
    OpenApiParameter(
        "Idempotency-Key",
        str,
        OpenApiParameter.HEADER,
        description="A number of your own, at most 64 characters: the same request sent again with it makes nothing new.",
    )
]
PAGE = [
    OpenApiParameter("page", int, description="Page of the list, from 1."),
    OpenApiParameter("page_size", int, description="Rows of a page, at most 500."),
]


def event_at(request: Request, code: str) -> Event:
    """Return the event; a draft is not found by those without a role in it. Raises NotFound."""
    event = public_rows.event_by_code(code)
    if event is None or not sees(actor_of(request).user, event):
        raise NotFound
    return event


def section_at(request: Request, event: str, section: str) -> Section:
    """Return the section, as `event_at` does the event. Raises NotFound."""
    found = public_rows.section_by_code(event, section)
    if found is None or not sees(actor_of(request).user, found.event):
        raise NotFound
    return found


def page_of(
    request: Request, rows: Sequence[Any] | QuerySet[Any], show: Callable[[Any], Any]
) -> dict[str, Any]:
    """One page of a list as a body."""
    pages = Pages()
    chosen = pages.paginate_queryset(rows, request)
    body = pages.get_paginated_response([show(row) for row in chosen or []]).data
    return dict(body)


def paged(serializer: type[serializers.BaseSerializer[Any]]) -> Any:
    """The description of a page of such rows."""
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(
        f"PageOf{name}",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer(many=True),
        },
    )


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: OpenApiResponse(ErrorSerializer, description=_MEANING[status]) for status in statuses}


_MEANING = {
    400: "Some of the input is wrong; `details.fields` names the fields.",
    401: "Log in first.",
    403: "Your role does not allow this.",
    404: "There is no such thing, or it is not shown to you.",
    409: "Not possible in the present state, or somebody else was faster.",
    429: "Too many attempts.",
}
READ_ERRORS = errors(404)
WRITE_ERRORS = errors(400, 401, 403, 404, 409)


def public(
    request: Request, event: Event | None, *, parts: Sequence[Any], body: Callable[[], Any]
) -> HttpResponse:
    """Answer 304 when the reader holds what `parts` name, else the body. Drafts are kept out of shared caches."""
    private = event is not None and event.state == Event.State.DRAFT
    named = [request.get_full_path(), request.get_host(), *parts]
    return conditional(request._request, named, lambda: Response(body()), vary=API_VARY, private=private)


def public_body(request: Request, event: Event, body: Any) -> HttpResponse:
    """Answer with a body already made, tagged by its content; 304 when the reader holds it."""
    return public(request, event, parts=[JSONRenderer().render(body)], body=lambda: body)


def private(body: Any, *, status: int = 200, location: str = "") -> Response:
    """An answer for this reader only."""
    reply = Response(body, status=status)
    reply["Cache-Control"] = "no-store"
    if location:
        reply["Location"] = location
    return reply


def once(request: Request, make: Callable[[], M]) -> M:
    """Make something, or return what the same `Idempotency-Key` made when the same was sent before."""
    return submissions.once(actor_of(request), sent(request), make)


def no_content() -> Response:
    return Response(status=204)


def checked(
    serializer: type[serializers.BaseSerializer[Any]], request: Request, *, partial: bool = False
) -> dict[str, Any]:
    """The request's body as the serializer understands it. Raises ValidationError by field, unknown ones too."""
    found = serializer(data=request.data, partial=partial)
    refuse_unknown(found, request.data)
    found.is_valid(raise_exception=True)
    return dict(found.validated_data)
