"""Rounds: asking, drafting, publishing, and every way back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.tournaments import builders as b
from tournaments import jobs
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound, WrongState
from tournaments.formats import swiss as swiss_format
from tournaments.models import AuditEntry, Job, Pairing, Role, Round, Section
from tournaments.selectors import draft_checks
from tournaments.services import draft, entries, results, rounds
from tournaments.services.runners import RUNNERS

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def states(section: Section) -> list[str]:
    return list(section.rounds.order_by("number").values_list("state", flat=True))


def versions(section: Section) -> tuple[int, int]:
    return Section.objects.values_list("version", "public_version").get(pk=section.pk)


class TestSwiss:
    def test_a_whole_event(self, organizer) -> None:
        section = b.section(organizer, players=9, rounds_total=5)
        met: set[frozenset[int]] = set()
        byes: list[int] = []

        for number in range(1, 6):
            round_ = b.play_round(organizer, section, "WHITE" if number % 2 else "DRAW")
            b.work_all(section)
            assert b.seated(round_) == sorted(section.entries.values_list("pk", flat=True))
            for white, black in round_.pairings.values_list("white_id", "black_id"):
                if black is None:
                    byes.append(white)
                    continue
                assert frozenset((white, black)) not in met
                met.add(frozenset((white, black)))
        table = results.close_section(organizer, section.pk)

        assert len(set(byes)) == 5
        assert sum(row["points"] for row in table.rows) == 5 * (4 * 2 + 2)
        assert states(section) == ["CLOSED"] * 5
        assert list(section.standings.values_list("after_round", flat=True).order_by("after_round")) == [
            1,
            2,
            3,
            4,
            5,
        ]

    def test_the_draft_keeps_the_engines_word(self, organizer) -> None:
        section = b.section(organizer, players=5)

        round_ = b.draft(organizer, section)

        number_of = dict(section.entries.values_list("pk", "number"))
        boards = [[p.board, number_of[p.white_id], number_of.get(p.black_id)] for p in round_.pairings.all()]
        assert sorted(round_.proposal) == sorted(boards)
        assert round_.engine
        assert len(round_.digest) == 64
        assert round_.canonical_input
        assert draft_checks.differences(round_) == []

    def test_the_same_ledger_gives_the_same_draft(self, organizer) -> None:
        section = b.section(organizer, players=8)
        b.play_round(organizer, section)
        first = b.draft(organizer, section)
        boards, digest = first.proposal, first.digest

        job = b.run(rounds.request_pairing(organizer, section.pk, again=True))

        second = section.rounds.get(number=job.round_number)
        assert (second.proposal, second.digest) == (boards, digest)

    def test_drafting_closes_the_round_before(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)

        b.draft(organizer, section)

        assert states(section) == ["CLOSED", "PAIRED"]

    def test_no_pairing_is_an_answer_in_words(self, organizer) -> None:
        section = b.section(organizer, players=2, rounds_total=3)
        b.play_round(organizer, section)

        job = b.run(rounds.request_pairing(organizer, section.pk))

        assert (job.state, job.error_code) == (Job.State.FAILED, "no-legal-pairing")
        assert "Player 1" in job.error_values["message"]
        assert not section.rounds.filter(number=2).exists()
        assert states(section) == ["PUBLISHED"]
        assert job.pk not in jobs.waiting() | jobs.abandoned()

    def test_forbidden_pairs_do_not_meet(self, organizer) -> None:
        section = b.section(organizer, players=4)
        first, _second, third, _fourth = section.entries.order_by("pk")
        draft.forbid_pair(organizer, section.pk, first=first.pk, second=third.pk)

        round_ = b.draft(organizer, section)

        assert b.board_of(round_, first).pk != b.board_of(round_, third).pk

    def test_club_mates_do_not_meet_in_the_protected_rounds(self, organizer) -> None:
        section = b.section(organizer, players=4, protect_clubs_rounds=1)
        mates = list(section.entries.order_by("pk"))[::2]
        for entry in mates:
            entries.update_entry(organizer, entry.pk, {"club": "上海"})

        round_ = b.draft(organizer, section)

        assert b.board_of(round_, mates[0]).pk != b.board_of(round_, mates[1]).pk


class TestRefusals:
    def test_not_while_results_are_missing(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.publish_next(organizer, section)

        with pytest.raises(WrongState) as told:
            rounds.request_pairing(organizer, section.pk)

        assert (told.value.code, told.value.values["count"]) == ("results-missing", 2)

    def test_not_while_a_draft_waits(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)

        with pytest.raises(WrongState) as told:
            rounds.request_pairing(organizer, section.pk)

        assert told.value.code == "draft-exists"

    def test_not_after_the_last_round(self, organizer) -> None:
        section = b.section(organizer, players=4, rounds_total=1)
        b.play_round(organizer, section)

        with pytest.raises(WrongState) as told:
            rounds.request_pairing(organizer, section.pk)

        assert told.value.code == "all-paired"

    @pytest.mark.parametrize("players", [0, 1])
    def test_not_without_two_players(self, organizer, players) -> None:
        section = b.section(organizer, players=players)

        with pytest.raises(WrongState) as told:
            rounds.request_pairing(organizer, section.pk)

        assert told.value.code == "too-few-players"

    def test_players_and_strangers_find_nothing(self, organizer) -> None:
        section = b.section(organizer, players=4)

        for actor in (b.with_role(section.event, Role.Kind.PLAYER), b.organizer(), Actor()):
            with pytest.raises(NotFound):
                rounds.request_pairing(actor, section.pk)

        assert not Job.objects.filter(kind="PAIR").exists()

    @pytest.mark.clause("15.2.18", at="tournaments/services/rounds.py")
    def test_an_arbiter_pairs_but_does_not_publish(self, organizer) -> None:
        section = b.section(organizer, players=4)
        arbiter = b.with_role(section.event, Role.Kind.ARBITER)

        round_ = b.draft(arbiter, section)
        with pytest.raises(NotAllowed):
            rounds.publish_round(arbiter, round_.pk)

        assert states(section) == ["PAIRED"]


class TestJob:
    def test_a_second_request_gets_the_first_job(self, organizer) -> None:
        section = b.section(organizer, players=4)

        first = rounds.request_pairing(organizer, section.pk)
        second = rounds.request_pairing(organizer, section.pk)

        assert second.pk == first.pk
        assert AuditEntry.objects.filter(action="request-pairing").count() == 1

    def test_when_the_ledger_moved_it_starts_again_from_the_new_state(self, organizer, monkeypatch) -> None:
        section = b.section(organizer, players=4)
        job = rounds.request_pairing(organizer, section.pk)
        paired = swiss_format._pair

        def move_then_pair(*args: object):
            monkeypatch.setattr(swiss_format, "_pair", paired)
            entries.add_entry(organizer, section.pk, {"name": "Fifth"})
            return paired(*args)

        monkeypatch.setattr(swiss_format, "_pair", move_then_pair)
        b.run(job)
        assert job.state == Job.State.QUEUED
        assert not Pairing.objects.exists()

        b.run(job)
        assert job.state == Job.State.DONE
        assert b.seated(section.rounds.get()) == sorted(section.entries.values_list("pk", flat=True))

    def test_who_lost_the_job_writes_nothing(self, organizer, monkeypatch) -> None:
        section = b.section(organizer, players=4)
        job = rounds.request_pairing(organizer, section.pk)
        paired = swiss_format._pair

        def robbed(*args: object):
            Job.objects.filter(pk=job.pk).update(token=uuid4())
            monkeypatch.setattr(swiss_format, "_pair", paired)
            return paired(*args)

        monkeypatch.setattr(swiss_format, "_pair", robbed)
        jobs.run(job.pk, RUNNERS)

        assert not Pairing.objects.exists()
        job.refresh_from_db()
        assert job.state == Job.State.RUNNING


class TestSecrecy:
    def test_a_draft_does_not_move_the_public_version(self, organizer) -> None:
        section = b.section(organizer, players=4)
        _version, public = versions(section)

        b.draft(organizer, section)
        assert versions(section)[1] == public
        rounds.discard_draft(organizer, section.pk)
        assert versions(section)[1] == public

        b.play_round(organizer, section)
        public = versions(section)[1]
        round_ = b.draft(organizer, section)
        board = round_.pairings.get(board=1)
        draft.swap(
            organizer,
            round_.pk,
            first=board.white_id,
            second=board.black_id,
            version=versions(section)[0],
            reason="",
        )
        assert versions(section)[1] == public

        rounds.publish_round(organizer, round_.pk)
        assert versions(section)[1] > public

    def test_a_draft_makes_no_standings(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)

        b.work_all(section)

        assert not section.standings.exists()


class TestPublishing:
    @pytest.mark.clause("15.2.19", at="tournaments/services/rounds.py")
    def test_a_draft_is_published_once(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)

        with pytest.raises(WrongState):
            rounds.publish_round(organizer, round_.pk)

        assert AuditEntry.objects.filter(action="publish-round").count() == 1
        section.refresh_from_db()
        assert section.state == Section.State.RUNNING

    def test_rounds_are_published_in_order(self, organizer) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN")
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            rounds.publish_round(organizer, section.rounds.get(number=2).pk)

        assert states(section) == ["PAIRED"] * 3

    def test_taken_back_while_nothing_is_played(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)
        b.work_all(section)

        rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
        b.work_all(section)

        round_.refresh_from_db()
        assert (round_.state, round_.published_at) == (Round.State.PAIRED, None)
        assert not section.standings.exists()
        assert rounds.publish_round(organizer, round_.pk).state == Round.State.PUBLISHED

    @pytest.mark.parametrize("outcome", ["WHITE", "BOTH_FORFEIT"])
    def test_not_taken_back_once_a_result_is_in(self, organizer, outcome) -> None:
        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)
        results.record_outcome(organizer, round_.pairings.get(board=1).pk, outcome=outcome, version=0)

        with pytest.raises(WrongState) as told:
            rounds.unpublish_round(organizer, round_.pk, reason="wrong list")

        assert told.value.code == "played"
        assert states(section) == ["PUBLISHED"]

    def test_not_taken_back_without_a_reason(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)

        with pytest.raises(WrongState):
            rounds.unpublish_round(organizer, round_.pk, reason=" ")

        assert states(section) == ["PUBLISHED"]

    def test_a_table_computed_while_the_round_was_taken_back_is_not_kept(
        self, organizer, monkeypatch
    ) -> None:
        from tournaments.services import standings

        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)
        job = Job.objects.get(section=section, kind="STANDINGS", state="QUEUED")
        compute = standings.compute_tables

        def meanwhile(*args: object, **kwargs: object):
            computed = compute(*args, **kwargs)
            monkeypatch.setattr(standings, "compute_tables", compute)
            rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
            return computed

        monkeypatch.setattr(standings, "compute_tables", meanwhile)
        b.run(job)

        assert job.state == Job.State.QUEUED
        assert not section.standings.exists()


class TestDiscarding:
    def test_the_round_before_is_open_again(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)
        b.draft(organizer, section)

        rounds.discard_draft(organizer, section.pk)

        assert states(section) == ["PUBLISHED", "OPEN"]
        assert not Pairing.objects.filter(round__number=2).exists()
        assert b.draft(organizer, section).number == 2

    def test_without_a_draft_there_is_nothing_to_discard(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)

        with pytest.raises(WrongState) as told:
            rounds.discard_draft(organizer, section.pk)

        assert told.value.code == "no-draft"
        assert states(section) == ["PUBLISHED"]

    def test_the_start_set_for_a_round_outlives_a_draft(self, organizer) -> None:
        from django.utils import timezone

        section = b.section(organizer, players=4)
        start = timezone.now()
        rounds.set_round_start(organizer, section.pk, number=1, starts_at=start)
        b.draft(organizer, section)

        rounds.discard_draft(organizer, section.pk)

        assert section.rounds.get(number=1).starts_at == start


class TestRoundRobin:
    @pytest.mark.parametrize(("players", "count"), [(4, 3), (5, 5), (6, 5)])
    def test_the_whole_table_is_drawn_at_once(self, organizer, players, count) -> None:
        section = b.section(organizer, players=players, format="ROUND_ROBIN")

        b.draft(organizer, section)
        drawn = rounds.publish_all_rounds(organizer, section.pk)

        met = [
            frozenset(pair)
            for pair in Pairing.objects.filter(black__isnull=False).values_list("white_id", "black_id")
        ]
        assert len(drawn) == count
        assert len(set(met)) == len(met) == players * (players - 1) // 2

    def test_a_double_table_has_each_pair_once_with_each_colour(self, organizer) -> None:
        section = b.section(organizer, players=4, format="DOUBLE_ROUND_ROBIN")

        b.draft(organizer, section)

        pairs = list(Pairing.objects.values_list("white_id", "black_id"))
        assert len(set(pairs)) == len(pairs) == 12
        assert section.rounds.count() == 6

    def test_the_draw_is_thrown_away_whole(self, organizer) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN")
        b.draft(organizer, section)

        rounds.discard_draft(organizer, section.pk)

        assert not Pairing.objects.exists()
        entries.add_entry(organizer, section.pk, {"name": "Fifth"})
        b.draft(organizer, section)
        assert section.rounds.exclude(state="OPEN").count() == 5

    def test_standings_count_what_is_played(self, organizer) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN")
        b.draft(organizer, section)
        first, *_rest = rounds.publish_all_rounds(organizer, section.pk)
        b.enter_all(organizer, first, "WHITE")

        b.work_all(section)

        assert sum(row["points"] for row in section.standings.get(after_round=3).rows) == 4
