"""Results: entering, correcting, clashing, adjusting, closing and reopening."""

from __future__ import annotations

import pytest

from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import Adjustment, AuditEntry, Event, Job, Role, Round, Section
from tournaments.services import events, results, rounds
from tournaments.services.results import Line, StaleResult

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer) -> Section:
    return b.section(organizer, players=4, rounds_total=2)


@pytest.fixture
def round_(organizer, section) -> Round:
    return b.publish_next(organizer, section)


def untouched(round_: Round) -> bool:
    return not round_.pairings.exclude(outcome="UNPLAYED", version=0).exists()


class TestEntering:
    @pytest.mark.clause("15.2.17", at="tournaments/services/results.py")
    def test_a_result_is_written_logged_and_followed_by_standings(self, organizer, section, round_) -> None:
        b.work_all(section)
        board = round_.pairings.get(board=1)

        saved = results.record_outcome(organizer, board.pk, outcome="DRAW", version=0)

        assert (saved.outcome, saved.version) == ("DRAW", 1)
        line = AuditEntry.objects.get(action="record-outcome")
        assert (line.before["outcome"], line.after["outcome"]) == ("UNPLAYED", "DRAW")
        assert Job.objects.filter(section=section, kind="STANDINGS", state="QUEUED").count() == 1

    @pytest.mark.parametrize("actor_kind", [Role.Kind.ARBITER, Role.Kind.CHIEF_ARBITER, Role.Kind.ORGANIZER])
    def test_officials_enter_results(self, section, round_, actor_kind) -> None:
        board = round_.pairings.get(board=1)

        results.record_outcome(b.with_role(section.event, actor_kind), board.pk, outcome="WHITE", version=0)

        board.refresh_from_db()
        assert board.outcome == "WHITE"

    @pytest.mark.parametrize("actor_kind", [Role.Kind.PLAYER, Role.Kind.COMMITTEE, None])
    def test_others_find_nothing(self, section, round_, actor_kind) -> None:
        actor = b.with_role(section.event, actor_kind) if actor_kind else Actor(user=b.user())

        with pytest.raises(NotFound):
            results.record_outcome(actor, round_.pairings.get(board=1).pk, outcome="WHITE", version=0)

        assert untouched(round_)

    def test_lines_that_are_not_sent_stay(self, organizer, section, round_) -> None:
        first, second = round_.pairings.order_by("board")
        results.record_outcome(organizer, first.pk, outcome="WHITE", version=0)

        results.record_outcomes(organizer, section.pk, [Line(pairing=second.pk, outcome="BLACK", version=0)])

        assert list(round_.pairings.order_by("board").values_list("outcome", flat=True)) == ["WHITE", "BLACK"]

    def test_an_empty_form_changes_nothing(self, organizer, section, round_) -> None:
        version = Section.objects.get(pk=section.pk).version

        assert results.record_outcomes(organizer, section.pk, []) == []

        assert Section.objects.get(pk=section.pk).version == version

    def test_the_same_result_again_is_no_clash_and_leaves_no_trace(self, organizer, section, round_) -> None:
        board = round_.pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=0)

        again = results.record_outcome(organizer, board.pk, outcome="WHITE", version=0)

        assert again.version == 1
        assert AuditEntry.objects.filter(action="record-outcome").count() == 1

    @pytest.mark.parametrize("outcome", ["", "WON", "BYE", "HALF_BYE"])
    def test_what_is_no_result_of_a_board_is_refused(self, organizer, round_, outcome) -> None:
        with pytest.raises(BadInput):
            results.record_outcome(organizer, round_.pairings.get(board=1).pk, outcome=outcome, version=0)

        assert untouched(round_)

    def test_one_bad_line_and_no_line_is_written(self, organizer, section, round_) -> None:
        first, second = round_.pairings.order_by("board")

        with pytest.raises(BadInput):
            results.record_outcomes(
                organizer,
                section.pk,
                [
                    Line(pairing=first.pk, outcome="WHITE", version=0),
                    Line(pairing=second.pk, outcome="BYE", version=0),
                ],
            )

        assert untouched(round_)

    def test_a_board_of_another_section_is_not_found(self, organizer, section, round_) -> None:
        other = b.publish_next(organizer, b.section(organizer, players=4))

        with pytest.raises(NotFound):
            results.record_outcomes(
                organizer,
                section.pk,
                [Line(pairing=other.pairings.get(board=1).pk, outcome="WHITE", version=0)],
            )

        assert untouched(other)

    def test_a_draft_takes_no_results(self, organizer, section) -> None:
        draft = b.draft(organizer, section)

        with pytest.raises(WrongState):
            results.record_outcome(organizer, draft.pairings.get(board=1).pk, outcome="WHITE", version=0)

        assert untouched(draft)

    def test_a_grade_must_be_of_the_scheme(self, organizer, round_) -> None:
        with pytest.raises(BadInput):
            results.record_outcome(
                organizer, round_.pairings.get(board=1).pk, outcome="WHITE", version=0, grade="8-4"
            )

        assert untouched(round_)


