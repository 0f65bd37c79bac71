"""Files: where the public ones are, the whole event as a document, and events and sections made from files."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.documents.parts import LeftOut
from tournaments.encodings import CHOICES
from tournaments.exports.event_json import export_event
from tournaments.models import Event, Pairing, Section
from tournaments.permissions import Action
from tournaments.selectors import records, tables
from tournaments.services import event_import, trf_import
from tournaments.web import rest
from tournaments.web.api.access import desk_event
from tournaments.web.api.events import EventSerializer
from tournaments.web.caching import section_tag
from tournaments.web.http import actor_of
from tournaments.web.rest import event_at, section_at

SPREADSHEETS = ("csv", "xlsx")


class FileLinkSerializer(serializers.Serializer[Any]):
    """A file that anybody may take away. `name` is players, standings, cross, results, round-N, results-book or report."""

    name = serializers.CharField()
    form = serializers.CharField()
    url = serializers.CharField()


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()


class ReportUploadSerializer(UploadSerializer):
    encoding = serializers.ChoiceField(
        choices=CHOICES, required=False, allow_blank=True, help_text="Found out where left out."
    )


class EventDocumentSerializer(serializers.Serializer[Any]):
    """The whole event, form `draughts-event`; it can be sent to another site, which sets up the same event."""

    format = serializers.CharField()
    version = serializers.IntegerField()
    event = serializers.DictField()


class LeftOutSerializer(serializers.Serializer[LeftOut]):
    what = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class ImportedEventSerializer(EventSerializer):
    """The event made, and what of the document has no place on this site."""

    left_out = LeftOutSerializer(many=True)

    class Meta(EventSerializer.Meta):
        fields = [*EventSerializer.Meta.fields, "left_out"]


class ReportSerializer(serializers.Serializer[Any]):
    """The section made from a report file, and what of the file has no place here."""

    section = serializers.CharField()
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    pairings = serializers.IntegerField()
    left_out = LeftOutSerializer(many=True)


def file_names(rounds: list[int], *, has_table: bool) -> list[tuple[str, str]]:
    """(name, form) of every file that there is."""
    sheets = ["players"]
    if has_table:
        sheets.append("standings")
    if rounds:
        sheets += ["results", "cross", *(f"round-{number}" for number in rounds)]
    found = [(name, form) for name in sheets for form in SPREADSHEETS]
    if rounds:
        found += [("results-book", "pdf"), ("results-book", "xlsx"), ("report", "trf")]
    return found


class FileListView(APIView):
    @extend_schema(
        operation_id="list_files",
        tags=["files"],
        parameters=rest.PAGE,
        responses={200: rest.paged(FileLinkSerializer), **rest.READ_ERRORS},
    )
    def get(self, request: Request, event: str, section: str) -> HttpResponseBase:
        """The files of what is public: lists for spreadsheets, the report file, the results book."""
        found = section_at(request, event, section)
        editions = tables.editions(found)

        def body() -> dict[str, Any]:
            rounds = list(records.public_rounds(found).values_list("number", flat=True))

            def show(named: tuple[str, str]) -> dict[str, str]:
                name, form = named
                address = reverse("download:section_file", args=[event, section, name, form])
                return {"name": name, "form": form, "url": request.build_absolute_uri(address)}

            return rest.page_of(request, file_names(rounds, has_table=bool(editions)), show)

        return rest.public(request, found.event, parts=[section_tag(found), editions], body=body)


class EventDocumentView(APIView):
    @extend_schema(
        operation_id="read_event_document",
        tags=["files"],
        parameters=[OpenApiParameter("log", bool, description="With the log, for those who may read it.")],
        responses={200: EventDocumentSerializer, **rest.errors(403, 404)},
    )
    def get(self, request: Request, event: str) -> Response:
        """For officials: the whole event, drafts included, as one document."""
        with_log = request.query_params.get("log", "").lower() in ("1", "true")
        found = desk_event(request, event, Action.READ_AUDIT if with_log else Action.VIEW_DESK)
        return rest.private(export_event(found, with_log=with_log))


class EventDocumentListView(APIView):
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="import_event",
        parameters=rest.ONCE,
        tags=["files"],
        request={"multipart/form-data": UploadSerializer},
        responses={201: ImportedEventSerializer, **rest.errors(400, 401, 403)},
    )
    def post(self, request: Request) -> Response:
        """A new event from a document, you its organizer. Sent again it is the same event, and nothing is told as left out."""
        upload = rest.checked(UploadSerializer, request)["file"]
        left_out: list[LeftOut] = []

        def make() -> Event:
            made = event_import.import_event(actor_of(request), upload.read(), filename=upload.name or "")
            left_out.extend(made.left_out)
            return made.event

        event = rest.once(request, make)
        return rest.private(
            {**EventSerializer(event).data, "left_out": [LeftOutSerializer(each).data for each in left_out]},
            status=201,
            location=reverse("api-event", args=[event.code]),
        )


class ReportListView(APIView):
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="import_report",
        parameters=rest.ONCE,
        tags=["files"],
        request={"multipart/form-data": ReportUploadSerializer},
        responses={201: ReportSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str) -> Response:
        """A new section from a tournament report file (TRF). Sent again it is the same section, and nothing is left out."""
        found = event_at(request, event)
        given = rest.checked(ReportUploadSerializer, request)
        upload = given["file"]
        left_out: list[LeftOut] = []

        def make() -> Section:
            content, name = upload.read(), upload.name or ""
            made = trf_import.import_trf(
                actor_of(request), found.pk, content, filename=name, encoding=given.get("encoding", "")
            )
            left_out.extend(made.left_out)
            return made.section

        made = rest.once(request, make)
        counts = {
            "players": made.entries.count(),
            "rounds": made.rounds.exclude(published_at=None).count(),
            "pairings": Pairing.objects.filter(
                round__section=made, round__published_at__isnull=False
            ).count(),
        }
        return rest.private(
            {
                "section": made.code,
                **counts,
                "left_out": [LeftOutSerializer(each).data for each in left_out],
            },
            status=201,
            location=reverse("api-section", args=[found.code, made.code]),
        )
