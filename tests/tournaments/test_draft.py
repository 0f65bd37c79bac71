"""Hand changes to a draft: whatever the arbiter does, every player keeps exactly one seat."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments import builders as b
from tests.tournaments import rows
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.models import AuditEntry, Entry, ForbiddenPair, Pairing, Role, Round, Section
from tournaments.selectors import draft_checks
from tournaments.services import draft, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer) -> Section:
    return b.section(organizer, players=6)


@pytest.fixture
def round_(organizer, section) -> Round:
    return b.draft(organizer, section)


def version(round_: Round) -> int:
    return Section.objects.values_list("version", flat=True).get(pk=round_.section_id)


def seats(round_: Round) -> list[tuple[int, int | None]]:
    return rows.boards(round_)


class TestChanges:
    def test_a_swap_exchanges_two_seats_and_nothing_else(self, organizer, round_) -> None:
        (a, x), (c, y), rest = seats(round_)

        draft.swap(organizer, round_.pk, first=a, second=y, version=version(round_), reason="asked")

        assert seats(round_) == [(y, x), (c, a), rest]

    def test_swapping_opponents_turns_the_colours(self, organizer, round_) -> None:
        (a, x), *rest = seats(round_)

        draft.swap(organizer, round_.pk, first=a, second=x, version=version(round_), reason="")

        assert seats(round_) == [(x, a), *rest]

    def test_a_board_is_set_and_those_left_meet(self, organizer, round_) -> None:
        (a, x), (c, y), rest = seats(round_)

        draft.set_board(organizer, round_.pk, white=y, black=a, version=version(round_), reason="")

        assert {frozenset(s) for s in seats(round_)} == {
            frozenset((y, a)), frozenset((x, c)), frozenset(rest)
        }  # fmt: skip
        assert (y, a) in seats(round_)

    def test_a_bye_with_an_even_number_frees_the_opponent_too(self, organizer, round_) -> None:
        (a, x), second, third = seats(round_)

        draft.give_bye(organizer, round_.pk, entry=a, version=version(round_), reason="")

        assert seats(round_) == [(a, None), (x, None), second, third] or sorted(
            seats(round_), key=str
        ) == sorted([(a, None), (x, None), second, third], key=str)
        assert round_.pairings.filter(outcome="BYE", board=0).count() == 2

    def test_a_bye_with_an_odd_number_passes_from_hand_to_hand(self, organizer) -> None:
        round_ = b.draft(organizer, b.section(organizer, players=5))
        holder = round_.pairings.get(black=None).white_id
        board = round_.pairings.get(board=1)

        draft.give_bye(organizer, round_.pk, entry=board.black_id, version=version(round_), reason="")

        assert round_.pairings.get(black=None).white_id == board.black_id
        assert (board.white_id, holder) in seats(round_)

    def test_what_the_change_breaks_is_told_and_kept(self, organizer, section, round_) -> None:
        rounds.publish_round(organizer, round_.pk)
        b.enter_all(organizer, round_, "DRAW")
        second = b.draft(organizer, section)
        board = round_.pairings.get(board=1)

        found = draft.set_board(
            organizer,
            second.pk,
            white=board.black_id,
            black=board.white_id,
            version=version(second),
            reason="x",
        )

        assert ("repeat", (board.black_id, board.white_id), "1") in [
            (w.kind, w.entries, w.detail) for w in found
        ]
        second.refresh_from_db()
        assert second.edits[0]["verb"] == "set"
        assert second.edits[0]["warnings"][0]["kind"] == "repeat"
        assert [w.kind for w in draft_checks.warnings_of(second)] == [w.kind for w in found]

    def test_the_engines_boards_and_the_arbiters_are_told_apart(self, organizer, round_) -> None:
        (a, x), *_rest = seats(round_)
        number_of = dict(Entry.objects.values_list("pk", "number"))

        draft.swap(organizer, round_.pk, first=a, second=x, version=version(round_), reason="")

        assert draft_checks.differences(round_) == [
            {"side": "engine", "white": number_of[a], "black": number_of[x]},
            {"side": "arbiter", "white": number_of[x], "black": number_of[a]},
        ]

    def test_every_change_is_logged_with_its_reason(self, organizer, round_) -> None:
        (a, x), *_rest = seats(round_)

        draft.swap(organizer, round_.pk, first=a, second=x, version=version(round_), reason="colour due")

        line = AuditEntry.objects.get(action="draft-swap")
        assert (line.reason, line.after["entries"]) == ("colour due", [a, x])


class TestRefusals:
    def test_a_stale_draft_is_told(self, organizer, round_) -> None:
        (a, x), *_rest = before = seats(round_)
        stale = version(round_)
        draft.swap(organizer, round_.pk, first=a, second=x, version=stale, reason="")
        after = seats(round_)

        with pytest.raises(Conflict):
            draft.swap(organizer, round_.pk, first=a, second=x, version=stale, reason="")

        assert seats(round_) == after != before

    def test_a_published_round_is_not_changed_by_hand(self, organizer, round_) -> None:
        (a, x), *_rest = before = seats(round_)
        rounds.publish_round(organizer, round_.pk)

        with pytest.raises(WrongState):
            draft.swap(organizer, round_.pk, first=a, second=x, version=version(round_), reason="")

        assert seats(round_) == before

    def test_nobody_is_exchanged_with_himself_or_with_somebody_absent(self, organizer, round_) -> None:
        before = seats(round_)
        a = before[0][0]

        for other in (a, 987654321):
            with pytest.raises(BadInput):
                draft.swap(organizer, round_.pk, first=a, second=other, version=version(round_), reason="")

        assert seats(round_) == before

    def test_strangers_find_no_draft(self, round_) -> None:
        (a, x), *_rest = before = seats(round_)

        for actor in (Actor(), b.organizer(), b.with_role(round_.section.event, Role.Kind.PLAYER)):
            with pytest.raises(NotFound):
                draft.swap(actor, round_.pk, first=a, second=x, version=version(round_), reason="")

        assert seats(round_) == before


class TestForbidding:
    def test_of_two_players_of_the_section_in_rounds_in_order(self, organizer, section) -> None:
        a, c, *_rest = section.entries.all()
        stranger = b.section(organizer, players=1).entries.get()

        for wrong in (
            {"first": a.pk, "second": a.pk},
            {"first": a.pk, "second": stranger.pk},
            {"first": a.pk, "second": c.pk, "first_round": 3, "last_round": 2},
        ):
            with pytest.raises(BadInput):
                draft.forbid_pair(organizer, section.pk, **wrong)

        assert not ForbiddenPair.objects.exists()

    def test_a_lifted_ban_is_logged(self, organizer, section) -> None:
        a, c, *_rest = section.entries.all()
        pair = draft.forbid_pair(organizer, section.pk, first=a.pk, second=c.pk, reason="brothers")

        draft.allow_pair(organizer, pair.pk)

        assert not ForbiddenPair.objects.exists()
        assert AuditEntry.objects.get(action="allow-pair").before == {"entries": [a.pk, c.pk]}

    def test_committee_members_forbid_nothing(self, section) -> None:
        a, c, *_rest = section.entries.all()

        with pytest.raises((NotAllowed, NotFound)):
            draft.forbid_pair(
                b.with_role(section.event, Role.Kind.COMMITTEE), section.pk, first=a.pk, second=c.pk
            )

        assert not ForbiddenPair.objects.exists()


CHANGES = st.lists(
    st.tuples(st.sampled_from(["swap", "set", "bye"]), st.integers(0, 99), st.integers(0, 99)), max_size=6
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(players=st.integers(2, 9), absent=st.integers(0, 2), seed=st.integers(0, 2**20), changes=CHANGES)
def test_any_changes_keep_every_player_seated_exactly_once(organizer, players, absent, seed, changes) -> None:
    round_ = drawn_by_lot(players=players + absent, absent=absent, seed=seed)
    before = b.seated(round_)

    for verb, one, other in changes:
        change(organizer, round_, verb, one, other)

        assert b.seated(round_) == before
        board_numbers = list(round_.pairings.filter(board__gt=0).values_list("board", flat=True))
        assert sorted(board_numbers) == list(range(1, len(board_numbers) + 1))
        assert round_.pairings.filter(outcome="ZERO_BYE").count() == absent


def drawn_by_lot(*, players: int, absent: int, seed: int) -> Round:
    """A draft with a random draw, the first `absent` entries away."""
    round_ = rows.round_of(players=players, state=Round.State.PAIRED)
    entries = list(round_.section.entries.values_list("pk", flat=True))
    away, playing = entries[:absent], entries[absent:]
    Random(seed).shuffle(playing)
    boards = list(zip(playing[::2], playing[1::2], strict=False))
    Pairing.objects.bulk_create(
        [Pairing(round=round_, board=n, white_id=w, black_id=x) for n, (w, x) in enumerate(boards, start=1)]
        + [Pairing(round=round_, board=0, white_id=playing[-1], outcome="BYE")] * (len(playing) % 2)
        + [Pairing(round=round_, board=0, white_id=pk, outcome="ZERO_BYE") for pk in away]
    )
    return round_


def change(organizer: Actor, round_: Round, verb: str, one: int, other: int) -> None:
    Role.objects.get_or_create(event=round_.section.event, user=organizer.user, kind=Role.Kind.CHIEF_ARBITER)
    playing = b.seated_by_engine(round_)
    first, second = playing[one % len(playing)], playing[other % len(playing)]
    at = {"version": version(round_), "reason": ""}
    if verb == "bye":
        draft.give_bye(organizer, round_.pk, entry=first, **at)
    elif first != second and verb == "swap":
        draft.swap(organizer, round_.pk, first=first, second=second, **at)
    elif first != second:
        draft.set_board(organizer, round_.pk, white=first, black=second, **at)
