"""Fills an empty site with sections of a size and keeps a result changing: run by the benchmark of served pages.

``python -m tests.benchmarks.served_site fill 23 200`` prints the addresses; ``... write SECONDS`` changes results.
"""

from __future__ import annotations

import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tests import factories  # noqa: E402
from tests.tournaments import builders, crowd  # noqa: E402
from tournaments.audit import Actor  # noqa: E402
from tournaments.models import Event, Pairing, Section, User  # noqa: E402
from tournaments.services import results  # noqa: E402

OUTCOMES = ("WHITE", "DRAW", "BLACK", "WHITE", "DRAW")


def fill(sizes: list[int]) -> None:
    """An event with a section of each size, four rounds played and a fifth under way."""
    organizer = Actor(user=User.objects.create(username="bench", is_staff=True))
    event = Event.objects.create(code="bench", name="Bench", state=Event.State.OPEN)
    factories.make_role(organizer.user, event)  # type: ignore[arg-type]
    for size in sizes:
        section = factories.make_section(event, code=f"s{size}", name=f"{size} players", rounds_total=9)
        entries = crowd.enter(section, size)
        for _round in range(4):
            crowd.publish(section, entries[: size // 2 * 2], outcomes=OUTCOMES)
        crowd.publish(section, entries[: size // 2 * 2])
        for number in range(1, 6):
            factories.make_standings(section, after_round=number)
        for page in ("r/5/", "standings/", "cross/"):
            print(f"/e/bench/s{size}/{page}")


def write(seconds: int) -> None:
    """A result of every section changes each two seconds, and its table follows."""
    organizer = Actor(user=User.objects.get(username="bench"))
    end = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < end:
        turn += 1
        for section in Section.objects.filter(event__code="bench"):
            board = Pairing.objects.filter(round__section=section, round__number=5).order_by("board")[
                turn % 10
            ]
            outcome = OUTCOMES[turn % 3]
            results.record_outcome(organizer, board.pk, outcome=outcome, version=board.version)
            builders.work_all(section)
        time.sleep(2)


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill([int(size) for size in sys.argv[2:]])
    else:
        write(int(sys.argv[2]))
