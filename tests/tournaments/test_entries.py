"""The entry list: entering, numbering, late entry, absence, withdrawal and return."""

from __future__ import annotations

import hashlib

import pytest

from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import AuditEntry, Entry, Job, Player, Role, Round, Section
from tournaments.selectors import boards, draft_checks, public
from tournaments.services import entries, results, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def names_by_number(section: Section) -> list[str]:
    return [e.player.name for e in section.entries.select_related("player").order_by("number")]


class TestAdding:
    def test_names_are_cleaned_read_and_keyed(self, organizer) -> None:
        section = b.section(organizer)

        entry = entries.add_entry(organizer, section.pk, {"name": "  欧阳 明月 ", "club": "上海"})

        player = Player.objects.get(pk=entry.player_id)
        assert (player.name, player.family_name, player.latin_name) == ("欧阳 明月", "欧阳", "Ouyang Mingyue")
        assert "ouyangmingyue" in player.search_keys.split()
        assert entry.number is None

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"name": ""}, "name"),
            ({"name": "A", "rating": 9000}, "rating"),
            ({"name": "A", "rating": "many"}, "rating"),
            ({"name": "A", "sex": "x"}, "sex"),
            ({"name": "A", "shoe_size": 43}, "shoe_size"),
            ({"name": "A" * 121}, "name"),
        ],
    )
    def test_bad_fields_are_named_and_nothing_is_entered(self, organizer, fields, wrong) -> None:
        section = b.section(organizer)

        with pytest.raises(BadInput) as told:
            entries.add_entry(organizer, section.pk, fields)

        assert wrong in told.value.values["fields"]
        assert (Entry.objects.count(), Player.objects.count()) == (0, 0)

    def test_arbiters_may_not_and_strangers_find_nothing(self, organizer) -> None:
        section = b.section(organizer)
        arbiter = b.with_role(section.event, Role.Kind.ARBITER)

        with pytest.raises(NotAllowed):
            entries.add_entry(arbiter, section.pk, {"name": "A"})
        for actor in (
            Actor(),
            Actor(user=b.user()),
            b.with_role(section.event, Role.Kind.PLAYER),
            b.organizer(),
        ):
            with pytest.raises(NotFound):
                entries.add_entry(actor, section.pk, {"name": "A"})

        assert section.entries.count() == 0
        assert not AuditEntry.objects.filter(action="add-entry").exists()

    def test_a_change_is_logged_with_before_and_after(self, organizer) -> None:
        section = b.section(organizer, players=1)
        entry = section.entries.get()

        entries.update_entry(organizer, entry.pk, {"name": "张伟", "rating": 1800})

        entry.player.refresh_from_db()
        assert (entry.player.family_name, entry.player.latin_name) == ("张", "Zhang Wei")
        line = AuditEntry.objects.get(action="edit-entry")
        assert (line.before["name"], line.after["name"], line.address) == ("Player 1", "张伟", "192.0.2.1")

    def test_the_same_data_again_leaves_no_trace(self, organizer) -> None:
        section = b.section(organizer, players=1)
        section.refresh_from_db()

        entries.update_entry(organizer, section.entries.get().pk, {"rating": 2390})

        assert not AuditEntry.objects.filter(action="edit-entry").exists()
        assert Section.objects.get(pk=section.pk).version == section.version

    def test_an_entry_never_paired_is_removed_with_its_player(self, organizer) -> None:
        section = b.section(organizer, players=1)

        entries.remove_entry(organizer, section.entries.get().pk)

        assert (Entry.objects.count(), Player.objects.count()) == (0, 0)

    def test_a_paired_entry_is_not_removed(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            entries.remove_entry(organizer, b.entry_list(section)[0].pk)

        assert section.entries.count() == 4


class TestNumbers:
    def test_by_rating_then_title_then_name(self, organizer) -> None:
        section = b.section(organizer)
        for fields in (
            {"name": "C", "rating": 2000},
            {"name": "B", "rating": 2000},
            {"name": "D", "rating": 2000, "title": "MI"},
            {"name": "A", "rating": 0},
            {"name": "E", "rating": 2100},
        ):
            entries.add_entry(organizer, section.pk, fields)

        b.draft(organizer, section)

        assert names_by_number(section) == ["E", "D", "B", "C", "A"]

    def test_by_seed_numbers_the_missing_ones_last(self, organizer) -> None:
        section = b.section(organizer, numbering="SEED")
        for name, seed in (("A", 3), ("B", None), ("C", 1), ("D", 2)):
            entries.add_entry(organizer, section.pk, {"name": name, "seed_number": seed})

        b.draft(organizer, section)

        assert names_by_number(section) == ["C", "D", "A", "B"]

    def test_a_lot_is_drawn_from_the_stored_seed(self, organizer) -> None:
        section = b.section(organizer, players=8, numbering="LOT")
        b.draft(organizer, section)
        drawn = names_by_number(section)

        rounds.discard_draft(organizer, section.pk)
        b.draft(organizer, section)

        assert names_by_number(section) == drawn
        assert drawn != sorted(drawn) or section.entries.filter(lot_number=None).count() == 0

    def test_who_left_before_the_start_gets_no_number(self, organizer) -> None:
        section = b.section(organizer, players=5)
        gone = section.entries.order_by("pk").first()
        entries.withdraw_entry(organizer, gone.pk, after_round=0)

        round_ = b.draft(organizer, section)

        assert gone.pk not in b.seated(round_)
        assert sorted(section.entries.exclude(pk=gone.pk).values_list("number", flat=True)) == [1, 2, 3, 4]


class TestLateEntry:
    def test_a_late_entry_takes_its_place_by_rating_in_the_first_rounds(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)

        entry = entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2385})

        assert (entry.number, entry.first_round) == (2, 2)
        assert names_by_number(section) == ["Player 1", "Late", "Player 2", "Player 3", "Player 4"]
        assert entry.pk in b.seated(b.draft(organizer, section))

    def test_after_round_three_numbers_do_not_move(self, organizer) -> None:
        section = b.section(organizer, players=8)
        for _round in range(4):
            b.play_round(organizer, section, "DRAW")

        entry = entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2600})

        assert (entry.number, entry.first_round) == (9, 5)

    def test_a_waiting_draft_still_agrees_with_the_engine(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.draft(organizer, section)

        entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2385})

        round_.refresh_from_db()
        assert draft_checks.differences(round_) == []
        rounds.publish_round(organizer, round_.pk)
        assert public.paired_text(section, 1).startswith(round_.canonical_input)
        text = public.paired_text(section, 1).encode()
        assert hashlib.sha256(text).hexdigest() == Round.objects.get(pk=round_.pk).digest

    def test_why_a_round_was_paired_so_is_told_of_the_right_players_afterwards(self, organizer) -> None:
        section = b.section(organizer, players=4)
        round_ = b.play_round(organizer, section)
        before = boards.account(public.ledger(section), 1)

        entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2500})

        after = boards.account(public.ledger(section), 1)
        assert [p.kept for p in after.proposed] == [True, True]
        names = [
            [(p.white.player.name, p.black.player.name) for p in told.proposed] for told in (before, after)
        ]
        assert names[0] == names[1]
        assert after.names == before.names
        assert draft_checks.differences(round_) == []

    def test_nobody_enters_a_drawn_round_robin(self, organizer) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN")
        b.draft(organizer, section)

        with pytest.raises(WrongState) as told:
            entries.add_entry(organizer, section.pk, {"name": "Late"})

        assert told.value.code == "already-drawn"
        assert section.entries.count() == 4

    def test_nobody_enters_after_the_last_round_is_paired(self, organizer) -> None:
        section = b.section(organizer, players=4, rounds_total=1)
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            entries.add_entry(organizer, section.pk, {"name": "Late"})


