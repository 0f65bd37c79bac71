"""Signs that stand for the facts of a board, a round and a player: squares are places, discs are pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from tournaments.engine.types import Outcome
from tournaments.models import OUTCOME_LABELS, Entry
from tournaments.selectors.people import Step
from tournaments.selectors.points import Line
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Row
from tournaments.templatetags.page import icon

register = template.Library()

FORM_LENGTH = 7  # results that a form guide shows


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSquare:
    """A round of a section as its rank of squares shows it."""

    number: int
    is_public: bool
    is_running: bool  # public, begun by a result, and not over


@register.simple_tag
def round_squares(book: Ledger) -> list[RoundSquare]:
    tallies = {tally.number: tally for tally in book.tallies}
    current = book.current_round
    squares = []
    for number in range(1, max(book.section.rounds_total, book.last_round) + 1):
        tally = tallies.get(number)
        running = tally is not None and number == current and tally.results < tally.boards
        squares.append(RoundSquare(number=number, is_public=tally is not None, is_running=running))
    return squares


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """The two halves of a result, each with the class that makes a win stand out."""

    is_open: bool
    words: str
    white: str = ""
    black: str = ""
    white_class: str = ""
    black_class: str = ""
    white_side: str = ""
    black_side: str = ""
    note: str = ""


@register.simple_tag
def board_result(line: Line) -> BoardResult:
    words = str(OUTCOME_LABELS[line.outcome])
    if not line.has_result:
        return BoardResult(is_open=True, words=words)
    white, _separator, black = line.score.partition(" " if " " in line.score else "-")
    lead = line.white_points - line.black_points
    drawn = not lead and line.outcome is Outcome.DRAW
    return BoardResult(
        is_open=False,
        words=words,
        white=white or "–",
        black=black or "–",
        white_class=" win" if lead > 0 else " dr" if drawn else "",
        black_class=" win" if lead < 0 else " dr" if drawn else "",
        white_side=" rw" if lead > 0 else " rl" if lead < 0 else "",
        black_side=" rw" if lead < 0 else " rl" if lead > 0 else "",
        note=words if line.needs_words else "",
    )


@register.simple_tag
def side_line(entry: Entry) -> str:
    """What stands under a name: number, title, club or federation, rating."""
    player = entry.player
    parts = [entry.number, player.title, player.club or player.federation, player.rating]
    return " · ".join(str(part) for part in parts if part)


_RESULTS = {"w": _lazy("win"), "d": _lazy("draw"), "l": _lazy("loss"), "x": _lazy("no game")}


def result_letter(step: Step) -> str:
    """w, d or l for a game that counts, x for a round without one, "" while the result is open."""
    line = step.line
    if line is None or line.is_bye or line.outcome is Outcome.VOID:
        return "x"
    if not line.has_result:
        return ""
    own, other = line.white_points, line.black_points
    if line.white != step.entry_key:
        own, other = other, own
    return "w" if own > other else "d" if line.outcome is Outcome.DRAW else "l"


def result_square(letter: str) -> SafeString:
    return format_html('<span class="wdl {}"></span>', letter)


@register.simple_tag
def step_sign(step: Step) -> SafeString:
    """The square of one result: full for a win, cut for a draw, empty for a loss."""
    letter = result_letter(step)
    return result_square(letter) if letter else mark_safe("")


@register.simple_tag
def form_guide(ways: Mapping[int, Sequence[Step]], entry: Entry, after_round: int) -> SafeString:
    """The latest results up to a round, oldest first."""
    steps = [step for step in ways.get(entry.pk, ()) if step.round.number <= after_round]
    letters = [letter for letter in map(result_letter, steps) if letter][-FORM_LENGTH:]
    label = ", ".join(str(_RESULTS[letter]) for letter in letters)
    squares = format_html_join("", "{}", ((result_square(letter),) for letter in letters))
    return format_html('<span class="form" role="img" aria-label="{}">{}</span>', label, squares)


@register.simple_tag
def movement(row: Row, before: Mapping[int, int | None]) -> SafeString:
    """How many places somebody went up or down since the table before."""
    earlier = before.get(row.entry.pk)
    if row.rank is None or earlier is None:
        return mark_safe("")
    steps = earlier - row.rank
    if not steps:
        return format_html(
            '<span class="mv">{}<span class="vh">{}</span></span>', icon("same"), _("unchanged")
        )
    kind, sign, word = ("u", "up", _("up")) if steps > 0 else ("d", "fall", _("down"))
    return format_html(
        '<span class="mv {}">{}{}<span class="vh"> {}</span></span>', kind, icon(sign), abs(steps), word
    )


@register.filter
def lookup(values: Mapping[Any, Any], key: Any) -> Any:
    return values.get(key)
