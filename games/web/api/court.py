"""The court through the interface: incidents and rulings for officials, public rulings for everybody."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Category, Effect, Incident, Raiser, Ruling
from games.permissions import Act, require
from games.selectors import court, court_cases
from games.services.court import incidents, rulings
from games.services.court.incidents import MOST_PLIES, Report
from games.services.court.orders import Order
from games.web.api.support import pairing_at
from games.wording import court as court_words
from tournaments.audit import Actor
from tournaments.audit.reasons import worded
from tournaments.errors import NotFound
from tournaments.models import Entry, Event, Section
from tournaments.web.http import actor_of
from tournaments.web.rest import (
    PAGE,
    WRITE_ERRORS,
    checked,
    errors,
    event_at,
    page_of,
    paged,
    private,
    public_body,
)


class CourtEntrySerializer(serializers.Serializer[Entry]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="player.name")


class PublicRulingSerializer(serializers.Serializer[Any]):
    """A ruling that stands on the notice board. `side` is whom it meets, W or B, empty for both; `words` say it all."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    section = serializers.CharField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    white = CourtEntrySerializer(allow_null=True)
    black = CourtEntrySerializer(allow_null=True)
    category = serializers.CharField()
    article = serializers.CharField()
    effect = serializers.CharField()
    side = serializers.CharField(allow_blank=True)
    words = serializers.CharField()
    state = serializers.CharField()
    in_force_at = serializers.DateTimeField(allow_null=True)


class RulingSerializer(PublicRulingSerializer):
    """With what stays between officials and parties: seconds charged (a minus restores), reasons, by whom, how it ended."""

    incident = serializers.IntegerField()
    white_seconds = serializers.IntegerField()
    black_seconds = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    is_public = serializers.BooleanField()
    made_by = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_reason = serializers.CharField(allow_blank=True)


class IncidentSerializer(serializers.Serializer[Any]):
    """`settled` is empty while it waits for a ruling; `ply` and `plies_made` are single moves, counted from 1.

    Of somebody without a board `board` is 0, `against` is P, and `person` names him; `entry` and `member` say which player.
    """

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    section = serializers.CharField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    pairing = serializers.IntegerField(allow_null=True)
    game = serializers.IntegerField(allow_null=True, help_text="The number of the game in a match.")
    white = CourtEntrySerializer(allow_null=True)
    black = CourtEntrySerializer(allow_null=True)
    category = serializers.CharField()
    article = serializers.CharField()
    raised_by = serializers.CharField()
    against = serializers.CharField(allow_blank=True)
    ply = serializers.IntegerField(allow_null=True)
    plies_made = serializers.IntegerField(allow_null=True)
    moved_on = serializers.BooleanField(allow_null=True)
    asked = serializers.CharField(allow_blank=True)
    entry = CourtEntrySerializer(allow_null=True)
    member = serializers.IntegerField(allow_null=True)
    person = serializers.CharField(allow_blank=True)
    person_role = serializers.CharField(allow_blank=True)
    refused = serializers.BooleanField()
    flag_fell = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
    settled = serializers.CharField(allow_blank=True)
    happened_at = serializers.DateTimeField()
    logged_at = serializers.DateTimeField()
    rulings = RulingSerializer(many=True)


