"""Whatever anybody does in whatever order: decisions stand, never contradict, and the ledger says what they and the rulings say.

The acts are drawn by hypothesis; those of the committee run one case from filing to its decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.models import Appeal, AppealDecision, Incident, Ruling
from games.services.court import appeals, ballots, decisions, incidents, lodging, panels, rulings
from games.services.court.appeals import Filing
from games.services.court.contested import Contested
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests.games.court_cast import Court, court, user_of
from tournaments.audit import Actor
from tournaments.errors import DomainError
from tournaments.models import Adjustment, Pairing
from tournaments.services import corrections, entries, rounds
from tournaments.services import results as ledger

pytestmark = pytest.mark.django_db

BOARDS = (1, 2)
OUTCOMES = ("WHITE", "DRAW", "BLACK", "UNPLAYED", "WHITE_FORFEITS", "BOTH_LOSE", "VOID")
VERDICTS: tuple[tuple[str, tuple[Measure, ...]], ...] = (
    ("DISMISS", ()),
    ("UPHOLD", ()),
    ("PARTLY", (Measure(effect="RESULT", outcome="DRAW"),)),
    ("PARTLY", (Measure(effect="RESULT", outcome="WHITE"), Measure(effect="WARNING", side="B"))),
    ("PARTLY", (Measure(effect="POINTS", side="W", points=-1),)),
    ("PARTLY", (Measure(effect="REPLAY"),)),
)

Act = Callable[[Court, int, int], Any]
"""An act at a board, with a number that says which of its kinds."""


def _actor(stage: Court, choice: int) -> Actor:
    return (stage.arbiter, stage.chief, stage.organizer)[choice % 3]


def _enter(stage: Court, board: int, choice: int) -> None:
    row = stage.board(board)
    ledger.record_outcome(
        _actor(stage, choice),
        row.pk,
        outcome=OUTCOMES[choice % len(OUTCOMES)],
        version=row.version,
        reason="x",
    )


def _rule(stage: Court, board: int, choice: int) -> None:
    effect = ("GAME_LOST", "WARNING", "BOTH_LOSE", "REMINDER")[choice % 4]
    side = "" if effect == "BOTH_LOSE" else "WB"[choice // 4 % 2]
    report = Report(category="CONDUCT", raised_by="A", against="WB"[choice // 4 % 2])
    rulings.rule_at_once(
        stage.chief, stage.board(board).pk, report, Order(effect=effect, side=side, text="x")
    )


def _replay(stage: Court, board: int, choice: int) -> None:
    report = Report(category="WRONG_BOARD", raised_by="A")
    incident = incidents.log_incident(stage.arbiter, stage.board(board).pk, report)
    rulings.rule(stage.arbiter, incident.pk, Order(effect="REPLAY"))


def _withdraw(stage: Court, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board).order_by("pk"))
    if found:
        rulings.withdraw_ruling(stage.chief, found[choice % len(found)].pk, reason="x")


def _revise(stage: Court, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board, state="IN_FORCE").order_by("pk"))
    if found:
        order = Order(effect="GAME_LOST", side="WB"[choice % 2], text="x")
        rulings.revise_ruling(stage.chief, found[choice % len(found)].pk, order)


def _leave(stage: Court, board: int, choice: int) -> None:
    entries.withdraw_entry(stage.organizer, stage.board(board).white_id, after_round=2, reason="x")


def _come_back(stage: Court, board: int, choice: int) -> None:
    entries.return_entry(stage.organizer, stage.board(board).white_id)


def _points(stage: Court, board: int, choice: int) -> None:
    ledger.adjust_score(
        stage.chief, stage.board(board).white_id, points=(1, -1)[choice % 2], after_round=2, reason="x"
    )


def _unpublish(stage: Court, board: int, choice: int) -> None:
    rounds.unpublish_round(stage.organizer, stage.round.pk, reason="x")


def _colours(stage: Court, board: int, choice: int) -> None:
    corrections.turn_colours(stage.chief, stage.board(board).pk, reason="x")


def _file(stage: Court, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board, state="IN_FORCE").order_by("pk"))
    said = Filing(kind="OTHER", grounds="g", request="r", submission=uuid4().hex)
    row = stage.board(board)
    link = (row.white if choice % 2 else row.black or row.white).link
    if found and choice % 3:
        appeals.file_appeal(Actor(), found[choice % len(found)].pk, said, link=link)
    else:
        lodging.contest(
            Actor(), stage.section.pk, Contested(subject="RESULT", round_number=2), said, link=link
        )


def _give_up(stage: Court, board: int, choice: int) -> None:
    appeal = Appeal.objects.filter(ruling__incident__board=board).order_by("-pk").first()
    if appeal is not None:
        appeals.withdraw_appeal(Actor(), appeal.pk, link=appeal.appellant.link)


OTHERS: tuple[Act, ...] = (
    _enter, _enter, _rule, _rule, _replay, _withdraw, _revise, _leave, _come_back, _points, _unpublish, _colours, _file,
    _file, _give_up,
)  # fmt: skip


def _committee(stage: Court, board: int, choice: int) -> None:
    """One open case of the board from wherever it is to its decision."""
    found = Appeal.objects.filter(
        ruling__incident__board=board, joined_to__isnull=True, state="FILED"
    ).first()
    if found is None:
        return
    chair = stage.committee[0]
    if found.fee_state == Appeal.Fee.DUE:
        appeals.confirm_fee(stage.organizer, found.pk)
    appeals.admit_appeal(stage.organizer, found.pk)
    for member in stage.committee:
        panels.seat_member(stage.organizer, found.pk, user_id=user_of(member).pk, convenor=member == chair)
    panels.open_hearing(chair, found.pk)
    for party in panels.unheard(Appeal.objects.get(pk=found.pk)):
        panels.waive_statement(chair, found.pk, party=party, reason="x")
    panels.begin_deliberation(chair, found.pk)
    verdict, measures = VERDICTS[choice % len(VERDICTS)]
    chosen = ballots.propose_decision(chair, found.pk, verdict=verdict, measures=measures)
    for member in stage.committee:
        ballots.cast_vote(member, found.pk, chosen.pk)
    ballots.close_ballot(chair, found.pk)
    ballots.decide_appeal(chair, found.pk, reasons="x")


def _try(act: Act, stage: Court, board: int, choice: int) -> None:
    try:
        with transaction.atomic():
            act(stage, board, choice)
    except DomainError:
        return


def set_by_decisions() -> dict[str, Any]:
    """What the decisions in force set, read from the rulings and results alone: results, points, statuses."""
    found: dict[str, Any] = {}
    for decision in AppealDecision.objects.filter(is_joined=False, ended_at__isnull=True):
        appeal = decision.appeal
        boards = []
        for ruling in [appeal.ruling, *decisions.measures_of(appeal)]:
            change = ruling.applied.get("outcome")
            boards += [change["pairing"]] if change else []
            for row in ruling.applied.get("adjustments", []):
                points = Adjustment.objects.filter(entry=row["entry"]).values_list("points", flat=True)
                found[f"A{appeal.number} points {row['entry']}"] = sum(points)
        for pk in boards:
            board = Pairing.objects.get(pk=pk)
            if board.outcome != "UNPLAYED":
                found[f"A{appeal.number} board {pk}"] = (board.outcome, board.white_id, board.black_id)
        found[f"A{appeal.number}"] = (
            decision.proposal.verdict,
            [(r.effect, r.side, r.state) for r in decisions.measures_of(appeal)],
        )
    return found


def replayed(board: Pairing) -> str | None:
    """The board's result recomputed from nothing: the last of the rulings and decisions in force; None where none set it."""
    said = None
    rows = Ruling.objects.filter(incident__pairing=board, state=Ruling.State.IN_FORCE)
    for ruling in rows.order_by("in_force_at", "pk"):
        change = ruling.applied.get("outcome")
        if change is not None and ruling.effect != "REPLAY" and ruling.subject == "RULING":
            said = change["after"]
    return said


