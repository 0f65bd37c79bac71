"""The hall through the interface: people without a board, when the clocks were started, who is late."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Category, Raiser
from games.permissions import Act
from games.selectors import court
from games.services.court import incidents, lateness
from games.services.court.incidents import Report
from games.web.api.court import IncidentSerializer, RulingSerializer, incident_body, whole_ruling
from tournaments.models import Round
from tournaments.web.http import actor_of
from tournaments.web.rest import WRITE_ERRORS, checked, errors, private, section_at


class PersonReportSerializer(serializers.Serializer[Any]):
    """Who it is: an `entry`, in a team a `member`, or a `person` by name and role. `submission` is a number of your own."""

    category = serializers.CharField(default=str(Category.CONDUCT), max_length=16)
    raised_by = serializers.CharField(default=str(Raiser.ARBITER), max_length=1)
    article = serializers.CharField(default="", allow_blank=True, max_length=12)
    entry = serializers.IntegerField(default=None, allow_null=True)
    member = serializers.IntegerField(default=None, allow_null=True)
    person = serializers.CharField(default="", allow_blank=True, max_length=200)
    person_role = serializers.CharField(
        default="", allow_blank=True, max_length=10, help_text="PLAYER, COACH, CAPTAIN, SPECTATOR"
    )
    note = serializers.CharField(default="", allow_blank=True, max_length=1000)
    happened_at = serializers.DateTimeField(default=None, allow_null=True)
    submission = serializers.CharField(default="", allow_blank=True, max_length=64)


class AbsentSerializer(serializers.Serializer[Any]):
    pairing = serializers.IntegerField()
    absent = serializers.ChoiceField(choices=["W", "B", "WB"])


class LatenessSerializer(serializers.Serializer[Any]):
    boards = AbsentSerializer(many=True)


class LateListSerializer(serializers.Serializer[Any]):
    """`ends_at` is null without a start, and once the round has begun for all; `boards` have no result."""

    starts_at = serializers.DateTimeField(allow_null=True)
    clocks_started_at = serializers.DateTimeField(allow_null=True)
    all_here_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    is_due = serializers.BooleanField()
    boards = serializers.ListField(child=serializers.IntegerField())


def _round(request: Request, event: str, section: str, number: int, act: Act) -> Round:
    return court.round_for(actor_of(request), section_at(request, event, section).pk, number, act)


def _late_list(round_: Round) -> dict[str, Any]:
    found = court.late_list(round_)
    return {
        "starts_at": round_.starts_at,
        "clocks_started_at": round_.clocks_started_at,
        "all_here_at": round_.all_here_at,
        "ends_at": found.ends_at if found else None,
        "is_due": found is not None and found.is_due,
        "boards": [board.pk for board in found.boards] if found else [],
    }


class RoundIncidentListView(APIView):
    @extend_schema(
        operation_id="log_person",
        tags=["court"],
        request=PersonReportSerializer,
        responses={201: IncidentSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Log the conduct of somebody without a board. A player with a game in the round is logged at his game."""
        round_ = _round(request, event, section, number, Act.LOG_INCIDENT)
        report = Report(**checked(PersonReportSerializer, request))
        made = incidents.log_person(actor_of(request), round_.section_id, number, report)
        return private(incident_body(court.incident_for(actor_of(request), made.pk)), status=201)


class LatenessView(APIView):
    @extend_schema(
        operation_id="read_lateness",
        tags=["court"],
        responses={200: LateListSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str, number: int) -> Response:
        """For arbiters: when the lateness limit ends, and the boards without a result."""
        return private(_late_list(_round(request, event, section, number, Act.RULE)))

    @extend_schema(
        operation_id="rule_lateness",
        tags=["court"],
        request=LatenessSerializer,
        responses={201: RulingSerializer(many=True), **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Forfeit the boards where a player is later than the limit: all or none. 409 `no-start` and `too-early` before that."""
        actor, round_ = actor_of(request), _round(request, event, section, number, Act.RULE)
        given = checked(LatenessSerializer, request)
        missing = {row["pairing"]: row["absent"] for row in given["boards"]}
        made = lateness.rule_lateness(actor, round_.pk, missing)
        return private([whole_ruling(court.ruling_for(actor, row.pk)) for row in made], status=201)


class ClocksView(APIView):
    @extend_schema(
        operation_id="start_clocks",
        tags=["court"],
        request=None,
        responses={200: LateListSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """An arbiter in the hall starts the clocks (9.1, 15.2.8). Sent twice, the first time counts."""
        round_ = _round(request, event, section, number, Act.RULE)
        lateness.start_clocks(actor_of(request), round_.pk)
        return private(_late_list(_round(request, event, section, number, Act.RULE)))


class ArrivalView(APIView):
    @extend_schema(
        operation_id="close_late_list",
        tags=["court"],
        request=None,
        responses={200: LateListSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """The round has begun for all: nobody is late any more."""
        round_ = _round(request, event, section, number, Act.RULE)
        lateness.close_late_list(actor_of(request), round_.pk)
        return private(_late_list(_round(request, event, section, number, Act.RULE)))
