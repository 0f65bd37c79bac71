"""Drafts: what officials see of a round before it is public, and their hand changes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import ForbiddenPair, Pairing, Round, Section
from tournaments.permissions import Action, require
from tournaments.selectors import draft_checks, records
from tournaments.services import draft, rounds
from tournaments.web import rest
from tournaments.web.api.access import desk_section, forbidden_in, round_in
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


class BoardSerializer(serializers.Serializer[Pairing]):
    """A board as officials see it: `id` and `version` are what entering a result must name."""

    id = serializers.IntegerField()
    board = serializers.IntegerField()
    white = EntryLinkSerializer()
    black = EntryLinkSerializer(allow_null=True)
    outcome = serializers.CharField()
    grade = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()


class WarningSerializer(serializers.Serializer[draft_checks.Warning]):
    """What a board breaks; `entries` are those concerned."""

    kind = serializers.ChoiceField(
        ["repeat", "forbidden", "bye-again", "same-colour-thrice", "colour-imbalance"]
    )
    entries = serializers.ListField(child=serializers.IntegerField())
    detail = serializers.CharField(allow_blank=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A board that only the engine or only the arbiter has, by pairing numbers; `black` null for the bye."""

    side = serializers.ChoiceField(["engine", "arbiter"])
    white = serializers.IntegerField()
    black = serializers.IntegerField(allow_null=True)


class DraftSerializer(serializers.Serializer[Any]):
    """`version` is what the next hand change must name; `digest` is over the engine's input and boards."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    version = serializers.IntegerField()
    engine = serializers.CharField()
    digest = serializers.CharField(allow_blank=True)
    warnings = WarningSerializer(many=True)
    differences = DifferenceSerializer(many=True)
    edits = serializers.ListField(child=serializers.DictField())
    explanations = serializers.DictField()


class ChangeSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="Version of the section as you saw it.")
    reason = serializers.CharField(allow_blank=True, default="", max_length=500)


class SwapSerializer(ChangeSerializer):
    first = serializers.IntegerField()
    second = serializers.IntegerField()


class SetBoardSerializer(ChangeSerializer):
    white = serializers.IntegerField()
    black = serializers.IntegerField()


class GiveByeSerializer(ChangeSerializer):
    entry = serializers.IntegerField()


class ForbiddenPairSerializer(serializers.Serializer[ForbiddenPair]):
    id = serializers.IntegerField()
    first = EntryLinkSerializer()
    second = EntryLinkSerializer()
    first_round = serializers.IntegerField()
    last_round = serializers.IntegerField()
    reason = serializers.CharField()


class ForbiddenPairFieldsSerializer(serializers.Serializer[Any]):
    first = serializers.IntegerField()
    second = serializers.IntegerField()
    first_round = serializers.IntegerField(default=1, min_value=1, max_value=999)
    last_round = serializers.IntegerField(default=99, min_value=1, max_value=999)
    reason = serializers.CharField(allow_blank=True, default="", max_length=200)


def _desk_round(request: Request, event: str, section: str, number: int) -> Round:
    return round_in(desk_section(request, event, section), number)


def _draft(round_: Round) -> dict[str, Any]:
    section: Section = round_.section
    section.refresh_from_db(fields=["version"])
    round_.refresh_from_db()
    round_.section = section
    return {
        "number": round_.number,
        "state": round_.state,
        "version": section.version,
        "engine": round_.engine,
        "digest": round_.digest,
        "warnings": [WarningSerializer(each).data for each in draft_checks.warnings_of(round_)],
        "differences": draft_checks.differences(round_),
        "edits": round_.edits,
        "explanations": round_.explanations,
    }


class BoardListView(APIView):
    @extend_schema(
        operation_id="list_boards",
        tags=["desk"],
        parameters=rest.PAGE,
        responses={200: rest.paged(BoardSerializer), **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str, number: int) -> Response:
        """For officials: the boards of any round, a draft too, with what entering a result needs."""
        rows = records.boards(_desk_round(request, event, section, number))
        return rest.private(rest.page_of(request, rows, lambda row: BoardSerializer(row).data))


class DraftView(APIView):
    @extend_schema(
        operation_id="read_draft", tags=["desk"], responses={200: DraftSerializer, **rest.errors(403, 404)}
    )
    def get(self, request: Request, event: str, section: str, number: int) -> Response:
        """For officials: what the draft breaks, and where it differs from the engine's word."""
        return rest.private(_draft(_desk_round(request, event, section, number)))


class DraftDiscardView(APIView):
    @extend_schema(operation_id="discard_draft", tags=["desk"], responses={204: None, **rest.WRITE_ERRORS})
    def delete(self, request: Request, event: str, section: str) -> Response:
        """Throw the drafts of the section away; the round before is open for results again."""
        rounds.discard_draft(actor_of(request), section_at(request, event, section).pk)
        return rest.no_content()


class DraftSwapView(APIView):
    @extend_schema(
        operation_id="swap_in_draft",
        tags=["desk"],
        request=SwapSerializer,
        responses={200: DraftSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Two players take each other's places."""
        found = round_in(section_at(request, event, section), number)
        draft.swap(actor_of(request), found.pk, **rest.checked(SwapSerializer, request))
        return rest.private(_draft(found))


class DraftSetView(APIView):
    @extend_schema(
        operation_id="set_board_in_draft",
        tags=["desk"],
        request=SetBoardSerializer,
        responses={200: DraftSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """White meets Black; the opponents they leave meet each other, or get the bye one of them had."""
        found = round_in(section_at(request, event, section), number)
        draft.set_board(actor_of(request), found.pk, **rest.checked(SetBoardSerializer, request))
        return rest.private(_draft(found))


class DraftByeView(APIView):
    @extend_schema(
        operation_id="give_bye_in_draft",
        tags=["desk"],
        request=GiveByeSerializer,
        responses={200: DraftSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """A player gets the bye; who had it takes the player's place."""
        found = round_in(section_at(request, event, section), number)
        draft.give_bye(actor_of(request), found.pk, **rest.checked(GiveByeSerializer, request))
        return rest.private(_draft(found))


class ForbiddenPairListView(APIView):
    @extend_schema(
        operation_id="list_forbidden_pairs",
        tags=["desk"],
        parameters=rest.PAGE,
        responses={200: rest.paged(ForbiddenPairSerializer), **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        rows = records.forbidden_pairs(desk_section(request, event, section))
        return rest.private(rest.page_of(request, rows, lambda row: ForbiddenPairSerializer(row).data))

    @extend_schema(
        operation_id="forbid_pair",
        parameters=rest.ONCE,
        tags=["desk"],
        request=ForbiddenPairFieldsSerializer,
        responses={201: ForbiddenPairSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Two players never meet in those rounds."""
        found = section_at(request, event, section)
        given = rest.checked(ForbiddenPairFieldsSerializer, request)
        pair = rest.once(request, lambda: draft.forbid_pair(actor_of(request), found.pk, **given))
        return rest.private(
            ForbiddenPairSerializer(pair).data, status=201, location=f"{request.path}{pair.pk}/"
        )


class ForbiddenPairView(APIView):
    @extend_schema(operation_id="allow_pair", tags=["desk"], responses={204: None, **rest.WRITE_ERRORS})
    def delete(self, request: Request, event: str, section: str, pair: int) -> Response:
        found = section_at(request, event, section)
        require(actor_of(request), Action.VIEW_DESK, found.event)
        draft.allow_pair(actor_of(request), forbidden_in(found, pair).pk)
        return rest.no_content()