class Properties(TestCase):
    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(OTHERS), st.sampled_from(BOARDS), st.integers(min_value=0, max_value=20)
            ),
            min_size=1, max_size=14,
        ),
        st.lists(
            st.tuples(
                st.sampled_from(OTHERS), st.sampled_from(BOARDS), st.integers(min_value=0, max_value=20)
            ),
            max_size=14,
        ),
        st.integers(min_value=0, max_value=5),
    )  # fmt: skip
    def test_nobody_but_the_committee_changes_what_a_decision_set(
        self, before: list[tuple[Act, int, int]], after: list[tuple[Act, int, int]], verdict: int
    ) -> None:
        stage = court(members=3)
        _try(_rule, stage, 1, 0)
        _try(_file, stage, 1, 1)
        for act, board, choice in before:
            _try(act, stage, board, choice)
        for board in BOARDS:
            _try(_committee, stage, board, verdict)
        decided = set_by_decisions()

        for act, board, choice in after:
            _try(act, stage, board, choice)

        now = set_by_decisions()
        assert {name: now[name] for name in decided} == decided

    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from((*OTHERS, _committee, _committee)), st.sampled_from(BOARDS),
                st.integers(min_value=0, max_value=20),
            ),
            min_size=4, max_size=24,
        )
    )  # fmt: skip
    def test_the_ledger_says_what_rulings_and_decisions_say_and_decisions_never_contradict(
        self, acts: list[tuple[Act, int, int]]
    ) -> None:
        stage = court(members=3)
        for act, board, choice in acts:
            _try(act, stage, board, choice)

        for pairing in Pairing.objects.filter(round=stage.round):
            said = replayed(pairing)
            assert said is None or pairing.outcome == said, (pairing, said)
        rulings_decided = AppealDecision.objects.filter(is_joined=False, ended_at__isnull=True)
        assert len({row.ruling_id for row in rulings_decided}) == len(rulings_decided)
        assert all(i.settled for i in Incident.objects.filter(rulings__state="IN_FORCE"))
