"""The court's forms: logging, ruling, filing, the panel's work."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Category, Effect, Incident, Proposal, Raiser, Relation, Side
from games.selectors import court as selectors
from games.services.court.appeals import LONGEST_TEXT
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.rulings import Order
from games.wording.articles import ARTICLES
from tournaments.models import OUTCOME_LABELS

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


class IncidentForm(forms.Form):
    category = forms.ChoiceField(label=_("what happened"), choices=Category.choices, initial=Category.CONDUCT)
    against = forms.ChoiceField(label=_("whom it is about"), choices=SIDES, required=False)
    raised_by = forms.ChoiceField(label=_("raised by"), choices=Raiser.choices, initial=Raiser.ARBITER)
    article = article_field()
    ply = forms.IntegerField(label=_("single move"), required=False, min_value=1, max_value=2000)
    plies_made = forms.IntegerField(
        label=_("single moves made by now"), required=False, min_value=1, max_value=2000,
        help_text=_("For an irregular move: once the opponent has moved on, it stands (7.7)."),
    )  # fmt: skip
    refused = forms.BooleanField(label=_("refuses, or it cannot be put right"), required=False)
    flag_fell = forms.BooleanField(label=_("raised after the flag fell"), required=False)
    note = forms.CharField(
        label=_("note"), required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2})
    )
    submission = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput())

    def clean_article(self) -> str:
        return clean_article(self.cleaned_data["article"])

    def report(self) -> Report:
        return Report(**self.cleaned_data)


class OrderForm(forms.Form):
    effect = forms.ChoiceField(label=_("effect"))
    side = forms.ChoiceField(label=_("whom it meets"), choices=SIDES, required=False)
    article = article_field()
    white_seconds = forms.IntegerField(
        label=_("seconds for White"), required=False, help_text=_("Charged; with a minus restored.")
    )
    black_seconds = forms.IntegerField(label=_("seconds for Black"), required=False)
    text = forms.CharField(
        label=_("reasons"), required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, incident: Incident, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["effect"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = selectors.choices_for(incident.category)
        side = self.fields["side"]
        assert isinstance(side, forms.ChoiceField)
        side.choices = [("", _("both, or nobody")), ("W", f"{Side.WHITE.label}: {incident.white}"),
                        ("B", f"{Side.BLACK.label}: {incident.black}")]  # fmt: skip
        self.fields["side"].initial = incident.against
        self.fields["article"].initial = incident.article

    def clean_article(self) -> str:
        return clean_article(self.cleaned_data["article"])

    def order(self) -> Order:
        values = self.cleaned_data
        return Order(
            effect=values["effect"], side=values["side"], article=values["article"], text=values["text"],
            white_seconds=values["white_seconds"] or 0, black_seconds=values["black_seconds"] or 0,
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


class StatementForm(forms.Form):
    text = forms.CharField(
        label=_("statement"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 5})
    )


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
    white_seconds = forms.IntegerField(label=_("seconds for White"), required=False)
    black_seconds = forms.IntegerField(label=_("seconds for Black"), required=False)
    entry = forms.TypedChoiceField(label=_("player"), required=False, coerce=int, empty_value=None)
    other = forms.TypedChoiceField(
        label=_("changes seats with"), required=False, coerce=int, empty_value=None
    )
    text = forms.CharField(label=_("in words"), max_length=500, required=False)

    def __init__(self, *args: Any, seats: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("entry", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = [("", "–"), *seats]

    def measures(self) -> list[Measure]:
        values = self.cleaned_data
        if not values["effect"]:
            return []
        return [
            Measure(
                effect=values["effect"], side=values["side"], outcome=values["outcome"], points=values["points"] or 0,
                white_seconds=values["white_seconds"] or 0, black_seconds=values["black_seconds"] or 0,
                entry=values["entry"], other=values["other"],
            )
        ]  # fmt: skip


class DecisionForm(forms.Form):
    reasons = forms.CharField(
        label=_("reasons"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 6})
    )
    refund = forms.TypedChoiceField(
        label=_("fee"), coerce=lambda value: value == "yes", choices=[("yes", _("refund")), ("no", _("keep"))]
    )


class PrecedentFilter(forms.Form):
    article = forms.CharField(label=_("article"), required=False, max_length=12, widget=ArticleInput())
    category = forms.ChoiceField(label=_("kind"), required=False, choices=[("", _("all")), *Category.choices])
    effect = forms.ChoiceField(label=_("effect"), required=False, choices=[("", _("all")), *Effect.choices])
    words = forms.CharField(label=_("words"), required=False, max_length=100)
