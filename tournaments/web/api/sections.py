"""Sections: their settings and standing, making, changing, closing and reopening, and what the desk sees of them."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Round, Section
from tournaments.permissions import TABLE, roles_in
from tournaments.selectors import desk, public, records
from tournaments.selectors.public import Status
from tournaments.services import events, results
from tournaments.web import rest
from tournaments.web.api.access import desk_section
from tournaments.web.caching import event_tag, section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import event_at, section_at
from tournaments.wording import sections as section_words

SHOWN = (
    "code", "name", "name_en", "position", "format", "ranking", "numbering", "rounds_total", "time_control", "scheme",
    "preset", "tiebreaks", "policy", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "refunds_withdrawn", "lots_decide",
    "acceleration", "match_rule", "own_match", "own_points", "third_place", "groups", "group_places", "team_boards", "team_places",
)  # fmt: skip


class SectionFieldsSerializer(serializers.ModelSerializer[Section]):
    """What an organizer writes; `reason` is asked for when places rest on the change and rounds are paired."""

    scheme = serializers.ChoiceField(section_words.schemes(), required=False)
    preset = serializers.ChoiceField(section_words.preset_codes(), required=False, allow_blank=True)
    match_rule = serializers.ChoiceField(section_words.match_rules(), required=False, allow_blank=True)
    tiebreaks = serializers.ListField(child=serializers.CharField(), required=False)
    policy = serializers.DictField(required=False)
    own_points = serializers.DictField(required=False)
    own_match = serializers.DictField(required=False)
    reason = serializers.CharField(required=False, allow_blank=True, default="")

    class Meta:
        model = Section
        fields = [*events.SECTION_FIELDS, "reason"]
        extra_kwargs = {"code": {"required": False}}


class SectionSerializer(serializers.ModelSerializer[Section]):
    """`current_round` is the latest published one, 0 before the first."""

    tiebreaks = serializers.ListField(child=serializers.CharField())
    policy = serializers.DictField()
    own_points = serializers.DictField()
    own_match = serializers.DictField()
    is_closed = serializers.BooleanField()
    players = serializers.IntegerField()
    current_round = serializers.IntegerField()
    boards = serializers.IntegerField()
    results = serializers.IntegerField()

    class Meta:
        model = Section
        fields = [*SHOWN, "is_closed", "players", "current_round", "boards", "results"]


def shown(status: Status) -> dict[str, Any]:
    values = {name: getattr(status.section, name) for name in SHOWN}
    return values | {
        "is_closed": status.is_over,
        "players": status.players,
        "current_round": status.round.number if status.round else 0,
        "boards": status.boards,
        "results": status.results,
    }


def _present(section: Section) -> dict[str, Any]:
    (status,) = public.statuses([section])
    return shown(status)


class RoundStateSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    starts_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    boards = serializers.IntegerField()
    missing = serializers.IntegerField()


class DeskSerializer(serializers.Serializer[Any]):
    """What officials see of a section. `version` is what a hand change of a draft must name."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(Section.State.choices)
    seed = serializers.IntegerField()
    initial_colour = serializers.CharField()
    protect_clubs_rounds = serializers.IntegerField()
    drop_absent = serializers.BooleanField()
    roles = serializers.ListField(child=serializers.CharField())
    allowed = serializers.ListField(child=serializers.CharField())
    rounds = RoundStateSerializer(many=True)
    warnings = serializers.ListField(child=serializers.CharField())


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(allow_blank=True, default="")


class SectionListView(APIView):
    @extend_schema(
        operation_id="list_sections",
        tags=["sections"],
        parameters=rest.PAGE,
        responses={200: rest.paged(SectionSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str) -> HttpResponseBase:
        found = event_at(request, event)
        sections = public.sections_of(found)
        tags = [event_tag(found), [section_tag(section) for section in sections]]
        return rest.public(
            request,
            found,
            parts=tags,
            body=lambda: rest.page_of(request, public.statuses(sections), shown),
        )

    @extend_schema(
        operation_id="create_section",
        parameters=rest.ONCE,
        tags=["sections"],
        request=SectionFieldsSerializer,
        responses={201: SectionSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """A section; the preset gives tie-breaks and the treatment of byes where the fields name none."""
        found = event_at(request, event)
        fields = rest.checked(SectionFieldsSerializer, request)
        fields.pop("reason", None)
        section = rest.once(request, lambda: events.create_section(actor_of(request), found.pk, fields))
        return rest.private(_present(section), status=201, location=f"{request.path}{section.code}/")


class SectionView(APIView):
    @extend_schema(
        operation_id="read_section",
        tags=["sections"],
        responses={200: SectionSerializer, **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        found = section_at(request, event, section)
        return rest.public(request, found.event, parts=[section_tag(found)], body=lambda: _present(found))

    @extend_schema(
        operation_id="update_section",
        tags=["sections"],
        request=SectionFieldsSerializer,
        responses={200: SectionSerializer, **rest.WRITE_ERRORS},
    )
    def patch(self, request: Request, event: str, section: str) -> Response:
        found = section_at(request, event, section)
        fields = rest.checked(SectionFieldsSerializer, request, partial=True)
        reason = fields.pop("reason", "")
        changed = events.update_section(actor_of(request), found.pk, fields, reason=reason)
        return rest.private(_present(changed))

    @extend_schema(
        operation_id="delete_section", tags=["sections"], responses={204: None, **rest.WRITE_ERRORS}
    )
    def delete(self, request: Request, event: str, section: str) -> Response:
        """Only while nothing is paired in it."""
        events.delete_section(actor_of(request), section_at(request, event, section).pk)
        return rest.no_content()


class SectionDeskView(APIView):
    @extend_schema(
        operation_id="read_desk", tags=["desk"], responses={200: DeskSerializer, **rest.errors(403, 404)}
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """For officials: every round with its state, drafts too, and what you may do."""
        found = desk_section(request, event, section)
        kinds = roles_in(actor_of(request).user, found.event)
        body = {
            **{name: getattr(found, name) for name in ("version", "state", "seed", "initial_colour")},
            "protect_clubs_rounds": found.protect_clubs_rounds,
            "drop_absent": found.drop_absent,
            "roles": sorted(kinds),
            "allowed": sorted(action.value for action, who in TABLE.items() if who & kinds),
            "rounds": [RoundStateSerializer(row).data for row in records.rounds(found)],
            "warnings": [text] if (text := desk.rounds_warning(found)) else [],
        }
        return rest.private(body)


class SectionClosingView(APIView):
    @extend_schema(
        operation_id="close_section",
        tags=["sections"],
        request=ReasonSerializer,
        responses={200: SectionSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Final standings. Refused while a result or a round is missing, or a draft waits; while appeals are open, without
        a `reason`.
        """
        found = section_at(request, event, section)
        given = rest.checked(ReasonSerializer, request)
        results.close_section(actor_of(request), found.pk, reason=given["reason"])
        return rest.private(_present(section_at(request, event, section)))


class SectionReopeningView(APIView):
    @extend_schema(
        operation_id="reopen_section",
        tags=["sections"],
        request=ReasonSerializer,
        responses={200: SectionSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Back from closed to running, with a reason, to correct something."""
        found = section_at(request, event, section)
        reason = rest.checked(ReasonSerializer, request)["reason"]
        return rest.private(_present(results.reopen_section(actor_of(request), found.pk, reason=reason)))
