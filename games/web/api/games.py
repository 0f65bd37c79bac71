"""Games through the interface: the viewer's data, filing a sheet, sheets and verdicts, accepting a score."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import rules
from games import sheets as reading
from games.models import Copy, Game, Scoresheet, Side
from games.selectors import meeting, viewer
from games.services import results, sheets
from games.services.results import Score
from games.services.sheets import Handed
from games.slots import Seat, acting_side, game_at, is_arbiter, name_of, own_side, seat_at, seat_of, seats_of
from games.web.api.support import pairing_at
from games.web.desk.forms import PLAYED
from rules.record import record
from tournaments.errors import NotFound
from tournaments.models import Pairing
from tournaments.web.http import actor_of
from tournaments.web.numbers import whole_number
from tournaments.web.rest import (
    PAGE,
    READ_ERRORS,
    WRITE_ERRORS,
    checked,
    errors,
    page_of,
    paged,
    private,
    public_body,
    section_at,
)


class GameSerializer(serializers.Serializer[Any]):
    """`moves` are single moves, the accepted score; empty while none is accepted. `outcome` is the game's code.

    `number` is the game of a micro-match or the board of a team match, with the colours of that game; 1 elsewhere.
    """

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


class ShownSheetSerializer(serializers.Serializer[Any]):
    """A player's copy as everybody may read it: the moves as written."""

    side = serializers.CharField()
    moves = serializers.ListField(child=serializers.CharField())


class GameOfBoardSerializer(serializers.Serializer[Any]):
    """A game of the same pairing. `due` is false for one that comes only if the match goes on."""

    number = serializers.IntegerField()
    white = serializers.CharField(allow_blank=True)
    black = serializers.CharField(allow_blank=True)
    outcome = serializers.CharField()
    pace = serializers.CharField(allow_blank=True)
    due = serializers.BooleanField()


