"""What would follow if, for 300 players: the table after a changed result, and the pairings of the next round beside today's."""

from __future__ import annotations

import time
from random import Random

import pytest

from tests import factories as f
from tournaments.engine.types import Outcome
from tournaments.models import Pairing, Section
from tournaments.selectors import whatif

pytestmark = pytest.mark.django_db

PLAYERS = 300


def played(rounds: int) -> Section:
    """Boards by points, as a Swiss has them."""
    section = f.make_section(rounds_total=8, tiebreaks=["SOLKOFF_TRUNC_FULL", "WINS", "DIRECT", "SB"])
    entries = f.make_entries(section, PLAYERS)
    chance, points, met = Random(300), {e.pk: 0 for e in entries}, set()
    for _number in range(rounds):
        order = sorted(entries, key=lambda e: (-points[e.pk], chance.random()))
        boards = []
        while order:
            white = order.pop(0)
            black = next((e for e in order if (white.pk, e.pk) not in met), order[0])
            order.remove(black)
            met |= {(white.pk, black.pk), (black.pk, white.pk)}
            outcome, gain = chance.choice([(Outcome.WHITE, 2), (Outcome.DRAW, 1), (Outcome.BLACK, 0)])
            points[white.pk] += gain
            points[black.pk] += 2 - gain
            boards.append((white, black, outcome))
        f.make_round(section, boards)
    return Section.objects.select_related("event").get(pk=section.pk)


@pytest.mark.parametrize("rounds", [6, 7])
def test_what_if_of_three_hundred_players(rounds: int, capsys: pytest.CaptureFixture[str]) -> None:
    section = played(rounds)
    board = Pairing.objects.filter(round__section=section, outcome="WHITE", round__number=rounds).first()
    assert board is not None
    change = [whatif.SetOutcome(pairing=board.pk, outcome="BLACK")]

    start = time.perf_counter()
    table = whatif.table(section, change)
    tabled = time.perf_counter()
    coming = whatif.next_round(section, change)
    paired = time.perf_counter()

    with capsys.disabled():
        print(f"\n{rounds} rounds: table {tabled - start:.2f} s, both pairings {paired - tabled:.2f} s")
    assert table is not None and len(table.lines) == PLAYERS and table.changed > 0
    assert coming is not None and coming.now is not None and coming.then is not None
