"""What is still open before a section is paired, published or closed: one list, each point with where it is settled.

The ledger knows its own points; whoever knows more names a source here when the program starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import formats
from tournaments.models import PUBLIC_STATES, AbsenceRequest, Pairing, Registration, Round, Section, Standings
from tournaments.selectors import check_in, draft_checks
from tournaments.selectors.open_cases import open_cases
from tournaments.wording.people import shown


class Before(StrEnum):
    PAIRING = "pairing"
    PUBLISHING = "publishing"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point in a sentence; `is_open` asks for a look, the others are told so that nobody has to go and see."""

    text: str
    address: str = ""
    is_open: bool = True
    details: tuple[str, ...] = ()


Source = Callable[[Section], list[Point]]
SOURCES: list[Source] = []


def points(section: Section, before: Before, *, round_: Round | None = None) -> list[Point]:
    """The points of a section, those that are open first. `round_` is the draft to be published."""
    found = [
        *_results(section),
        *(point for source in SOURCES for point in source(section)),
        *_appeals(section, told=before is not Before.PAIRING),
        *_asked(section),
        *(_absences(section) if before is Before.PAIRING else ()),
        *(_of_draft(section, round_) if round_ is not None else ()),
        *(_shared_places(section) if before is Before.CLOSING else ()),
    ]
    return sorted(found, key=lambda point: not point.is_open)


def _results(section: Section) -> Iterator[Point]:
    missing = Counter(
        Pairing.objects.filter(
            round__section=section, round__state__in=PUBLIC_STATES, outcome="UNPLAYED", black__isnull=False
        ).values_list("round__number", flat=True)
    )
    for number, count in sorted(missing.items()):
        text = ngettext(
            "%(count)s result is missing in round %(round)s.",
            "%(count)s results are missing in round %(round)s.",
            count,
        )
        yield Point(
            text=text % {"count": count, "round": number},
            address=reverse("desk:results", args=[section.pk, number]) + "?show=missing",
        )
    if not missing and section.rounds.filter(state__in=PUBLIC_STATES).exists():
        yield Point(text=_("All results are in."), is_open=False)


def _appeals(section: Section, *, told: bool) -> Iterator[Point]:
    """`told`: the page names each of them beside the list."""
    cases = tuple(open_cases(section))
    if cases:
        text = ngettext("%(count)s appeal is open.", "%(count)s appeals are open.", len(cases))
        yield Point(
            text=text % {"count": len(cases)},
            details=() if told else cases,
            address=reverse("games:court", args=[section.event_id]),
        )


def _asked(section: Section) -> Iterator[Point]:
    """Requests and registrations without an answer."""
    address = reverse("desk:registration", args=[section.pk])
    requests = AbsenceRequest.objects.filter(
        entry__section=section, state=AbsenceRequest.State.WAITING
    ).count()
    if requests:
        text = ngettext(
            "%(count)s request for an absence waits for an answer.",
            "%(count)s requests for absences wait for an answer.",
            requests,
        )
        yield Point(text=text % {"count": requests}, address=address)
    waiting = section.registrations.filter(state=Registration.State.REQUESTED).count()
    if waiting:
        text = ngettext(
            "%(count)s registration waits for an answer.",
            "%(count)s registrations wait for an answer.",
            waiting,
        )
        yield Point(text=text % {"count": waiting}, address=address)


def _absences(section: Section) -> Iterator[Point]:
    rows = check_in.of_section(section)
    away = [row for row in rows if row.absence is not None]
    if away:
        text = ngettext(
            "%(count)s player is absent in round %(round)s.",
            "%(count)s players are absent in round %(round)s.",
            len(away),
        )
        yield Point(
            text=text % {"count": len(away), "round": away[0].round_number},
            is_open=False,
            address=reverse("desk:check_in", args=[section.event_id]),
            details=tuple(
                f"{shown(row.entry)}: {row.absence.get_kind_display()}" for row in away if row.absence
            ),
        )
    missing = sum(row.is_missing for row in rows)
    if missing and any(row.is_present for row in rows) and formats.of(section).absence() is None:
        text = ngettext(
            "The check-in is not closed: %(count)s player is missing.",
            "The check-in is not closed: %(count)s players are missing.",
            missing,
        )
        yield Point(text=text % {"count": missing}, address=reverse("desk:check_in_close", args=[section.pk]))


def _of_draft(section: Section, round_: Round) -> Iterator[Point]:
    draft = reverse("desk:draft", args=[section.pk, round_.number])
    if round_.edits:
        text = ngettext("%(count)s change by hand.", "%(count)s changes by hand.", len(round_.edits))
        yield Point(text=text % {"count": len(round_.edits)}, address=draft)
    elif round_.proposal:
        yield Point(text=_("Nothing was changed by hand."), is_open=False)
    warnings = len(draft_checks.warnings_of(round_))
    if warnings:
        text = ngettext("The draft has %(count)s warning.", "The draft has %(count)s warnings.", warnings)
        yield Point(text=text % {"count": warnings}, address=draft)
    if round_.number == 1 and not formats.of(section).enters_teams:
        yield from _club_mates(round_, draft)


def _club_mates(round_: Round, address: str) -> Iterator[Point]:
    boards = round_.pairings.filter(black__isnull=False, white__player__club=F("black__player__club"))
    found = [
        f"{board.board}: {shown(board.white)} – {shown(board.black)} ({board.white.player.club})"
        for board in boards.exclude(white__player__club="").select_related("white__player", "black__player").order_by("board")
    ]  # fmt: skip
    if found:
        text = ngettext(
            "Club-mates meet in round 1 on %(count)s board.",
            "Club-mates meet in round 1 on %(count)s boards.",
            len(found),
        )
        yield Point(text=text % {"count": len(found)}, details=tuple(found), address=address)


def _shared_places(section: Section) -> Iterator[Point]:
    table = Standings.objects.filter(section=section).order_by("-after_round", "-pk").first()
    ranks = Counter(row["rank"] for row in table.rows if row.get("rank")) if table else Counter[int]()
    shared = sorted(rank for rank, count in ranks.items() if count > 1)
    if not shared:
        return
    words = tuple(
        _("Place %(place)s: %(count)s players") % {"place": rank, "count": ranks[rank]} for rank in shared
    )
    if section.lots_decide:
        text = _("Shared places: the lot decides them at the end.")
    else:
        text = _("Shared places stay shared: nothing separates these players.")
    yield Point(
        text=text, details=words, address=reverse("desk:standings", args=[section.pk]),
        is_open=not section.lots_decide,
    )  # fmt: skip
