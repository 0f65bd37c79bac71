"""Notices in the reader's language, and those of rulings and decisions beside what they changed."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from tournaments import holds
from tournaments.models import Notice, Pairing, Section
from tournaments.selectors import notice_board
from tournaments.services.notices import words_of

register = template.Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Rulings and decisions in force: the words of the latest by board, and the boards lost by a second public warning."""

    notices: list[Notice]
    boards: dict[int, str]
    lost_by_warnings: frozenset[int]


@register.filter
def notice_text(notice: Notice) -> str:
    return words_of(notice)


@register.simple_tag
def section_rulings(section: Section, number: int | None = None) -> Told:
    """Of the whole section, or of one round. One query, and another where a board has a ruling."""
    found = notice_board.rulings_of(section, round_number=number)
    boards = {n.pairing.board: words_of(n) for n in found if n.pairing is not None}
    lost = holds.lost_by_warnings(section, number) if boards and number is not None else frozenset()
    return Told(notices=found, boards=boards, lost_by_warnings=lost)


@register.simple_tag
def board_rulings(pairing: Pairing) -> list[Notice]:
    return notice_board.rulings_at(pairing)
