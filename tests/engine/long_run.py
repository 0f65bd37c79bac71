"""The long comparisons, by hand: `python -m tests.engine.long_run rulebook|explain|ways COUNT [FIRST]`.

rulebook: the engine against every way tried, on states of up to eight players. explain: every explanation retold from the
rulebook on such states. ways: the short way against the matching on fields of 20-400 players, the hard kinds among them.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.engine.fields import random_field
from tests.engine.retelling import Retelling
from tests.engine.rulebook import NO_PAIRING, Rulebook
from tests.engine.states import random_state
from tests.engine.test_swiss_properties import outcome_of
from tests.engine.test_swiss_rulebook import paired
from tournaments.engine.swiss import pair_round
from tournaments.engine.swiss.descent import Descent


def rulebook(seeds: range) -> Iterator[str]:
    for seed in seeds:
        tournament, absent = random_state(seed)
        expected, found = Rulebook(tournament, absent).pair(), paired(tournament, absent)
        if expected != found:
            yield f"state {seed}: rulebook {expected}, engine {found}"


def explain(seeds: range) -> Iterator[str]:
    for seed in seeds:
        tournament, absent = random_state(seed)
        book = Rulebook(tournament, absent)
        if book.pair() == NO_PAIRING:
            continue
        for complaint in Retelling(book, pair_round(tournament, absent=absent).explanations).complaints():
            yield f"state {seed}: {complaint}"


def ways(seeds: range) -> Iterator[str]:
    spent: Counter[str] = Counter()
    count: Counter[str] = Counter()
    longest: dict[str, float] = {}
    for seed in seeds:
        kind, field = random_field(seed)
        start = time.process_time()
        short = outcome_of(Descent(field))
        seconds = time.process_time() - start
        spent[kind] += round(1000 * seconds)
        count[kind] += 1
        longest[kind] = max(longest.get(kind, 0), seconds)
        if short != outcome_of(Descent(field, fast=False)):
            yield f"field {seed}, {kind}, {len(field.contenders)} players"
    for kind, milliseconds in spent.items():
        mean = milliseconds / count[kind]
        print(f"{kind}: {count[kind]} fields, {mean:.0f} ms each, at most {1000 * longest[kind]:.0f} ms")


def main() -> int:
    runs = {"rulebook": rulebook, "explain": explain, "ways": ways}
    name, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    differences = 0
    for line in runs[name](range(first, first + count)):
        differences += 1
        print(line, flush=True)
    print(f"{name}: {count} from {first}: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
