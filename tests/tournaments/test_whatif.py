"""What would follow if: the prediction is what happens once it is done, over random sections; and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation

from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import WrongState
from tournaments.formats import departures
from tournaments.models import Adjustment, AuditEntry, Entry, Job, Pairing, Round, Section, Standings
from tournaments.selectors import whatif
from tournaments.services import corrections, results, rounds
from tournaments.services.results import Line

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Refusals are told in the language of the reader; here they are matched by their words."""
    with translation.override("en"):
        yield


OUTCOMES = [
    "WHITE",
    "DRAW",
    "BLACK",
    "WHITE",
    "DRAW",
    "BLACK",
    "WHITE_FORFEITS",
    "BLACK_FORFEITS",
    "BOTH_LOSE",
]


def random_section(chance: Random, organizer: Actor) -> Section:
    """A Swiss or a round robin of 5 to 12 players with 1 to 4 rounds played, some of them with open boards."""
    kind = chance.choice(["SWISS", "SWISS", "ROUND_ROBIN"])
    section = b.section(
        organizer,
        players=chance.randint(5, 12),
        rounds_total=7,
        format=kind,
        preset="CN_ROUND_ROBIN" if kind == "ROUND_ROBIN" else chance.choice(["CN_SWISS", "FMJD_SWISS"]),
        withdrawal=chance.choice(["STAND", "FORFEIT", "ANNUL"]),
        drop_absent=chance.random() < 0.3 and kind == "SWISS",
        ranking=chance.choice(["RATING", "SOLKOFF"]) if kind == "SWISS" else "RATING",
    )
    if kind == "ROUND_ROBIN":
        rounds.request_pairing(organizer, section.pk)
        b.work_all(section)
        rounds.publish_all_rounds(organizer, section.pk)
        for round_ in list(section.rounds.order_by("number"))[: chance.randint(1, 3)]:
            enter(organizer, round_, chance, share=1)
    else:
        played = chance.randint(1, 3)
        for number in range(1, played + 1):
            share = 1 if number < played else chance.choice([1, 1, 0.6])
            enter(organizer, b.publish_next(organizer, section), chance, share=share)
    b.work_all(section)
    return Section.objects.select_related("event").get(pk=section.pk)


def enter(organizer: Actor, round_: Round, chance: Random, *, share: float) -> None:
    boards = list(round_.pairings.filter(outcome="UNPLAYED"))
    lines = [
        Line(pairing=p.pk, outcome=chance.choice(OUTCOMES), version=p.version)
        for p in boards
        if chance.random() < share
    ]
    results.record_outcomes(organizer, round_.section_id, lines)


def random_change(chance: Random, section: Section) -> whatif.Change:
    public = Pairing.objects.filter(
        round__section=section, round__state__in=["PUBLISHED", "CLOSED"], black__isnull=False
    )
    board = chance.choice(list(public))
    entry = chance.choice(list(section.entries.filter(status="ACTIVE")))
    last = board.round.number
    return chance.choice(
        [
            whatif.SetOutcome(pairing=board.pk, outcome=chance.choice([*OUTCOMES, "UNPLAYED", "VOID"])),
            whatif.Adjust(entry=entry.pk, points=chance.choice([-2, -1, 1, 3]), after_round=last),
            whatif.Disqualify(entry=entry.pk, round_number=last),
            whatif.TurnColours(pairing=board.pk),
        ]
    )


def make(actor: Actor, change: whatif.Change) -> None:
    """Do through the ledger's verbs what the change says."""
    match change:
        case whatif.SetOutcome(pairing=pk, outcome=outcome):
            board = Pairing.objects.get(pk=pk)
            results.record_outcome(actor, pk, outcome=outcome, version=board.version, reason="decided")
        case whatif.Adjust(entry=pk, points=points, after_round=after):
            results.adjust_score(actor, pk, points=points, after_round=after, reason="decided")
        case whatif.Disqualify(entry=pk, round_number=number):
            corrections.disqualify_entry(actor, pk, round_number=number, reason="decided")
        case whatif.TurnColours(pairing=pk):
            corrections.turn_colours(actor, pk, reason="decided")
        case _:
            raise AssertionError(change)


def ledger(section: Section) -> list[Any]:
    return [
        list(model.objects.order_by("pk").values())
        for model in (Pairing, Entry, Adjustment, Standings, Round, Job, AuditEntry)
    ] + [Section.objects.filter(pk=section.pk).values().get()]


