"""Points and stages of a section's own as rows of plain fields, which work without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.wording import sections

STAGES = 5
_FURTHER = re.compile(r"([0-9]{1,2})-([0-9]{1,2})(=?)")
_SCORE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


class FurtherResults(forms.CharField):
    """Results such as "8-4, 7-5, 3-1=": a win, or with a sign of equality a draw."""

    def to_python(self, value: Any) -> Any:
        found = []
        for word in str(value or "").replace(",", " ").replace("，", " ").split():
            match = _FURTHER.fullmatch(word)
            if match is None:
                raise ValidationError(
                    _("“%(word)s” is no result such as 8-4 or 3-1=."), params={"word": word}
                )
            found.append([int(match[1]), int(match[2]), "DRAW" if match[3] else "WIN"])
        return found

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return ", ".join(f"{high}-{low}{'=' if kind == 'DRAW' else ''}" for high, low, kind in value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class Score(forms.CharField):
    """The points of the winner and the loser, such as 12-0."""

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        match = _SCORE.fullmatch(text)
        if text and match is None:
            raise ValidationError(_("Write the score as 12-0."))
        return [int(match[1]), int(match[2])] if match else None

    def prepare_value(self, value: Any) -> Any:
        return "-".join(map(str, value)) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


def point_fields(own: Mapping[str, Any]) -> dict[str, forms.Field]:
    """A field for each result, empty where the scheme's points hold."""
    found: dict[str, forms.Field] = {
        f"points_{name}": forms.IntegerField(
            label=label, required=False, min_value=0, max_value=99, initial=own.get(name)
        )
        for name, label in sections.own_points()
    }
    found["points_grades"] = FurtherResults(
        label=_("further results"), required=False, initial=own.get("grades", []), max_length=200,
        help_text=_("Such as 8-4 for a win, 3-1= for a draw; each holds for both sides."),
    )  # fmt: skip
    return found


def stage_fields(own: Mapping[str, Any]) -> dict[str, forms.Field]:
    """The stages of a match in rows; a row without a pace is empty."""
    rows = own.get("stages", [])
    found: dict[str, forms.Field] = {}
    for place in range(STAGES):
        row = rows[place] if place < len(rows) else {}
        found |= {
            f"stage_{place}_pace": forms.ChoiceField(
                label=_("stage"), required=False, choices=[("", "—"), *sections.PACES.items()],
                initial=row.get("pace", ""),
            ),
            f"stage_{place}_games": forms.IntegerField(
                label=_("games"), required=False, min_value=0, max_value=20, initial=row.get("games"),
            ),
            f"stage_{place}_score": Score(label=_("score"), required=False, initial=row.get("score")),
            f"stage_{place}_clock": forms.CharField(
                label=_("clock"), required=False, max_length=40, initial=row.get("clock", "")
            ),
            f"stage_{place}_first_win": forms.BooleanField(
                label=_("the first win ends it"), required=False, initial=row.get("first_win", False)
            ),
        }  # fmt: skip
    found["stage_drawn"] = forms.IntegerField(
        label=_("points of both when drawn"), required=False, min_value=0, max_value=99, initial=own.get("drawn"),
        help_text=_("Games: 0 in the last stage for as many as it takes until somebody wins."),
    )  # fmt: skip
    return found


def points_of(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The section's own points as posted; empty for the scheme's."""
    own = {
        name: cleaned[f"points_{name}"]
        for name, _label in sections.own_points()
        if cleaned.get(f"points_{name}") is not None
    }
    grades = cleaned.get("points_grades")
    return own | ({"grades": grades} if grades else {})


def stray_field(cleaned: Mapping[str, Any]) -> str:
    """A field of a stage that says something without a pace; "" if there is none."""
    rows = [f"stage_{place}" for place in range(STAGES)]
    for row in rows:
        said = [cleaned.get(f"{row}_{name}") for name in ("games", "score", "clock", "first_win")]
        if any(value not in (None, "") and value is not False for value in said) and not cleaned.get(
            f"{row}_pace"
        ):
            return f"{row}_pace"
    drawn = cleaned.get("stage_drawn") is not None
    return "stage_0_pace" if drawn and not any(cleaned.get(f"{row}_pace") for row in rows) else ""


def match_of(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The section's own match rule as posted; empty for none."""
    stages = [
        {
            "pace": cleaned[f"stage_{place}_pace"],
            "clock": cleaned.get(f"stage_{place}_clock") or "",
            "games": cleaned.get(f"stage_{place}_games") or 0,
            "score": cleaned.get(f"stage_{place}_score"),
            "first_win": bool(cleaned.get(f"stage_{place}_first_win")),
        }
        for place in range(STAGES)
        if cleaned.get(f"stage_{place}_pace")
    ]
    return {"stages": stages, "drawn": cleaned.get("stage_drawn")} if stages else {}
