"""A round laid out by hand where no legal pairing exists."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.models import AuditEntry, Job, Role, Round, Section
from tournaments.selectors import draft_checks
from tournaments.services import by_hand, entries, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def stuck(organizer) -> Section:
    """Two players who met already, and a round to go."""
    section = b.section(organizer, players=2, rounds_total=2)
    b.play_round(organizer, section)
    return section


def test_where_the_engine_finds_nothing_the_arbiter_may_pair_a_rematch(organizer, stuck) -> None:
    with override("en"):
        job = b.run(rounds.request_pairing(organizer, stuck.pk))
    assert (job.error_code, job.error_values["relax"]) == ("no-legal-pairing", ["rematch"])
    assert "letting two players meet again" in job.error_values["message"]

    round_ = by_hand.draft_by_hand(organizer, stuck.pk, reason="only two are left")

    assert [w.kind for w in draft_checks.warnings_of(round_)] == ["repeat"]
    assert (round_.state, round_.engine) == (Round.State.PAIRED, "by hand")
    assert AuditEntry.objects.get(action="draft-by-hand").reason == "only two are left"
    first, second = stuck.rounds.order_by("number")
    assert first.state == Round.State.CLOSED
    assert first.pairings.get().white_id == second.pairings.get().black_id


def test_everybody_who_plays_has_one_seat_and_neighbours_meet(organizer) -> None:
    section = b.section(organizer, players=8)
    away, gone, *_rest = section.entries.order_by("pk")
    entries.announce_absence(organizer, away.pk, round_number=1, kind="HALF_BYE")
    entries.withdraw_entry(organizer, gone.pk, after_round=0)

    round_ = by_hand.draft_by_hand(organizer, section.pk, reason="no network for the engine")

    number_of = dict(section.entries.values_list("pk", "number"))
    boards = round_.pairings.order_by("board", "pk").values_list("board", "white", "black", "outcome")
    seats = [(board, number_of[w], number_of.get(x), outcome) for board, w, x, outcome in boards]
    assert sorted(seats, key=lambda seat: (seat[0] == 0, seat[0])) == [
        (1, 2, 3, "UNPLAYED"), (2, 5, 4, "UNPLAYED"), (3, 6, 7, "UNPLAYED"), (0, 1, None, "HALF_BYE"),
    ]  # fmt: skip
    assert draft_checks.differences(round_) == []


def test_the_last_of_an_odd_number_gets_the_bye(organizer) -> None:
    section = b.section(organizer, players=3)

    round_ = by_hand.draft_by_hand(organizer, section.pk, reason="x")

    assert round_.pairings.get(black=None).white.number == 3
    assert b.seated(round_) == sorted(section.entries.values_list("pk", flat=True))


@pytest.mark.parametrize("state", [Job.State.QUEUED, Job.State.RUNNING])
def test_not_while_the_engine_is_at_work(organizer, stuck, state) -> None:
    Job.objects.create(section=stuck, kind=Job.Kind.PAIR, state=state)

    with pytest.raises(WrongState) as told:
        by_hand.draft_by_hand(organizer, stuck.pk, reason="x")

    assert told.value.code == "being-paired"
    assert stuck.rounds.count() == 1


def test_not_without_a_reason_nor_a_role_nor_for_a_round_robin(organizer, stuck) -> None:
    with pytest.raises(BadInput):
        by_hand.draft_by_hand(organizer, stuck.pk, reason=" ")
    with pytest.raises(NotFound):
        by_hand.draft_by_hand(b.with_role(stuck.event, Role.Kind.PLAYER), stuck.pk, reason="x")
    with pytest.raises(WrongState):
        by_hand.draft_by_hand(organizer, b.section(organizer, players=4, format="ROUND_ROBIN").pk, reason="x")

    assert Round.objects.count() == 1


def test_not_while_a_draft_waits_or_results_are_missing(organizer) -> None:
    section = b.section(organizer, players=4)
    round_ = b.draft(organizer, section)
    with pytest.raises(WrongState):
        by_hand.draft_by_hand(organizer, section.pk, reason="x")
    rounds.publish_round(organizer, round_.pk)
    with pytest.raises(WrongState):
        by_hand.draft_by_hand(organizer, section.pk, reason="x")

    assert section.rounds.count() == 1


def test_the_desk_offers_it_where_the_engine_found_nothing(organizer, stuck) -> None:
    job = b.run(rounds.request_pairing(organizer, stuck.pk))
    client = client_of(organizer.user)

    page = client.get(f"/desk/jobs/{job.pk}/").content.decode()
    assert 'name="by_hand"' in page
    answer = client.post(f"/desk/sections/{stuck.pk}/pair/", {"by_hand": "1", "reason": "only two are left"})

    assert answer.headers["Location"] == f"/desk/sections/{stuck.pk}/rounds/2/draft/"
    assert client.get(answer.headers["Location"]).status_code == 200
