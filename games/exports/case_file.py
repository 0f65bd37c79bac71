"""The appeal file: one case on paper, set in process with a font that holds Chinese. Names and texts are data, never markup."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import noto_cjk_sans_otc
import typst
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Appeal
from games.selectors import court_cases
from games.templatetags.court import article_by_number, interest_words, measure_words, refusal_reason
from games.wording import court

_TEMPLATE = Path(__file__).with_name("case_file.typ")


def to_pdf(appeal: Appeal, *, inner: bool) -> bytes:
    """The file; `inner` adds the ballots, for those who may know them."""
    return bytes(typst_of(appeal, inner=inner).compile(format="pdf"))


def typst_of(appeal: Appeal, *, inner: bool) -> Any:
    """The type-setter, ready to compile the file or to be asked about it."""
    return typst.Compiler(
        _TEMPLATE.read_bytes(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(_data(appeal, inner=inner), ensure_ascii=False)},
    )


@lru_cache(maxsize=1)
def _fonts() -> Any:
    folder = Path(noto_cjk_sans_otc.__file__).parent
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(folder)])


def _data(appeal: Appeal, *, inner: bool) -> dict[str, Any]:
    return {
        "title": _("Appeal %(n)s") % {"n": appeal.number},
        "event": appeal.event.name,
        "language": (get_language() or "zh")[:2],
        "printed": _moment(timezone.now()),
        "facts": _facts(appeal),
        "signatures": [
            [str(seat.user), _("convenor") if seat.is_convenor else _("member")]
            for seat in court_cases.seats(appeal)
            if seat.is_sitting
        ],
        "signed": _("Signatures of the members"),
        "seal": _("Seal"),
        "date": _("Date"),
        "parts": [part for part in _parts(appeal, inner=inner) if part["paragraphs"] or part["rows"]],
    }


def _facts(appeal: Appeal) -> list[list[str]]:
    deadline = _moment(appeal.deadline_at) if appeal.deadline_at else _("game not ended when filed")
    facts = [
        (_("Section"), appeal.section.name),
        (_("Board"), court.where(appeal.ruling.incident)),
        (_("Appellant"), str(appeal.appellant)),
        (_("Opponent"), str(appeal.opponent or "–")),
        (_("Ruling"), f"{appeal.ruling.number}: {court.what(appeal.ruling)}"),
        (_("Article"), f"{appeal.article} {article_by_number(appeal.article)}"),
        (_("Filed"), _moment(appeal.filed_at)),
        (_("Deadline"), deadline),
        (_("Copy to the chief arbiter"), _moment(appeal.copy_to_chief_at)),
        (_("Fee"), f"{appeal.fee} CNY, {appeal.get_fee_state_display()}"),
        (_("State"), str(appeal.get_state_display())),
    ]
    return [list(fact) for fact in facts]


def _parts(appeal: Appeal, *, inner: bool) -> list[dict[str, Any]]:
    decision = getattr(appeal, "decision", None)
    parts = [
        _part(_("Not accepted"), [*map(refusal_reason, appeal.reasons), appeal.note]),
        _part(_("Grounds"), [appeal.grounds]),
        _part(_("Request"), [appeal.request]),
        _part(_("Evidence"), rows=[[e.filename, f"{e.size} B · SHA-256 {e.digest[:16]}…"] for e in court_cases.evidence_of(appeal)]),
        _part(_("Panel"), rows=[[str(seat.user), _seat(seat)] for seat in court_cases.seats(appeal)]),
        _part(
            _("Statements"),
            rows=[[str(s.get_party_display()), s.text or _("waived: %(reason)s") % {"reason": s.waived_reason}]
                  for s in appeal.statements.all()],
        ),
    ]  # fmt: skip
    if inner:
        parts.append(_part(_("Ballots"), rows=_ballots(appeal)))
    if decision is not None:
        chosen = decision.proposal
        done = [measure_words(data) for data in chosen.effects]
        parts.append(
            _part(_("Decision"), [str(chosen.get_verdict_display()), chosen.text, *done, decision.reasons])
        )
    parts.append(_part(_("Regulations of the event"), [appeal.event.regulations]))
    times = [[_moment(m.at), m.text] for m in court_cases.timeline(appeal, inner=inner)]
    return [*parts, _part(_("Time line"), rows=times)]


def _ballots(appeal: Appeal) -> list[list[str]]:
    words = {
        p.pk: " ".join(filter(None, [str(p.get_verdict_display()), p.text])) for p in appeal.proposals.all()
    }
    return [
        [
            str(tally.ballot),
            "; ".join(f"{words.get(pk, '?')}: {votes}/{tally.seats}" for pk, votes in tally.counts),
        ]
        for tally in appeal.tallies.all()
    ]


def _seat(seat: Any) -> str:
    role = _("convenor") if seat.is_convenor else _("member")
    parts = [role, str(seat.get_state_display()), ", ".join(interest_words(code) for code in seat.interests)]
    if seat.replaces:
        parts.append(_("instead of %(name)s") % {"name": seat.replaces.user})
    parts += [seat.excused_reason, seat.recused_reason]
    return "; ".join(filter(None, parts))


def _part(
    title: str, paragraphs: list[str] | None = None, rows: list[list[str]] | None = None
) -> dict[str, Any]:
    return {"title": title, "paragraphs": [p for p in paragraphs or [] if p], "rows": rows or []}


def _moment(at: Any) -> str:
    return date_format(timezone.localtime(at), "Y-m-d H:i")
