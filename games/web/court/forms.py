"""The court's forms: logging, ruling, filing, the panel's work."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import court_rules, times
from games.models import (
    Against,
    Asked,
    Category,
    Effect,
    Incident,
    Letter,
    PersonRole,
    Proposal,
    Raiser,
    Relation,
    Side,
    Subject,
)
from games.services.court import letters, reports
from games.services.court.appeals import LONGEST_TEXT, Filing, Paper
from games.services.court.contested import Contested
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order, effects_of, sides_of
from games.services.court.rulings import Answer
from games.slots import Seat
from games.wording.articles import ARTICLES
from tournaments import formats
from tournaments.models import OUTCOME_LABELS, Entry, Section, TeamMember

SIDES = [("", _("nobody in particular")), *Side.choices]
RESULTS = [
    (outcome.value, label)
    for outcome, label in OUTCOME_LABELS.items()
    if outcome.value not in {"BYE", "HALF_BYE", "ZERO_BYE"}
]


class ArticleInput(forms.TextInput):
    """A text box with the list of articles to choose from; the list stands once on the page as `articles`."""

    def __init__(self) -> None:
        super().__init__(
            attrs={"list": "articles", "autocomplete": "off", "inputmode": "decimal", "size": 10}
        )


def article_field() -> forms.CharField:
    return forms.CharField(
        label=_("article"), max_length=12, required=False, widget=ArticleInput(),
        help_text=_("Number, or search by a word. Empty: the usual one."),
    )  # fmt: skip


def clean_article(value: str) -> str:
    """The number at the beginning of what was chosen: "14.1.1 Talking ..."."""
    number = value.split()[0] if value.split() else ""
    if number and number not in ARTICLES:
        raise forms.ValidationError(_("There is no such article."))
    return number


class TimeOfDayField(forms.TimeField):
    """When it happened today; a moment comes out, None for now."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.TimeInput(attrs={"type": "time"}))
        super().__init__(required=False, **options)

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        if found is None:
            return None
        return timezone.localtime().replace(hour=found.hour, minute=found.minute, second=0, microsecond=0)


class ChargeField(forms.CharField):
    """Time charged or, with a minus, restored: m:ss. Seconds come out."""

    def __init__(self, **options: Any) -> None:
        options.setdefault(
            "widget",
            forms.TextInput(
                attrs={"placeholder": "2:30", "class": "short", "size": 8, "data-time": "charge"}
            ),
        )
        super().__init__(required=False, max_length=10, **options)

    def prepare_value(self, value: Any) -> Any:
        return times.clock(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> int:
        text = super().clean(value)
        found = times.charge(text) if text.strip() else 0
        if found is None:
            raise forms.ValidationError(_("Write minutes and seconds, such as 2:30; a minus restores."))
        return found


class ReportFields(forms.Form):
    """What every report of an incident has."""

    category = forms.ChoiceField(label=_("what happened"), choices=[("", "–"), *Category.choices])
    raised_by = forms.ChoiceField(label=_("raised by"), choices=Raiser.choices, initial=Raiser.ARBITER)
    article = article_field()
    happened_at = TimeOfDayField(label=_("when"), help_text=_("Empty: now."))
    note = forms.CharField(
        label=_("note"), required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2})
    )
    submission = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput())

    def clean_article(self) -> str:
        return clean_article(self.cleaned_data["article"])

    def report(self) -> Report:
        return Report(**{name: value for name, value in self.cleaned_data.items() if value is not None})


def member_choices(entries: Iterable[Entry | None]) -> list[tuple[str, str]]:
    """The players of teams, by team."""
    rows = TeamMember.objects.filter(entry__in=[entry for entry in entries if entry is not None])
    rows = rows.select_related("entry__player").order_by("entry", "position")
    return [("", "–"), *((str(row.pk), f"{row.entry}: {row.name}") for row in rows)]


