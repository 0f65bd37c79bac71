"""The entry list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.encodings import CHOICES as ENCODINGS
from tournaments.engine.types import Outcome
from tournaments.importers.columns import LABELS, Column
from tournaments.importers.entry_list import Preview, Repeats
from tournaments.importers.tables import MAX_BYTES, Table
from tournaments.models import OUTCOME_LABELS, Entry, ImportDraft, Player
from tournaments.services.entry_import import Options
from tournaments.web.desk.forms.files import limited

REPEATS = [(Repeats.REFUSE.value, _("are an error")), (Repeats.SKIP.value, _("are skipped"))]
COLUMN_CHOICES = [("", _("not read")), *((name.value, label) for name, label in LABELS.items())]


if TYPE_CHECKING:
    PlayerBase = forms.ModelForm[Player]
else:
    PlayerBase = forms.ModelForm


class EntryForm(PlayerBase):
    seed_number = forms.IntegerField(label=_("seed number"), required=False, min_value=1)
    lot_number = forms.IntegerField(label=_("lot number"), required=False, min_value=1)

    class Meta:
        model = Player
        fields = (
            "name", "club", "rating", "federation", "sex", "birth_year", "family_name", "latin_name", "title", "grade",
            "fmjd_id", "family",
        )  # fmt: skip

    def __init__(self, *args: Any, entry: Entry | None = None, **kwargs: Any) -> None:
        if entry is not None:
            kwargs["instance"] = entry.player
            kwargs["initial"] = {"seed_number": entry.seed_number, "lot_number": entry.lot_number}
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True
        self.fields["rating"].required = False
        self.fields["rating"].help_text = _("0 for unrated.")
        for name in ("family_name", "latin_name"):
            self.fields[name].help_text = _("Leave empty: it is read from the name.")

    def clean_rating(self) -> int:
        return self.cleaned_data.get("rating") or 0

    def values(self) -> dict[str, Any]:
        return dict(self.cleaned_data)

    def changed_values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data if name in self.cleaned_data}


class WithdrawForm(forms.Form):
    after_round = forms.IntegerField(label=_("last round played"), min_value=0)
    reason = forms.CharField(label=_("reason"), max_length=300, required=False)


class AbsenceForm(forms.Form):
    round_number = forms.IntegerField(label=_("round"), min_value=1)
    kind = forms.ChoiceField(
        label=_("gets"),
        choices=[
            (Outcome.ZERO_BYE.value, _("absent: no points")),
            (Outcome.HALF_BYE.value, OUTCOME_LABELS[Outcome.HALF_BYE]),
            (Outcome.BYE.value, _("full-point bye")),
        ],
    )
    reason = forms.CharField(label=_("reason"), max_length=200, required=False)


class UploadForm(forms.Form):
    file = forms.FileField(
        validators=[limited(MAX_BYTES)],
        label=_("file"),
        help_text=_(
            "CSV or XLSX. The first line names the columns, such as 姓名, 单位, 等级分 or name, club, rating."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
    )
    repeats = forms.ChoiceField(
        label=_("players who are entered already"),
        choices=REPEATS,
        initial=Repeats.REFUSE.value,
    )

    def options(self) -> Options:
        return Options(repeats=Repeats(self.cleaned_data["repeats"]))


class ReadingForm(forms.Form):
    """How a held file is read: encoding, sheet, what each column is. Columns left as they were are found by the header."""

    repeats = forms.ChoiceField(label=_("players who are entered already"), choices=REPEATS)
    encoding = forms.ChoiceField(label=_("encoding"), required=False, choices=ENCODINGS)
    sheet = forms.ChoiceField(label=_("sheet"), required=False)

    @classmethod
    def of(cls, held: ImportDraft, preview: Preview | None) -> ReadingForm:
        form = cls(initial={**held.options, "encoding": _encoding(held, preview)})
        sheets = (preview.sheet, *preview.other_sheets) if preview and preview.sheet else ()
        if len(sheets) > 1:
            _choices(form, "sheet", [(name, name) for name in sheets])
            form.initial["sheet"] = preview.sheet if preview else ""
        else:
            del form.fields["sheet"]
        for column in preview.columns if preview else ():
            form.add_column(column)
        return form

    @classmethod
    def of_table(cls, held: ImportDraft, table: Table | None) -> ReadingForm:
        """For a file whose columns were not understood: every column can be named by hand."""
        form = cls.of(held, None)
        first = table.rows[0].cells if table and table.rows else ()
        for index in range(table.width if table else 0):
            form.add_column(
                Column(index=index, header=first[index] if index < len(first) else "", field=None)
            )
        return form

    def add_column(self, column: Column) -> None:
        name = f"column-{column.index}"
        self.fields[name] = forms.ChoiceField(
            label=column.header or str(column.index + 1), required=False, choices=COLUMN_CHOICES
        )
        self.initial[name] = column.field.value if column.field else ""
        self.fields[f"was-{column.index}"] = forms.CharField(required=False, widget=forms.HiddenInput())
        self.initial[f"was-{column.index}"] = self.initial[name]

    def options(self, held: ImportDraft) -> Options:
        """What was chosen; raises BadInput for what is no choice. Another encoding or sheet has other columns."""
        posted = {name: self.data.get(name, "") for name in ("encoding", "sheet", "repeats")}
        before = held.options
        columns = dict(before.get("columns") or {})
        moved = posted["sheet"] != (before.get("sheet") or "") and bool(before.get("sheet"))
        if moved or posted["encoding"] != (before.get("encoding") or posted["encoding"]):
            columns = {}
        for name in self.data:
            index = name.removeprefix("column-")
            if index != name and self.data[name] != self.data.get(f"was-{index}", ""):
                columns[index] = self.data[name] or None
        return Options.from_json({**posted, "columns": columns, "left_out": self._left_out(before)})

    def _left_out(self, before: Mapping[str, Any]) -> list[Any]:
        """The ticked lines, with those left out before that the page did not show."""
        posted = self.data
        assert isinstance(posted, QueryDict)
        shown, ticked = set(posted.getlist("line")), posted.getlist("leave-out")
        kept = [line for line in before.get("left_out") or () if str(line) not in shown]
        return [*kept, *ticked]


def _encoding(held: ImportDraft, preview: Preview | None) -> str:
    if preview is not None and preview.encoding is not None:
        return preview.encoding.value
    return str(held.options.get("encoding") or "")


def _choices(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
