"""Games through the interface: the viewer's data, filing a sheet, sheets and verdicts, accepting a score."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import rules
from games import reading
from games.forms_desk import PLAYED
from games.models import Copy, Game, Scoresheet, Side
from games.seats import acting_side, is_arbiter, own_side, require_arbiter
from games.selectors import meeting, viewer
from games.services import results, sheets
from games.services.results import Score
from games.services.sheets import Handed
from rules.record import record
from tournaments.audit import Actor
from tournaments.errors import NotFound
from tournaments.models import Event, Pairing, Section
from tournaments.permissions import roles_in
from tournaments.typed import whole_number


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


def _errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: OpenApiResponse(GameErrorSerializer, description=_MEANING[status]) for status in statuses}


READ = _errors(404)
WRITE = _errors(400, 401, 403, 404, 409)


class GameSerializer(serializers.Serializer[Any]):
    """`moves` are single moves, the accepted score; empty while none is accepted. `outcome` is the board's code."""

    id = serializers.IntegerField(allow_null=True)
    pairing = serializers.IntegerField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    number = serializers.IntegerField()
    white = serializers.CharField()
    black = serializers.CharField()
    outcome = serializers.CharField()
    accepted = serializers.BooleanField()
    final = serializers.BooleanField()
    fen = serializers.CharField(allow_blank=True)
    moves = serializers.ListField(child=serializers.CharField())
    white_seconds = serializers.IntegerField(allow_null=True)
    black_seconds = serializers.IntegerField(allow_null=True)


class GameViewSerializer(GameSerializer):
    """With what a board shows: a FEN for each ply, the start first, and what the law says of the game."""

    fens = serializers.ListField(child=serializers.CharField())
    verdict = serializers.JSONField(allow_null=True)


class CopySerializer(serializers.ModelSerializer[Copy]):
    side = serializers.CharField()

    class Meta:
        model = Copy
        fields = ("side", "status", "waived_reason", "to_complete")


class SheetSerializer(serializers.ModelSerializer[Scoresheet]):
    side = serializers.CharField()

    class Meta:
        model = Scoresheet
        fields = (
            "id", "side", "submission", "text", "digest", "form", "result", "ended_by", "white_seconds", "black_seconds",
            "white_signed", "black_signed", "after_result", "filed_at", "filer",
        )  # fmt: skip


class FiledSerializer(serializers.Serializer[Any]):
    """`again`: this submission was filed before, and this is the first answer."""

    sheet = SheetSerializer()
    verdict = serializers.JSONField()
    again = serializers.BooleanField()


class SheetFieldsSerializer(serializers.Serializer[Any]):
    """`submission` is a number of your own: sent twice, the sheet is kept once. `text` is PDN or a list of moves.

    `link` is the player's personal link, for who has no account; an arbiter names the `side`, `W` or `B`.
    """

    submission = serializers.CharField(max_length=64)
    text = serializers.CharField(max_length=reading.LARGEST_SHEET, trim_whitespace=False)
    side = serializers.CharField(required=False, default="", allow_blank=True, max_length=1)
    link = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)
    result = serializers.CharField(required=False, default="", allow_blank=True, max_length=8)
    ended_by = serializers.CharField(required=False, default="", allow_blank=True, max_length=12)
    white_seconds = serializers.IntegerField(required=False, allow_null=True, default=None)
    black_seconds = serializers.IntegerField(required=False, allow_null=True, default=None)
    white_signed = serializers.BooleanField(required=False, default=False)
    black_signed = serializers.BooleanField(required=False, default=False)


class SheetListSerializer(serializers.Serializer[Any]):
    """A player sees his own sheets, an arbiter both sides' and where they differ (`differs_at`, a ply from 1)."""

    copies = CopySerializer(many=True)
    sheets = SheetSerializer(many=True)
    meeting = serializers.CharField(allow_null=True)
    differs_at = serializers.IntegerField(allow_null=True)


class ScoreFieldsSerializer(serializers.Serializer[Any]):
    """`version` is the board's as you saw it. `note` says why result and moves differ, when they do."""

    moves = serializers.ListField(child=serializers.CharField(max_length=120), max_length=2000)
    outcome = serializers.ChoiceField(choices=[(code, code) for code in PLAYED])
    version = serializers.IntegerField()
    accepted = serializers.ListField(
        child=serializers.IntegerField(min_value=1), required=False, default=list
    )
    ended_by = serializers.CharField(required=False, default="", allow_blank=True, max_length=12)
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)
    white_seconds = serializers.IntegerField(required=False, allow_null=True, default=None)
    black_seconds = serializers.IntegerField(required=False, allow_null=True, default=None)


class NoteSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


PAGE = [
    OpenApiParameter("page", int, description="Page of the list, from 1."),
    OpenApiParameter("page_size", int, description="Rows of a page, at most 500."),
    OpenApiParameter("round", int, description="One round only."),
]


