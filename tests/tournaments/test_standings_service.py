"""Tables as the job stores them: policies, places of those who left, lots, and one table of a version."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tournaments import builders as b
from tournaments import jobs
from tournaments.audit import Actor
from tournaments.formats import policy_of
from tournaments.formats.tables import as_json
from tournaments.models import Entry, Job, Section
from tournaments.selectors import public
from tournaments.services import entries, events, results, rounds, standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def table(section: Section, after: int) -> dict[int, dict]:
    """Rows by pairing number."""
    return {row["number"]: row for row in section.standings.get(after_round=after).rows}


def all_draw(organizer: Actor, **fields: object) -> Section:
    section = b.section(organizer, players=4, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", **fields)
    b.draft(organizer, section)
    for round_ in rounds.publish_all_rounds(organizer, section.pk):
        b.enter_all(organizer, round_, "DRAW")
    return section


class TestWithdrawals:
    def test_whoever_has_every_game_annulled_has_no_place(self, organizer) -> None:
        section = b.section(
            organizer, players=4, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", withdrawal="ANNUL"
        )
        b.draft(organizer, section)
        first, *later = rounds.publish_all_rounds(organizer, section.pk)
        b.enter_all(organizer, first, "WHITE")
        gone = section.entries.get(number=1)
        entries.withdraw_entry(organizer, gone.pk, after_round=1)
        for round_ in later:
            b.enter_all(organizer, round_, "DRAW")

        b.work_all(section)

        rows = table(section, 3)
        assert (rows[1]["placed"], rows[1]["points"]) == (False, 0)
        assert all(row["placed"] for number, row in rows.items() if number != 1)
        book = public.ledger(section)
        points = book.points_after(3)
        assert {book.entries[pk].number: value for pk, value in points.items()} == {
            number: row["points"] for number, row in rows.items()
        }

    def test_forfeits_of_one_who_left_count_as_wins_without_play(self, organizer) -> None:
        section = b.section(
            organizer, players=4, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", withdrawal="FORFEIT"
        )
        b.draft(organizer, section)
        first, *later = rounds.publish_all_rounds(organizer, section.pk)
        b.enter_all(organizer, first, "DRAW")
        entries.withdraw_entry(organizer, section.entries.get(number=1).pk, after_round=1)
        for round_ in later:
            b.enter_all(organizer, round_, "DRAW")

        b.work_all(section)

        rows = table(section, 3)
        assert rows[1]["points"] == 1
        assert sorted(row["points"] for number, row in rows.items() if number != 1) == [3, 4, 4]

    def test_the_disqualified_have_no_place(self, organizer) -> None:
        section = all_draw(organizer)
        Entry.objects.filter(section=section, number=2).update(status=Entry.Status.DISQUALIFIED)
        section.jobs.all().delete()
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)

        b.work_all(section)

        assert [number for number, row in table(section, 3).items() if not row["placed"]] == [2]


class TestLots:
    def test_what_nothing_breaks_shares_the_place(self, organizer) -> None:
        section = all_draw(organizer)

        final = results.close_section(organizer, section.pk)

        assert {(row["rank"], row["rank_to"]) for row in final.rows} == {(1, 4)}
        assert final.lot_seed is None

    def test_lots_decide_by_the_recorded_seed_when_the_section_says_so(self, organizer) -> None:
        section = all_draw(organizer, lots_decide=True)

        final = results.close_section(organizer, section.pk)

        order = [row["number"] for row in final.rows]
        assert [row["rank"] for row in final.rows] == [1, 2, 3, 4]
        assert final.lot_seed == section.seed
        results.reopen_section(organizer, section.pk, reason="look again")
        assert [row["number"] for row in results.close_section(organizer, section.pk).rows] == order


class TestPolicy:
    def test_the_sections_choices_stand_over_the_presets(self, organizer) -> None:
        section = b.section(organizer, policy={"forfeits_in_solkoff": True})

        assert policy_of(section).forfeits_in_solkoff is True
        assert policy_of(section).byes_in_wins is False

    def test_a_changed_treatment_of_forfeits_changes_the_values(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.publish_next(organizer, section)
        first, second = round_.pairings.order_by("board")
        results.record_outcome(organizer, first.pk, outcome="BLACK_FORFEITS", version=0)
        results.record_outcome(organizer, second.pk, outcome="DRAW", version=0)
        b.play_round(organizer, section, "DRAW")
        b.work_all(section)
        winner = first.white.number
        before = table(section, 2)[winner]["values"]["SOLKOFF"]

        events.update_section(
            organizer, section.pk, {"policy": {"forfeits_in_solkoff": True}}, reason="regulations 7"
        )
        b.work_all(section)

        after = table(section, 2)
        assert after[winner]["values"]["SOLKOFF"] == before + after[first.black.number]["points"]


class TestStorage:
    def test_one_table_after_each_public_round(self, organizer) -> None:
        section = b.section(organizer, players=4)
        for _round in range(2):
            b.play_round(organizer, section, "DRAW")
            b.work_all(section)
        board = section.rounds.get(number=1).pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=1, reason="slip")
        b.work_all(section)

        assert list(section.standings.order_by("after_round").values_list("after_round", flat=True)) == [1, 2]
        assert len(set(section.standings.values_list("version", flat=True))) == 1

    def test_an_older_table_does_not_replace_a_newer_one(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section, "DRAW")
        b.work_all(section)
        kept = section.standings.get()

        standings.store(
            type(kept)(section=section, after_round=1, version=kept.version - 1, rows=[], tiebreaks=[])
        )

        assert section.standings.get().rows == kept.rows

    def test_while_results_pour_in_no_change_is_lost(self, organizer, monkeypatch) -> None:
        section = b.section(organizer, players=6)
        boards = list(b.publish_next(organizer, section).pairings.order_by("board"))
        compute = standings.compute_tables

        def meanwhile(*args: object, **kwargs: object):
            computed = compute(*args, **kwargs)
            if boards:
                results.record_outcome(organizer, boards.pop().pk, outcome="WHITE", version=0)
            return computed

        monkeypatch.setattr(standings, "compute_tables", meanwhile)
        b.work_all(section)

        assert sum(row["points"] for row in table(section, 1).values()) == 6
        assert not Job.objects.filter(section=section, state__in=["QUEUED", "RUNNING", "FAILED"]).exists()
        assert jobs.waiting() | jobs.abandoned() == set()

    @pytest.mark.parametrize(
        ("value", "stored"),
        [(3, 3), (Fraction(9, 2), "9/2"), (Fraction(4, 2), 2), ((5, 3), [5, 3]), (None, None)],
    )
    def test_values_are_kept_without_rounding(self, value, stored) -> None:
        assert as_json(value) == stored