class GameViewSerializer(GameSerializer):
    """With what a board shows: a FEN for each ply, the start first, what the law says of the game, and both copies once a
    score is accepted, where the section shows them. `games` are those of the pairing, one where it is no match.
    """

    games = GameOfBoardSerializer(many=True)
    sheets = ShownSheetSerializer(many=True)
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

    `link` is the player's personal link, for who has no account; an arbiter names the `side`, `W` or `B`. `game` is the
    number of the game in a match.
    """

    game = serializers.IntegerField(required=False, default=1, min_value=1)
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
    """`version` is the board's as you saw it. `note` says why result and moves differ, when they do. `game` is the number
    of the game in a match: its result changes, and the match follows.
    """

    game = serializers.IntegerField(required=False, default=1, min_value=1)
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
    game = serializers.IntegerField(required=False, default=1, min_value=1)
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


ROUND = OpenApiParameter("round", int, description="One round only.")
GAME = OpenApiParameter("game", int, description="The number of the game in a match; 1 by default.")
LINK = OpenApiParameter("link", str, description="The player's personal link, for who has no account.")


class GameListView(APIView):
    @extend_schema(
        operation_id="list_games",
        tags=["games"],
        parameters=[*PAGE, ROUND],
        responses={200: paged(GameSerializer), **READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """The games with an accepted score, of public rounds."""
        found = section_at(request, event, section)
        games = viewer.games_of(found, whole_number(request.query_params.get("round", "")))
        page = page_of(request, games, lambda game: _game(viewer.seat_of_game(game), game))
        return public_body(request, found.event, page)


class GameView(APIView):
    @extend_schema(
        operation_id="read_game",
        tags=["games"],
        parameters=[GAME],
        responses={200: GameViewSerializer, **READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str, pairing: int) -> HttpResponseBase:
        """A board of a public round with its game: every position, and what the law says."""
        seat = _seat(request, pairing_at(request, event, section, pairing))
        game = game_at(seat)
        view = viewer.view_of(seat, game)
        body = _game(seat, game)
        body["games"] = [_of_match(other) for other in seats_of(seat.pairing)]
        body["sheets"] = [
            {"side": sheet.side, "moves": list(sheet.line.sheet.moves)} for sheet in view.sheets
        ]
        body["fens"] = [position.fen() for position in view.line.verdict.positions] if view.line else []
        body["verdict"] = record(1, view.line.sheet, view.line.verdict) if view.line else None
        return public_body(request, seat.section.event, body)


class SheetListView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="read_sheets",
        tags=["games"],
        parameters=[LINK, GAME],
        responses={200: SheetListSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """The scoresheets of a board: a player's own, or both for an arbiter."""
        seat = _seat(request, pairing_at(request, event, section, pairing))
        actor = actor_of(request)
        link = request.query_params.get("link", "")
        own = own_side(actor, seat, link=link)
        arbiter = not link and is_arbiter(actor, seat)
        if own is None and not arbiter:
            acting_side(actor, seat, link=link)
        met = meeting.met(seat)
        sides = set(Side.values) if arbiter else {own}
        rows = [row for row in (met.game.sheets.all() if met.game else ()) if row.side in sides]
        body = {
            "copies": [CopySerializer(copy).data for copy in met.copies.values() if copy.side in sides],
            "sheets": [SheetSerializer(row).data for row in rows],
            "meeting": str(met.decision.meeting) if arbiter else None,
            "differs_at": met.decision.differs_at if arbiter else None,
        }
        return private(body)

    @extend_schema(
        operation_id="file_sheet",
        tags=["games"],
        request=SheetFieldsSerializer,
        responses={200: FiledSerializer, 201: FiledSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Hand in a scoresheet: by personal link, by account, or as an arbiter for a side. It changes no result."""
        board = pairing_at(request, event, section, pairing)
        given = checked(SheetFieldsSerializer, request)
        side, link, number = given.pop("side"), given.pop("link"), given.pop("game")
        handed = Handed(form=Scoresheet.Form.PASTED, **given)
        filed = sheets.file_sheet(actor_of(request), board.pk, handed, side=side, link=link, number=number)
        body = {
            "sheet": SheetSerializer(filed.sheet).data,
            "verdict": _verdict(filed.sheet, filed.verdict),
            "again": filed.again,
        }
        return private(body, status=200 if filed.again else 201)


class VerdictView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="read_verdict",
        tags=["games"],
        parameters=[LINK],
        responses={
            200: inline_serializer("Verdict", {"verdict": serializers.JSONField()}),
            **errors(403, 404),
        },
    )
    def get(self, request: Request, event: str, section: str, pairing: int, sheet: int) -> Response:
        """What the law says of one sheet, by the present version of the rules."""
        board = pairing_at(request, event, section, pairing)
        row = Scoresheet.objects.select_related("game").filter(pk=sheet, game__pairing=board).first()
        if row is None:
            raise NotFound
        seat = seat_at(board, row.game.number)
        acting_side(actor_of(request), seat, side=row.side, link=request.query_params.get("link", ""))
        row.game.pairing = board
        value = reading.sheet_value(row)
        return private({"verdict": record(1, value, rules.validate(value, profile=reading.PROFILE))})


class ScoreView(APIView):
    @extend_schema(
        operation_id="accept_score",
        tags=["games"],
        request=ScoreFieldsSerializer,
        responses={200: GameSerializer, **WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Accept the moves of a game and its result together. Refused where they contradict each other without a note."""
        board = pairing_at(request, event, section, pairing)
        given = checked(ScoreFieldsSerializer, request)
        number = given.pop("game")
        game = results.accept_score(actor_of(request), board.pk, Score(**given), number=number)
        return private(_game(seat_of(board.pk, number), game))


class FinalView(APIView):
    @extend_schema(
        operation_id="finalise_result",
        tags=["games"],
        request=NoteSerializer,
        responses={200: GameSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Make the result final. 409 `not-complete` lists in `details.gaps` what is missing."""
        board = pairing_at(request, event, section, pairing)
        given = checked(NoteSerializer, request)
        number = given["game"]
        game = results.finalise(actor_of(request), board.pk, note=given["note"], number=number)
        return private(_game(seat_of(board.pk, number), game))


def _seat(request: Request, board: Pairing) -> Seat:
    """The game of the board that the query names."""
    asked = request.query_params.get("game", "")
    number = whole_number(asked) if asked else 1
    if number is None:
        raise NotFound
    return seat_at(board, number)


def _of_match(seat: Seat) -> dict[str, Any]:
    return {
        "number": seat.number,
        "white": name_of(seat, Side.WHITE),
        "black": name_of(seat, Side.BLACK),
        "outcome": seat.outcome,
        "pace": seat.pace,
        "due": seat.is_due,
    }


def _game(seat: Seat, game: Game | None) -> dict[str, Any]:
    pairing = seat.pairing
    return {
        "id": game.pk if game else None,
        "pairing": pairing.pk,
        "round": pairing.round.number,
        "board": pairing.board,
        "number": seat.number,
        "white": name_of(seat, Side.WHITE),
        "black": name_of(seat, Side.BLACK),
        "outcome": seat.outcome,
        "accepted": bool(game and game.moves),
        "final": bool(game and game.is_final),
        "fen": game.fen if game else "",
        "moves": game.moves if game else [],
        "white_seconds": game.white_time if game else None,
        "black_seconds": game.black_time if game else None,
    }


def _verdict(sheet: Scoresheet, verdict: rules.Verdict) -> dict[str, Any]:
    return record(1, reading.sheet_value(sheet), verdict)
