"""In every format: after any acts of anybody the ledger says what rulings and decisions in force say, recomputed from nothing.

Results, games of matches, forfeits and annulments by a departure, points, statuses. And what a decision set, others leave.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Appeal, AppealDecision, Ruling
from games.services.court import appeals, ballots, lodging, panels, rulings
from games.services.court.appeals import Filing
from games.services.court.contested import Contested
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests import factories as f
from tests.games import match_cast
from tests.games.boards import actor
from tests.games.court_cast import Court, court, user_of
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import DomainError
from tournaments.models import Adjustment, AuditEntry, Entry, MatchGame, Pairing, Role, Round, TeamMember
from tournaments.services import corrections, entries, matches, rounds
from tournaments.services import results as ledger

pytestmark = pytest.mark.django_db

OUTCOMES = ("WHITE", "DRAW", "BLACK", "UNPLAYED", "WHITE_FORFEITS", "BOTH_LOSE", "VOID")
EFFECTS = (
    "GAME_LOST", "WARNING", "BOTH_LOSE", "REMINDER", "DISQUALIFY", "WARNING", "EXPEL", "FORFEIT", "REPLAY", "TURN_COLOURS",
)  # fmt: skip
CATEGORY = {"FORFEIT": "LATENESS", "REPLAY": "WRONG_BOARD", "TURN_COLOURS": "COLOURS"}
VERDICTS: tuple[tuple[str, tuple[Measure, ...]], ...] = (
    ("DISMISS", ()),
    ("UPHOLD", ()),
    ("PARTLY", (Measure(effect="RESULT", outcome="DRAW"),)),
    ("PARTLY", (Measure(effect="RESULT", outcome="WHITE"), Measure(effect="WARNING", side="B"))),
    ("PARTLY", (Measure(effect="POINTS", side="W", points=-1),)),
    ("PARTLY", (Measure(effect="REPLAY"),)),
    ("PARTLY", (Measure(effect="DISQUALIFY", side="B"),)),
    ("PARTLY", (Measure(effect="WARNING", side="W"),)),
    ("UPHOLD", (Measure(effect="POINTS", side="B", points=2),)),
)


@dataclass(kw_only=True)
class Hall:
    """A section in play, with the points that were given by hand."""

    court: Court
    games: int = 1  # of a board
    given: Counter[int] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return self.court.round.number


def swiss() -> Hall:
    return _late(Hall(court=court(members=3)))


def robin(withdrawal: str = "ANNUL") -> Hall:
    stage = court(members=3, format="ROUND_ROBIN", withdrawal=withdrawal, rounds_total=7)
    Pairing.objects.filter(round__section=stage.section, round__number=1).update(outcome="UNPLAYED")
    f.make_round(stage.section, f.draw(stage.entries, 3))
    return _late(Hall(court=stage))


def forfeiting_robin() -> Hall:
    return robin("FORFEIT")


def knockout() -> Hall:
    organizer = b.organizer()
    section = b.section(organizer, players=8, format="KNOCKOUT")
    round_ = b.publish_next(organizer, section)
    return _late(Hall(court=_officials(section, round_)))


def team() -> Hall:
    stage = match_cast.team_match()
    return _late(Hall(court=_officials(stage.section, stage.round), games=2))


def _officials(section: Any, round_: Round) -> Court:
    event = section.event
    return Court(
        section=section, entries=list(section.entries.order_by("number")), round=round_,
        organizer=actor(event, Role.Kind.ORGANIZER), chief=actor(event, Role.Kind.CHIEF_ARBITER),
        arbiter=actor(event, Role.Kind.ARBITER), committee=[actor(event, Role.Kind.COMMITTEE) for _i in range(3)],
    )  # fmt: skip


def _late(hall: Hall) -> Hall:
    """The limit of lateness of the round has passed."""
    Round.objects.filter(pk=hall.court.round.pk).update(starts_at=timezone.now() - dt.timedelta(minutes=90))
    return hall


FORMATS: dict[str, Callable[[], Hall]] = {
    "Swiss": swiss, "round robin, annulling": robin, "round robin, forfeiting": forfeiting_robin, "knock-out": knockout,
    "teams": team,
}  # fmt: skip

Act = Callable[[Hall, int, int], Any]
"""An act at a board, with a number that says which of its kinds."""


def _by(hall: Hall, choice: int) -> Actor:
    return (hall.court.arbiter, hall.court.chief, hall.court.organizer)[choice % 3]


def _enter(hall: Hall, board: int, choice: int) -> None:
    row, outcome = hall.court.board(board), OUTCOMES[choice % len(OUTCOMES)]
    if hall.games == 1 or choice > 14:
        ledger.record_outcome(_by(hall, choice), row.pk, outcome=outcome, version=row.version, reason="x")
        return
    lines = [
        matches.BoardLine(first=game.first_id, second=game.second_id, outcome=game.outcome)
        for game in row.match_games.order_by("number")
    ]
    place = choice % 2
    if lines:
        lines[place] = matches.BoardLine(
            first=lines[place].first, second=lines[place].second, outcome=outcome
        )
        matches.record_team_match(_by(hall, choice), row.pk, lines, version=row.version, reason="x")


def _rule(hall: Hall, board: int, choice: int) -> None:
    effect, side = EFFECTS[choice % len(EFFECTS)], "WB"[choice // 10 % 2]
    report = Report(
        category=CATEGORY.get(effect, "CONDUCT"), raised_by="A", against=side, game=choice % hall.games + 1
    )
    whom = "" if effect in ("BOTH_LOSE", "REPLAY", "TURN_COLOURS") else side
    rulings.rule_at_once(
        hall.court.chief, hall.court.board(board).pk, report, Order(effect=effect, side=whom, text="x")
    )


def _withdraw(hall: Hall, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board).order_by("pk"))
    if found:
        rulings.withdraw_ruling(hall.court.chief, found[choice % len(found)].pk, reason="x")


def _revise(hall: Hall, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board, state="IN_FORCE").order_by("pk"))
    if found:
        effect = ("GAME_LOST", "WARNING", "DISQUALIFY")[choice % 3]
        order = Order(effect=effect, side="WB"[choice % 2], text="x")
        rulings.revise_ruling(hall.court.chief, found[choice % len(found)].pk, order)


def _leave(hall: Hall, board: int, choice: int) -> None:
    entries.withdraw_entry(
        hall.court.organizer, hall.court.board(board).white_id, after_round=hall.number, reason="x"
    )


def _come_back(hall: Hall, board: int, choice: int) -> None:
    entries.return_entry(hall.court.organizer, hall.court.board(board).white_id)


def _points(hall: Hall, board: int, choice: int) -> None:
    entry, points = hall.court.board(board).white_id, (1, -1)[choice % 2]
    ledger.adjust_score(hall.court.chief, entry, points=points, after_round=hall.number, reason="x")
    hall.given[entry] += points


def _unpublish(hall: Hall, board: int, choice: int) -> None:
    rounds.unpublish_round(hall.court.organizer, hall.court.round.pk, reason="x")


def _colours(hall: Hall, board: int, choice: int) -> None:
    corrections.turn_colours(hall.court.chief, hall.court.board(board).pk, reason="x")


def _goes_on(hall: Hall, board: int, choice: int) -> None:
    row = hall.court.board(board)
    matches.decide(hall.court.chief, row.pk, advances="wb"[choice % 2], version=row.version, reason="by lot")


def _file(hall: Hall, board: int, choice: int) -> None:
    found = list(Ruling.objects.filter(incident__board=board, state="IN_FORCE").order_by("pk"))
    said = Filing(kind="OTHER", grounds="g", request="r", submission=uuid4().hex)
    row = hall.court.board(board)
    link = (row.white if choice % 2 else row.black or row.white).link
    if found and choice % 3:
        appeals.file_appeal(Actor(), found[choice % len(found)].pk, said, link=link)
        return
    subject = ("RESULT", "POINTS")[choice % 2]
    what = Contested(subject=subject, round_number=hall.number, number=choice % hall.games + 1)
    lodging.contest(Actor(), hall.court.section.pk, what, said, link=link)


def _give_up(hall: Hall, board: int, choice: int) -> None:
    appeal = Appeal.objects.filter(ruling__incident__board=board).order_by("-pk").first()
    if appeal is not None:
        appeals.withdraw_appeal(Actor(), appeal.pk, link=appeal.appellant.link)


OTHERS: tuple[Act, ...] = (
    _enter, _enter, _enter, _rule, _rule, _rule, _withdraw, _revise, _leave, _come_back, _points, _unpublish, _colours,
    _goes_on, _file, _file, _give_up,
)  # fmt: skip


def _committee(hall: Hall, board: int, choice: int) -> None:
    """One open case of the board from wherever it is to its decision; or a decided one taken up again."""
    rows = Appeal.objects.filter(ruling__incident__board=board, joined_to__isnull=True)
    found = rows.filter(state="FILED").first()
    chair = hall.court.committee[0]
    if found is None:
        decided = rows.filter(state="DECIDED").order_by("-pk").first()
        if decided is None or choice < 12:
            return
        found = panels.take_up_again(chair, decided.pk, reason="x")
    else:
        if found.fee_state == Appeal.Fee.DUE:
            appeals.confirm_fee(hall.court.organizer, found.pk)
        appeals.admit_appeal(hall.court.organizer, found.pk)
        for member in hall.court.committee:
            panels.seat_member(
                hall.court.organizer, found.pk, user_id=user_of(member).pk, convenor=member == chair
            )
    panels.open_hearing(chair, found.pk)
    for party in panels.unheard(Appeal.objects.get(pk=found.pk)):
        panels.waive_statement(chair, found.pk, party=party, reason="x")
    panels.begin_deliberation(chair, found.pk)
    verdict, measures = VERDICTS[choice % len(VERDICTS)]
    chosen = ballots.propose_decision(chair, found.pk, verdict=verdict, measures=measures)
    for member in hall.court.committee:
        ballots.cast_vote(member, found.pk, chosen.pk)
    ballots.close_ballot(chair, found.pk)
    ballots.decide_appeal(chair, found.pk, reasons="x")


def _try(act: Act, hall: Hall, board: int, choice: int) -> None:
    given = Counter(hall.given)
    try:
        with transaction.atomic():
            act(hall, board, choice)
    except DomainError:
        hall.given = given


@dataclass(kw_only=True)
class Said:
    """What the rulings and decisions in force say, one after the other, and nothing else."""

    boards: dict[tuple[int, int | None], str] = field(default_factory=dict)
    points: Counter[int] = field(default_factory=Counter)
    out: set[int] = field(default_factory=set)
    members_out: set[int] = field(default_factory=set)


def said_by_rulings(section_id: int) -> Said:
    found = Said()
    rows = Ruling.objects.filter(incident__section=section_id, state=Ruling.State.IN_FORCE, subject="RULING")
    for ruling in rows.order_by("in_force_at", "pk"):
        told = ruling.applied
        changes = [told["outcome"]] if "outcome" in told else []
        if "departure" in told:
            found.out.add(told["departure"]["entry"])
            changes += told["departure"]["boards"]
        for change in changes:
            place = (change["pairing"], change.get("number"))
            found.boards.pop(place, None)
            if change["after"] != "UNPLAYED":
                found.boards[place] = change["after"]
        if "member" in told:
            found.members_out.add(told["member"])
        for given in told.get("adjustments", []):
            found.points[given["entry"]] += given["points"]
    return found


def check(hall: Hall) -> None:
    """The ledger against what is said, field by field."""
    section = hall.court.section.pk
    said = said_by_rulings(section)
    fell = AuditEntry.objects.filter(section=section, action="withdraw-entry").exists() or said.out
    annulled = {
        (pk, "VOID") for pk, _number in said.boards if fell
    }  # a returned player's games stay annulled
    for (pk, number), outcome in said.boards.items():
        pairing = Pairing.objects.get(pk=pk)
        now = pairing.outcome
        if number is not None:
            now = MatchGame.objects.get(pairing=pk, number=number).outcome
        assert now == outcome or (pk, now) in annulled, (pairing, number, outcome)
    out = set(Entry.objects.filter(section=section, status="DISQUALIFIED").values_list("pk", flat=True))
    assert out == said.out
    members = TeamMember.objects.filter(entry__section=section, out_from_round__isnull=False)
    assert set(members.values_list("pk", flat=True)) == said.members_out
    sums: Counter[int] = Counter()
    for entry, points in Adjustment.objects.filter(section=section).values_list("entry", "points"):
        sums[entry] += points
    due = Counter(hall.given)
    due.update(said.points)
    ended = Ruling.objects.filter(subject="POINTS", incident__section=section, ended_at__isnull=False)
    for ruling in ended:  # given by hand, and taken back once they had been appealed against
        for given in ruling.applied["adjustments"]:
            due[given["entry"]] -= given["points"]
    assert {k: v for k, v in sums.items() if v} == {k: v for k, v in due.items() if v}
    decided = AppealDecision.objects.filter(is_joined=False, ended_at__isnull=True)
    assert len({row.ruling_id for row in decided}) == len(decided)


def set_by_decisions(hall: Hall) -> dict[str, Any]:
    """What the decisions in force set, as the ledger has it now."""
    found: dict[str, Any] = {}
    for decision in AppealDecision.objects.filter(is_joined=False, ended_at__isnull=True):
        appeal = decision.appeal
        done = [r for r in (appeal.ruling, *appeal.measures.order_by("number")) if r.is_in_force]
        found[f"A{appeal.number}"] = [(r.number, r.effect, r.side) for r in done]
        for told in (ruling.applied for ruling in done):
            if "outcome" in told:
                place = (told["outcome"]["pairing"], told["outcome"].get("number"))
                now = _now(*place)
                if told["outcome"]["after"] != "UNPLAYED":  # else it is played again, with whatever result
                    found[f"A{appeal.number} {place}"] = (now, told["outcome"]["after"])
            for given in told.get("adjustments", []):
                rows = Adjustment.objects.filter(entry=given["entry"]).values_list("points", flat=True)
                found[f"A{appeal.number} points {given['entry']}"] = sum(rows)
            if "departure" in told:
                found[f"A{appeal.number} out"] = Entry.objects.get(pk=told["departure"]["entry"]).status
            if "member" in told:
                member = TeamMember.objects.get(pk=told["member"])
                found[f"A{appeal.number} member"] = member.out_from_round
    return found


def _now(pairing: int, number: int | None) -> str:
    if number is None:
        return Pairing.objects.get(pk=pairing).outcome
    return MatchGame.objects.get(pairing=pairing, number=number).outcome


def walk(hall: Hall, chance: Random, of: tuple[Act, ...], *, steps: int) -> None:
    """Any acts, two in three at the first board, so that what one did meets the others."""
    for _step in range(steps):
        _try(chance.choice(of), hall, chance.choice((1, 1, 2)), chance.randrange(21))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("played", FORMATS)
def test_the_ledger_says_what_is_ruled_and_decided_and_nobody_undoes_a_decision(
    played: str, seed: int
) -> None:
    hall, chance = FORMATS[played](), Random(f"{played} {seed}")
    for _case in range(4):
        _try(_rule, hall, 1, chance.randrange(21))
        _try(_file, hall, 1, chance.randrange(21))
        walk(hall, chance, OTHERS, steps=4)
        _try(_committee, hall, chance.choice((1, 1, 2)), chance.randrange(21))
        check(hall)
        decided = set_by_decisions(hall)

        walk(hall, chance, OTHERS, steps=6)

        check(hall)
        now = set_by_decisions(hall)
        assert {name: now.get(name) for name in decided} == decided
