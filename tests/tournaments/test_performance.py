"""The performance on a player's page: the mean of the opponents' ratings, more for a win, less for a loss."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.conftest import Caller, at
from tests.tournaments import builders as b
from tournaments.engine.types import Colour, Outcome
from tournaments.models import Entry, Event, Pairing, Player, Round
from tournaments.selectors.people import Performance, Step, performance
from tournaments.selectors.points import Line


def step(outcome: Outcome, rating: int, *, colour: Colour = Colour.WHITE) -> Step:
    line = Line(
        round=1, board=1, white=1, black=2, outcome=outcome, grade="", white_points=0, black_points=0
    )  # fmt: skip
    opponent = Entry(player=Player(rating=rating))
    return Step(round=Round(number=1), line=line, opponent=opponent, colour=colour, took=0, total=0)


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([], None),
        ([step(Outcome.WHITE, 2000)], (2500, 1)),
        ([step(Outcome.WHITE, 2000, colour=Colour.BLACK)], (1500, 1)),
        ([step(Outcome.WHITE, 2000), step(Outcome.BLACK, 2101), step(Outcome.DRAW, 1900)], (2000, 3)),
        ([step(Outcome.DRAW, 2000), step(Outcome.DRAW, 2001)], (2001, 2)),
        ([step(Outcome.BOTH_LOSE, 2000)], (1500, 1)),
        ([step(Outcome.WHITE, 0), step(Outcome.BLACK_FORFEITS, 2000), step(Outcome.UNPLAYED, 2000)], None),
        ([step(Outcome.VOID, 2000), step(Outcome.DRAW, 1800)], (1800, 1)),
    ],
)
def test_only_games_against_rated_opponents_count(steps: list[Step], found: tuple[int, int] | None) -> None:
    expected = Performance(rating=found[0], games=found[1]) if found else None

    assert performance(steps) == expected


@pytest.mark.django_db
def test_the_page_and_the_interface_tell_it() -> None:
    organizer = b.organizer()
    section = b.section(organizer, players=4, rounds_total=3)
    Event.objects.update(state=Event.State.OPEN)
    section.refresh_from_db()
    anybody = Client(headers={"accept-language": "en"})
    round_ = b.publish_next(organizer, section)
    board = Pairing.objects.select_related("white__player", "black__player").get(round=round_, board=1)
    page = f"/e/{section.event.code}/{section.code}/p/{board.white_id}/"
    assert "Performance" not in anybody.get(page).content.decode()

    b.enter_all(organizer, round_, "WHITE")

    assert board.black is not None
    worth = board.black.player.rating + 500
    body = " ".join(anybody.get(page).content.decode().split())
    assert f"<dd>{worth}</dd>" in body
    assert "Performance: 1 game with a rated opponent" in body
    assert "data-star hidden" in body
    assert Caller().get(at(section, f"entries/{board.white_id}/"))["performance"] == worth
