"""The options of a section: what is frozen once a round is paired, and what then needs a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import formats
from tournaments.engine.types import Colour
from tournaments.formats.systems import SYSTEMS
from tournaments.models import Section
from tournaments.selectors import desk
from tournaments.services.events import FROZEN_ONCE_PAIRED, NEED_A_REASON_ONCE_PAIRED
from tournaments.web.desk.forms import own_rules
from tournaments.wording import sections as section_words
from tournaments.wording import tiebreaks as tiebreak_words

TIEBREAK_PLACES = 8
FROZEN_HELP = _("Rounds are paired already: this can no longer be changed.")
REASON_HELP = _("Rounds are paired already: a change moves the places and needs a reason.")


if TYPE_CHECKING:
    SectionBase = forms.ModelForm[Section]
else:
    SectionBase = forms.ModelForm


class SectionForm(SectionBase):
    """Policy and tie-break order are stored as JSON; here each is a row of choices that works without scripts."""

    class Meta:
        model = Section
        fields = (
            "name", "name_en", "format", "rounds_total", "time_control", "numbering", "ranking", "initial_colour",
            "scheme", "preset", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "refunds_withdrawn",
            "match_rule", "third_place", "groups", "group_places", "team_boards", "team_places",
            "protect_clubs_rounds", "drop_absent", "acceleration", "lots_decide", "code", "position",
        )  # fmt: skip

    def __init__(self, data: Any = None, *, section: Section | None, system: str = "") -> None:
        _label, initial = SYSTEMS.get(system, ("", {}))
        super().__init__(data, instance=section, initial=initial)
        self.section = section
        self.fields["scheme"] = forms.ChoiceField(
            label=_("result scheme"), choices=section_words.schemes(), initial="STD"
        )
        self.fields["preset"] = forms.ChoiceField(
            label=_("tie-break preset"), required=False, initial="CN_SWISS",
            choices=[("", _("none: an order of our own")), *section_words.presets_in_words()],
            help_text=_("Another preset brings its own order and treatment, unless you choose them below."),
        )  # fmt: skip
        self.fields["initial_colour"] = forms.ChoiceField(
            label=_("colour of number 1 in round 1"),
            choices=[(Colour.WHITE.value, _("White")), (Colour.BLACK.value, _("Black"))],
            initial=Colour.WHITE.value,
        )
        self.fields["match_rule"] = forms.ChoiceField(
            label=_("games of a match"), required=False, choices=[("", _("one game")), *section_words.match_rules()],
            help_text=_("Several games by stage decide a board; the stage that decides gives the score."),
        )  # fmt: skip
        for name in ("groups", "group_places", "team_boards", "team_places"):
            self.fields[name].required = False
        self._add_texts()
        self._add_tiebreaks()
        self._add_policy()
        self.fields |= own_rules.point_fields(section.own_points if section else {})
        self.fields |= own_rules.stage_fields(section.own_match if section else {})
        if section is not None and desk.is_paired(section):
            self._freeze()

    def _add_texts(self) -> None:
        code = self.fields["code"]
        code.required = self.section is not None
        code.help_text = _("Short, stands in printed addresses, such as a. Left empty, one is chosen.")
        self.fields["position"].label = _("place in the list of sections")
        self.fields["position"].required = False
        self.fields["lateness_limit"].help_text = _("Whoever comes later has lost; at most 60.")
        self.fields["time_control"].help_text = _("Seconds and increment, such as 4800+60.")
        self.fields["protect_clubs_rounds"].help_text = _("0: club-mates may meet at once.")
        self.fields["ranking"].help_text = section_words.RANKING_HELP
        self.fields["acceleration"].help_text = section_words.ACCELERATION_HELP
        self.fields["drop_absent"].help_text = section_words.ABSENCE_HELP
        self.fields["third_place"].help_text = _("For knock-outs: the beaten semi-finalists play once more.")
        self.fields["groups"].help_text = _("For groups with a knock-out.")
        self.fields["team_boards"].help_text = _("For team sections: the entries are teams.")
        self.fields["team_places"].help_text = _(
            "For sections of single players: clubs by the sum of so many best places; 0 for none."
        )
        self.fields["rounds_total"].help_text = _(
            "For Swiss: fewer than there are players, since nobody meets anybody twice. A round robin plays as many as its table has."
        )

    def _add_tiebreaks(self) -> None:
        order = list(self.section.tiebreaks) if self.section else []
        known = tiebreak_words.choices()
        known += [(code, tiebreak_words.name(code)) for code in order if code not in dict(known)]
        for place in range(TIEBREAK_PLACES):
            self.fields[f"tiebreak_{place}"] = forms.ChoiceField(
                label=str(place + 1),
                required=False,
                choices=[("", "—"), *known],
                initial=order[place] if place < len(order) else "",
            )

    def _add_policy(self) -> None:
        chosen = self.section.policy if self.section else {}
        for option in section_words.policy_options():
            self.fields[f"policy_{option.name}"] = forms.ChoiceField(
                label=option.label,
                required=False,
                choices=[("", _("as the preset says")), *option.choices],
                initial=str(chosen.get(option.name, "")),
            )

    def _freeze(self) -> None:
        own = {name for name in self.fields if name.startswith(("points_", "stage_"))}
        for name in (FROZEN_ONCE_PAIRED & set(self.fields)) | own:
            self.fields[name].disabled = True
            self.fields[name].help_text = "" if name in own else FROZEN_HELP
        for name in NEED_A_REASON_ONCE_PAIRED & set(self.fields):
            self.fields[name].help_text = REASON_HELP
        if self.section is not None and formats.of(self.section).drawn_whole:
            self.fields["rounds_total"].disabled = True
            self.fields["rounds_total"].help_text = FROZEN_HELP
        self.fields["reason"] = forms.CharField(
            label=_("reason"), max_length=300, required=False, help_text=REASON_HELP
        )

    @property
    def is_frozen(self) -> bool:
        return "reason" in self.fields

    def tiebreak_fields(self) -> list[forms.BoundField]:
        return [self[f"tiebreak_{place}"] for place in range(TIEBREAK_PLACES)]

    def policy_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("policy_")]

    def own_point_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("points_")]

    def own_stage_rows(self) -> list[list[forms.BoundField]]:
        return [
            [self[name] for name in self.fields if name.startswith(f"stage_{place}_")]
            for place in range(own_rules.STAGES)
        ]

    def plain_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.Meta.fields]

    def clean_groups(self) -> int:
        return self.cleaned_data.get("groups") or 2

    def clean_group_places(self) -> int:
        return self.cleaned_data.get("group_places") or 2

    def clean_team_boards(self) -> int:
        return self.cleaned_data.get("team_boards") or 4

    def clean_team_places(self) -> int:
        return self.cleaned_data.get("team_places") or 0

    def clean_position(self) -> int:
        return self.cleaned_data.get("position") or 0

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        order = self._order(values)
        if len(set(order)) != len(order):
            self.add_error("tiebreak_0", _("A tie-break stands twice in the order."))
        if stray := own_rules.stray_field(values):
            self.add_error(stray, _("Choose the pace of this stage, or leave the row empty."))
        return values

    def _order(self, values: dict[str, Any]) -> list[str]:
        names = (f"tiebreak_{place}" for place in range(TIEBREAK_PLACES))
        return [values[name] for name in names if values.get(name)]

    def values(self) -> dict[str, Any]:
        """For a new section: an order or a policy left open is the preset's."""
        values = {name: self.cleaned_data[name] for name in self.Meta.fields}
        if not values["code"]:
            del values["code"]
        if order := self._order(self.cleaned_data):
            values["tiebreaks"] = order
        if policy := self._policy():
            values["policy"] = policy
        if points := own_rules.points_of(self.cleaned_data):
            values["own_points"] = points
        if match := own_rules.match_of(self.cleaned_data):
            values["own_match"] = match
            if not points and "scheme" not in self.changed_data:
                del values["scheme"]  # the stages bring their points
        return values

    def changed_values(self) -> dict[str, Any]:
        """What differs from the section: an order that was not touched follows a changed preset."""
        changed = set(self.changed_data)
        values = {name: self.cleaned_data[name] for name in self.Meta.fields if name in changed}
        if any(name.startswith("tiebreak_") for name in changed):
            values["tiebreaks"] = self._order(self.cleaned_data)
        if any(name.startswith("policy_") for name in changed):
            values["policy"] = self._policy()
        if any(name.startswith("points_") for name in changed):
            values["own_points"] = own_rules.points_of(self.cleaned_data)
        if any(name.startswith("stage_") for name in changed):
            values["own_match"] = own_rules.match_of(self.cleaned_data)
        return values

    def _policy(self) -> dict[str, Any]:
        options = {option.name: option for option in section_words.policy_options()}
        return {
            name: option.parsed(self.cleaned_data[f"policy_{name}"])
            for name, option in options.items()
            if self.cleaned_data.get(f"policy_{name}")
        }
