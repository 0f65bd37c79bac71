"""A corrected result of a knock-out tie: what follows in the ties drawn since, what stands, and setting the bracket right."""

from __future__ import annotations

from random import Random

import pytest

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotFound, SiteError, WrongState
from tournaments.formats.repairs import open_repairs
from tournaments.models import AuditEntry, Entry, Event, Pairing, Role, Round, Section
from tournaments.selectors import draft_checks
from tournaments.selectors import matches as shown
from tournaments.services import bracket_repair, corrections, matches, results, rounds
from tournaments.services.bracket_repair import Kind, Repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def knock_out(organizer: Actor, players: int, **fields: object) -> Section:
    made = b.section(organizer, players=players, format="KNOCKOUT", **fields)
    Event.objects.update(state=Event.State.OPEN)
    return made


def numbers(round_: Round) -> list[set[int]]:
    rows = sorted(round_.pairings.select_related("white", "black"), key=lambda p: (p.board == 0, p.board))
    return [{e.number for e in (p.white, p.black) if e is not None} for p in rows]


def tie(section: Section, round_: int, *seeds: int) -> Pairing:
    """The board of a round where exactly these starting numbers sit."""
    return next(
        p
        for p in Pairing.objects.filter(round__section=section, round__number=round_).select_related(
            "white", "black"
        )
        if {e.number for e in (p.white, p.black) if e is not None} == set(seeds)
    )


def let_win(organizer: Actor, pairing: Pairing, seed: int, reason: str = "") -> Pairing:
    outcome = "WHITE" if pairing.white.number == seed else "BLACK"
    return results.record_outcome(
        organizer, pairing.pk, outcome=outcome, version=pairing.version, reason=reason
    )


def better_wins(organizer: Actor, round_: Round) -> None:
    for p in round_.pairings.filter(outcome="UNPLAYED").select_related("white", "black"):
        let_win(organizer, p, min(p.white.number, p.black.number))


def play(organizer: Actor, section: Section) -> Round:
    round_ = b.publish_next(organizer, section)
    better_wins(organizer, round_)
    return round_


def repairs(section: Section) -> list[Repair]:
    section.refresh_from_db()
    return open_repairs(section)


def set_right(organizer: Actor, section: Section) -> list[Pairing]:
    section.refresh_from_db()
    return bracket_repair.set_bracket_right(
        organizer, section.pk, version=section.version, reason="board 1 was entered the wrong way"
    )


def seeds_of(section: Section, entries: tuple[int, ...]) -> list[int]:
    found = dict(section.entries.values_list("pk", "number"))
    return [found[pk] for pk in entries]


