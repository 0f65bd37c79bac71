"""Rounds: published ones with their boards for everybody; asking for a pairing, publishing and taking back for officials."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.errors import NotFound
from tournaments.models import Round, Section
from tournaments.selectors import boards, public, records
from tournaments.selectors.boards import Row
from tournaments.selectors.open_cases import open_cases
from tournaments.services import by_hand, rounds
from tournaments.web import rest
from tournaments.web.api.access import round_in
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.api.jobs import JobSerializer, job_address
from tournaments.web.api.sections import ReasonSerializer
from tournaments.web.caching import section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


class RoundSerializer(serializers.Serializer[Round]):
    """A published round. `missing` counts boards without a result."""

    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    boards = serializers.IntegerField()
    missing = serializers.IntegerField()


class SideSerializer(EntryLinkSerializer):
    rating = serializers.IntegerField(source="player.rating")
    club = serializers.CharField(source="player.club")
    federation = serializers.CharField(source="player.federation")


class PairingSerializer(serializers.Serializer[Any]):
    """One line of a published round. `board` is 0 and `black` null for a bye; `score` is as boards are read."""

    id = serializers.IntegerField(help_text="What games and matches of the board are asked for by.")
    board = serializers.IntegerField()
    white = SideSerializer()
    black = SideSerializer(allow_null=True)
    white_before = serializers.IntegerField()
    black_before = serializers.IntegerField()
    outcome = serializers.CharField()
    grade = serializers.CharField(allow_blank=True)
    score = serializers.CharField(allow_blank=True)
    white_points = serializers.IntegerField()
    black_points = serializers.IntegerField()


class StartSerializer(serializers.Serializer[Any]):
    starts_at = serializers.DateTimeField(allow_null=True)


class PairingRequestSerializer(serializers.Serializer[Any]):
    again = serializers.BooleanField(default=False, help_text="Throw the present draft away first.")


class HandDraftSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    url = serializers.CharField()


OPEN_APPEALS = (
    "Appeals that wait for the committee, each in a sentence: what they are about may still change."
)


class PublishedSerializer(serializers.Serializer[Any]):
    published = serializers.ListField(child=serializers.IntegerField())
    open_appeals = serializers.ListField(child=serializers.CharField(), help_text=OPEN_APPEALS)


class AskedSerializer(JobSerializer):
    open_appeals = serializers.ListField(child=serializers.CharField(), help_text=OPEN_APPEALS)


def line(row: Row, pk: int) -> dict[str, Any]:
    return {
        "id": pk,
        "board": row.line.board,
        "white": SideSerializer(row.white).data,
        "black": SideSerializer(row.black).data if row.black else None,
        "white_before": row.white_before,
        "black_before": row.black_before,
        "outcome": row.line.outcome.value,
        "grade": row.line.grade,
        "score": row.line.score,
        "white_points": row.line.white_points,
        "black_points": row.line.black_points,
    }


def _public_round(section: Section, number: int) -> Round:
    found = records.public_rounds(section).filter(number=number).first()
    if found is None:
        raise NotFound
    return found


class RoundListView(APIView):
    @extend_schema(
        operation_id="list_rounds",
        tags=["rounds"],
        parameters=rest.PAGE,
        responses={200: rest.paged(RoundSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        found = section_at(request, event, section)
        return rest.public(
            request,
            found.event,
            parts=[section_tag(found)],
            body=lambda: rest.page_of(
                request, records.public_rounds(found), lambda row: RoundSerializer(row).data
            ),
        )


class RoundView(APIView):
    @extend_schema(
        operation_id="read_round", tags=["rounds"], responses={200: RoundSerializer, **rest.READ_ERRORS}
    )
    def get(self, request: Request, event: str, section: str, number: int) -> HttpResponseBase:
        found = section_at(request, event, section)
        return rest.public(
            request,
            found.event,
            parts=[section_tag(found)],
            body=lambda: RoundSerializer(_public_round(found, number)).data,
        )


class PairingListView(APIView):
    @extend_schema(
        operation_id="list_pairings",
        tags=["rounds"],
        parameters=[
            *rest.PAGE,
            OpenApiParameter("q", str, description="Part of a player's name, in pinyin too, or a number."),
            OpenApiParameter("open", bool, description="Only boards without a result."),
        ],
        responses={200: rest.paged(PairingSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str, number: int) -> HttpResponseBase:
        """The boards of a published round in order, byes last, each with the points before the round."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            book = public.ledger(found)
            if book.round(number) is None:
                raise NotFound
            played, byes, _idle = boards.rows(book, number)
            rows = [row for row in [*played, *byes] if row.holds(request.query_params.get("q", ""))]
            if request.query_params.get("open", "").lower() in ("1", "true"):
                rows = [row for row in rows if not row.line.has_result]
            key = records.pairing_keys(found, number)
            return rest.page_of(request, rows, lambda row: line(row, key[row.white.pk]))

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