@pytest.mark.parametrize("seed", range(20))
def test_the_prediction_is_what_happens(seed: int) -> None:
    chance = Random(seed)
    organizer = b.organizer()
    section = random_section(chance, organizer)
    court = Actor(user=organizer.user, authority="test")
    changes = [random_change(chance, section) for _i in range(chance.randint(1, 2))]
    if len({c.entry for c in changes if isinstance(c, whatif.Disqualify)}) < sum(
        isinstance(c, whatif.Disqualify) for c in changes
    ):
        changes = changes[:1]
    before = ledger(section)

    table = whatif.table(section, changes)
    foreseen = whatif.next_round(section, changes)

    assert ledger(section) == before
    with transaction.atomic():
        for change in changes:
            make(court, change)
    b.work_all(section)
    assert table is not None
    stored = section.standings.filter(after_round=table.after_round).order_by("-version").first()
    assert stored is not None
    assert [dict(line.then) for line in table.lines] == stored.rows
    if foreseen is not None and foreseen.then is not None:
        job = b.run(rounds.request_pairing(organizer, section.pk))
        paired = Pairing.objects.filter(round__section=section, round__number=foreseen.number).exclude(
            outcome__in=["ZERO_BYE", "HALF_BYE"]
        )
        assert job.state == Job.State.DONE
        assert sorted(paired.values_list("board", "white_id", "black_id")) == sorted(
            (x.number, x.white.pk, x.black.pk if x.black else None) for x in foreseen.then
        )
    elif foreseen is not None and foreseen.why == "results-missing":
        with pytest.raises(WrongState) as refused:
            rounds.request_pairing(organizer, section.pk)
        assert refused.value.code == "results-missing"


@pytest.mark.parametrize("seed", range(6))
def test_a_disqualification_taken_back_leaves_the_ledger_as_it_was(seed: int) -> None:
    chance = Random(1000 + seed)
    organizer = b.organizer()
    section = random_section(chance, organizer)
    entry = chance.choice(list(section.entries.all()))
    court = Actor(user=organizer.user, authority="test")
    shown = ["outcome", "grade", "white_id", "black_id", "board"]
    boards = list(Pairing.objects.order_by("pk").values(*shown))
    people = list(Entry.objects.order_by("pk").values())

    with transaction.atomic():
        told = corrections.disqualify_entry(court, entry.pk, round_number=1, reason="14.2")
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.DISQUALIFIED
    with transaction.atomic():
        corrections.restore_entry(court, told, reason="withdrawn")

    assert list(Pairing.objects.order_by("pk").values(*shown)) == boards
    assert list(Entry.objects.order_by("pk").values()) == people


def test_under_half_of_a_round_robin_is_annulled_and_over_half_forfeited() -> None:
    boards = [(1, 10, 11, "WHITE"), (2, 12, 10, "UNPLAYED"), (3, 10, 13, "UNPLAYED")]

    assert departures.fallen(boards, entry=10, annuls=True) == {1: "VOID", 2: "VOID", 3: "VOID"}
    assert departures.fallen(boards[:2], entry=10, annuls=True) == {2: "BLACK_FORFEITS"}
    assert departures.fallen(boards, entry=10, annuls=False) == {2: "BLACK_FORFEITS", 3: "WHITE_FORFEITS"}


def test_seats_are_exchanged_on_boards_that_have_not_begun_only() -> None:
    organizer = b.organizer()
    section = b.section(organizer, players=6)
    round_ = b.publish_next(organizer, section)
    one, two = round_.pairings.order_by("board")[:2]
    court = Actor(user=organizer.user, authority="test")
    with transaction.atomic():
        corrections.exchange_players(court, round_.pk, first=one.white_id, second=two.black_id, reason="x")
    one.refresh_from_db()
    assert one.white_id == two.black_id

    results.record_outcome(organizer, one.pk, outcome="DRAW", version=one.version)
    with pytest.raises(WrongState), transaction.atomic():
        corrections.exchange_players(court, round_.pk, first=one.white_id, second=two.white_id, reason="x")


def test_without_a_round_there_is_nothing_to_foresee() -> None:
    section = b.section(b.organizer(), players=4)

    assert whatif.table(section, []) is None
    assert whatif.next_round(section, []) is None
