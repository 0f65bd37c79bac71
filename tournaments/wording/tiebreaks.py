"""Tie-breaks in the reader's words. Names and meanings are the engine's English texts, translated; heads of columns are here."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext as translated  # for texts that are written in the engine

from tournaments.engine.policies import CHOICE_TEXTS, WORD_TEXTS, TieBreakPolicy
from tournaments.engine.tiebreaks import TIEBREAKS, TieBreak, UnknownTieBreak, find
from tournaments.engine.workings import REASON_TEXTS

_SHORT: dict[str, Any] = {
    "SOLKOFF": _("Solk."),
    "SOLKOFF_MEDIAN": _("Med."),
    "SOLKOFF_TRUNC_SHORT": _("Solk-1"),
    "SOLKOFF_TRUNC_FULL": _("Trunc."),
    "SOLKOFF_PLUS": _("Solk+"),
    "SB": _("SB"),
    "WINS": _("Wins"),
    "DIRECT": _("Direct"),
    "CUM": _("Cum."),
    "CUM_FULL": _("Cum."),
    "games_black": _("Black"),
    "wins_black": _("Bl. wins"),
    "FOULS": _("Warn."),
    "RATING_SUM": _("Ratings"),
    "ARO": _("ARO"),
    "PERFORMANCE": _("Perf."),
    "PLUS_DRAWS": _("Plus"),
    "VS_STRONGEST": _("Strongest"),
    "KOYA": _("Koya"),
    "PREVIOUS_ROUND": _("Before"),
    "LOTS": _("Lot"),
}


_TOLD_BY_THE_SECTION = frozenset({"withdrawal", "disqualification"})


def _known(code: str) -> TieBreak | None:
    try:
        return find(code)
    except UnknownTieBreak:
        return None


def short(code: str) -> str:
    """The head of a narrow column."""
    known = _known(code)
    if known and known.k:
        template = _("Solk-%(k)d") if code.upper().startswith("SOLKOFF") else _("Cum-%(k)d")
        return str(template) % {"k": known.k}
    return str(_SHORT.get(code, code))


def name(code: str) -> str:
    """A code that the engine does not know stands for itself."""
    known = _known(code)
    return translated("tie-break", known.label).format(k=known.k) if known else code


def meaning(code: str) -> str:
    known = _known(code)
    if known is None:
        return ""
    text = translated("tie-break", known.formula).format(k=known.k)
    return text[:1].upper() + text[1:]


def reason(code: str) -> str:
    """Why a round gives what it gives, of a working."""
    text = REASON_TEXTS.get(code)
    return translated("tie-break working", text) if text else ""


def policy_choices(policy: TieBreakPolicy) -> list[tuple[str, str]]:
    """The treatment of byes and forfeits: each question with its answer."""
    found = []
    for field, question in CHOICE_TEXTS.items():
        if field in _TOLD_BY_THE_SECTION:
            continue
        value = getattr(policy, field)
        if isinstance(value, bool):
            answer = str(_("yes") if value else _("no"))
        else:
            answer = translated("tie-break policy", WORD_TEXTS[value])
        found.append((translated("tie-break policy", question), answer))
    return found


def choices() -> list[tuple[str, str]]:
    """Code and name of every tie-break, for forms."""
    return [(code, name(code)) for code in TIEBREAKS]


def value_text(value: Any) -> str:
    """A tie-break's value: whole, a mean to one decimal (stored exactly as p/q), or the members of a list."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    numerator, slash, denominator = str(value).partition("/")
    if not slash:
        return str(value)
    tenths = (20 * int(numerator) + int(denominator)) // (2 * int(denominator))
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"
