"""The Scheveningen system: the published tables, what every table keeps to, and a section from the draw to the report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from django.urls import reverse

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.errors import WrongState
from tournaments.exports.trf_io import export_trf
from tournaments.formats.scheveningen import schedule, table
from tournaments.models import Pairing, Section
from tournaments.services import entries, results, rounds

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "scheveningen" / "tables.txt"


def published() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    size = 0
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            size = int(line.strip("[]").split(",")[0])
        elif not line.startswith("#"):
            found.setdefault(size, []).append(line)
    return found


def as_text(size: int) -> list[str]:
    return [
        " ".join(f"A{a + 1}-B{b_ + 1}" if white else f"B{b_ + 1}-A{a + 1}" for a, b_, white in meetings)
        for meetings in table(size)
    ]


@pytest.mark.parametrize(("size", "lines"), published().items())
def test_the_boards_are_those_of_the_published_table(size: int, lines: list[str]) -> None:
    assert as_text(size)[: len(lines)] == lines
    assert len(lines) in {size, 3}


@pytest.mark.parametrize("size", range(1, 21))
def test_everyone_meets_everyone_of_the_other_side_with_both_colours(size: int) -> None:
    rounds_ = table(size)

    assert len(rounds_) == size
    assert {(a, b_) for meetings in rounds_ for a, b_, _white in meetings} == {
        (a, b_) for a in range(size) for b_ in range(size)
    }
    whites: Counter[tuple[str, int]] = Counter()
    for meetings in rounds_:
        assert (
            sorted(a for a, _b, _w in meetings) == sorted(b_ for _a, b_, _w in meetings) == list(range(size))
        )
        whites.update(("A", a) if white else ("B", b_) for a, b_, white in meetings)
        of_a = sum(white for _a, _b, white in meetings)
        assert abs(2 * of_a - size) <= (2 if size % 4 == 2 else size % 2)
    for side in "AB":
        assert {whites[side, n] for n in range(size)} <= {size // 2, (size + 1) // 2}


def test_of_unequal_sides_some_of_the_larger_one_rest_in_each_round() -> None:
    drawn = schedule([1, 2, 3], [4, 5])

    rests = [board.white for round_ in drawn for board in round_.boards if board.black is None]
    met = {frozenset((x.white, x.black)) for round_ in drawn for x in round_.boards if x.black is not None}
    assert sorted(rests) == [1, 2, 3]
    assert met == {frozenset((one, other)) for one in (1, 2, 3) for other in (4, 5)}


def clubs(actor, names: str) -> Section:
    section = b.section(actor, format="SCHEVENINGEN", withdrawal="ANNUL", preset="CN_ROUND_ROBIN")
    for number, club in enumerate(names):
        entries.add_entry(
            actor, section.pk, {"name": f"Player {number}", "club": club, "rating": 2300 - number}
        )
    return section


def meetings(section: Section) -> set[frozenset[str]]:
    boards = section.rounds.values_list("pairings__white__player__club", "pairings__black__player__club")
    return {frozenset(pair) for pair in boards}


@pytest.mark.django_db
class TestSection:
    def test_two_clubs_play_each_other_only_and_the_section_runs_to_its_end(self) -> None:
        actor = b.organizer()
        section = clubs(actor, "ABBABA")
        b.draft(actor, section)

        assert section.rounds.count() == 3
        assert meetings(section) == {frozenset("AB")}
        rounds.publish_all_rounds(actor, section.pk)
        section.refresh_from_db()
        assert section.rounds_total == 3
        with pytest.raises(WrongState):
            entries.add_entry(actor, section.pk, {"name": "Late"})
        last = b.entry_list(section)[-1]
        b.enter_all(actor, section.rounds.get(number=1))
        entries.withdraw_entry(actor, last.pk, after_round=1, reason="ill")
        assert Pairing.objects.filter(round__section=section, outcome="VOID").count() == 3
        for round_ in section.rounds.all():
            b.enter_all(actor, round_)
        b.work_all(section)
        results.close_section(actor, section.pk)
        report = export_trf(section).text
        assert "192 CUSTOM_SCHEVENINGEN" in report

    def test_without_two_clubs_the_first_half_of_the_numbers_meets_the_second(self) -> None:
        actor = b.organizer()
        section = b.section(actor, players=4, format="SCHEVENINGEN")
        b.draft(actor, section)

        boards = section.rounds.values_list("pairings__white__number", "pairings__black__number")
        assert {frozenset(pair) for pair in boards} == {
            frozenset((one, other)) for one in (1, 2) for other in (3, 4)
        }

    def test_the_desk_offers_it_and_draws_it(self) -> None:
        actor = b.organizer()
        section = b.section(actor, players=4, format="SCHEVENINGEN")
        client = client_of(actor.user)

        page = client.get(reverse("desk:section_settings", args=[section.pk])).content.decode()
        assert "SCHEVENINGEN" in page
        client.post(reverse("desk:pair", args=[section.pk]))
        b.work_all(section)
        assert section.rounds.filter(state="PAIRED").count() == 2
