"""The parts of a search by themselves: keys, nodes, edges, and which action a node chooses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kingmaker.agents.ismcts.driver import read_roots
from kingmaker.agents.ismcts.kernels.choice import best_by_prior, choose_edge
from kingmaker.agents.ismcts.kernels.records import NONE, SETTINGS, new_arena
from kingmaker.agents.ismcts.kernels.tree import add_edge, add_node, back_up, find_node, follow, key_of
from kingmaker.envs.core.chance import seed_stream


class Bench:
    """An arena whose records the kernels take one by one, compiled or not."""

    def __init__(self, nodes: int = 8, edges: int = 16, **settings: float) -> None:
        self.plain = new_arena(nodes, edges)
        self.nodes, self.edges, self.path = (
            part.view(np.recarray) for part in (self.plain.nodes, self.plain.edges, self.plain.path)
        )
        self.table, self.counts = self.plain.table, self.plain.counts.view(np.recarray)[0]
        self.settings = np.zeros(1, SETTINGS).view(np.recarray)[0]
        for name, value in settings.items():
            setattr(self.settings, name, value)
        seed_stream(self.counts.stream, 1, 0)

    def node(self, key: int) -> int:
        slot = find_node(self.nodes, self.table, key)
        return add_node(self.nodes, self.table, self.counts, slot, key)

    def edge(self, node: int, action: int, visits: int, mean: float, available: int, prior: float = 0) -> int:
        edge = add_edge(self.nodes, self.edges, self.counts, node, action, prior)
        one = self.edges[edge]
        one.visits, one.total, one.available = visits, visits * mean, available
        return edge

    def choose(self, node: int, mask: list[int]) -> int | None:
        chances = np.array(mask, np.int8)
        edge = choose_edge(self.nodes, self.edges, self.counts, node, chances, self.settings)
        if edge == NONE:
            return None
        self.edges[edge].visits += 1
        return int(self.edges[edge].action)


def words(*values: float) -> np.ndarray:
    return np.array(values, np.float32).view(np.uint32)


def test_keys_tell_views_and_seats_apart() -> None:
    rng = np.random.default_rng(0)
    rows = [words(*row) for row in (rng.random((300, 9)) < 0.3) * rng.integers(1, 5, (300, 9)) / 4]
    views = {tuple(row.tolist()) for row in rows}
    keys = {int(key_of(np.array(view, np.uint32), seat)) for view in views for seat in range(5)}
    assert len(keys) == 5 * len(views)
    assert all(0 <= key < 2**62 for key in keys)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 305])
def test_every_word_counts(size: int) -> None:
    seen = {int(key_of(np.zeros(size, np.uint32), 0))}
    for place in range(size):
        for value in (1, 2**23, 2**31, 2**32 - 1):
            row = np.zeros(size, np.uint32)
            row[place] = value
            seen.add(int(key_of(row, 0)))
    assert len(seen) == 1 + 4 * size


def test_nodes_are_found_again_until_the_arena_is_full() -> None:
    bench = Bench(nodes=3)
    slots = bench.table.shape[0]
    keys = [5, 5 + slots, 5 + 2 * slots]  # all want the same slot
    assert [bench.node(key) for key in keys] == [0, 1, 2]
    assert [int(bench.table[find_node(bench.nodes, bench.table, key)]) for key in keys] == [0, 1, 2]
    assert bench.node(6) == NONE


def test_results_go_to_the_seat_that_chose() -> None:
    bench = Bench()
    node = bench.node(1)
    first, second = (add_edge(bench.nodes, bench.edges, bench.counts, node, k, 0.0) for k in range(2))
    length = follow(bench.edges, bench.path, 0, first, 0)
    length = follow(bench.edges, bench.path, length, second, 2)
    back_up(bench.edges, bench.path, length, np.array([1.0, -0.5, -0.5], np.float32))
    assert [(int(e.visits), float(e.total)) for e in bench.edges[:2]] == [(1, 1.0), (1, 0.25)]
    advice = read_roots([bench.plain, bench.plain], 3)
    assert advice.visits.tolist() == [2, 2, 0]
    assert advice.values[:2].tolist() == [1.0, -0.5]
    assert math.isnan(advice.values[2])
    assert advice.action == 0  # as many visits, better mean


def test_untried_actions_come_first() -> None:
    bench = Bench(exploration=0.7)
    node = bench.node(1)
    bench.edge(node, 0, visits=50, mean=1.0, available=50)
    assert bench.choose(node, [1, 0, 1]) == 2
    assert bench.nodes[node].visits == 1


def test_the_bound_counts_how_often_an_action_was_legal() -> None:
    """Equal means and visits: the action that was legal more often is explored less than it should be."""
    bench = Bench(exploration=0.7)
    node = bench.node(1)
    bench.edge(node, 0, visits=10, mean=0.5, available=20)
    bench.edge(node, 1, visits=10, mean=0.5, available=90)
    assert bench.choose(node, [1, 1]) == 1
    assert bench.choose(node, [1, 0]) == 0
    assert [int(edge.available) for edge in bench.edges[:2]] == [22, 91]


@pytest.mark.parametrize(("constant", "chosen"), [(0.1, 0), (2.0, 1)])
def test_the_constant_weighs_means_against_doubt(constant: float, chosen: int) -> None:
    bench = Bench(exploration=constant)
    node = bench.node(1)
    bench.edge(node, 0, visits=90, mean=0.6, available=100)
    bench.edge(node, 1, visits=10, mean=0.5, available=100)
    assert bench.choose(node, [1, 1]) == chosen


def test_widening_limits_what_is_tried() -> None:
    bench = Bench(widening=1.0)
    node = bench.node(1)
    bench.edge(node, 0, visits=1, mean=0.0, available=1)
    tried = []
    for _ in range(20):
        bench.choose(node, [1] * 9)
        tried.append(int(bench.counts.edges))
    assert tried == [math.ceil(math.sqrt(visits)) for visits in range(1, 21)]


@pytest.mark.parametrize(("visits", "chosen"), [(3, 0), (400, None)])
def test_trust_tries_the_heuristics_action_first(visits: int, chosen: int | None) -> None:
    """With a prior of 0.9 + 0.1 / 4 against 0.1 / 4 the others wait for about 40 visits."""
    bench = Bench(exploration=0.7, trust=0.9)
    node = bench.node(1)
    bench.edge(node, 0, visits=visits, mean=0.5, available=visits, prior=1.0)
    got = bench.choose(node, [1, 1, 1, 1])
    assert got == chosen if chosen is not None else got != 0


def test_puct() -> None:
    bench = Bench()
    node = bench.node(1)
    bench.nodes[node].value = 0.5
    likely = bench.edge(node, 0, visits=0, mean=0.0, available=0, prior=0.7)
    other = bench.edge(node, 1, visits=0, mean=0.0, available=0, prior=0.3)
    bench.nodes[node].visits = 1
    assert best_by_prior(bench.edges, bench.nodes[node], 1.0) == likely
    bench.edges[likely].visits, bench.edges[likely].total = 5, 0.0
    bench.nodes[node].visits = 6
    assert best_by_prior(bench.edges, bench.nodes[node], 1.0) == other  # 0.5 + ... against 0 + ...


def test_a_full_arena_gives_no_edge() -> None:
    bench = Bench(edges=1, exploration=0.7)
    node = bench.node(1)
    bench.edge(node, 0, visits=1, mean=0.0, available=1)
    assert bench.choose(node, [1, 1]) is None
    assert bench.choose(node, [1, 0]) == 0
