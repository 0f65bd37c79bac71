"""Notices in the reader's language, and those of rulings and decisions beside what they changed."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from tournaments.models import Notice, Pairing, Section
from tournaments.selectors import notice_board
from tournaments.services.notices import words_of

register = template.Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Rulings and decisions in force; `boards` are the board numbers they speak of."""

    notices: list[Notice]
    boards: frozenset[int]


@register.filter
def notice_text(notice: Notice) -> str:
    return words_of(notice)


@register.simple_tag
def section_rulings(section: Section, number: int | None = None) -> Told:
    """Of the whole section, or of one round. One query."""
    found = notice_board.rulings_of(section, round_number=number)
    return Told(notices=found, boards=frozenset(n.pairing.board for n in found if n.pairing is not None))


@register.simple_tag
def board_rulings(pairing: Pairing) -> list[Notice]:
    return notice_board.rulings_at(pairing)