class TestAbsence:
    @pytest.mark.parametrize(("kind", "points"), [("ZERO_BYE", 0), ("HALF_BYE", 1), ("BYE", 2)])
    def test_an_announced_absence_is_not_paired_and_takes_its_points(self, organizer, kind, points) -> None:
        section = b.section(organizer, players=5)
        entry = section.entries.order_by("pk")[1]
        entries.announce_absence(organizer, entry.pk, round_number=1, kind=kind)

        round_ = b.play_round(organizer, section)
        b.work_all(section)

        board = b.board_of(round_, entry)
        assert (board.outcome, board.black_id, board.board) == (kind, None, 0)
        assert len(b.seated(round_)) == 5
        table = section.standings.get(after_round=1)
        assert next(row["points"] for row in table.rows if row["entry"] == entry.pk) == points

    def test_told_twice_the_last_word_counts(self, organizer) -> None:
        section = b.section(organizer, players=4)
        entry = section.entries.first()
        entries.announce_absence(organizer, entry.pk, round_number=2)

        entries.announce_absence(organizer, entry.pk, round_number=2, kind="HALF_BYE", reason="train")

        absence = entry.absences.get()
        assert (absence.kind, absence.reason) == ("HALF_BYE", "train")

    def test_a_paired_round_is_too_late(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            entries.announce_absence(organizer, section.entries.first().pk, round_number=1)

    @pytest.mark.parametrize(("number", "kind"), [(0, "BYE"), (8, "BYE"), (1, "WHITE"), (1, "")])
    def test_no_such_round_or_kind(self, organizer, number, kind) -> None:
        section = b.section(organizer, players=4)

        with pytest.raises(BadInput):
            entries.announce_absence(organizer, section.entries.first().pk, round_number=number, kind=kind)

        assert not section.entries.filter(absences__isnull=False).exists()

    def test_a_cancelled_absence_is_paired_again(self, organizer) -> None:
        section = b.section(organizer, players=4)
        entry = section.entries.first()
        absence = entries.announce_absence(organizer, entry.pk, round_number=1)

        entries.cancel_absence(organizer, absence.pk)

        assert b.board_of(b.draft(organizer, section), entry).black_id is not None


class TestWithdrawal:
    def test_the_withdrawn_is_not_paired_and_keeps_the_points(self, organizer) -> None:
        section = b.section(organizer, players=6)
        first = b.play_round(organizer, section)
        winner = first.pairings.get(board=1).white
        entries.withdraw_entry(organizer, winner.pk, after_round=1, reason="ill")

        second = b.play_round(organizer, section)
        b.work_all(section)

        assert winner.pk not in b.seated(second)
        row = next(r for r in section.standings.get(after_round=2).rows if r["entry"] == winner.pk)
        assert (row["points"], row["status"]) == (2, "WITHDRAWN")

    def test_a_paired_round_stands_in_the_way(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.publish_next(organizer, section)
        entry = section.entries.first()

        with pytest.raises(WrongState):
            entries.withdraw_entry(organizer, entry.pk, after_round=0)

        entry.refresh_from_db()
        assert entry.status == Entry.Status.ACTIVE

    def test_who_returns_is_paired_in_the_next_round(self, organizer) -> None:
        section = b.section(organizer, players=6)
        b.play_round(organizer, section)
        entry = section.entries.get(number=3)
        entries.withdraw_entry(organizer, entry.pk, after_round=1)
        b.play_round(organizer, section)

        entries.return_entry(organizer, entry.pk)
        third = b.draft(organizer, section)

        assert entry.pk in b.seated(third)

    def test_who_returns_after_leaving_before_the_start_enters_late(self, organizer) -> None:
        section = b.section(organizer, players=5)
        entry = section.entries.order_by("pk")[0]
        entries.withdraw_entry(organizer, entry.pk, after_round=0)
        b.play_round(organizer, section)

        returned = entries.return_entry(organizer, entry.pk)

        assert (returned.number, returned.first_round) == (1, 2)
        assert sorted(section.entries.values_list("number", flat=True)) == [1, 2, 3, 4, 5]

    def test_standings_follow(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)
        b.work_all(section)

        entries.withdraw_entry(organizer, section.entries.first().pk, after_round=1)

        assert Job.objects.filter(section=section, kind="STANDINGS", state="QUEUED").count() == 1

    def test_open_boards_of_a_round_robin_become_forfeits(self, organizer) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN")
        b.draft(organizer, section)
        first, *_later = rounds.publish_all_rounds(organizer, section.pk)
        b.enter_all(organizer, first, "DRAW")
        entry = section.entries.get(number=1)

        entries.withdraw_entry(organizer, entry.pk, after_round=1)

        outcomes = [b.board_of(r, entry) for r in section.rounds.order_by("number")]
        assert outcomes[0].outcome == "DRAW"
        for board in outcomes[1:]:
            assert board.outcome == ("WHITE_FORFEITS" if board.white_id == entry.pk else "BLACK_FORFEITS")
            assert board.version == 1

    @pytest.mark.parametrize(("played", "annulled"), [(1, True), (2, False)])
    def test_under_half_of_the_games_is_annulled_by_choice(self, organizer, played, annulled) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN", withdrawal="ANNUL")
        b.draft(organizer, section)
        drawn = rounds.publish_all_rounds(organizer, section.pk)
        for round_ in drawn[:played]:
            b.enter_all(organizer, round_, "DRAW")
        entry = section.entries.get(number=1)

        entries.withdraw_entry(organizer, entry.pk, after_round=played)

        outcomes = {b.board_of(r, entry).outcome for r in drawn}
        assert (outcomes == {"VOID"}) is annulled


class TestUnannouncedAbsence:
    def forfeit(self, actor: Actor, round_, entry: Entry) -> None:
        board = b.board_of(round_, entry)
        outcome = "WHITE_FORFEITS" if board.white_id == entry.pk else "BLACK_FORFEITS"
        results.record_outcome(actor, board.pk, outcome=outcome, version=board.version)
        b.enter_all(actor, round_, "DRAW")

    def test_who_did_not_appear_is_not_paired_next_round_but_in_the_one_after(self, organizer) -> None:
        section = b.section(organizer, players=8, drop_absent=True)
        entry = section.entries.first()
        self.forfeit(organizer, b.publish_next(organizer, section), entry)

        second = b.play_round(organizer, section, "DRAW")
        third = b.draft(organizer, section)

        assert b.board_of(second, entry).outcome == "ZERO_BYE"
        assert b.board_of(third, entry).black_id is not None

    def test_twice_running_and_the_player_is_out_when_the_round_is_published(self, organizer) -> None:
        section = b.section(organizer, players=8, drop_absent=True)
        entry = section.entries.first()
        self.forfeit(organizer, b.publish_next(organizer, section), entry)
        b.play_round(organizer, section, "DRAW")
        self.forfeit(organizer, b.publish_next(organizer, section), entry)

        draft = b.draft(organizer, section)
        entry.refresh_from_db()
        assert entry.status == Entry.Status.ACTIVE  # a draft tells nobody

        rounds.publish_round(organizer, draft.pk)

        entry.refresh_from_db()
        assert (entry.status, entry.withdrawn_after_round) == (Entry.Status.WITHDRAWN, 4)

    def test_without_the_rule_a_forfeit_has_no_consequence(self, organizer) -> None:
        section = b.section(organizer, players=8)
        entry = section.entries.first()
        self.forfeit(organizer, b.publish_next(organizer, section), entry)

        assert b.board_of(b.draft(organizer, section), entry).black_id is not None