class TestTheNextTieHasNotBegun:
    @pytest.fixture
    def section(self, organizer: Actor) -> Section:
        """Eight players, quarter-finals played by the better seeds, semi-finals 1-4 and 2-3 published."""
        made = knock_out(organizer, 8, third_place=True)
        play(organizer, made)
        b.publish_next(organizer, made)
        return made

    def test_the_arbiter_is_told_and_one_press_puts_the_rightful_winner_in(self, organizer, section) -> None:
        semi = tie(section, 2, 1, 4)
        colour_of_1 = "white" if semi.white.number == 1 else "black"
        proposal = list(semi.round.proposal)

        let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")

        [told] = repairs(section)
        assert told.kind is Kind.REPLACE
        assert told.meeting is not None
        assert told.meeting.pairing == semi.pk
        assert (seeds_of(section, told.leaving), seeds_of(section, told.coming)) == ([1], [8])

        set_right(organizer, section)

        semi = tie(section, 2, 8, 4)
        assert getattr(semi, colour_of_1).number == 8
        assert repairs(section) == []
        round_ = Round.objects.get(pk=semi.round_id)
        assert round_.proposal == proposal
        assert [(e["verb"], e["names"], e["reason"]) for e in round_.edits] == [
            ("replace", ["Player 8", "Player 1"], "board 1 was entered the wrong way")
        ]
        assert {(d["side"], frozenset((d["white"], d["black"]))) for d in draft_checks.differences(round_)} == {
            ("engine", frozenset({1, 4})), ("arbiter", frozenset({4, 8})),
        }  # fmt: skip
        assert AuditEntry.objects.filter(
            action="bracket-set-right", reason="board 1 was entered the wrong way"
        ).exists()

    def test_the_event_goes_on_to_consistent_places(self, organizer, section) -> None:
        let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")
        set_right(organizer, section)
        better_wins(organizer, section.rounds.get(number=2))
        final = play(organizer, section)

        assert numbers(final) == [{2, 4}, {3, 8}]
        table = results.close_section(organizer, section.pk)
        assert [(row["number"], row["rank"], row["rank_to"]) for row in table.rows] == [
            (2, 1, 1), (4, 2, 2), (3, 3, 3), (8, 4, 4), (1, 5, 8), (5, 5, 8), (6, 5, 8), (7, 5, 8),
        ]  # fmt: skip

    def test_until_then_no_result_is_taken_there_and_nothing_goes_on(self, organizer, section) -> None:
        let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")
        stale, other = tie(section, 2, 1, 4), tie(section, 2, 2, 3)

        with pytest.raises(WrongState) as told:
            let_win(organizer, stale, 1)
        assert told.value.code == "bracket-differs"
        let_win(organizer, other, 2)
        Pairing.objects.filter(pk=stale.pk).update(outcome="UNPLAYED")
        with pytest.raises(WrongState):
            rounds.request_pairing(organizer, section.pk)

        assert Pairing.objects.get(pk=stale.pk).outcome == "UNPLAYED"

    def test_the_first_winner_can_go_on_by_a_ruling(self, organizer, section) -> None:
        first = let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")
        advances = "w" if first.white.number == 1 else "b"

        matches.decide(
            organizer, first.pk, advances=advances, version=first.version, reason="8 left the event"
        )

        assert repairs(section) == []
        let_win(organizer, tie(section, 2, 1, 4), 1)
        let_win(organizer, tie(section, 2, 2, 3), 2)
        assert numbers(b.publish_next(organizer, section)) == [{1, 2}, {3, 4}]

    @pytest.mark.parametrize("outcome", ["DRAW", "UNPLAYED"])
    def test_a_tie_that_is_open_again_is_waited_for(self, organizer, section, outcome) -> None:
        first = tie(section, 1, 1, 8)
        results.record_outcome(
            organizer, first.pk, outcome=outcome, version=first.version, reason="protest upheld"
        )

        [told] = repairs(section)
        assert told.kind is Kind.WAITS
        with pytest.raises(WrongState):
            let_win(organizer, tie(section, 2, 1, 4), 4)
        with pytest.raises(WrongState):
            set_right(organizer, section)

        let_win(organizer, tie(section, 1, 1, 8), 8, reason="replayed")
        assert [repair.kind for repair in repairs(section)] == [Kind.REPLACE]
        set_right(organizer, section)
        assert numbers(section.rounds.get(number=2)) == [{8, 4}, {2, 3}]

    def test_two_corrections_at_once_are_set_right_together(self, organizer, section) -> None:
        let_win(organizer, tie(section, 1, 1, 8), 8, reason="x")
        let_win(organizer, tie(section, 1, 4, 5), 5, reason="x")

        boards = set_right(organizer, section)

        assert len(boards) == 1
        assert numbers(section.rounds.get(number=2)) == [{8, 5}, {2, 3}]
        assert len(section.rounds.get(number=2).edits) == 2

    def test_only_officials_who_may_pair_on_what_they_saw_and_with_a_reason(self, organizer, section) -> None:
        let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")
        section.refresh_from_db()
        committee = b.with_role(section.event, Role.Kind.COMMITTEE)

        with pytest.raises(SiteError):
            bracket_repair.set_bracket_right(committee, section.pk, version=section.version, reason="x")
        with pytest.raises(Conflict):
            bracket_repair.set_bracket_right(organizer, section.pk, version=section.version - 1, reason="x")
        with pytest.raises(BadInput):
            bracket_repair.set_bracket_right(organizer, section.pk, version=section.version, reason=" ")

        assert numbers(section.rounds.get(number=2)) == [{1, 4}, {2, 3}]

    def test_a_bracket_that_is_right_is_left_alone(self, organizer, section) -> None:
        with pytest.raises(WrongState):
            set_right(organizer, section)


def test_final_and_third_place_are_set_right_together(organizer) -> None:
    section = knock_out(organizer, 4, third_place=True)
    play(organizer, section)
    b.publish_next(organizer, section)

    let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")
    assert {repair.kind for repair in repairs(section)} == {Kind.REPLACE}
    set_right(organizer, section)

    last = section.rounds.get(number=2)
    assert numbers(last) == [{2, 4}, {1, 3}]
    better_wins(organizer, last)
    table = results.close_section(organizer, section.pk)
    assert [row["number"] for row in table.rows] == [2, 4, 1, 3]


