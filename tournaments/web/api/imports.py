"""Entering a list from a file: hold it, look at what it would enter, choose how it is read, enter it whole or drop it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.encodings import CHOICES
from tournaments.errors import BadInput
from tournaments.importers.columns import Column
from tournaments.importers.entry_list import Preview, Remark
from tournaments.models import ImportDraft
from tournaments.services import entry_import
from tournaments.services.entry_import import Options
from tournaments.web import rest
from tournaments.web.api.access import import_in
from tournaments.web.http import actor_of
from tournaments.web.parsers import JSONParser
from tournaments.web.rest import section_at


class FileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="CSV or XLSX, with a header line.")
    encoding = serializers.ChoiceField(choices=CHOICES, required=False, allow_blank=True)
    sheet = serializers.CharField(required=False, allow_blank=True)
    repeats = serializers.CharField(required=False, allow_blank=True)


class OptionsSerializer(serializers.Serializer[Any]):
    """How the file is read.

    `columns` maps a column's index to a field, or to null for one that is not read; the lines of `left_out` are not
    entered.
    """

    encoding = serializers.ChoiceField(choices=CHOICES, required=False, allow_blank=True)
    sheet = serializers.CharField(required=False, allow_blank=True)
    repeats = serializers.CharField(required=False, allow_blank=True)
    columns = serializers.DictField(child=serializers.CharField(allow_null=True), required=False)
    left_out = serializers.ListField(child=serializers.IntegerField(min_value=1), required=False)


class RemarkSerializer(serializers.Serializer[Remark]):
    line = serializers.IntegerField()
    column = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    reason = serializers.CharField()


class ColumnSerializer(serializers.Serializer[Column]):
    """`field` is null for a column that is not read."""

    index = serializers.IntegerField()
    header = serializers.CharField(allow_blank=True)
    field = serializers.CharField(allow_null=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What the file would enter now. `problems` must be none before it can be entered."""

    id = serializers.IntegerField()
    filename = serializers.CharField()
    options = serializers.DictField()
    is_ready = serializers.BooleanField()
    rows = serializers.ListField(child=serializers.DictField())
    problems = RemarkSerializer(many=True)
    warnings = RemarkSerializer(many=True)
    repeats = serializers.ListField(child=serializers.IntegerField())
    left_out = serializers.ListField(child=serializers.IntegerField())
    columns = ColumnSerializer(many=True)
    encoding = serializers.CharField(allow_null=True)
    sheet = serializers.CharField(allow_blank=True)
    other_sheets = serializers.ListField(child=serializers.CharField())


class ImportedSerializer(serializers.Serializer[Any]):
    entries = serializers.ListField(child=serializers.IntegerField())
    skipped_lines = serializers.ListField(child=serializers.IntegerField())


ROWS_SHOWN = 500


def _preview(draft: ImportDraft, preview: Preview) -> dict[str, Any]:
    return {
        "id": draft.pk,
        "filename": draft.filename,
        "options": draft.options,
        "is_ready": preview.is_ready,
        "rows": [asdict(row) for row in preview.rows[:ROWS_SHOWN]],
        "problems": [RemarkSerializer(each).data for each in preview.problems[:ROWS_SHOWN]],
        "warnings": [RemarkSerializer(each).data for each in preview.warnings[:ROWS_SHOWN]],
        "repeats": list(preview.repeats),
        "left_out": [row.line for row in preview.left_out],
        "columns": [ColumnSerializer(each).data for each in preview.columns],
        "encoding": preview.encoding.value if preview.encoding else None,
        "sheet": preview.sheet,
        "other_sheets": list(preview.other_sheets),
    }


class ImportListView(APIView):
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="hold_entry_list",
        tags=["imports"],
        request={"multipart/form-data": FileSerializer},
        responses={201: PreviewSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str) -> Response:
        """Upload a list and see what it would enter. Nothing is entered yet."""
        found = section_at(request, event, section)
        given = rest.checked(FileSerializer, request)
        upload = given.pop("file")
        actor = actor_of(request)
        draft = entry_import.hold_entries(
            actor,
            found.pk,
            filename=upload.name or "",
            content=upload.read(),
            options=Options.from_json(given),
        )
        try:
            body = _preview(draft, entry_import.look_at_entries(actor, draft.pk))
        except BadInput:  # no table at all: there is nothing to choose options for
            entry_import.drop_entries_file(actor, draft.pk)
            raise
        return rest.private(body, status=201, location=f"{request.path}{draft.pk}/")


class ImportView(APIView):
    parser_classes = (JSONParser,)

    @extend_schema(
        operation_id="preview_entry_list",
        tags=["imports"],
        responses={200: PreviewSerializer, **rest.errors(400, 401, 403, 404)},
    )
    def get(self, request: Request, event: str, section: str, draft: int) -> Response:
        """What the held file would enter now."""
        held = import_in(request, section_at(request, event, section), draft)
        return rest.private(_preview(held, entry_import.look_at_entries(actor_of(request), held.pk)))

    @extend_schema(
        operation_id="choose_entry_list_options",
        tags=["imports"],
        request=OptionsSerializer,
        responses={200: PreviewSerializer, **rest.WRITE_ERRORS},
    )
    def put(self, request: Request, event: str, section: str, draft: int) -> Response:
        """Read the held file in another way."""
        held = import_in(request, section_at(request, event, section), draft)
        options = Options.from_json(rest.checked(OptionsSerializer, request))
        changed = entry_import.choose_options(actor_of(request), held.pk, options)
        return rest.private(_preview(changed, entry_import.look_at_entries(actor_of(request), held.pk)))

    @extend_schema(
        operation_id="drop_entry_list", tags=["imports"], responses={204: None, **rest.WRITE_ERRORS}
    )
    def delete(self, request: Request, event: str, section: str, draft: int) -> Response:
        """Throw the held file away."""
        held = import_in(request, section_at(request, event, section), draft)
        entry_import.drop_entries_file(actor_of(request), held.pk)
        return rest.no_content()


class ImportConfirmationView(APIView):
    @extend_schema(
        operation_id="enter_entry_list",
        tags=["imports"],
        request=None,
        responses={200: ImportedSerializer, **rest.WRITE_ERRORS},
    )
    def post(self, request: Request, event: str, section: str, draft: int) -> Response:
        """Enter every row, or none: bad rows are told in `details.rows`, by line."""
        found = section_at(request, event, section)
        imported = entry_import.import_entries(actor_of(request), found.pk, draft)
        return rest.private(
            {
                "entries": [entry.pk for entry in imported.entries],
                "skipped_lines": list(imported.skipped),
            }
        )
