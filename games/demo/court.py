"""The court of the demo: a warning, a ruling, one appeal decided and one that waits for its panel."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Appeal, Category, Ruling
from games.services.court import appeals, ballots, incidents, panels, rulings
from games.services.court.appeals import Filing
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tournaments.audit import Actor
from tournaments.models import Pairing, Section, User
from tournaments.services import notices
from tournaments.services.runners import work_off_waiting

PANEL = ("committee1", "committee2", "committee3")


def load(section: Section) -> None:
    """Everything through the services, as people would do it, in the latest public round and the one before."""
    last = section.rounds.filter(state__in=["PUBLISHED", "CLOSED"]).order_by("-number").first()
    assert last is not None  # the demo has played rounds
    open_boards = list(_boards(section, last.number).filter(outcome="UNPLAYED"))
    notices.post_notice(
        _actor("chief"),
        section.event_id,
        text="第四轮结束后在大厅讲评。 After round 4: comments in the hall.",
    )
    _ruled(open_boards[0], "REMINDER", article="14.1.12", note="在邻台停留 / lingered at the next board")
    _ruled(open_boards[0], "WARNING", article="14.1.13", note="手机响 / a phone rang")
    played = list(_boards(section, last.number).exclude(outcome="UNPLAYED"))
    _decided(
        _ruled(played[-1], "BOTH_LOSE", article="14.1.7", side="", note="互相商量 / talked about the game")
    )
    _filed(_ruled(played[-2], "GAME_LOST", article="14.1.2", note="查看棋谱 / looked at notes"))
    work_off_waiting(section.pk)


def _boards(section: Section, number: int) -> QuerySet[Pairing]:
    return (
        Pairing.objects.filter(round__section=section, round__number=number, black__isnull=False)
        .select_related("white__player", "black__player")
        .order_by("board")
    )


def _actor(username: str) -> Actor:
    return Actor(user=User.objects.get(username=username))


def _ruled(pairing: Pairing, effect: str, *, article: str, side: str = "W", note: str = "") -> Ruling:
    arbiter = _actor("arbiter")
    report = Report(category=Category.CONDUCT, article=article, raised_by="A", against=side, note=note)
    incident = incidents.log_incident(arbiter, pairing.pk, report)
    return rulings.rule(arbiter, incident.pk, Order(effect=effect, article=article, side=side))


def _filed(ruling: Ruling) -> Appeal:
    white = ruling.incident.white
    assert white is not None  # a board has two players
    filing = Filing(
        kind=Category.CONDUCT,
        grounds="那是上一轮的记录纸。 It was my scoresheet of the round before.",
        request="请撤销裁决。 Please take the ruling back.",
        submission=f"demo-{ruling.number}",
    )
    return appeals.file_appeal(Actor(), ruling.pk, filing, link=white.link)


def _decided(ruling: Ruling) -> None:
    appeal = _filed(ruling)
    organizer, chair = _actor("organizer"), _actor(PANEL[0])
    appeals.confirm_fee(organizer, appeal.pk)
    appeals.admit_appeal(organizer, appeal.pk)
    for name in PANEL:
        user = User.objects.get(username=name)
        panels.seat_member(organizer, appeal.pk, user_id=user.pk, convenor=name == PANEL[0])
    panels.open_hearing(chair, appeal.pk)
    panels.file_statement(
        Actor(), appeal.pk, text="我们只说了一句问候。 We only said good morning.", link=appeal.appellant.link
    )
    panels.waive_statement(chair, appeal.pk, party="OPPONENT", reason="书面同意 / agrees in writing")
    panels.waive_statement(chair, appeal.pk, party="ARBITER", reason="见记录 / as logged")
    panels.begin_deliberation(chair, appeal.pk)
    before = ruling.applied["outcome"]["before"]
    proposal = ballots.propose_decision(
        chair, appeal.pk, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome=before)],
        text="恢复原结果，双方口头提醒。 The result stands, both are reminded.",
    )  # fmt: skip
    for name in PANEL:
        ballots.cast_vote(_actor(name), appeal.pk, proposal.pk)
    ballots.close_ballot(chair, appeal.pk)
    ballots.decide_appeal(
        chair, appeal.pk, refund=True,
        reasons="问候不是商量对局。 A greeting is no advice on the game (14.1.7).",
    )  # fmt: skip
