"""The options of a Swiss: the lot of round 1, the acceleration, families kept apart, absence, results in grades."""

from __future__ import annotations

import json
import re

import pytest

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments import snapshot
from tournaments.audit import Actor
from tournaments.engine.types import VirtualPoints
from tournaments.errors import WrongState
from tournaments.models import Entry, Event, Section
from tournaments.selectors import grid, proof
from tournaments.services import entries, events, results
from tournaments.services.results import Line

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


class TestSwissOnSolkoff:
    def test_round_1_goes_by_a_lot_and_the_numbers_by_rating(self, organizer) -> None:
        section = b.section(organizer, players=8, ranking="SOLKOFF", tiebreaks=["SOLKOFF"])

        round_ = b.draft(organizer, section)

        order = json.loads(round_.canonical_input)["order"]
        lots = dict(section.entries.values_list("number", "lot_number"))
        assert [e.player.name for e in b.entry_list(section)] == [f"Player {n}" for n in range(1, 9)]
        assert sorted(lots.values()) == list(range(1, 9))
        assert order == sorted(lots, key=lots.__getitem__)
        assert order != sorted(order)
        assert {frozenset((w, x)) for _n, w, x in round_.proposal} == {
            frozenset((order[i], order[i + 4])) for i in range(4)
        }

    def test_the_same_seed_draws_the_same_lot(self, organizer) -> None:
        drawn = []
        for _time in range(2):
            section = b.section(organizer, players=8, ranking="SOLKOFF", tiebreaks=["SOLKOFF"])
            Section.objects.filter(pk=section.pk).update(seed=42)
            drawn.append(json.loads(b.draft(organizer, section).canonical_input)["order"])

        assert drawn[0] == drawn[1]

    def test_the_lot_is_part_of_the_proof(self, organizer) -> None:
        section = b.section(organizer, players=9, ranking="SOLKOFF", tiebreaks=["SOLKOFF"])
        round_ = b.publish_next(organizer, section)
        round_.refresh_from_db()

        assert proof.prove(round_).is_proven


class TestAcceleration:
    @pytest.fixture
    def section(self, organizer) -> Section:
        section = b.section(organizer, players=10, rounds_total=7, acceleration=True)
        Event.objects.update(state=Event.State.OPEN)
        return section

    def test_the_upper_half_has_virtual_points_in_the_first_half(self, organizer, section) -> None:
        b.draft(organizer, section)
        section.refresh_from_db()

        group = frozenset(range(1, 7))  # 2 x ceil(10 / 4)
        assert snapshot.load(section).tournament.virtual_points == (
            VirtualPoints(points=2, first_round=1, last_round=2, players=group),
            VirtualPoints(points=1, first_round=3, last_round=4, players=group),
        )

    def test_the_upper_half_is_paired_within_itself(self, organizer, section) -> None:
        round_ = b.draft(organizer, section)

        assert all((w <= 6) == (x <= 6) for _n, w, x in round_.proposal)

    def test_nobody_changes_group_when_somebody_comes_late(self, organizer, section) -> None:
        b.play_round(organizer, section)
        before = {e.pk for e in section.entries.filter(number__lte=6)}
        entries.add_entry(organizer, section.pk, {"name": "Late", "rating": 2500})
        section.refresh_from_db()

        snap = snapshot.load(section)

        assert {snap.entry_of[n] for n in snap.tournament.virtual_points[0].players} == before

    def test_the_pages_say_so_and_the_standings_do_not_count_it(self, client, organizer, section) -> None:
        round_ = b.publish_next(organizer, section)
        base = f"/e/{section.event.code}/{section.code}"
        for at in (f"{base}/r/1/", f"{base}/info/", f"{base}/r/1/why/"):
            body = client.get(at, headers={"accept-language": "en"}).content.decode()
            assert "the 6 players of the upper half count 2 virtual points" in body
        b.enter_all(organizer, round_)
        b.work_all(section)

        rows = section.standings.get(after_round=1).rows
        assert sorted({row["points"] for row in rows}) == [0, 2]

    def test_it_is_fixed_with_the_first_round(self, organizer, section) -> None:
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            events.update_section(organizer, section.pk, {"acceleration": False})


