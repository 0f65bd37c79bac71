"""Words for the ledger's codes: outcomes, colours, tie-breaks, and the keys a name is found by."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tournaments import formats
from tournaments.audit.reasons import worded
from tournaments.engine.types import Outcome
from tournaments.models import OUTCOME_LABELS, Entry, Section
from tournaments.selectors.boards import Proposed, reasons
from tournaments.selectors.people import Step
from tournaments.selectors.points import Line
from tournaments.selectors.public import Ledger, search_text
from tournaments.wording import sections, tiebreaks
from tournaments.wording.pairings import board_words

register = template.Library()


@register.filter
def outcome_words(outcome: str) -> str:
    return str(OUTCOME_LABELS[Outcome(outcome)])


_MATCH_WORDS = {
    Outcome.WHITE: _("won by the first-named"),
    Outcome.BLACK: _("won by the second-named"),
    Outcome.DRAW: _("drawn match"),
}


@register.filter
def match_words(outcome: str) -> str:
    """The outcome of a match of teams, whose players have both colours."""
    return str(_MATCH_WORDS.get(Outcome(outcome), OUTCOME_LABELS[Outcome(outcome)]))


@register.simple_tag
def bye_words(line: Line, section: Section) -> str:
    """Why a player has no opponent. In a round robin of an odd number somebody rests in each round."""
    if formats.of(section).drawn_whole and line.outcome is Outcome.ZERO_BYE:
        return str(_("rests this round"))
    return outcome_words(line.outcome)


@register.simple_tag
def result(line: Line) -> SafeString:
    """The result of a board, with words where the score does not tell all. A tag, for it stands on every board of a page."""
    if line.score and not line.needs_words:
        return format_html("{}", line.score)
    words = outcome_words(line.outcome)
    if line.has_result:
        return format_html('{}<span class="sub">{}</span>', line.score, words)
    return format_html('<span title="{}">–<span class="visually-hidden"> {}</span></span>', words, words)


_BYE_CELLS = {Outcome.BYE: _("bye"), Outcome.HALF_BYE: _("½ bye"), Outcome.ZERO_BYE: _("abs.")}


@register.simple_tag
def cross_cell(step: Step, against_all: bool = False) -> SafeString:
    """One meeting in a cross table: 12w2, 3b-, bye; against_all leaves the opponent to the column's head."""
    if step.line is None:
        return format_html('<span title="{}">–</span>', _("not paired"))
    words = outcome_words(step.line.outcome)
    if step.opponent is None:
        return format_html('<span title="{}">{}</span>', words, _BYE_CELLS[step.line.outcome])
    mark = step.mark or "·"
    if against_all:
        return format_html('<span title="{}">{}{}</span>', words, mark, step.colour)
    number = step.opponent.number
    title = f"{step.opponent.player.name}: {words}"
    return format_html(
        '<a class="cell" href="#n{}" title="{}">{}{}{}</a>', number, title, number, step.colour, mark
    )


@register.filter
def reason_words(text: str) -> str:
    """A kept reason in the reader's language."""
    return worded(text)


@register.filter
def find_keys(entry: Entry) -> str:
    return search_text(entry)


@register.filter
def scheme_words(section: Section) -> str:
    """The section's result scheme, with the further results that it has, or its own points."""
    scheme = section.result_scheme
    told = str(dict(sections.schemes()).get(section.scheme, section.scheme))
    if section.own_points:
        told = ", ".join(f"{label} {getattr(scheme, name)}" for name, label in sections.own_points())
    return f"{told} ({', '.join(scheme.grades)})" if scheme.grades else told


@register.filter
def match_rule_words(section: Section) -> list[str]:
    """How the games of a match decide it: the name of the rule, or the stages of the section's own."""
    rule = formats.match_rule(section)
    if rule is None:
        return []
    if not section.own_match:
        return [str(dict(sections.match_rules())[rule.code])]
    return sections.stages_in_words(rule)


@register.simple_tag
def ranking_help() -> str:
    return str(sections.RANKING_HELP)


@register.filter
def tiebreak_short(code: str) -> str:
    return tiebreaks.short(code)


@register.filter
def tiebreak_name(code: str) -> str:
    return tiebreaks.name(code)


@register.filter
def tiebreak_meaning(code: str) -> str:
    return tiebreaks.meaning(code)


_PLAIN_REASONS = frozenset({"opponent", "counted", "rating", "running-total"})


@register.filter
def remark(reason: str) -> str:
    """Why a line of a working gives what it gives; nothing for the plain case."""
    return "" if reason in _PLAIN_REASONS else tiebreaks.reason(reason)


register.filter("value_text", tiebreaks.value_text)


@register.filter
def value_exact(value: Any) -> str:
    """The same value with nothing rounded."""
    text = tiebreaks.value_text(value)
    return f"{text} ({value})" if "/" in str(value) else text


_EDITS = {
    "swap": _("%(first)s and %(second)s changed places"),
    "set": _("%(first)s (White) was set against %(second)s"),
    "bye": _("%(first)s was given the bye"),
    "replace": _("%(first)s came in for %(second)s after a corrected result"),
}


@register.filter
def edit_words(edit: dict[str, Any]) -> str:
    """One of the arbiter's changes to a draft, in a sentence."""
    names = [*edit.get("names", []), "", ""]
    template = _EDITS.get(edit.get("verb", ""))
    if template is None:
        return str(edit.get("verb", ""))
    return str(template) % {"first": names[0], "second": names[1]}


@register.simple_tag
def board_reasons(board: Proposed, names: dict[int, str]) -> list[str]:
    """Why the engine paired a board so, in sentences."""
    return board_words(board.white_why, board.black_why, lambda number: names.get(number, str(number)))


@register.simple_tag
def step_reasons(book: Ledger, step: Step) -> list[str]:
    """Why somebody had this opponent and this colour, in sentences."""
    return reasons(book, step.round, step.line) if step.line is not None else []