class ReportFieldsSerializer(serializers.Serializer[Any]):
    """`raised_by` is W, B or A (the arbiter); `against` W, B or empty; `article` empty takes the usual one.

    `submission` is a number of your own: sent twice, the incident is logged once. `game` is the number of the game in a
    match; White and Black are those of that game.
    """

    game = serializers.IntegerField(default=1, min_value=1)
    category = serializers.CharField(help_text=", ".join(Category.values), max_length=16)
    raised_by = serializers.CharField(default=str(Raiser.ARBITER), max_length=1)
    against = serializers.CharField(default="", allow_blank=True, max_length=1)
    article = serializers.CharField(default="", allow_blank=True, max_length=12)
    ply = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=MOST_PLIES)
    plies_made = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=MOST_PLIES)
    moved_on = serializers.BooleanField(
        default=None,
        allow_null=True,
        help_text="Whether the opponent has moved since an irregular move (7.7).",
    )
    asked = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=8,
        help_text="What the opponent asks for (7.4): RECTIFY, STAND.",
    )
    member = serializers.IntegerField(
        default=None, allow_null=True, help_text="The player of a team where no line-up is entered."
    )
    refused = serializers.BooleanField(default=False)
    flag_fell = serializers.BooleanField(default=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=1000)
    happened_at = serializers.DateTimeField(default=None, allow_null=True)
    submission = serializers.CharField(default="", allow_blank=True, max_length=64)


class OrderFieldsSerializer(serializers.Serializer[Any]):
    """`side` is whom it meets: W, B, or P for the person the incident names; seconds are charged, with a minus restored; `text` gives the reasons."""

    effect = serializers.CharField(help_text=", ".join(Effect.values), max_length=14)
    side = serializers.CharField(default="", allow_blank=True, max_length=1)
    article = serializers.CharField(default="", allow_blank=True, max_length=12)
    white_seconds = serializers.IntegerField(default=0)
    black_seconds = serializers.IntegerField(default=0)
    text = serializers.CharField(default="", allow_blank=True, max_length=1000)


class RulingReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(default="", allow_blank=True, max_length=500)


ARTICLE = OpenApiParameter("article", str, description="A number of an article, with its clauses.")
CATEGORY = OpenApiParameter(
    "category", str, description="What happened.", enum=[str(each) for each in Category.values]
)
SECTION = OpenApiParameter("section", str, description="Address code of a section.")
ROUND = OpenApiParameter("round", int, description="One round only.")
OPEN = OpenApiParameter("open", bool, description="Only incidents that wait for a ruling.")


def category_asked(request: Request) -> str:
    """Raises ValidationError for one that there is not."""
    asked = request.query_params.get("category", "")
    if asked and asked not in Category.values:
        raise ValidationError({"category": [", ".join(Category.values)]})
    return asked


def section_asked(request: Request, event: Event) -> Section | None:
    """None where none was asked for. Raises NotFound."""
    code = request.query_params.get("section", "")
    found = event.sections.filter(code=code).first() if code else None
    if code and found is None:
        raise NotFound
    return found


def round_asked(request: Request) -> int | None:
    text = request.query_params.get("round", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 6):
        raise ValidationError({"round": ["0-9"]})
    return int(text) if text else None


def entry_link(entry: Entry | None) -> dict[str, Any] | None:
    return dict(CourtEntrySerializer(entry).data) if entry is not None else None


def public_ruling(ruling: Ruling) -> dict[str, Any]:
    incident = ruling.incident
    return {
        "id": ruling.pk,
        "number": ruling.number,
        "section": incident.section.code,
        "round": incident.round_number,
        "board": incident.board,
        "white": entry_link(incident.white),
        "black": entry_link(incident.black),
        "category": incident.category,
        "article": ruling.article,
        "effect": ruling.effect,
        "side": ruling.side,
        "words": court_words.what(ruling),
        "state": ruling.state,
        "in_force_at": ruling.in_force_at,
    }


def whole_ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        **public_ruling(ruling),
        "incident": ruling.incident_id,
        "white_seconds": ruling.white_seconds,
        "black_seconds": ruling.black_seconds,
        "text": worded(ruling.text),
        "is_public": ruling.notice_id is not None,
        "made_by": str(ruling.made_by or ""),
        "made_at": ruling.made_at,
        "ended_at": ruling.ended_at,
        "ended_reason": ruling.ended_reason,
    }


