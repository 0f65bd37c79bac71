"""The matching against every matching there is."""

import random
from collections.abc import Iterator

import pytest

from tournaments.engine.swiss.cardinality import Cardinality
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

        matching = Cardinality(as_bits(graph))

        assert matching.grow() == len(graph) - 2 * most
        assert set(matching.stuck()) == left_by_some, f"graph {seed}"


def as_bits(graph: Graph) -> list[int]:
    return [sum(1 << w for w in row) for row in graph]


def sparse_graph(seed: int) -> Graph:
    """Hundreds of vertices with few edges, or with one half who may not meet each other: many blossoms, many left alone."""
    lot = random.Random(seed)
    size = lot.randint(60, 240)
    club = set(lot.sample(range(size), lot.choice([0, size // 2, size // 2 + 3])))
    graph: Graph = [{} for _ in range(size)]
    for _edge in range(round(size * lot.choice([0.7, 1.1, 1.6, 3]))):
        v, w = lot.sample(range(size), 2)
        if not {v, w} <= club:
            graph[v][w] = graph[w][v] = 1
    return graph


@pytest.mark.parametrize("seed", range(40))
def test_large_sparse_graphs_agree_with_the_weighted_matching(seed: int) -> None:
    """Left alone by some largest matching: the vertex can be taken away and the rest be matched as far."""
    graph = sparse_graph(seed)
    size = len(graph)
    most = sum(1 for w in maximum_weight_matching(graph).mate if w != -1)
    everybody = (1 << size) - 1

    matching = Cardinality(as_bits(graph))

    assert matching.grow() == size - most
    assert all(matching.mate[w] == v and w in graph[v] for v, w in enumerate(matching.mate) if w != -1)
    stuck = set(matching.stuck())
    for v in random.Random(seed).sample(range(size), 12):
        without = Cardinality(as_bits(graph), inside=everybody & ~(1 << v))
        assert (v in stuck) == (without.grow() == size - most - 1)


def test_it_goes_on_from_a_smaller_matching_and_inside_what_is_named() -> None:
    graph = sparse_graph(7)
    size = len(graph)
    inside = sum(1 << v for v in range(0, size, 2))
    first = Cardinality(as_bits(graph), inside=inside)
    alone = first.grow()

    assert all(mate == -1 or (v % 2 == 0 and mate % 2 == 0) for v, mate in enumerate(first.mate))
    assert alone == sum(1 for v in range(0, size, 2) if first.mate[v] == -1)
    whole, further = Cardinality(as_bits(graph)), Cardinality(as_bits(graph), mate=first.mate)
    assert whole.grow() == further.grow()
    assert whole.stuck() == further.stuck()


def test_the_caller_can_stop_it() -> None:
    graph: Graph = [{w: 1 for w in range(6) if w != v} for v in range(6)]

    with pytest.raises(Stopped):
        maximum_weight_matching(graph, lambda: True)
