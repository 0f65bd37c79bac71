"""The lists of a section: what each column says, and the same points everywhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from tests import factories
from tournaments.engine.types import Outcome
from tournaments.exports import lists, results_book
from tournaments.exports.sheets import Sheet, to_csv
from tournaments.importers.entry_list import preview_entries
from tournaments.models import Entry, Round, Section
from tournaments.selectors import public, tables
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table

pytestmark = pytest.mark.django_db


def opened(section: Section) -> tuple[Ledger, Table | None]:
    book = public.ledger(section)
    edition = tables.chosen(tables.editions(section), after=None, standing_round=book.last_round)
    return book, tables.table(edition, book) if edition else None


def column(sheet: Sheet, title: str) -> list[Any]:
    return [row[sheet.header.index(title)] for row in sheet.rows]


@pytest.fixture
def section() -> Section:
    """Seven players: round 1 with every kind of result, round 2 open, round 3 a draft."""
    section = factories.make_section(name="公开组")
    e = factories.make_entries(section, 7)
    factories.make_round(
        section,
        [
            (e[0], e[3], Outcome.WHITE),
            (e[4], e[1], Outcome.DRAW),
            (e[2], e[5], Outcome.WHITE_FORFEITS),
            (e[6], None, Outcome.BYE),
        ],
    )
    factories.make_round(
        section, [(e[6], e[0], Outcome.UNPLAYED), (e[5], e[1], Outcome.BLACK), (e[3], None, Outcome.HALF_BYE)]
    )
    factories.make_standings(section, after_round=1)
    factories.make_standings(section, after_round=2)
    factories.make_round(section, [(e[0], e[1], Outcome.UNPLAYED)], state=Round.State.PAIRED)
    return section


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def test_the_players_in_order_of_their_numbers(section: Section) -> None:
    sheet = lists.players(opened(section)[0])

    assert column(sheet, "pairing number") == [1, 2, 3, 4, 5, 6, 7]
    assert column(sheet, "name")[:2] == ["张伟", "王芳"]
    assert column(sheet, "rating")[:2] == [2390, 2380]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_list_of_players_can_be_entered_again(section: Section, language: str) -> None:
    with translation.override(language):
        sheet = lists.players(opened(section)[0])

    preview = preview_entries(to_csv(sheet))

    assert preview.problems == ()
    people = [entry.player for entry in section.entries.order_by("number")]
    assert [(r.name, r.latin_name, r.rating, r.club, r.federation) for r in preview.rows] == [
        (p.name, p.latin_name, p.rating, p.club, p.federation) for p in people
    ]


def test_numbers_drawn_for_a_draft_are_in_no_list() -> None:
    section = factories.make_section()
    entries = factories.make_entries(section, 4)
    factories.make_round(section, factories.draw(entries, 1), state=Round.State.PAIRED)

    assert column(lists.players(opened(section)[0]), "pairing number") == [None] * 4


def test_the_boards_of_a_round(section: Section) -> None:
    sheet = lists.pairings(opened(section)[0], 1)

    assert column(sheet, "board") == [1, 2, 3, None]
    assert column(sheet, "White: number") == [1, 5, 3, 7]
    assert column(sheet, "Black: number") == [4, 2, 6, None]
    assert column(sheet, "White: points") == [2, 1, 0, 2]
    assert column(sheet, "Black: points") == [0, 1, 2, None]
    assert column(sheet, "result") == ["White won", "draw", "White forfeits", "bye"]


def test_an_open_board_has_points_before_and_no_result(section: Section) -> None:
    sheet = lists.pairings(opened(section)[0], 2)

    assert column(sheet, "White: points before")[:2] == [2, 2]
    assert column(sheet, "Black: points before")[:2] == [2, 1]
    assert column(sheet, "White: points")[:2] == [None, 0]
    assert column(sheet, "result") == ["", "Black won", "half-point bye", "not paired", "not paired"]
    assert column(sheet, "White: number")[2:] == [4, 3, 5]


def test_all_results_are_in_one_list(section: Section) -> None:
    assert column(lists.results(opened(section)[0]), "round") == [1] * 4 + [2] * 5


def test_the_table_has_places_points_and_tie_breaks(section: Section) -> None:
    book, table = opened(section)
    assert table is not None

    sheet = lists.standings(table)

    assert column(sheet, "points") == [row.points for row in table.rows]
    assert dict(zip(column(sheet, "pairing number"), column(sheet, "points"), strict=True)) == {
        book.entries[pk].number: points for pk, points in book.points_after(2).items()
    }
    assert sheet.header[8:11] == ("Median Solkoff", "Solkoff", "Wins")
    assert lists.standings(table, is_narrow=True).header[8:11] == ("Med.", "Solk.", "Wins")


def test_points_given_by_a_ruling_have_a_column(section: Section) -> None:
    factories.make_adjustment(section.entries.get(number=1), points=-1, after_round=1)
    section.standings.all().delete()
    factories.make_standings(section, after_round=2)
    _book, table = opened(section)
    assert table is not None

    sheet = lists.standings(table)

    assert (
        dict(zip(column(sheet, "pairing number"), column(sheet, "of these by rulings"), strict=True))[1] == -1
    )


@pytest.mark.parametrize(
    ("stored", "cell"), [(7, 7), ("7/2", "3.50"), ([27, 24], "27; 24"), (None, ""), ("7", "7")]
)
def test_tie_break_values_as_they_are_stored(stored: Any, cell: Any) -> None:
    content = to_csv(Sheet(name="x", header=("a",), rows=((lists.tiebreak_cell(stored),),)))

    assert content.decode("utf-8-sig").splitlines()[1:] == [str(cell)] or cell == ""


def test_a_swiss_cross_table_names_opponent_colour_and_points(section: Section) -> None:
    book, table = opened(section)

    sheet = lists.cross(book, results_book.row_order(table))
    rows = {row[1]: row for row in sheet.rows}

    assert rows[1][4:] == ("4w2", "7b", 2)
    assert rows[5][4:] == ("2w1", "", 1)
    assert rows[3][4:] == ("6w-", "", 0)
    assert rows[6][4:] == ("3b+", "2w0", 2)
    assert rows[7][4:] == ("bye", "1w", 2)
    assert rows[4][4:] == ("1b0", "half-point bye", 1)
    assert column(sheet, "pairing number") == [row.entry.number for row in table.rows] if table else False


def test_a_round_robin_cross_table_is_a_square() -> None:
    section = factories.make_section(format=Section.Format.DOUBLE_ROUND_ROBIN)
    a, b, c = factories.make_entries(section, 3)
    factories.make_round(section, [(a, b, Outcome.WHITE), (c, None, Outcome.BYE)])
    factories.make_round(section, [(b, a, Outcome.DRAW), (c, None, Outcome.BYE)])
    factories.make_round(section, [(a, c, Outcome.BLACK_FORFEITS), (b, None, Outcome.BYE)])

    sheet = lists.cross(opened(section)[0], {})

    assert [row[4:7] for row in sheet.rows] == [("×", "2 1", "+"), ("0 1", "×", ""), ("-", "", "×")]


def test_the_results_book_has_table_cross_table_every_public_round_and_the_players(section: Section) -> None:
    book, table = opened(section)

    names = [sheet.name for sheet in results_book.sheets(book, table)]
    document = results_book.document(book, table)

    assert names == ["Standings after round 2", "Cross table", "Round 1", "Round 2", "Players"]
    assert [part.title for part in document.parts] == names[:-1]
    assert document.stamp == "Standings after round 2"
    assert document.parts[2].rows[0] == ("1", "1 张伟 (上海)", "[0]", "2-0", "4 欧阳修 (上海)", "[0]")
    assert document.parts[2].notes == ("7 Jürgen Müller: bye",)


def test_a_final_table_says_so(section: Section) -> None:
    section.standings.all().delete()
    factories.make_standings(section, after_round=2, final=True)

    assert results_book.document(*opened(section)).stamp == "Final standings"


def test_a_long_event_is_printed_across(section: Section) -> None:
    entries = list(section.entries.order_by("number"))
    section.rounds.filter(number=3).delete()
    for number in range(3, 12):
        factories.make_round(section, [(entries[0], entries[1], Outcome.DRAW)], number=number)

    assert results_book.document(*opened(section)).landscape
    assert not results_book.document(*opened(factories.make_section(section.event, code="b"))).landscape


def test_a_withdrawn_player_is_marked(section: Section) -> None:
    entry = section.entries.get(number=6)
    entry.status, entry.withdrawn_after_round = Entry.Status.WITHDRAWN, 2
    entry.save()

    sheet = lists.players(opened(section)[0])

    assert column(sheet, "status") == ["", "", "", "", "", "withdrawn", ""]
