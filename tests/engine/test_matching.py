"""The matching against every matching there is."""

import random
from collections.abc import Iterator

import pytest

from tournaments.engine.swiss.complete import Cardinality
from tournaments.engine.swiss.matching import Graph, Stopped, maximum_weight_matching


def all_matchings(graph: Graph, free: frozenset[int]) -> Iterator[list[tuple[int, int]]]:
    if not free:
        yield []
        return
    v = min(free)
    yield from all_matchings(graph, free - {v})
    for w in graph[v]:
        if w in free:
            for rest in all_matchings(graph, free - {v, w}):
                yield [(v, w), *rest]


def random_graph(seed: int) -> Graph:
    lot = random.Random(seed)
    size = lot.randint(2, 9)
    dense = lot.random()
    greatest = lot.choice([1, 2, 5, 1000, 1 << 300])
    graph: Graph = [{} for _ in range(size)]
    for v in range(size):
        for w in range(v):
            if lot.random() < dense:
                graph[v][w] = graph[w][v] = lot.randint(1, greatest)
    return graph


@pytest.mark.parametrize("first", range(0, 400, 40))
def test_weight_is_the_greatest_and_tight_edges_are_those_of_the_best(first: int) -> None:
    for seed in range(first, first + 40):
        graph = random_graph(seed)
        weighed = [
            (sum(graph[v][w] for v, w in pairs), pairs)
            for pairs in all_matchings(graph, frozenset(range(len(graph))))
        ]
        greatest = max(weight for weight, _ in weighed)

        matching = maximum_weight_matching(graph)

        assert all(matching.mate[matching.mate[v]] == v for v in range(len(graph)) if matching.mate[v] != -1)
        assert matching.weight(graph) == greatest
        for weight, pairs in weighed:
            if weight == greatest:
                assert all(w in matching.tight[v] for v, w in pairs), f"graph {seed}"


@pytest.mark.parametrize("first", range(0, 400, 40))
def test_as_many_as_possible_are_matched_and_the_stuck_are_named(first: int) -> None:
    for seed in range(first, first + 40):
        graph = random_graph(seed)
        found = list(all_matchings(graph, frozenset(range(len(graph)))))
        most = max(len(pairs) for pairs in found)
        left_by_some = {
            v
            for pairs in found
            if len(pairs) == most
            for v in set(range(len(graph))) - {v for pair in pairs for v in pair}
        }

        matching = Cardinality([sorted(row) for row in graph])

        assert matching.grow() == len(graph) - 2 * most
        assert set(matching.stuck()) == left_by_some, f"graph {seed}"


def test_the_caller_can_stop_it() -> None:
    graph: Graph = [{w: 1 for w in range(6) if w != v} for v in range(6)]

    with pytest.raises(Stopped):
        maximum_weight_matching(graph, lambda: True)
