"""Why a published round is paired so, and the proof of it: reasons, the input paired again, "why not these two?"."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.errors import NotFound
from tournaments.models import Round, Section
from tournaments.selectors import boards, proof, public
from tournaments.selectors.boards import Account, Proposed
from tournaments.web import rest
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.caching import section_tag
from tournaments.web.rest import section_at
from tournaments.web.throttling import SECONDS, may_ask
from tournaments.wording.pairings import board_words


class ProposedSerializer(serializers.Serializer[Any]):
    """A board of the engine's proposal. `kept`: the two met so; `reasons` are sentences in the reader's language."""

    board = serializers.IntegerField()
    white = EntryLinkSerializer(allow_null=True)
    black = EntryLinkSerializer(allow_null=True)
    is_bye = serializers.BooleanField()
    kept = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField())


class HandChangeSerializer(serializers.Serializer[Any]):
    """`verb` is swap, set or bye; `names` are those it concerned."""

    verb = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_blank=True)


class AccountSerializer(serializers.Serializer[Any]):
    """`digest` is the SHA-256 of the text at `input`; both and `engine` are empty where no engine paired the round."""

    round = serializers.IntegerField()
    engine = serializers.CharField(allow_blank=True)
    digest = serializers.CharField(allow_blank=True)
    input = serializers.CharField(allow_blank=True)
    report = serializers.CharField(allow_blank=True)
    changes = HandChangeSerializer(many=True)
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ProposedSerializer(many=True)


class ProofSerializer(serializers.Serializer[Any]):
    """`boards_agree` may hold where `is_proven` does not: then another version of the engine paired the round."""

    round = serializers.IntegerField()
    engine = serializers.CharField()
    stored_digest = serializers.CharField()
    digest = serializers.CharField()
    is_proven = serializers.BooleanField()
    boards_agree = serializers.BooleanField()


class QuestionSerializer(serializers.Serializer[Any]):
    """Two players by the pairing numbers they had in that round."""

    first = serializers.IntegerField(min_value=1, max_value=99999)
    second = serializers.IntegerField(min_value=1, max_value=99999)


class AnswerSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField())


def _round(found: Section, number: int) -> Round:
    round_ = public.published_round(found, number)
    if round_ is None:
        raise NotFound
    return round_


def _count(request: Request) -> None:
    """One question more of this address. Raises Throttled."""
    if not may_ask(request._request):
        raise Throttled(wait=SECONDS)


class WhyView(APIView):
    @extend_schema(
        operation_id="read_account",
        tags=["proof"],
        parameters=rest.PAGE,
        responses={200: AccountSerializer, **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str, number: int) -> HttpResponseBase:
        """Why a published round is paired so: the engine's boards with their reasons, and the arbiter's changes."""
        found = section_at(request, event, section)

        def body() -> dict[str, Any]:
            book = public.ledger(found)
            if book.round(number) is None:
                raise NotFound
            return _account(request, boards.account(book, number))

        return rest.public(request, found.event, parts=[section_tag(found)], body=body)


def _account(request: Request, account: Account) -> dict[str, Any]:
    round_, codes = account.round, request.parser_context["kwargs"]
    files = {"input": "public:why_input", "report": "public:why_report"}
    at = [codes["event"], codes["section"], round_.number]
    proved = proof.has_input(round_)
    return {
        "round": round_.number,
        "engine": round_.engine,
        "digest": round_.digest,
        **{
            name: request.build_absolute_uri(reverse(view, args=at)) if proved else ""
            for name, view in files.items()
        },
        "changes": [
            {"verb": edit.get("verb", ""), "names": edit.get("names", []), "reason": edit.get("reason", "")}
            for edit in account.edits
        ],
        **rest.page_of(request, account.proposed, lambda board: _proposed(board, account.names)),
    }


def _proposed(board: Proposed, names: dict[int, str]) -> dict[str, Any]:
    words = board_words(board.white_why, board.black_why, lambda number: names.get(number, str(number)))
    return {
        "board": board.board,
        "white": EntryLinkSerializer(board.white).data if board.white else None,
        "black": EntryLinkSerializer(board.black).data if board.black else None,
        "is_bye": board.is_bye,
        "kept": board.kept,
        "reasons": words,
    }


class RecomputationView(APIView):
    permission_classes = (AllowAny,)  # it changes nothing

    @extend_schema(
        operation_id="recompute_round",
        tags=["proof"],
        request=None,
        responses={200: ProofSerializer, **rest.errors(404, 409, 429)},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Pair the stored input of a published round again, here and now, and compare the digests. Nothing is written."""
        round_ = _round(section_at(request, event, section), number)
        _count(request)
        found = proof.prove(round_)
        return rest.private(
            {
                "round": round_.number,
                "engine": found.engine,
                "stored_digest": round_.digest,
                "digest": found.digest,
                "is_proven": found.is_proven,
                "boards_agree": found.boards_agree,
            }
        )


class WhyNotView(APIView):
    permission_classes = (AllowAny,)  # it changes nothing

    @extend_schema(
        operation_id="ask_why_not",
        tags=["proof"],
        request=QuestionSerializer,
        responses={200: AnswerSerializer, **rest.errors(400, 404, 409, 429)},
    )
    def post(self, request: Request, event: str, section: str, number: int) -> Response:
        """Why two players do not meet in a published round, and what it would cost. Nothing is written."""
        round_ = _round(section_at(request, event, section), number)
        given = rest.checked(QuestionSerializer, request)
        _count(request)
        return rest.private(AnswerSerializer(proof.ask(round_, **given)).data)