class RoundStartView(APIView):
    @extend_schema(
        operation_id="set_round_start",
        tags=["rounds"],
        request=StartSerializer,
        responses={200: StartSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, number: int) -> Response:
        """Announce when a round starts; it need not be paired yet."""
        found = section_at(request, event, section)
        start = rest.checked(StartSerializer, request)["starts_at"]
        set_ = rounds.set_round_start(actor_of(request), found.pk, number=number, starts_at=start)
        return rest.private({"starts_at": set_.starts_at})


class RoundPublicationView(APIView):
    @extend_schema(
        operation_id="publish_round",
        tags=["rounds"],
        request=None,
        responses={200: PublishedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Put a draft before the public; earlier rounds must be public already."""
        found = round_in(section_at(request, event, section), number)
        published = rounds.publish_round(actor_of(request), found.pk)
        return rest.private({"published": [published.number], "open_appeals": open_cases(published.section)})


class RoundWithdrawalView(APIView):
    @extend_schema(
        operation_id="unpublish_round",
        tags=["rounds"],
        request=ReasonSerializer,
        responses={200: PublishedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Take a round back to draft, with a reason, while nothing is played in it."""
        found = round_in(section_at(request, event, section), number)
        reason = rest.checked(ReasonSerializer, request)["reason"]
        rounds.unpublish_round(actor_of(request), found.pk, reason=reason)
        return rest.private({"published": [], "open_appeals": open_cases(found.section)})


class AllPublicationView(APIView):
    @extend_schema(
        operation_id="publish_all_rounds",
        tags=["rounds"],
        request=None,
        responses={200: PublishedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Publish every draft of a round robin at once."""
        found = section_at(request, event, section)
        published = rounds.publish_all_rounds(actor_of(request), found.pk)
        body = {"published": [each.number for each in published], "open_appeals": open_cases(found)}
        return rest.private(body)


class HandDraftView(APIView):
    @extend_schema(
        operation_id="draft_by_hand",
        tags=["rounds"],
        request=ReasonSerializer,
        responses={201: HandDraftSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """A draft of the next Swiss round laid out without the engine, to change by hand."""
        found = section_at(request, event, section)
        reason = rest.checked(ReasonSerializer, request)["reason"]
        made = by_hand.draft_by_hand(actor_of(request), found.pk, reason=reason)
        address = reverse("api-draft", args=[event, section, made.number])
        return rest.private({"number": made.number, "url": address}, status=201, location=address)


class PairingRequestView(APIView):
    @extend_schema(
        operation_id="request_pairing",
        tags=["rounds"],
        request=PairingRequestSerializer,
        responses={202: AskedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Ask for the next round. The answer is the job; asked twice, it is the same job. Poll its address."""
        found = section_at(request, event, section)
        given = rest.checked(PairingRequestSerializer, request)
        job = rounds.request_pairing(actor_of(request), found.pk, again=given["again"])
        job.section = found
        body = {**JobSerializer(job).data, "open_appeals": open_cases(found)}
        return rest.private(body, status=202, location=job_address(job))