class TestClash:
    def test_a_stale_form_is_told_the_present_value(self, organizer, section, round_) -> None:
        board = round_.pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=0)

        with pytest.raises(StaleResult) as told:
            results.record_outcome(organizer, board.pk, outcome="BLACK", version=0)

        assert told.value.values["boards"] == [
            {"pairing": board.pk, "board": 1, "outcome": "WHITE", "grade": "", "version": 1, "yours": "BLACK"}
        ]
        board.refresh_from_db()
        assert (board.outcome, board.version) == ("WHITE", 1)

    def test_one_stale_board_and_the_whole_form_waits(self, organizer, section, round_) -> None:
        first, second = round_.pairings.order_by("board")
        results.record_outcome(organizer, first.pk, outcome="WHITE", version=0)

        with pytest.raises(StaleResult):
            results.record_outcomes(
                organizer,
                section.pk,
                [
                    Line(pairing=first.pk, outcome="DRAW", version=0),
                    Line(pairing=second.pk, outcome="DRAW", version=0),
                ],
            )

        second.refresh_from_db()
        assert second.outcome == "UNPLAYED"

    def test_who_looked_again_may_correct(self, organizer, round_) -> None:
        board = round_.pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=0)

        results.record_outcome(organizer, board.pk, outcome="UNPLAYED", version=1)

        board.refresh_from_db()
        assert (board.outcome, board.version) == ("UNPLAYED", 2)


