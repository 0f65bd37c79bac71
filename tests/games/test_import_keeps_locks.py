"""An event carried to another site in its document: what its committee decided is as final there, nothing more is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from games.models import Appeal, AppealDecision, Ruling
from games.services.court import appeals, ballots, lodging, panels, rulings
from games.services.court.contested import Contested
from games.services.court.effects import Measure
from games.services.court.orders import Order
from tests.games import case_cast as cases
from tests.games.case_cast import NOBODY, filing
from tests.games.court_cast import Court, court, ruled
from tests.games.test_court_properties import set_by_decisions
from tournaments.audit import SYSTEM
from tournaments.errors import DomainError
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import Entry, Event, Hold, Pairing, Role
from tournaments.services import entries, rounds
from tournaments.services import results as ledger
from tournaments.services.event_import import import_event

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key(settings: Any, tmp_path: Path) -> None:
    settings.VAR, settings.SEAL_KEY = tmp_path, ""


def carried(stage: Court) -> Court:
    """The event as it is on the other site, with the same officials."""
    there: Event = import_event(SYSTEM, as_text(export_event(stage.event)).encode()).event
    for who in (stage.organizer, stage.chief, stage.arbiter):
        kind = Role.objects.get(event=stage.event, user=who.user).kind
        Role.objects.create(event=there, user=who.user, kind=kind)
    section = there.sections.get()
    return Court(
        section=section, entries=list(section.entries.order_by("number")), round=section.rounds.get(number=2),
        organizer=stage.organizer, chief=stage.chief, arbiter=stage.arbiter,
    )  # fmt: skip


def enter(stage: Court, outcome: str, *, board: int = 1) -> None:
    row = stage.board(board)
    ledger.record_outcome(stage.chief, row.pk, outcome=outcome, version=row.version, reason="undone")


def holds_of(stage: Court) -> list[tuple[Any, ...]]:
    rows = Hold.objects.filter(section=stage.section, ended_at__isnull=True)
    return sorted((h.case, h.kind, h.is_final, h.round_number, h.board, h.number) for h in rows)


def revise(stage: Court) -> None:
    order = Order(effect="REMINDER", side="W", text="milder")
    rulings.revise_ruling(stage.chief, Ruling.objects.filter(event=stage.event).latest("pk").pk, order)


def withdraw(stage: Court) -> None:
    for ruling in Ruling.objects.filter(event=stage.event, state="IN_FORCE"):
        rulings.withdraw_ruling(stage.chief, ruling.pk, reason="mistaken")


DOORS: dict[str, Callable[[Court], None]] = {
    "undo": lambda s: enter(s, "UNPLAYED"),
    "grid": lambda s: enter(s, "BLACK"),
    "forfeit": lambda s: enter(s, "BLACK_FORFEITS"),
    "withdrawal": withdraw,
    "revision": revise,
    "unpublishing": lambda s: rounds.unpublish_round(s.organizer, s.round.pk, reason="again") and None,
}


@pytest.mark.parametrize("door", DOORS)
def test_a_decided_result_is_as_final_there(door: str) -> None:
    stage = court(members=3)
    cases.decided(stage, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")])
    there = carried(stage)
    assert holds_of(there) == holds_of(stage)

    with pytest.raises(DomainError), transaction.atomic():
        DOORS[door](there)

    assert there.board().outcome == "DRAW"


def test_a_dismissed_appeal_leaves_its_ruling_beyond_the_arbiters_there_too() -> None:
    stage = court(members=3)
    cases.decided(stage, verdict="DISMISS")
    there = carried(stage)

    for door in ("withdrawal", "revision", "undo"):
        with pytest.raises(DomainError), transaction.atomic():
            DOORS[door](there)

    assert there.board().outcome == "BLACK"
    assert holds_of(there) == holds_of(stage)


def test_joined_appeals_are_brought_over_with_their_one_decision() -> None:
    stage = court(members=3)
    ruling = ruled(stage, "BOTH_LOSE", side="")
    black = stage.board().black
    assert black is not None
    first = appeals.file_appeal(NOBODY, ruling.pk, filing(), link=stage.board().white.link)
    second = appeals.file_appeal(NOBODY, ruling.pk, filing(), link=black.link)
    decide(stage, first, "PARTLY", [Measure(effect="RESULT", outcome="WHITE")])
    second.refresh_from_db()
    assert (second.state, second.joined_to_id) == ("DECIDED", first.pk)

    there = carried(stage)

    rows = AppealDecision.objects.filter(appeal__event=there.event).order_by("appeal__number")
    assert [(row.appeal.number, row.is_joined) for row in rows] == [(1, False), (2, True)]
    assert Appeal.objects.get(event=there.event, number=2).joined_to == rows[0].appeal
    assert holds_of(there) == holds_of(stage)


def test_a_case_taken_up_again_is_brought_over_with_both_decisions() -> None:
    stage = court(members=3)
    first = cases.decided(stage, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")])
    again = panels.take_up_again(stage.committee[0], first.pk, reason="a new witness")
    decide(stage, again, "PARTLY", [Measure(effect="RESULT", outcome="WHITE")], seat=False)

    there = carried(stage)

    rows = AppealDecision.objects.filter(appeal__event=there.event).order_by("appeal__number")
    assert [row.ended_at is None for row in rows] == [False, True]
    assert Appeal.objects.get(event=there.event, number=2).revises == rows[0].appeal
    assert holds_of(there) == holds_of(stage)
    with pytest.raises(DomainError), transaction.atomic():
        enter(there, "DRAW")


def test_a_typed_result_whose_appeal_was_withdrawn_is_no_more_held_there_than_here() -> None:
    stage = court(members=3)
    enter(stage, "BLACK")
    said = filing(kind="OTHER")
    case = lodging.contest(
        NOBODY, stage.section.pk, Contested(subject="RESULT", round_number=2), said, link=stage.board().white.link
    )  # fmt: skip
    appeals.withdraw_appeal(NOBODY, case.pk, link=stage.board().white.link)
    assert holds_of(stage) == []

    there = carried(stage)

    assert holds_of(there) == []
    enter(there, "DRAW")
    assert there.board().outcome == "DRAW"


def test_a_loss_by_two_warnings_is_brought_over_and_revoked_there() -> None:
    stage = court(members=3)
    for _time in range(2):
        ruled(stage, "WARNING")
    there = carried(stage)
    assert holds_of(there) == holds_of(stage)

    with pytest.raises(DomainError), transaction.atomic():
        enter(there, "DRAW")
    second = Ruling.objects.filter(event=there.event, effect="WARNING").latest("number")
    rulings.withdraw_ruling(there.chief, second.pk, reason="it was his neighbour")

    assert there.board().outcome == "UNPLAYED"
    assert holds_of(there) == []


def test_a_ruling_under_appeal_holds_there_as_any_ruling_does() -> None:
    stage = court(members=3)
    cases.filed(stage)
    there = carried(stage)

    with pytest.raises(DomainError), transaction.atomic():
        enter(there, "DRAW")

    withdraw(there)
    assert there.board().outcome == "UNPLAYED"


@pytest.mark.parametrize(
    "measures",
    [
        [Measure(effect="POINTS", side="W", points=-1)],
        [Measure(effect="DISQUALIFY", side="W")],
        [Measure(effect="REPLAY")],
        [Measure(effect="RESULT", outcome="WHITE"), Measure(effect="WARNING", side="B")],
    ],
    ids=["points", "disqualification", "replay", "result and warning"],
)
def test_every_measure_is_held_there_as_it_is_here(measures: list[Measure]) -> None:
    stage = court(members=3)
    cases.decided(stage, verdict="PARTLY", measures=measures)

    there = carried(stage)

    assert holds_of(there) == holds_of(stage)
    decided = {name: said for name, said in set_by_decisions().items() if " " not in name}
    assert decided
    for door in DOORS.values():
        try:
            with transaction.atomic():
                door(there)
        except DomainError:
            pass
    for entry in Entry.objects.filter(section=there.section, status="DISQUALIFIED"):
        with pytest.raises(DomainError), transaction.atomic():
            entries.return_entry(there.organizer, entry.pk)
    here = list(Pairing.objects.filter(round=stage.round).order_by("board").values_list("outcome", flat=True))
    now = list(Pairing.objects.filter(round=there.round).order_by("board").values_list("outcome", flat=True))
    assert now[0] == here[0] or here[0] == "UNPLAYED"


def test_a_second_warning_by_decision_loses_the_game_there_too() -> None:
    stage = court(members=3)
    ruled(stage, "WARNING")
    cases.decided(
        stage, ruling=ruled(stage, "REMINDER"), verdict="PARTLY", measures=[Measure(effect="WARNING", side="W")]
    )  # fmt: skip
    assert stage.board().outcome == "BLACK"

    there = carried(stage)

    assert holds_of(there) == holds_of(stage)
    for door in ("undo", "withdrawal", "revision"):
        with pytest.raises(DomainError), transaction.atomic():
            DOORS[door](there)
    assert there.board().outcome == "BLACK"


def decide(stage: Court, case: Appeal, verdict: str, measures: list[Measure], *, seat: bool = True) -> None:
    """The case from wherever it is to its decision."""
    chair = stage.committee[0]
    case.refresh_from_db()
    if case.state == "FILED":
        if case.fee_state == "DUE":
            appeals.confirm_fee(stage.organizer, case.pk)
        appeals.admit_appeal(stage.organizer, case.pk)
    if seat:
        cases.seated(stage, case)
    panels.open_hearing(chair, case.pk)
    for party in panels.unheard(Appeal.objects.get(pk=case.pk)):
        panels.waive_statement(chair, case.pk, party=party, reason="x")
    panels.begin_deliberation(chair, case.pk)
    chosen = ballots.propose_decision(chair, case.pk, verdict=verdict, measures=measures)
    for member in stage.committee[:3]:
        ballots.cast_vote(member, case.pk, chosen.pk)
    ballots.close_ballot(chair, case.pk)
    ballots.decide_appeal(chair, case.pk, reasons="x")