def test_a_draft_is_not_published_before_it_is_set_right(organizer) -> None:
    section = knock_out(organizer, 4)
    play(organizer, section)
    waiting = b.draft(organizer, section)
    let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")

    with pytest.raises(WrongState) as told:
        rounds.publish_round(organizer, waiting.pk)
    assert told.value.code == "bracket-differs"
    set_right(organizer, section)

    assert numbers(rounds.publish_round(organizer, waiting.pk)) == [{2, 4}]


class TestTheNextTieHasBegun:
    @pytest.fixture
    def section(self, organizer: Actor) -> Section:
        """Four players, 1 and 2 in the final, 3 and 4 for the third place; the final is played, 1 won."""
        made = knock_out(organizer, 4, third_place=True)
        play(organizer, made)
        b.publish_next(organizer, made)
        let_win(organizer, tie(made, 2, 1, 2), 1)
        return made

    def test_what_was_played_stands_and_the_arbiter_is_told(self, organizer, section) -> None:
        let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")

        [told] = repairs(section)
        assert told.kind is Kind.STANDS
        assert (seeds_of(section, told.leaving), seeds_of(section, told.coming)) == ([1], [4])
        assert [after.pairing for after in told.after] == [tie(section, 2, 1, 2).pk]
        ties = shown.bracket_rounds(section)
        assert [t.winner.number for t in ties[0] if t.winner] == [1, 2]
        assert [t.is_wrong for t in ties[0]] == [True, False]
        let_win(organizer, tie(section, 2, 3, 4), 3)
        with pytest.raises(WrongState) as refused:
            results.close_section(organizer, section.pk)
        assert refused.value.code == "bracket-differs"

    def test_a_ruling_that_it_stands_settles_it(self, organizer, section) -> None:
        first = let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")
        let_win(organizer, tie(section, 2, 3, 4), 3)
        advances = "w" if first.white.number == 1 else "b"

        matches.decide(organizer, first.pk, advances=advances, version=first.version, reason="final played")

        assert repairs(section) == []
        table = results.close_section(organizer, section.pk)
        assert [row["number"] for row in table.rows] == [1, 2, 3, 4]

    def test_the_other_goes_on_only_after_the_result_is_taken_back(self, organizer, section) -> None:
        first = let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")
        advances = "w" if first.white.number == 4 else "b"
        with pytest.raises(WrongState) as told:
            matches.decide(organizer, first.pk, advances=advances, version=first.version, reason="x")
        assert told.value.code == "played"

        final = tie(section, 2, 1, 2)
        results.record_outcome(
            organizer, final.pk, outcome="UNPLAYED", version=final.version, reason="replay"
        )
        assert {repair.kind for repair in repairs(section)} == {Kind.REPLACE}
        set_right(organizer, section)

        assert numbers(section.rounds.get(number=2)) == [{2, 4}, {1, 3}]

    def test_a_level_correction_needs_a_word_for_who_played_on(self, organizer, section) -> None:
        first = tie(section, 1, 1, 4)
        first = results.record_outcome(
            organizer, first.pk, outcome="DRAW", version=first.version, reason="misread"
        )

        [told] = repairs(section)
        assert (told.kind, told.coming) == (Kind.STANDS, ())
        advances = "w" if first.white.number == 1 else "b"
        matches.decide(organizer, first.pk, advances=advances, version=first.version, reason="blitz")
        assert repairs(section) == []

    def test_games_of_a_match_that_is_not_over_count_as_begun(self, organizer) -> None:
        section = knock_out(organizer, 4, match_rule="WTM_2020", scheme="MICRO12")
        one = b.publish_next(organizer, section)
        for p in one.pairings.select_related("white", "black"):
            outcome = "WHITE" if p.white.number < p.black.number else "BLACK"
            matches.record_stage_games(organizer, p.pk, [outcome], version=0)
        final = b.publish_next(organizer, section).pairings.get()
        matches.record_stage_games(organizer, final.pk, ["DRAW"], version=0)
        semi = tie(section, 1, 1, 4)

        outcome = "WHITE" if semi.white.number == 4 else "BLACK"
        matches.record_stage_games(organizer, semi.pk, [outcome], version=semi.version, reason="misread")

        assert [repair.kind for repair in repairs(section)] == [Kind.STANDS]


