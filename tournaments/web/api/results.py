"""Results: one board, a whole form, and points adjusted by a ruling."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Adjustment
from tournaments.selectors import records
from tournaments.services import results
from tournaments.services.results import Line
from tournaments.web import rest
from tournaments.web.api.access import entry_in, pairing_in
from tournaments.web.api.drafts import BoardSerializer
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.caching import section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


class ResultFieldsSerializer(serializers.Serializer[Any]):
    """`version` is the board's as you saw it; `reason` is asked for once the next round is paired."""

    outcome = serializers.CharField(max_length=16)
    grade = serializers.CharField(max_length=12, allow_blank=True, default="")
    version = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class ResultLineSerializer(serializers.Serializer[Any]):
    pairing = serializers.IntegerField()
    outcome = serializers.CharField(max_length=16)
    grade = serializers.CharField(max_length=12, allow_blank=True, default="")
    version = serializers.IntegerField()


class ResultFormSerializer(serializers.Serializer[Any]):
    """Boards that are left out stay as they are."""

    lines = serializers.ListField(child=ResultLineSerializer(), max_length=1000)
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class SavedBoardsSerializer(serializers.Serializer[Any]):
    boards = BoardSerializer(many=True)


class AdjustmentSerializer(serializers.Serializer[Adjustment]):
    id = serializers.IntegerField()
    entry = EntryLinkSerializer()
    points = serializers.IntegerField()
    after_round = serializers.IntegerField()
    reason = serializers.CharField()


class AdjustmentFieldsSerializer(serializers.Serializer[Any]):
    entry = serializers.IntegerField()
    points = serializers.IntegerField(min_value=-999, max_value=999)
    after_round = serializers.IntegerField(min_value=0, max_value=999)
    reason = serializers.CharField(max_length=300)


class ResultView(APIView):
    @extend_schema(
        operation_id="record_outcome",
        tags=["results"],
        request=ResultFieldsSerializer,
        responses={200: BoardSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Enter or correct the result of one board. The same result again changes nothing.

        When somebody entered another one meanwhile the answer is 409 `stale-result`, with the present one in
        `details.boards`.
        """
        found = pairing_in(section_at(request, event, section), pairing)
        saved = results.record_outcome(
            actor_of(request), found.pk, **rest.checked(ResultFieldsSerializer, request)
        )
        return rest.private(BoardSerializer(saved).data)


class ResultFormView(APIView):
    @extend_schema(
        operation_id="record_outcomes",
        tags=["results"],
        request=ResultFormSerializer,
        responses={200: SavedBoardsSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Enter many results: all of them, or none with every fault told."""
        found = section_at(request, event, section)
        given = rest.checked(ResultFormSerializer, request)
        lines = [Line(**line) for line in given["lines"]]
        saved = results.record_outcomes(actor_of(request), found.pk, lines, reason=given["reason"])
        return rest.private({"boards": [BoardSerializer(board).data for board in saved]})


class AdjustmentListView(APIView):
    @extend_schema(
        operation_id="list_adjustments",
        tags=["results"],
        parameters=rest.PAGE,
        responses={200: rest.paged(AdjustmentSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """Points given or taken by rulings, in rounds that are public."""
        found = section_at(request, event, section)
        return rest.public(
            request,
            found.event,
            parts=[section_tag(found)],
            body=lambda: rest.page_of(
                request, records.public_adjustments(found), lambda row: AdjustmentSerializer(row).data
            ),
        )

    @extend_schema(
        operation_id="adjust_score",
        parameters=rest.ONCE,
        tags=["results"],
        request=AdjustmentFieldsSerializer,
        responses={201: AdjustmentSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Give points, or take them with a minus, by a ruling."""
        found = section_at(request, event, section)
        given = rest.checked(AdjustmentFieldsSerializer, request)
        entry = entry_in(found, given.pop("entry"))
        row = rest.once(request, lambda: results.adjust_score(actor_of(request), entry.pk, **given))
        return rest.private(AdjustmentSerializer(row).data, status=201)
