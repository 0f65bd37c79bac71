"""Knock-outs through the services and on the pages: the bracket, byes, ties that are level, places, groups, micro-matches."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.models import Event, Pairing, Role, Round, Section
from tournaments.selectors import matches as shown
from tournaments.services import draft, entries, matches, results, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def numbers(round_: Round) -> list[set[int]]:
    """The pairs of a round by seed, in board order; a bye last and alone."""
    rows = sorted(round_.pairings.select_related("white", "black"), key=lambda p: (p.board == 0, p.board))
    return [{e.number for e in (p.white, p.black) if e is not None} for p in rows]


def win(organizer: Actor, round_: Round, *, upset: bool = False) -> None:
    """The better seed wins every open tie, or the worse one."""
    lines = []
    for p in round_.pairings.filter(outcome="UNPLAYED").select_related("white", "black"):
        white_better = p.white.number < p.black.number
        lines.append(
            results.Line(
                pairing=p.pk, version=p.version, outcome="WHITE" if white_better != upset else "BLACK"
            )
        )
    results.record_outcomes(organizer, round_.section_id, lines)


def test_six_players_two_byes_and_a_match_for_the_third_place(client, organizer) -> None:
    section = b.section(organizer, players=6, format="KNOCKOUT", third_place=True)
    Event.objects.update(state=Event.State.OPEN)

    one = b.publish_next(organizer, section)
    assert numbers(one) == [{4, 5}, {3, 6}, {1}, {2}]
    win(organizer, one)
    two = b.publish_next(organizer, section)
    assert numbers(two) == [{1, 4}, {2, 3}]
    win(organizer, two)
    three = b.publish_next(organizer, section)
    assert numbers(three) == [{1, 2}, {3, 4}]
    win(organizer, three, upset=True)
    table = results.close_section(organizer, section.pk)

    section.refresh_from_db()
    assert section.rounds_total == 3
    assert [(row["number"], row["rank"], row["rank_to"]) for row in table.rows] == [
        (2, 1, 1), (1, 2, 2), (4, 3, 3), (3, 4, 4), (5, 5, 6), (6, 5, 6),
    ]  # fmt: skip
    body = client.get(f"/e/{section.event.code}/{section.code}/bracket/").content.decode()
    assert len(re.findall(r'<div class="duel[" ]', body)) == 8
    assert re.search(r'<p class="win"><span>2</span><a[^>]*>Player 2</a>', body)


def test_a_level_tie_waits_for_whoever_goes_on(organizer) -> None:
    section = b.section(organizer, players=4, format="KNOCKOUT")
    one = b.publish_next(organizer, section)
    first, second = one.pairings.order_by("board")
    results.record_outcome(organizer, second.pk, outcome="WHITE", version=0)
    level = results.record_outcome(organizer, first.pk, outcome="DRAW", version=0)

    with pytest.raises(WrongState) as told:
        rounds.request_pairing(organizer, section.pk)
    assert told.value.code == "ties-undecided"
    with pytest.raises(BadInput):
        matches.decide(organizer, level.pk, advances="b", version=level.version, reason=" ")
    matches.decide(organizer, level.pk, advances="b", version=level.version, reason="blitz 1-0")

    two = b.draft(organizer, section)
    seats = {pk for pair in two.pairings.values_list("white_id", "black_id") for pk in pair}
    assert seats == {first.black_id, second.white_id}


def test_a_corrected_result_asks_again_who_goes_on(organizer) -> None:
    section = b.section(organizer, players=2, format="KNOCKOUT")
    pairing = b.publish_next(organizer, section).pairings.get()
    pairing = results.record_outcome(organizer, pairing.pk, outcome="DRAW", version=0)
    pairing = matches.decide(organizer, pairing.pk, advances="w", version=pairing.version, reason="lot")

    results.record_outcome(organizer, pairing.pk, outcome="BOTH_LOSE", version=pairing.version)

    assert Pairing.objects.get().advances == ""


def test_only_those_with_a_role_decide_and_only_on_what_they_saw(organizer) -> None:
    section = b.section(organizer, players=2, format="KNOCKOUT")
    pairing = b.publish_next(organizer, section).pairings.get()
    results.record_outcome(organizer, pairing.pk, outcome="DRAW", version=0)

    with pytest.raises(NotFound):
        stranger = b.with_role(section.event, Role.Kind.PLAYER)
        matches.decide(stranger, pairing.pk, advances="w", version=1, reason="x")
    with pytest.raises(Conflict):
        matches.decide(organizer, pairing.pk, advances="w", version=0, reason="x")

    assert Pairing.objects.get().advances == ""


def test_the_bracket_is_not_changed_by_hand_but_colours_are(organizer) -> None:
    section = b.section(organizer, players=4, format="KNOCKOUT")
    round_ = b.draft(organizer, section)
    section.refresh_from_db()
    one, two = round_.pairings.order_by("board")

    with pytest.raises(WrongState):
        draft.swap(
            organizer, round_.pk, first=one.white_id, second=two.white_id, version=section.version, reason="x"
        )
    draft.set_board(
        organizer, round_.pk, white=one.black_id, black=one.white_id, version=section.version, reason="x"
    )

    assert round_.pairings.get(board=1).white_id == one.black_id


def test_nobody_enters_once_the_bracket_is_drawn_and_a_discarded_draw_is_forgotten(organizer) -> None:
    section = b.section(organizer, players=3, format="KNOCKOUT")
    b.draft(organizer, section)
    with pytest.raises(WrongState):
        entries.add_entry(organizer, section.pk, {"name": "Late"})
    rounds.discard_draft(organizer, section.pk)
    entries.add_entry(organizer, section.pk, {"name": "In time", "rating": 2500})

    again = b.draft(organizer, section)

    assert numbers(again) == [{1, 4}, {2, 3}]


def test_groups_then_a_knock_out(client, organizer) -> None:
    section = b.section(organizer, players=8, format="GROUPS_KNOCKOUT", groups=2, group_places=2)
    Event.objects.update(state=Event.State.OPEN)
    b.draft(organizer, section)
    drawn = rounds.publish_all_rounds(organizer, section.pk)
    assert [len(numbers(r)) for r in drawn] == [4, 4, 4]
    assert dict(section.entries.values_list("number", "group")) == {
        1: 1, 4: 1, 5: 1, 8: 1, 2: 2, 3: 2, 6: 2, 7: 2,
    }  # fmt: skip
    for round_ in drawn:
        win(organizer, round_)

    semi = b.publish_next(organizer, section)
    assert (semi.number, numbers(semi)) == (4, [{1, 3}, {2, 4}])
    win(organizer, semi)
    final = b.publish_next(organizer, section)
    win(organizer, final)
    table = results.close_section(organizer, section.pk)

    assert [(row["number"], row["rank"], row["rank_to"]) for row in table.rows] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 3, 4), (5, 5, 6), (6, 5, 6), (7, 7, 8), (8, 7, 8),
    ]  # fmt: skip
    page = client.get(
        f"/e/{section.event.code}/{section.code}/bracket/", headers={"accept-language": "en"}
    ).content.decode()
    assert "Group 2" in page
    assert len(re.findall(r'<div class="duel[" ]', page)) == 3


class TestMicroMatch:
    @pytest.fixture
    def pairing(self, organizer) -> Pairing:
        section = b.section(organizer, players=2, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
        Event.objects.update(state=Event.State.OPEN)
        return b.publish_next(organizer, section).pairings.get()

    @pytest.mark.parametrize(
        ("games", "outcome", "grade", "winner"),
        [
            (["WHITE"], "WHITE", "", "white"),
            (["DRAW", "WHITE"], "BLACK", "4-8", "black"),
            (["DRAW", "DRAW", "WHITE"], "WHITE", "7-5", "white"),
            (["DRAW", "DRAW", "DRAW"], "DRAW", "", None),
            (["DRAW"], "UNPLAYED", "", None),
        ],
    )
    def test_the_stage_that_decides_gives_the_score(
        self, organizer, pairing, games, outcome, grade, winner
    ) -> None:
        found = matches.record_stage_games(organizer, pairing.pk, games, version=0)

        assert (found.outcome, found.grade) == (outcome, grade)
        match = shown.match_of(found.round.section, found)
        assert match.winner == (getattr(found, winner) if winner else None)
        assert len(match.games) == len(games)

    def test_no_game_comes_after_the_end(self, organizer, pairing) -> None:
        with pytest.raises(BadInput):
            matches.record_stage_games(organizer, pairing.pk, ["WHITE", "WHITE"], version=0)

        assert not pairing.match_games.exists()

    def test_the_desk_and_the_public_page_show_the_games(self, client, organizer, pairing) -> None:
        desk = client_of(organizer.user)
        at = f"/desk/pairings/{pairing.pk}/match/"
        assert desk.post(at, {"version": 0, "game": ["DRAW"]}).status_code == 302
        page = desk.get(at).content.decode()
        assert "rapid" in page
        assert desk.post(at, {"version": 1, "game": ["DRAW", "BLACK"]}).status_code == 302

        pairing.refresh_from_db()
        assert (pairing.outcome, pairing.grade) == ("WHITE", "8-4")
        base = f"/e/{pairing.round.section.event.code}/{pairing.round.section.code}"
        body = client.get(f"{base}/r/1/match/1/", headers={"accept-language": "en"}).content.decode()
        assert "(8-4)" in body
        assert "classical" in body


def test_the_match_page_decides_a_level_tie(organizer) -> None:
    section = b.section(organizer, players=2, format="KNOCKOUT")
    pairing = b.publish_next(organizer, section).pairings.get()
    results.record_outcome(organizer, pairing.pk, outcome="DRAW", version=0)
    desk = client_of(organizer.user)
    grid = desk.get(f"/desk/sections/{section.pk}/rounds/1/results/").content.decode()
    assert "Say who goes on" in grid

    answer = desk.post(
        f"/desk/pairings/{pairing.pk}/match/", {"version": 1, "advances": "b", "reason": "drawing of lots"}
    )

    assert answer.status_code == 302
    pairing.refresh_from_db()
    assert pairing.advances == "b"


def test_the_bracket_costs_the_same_for_few_and_for_many(client, organizer) -> None:
    counts = set()
    for players in (4, 16):
        section = b.section(organizer, players=players, format="KNOCKOUT", third_place=True)
        Event.objects.update(state=Event.State.OPEN)
        win(organizer, b.publish_next(organizer, section))
        for page in ("bracket/", "r/1/match/1/"):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(f"/e/{section.event.code}/{section.code}/{page}").status_code == 200
            counts.add((page, len(captured)))

    assert len(counts) == 2


class TestEqualPlacesInAGroup:
    """Two groups of three in which everybody beats the next: nothing but the lot can order them."""

    @pytest.fixture
    def section(self, organizer: Actor) -> Section:
        made = b.section(
            organizer, players=6, format="GROUPS_KNOCKOUT", groups=2, group_places=1, tiebreaks=["WINS"]
        )
        Event.objects.update(state=Event.State.OPEN)
        b.draft(organizer, made)
        for round_ in rounds.publish_all_rounds(organizer, made.pk):
            for p in round_.pairings.filter(outcome="UNPLAYED"):
                results.record_outcome(organizer, p.pk, outcome="DRAW", version=p.version)
        b.work_all(made)
        return made

    @pytest.mark.parametrize(
        ("language", "words"), [("en", "the lot of the section decided"), ("zh-hans", "由本组抽签决定")]
    )
    @pytest.mark.parametrize("page", ["bracket", "standings"])
    def test_the_pages_say_that_the_lot_settled_them(self, client, section, page, language, words) -> None:
        address = f"/e/{section.event.code}/{section.code}/{page}/"

        body = client.get(address, headers={"accept-language": language}).content.decode()

        assert words in body
        assert str(section.seed) in body

    def test_places_that_results_settle_are_not_called_a_lot(self, client, organizer, section) -> None:
        for p in Pairing.objects.filter(round__section=section, black__isnull=False).select_related(
            "white", "black", "round"
        ):
            better = "WHITE" if p.white.number < p.black.number else "BLACK"
            results.record_outcome(organizer, p.pk, outcome=better, version=p.version, reason="x")
        b.work_all(section)

        assert not any(row.by_lot for rows in shown.groups(section) for row in rows)
        for page in ("bracket", "standings"):
            address = f"/e/{section.event.code}/{section.code}/{page}/"
            body = client.get(address, headers={"accept-language": "en"}).content.decode()
            assert "the lot of the section decided" not in body