_INCIDENT = (
    "number", "board", "category", "article", "raised_by", "against", "ply", "plies_made", "refused", "flag_fell", "note",
    "settled", "happened_at", "logged_at", "moved_on", "asked", "person", "person_role",
)  # fmt: skip


def incident_body(incident: Incident) -> dict[str, Any]:
    found = list(incident.rulings.all())
    for ruling in found:
        ruling.incident = incident
    return {
        "id": incident.pk,
        "section": incident.section.code,
        "round": incident.round_number,
        "pairing": incident.pairing_id,
        "game": incident.game.number if incident.game is not None else None,
        "white": entry_link(incident.white),
        "black": entry_link(incident.black),
        "entry": entry_link(incident.entry),
        "member": incident.member_id,
        **{name: getattr(incident, name) for name in _INCIDENT},
        "rulings": [whole_ruling(ruling) for ruling in found],
    }


def _incident_of(actor: Actor, event: Event, pk: int, act: Act) -> Incident:
    found = court.incident_for(actor, pk, act)
    if found.event_id != event.pk:
        raise NotFound
    return found


def _ruling_of(actor: Actor, event: Event, pk: int) -> Ruling:
    """A ruling of this event; whoever has no place at its court finds nothing."""
    found = court.ruling_for(actor, pk)
    if found.event_id != event.pk:
        raise NotFound
    return found


def _answer(actor: Actor, ruling: Ruling, *, status: int = 200) -> Response:
    return private(whole_ruling(court.ruling_for(actor, ruling.pk)), status=status)


