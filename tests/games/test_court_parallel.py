"""Ten committee members and two organizers at once on one case, on real connections: counted once, applied once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from games.models import Appeal, AppealDecision, Ruling, Tally, Vote
from games.services.court import appeals, ballots, panels, rulings
from tests.games import case_cast as cases
from tests.games.boards import actor
from tests.games.court_cast import court, ruled, user_of
from tests.tournaments.test_parallel import nobody_gives_up_at_the_gate, together
from tournaments.errors import SiteError
from tournaments.models import AuditEntry, Notice, Role

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["nobody_gives_up_at_the_gate"]  # a fixture of every test here


def test_ten_members_and_two_organizers_on_one_case() -> None:
    stage = court(members=10)
    second = actor(stage.event, Role.Kind.ORGANIZER)
    ruling = ruled(stage, "GAME_LOST")
    appeal = cases.filed(stage, ruling=ruling)

    paid = together(*[partial(appeals.confirm_fee, o, appeal.pk) for o in (stage.organizer, second)] * 2)
    assert not any(isinstance(answer, SiteError) for answer in paid)
    assert AuditEntry.objects.filter(action="confirm-fee").count() == 1
    appeals.admit_appeal(stage.organizer, appeal.pk)
    cases.seated(stage, appeal, members=9)
    together(*[partial(panels.open_hearing, o, appeal.pk) for o in (stage.organizer, second)])
    panels.waive_statement(cases.NOBODY, appeal.pk, reason="none", link=appeal.appellant.link)
    for party in ("OPPONENT", "ARBITER"):
        panels.waive_statement(stage.committee[0], appeal.pk, party=party, reason="none")
    panels.begin_deliberation(stage.committee[0], appeal.pk)
    up = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD")

    votes: list[Callable[[], object]] = [
        partial(ballots.cast_vote, who, appeal.pk, up.pk)
        for who in (*stage.committee, *stage.committee[:4], stage.organizer, second)
    ]
    answers = together(*votes)
    assert sum(isinstance(answer, SiteError) for answer in answers) == 1 + 4 + 2
    assert Vote.objects.count() == 9

    tallies = together(*[partial(ballots.close_ballot, stage.committee[0], appeal.pk)] * 4)
    assert {t.pk for t in tallies if isinstance(t, Tally)} == {Tally.objects.get().pk}
    assert Tally.objects.get().counts == [[up.pk, 9]]

    deciding = [
        partial(ballots.decide_appeal, stage.committee[0], appeal.pk, reasons=f"reason {n}", refund=True)
        for n in range(4)
    ]
    others = [
        partial(rulings.withdraw_ruling, stage.chief, ruling.pk, reason="meanwhile"),
        partial(ballots.decide_appeal, second, appeal.pk, reasons="mine", refund=False),
    ]
    together(*deciding, *others)

    assert AppealDecision.objects.count() == 1
    assert Notice.objects.filter(kind=Notice.Kind.DECISION).count() == 1
    assert AuditEntry.objects.filter(action="decide-appeal").count() == 1
    assert AuditEntry.objects.filter(action="record-outcome").count() == 2  # the ruling, and its putting back
    ruling.refresh_from_db()
    assert ruling.state in {Ruling.State.OVERTURNED, Ruling.State.WITHDRAWN}
    assert (stage.board().outcome, Appeal.objects.get().fee_state) == ("UNPLAYED", Appeal.Fee.REFUNDED)


def test_two_arbiters_confirm_one_proposal_and_number_their_incidents_apart() -> None:
    stage = court()
    from games.services.court import incidents

    claim = [
        partial(
            incidents.log_incident, who, stage.board(board).pk,
            incidents.Report(category="TECHNICAL", raised_by="A", against="W", refused=True),
        )
        for who, board in ((stage.arbiter, 1), (stage.chief, 2))
    ]  # fmt: skip
    logged = together(*claim)
    assert sorted(i.number for i in logged if not isinstance(i, SiteError)) == [1, 2]  # type: ignore[attr-defined]
    proposal = Ruling.objects.get(incident__board=1)

    together(*[partial(rulings.confirm_ruling, who, proposal.pk) for who in (stage.arbiter, stage.chief)] * 2)

    assert stage.board().outcome == "BLACK"
    assert AuditEntry.objects.filter(action="record-outcome").count() == 1
    assert user_of(stage.chief).is_active
