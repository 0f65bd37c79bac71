"""The notice board of an event, and every change to a result after it was public."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.audit.reasons import worded
from tournaments.errors import NotFound
from tournaments.models import Event, Section
from tournaments.models import Notice as Row
from tournaments.selectors import notice_board, public
from tournaments.selectors.notice_board import Kind, Notice, ResultChange
from tournaments.services import notices
from tournaments.services.notices import words_of
from tournaments.web import rest
from tournaments.web.api.access import notice_in
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.api.sections import ReasonSerializer
from tournaments.web.caching import event_tag, section_tag
from tournaments.web.http import actor_of
from tournaments.web.public import feed as notice_feed
from tournaments.web.rest import event_at

KINDS = [kind.value for kind in Kind if kind is not Kind.POSTED] + [str(kind) for kind in Row.Kind.values]


class NoticeSerializer(serializers.Serializer[Any]):
    """A line of the board. `id` is null for what the ledger tells by itself: rounds, points by ruling, who left."""

    id = serializers.IntegerField(allow_null=True)
    key = serializers.CharField(help_text="Names the notice for good, as in the feed.")
    kind = serializers.ChoiceField(KINDS)
    at = serializers.DateTimeField(allow_null=True)
    section = serializers.CharField(allow_null=True)
    round = serializers.IntegerField(help_text="0 where it speaks of no round.")
    entry = EntryLinkSerializer(allow_null=True)
    points = serializers.IntegerField()
    text = serializers.CharField(help_text="In the reader's language, where there is one.")
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class NoticeFieldsSerializer(serializers.Serializer[Any]):
    """`section` is an address code; without one the notice is for the whole event."""

    text = serializers.CharField(max_length=notices.LONGEST)
    kind = serializers.ChoiceField([str(kind) for kind in notices.BY_HAND], default=str(Row.Kind.NOTICE))
    section = serializers.CharField(required=False, allow_blank=True, default="", max_length=12)


class ResultChangeSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    section = serializers.CharField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    white = EntryLinkSerializer(allow_null=True)
    black = EntryLinkSerializer(allow_null=True)
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)


FILTERS = [
    OpenApiParameter("kind", str, description="One kind only.", enum=KINDS),
    OpenApiParameter("section", str, description="Address code: one section, and what is for all of them."),
]


def _line(notice: Notice) -> dict[str, Any]:
    row = notice.posted
    return {
        "id": row.pk if row else None,
        "key": notice.key,
        "kind": row.kind if row else notice.kind.value,
        "at": notice.at,
        "section": notice.section.code if notice.section else None,
        "round": notice.round_number,
        "entry": EntryLinkSerializer(notice.entry).data if notice.entry else None,
        "points": notice.points,
        "text": words_of(row) if row else notice_feed.sentence(notice),
        "withdrawn_at": row.withdrawn_at if row else None,
    }


def _posted(row: Row) -> dict[str, Any]:
    number = row.pairing.round.number if row.pairing else 0
    told = Notice(kind=Kind.POSTED, section=row.section, round_number=number, at=row.at, posted=row)
    return _line(told)


def _parts(event: Event, sections: list[Section]) -> list[Any]:
    return [event_tag(event), [section_tag(section) for section in sections]]


def _section(sections: list[Section], code: str) -> Section | None:
    """None without a code. Raises NotFound for one that is not there."""
    found = next((section for section in sections if section.code == code), None)
    if code and found is None:
        raise NotFound
    return found


class NoticeListView(APIView):
    @extend_schema(
        operation_id="list_notices",
        tags=["notices"],
        parameters=[*rest.PAGE, *FILTERS],
        responses={200: rest.paged(NoticeSerializer), **rest.errors(400, 404)},
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        """The notice board, the latest first: notices, public warnings, rulings, decisions, rounds, who left."""
        found = event_at(request, event)
        sections = public.sections_of(found)
        kind = request.query_params.get("kind", "")
        if kind and kind not in KINDS:
            raise ValidationError({"kind": [", ".join(KINDS)]})

        def body() -> dict[str, Any]:
            only = _section(sections, request.query_params.get("section", ""))
            rows = [
                notice
                for notice in notice_board.notices(found, sections)
                if (only is None or notice.section in (None, only))
                and (not kind or kind == (notice.posted.kind if notice.posted else notice.kind))
            ]
            return rest.page_of(request, rows, _line)

        return rest.public(request, found, parts=_parts(found, sections), body=body)

    @extend_schema(
        operation_id="post_notice",
        parameters=rest.ONCE,
        tags=["notices"],
        request=NoticeFieldsSerializer,
        responses={201: NoticeSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """Put an official's own words on the board."""
        found = event_at(request, event)
        given = rest.checked(NoticeFieldsSerializer, request)
        code = given.pop("section")
        section = _section(public.sections_of(found), code) if code else None
        section_id = section.pk if section else None
        row = rest.once(
            request,
            lambda: notices.post_notice(actor_of(request), found.pk, **given, section_id=section_id),
        )
        return rest.private(_posted(row), status=201)


class NoticeWithdrawalView(APIView):
    @extend_schema(
        operation_id="withdraw_notice",
        tags=["notices"],
        request=ReasonSerializer,
        responses={200: NoticeSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, notice: int) -> Response:
        """Strike a notice out, with a reason; it stays readable. Those of rulings follow their rulings alone."""
        row = notice_in(event_at(request, event), notice)
        reason = rest.checked(ReasonSerializer, request)["reason"]
        return rest.private(_posted(notices.withdraw_notice(actor_of(request), row.pk, reason=reason)))


class ResultChangeListView(APIView):
    @extend_schema(
        operation_id="list_result_changes",
        tags=["notices"],
        parameters=rest.PAGE,
        responses={200: rest.paged(ResultChangeSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        """Every change to a result after it was public, the latest first."""
        found = event_at(request, event)
        sections = public.sections_of(found)
        return rest.public(
            request,
            found,
            parts=_parts(found, sections),
            body=lambda: rest.page_of(request, notice_board.changes(found, sections), _change),
        )


def _change(change: ResultChange) -> dict[str, Any]:
    sides = [change.pairing.white, change.pairing.black] if change.pairing else [None, None]
    white, black = (EntryLinkSerializer(side).data if side else None for side in sides)
    return {
        "at": change.at,
        "section": change.section.code,
        "round": change.round_number,
        "board": change.board,
        "white": white,
        "black": black,
        "before": change.before,
        "after": change.after,
        "reason": worded(change.reason),
    }