class RulingListView(APIView):
    @extend_schema(
        operation_id="list_rulings",
        tags=["court"],
        parameters=[*PAGE, ARTICLE, CATEGORY, SECTION],
        responses={200: paged(PublicRulingSerializer), **errors(400, 404)},
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        """The rulings that stand on the notice board, those taken back too; the latest first."""
        found = event_at(request, event)
        article, category = request.query_params.get("article", ""), category_asked(request)
        section = section_asked(request, found)
        rows = [
            ruling
            for ruling in court_cases.public_rulings(found)
            if (not article or f"{ruling.article}.".startswith(f"{article}."))
            and (not category or ruling.incident.category == category)
            and (section is None or ruling.incident.section_id == section.pk)
        ]
        return public_body(request, found, page_of(request, rows, public_ruling))


class IncidentListView(APIView):
    @extend_schema(
        operation_id="list_incidents",
        tags=["court"],
        parameters=[*PAGE, OPEN, CATEGORY, SECTION, ROUND],
        responses={200: paged(IncidentSerializer), **errors(400, 403, 404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """For officials and the committee: what was logged, with every ruling on it; the latest first."""
        found = event_at(request, event)
        require(actor_of(request), Act.READ_COURT, found)
        rows = court.incidents_of(found.incidents.all())
        if request.query_params.get("open", "").lower() in ("1", "true"):
            rows = rows.filter(settled="")
        if category := category_asked(request):
            rows = rows.filter(category=category)
        if section := section_asked(request, found):
            rows = rows.filter(section=section)
        if number := round_asked(request):
            rows = rows.filter(round_number=number)
        return private(page_of(request, rows, incident_body))


class IncidentView(APIView):
    @extend_schema(
        operation_id="read_incident",
        tags=["court"],
        responses={200: IncidentSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, event: str, incident: int) -> Response:
        """For officials and the committee: one incident with its rulings."""
        found = event_at(request, event)
        return private(incident_body(_incident_of(actor_of(request), found, incident, Act.READ_COURT)))


class BoardIncidentListView(APIView):
    @extend_schema(
        operation_id="log_incident",
        tags=["court"],
        request=ReportFieldsSerializer,
        responses={201: IncidentSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, pairing: int) -> Response:
        """Log what happened at a board. 403 `opponent-only` where the articles leave it to the opponent to raise."""
        actor = actor_of(request)
        board = pairing_at(request, event, section, pairing)
        require(actor, Act.LOG_INCIDENT, board.round.section.event)
        given = checked(ReportFieldsSerializer, request)
        made = incidents.log_incident(actor, board.pk, Report(**given))
        return private(incident_body(court.incident_for(actor, made.pk)), status=201)


class IncidentSettlingView(APIView):
    @extend_schema(
        operation_id="let_move_stand",
        tags=["court"],
        request=None,
        responses={200: IncidentSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, incident: int) -> Response:
        """The opponent lets an irregular move stand (7.4, 7.7)."""
        actor, found = actor_of(request), event_at(request, event)
        incidents.let_stand(actor, _incident_of(actor, found, incident, Act.LOG_INCIDENT).pk)
        return private(incident_body(court.incident_for(actor, incident)))


class IncidentRefusalView(APIView):
    @extend_schema(
        operation_id="note_refusal",
        tags=["court"],
        request=None,
        responses={200: IncidentSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, incident: int) -> Response:
        """The player refuses to put it right (14.3, 14.4): the loss of the game is proposed, a ruling to confirm."""
        actor, found = actor_of(request), event_at(request, event)
        incidents.note_refusal(actor, _incident_of(actor, found, incident, Act.LOG_INCIDENT).pk)
        return private(incident_body(court.incident_for(actor, incident)))


class IncidentRulingListView(APIView):
    @extend_schema(
        operation_id="rule",
        tags=["court"],
        request=OrderFieldsSerializer,
        responses={201: RulingSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, incident: int) -> Response:
        """Rule on an incident. The same order twice is one ruling; a disqualification waits for the chief arbiter."""
        actor, found = actor_of(request), event_at(request, event)
        subject = _incident_of(actor, found, incident, Act.RULE)
        order = Order(**checked(OrderFieldsSerializer, request))
        return _answer(actor, rulings.rule(actor, subject.pk, order), status=201)


class RulingConfirmationView(APIView):
    @extend_schema(
        operation_id="confirm_ruling",
        tags=["court"],
        request=None,
        responses={200: RulingSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, ruling: int) -> Response:
        """Put a proposed ruling in force; as the chief arbiter approve a disqualification."""
        actor = actor_of(request)
        subject = _ruling_of(actor, event_at(request, event), ruling)
        return _answer(actor, rulings.confirm_ruling(actor, subject.pk))


class RulingRefusalView(APIView):
    @extend_schema(
        operation_id="refuse_ruling",
        tags=["court"],
        request=RulingReasonSerializer,
        responses={200: RulingSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, ruling: int) -> Response:
        """Let what waits come to nothing, with a reason."""
        actor = actor_of(request)
        subject = _ruling_of(actor, event_at(request, event), ruling)
        given = checked(RulingReasonSerializer, request)
        return _answer(actor, rulings.refuse_ruling(actor, subject.pk, **given))


class RulingWithdrawalView(APIView):
    @extend_schema(
        operation_id="withdraw_ruling",
        tags=["court"],
        request=RulingReasonSerializer,
        responses={200: RulingSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, ruling: int) -> Response:
        """Take a ruling back, with a reason: what it did is put back."""
        actor = actor_of(request)
        subject = _ruling_of(actor, event_at(request, event), ruling)
        given = checked(RulingReasonSerializer, request)
        return _answer(actor, rulings.withdraw_ruling(actor, subject.pk, **given))


class RulingRevisionView(APIView):
    @extend_schema(
        operation_id="revise_ruling",
        tags=["court"],
        request=OrderFieldsSerializer,
        responses={201: RulingSerializer, **WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, ruling: int) -> Response:
        """Replace a ruling by another on the same incident; `text` says why."""
        actor = actor_of(request)
        subject = _ruling_of(actor, event_at(request, event), ruling)
        order = Order(**checked(OrderFieldsSerializer, request))
        return _answer(actor, rulings.revise_ruling(actor, subject.pk, order), status=201)