def test_a_result_two_rounds_back_stands_through_what_hangs_on_it(organizer) -> None:
    section = knock_out(organizer, 8)
    play(organizer, section)
    play(organizer, section)
    play(organizer, section)

    let_win(organizer, tie(section, 1, 1, 8), 8, reason="misread")
    semi = tie(section, 2, 1, 4)
    results.record_outcome(organizer, semi.pk, outcome="UNPLAYED", version=semi.version, reason="replay")

    # the final has begun with 1, so the semi-final and the quarter-final before it are fixed
    assert {repair.kind for repair in repairs(section)} == {Kind.STANDS}
    final = tie(section, 3, 1, 2)
    results.record_outcome(organizer, final.pk, outcome="UNPLAYED", version=final.version, reason="replay")
    assert {repair.kind for repair in repairs(section)} == {Kind.REPLACE, Kind.WAITS}
    set_right(organizer, section)
    let_win(organizer, tie(section, 2, 8, 4), 8, reason="replayed")
    set_right(organizer, section)
    assert numbers(section.rounds.get(number=3)) == [{2, 8}]
    assert repairs(section) == []


def test_colours_turned_by_a_ruling_keep_who_goes_on(organizer) -> None:
    section = knock_out(organizer, 2)
    pairing = b.publish_next(organizer, section).pairings.get()
    pairing = results.record_outcome(organizer, pairing.pk, outcome="DRAW", version=0)
    pairing = matches.decide(organizer, pairing.pk, advances="w", version=pairing.version, reason="lot")
    went_on = pairing.white_id

    corrections.turn_colours(organizer, pairing.pk, reason="colours were reversed")

    pairing.refresh_from_db()
    assert (pairing.advances, pairing.black_id) == ("b", went_on)


def test_seats_of_a_bracket_are_not_exchanged_by_a_ruling(organizer) -> None:
    section = knock_out(organizer, 4)
    round_ = b.publish_next(organizer, section)
    one, two = round_.pairings.order_by("board")

    with pytest.raises(WrongState):
        corrections.exchange_players(
            organizer, round_.pk, first=one.white_id, second=two.white_id, reason="x"
        )


class TestGroups:
    @pytest.fixture
    def section(self, organizer: Actor) -> Section:
        """Two groups of four, the best two of each in the semi-finals: 1-3 and 2-4."""
        made = b.section(organizer, players=8, format="GROUPS_KNOCKOUT", groups=2, group_places=2)
        Event.objects.update(state=Event.State.OPEN)
        b.draft(organizer, made)
        for round_ in rounds.publish_all_rounds(organizer, made.pk):
            better_wins(organizer, round_)
        b.publish_next(organizer, made)
        return made

    def group_game(self, section: Section, *seeds: int) -> Pairing:
        return next(
            p
            for p in Pairing.objects.filter(
                round__section=section, round__number__lte=3, black__isnull=False
            ).select_related("white", "black")
            if {p.white.number, p.black.number} == set(seeds)
        )

    def test_the_arbiter_is_told_who_would_have_gone_on(self, organizer, section) -> None:
        assert repairs(section) == []

        let_win(organizer, self.group_game(section, 4, 5), 5, reason="misread")

        [told] = repairs(section)
        assert told.kind is Kind.QUALIFIERS
        assert not told.blocks
        assert (seeds_of(section, told.leaving), seeds_of(section, told.coming)) == ([4], [5])
        page = client_of(organizer.user).get(
            f"/desk/sections/{section.pk}/", headers={"accept-language": "en"}
        )
        assert "Nothing of the knock-out is played yet" in page.content.decode()

        better_wins(organizer, section.rounds.get(number=4))
        page = client_of(organizer.user).get(
            f"/desk/sections/{section.pk}/", headers={"accept-language": "en"}
        )
        assert "The knock-out has begun" in page.content.decode()

    def test_another_order_of_the_same_players_is_told_too(self, organizer, section) -> None:
        let_win(organizer, self.group_game(section, 1, 4), 4, reason="misread")

        [told] = repairs(section)
        assert (told.kind, told.leaving, told.coming) == (Kind.QUALIFIERS, (), ())

    def test_a_correction_that_changes_no_place_is_not_told(self, organizer, section) -> None:
        let_win(organizer, self.group_game(section, 1, 8), 8, reason="misread")
        let_win(organizer, self.group_game(section, 1, 8), 1, reason="it was right")

        assert repairs(section) == []