class TestCorrection:
    def test_once_the_next_round_is_paired_a_reason_is_needed(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.draft(organizer, section)
        board = round_.pairings.get(board=1)

        with pytest.raises(BadInput) as told:
            results.record_outcome(organizer, board.pk, outcome="BLACK", version=board.version)
        assert told.value.code == "reason-needed"
        board.refresh_from_db()
        assert board.outcome == "WHITE"

        results.record_outcome(
            organizer, board.pk, outcome="BLACK", version=board.version, reason="slip was misread"
        )

        line = AuditEntry.objects.filter(action="record-outcome").first()
        assert (line.reason, line.before["outcome"], line.after["outcome"]) == (
            "slip was misread",
            "WHITE",
            "BLACK",
        )

    def test_every_later_table_is_computed_again(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.play_round(organizer, section, "DRAW")
        b.work_all(section)
        board = round_.pairings.get(board=1)

        results.record_outcome(
            organizer, board.pk, outcome="BLACK", version=board.version, reason="slip was misread"
        )
        b.work_all(section)

        for after, points in ((1, 0), (2, 1)):
            table = section.standings.get(after_round=after)
            row = next(r for r in table.rows if r["entry"] == board.white_id)
            assert row["points"] == points


class TestAdjustment:
    def test_it_counts_from_its_round_on_as_a_line_of_its_own(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_, "DRAW")
        b.play_round(organizer, section, "DRAW")
        chief = b.with_role(section.event, Role.Kind.CHIEF_ARBITER)
        entry = section.entries.get(number=1)

        results.adjust_score(chief, entry.pk, points=-1, after_round=2, reason="ruling 3")
        b.work_all(section)

        rows = {
            after: next(r for r in section.standings.get(after_round=after).rows if r["entry"] == entry.pk)
            for after in (1, 2)
        }
        assert (rows[1]["points"], rows[1]["adjustment"]) == (1, 0)
        assert (rows[2]["points"], rows[2]["adjustment"]) == (1, -1)

    def test_only_the_chief_arbiter_adjusts(self, organizer, section, round_) -> None:
        entry = section.entries.first()

        for actor in (organizer, b.with_role(section.event, Role.Kind.ARBITER)):
            with pytest.raises(NotAllowed):
                results.adjust_score(actor, entry.pk, points=1, after_round=1, reason="x")

        assert not Adjustment.objects.exists()

    @pytest.mark.parametrize(
        ("points", "after_round", "reason"),
        [(0, 1, "x"), (1, 1, " "), (1, 3, "x"), (1, -1, "x"), (1000, 1, "x")],
    )
    def test_no_points_no_reason_or_no_such_round(self, section, round_, points, after_round, reason) -> None:
        chief = b.with_role(section.event, Role.Kind.CHIEF_ARBITER)

        with pytest.raises(BadInput):
            results.adjust_score(
                chief, section.entries.first().pk, points=points, after_round=after_round, reason=reason
            )

        assert not Adjustment.objects.exists()


class TestClosing:
    def test_not_while_a_result_is_missing(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        last = b.publish_next(organizer, section)

        with pytest.raises(WrongState) as told:
            results.close_section(organizer, section.pk)

        assert told.value.code == "results-missing"
        assert told.value.values["count"] == last.pairings.count()

    def test_not_while_rounds_are_missing(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)

        with pytest.raises(WrongState) as told:
            results.close_section(organizer, section.pk)

        assert told.value.code == "rounds-missing"
        assert Section.objects.get(pk=section.pk).state == Section.State.RUNNING

    def test_not_while_a_draft_waits(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.draft(organizer, section)

        with pytest.raises(WrongState) as told:
            results.close_section(organizer, section.pk)

        assert told.value.code == "draft-exists"

    @pytest.mark.clause("15.2.21", at="tournaments/services/results.py")
    def test_the_final_table_stays_final_when_a_late_job_runs(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.play_round(organizer, section)

        table = results.close_section(organizer, section.pk)
        b.work_all(section)

        kept = section.standings.get(after_round=2)
        assert (kept.final, kept.rows) == (True, table.rows)
        assert Section.objects.get(pk=section.pk).state == Section.State.CLOSED

    def test_a_closed_section_takes_nothing_until_it_is_reopened(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.play_round(organizer, section)
        results.close_section(organizer, section.pk)
        events.close_event(organizer, section.event_id)
        chief = b.with_role(section.event, Role.Kind.CHIEF_ARBITER)
        board = round_.pairings.get(board=1)

        with pytest.raises(WrongState):
            results.record_outcome(organizer, board.pk, outcome="DRAW", version=1, reason="x")
        with pytest.raises(WrongState):
            results.adjust_score(chief, board.white_id, points=1, after_round=2, reason="x")

        results.reopen_section(organizer, section.pk, reason="protest upheld")
        results.record_outcome(organizer, board.pk, outcome="DRAW", version=1, reason="protest upheld")
        b.work_all(section)

        assert Event.objects.get(pk=section.event_id).state == Event.State.OPEN
        assert section.standings.get(after_round=2).final is False
        assert results.close_section(organizer, section.pk).final is True

    def test_reopening_needs_a_reason(self, organizer, section, round_) -> None:
        b.enter_all(organizer, round_)
        b.play_round(organizer, section)
        results.close_section(organizer, section.pk)

        with pytest.raises(BadInput):
            results.reopen_section(organizer, section.pk, reason="")

        assert Section.objects.get(pk=section.pk).state == Section.State.CLOSED

    def test_the_event_closes_after_its_sections(self, organizer, section, round_) -> None:
        with pytest.raises(WrongState) as told:
            events.close_event(organizer, section.event_id)
        assert told.value.code == "sections-open"

        b.enter_all(organizer, round_)
        b.play_round(organizer, section)
        results.close_section(organizer, section.pk)

        assert events.close_event(organizer, section.event_id).state == Event.State.CLOSED

    def test_a_round_robin_is_closed_when_its_table_is_full(self, organizer) -> None:
        section = b.section(organizer, players=3, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN")
        b.draft(organizer, section)
        for round_ in rounds.publish_all_rounds(organizer, section.pk):
            b.enter_all(organizer, round_, "DRAW")

        table = results.close_section(organizer, section.pk)

        assert [row["rank"] for row in table.rows] == [1, 1, 1]
