"""Standings after a round, the working of one player's tie-breaks, and the cross table."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.errors import BadInput, NotFound
from tournaments.models import Section
from tournaments.selectors import people, public, tables, workings
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Edition, Row
from tournaments.selectors.workings import Working
from tournaments.web import rest
from tournaments.web.api.entries import EntryLinkSerializer, StepSerializer, way
from tournaments.web.api.rounds import SideSerializer
from tournaments.web.caching import Filter, section_tag
from tournaments.web.numbers import whole_number
from tournaments.web.rest import section_at
from tournaments.wording import categories

NARROWING = [
    OpenApiParameter("q", str, description="Part of a name in any script or in pinyin, or a number."),
    OpenApiParameter("club", str),
    OpenApiParameter("federation", str),
    OpenApiParameter(
        "category", str, description="Women, under or from an age in the event's year.", enum=categories.KEYS
    ),
]
AFTER = OpenApiParameter("after_round", int, description="The table after this round; without it the latest.")


class StandingsRowSerializer(serializers.Serializer[Any]):
    """`rank` is null for who has no place; `separated_by` is what put the row below the one above."""

    rank = serializers.IntegerField(allow_null=True)
    shared = serializers.BooleanField()
    entry = SideSerializer()
    points = serializers.IntegerField()
    adjustment = serializers.IntegerField()
    values = serializers.DictField(help_text="By tie-break: a number, a fraction as text, a list, or null.")
    separated_by = serializers.CharField(allow_blank=True)
    is_out = serializers.BooleanField()


class StandingsSerializer(serializers.Serializer[Any]):
    """`after_rounds` are the tables there are; `final` is true once the section is closed."""

    after_round = serializers.IntegerField()
    after_rounds = serializers.ListField(child=serializers.IntegerField())
    final = serializers.BooleanField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    policy = serializers.DictField()
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = StandingsRowSerializer(many=True)


class WorkLineSerializer(serializers.Serializer[Any]):
    """What one round gave to a value, or why it is left out; `dropped` is the step at which a list leaves it out."""

    round = serializers.IntegerField()
    opponent = EntryLinkSerializer(allow_null=True)
    taken = serializers.IntegerField()
    gave = serializers.IntegerField()
    counted = serializers.BooleanField()
    reason = serializers.CharField()
    dropped = serializers.IntegerField()


class WorkingSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    value = serializers.JSONField()
    lines = WorkLineSerializer(many=True)
    tied = EntryLinkSerializer(many=True)


class WorkingsSerializer(serializers.Serializer[Any]):
    entry = EntryLinkSerializer()
    after_round = serializers.IntegerField()
    points = serializers.IntegerField()
    workings = WorkingSerializer(many=True)


class CrossRowSerializer(serializers.Serializer[Any]):
    entry = SideSerializer()
    points = serializers.IntegerField()
    rounds = StepSerializer(many=True)


def _asked_round(request: Request) -> int | None:
    text = request.query_params.get("after_round", "")
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise BadInput(fields={"after_round": ["0-9"]})
    return number


def _narrowed(request: Request) -> Filter:
    asked = {
        name: request.query_params.get(name, "").strip() for name in ("q", "club", "federation", "category")
    }
    if asked["category"] and not categories.is_known(asked["category"]):
        raise BadInput(fields={"category": [", ".join(categories.KEYS)]})
    return Filter(**asked)


def _edition(section: Section, found: list[Edition], asked: int | None) -> Edition:
    (status,) = public.statuses([section])
    edition = tables.chosen(found, after=asked, standing_round=status.standing_round)
    if edition is None:
        raise NotFound
    return edition


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "shared": row.shared,
        "entry": SideSerializer(row.entry).data,
        "points": row.points,
        "adjustment": row.adjustment,
        "values": dict(row.values),
        "separated_by": row.separated_by,
        "is_out": row.is_out,
    }


def _working(working: Working) -> dict[str, Any]:
    return {
        "code": working.code,
        "value": working.value,
        "lines": [WorkLineSerializer(line).data for line in working.lines],
        "tied": [EntryLinkSerializer(entry).data for entry in working.tied],
    }


class StandingsView(APIView):
    @extend_schema(
        operation_id="read_standings",
        tags=["standings"],
        parameters=[AFTER, *rest.PAGE, *NARROWING],
        responses={200: StandingsSerializer, **rest.errors(400, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """The computed table; 404 while there is none. Narrowed, every row keeps its place in the whole table."""
        found = section_at(request, event, section)
        asked = _asked_round(request)
        chosen = _narrowed(request)
        editions = tables.editions(found)

        def body() -> dict[str, Any]:
            edition = _edition(found, editions, asked)
            table = tables.table(edition, public.ledger(found))
            return {
                "after_round": edition.after_round,
                "after_rounds": [each.after_round for each in editions],
                "final": edition.final,
                "tiebreaks": table.codes,
                "policy": table.policy,
                **rest.page_of(request, [row for row in table.rows if chosen.keeps(row.entry)], _row),
            }

        return rest.public(request, found.event, parts=[section_tag(found), editions], body=body)


class WorkingsView(APIView):
    @extend_schema(
        operation_id="read_workings",
        tags=["standings"],
        parameters=[AFTER],
        responses={200: WorkingsSerializer, **rest.errors(400, 404)},
    )
    def get(self, request: Request, event: str, section: str, entry: int) -> HttpResponseBase:
        """How each tie-break of a player came about: which round and opponent gave what."""
        found = section_at(request, event, section)
        asked = _asked_round(request)
        editions = tables.editions(found)

        def body() -> dict[str, Any]:
            edition = _edition(found, editions, asked)
            book = public.ledger(found)
            table = tables.table(edition, book)
            row = next((row for row in table.rows if row.entry.pk == entry), None)
            if row is None:
                raise NotFound
            return {
                "entry": EntryLinkSerializer(row.entry).data,
                "after_round": edition.after_round,
                "points": row.points,
                "workings": [
                    _working(each) for each in workings.workings(book, table=table, entry=row.entry)
                ],
            }

        return rest.public(request, found.event, parts=[section_tag(found), editions], body=body)


class CrossTableView(APIView):
    @extend_schema(
        operation_id="read_cross_table",
        tags=["standings"],
        parameters=rest.PAGE,
        responses={200: rest.paged(CrossRowSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """Every player by pairing number with all public rounds."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            book = public.ledger(found)
            return rest.page_of(request, people.listed(book), _cross(book))

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


def _cross(book: Ledger) -> Any:
    ways = people.ways(book)
    points = book.points_now()

    def show(entry: Any) -> dict[str, Any]:
        return {
            "entry": SideSerializer(entry).data,
            "points": points[entry.pk],
            "rounds": [way(step) for step in ways[entry.pk]],
        }

    return show