class TestFamilies:
    def test_relatives_do_not_meet_in_the_first_rounds(self, organizer) -> None:
        section = b.section(organizer, players=8, protect_clubs_rounds=1)
        first, fifth = (section.entries.get(player__name=f"Player {n}") for n in (1, 5))
        for entry in (first, fifth):
            entries.update_entry(organizer, entry.pk, {"family": "Chen"})

        one = b.play_round(organizer, section)

        assert fifth.pk not in {b.board_of(one, first).white_id, b.board_of(one, first).black_id}

    def test_a_declared_family_is_nowhere_in_public(self, client, organizer) -> None:
        section = b.section(organizer, players=2)
        Event.objects.update(state=Event.State.OPEN)
        for entry in section.entries.all():
            entries.update_entry(organizer, entry.pk, {"family": "Secretfamily"})
        base = f"/e/{section.event.code}/{section.code}"

        pages = [
            f"{base}/players/",
            f"{base}/p/{Entry.objects.first().pk}/",
            f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/",
        ]

        answers = [client.get(page) for page in pages]

        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert all("Secretfamily" not in answer.content.decode() for answer in answers)


class TestAbsence:
    def miss(self, organizer, section, round_, entry) -> None:
        board = b.board_of(round_, entry)
        outcome = "WHITE_FORFEITS" if board.white_id == entry.pk else "BLACK_FORFEITS"
        results.record_outcomes(
            organizer, section.pk, [Line(pairing=board.pk, outcome=outcome, version=board.version)]
        )
        b.enter_all(organizer, round_)

    def test_absent_once_sits_out_a_round_and_absent_again_is_out(self, organizer) -> None:
        section = b.section(organizer, players=8, rounds_total=7, drop_absent=True)
        one = b.publish_next(organizer, section)
        entry = b.entry_list(section)[2]
        self.miss(organizer, section, one, entry)

        two = b.play_round(organizer, section)
        assert b.board_of(two, entry).outcome == "ZERO_BYE"
        three = b.publish_next(organizer, section)
        assert b.board_of(three, entry).black_id is not None
        self.miss(organizer, section, three, entry)
        b.play_round(organizer, section)

        entry.refresh_from_db()
        assert (entry.status, entry.withdrawn_after_round) == (Entry.Status.WITHDRAWN, 4)


@pytest.mark.parametrize(
    ("scheme", "score", "grade"),
    [("DELFT4", "3-1", "3-1"), ("GRAD12", "9-1", "9-1"), ("PLUS", "1-1", "1+1-")],
)
def test_a_scheme_offers_its_grades_and_the_page_shows_the_score(
    client, organizer, scheme, score, grade
) -> None:
    section = b.section(organizer, players=4, scheme=scheme)
    Event.objects.update(state=Event.State.OPEN)
    round_ = b.publish_next(organizer, section)
    board = round_.pairings.get(board=1)
    offered, _more = grid.choices(section)
    assert f"DRAW:{grade}" in {choice.value for choice in offered}

    desk = client_of(organizer.user)
    desk.post(
        f"/desk/pairings/{board.pk}/result/",
        {f"outcome-{board.pk}": f"DRAW:{grade}", f"version-{board.pk}": board.version, f"was-{board.pk}": ""},
    )

    board.refresh_from_db()
    assert (board.outcome, board.grade) == ("DRAW", grade)
    base = f"/e/{section.event.code}/{section.code}"
    page = client.get(f"{base}/r/1/").content.decode()
    shown = re.search(r'class="r r1[^>]*><a[^>]*>(\d+)</a></td>\s*<td[^>]*class="r r2[^>]*>(\d+)<', page)
    assert shown is not None and "-".join(shown.groups()) == score
    assert grade in client.get(f"{base}/info/").content.decode()


def test_a_new_section_starts_from_a_ready_system(organizer) -> None:
    event = b.section(organizer).event
    client = client_of(organizer.user)

    body = client.get(f"/desk/events/{event.pk}/sections/new/?system=CN").content.decode()
    plain = client.get(f"/desk/events/{event.pk}/sections/new/").content.decode()

    def box(page: str) -> str:
        return next(part for part in page.split("<input") if 'name="drop_absent"' in part).partition(">")[0]

    assert "checked" in box(body)
    assert "checked" not in box(plain)
