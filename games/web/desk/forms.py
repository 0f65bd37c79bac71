"""Forms of the arbiter's pages about games."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from games import sheets as reading
from games.models import GameRules, Raiser, Side
from games.web.public.forms import TimeUsedField
from games.wording.codes import ENDINGS
from games.wording.explanations import DRAWS, unread_words
from tournaments.encodings import CHOICES
from tournaments.models import OUTCOME_LABELS

PLAYED = ("WHITE", "DRAW", "BLACK", "BOTH_LOSE", "WHITE_FORFEITS", "BLACK_FORFEITS", "BOTH_FORFEIT")
_UNREAD_SHOWN = 5
_LABELS = {str(outcome): label for outcome, label in OUTCOME_LABELS.items()}
OUTCOMES = [(code, _LABELS[code]) for code in PLAYED]


class MovesField(forms.CharField):
    """A list of moves as text; a tuple of written moves comes out."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", reading.LARGEST_SHEET)
        options.setdefault("widget", forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}))
        super().__init__(**options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text.strip():
            return ()
        try:
            sheet = rules.read_sheet(text)
        except rules.PdnError:
            raise forms.ValidationError(
                _("No move was found. Write moves such as 32-28 or 19x23, one after the other.")
            ) from None
        if sheet.unread:
            raise forms.ValidationError([unread_words(found) for found in sheet.unread[:_UNREAD_SHOWN]])
        return sheet.moves


class AcceptForm(forms.Form):
    moves = MovesField(label=_("Game score"))
    outcome = forms.ChoiceField(label=_("Result"), choices=OUTCOMES)
    ended_by = forms.ChoiceField(
        label=_("How the game ended"),
        required=False,
        choices=[("", "–"), *((str(code), words) for code, words in ENDINGS.items())],
    )
    white_seconds = TimeUsedField(label=_("White's time used"))
    black_seconds = TimeUsedField(label=_("Black's time used"))
    accepted = forms.CharField(
        label=_("Irregular moves that stand (article 7.7)"),
        required=False,
        max_length=100,
        help_text=_("Single moves counted from 1, such as 12, 31: the opponent moved on without objecting."),
    )
    note = forms.CharField(
        label=_("Why result and moves differ, or another remark"), required=False, max_length=500
    )
    source = forms.CharField(required=False, max_length=12, widget=forms.HiddenInput)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def clean_accepted(self) -> tuple[int, ...]:
        words = self.cleaned_data["accepted"].replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
            raise forms.ValidationError(_("Write numbers of single moves, such as 12, 31."))
        return tuple(sorted({int(word) for word in words}))


class CopyForm(forms.Form):
    side = forms.ChoiceField(choices=Side.choices)
    status = forms.ChoiceField(
        required=False, choices=[("", ""), ("RECEIVED", ""), ("MISSING", ""), ("ISSUED", "")]
    )
    waived_reason = forms.CharField(label=_("Waive it, because"), required=False, max_length=300)


class TroubleForm(forms.Form):
    side = forms.ChoiceField(label=_("Player"), choices=Side.choices)
    remaining = TimeUsedField(
        label=_("Time left on the clock"),
        is_short=True,
        required=True,
        help_text=_("Minutes and seconds, such as 4:30."),
    )
    complete = forms.BooleanField(
        label=_("the missed moves are to be filled in after the game"), required=False, initial=True
    )


class FinaliseForm(forms.Form):
    note = forms.CharField(
        label=_("Why it is final although something is missing"), required=False, max_length=500
    )


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=500)


class ClaimForm(forms.Form):
    fen = forms.CharField(
        label=_("from a position (FEN)"), required=False, max_length=300,
        help_text=_("For 16, 5 or 25 moves: the position they start from. Empty: the whole game."),
    )  # fmt: skip
    moves = MovesField(label=_("Moves up to the claim"), required=False)
    claimant = forms.ChoiceField(label=_("Claimed by"), choices=Raiser.choices, required=False)
    kind = forms.ChoiceField(
        label=_("Draw by"),
        required=False,
        choices=[*((str(kind), words) for kind, words in DRAWS.items()), ("no-win", ENDINGS["no-win"])],
    )
    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)
    own_confirmed = forms.BooleanField(
        label=_("I end the game on my own, though no player claims (against the letter of 12.5)"),
        required=False,
    )
    flag_fell = forms.BooleanField(label=_("the claimant's flag fell meanwhile"), required=False)
    version = forms.IntegerField(widget=forms.HiddenInput)


class OfferForm(forms.Form):
    side = forms.ChoiceField(label=_("Offered by"), choices=Side.choices)
    ply = forms.IntegerField(
        label=_("after single move"), min_value=1, max_value=2000, help_text=_("Both sides counted together.")
    )
    reason = forms.CharField(
        label=_("Reason, for an offer after the player's own 40th move"), required=False, max_length=300,
        help_text=_("12.4 read literally: each player counts his own moves."),
    )  # fmt: skip


class AdjournForm(forms.Form):
    reason = forms.CharField(label=_("Why the game cannot go on"), max_length=300)
    moves = MovesField(label=_("Moves so far"), required=False)
    fen = forms.CharField(
        label=_("or the position (FEN)"),
        required=False,
        max_length=300,
        help_text=_("Such as W:W31-50:B1-20."),
    )
    white_seconds = TimeUsedField(label=_("White's time used"), required=True)
    black_seconds = TimeUsedField(label=_("Black's time used"), required=True)


class EnvelopeForm(forms.Form):
    envelope = forms.CharField(label=_("Number of the envelope"), max_length=40)
    on_paper = forms.BooleanField(label=_("the sealed move is on paper in the envelope"), required=False)


class SealForm(forms.Form):
    written = forms.CharField(
        label=_("Your next move"),
        max_length=120,
        help_text=_(
            "A capture with every square it touches. It is encrypted at once, and cannot be changed."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
    )


class WrittenForm(forms.Form):
    written = forms.CharField(
        label=_("The move in the paper envelope"), max_length=120, required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class GameRulesForm(forms.Form):
    early_draw = forms.ChoiceField(
        label=_("A draw agreed before each player has made 40 moves"), choices=GameRules.EarlyDraw.choices
    )
    sheets = forms.ChoiceField(label=_("The players' scoresheets"), choices=GameRules.Sheets.choices)

    @classmethod
    def of(cls, row: GameRules) -> GameRulesForm:
        return cls(initial={"early_draw": row.early_draw, "sheets": row.sheets})


class PdnUploadForm(forms.Form):
    file = forms.FileField(label=_("PDN file"), max_length=200)
    name = forms.CharField(
        label=_("Name of the event"),
        required=False,
        max_length=200,
        help_text=_("As the file has it when left empty."),
    )
    encoding = forms.ChoiceField(label=_("encoding"), required=False, choices=CHOICES)