class GameListView(APIView):
    @extend_schema(
        operation_id="list_games",
        tags=["games"],
        parameters=PAGE,
        responses={
            200: inline_serializer(
                "PageOfGame",
                {
                    "count": serializers.IntegerField(),
                    "next": serializers.URLField(allow_null=True),
                    "previous": serializers.URLField(allow_null=True),
                    "results": GameSerializer(many=True),
                },
            ),
            **READ,
        },
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """The games with an accepted score, of public rounds."""
        found = _section(request, event, section)
        games = viewer.games_of(found, whole_number(request.query_params.get("round", "")))
        pages = Pages()
        chosen = pages.paginate_queryset(games, request) or []
        return pages.get_paginated_response([_game(game.pairing, game) for game in chosen])


class GameView(APIView):
    @extend_schema(operation_id="read_game", tags=["games"], responses={200: GameViewSerializer, **READ})
    def get(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """A board of a public round with its game: every position, and what the law says."""
        board = _pairing(request, event, section, pairing)
        game = viewer.first_game(board)
        view = viewer.view_of(board, game)
        body = _game(board, game)
        body["fens"] = [position.fen() for position in view.line.verdict.positions] if view.line else []
        body["verdict"] = record(1, view.line.sheet, view.line.verdict) if view.line else None
        return Response(body)


class SheetListView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="read_sheets", tags=["games"], responses={200: SheetListSerializer, **_errors(403, 404)}
    )
    def get(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """The scoresheets of a board: a player's own, or both for an arbiter."""
        board = _pairing(request, event, section, pairing)
        actor = _actor(request)
        own = own_side(actor, board)
        arbiter = is_arbiter(actor, board)
        if own is None and not arbiter:
            require_arbiter(actor, board)
        met = meeting.met(board)
        sides = set(Side.values) if arbiter else {own}
        rows = [row for row in (met.game.sheets.all() if met.game else ()) if row.side in sides]
        body = {
            "copies": [CopySerializer(copy).data for copy in met.copies.values() if copy.side in sides],
            "sheets": [SheetSerializer(row).data for row in rows],
            "meeting": str(met.decision.meeting) if arbiter else None,
            "differs_at": met.decision.differs_at if arbiter else None,
        }
        return _private(body)

    @extend_schema(
        operation_id="file_sheet",
        tags=["games"],
        request=SheetFieldsSerializer,
        responses={200: FiledSerializer, 201: FiledSerializer, **WRITE},
    )
    def post(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Hand in a scoresheet: by personal link, by account, or as an arbiter for a side. It changes no result."""
        board = _pairing(request, event, section, pairing)
        given = _checked(SheetFieldsSerializer, request)
        side, link = given.pop("side"), given.pop("link")
        handed = Handed(form=Scoresheet.Form.PASTED, **given)
        filed = sheets.file_sheet(_actor(request), board.pk, handed, side=side, link=link)
        body = {
            "sheet": SheetSerializer(filed.sheet).data,
            "verdict": _verdict(filed.sheet, filed.verdict),
            "again": filed.again,
        }
        return _private(body, status=200 if filed.again else 201)


class VerdictView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="read_verdict",
        tags=["games"],
        responses={
            200: inline_serializer("Verdict", {"verdict": serializers.JSONField()}),
            **_errors(403, 404),
        },
    )
    def get(self, request: Request, event: str, section: str, pairing: int, sheet: int) -> Response:
        """What the law says of one sheet, by the present version of the rules."""
        board = _pairing(request, event, section, pairing)
        row = Scoresheet.objects.select_related("game").filter(pk=sheet, game__pairing=board).first()
        if row is None:
            raise NotFound
        acting_side(_actor(request), board, side=row.side)
        row.game.pairing = board
        value = reading.sheet_value(row)
        return _private({"verdict": record(1, value, rules.validate(value, profile=reading.PROFILE))})


class ScoreView(APIView):
    @extend_schema(
        operation_id="accept_score",
        tags=["games"],
        request=ScoreFieldsSerializer,
        responses={200: GameSerializer, **WRITE},
    )
    def put(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Accept the moves of a game and its result together. Refused where they contradict each other without a note."""
        board = _pairing(request, event, section, pairing)
        given = _checked(ScoreFieldsSerializer, request)
        game = results.accept_score(_actor(request), board.pk, Score(**given))
        board.refresh_from_db()
        return _private(_game(board, game))


class FinalView(APIView):
    @extend_schema(
        operation_id="finalise_result",
        tags=["games"],
        request=NoteSerializer,
        responses={200: GameSerializer, **WRITE},
    )
    def post(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Make the result final. 409 `not-complete` lists in `details.gaps` what is missing."""
        board = _pairing(request, event, section, pairing)
        game = results.finalise(_actor(request), board.pk, **_checked(NoteSerializer, request))
        return _private(_game(board, game))


def _actor(request: Request) -> Actor:
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=request.META.get("REMOTE_ADDR") or "")


def _section(request: Request, event: str, section: str) -> Section:
    found = Section.objects.select_related("event").filter(event__code=event, code=section).first()
    if found is None:
        raise NotFound
    if found.event.state == Event.State.DRAFT and not roles_in(_actor(request).user, found.event):
        raise NotFound
    return found


def _pairing(request: Request, event: str, section: str, pk: int) -> Pairing:
    """A board with two players of a public round."""
    found = _section(request, event, section)
    pairing = (
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(pk=pk, round__section=found, black__isnull=False)
        .first()
    )
    if pairing is None or not pairing.round.is_public:
        raise NotFound
    return pairing


def _game(pairing: Pairing, game: Game | None) -> dict[str, Any]:
    return {
        "id": game.pk if game else None,
        "pairing": pairing.pk,
        "round": pairing.round.number,
        "board": pairing.board,
        "number": game.number if game else 1,
        "white": pairing.white.player.name,
        "black": pairing.black.player.name if pairing.black else "",
        "outcome": pairing.outcome,
        "accepted": bool(game and game.moves),
        "final": bool(game and game.is_final),
        "fen": game.fen if game else "",
        "moves": game.moves if game else [],
        "white_seconds": game.white_time if game else None,
        "black_seconds": game.black_time if game else None,
    }


def _verdict(sheet: Scoresheet, verdict: rules.Verdict) -> dict[str, Any]:
    return record(1, reading.sheet_value(sheet), verdict)


def _checked(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    found = serializer(data=request.data)
    found.is_valid(raise_exception=True)
    return dict(found.validated_data)


def _private(body: Any, *, status: int = 200) -> Response:
    reply = Response(body, status=status)
    reply["Cache-Control"] = "no-store"
    return reply