class IncidentForm(ReportFields):
    against = forms.ChoiceField(label=_("whom it is about"), choices=SIDES, required=False)
    member = forms.TypedChoiceField(
        label=_("player of the team"), required=False, coerce=int, empty_value=None, choices=[("", "–")]
    )
    asked = forms.ChoiceField(
        label=_("the opponent asks"), choices=[("", "–"), *Asked.choices], required=False,
        help_text=_("For an irregular move (7.4)."),
    )  # fmt: skip
    moved_on = forms.TypedChoiceField(
        label=_("has the opponent moved since?"), required=False, empty_value=None, coerce=lambda value: value == "yes",
        choices=[("", "–"), ("no", _("no")), ("yes", _("yes"))],
        help_text=_("For an irregular move: once he has moved on, it stands (7.7)."),
    )  # fmt: skip
    refused = forms.BooleanField(label=_("refuses, or it cannot be put right"), required=False)
    flag_fell = forms.BooleanField(label=_("raised after the flag fell"), required=False)

    def __init__(self, *args: Any, seat: Seat | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["member"]
        assert isinstance(field, forms.TypedChoiceField)
        if seat is not None and formats.of(seat.section).enters_teams and None in (seat.white, seat.black):
            field.choices = member_choices([seat.white_entry, seat.black_entry])
        else:
            del self.fields["member"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("category") == Category.IRREGULAR and data.get("moved_on") is None:
            self.add_error("moved_on", _("Say whether the opponent has moved since (article 7.7)."))
        return data


class PersonForm(ReportFields):
    """Somebody who is named without a board."""

    category = forms.ChoiceField(
        label=_("what happened"),
        choices=[(str(c.value), c.label) for c in (Category.CONDUCT, Category.OTHER)],
    )
    entry = forms.TypedChoiceField(
        label=_("player"), required=False, coerce=int, empty_value=None,
        help_text=_("With a game in this round it is logged at that game, and warnings count there."),
    )  # fmt: skip
    member = forms.TypedChoiceField(
        label=_("player of the team"), required=False, coerce=int, empty_value=None
    )
    person = forms.CharField(label=_("or somebody else, by name"), required=False, max_length=200)
    person_role = forms.ChoiceField(label=_("role"), required=False, choices=[("", "–"), *PersonRole.choices])

    field_order = ("person", "person_role", "entry", "member", "category", "article", "happened_at", "note")

    def __init__(self, *args: Any, section: Section, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entries = list(section.entries.select_related("player").order_by("number", "pk"))
        field, members = self.fields["entry"], self.fields["member"]
        assert isinstance(field, forms.TypedChoiceField) and isinstance(members, forms.TypedChoiceField)
        field.choices = [("", "–"), *((entry.pk, str(entry)) for entry in entries)]
        if formats.of(section).enters_teams:
            members.choices = member_choices(entries)
            field.label = _("team")
        else:
            del self.fields["member"]


class OrderForm(forms.Form):
    """What is ruled. Nothing is chosen beforehand; the page shows of the fields those of the measure."""

    effect = forms.ChoiceField(label=_("measure"))
    side = forms.ChoiceField(label=_("whom it meets"), choices=SIDES, required=False)
    article = article_field()
    white_seconds = ChargeField(
        label=_("time for White"),
        help_text=_("Minutes and seconds, such as 2:30: charged; with a minus restored."),
    )
    black_seconds = ChargeField(label=_("time for Black"))
    text = forms.CharField(
        label=_("reasons"), required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, incident: Incident, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        effect, side = self.fields["effect"], self.fields["side"]
        assert isinstance(effect, forms.ChoiceField) and isinstance(side, forms.ChoiceField)
        effect.choices = [("", "–"), *((str(e.value), e.label) for e in effects_of(incident))]
        side.choices = [
            ("", "–"),
            *((code, f"{Against(code).label}: {incident.name_of(code)}") for code in sides_of(incident)),
        ]
        self.fields["article"].initial = incident.article

    def clean_article(self) -> str:
        return clean_article(self.cleaned_data["article"])

    def order(self) -> Order:
        values = self.cleaned_data
        return Order(
            effect=values["effect"], side=values["side"], article=values["article"], text=values["text"],
            white_seconds=values["white_seconds"] or 0, black_seconds=values["black_seconds"] or 0,
        )  # fmt: skip


class PenaltyForm(forms.Form):
    """A penalty by three taps: who and what came with the address, the article is the button."""

    side = forms.ChoiceField(choices=Side.choices)
    effect = forms.ChoiceField(choices=[(str(e.value), e.label) for e in court_rules.FOUR_PENALTIES])
    article = forms.CharField(max_length=12)
    happened_at = TimeOfDayField()
    note = forms.CharField(required=False, max_length=1000)
    submission = forms.CharField(max_length=64, required=False)

    def report(self) -> Report:
        values = self.cleaned_data
        return Report(
            category=Category.CONDUCT, raised_by=Raiser.ARBITER, against=values["side"], article=values["article"],
            happened_at=values["happened_at"], note=values["note"], submission=values["submission"],
        )  # fmt: skip

    def order(self) -> Order:
        values = self.cleaned_data
        return Order(
            effect=values["effect"], side=values["side"], article=values["article"], text=values["note"]
        )


class IrregularForm(forms.Form):
    """An irregular move: whose it is, and what the opponent answers by the button pressed."""

    ANSWERS = (
        (Answer.RECTIFY.value, _("the opponent has it put right (7.4)")),
        (Answer.STAND.value, _("the opponent lets it stand (7.4)")),
        (Answer.MOVED_ON.value, _("the opponent has moved since (7.7)")),
        (Answer.REFUSED.value, _("the player refuses, or it cannot be put right (7.8)")),
    )

    side = forms.ChoiceField(choices=Side.choices)
    answer = forms.ChoiceField(choices=ANSWERS)
    happened_at = TimeOfDayField()
    note = forms.CharField(required=False, max_length=1000)
    submission = forms.CharField(max_length=64, required=False)

    def report(self) -> Report:
        values = self.cleaned_data
        return Report(
            category=Category.IRREGULAR, raised_by=Raiser.WHITE, against=values["side"],
            happened_at=values["happened_at"], note=values["note"], submission=values["submission"],
        )  # fmt: skip


class AppealForm(forms.Form):
    """What a player fills in on a phone, the game going on."""

    kind = forms.ChoiceField(label=_("about"), choices=Category.choices)
    grounds = forms.CharField(
        label=_("grounds"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("What happened, and why the ruling is wrong."),
    )  # fmt: skip
    request = forms.CharField(
        label=_("request"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What the committee is asked to decide."),
    )  # fmt: skip
    submission = forms.CharField(max_length=64, widget=forms.HiddenInput())


CONTESTABLE = [choice for choice in Subject.choices if choice[0] != Subject.RULING]


class ContestForm(AppealForm):
    """Against a decision that no ruling was written for."""

    field_order = ("subject", "round_number", "number", "words")

    subject = forms.ChoiceField(label=_("against"), choices=CONTESTABLE)
    round_number = forms.TypedChoiceField(label=_("board"), coerce=int)
    number = forms.IntegerField(
        label=_("game of the match"),
        min_value=1,
        max_value=99,
        initial=1,
        required=False,
        widget=forms.HiddenInput(),
    )
    words = forms.CharField(
        label=_("the decision, in your own words"), required=False, max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For a refusal or another decision: who decided what, and when."),
    )  # fmt: skip

    def __init__(
        self, *args: Any, boards: list[tuple[int, str]], several: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["round_number"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = boards
        if several:
            self.fields["number"].widget = forms.NumberInput()

    def contested(self) -> Contested:
        values = self.cleaned_data
        return Contested(
            subject=values["subject"], round_number=values["round_number"], number=values["number"] or 1,
            words=values["words"],
        )  # fmt: skip

    def filing(self) -> Filing:
        return Filing(
            **{name: self.cleaned_data[name] for name in ("kind", "grounds", "request", "submission")}
        )


class PaperForm(AppealForm):
    """An appeal handed in on paper: whose, against what, and when and by whom it was received."""

    field_order = ("entry", "ruling", "subject", "round_number", "number", "words")

    entry = forms.TypedChoiceField(label=_("appellant"), coerce=int)
    ruling = forms.TypedChoiceField(
        label=_("against the ruling"), coerce=int, required=False, empty_value=None,
        help_text=_("Or leave it empty, and say below which other decision."),
    )  # fmt: skip
    subject = forms.ChoiceField(label=_("or against"), choices=[("", "–"), *CONTESTABLE], required=False)
    round_number = forms.IntegerField(label=_("round"), required=False, min_value=1, max_value=99)
    number = forms.IntegerField(label=_("game of the match"), required=False, min_value=1, max_value=99)
    words = forms.CharField(
        label=_("the decision, in the party's words"), required=False, max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip
    received_at = forms.DateTimeField(
        label=_("received at"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    received_by = forms.CharField(label=_("received by"), max_length=200)
    captain = forms.CharField(
        label=_("captain who signed it"), max_length=200, required=False, help_text=_("Empty: the player.")
    )

    def __init__(
        self, *args: Any, entries: list[tuple[int, str]], rulings: list[tuple[int, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("entry", entries), ("ruling", [("", "–"), *rulings])):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("ruling") is None and not values.get("subject"):
            self.add_error("ruling", _("Choose a ruling, or another decision."))
        if values.get("subject") and values.get("ruling") is None and not values.get("round_number"):
            self.add_error("round_number", _("Give the round."))
        return values

    def filing(self) -> Filing:
        return Filing(
            **{name: self.cleaned_data[name] for name in ("kind", "grounds", "request", "submission")}
        )

    def paper(self) -> Paper:
        return Paper(**{name: self.cleaned_data[name] for name in ("received_at", "received_by", "captain")})

    def contested(self) -> Contested | None:
        values = self.cleaned_data
        if not values["subject"] or values["ruling"] is not None:
            return None
        return Contested(
            subject=values["subject"], round_number=values["round_number"], number=values["number"] or 1,
            words=values["words"],
        )  # fmt: skip


class StatementForm(forms.Form):
    text = forms.CharField(
        label=_("statement"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 5})
    )


class LetterForm(forms.Form):
    """A question to the arbiter, or a letter to the organizing committee."""

    kind = forms.ChoiceField(label=_("to whom"), choices=Letter.Kind.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("text"), max_length=letters.LONGEST, widget=forms.Textarea(attrs={"rows": 5})
    )
    submission = forms.CharField(max_length=64, widget=forms.HiddenInput)


class AnswerForm(forms.Form):
    answer = forms.CharField(
        label=_("answer"), max_length=letters.LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )


def _report_text(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label, required=False, max_length=reports.LONGEST, widget=forms.Textarea(attrs={"rows": 8})
    )


class ReportForm(forms.Form):
    """The chief arbiter's words; `version` is the report he read."""

    remarks = _report_text(_("course of the event"))
    proposals = _report_text(_("proposals for coming events"))
    version = forms.IntegerField(widget=forms.HiddenInput)


class FeedbackForm(forms.Form):
    feedback = _report_text(_("what becomes of the proposals"))
    version = forms.IntegerField(widget=forms.HiddenInput)


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("reason"), max_length=300)


class RelationForm(forms.Form):
    entry = forms.TypedChoiceField(label=_("player"), coerce=int)
    kind = forms.ChoiceField(label=_("kind"), choices=Relation.Kind.choices)
    note = forms.CharField(label=_("note"), max_length=300, required=False)

    def __init__(self, *args: Any, entries: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = entries


class ProposalForm(forms.Form):
    """A decision to vote on: whether the ruling stands, and what is done instead."""

    EFFECTS = [
        ("", _("nothing further")),
        *(
            (effect.value, effect.label)
            for effect in (
                Effect.RESULT, Effect.REMINDER, Effect.WARNING, Effect.TIME, Effect.REPLAY, Effect.POINTS, Effect.DISQUALIFY,
                Effect.EXCHANGE,
            )
        ),
    ]  # fmt: skip

    verdict = forms.ChoiceField(label=_("decision"), choices=Proposal.Verdict.choices)
    effect = forms.ChoiceField(label=_("instead"), choices=EFFECTS, required=False)
    outcome = forms.ChoiceField(label=_("result"), choices=[("", "–"), *RESULTS], required=False)
    side = forms.ChoiceField(label=_("whom it meets"), choices=SIDES, required=False)
    points = forms.IntegerField(label=_("points"), required=False, min_value=-999, max_value=999)
    white_seconds = ChargeField(label=_("time for White"))
    black_seconds = ChargeField(label=_("time for Black"))
    entry = forms.TypedChoiceField(label=_("player"), required=False, coerce=int, empty_value=None)
    other = forms.TypedChoiceField(
        label=_("changes seats with"), required=False, coerce=int, empty_value=None
    )
    text = forms.CharField(label=_("in words"), max_length=500, required=False)

    OF_A_MEASURE = ("effect", "outcome", "side", "points", "white_seconds", "black_seconds", "entry", "other")
    MORE = ("_2", "_3")  # a decision may carry several measures

    def __init__(self, *args: Any, seats: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("entry", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = [("", "–"), *seats]
        for suffix in self.MORE:
            for name in self.OF_A_MEASURE:
                self.fields[name + suffix] = copy.deepcopy(self.fields[name])

    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.endswith(self.MORE)]

    def more_fields(self) -> list[list[forms.BoundField]]:
        """The fields of each further measure."""
        return [[self[name + suffix] for name in self.OF_A_MEASURE] for suffix in self.MORE]

    def measures(self) -> list[Measure]:
        values = self.cleaned_data
        return [
            Measure(
                effect=values["effect" + suffix], side=values["side" + suffix], outcome=values["outcome" + suffix],
                points=values["points" + suffix] or 0, white_seconds=values["white_seconds" + suffix] or 0,
                black_seconds=values["black_seconds" + suffix] or 0, entry=values["entry" + suffix],
                other=values["other" + suffix],
            )
            for suffix in ("", *self.MORE)
            if values["effect" + suffix]
        ]  # fmt: skip


class DecisionForm(forms.Form):
    reasons = forms.CharField(
        label=_("reasons"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 6})
    )
    refund = forms.TypedChoiceField(
        label=_("fee"), required=False, empty_value=None, coerce=lambda value: value == "yes",
        choices=[("", _("as the outcome has it: refund unless dismissed")), ("yes", _("refund")), ("no", _("keep"))],
    )  # fmt: skip


class PrecedentFilter(forms.Form):
    article = forms.CharField(label=_("article"), required=False, max_length=12, widget=ArticleInput())
    category = forms.ChoiceField(label=_("kind"), required=False, choices=[("", _("all")), *Category.choices])
    effect = forms.ChoiceField(label=_("effect"), required=False, choices=[("", _("all")), *Effect.choices])
    words = forms.CharField(label=_("words"), required=False, max_length=100)
