"""What a public page costs: queries, time and size with 100 and 1,000 players, after 3 rounds and after 11.

The table is printed; asserted is only that the queries do not depend on players or rounds.
"""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.tournaments import public_addresses
from tournaments.models import Pairing, Round, Section

OUTCOMES = ("WHITE", "DRAW", "BLACK")
SIZES = ((100, 3), (100, 11), (1000, 3), (1000, 11))


def played(players: int, rounds: int) -> Section:
    section = f.make_section(rounds_total=11)
    entries = f.make_entries(section, players)
    for number in range(1, rounds + 1):
        round_ = Round.objects.create(section=section, number=number, state="PUBLISHED", canonical_input="x")
        Pairing.objects.bulk_create(
            Pairing(
                round=round_, board=board, white=white, black=black, outcome=OUTCOMES[(board + number) % 3]
            )
            for board, (white, black, _open) in enumerate(f.draw(entries, number), start=1)
        )
    f.make_standings(section, after_round=rounds)
    return section


def costs(client: Client, section: Section) -> dict[str, tuple[int, float, float, int]]:
    """Per page: queries, milliseconds for the page and for the answer that nothing changed, bytes sent packed."""
    entry = section.entries.select_related("section__event").get(number=1)
    last = section.rounds.count()
    found = {}
    for name, address in public_addresses.everything(section, entry, last).items():
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            start = time.perf_counter()
            answer = client.get(address, headers={"accept-encoding": "gzip"})
            page = time.perf_counter() - start
        count = len(queries)
        start = time.perf_counter()
        assert client.get(address, headers={"if-none-match": answer.headers["ETag"]}).status_code == 304
        again = time.perf_counter() - start
        found[name] = (count, page * 1000, again * 1000, len(answer.content))
    return found


@pytest.mark.django_db
def test_public_pages(client: Client) -> None:
    measured = {size: costs(client, played(*size)) for size in SIZES}

    print("\npublic pages: queries; then ms / ms when nothing changed / KB packed, per players x rounds")
    print(f"{'':18}{'queries':>8}" + "".join(f"{f'{p} x {r}':>22}" for p, r in SIZES))
    for name in measured[SIZES[0]]:
        rows = [measured[size][name] for size in SIZES]
        cells = "".join(
            f"{f'{ms:.0f} / {again:.0f} / {size / 1024:.0f}':>22}" for _q, ms, again, size in rows
        )
        print(f"{name:18}{rows[0][0]:>8}{cells}")
    for name in measured[SIZES[0]]:
        assert len({measured[size][name][0] for size in SIZES}) == 1, name
        assert measured[SIZES[0]][name][0] > 0, name
