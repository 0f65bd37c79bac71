"""What a section needs next, as one sentence for its officials."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import formats
from tournaments.formats import brackets
from tournaments.formats.repairs import open_repairs
from tournaments.models import Job, Round, Section
from tournaments.selectors import desk, interrupted
from tournaments.selectors.desk import RoundState

ENOUGH_PLAYERS = 2


class Kind(StrEnum):
    """Also tells the page which button belongs to the sentence."""

    ENTER = "enter"
    PAIR = "pair"
    WAIT = "wait"
    FAILED = "failed"
    PUBLISH = "publish"
    RESULTS = "results"
    BRACKET = "bracket"
    CLOSE = "close"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    kind: Kind
    text: str
    number: int = 0  # of the round it is about
    job: Job | None = None


def of(section: Section) -> Step:
    """Looks at state, entries, rounds and the last pairing job: four queries."""
    if section.state == Section.State.CLOSED:
        return Step(kind=Kind.DONE, text=_("The section is closed; its places are final."))
    found = desk.rounds(section)
    paired = [r for r in found if r.round.state != Round.State.OPEN]
    job = desk.latest_pairing_job(section)
    if job is not None and job.is_active:
        return Step(
            kind=Kind.WAIT, job=job, number=job.round_number or 0,
            text=_("Round %(round)s is being paired.") % {"round": job.round_number},
        )  # fmt: skip
    return (
        _failed(paired, job)
        or _bracket(section)
        or _results(section, paired)
        or _draft(section, paired)
        or _forward(section, paired)
    )


def _failed(paired: list[RoundState], job: Job | None) -> Step | None:
    if job is None or job.state != Job.State.FAILED or len(paired) >= (job.round_number or 0):
        return None
    return Step(
        kind=Kind.FAILED, job=job, number=job.round_number or 0,
        text=_("Round %(round)s could not be paired.") % {"round": job.round_number},
    )  # fmt: skip


def _bracket(section: Section) -> Step | None:
    if not any(repair.blocks for repair in open_repairs(section)):
        return None
    return Step(kind=Kind.BRACKET, text=_("A corrected result changes who goes on: say what holds."))


def _results(section: Section, paired: list[RoundState]) -> Step | None:
    open_round = next((r for r in paired if r.round.is_public and r.missing), None)
    if open_round is None or open_round.missing <= len(interrupted.adjourned(section)):
        return None  # adjourned games do not hold up the next round
    text = ngettext(
        "%(count)s result is missing in round %(round)s.",
        "%(count)s results are missing in round %(round)s.",
        open_round.missing,
    )
    number = open_round.round.number
    return Step(kind=Kind.RESULTS, number=number, text=text % {"count": open_round.missing, "round": number})


def _draft(section: Section, paired: list[RoundState]) -> Step | None:
    draft = next((r.round for r in paired if r.round.state == Round.State.PAIRED), None)
    if draft is None:
        return None
    text = _("Look through the draft of round %(round)s and publish it.")
    if formats.of(section).drawn_whole and draft.number == 1:
        text = _("Look through the draw of the round robin and publish it.")
    return Step(kind=Kind.PUBLISH, number=draft.number, text=text % {"round": draft.number})


def _forward(section: Section, paired: list[RoundState]) -> Step:
    if not paired and section.entries.count() < ENOUGH_PLAYERS:
        return Step(kind=Kind.ENTER, text=_("Enter the players."))
    if formats.of(section).drawn_whole and not paired:
        return Step(kind=Kind.PAIR, number=1, text=_("Draw the round robin."))
    number = len(paired) + 1
    level = brackets.undecided(section) if formats.of(section).has_bracket and paired else []
    if level:
        text = _("Say who goes on from board %(boards)s: the match is level.")
        last = paired[-1].round.number
        return Step(kind=Kind.RESULTS, number=last, text=text % {"boards": ", ".join(map(str, level))})
    if formats.of(section).has_bracket and not paired:
        return Step(kind=Kind.PAIR, number=1, text=_("Draw the first round."))
    if formats.of(section).drawn_whole or number > section.rounds_total:
        return Step(kind=Kind.CLOSE, text=_("All results are in: close the section."))
    return Step(kind=Kind.PAIR, number=number, text=_("Pair round %(round)s.") % {"round": number})
