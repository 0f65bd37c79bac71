"""What is asked to be printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.errors import BadInput
from tournaments.exports.papers.words import Words
from tournaments.models import Event, Paper, Round, Section

Block = dict[str, Any]  # a part of a paper as data for papers.typ, told apart by "type"


@dataclass(frozen=True, kw_only=True)
class Ask:
    """`address` is what codes to scan begin with, "" for papers without codes."""

    event: Event
    sections: list[Section]
    words: Words
    address: str = ""
    of_section: Section | None = None
    of_round: Round | None = None

    @classmethod
    def of(cls, paper: Paper) -> Ask:
        """Raises BadInput for a round that there is no longer."""
        event = paper.event
        sections = list(event.sections.select_related("event").order_by("position", "id"))
        section = next((s for s in sections if s.pk == paper.section_id), None)
        round_ = None
        if paper.round_number is not None and section is not None:
            round_ = section.rounds.exclude(state=Round.State.OPEN).filter(number=paper.round_number).first()
            if round_ is not None:
                round_.section = section
        return cls(
            event=event, sections=sections, words=Words(paper.language), address=paper.address, of_section=section, of_round=round_,
        )  # fmt: skip

    @property
    def section(self) -> Section:
        if self.of_section is None:
            raise BadInput(_gone())
        return self.of_section

    @property
    def round(self) -> Round:
        if self.of_round is None:
            raise BadInput(_gone())
        return self.of_round

    def link(self, name: str, *args: Any, anchor: str = "") -> str:
        """The full address of a public page; "" where codes carry none."""
        return f"{self.address}{reverse(name, args=args)}{anchor}" if self.address else ""


def _gone() -> str:
    return _("What was to be printed is there no longer.")
