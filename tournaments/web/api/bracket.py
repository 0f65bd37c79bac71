"""A bracket after a corrected result: what is left to settle, and setting it right."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.formats.repairs import Kind
from tournaments.models import Section
from tournaments.selectors import repairs
from tournaments.services import bracket_repair
from tournaments.web import rest
from tournaments.web.api.access import desk_section
from tournaments.web.api.drafts import BoardSerializer
from tournaments.web.api.entries import EntryLinkSerializer
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


class RepairSerializer(serializers.Serializer[repairs.Told]):
    """`replace`: others belong on a board that has not begun; `waits`: it is open who; `stands`: the tie after the
    corrected one has begun and stands; `qualifiers`: the groups would send others. `round` and `board` are 0 for the last.
    """

    kind = serializers.ChoiceField([kind.value for kind in Kind])
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    leaving = EntryLinkSerializer(many=True)
    coming = EntryLinkSerializer(many=True)
    text = serializers.CharField()
    help = serializers.CharField()


class RepairsSerializer(serializers.Serializer[Any]):
    """`version` is what setting the bracket right must name."""

    version = serializers.IntegerField()
    repairs = RepairSerializer(many=True)


class SetRightSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="Version of the section as you saw it.")
    reason = serializers.CharField(max_length=500)


class RepairedSerializer(RepairsSerializer):
    boards = BoardSerializer(many=True)


def _open(section: Section) -> dict[str, Any]:
    section.refresh_from_db(fields=["version"])
    return {
        "version": section.version,
        "repairs": [RepairSerializer(told).data for told in repairs.of(section)],
    }


class BracketRepairView(APIView):
    @extend_schema(
        operation_id="read_bracket_repairs",
        tags=["desk"],
        responses={200: RepairsSerializer, **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """For officials: what a corrected result leaves to settle in the bracket."""
        return rest.private(_open(desk_section(request, event, section)))

    @extend_schema(
        operation_id="set_bracket_right",
        tags=["desk"],
        request=SetRightSerializer,
        responses={200: RepairedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Whoever belongs there by the results, into every drawn tie that has not begun."""
        found = section_at(request, event, section)
        boards = bracket_repair.set_bracket_right(
            actor_of(request), found.pk, **rest.checked(SetRightSerializer, request)
        )
        body = {**_open(found), "boards": [BoardSerializer(board).data for board in boards]}
        return rest.private(body)