class TestPages:
    @pytest.fixture
    def section(self, organizer: Actor) -> Section:
        made = knock_out(organizer, 4)
        play(organizer, made)
        b.publish_next(organizer, made)
        let_win(organizer, tie(made, 1, 1, 4), 4, reason="misread")
        made.refresh_from_db()
        return made

    @pytest.mark.parametrize(
        ("language", "words"), [("en", "Player 4 belongs there, not Player 1"), ("zh-hans", "Player 4")]
    )
    def test_the_desk_tells_it_and_has_the_press(self, organizer, section, language, words) -> None:
        desk = client_of(organizer.user)
        body = desk.get(
            f"/desk/sections/{section.pk}/rounds/2/results/", headers={"accept-language": language}
        ).content.decode()
        assert words in body
        assert f'action="/desk/sections/{section.pk}/bracket/"' in body

        answer = desk.post(
            f"/desk/sections/{section.pk}/bracket/", {"version": section.version, "reason": "misread"}
        )

        assert answer.status_code == 302
        assert numbers(section.rounds.get(number=2)) == [{2, 4}]
        body = desk.get(f"/desk/sections/{section.pk}/").content.decode()
        assert f'action="/desk/sections/{section.pk}/bracket/"' not in body

    def test_a_refused_press_says_why(self, organizer, section) -> None:
        desk = client_of(organizer.user)
        answer = desk.post(
            f"/desk/sections/{section.pk}/bracket/", {"version": 0, "reason": "x"}, follow=True
        )

        assert "meanwhile" in answer.content.decode()
        assert numbers(section.rounds.get(number=2)) == [{1, 2}]

    def test_the_grid_s_answer_to_the_correction_tells_it(self, organizer, section) -> None:
        first = tie(section, 1, 1, 4)
        desk = client_of(organizer.user)
        was = "WHITE" if first.white.number == 4 else "BLACK"
        now = "BLACK" if was == "WHITE" else "WHITE"
        set_right(organizer, section)

        answer = desk.post(
            f"/desk/pairings/{first.pk}/result/",
            {
                f"outcome-{first.pk}": now, f"was-{first.pk}": was, f"version-{first.pk}": first.version,
                f"confirm-{first.pk}": "1", "reason": "it was right at first",
            },
            headers={"accept-language": "en"},
        )  # fmt: skip

        assert answer.status_code == 200
        assert "Player 1 belongs there, not Player 4" in answer.content.decode()

    def test_the_public_bracket_says_that_it_is_being_settled(self, client, organizer, section) -> None:
        address = f"/e/{section.event.code}/{section.code}/bracket/"
        assert (
            "the arbiter settles" in client.get(address, headers={"accept-language": "en"}).content.decode()
        )

        set_right(organizer, section)

        body = client.get(address, headers={"accept-language": "en"}).content.decode()
        assert "the arbiter settles" not in body
        why = client.get(
            f"/e/{section.event.code}/{section.code}/r/2/why/", headers={"accept-language": "en"}
        ).content.decode()
        assert "Player 4 came in for Player 1 after a corrected result" in why

    def test_the_match_page_confirms_what_stands(self, organizer, section) -> None:
        set_right(organizer, section)
        let_win(organizer, tie(section, 2, 2, 4), 4)
        first = let_win(organizer, tie(section, 1, 1, 4), 1, reason="it was right at first")
        desk = client_of(organizer.user)
        body = desk.get(f"/desk/sections/{section.pk}/", headers={"accept-language": "en"}).content.decode()
        assert "It stands: Player 4 goes on" in body

        advances = "w" if first.white.number == 4 else "b"
        desk.post(
            f"/desk/pairings/{first.pk}/match/",
            {"version": first.version, "advances": advances, "reason": "the final was played"},
        )

        assert repairs(section) == []


@pytest.mark.parametrize("seed", range(8))
def test_however_results_are_corrected_the_bracket_can_be_read_and_set_right(organizer, seed) -> None:
    """Random corrections of random ties at random moments; then the arbiter settles what he is told, and it is closed."""
    random = Random(seed)
    players = random.choice([4, 5, 7, 8])
    section = knock_out(organizer, players, third_place=random.random() < 0.5)
    while True:
        section.refresh_from_db()
        shown.bracket_rounds(section)
        for _correction in range(random.randrange(3)):
            _correct_one(organizer, section, random)
            assert all(len(pair) == 2 for pair in _seats(section))
        _settle(organizer, section, random)
        if _all_played(section):
            break
        b.publish_next(organizer, section)
        _play_some(organizer, section, random)

    table = results.close_section(organizer, section.pk)
    assert sorted(row["number"] for row in table.rows) == list(range(1, players + 1))
    taken = sorted((row["rank"], row["rank_to"]) for row in table.rows)
    assert taken[0] == (1, 1)
    assert taken[1] == (2, 2)
    assert all(taken.count(place) == place[1] - place[0] + 1 for place in taken)


