"""What the form of a new section may start from: a label, and the first values of its fields."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

SYSTEMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "CN": (
        _("China, score pairing"),
        {"format": "SWISS", "ranking": "RATING", "preset": "CN_SWISS", "drop_absent": True},
    ),
    "FMJD_RATING": (
        _("FMJD Swiss on rating"),
        {"format": "SWISS", "ranking": "RATING", "preset": "FMJD_SWISS_RATING"},
    ),
    "FMJD_SOLKOFF": (
        _("FMJD Swiss on Solkoff"),
        {"format": "SWISS", "ranking": "SOLKOFF", "preset": "FMJD_SWISS"},
    ),
    "CN_ROUND_ROBIN": (
        _("China, round robin"),
        {"format": "ROUND_ROBIN", "numbering": "LOT", "preset": "CN_ROUND_ROBIN", "withdrawal": "ANNUL"},
    ),
    "KNOCKOUT": (_("knock-out"), {"format": "KNOCKOUT", "third_place": True, "preset": "CN_SWISS"}),
    "TEAM_SWISS": (_("team Swiss"), {"format": "TEAM_SWISS", "preset": "TEAM"}),
    "TEAM_ROUND_ROBIN": (_("team round robin"), {"format": "TEAM_ROUND_ROBIN", "preset": "TEAM"}),
}
