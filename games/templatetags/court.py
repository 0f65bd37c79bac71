"""The court's words in the reader's language: articles, incidents, rulings, reasons."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games import court_rules, times
from games.models import Against, Effect, Incident, Ruling, Side
from games.services.court import appeals, interests
from games.services.court.effects import Measure
from games.wording import court as court_words
from games.wording.articles import ARTICLES, Article
from tournaments.models import OUTCOME_LABELS

register = template.Library()

REASONS: dict[str, Any] = {
    appeals.LATE: _("filed after the deadline (article 8.5)"),
    appeals.CLOCK_SIGNAL: _(
        "objections to the clock's signals are heard before the flag falls only (article 8.2.5)"
    ),
    appeals.UNPAID: _("the fee was not paid (article 16.2)"),
    appeals.OUTSIDE: _("outside what can be appealed"),
}
INTERESTS: dict[str, Any] = {
    interests.PARTY: _("is a party"),
    interests.CLUB: _("of a party's club or delegation"),
    interests.RULED: _("made the ruling"),
    interests.FAMILY: _("family, as declared"),
    interests.OTHER: _("an interest, as declared"),
    interests.STANDINGS: _("near a party in the standings"),
}


@register.filter
def article_text(article: Article) -> str:
    return article.zh if (get_language() or "").startswith("zh") else article.en


@register.filter
def article_by_number(number: str) -> str:
    return article_text(ARTICLES[number]) if number in ARTICLES else ""


@register.filter
def incident_where(incident: Incident) -> str:
    return court_words.where(incident)


@register.filter
def incident_game(incident: Incident) -> str:
    """Which game of a match it speaks of."""
    return court_words.game_words(incident)


@register.filter
def ruling_what(ruling: Ruling) -> str:
    return court_words.what(ruling)


@register.filter
def clocked(seconds: int) -> str:
    """Seconds charged or restored as m:ss with their sign."""
    return f"+{times.clock(seconds)}" if seconds > 0 else times.clock(seconds)


@register.filter
def is_public(ruling: Ruling) -> bool:
    return court_words.is_public(ruling)


@register.filter
def against_name(incident: Incident) -> str:
    return incident.name_of(incident.against)


@register.filter
def can_be_refused(incident: Incident) -> bool:
    return (
        incident.category in court_rules.REFUSAL_LOSES
        and incident.against in Side.values
        and not incident.refused
        and incident.settled != Incident.Settled.ACCEPTED
    )


@register.filter
def refusal_reason(code: str) -> str:
    return str(REASONS.get(code, code))


@register.filter
def interest_words(code: str) -> str:
    return str(INTERESTS.get(code, code))


@register.filter
def measure_words(data: dict[str, Any]) -> str:
    """One thing a decision does: its kind, and the result, points or seconds it sets."""
    measure = Measure.of(data)
    parts = [str(Effect(measure.effect).label)]
    if measure.outcome:
        parts.append(str(next(label for code, label in OUTCOME_LABELS.items() if code == measure.outcome)))
    if measure.side:
        parts.append(str(Against(measure.side).label))
    if measure.points:
        parts.append(f"{measure.points:+d}")
    if measure.white_seconds or measure.black_seconds:
        parts.append(f"{clocked(measure.white_seconds)} / {clocked(measure.black_seconds)}")
    return ": ".join(parts[:2]) + (f" ({', '.join(parts[2:])})" if parts[2:] else "")