def _seats(section: Section) -> list[set[int]]:
    rows = Pairing.objects.filter(round__section=section, black__isnull=False)
    return [{white, black} for white, black in rows.values_list("white_id", "black_id")]


def _correct_one(organizer: Actor, section: Section, random: Random) -> None:
    rows = list(Pairing.objects.filter(round__section=section, black__isnull=False).order_by("pk"))
    if not rows:
        return
    pairing = random.choice(rows)
    outcome = random.choice(["WHITE", "BLACK", "DRAW", "UNPLAYED", "WHITE_FORFEITS"])
    try:
        results.record_outcome(
            organizer, pairing.pk, outcome=outcome, version=pairing.version, reason="corrected"
        )
    except WrongState as refused:
        assert refused.code == "bracket-differs"


def _play_some(organizer: Actor, section: Section, random: Random) -> None:
    for _open in range(Pairing.objects.filter(round__section=section, outcome="UNPLAYED").count()):
        if random.random() < 0.5:
            _correct_one(organizer, section, random)


def _settle(organizer: Actor, section: Section, random: Random) -> None:
    """What an arbiter does until nothing is left: results that are missing, ties that are level, what he is told."""
    for _step in range(60):
        open_ = [r for r in repairs(section) if r.kind is Kind.REPLACE]
        if open_ and random.random() < 0.7:
            set_right(organizer, section)
            continue
        todo = _missing(section)
        if todo is None and not repairs(section):
            return
        if todo is not None:
            _answer(organizer, section, todo, random)
        for repair in repairs(section):
            if repair.kind is Kind.STANDS:
                _let_stand(organizer, section, repair)
    raise AssertionError(f"not settled: {repairs(section)}")


def _missing(section: Section) -> Pairing | None:
    """The earliest tie without a result, or without anybody who goes on."""
    for pairing in Pairing.objects.filter(round__section=section, black__isnull=False).order_by(
        "round__number", "board"
    ):
        if pairing.outcome == "UNPLAYED" or (pairing.outcome == "DRAW" and not pairing.advances):
            return pairing
    return None


def _answer(organizer: Actor, section: Section, pairing: Pairing, random: Random) -> None:
    stale = [r.meeting.pairing for r in repairs(section) if r.kind is Kind.REPLACE and r.meeting]
    if pairing.pk in stale:
        set_right(organizer, section)
        pairing.refresh_from_db()
    if pairing.outcome == "UNPLAYED":
        outcome = random.choice(["WHITE", "BLACK"])
        results.record_outcome(
            organizer, pairing.pk, outcome=outcome, version=pairing.version, reason="played"
        )
        return
    try:
        matches.decide(
            organizer, pairing.pk, advances=random.choice("wb"), version=pairing.version, reason="lot"
        )
    except WrongState as refused:
        assert refused.code == "played"


def _let_stand(organizer: Actor, section: Section, repair: Repair) -> None:
    assert repair.meeting is not None
    pairing = Pairing.objects.get(pk=repair.meeting.pairing)
    if pairing.outcome == "UNPLAYED":
        return
    advances = "w" if pairing.white_id == repair.leaving[0] else "b"
    matches.decide(organizer, pairing.pk, advances=advances, version=pairing.version, reason="it stands")


def _all_played(section: Section) -> bool:
    if not section.bracket:
        return False
    played = section.rounds.exclude(state=Round.State.OPEN).count()
    return played == (len(section.bracket) - 1).bit_length()


def test_arbiters_may_set_it_right_and_players_may_not(organizer) -> None:
    section = knock_out(organizer, 4)
    play(organizer, section)
    b.publish_next(organizer, section)
    let_win(organizer, tie(section, 1, 1, 4), 4, reason="misread")
    section.refresh_from_db()
    player = b.with_role(section.event, Role.Kind.PLAYER)

    with pytest.raises(NotFound):
        bracket_repair.set_bracket_right(player, section.pk, version=section.version, reason="x")
    arbiter = b.with_role(section.event, Role.Kind.ARBITER)
    bracket_repair.set_bracket_right(arbiter, section.pk, version=section.version, reason="misread")

    assert Entry.objects.filter(white_pairings__round__number=2).count() == 1
    assert numbers(section.rounds.get(number=2)) == [{2, 4}]
