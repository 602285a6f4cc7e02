"""The solution of Krig against the game's own kernels: single steps, a whole small game, and games played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kingmaker.agents.exact.agent import ExactAgent
from kingmaker.agents.exact.behaviour import Behaviour
from kingmaker.agents.exact.exploit import value_against
from kingmaker.agents.loader import load_agent
from kingmaker.benchmarks.exact_check import SLOTS, check_play, check_steps, enumerate_action
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec

pytestmark = pytest.mark.compiled_only

SMALL_DICE = {"agility_die": 3, "attack_die": 2, "defence_die": 2, "parry_die": 2}


@pytest.mark.parametrize(
    ("game", "decisions", "options"),
    [
        ("krig", 300, {}),
        (
            "krig",
            1500,
            {"hit_points": 9, "agility_die": 4, "attack_die": 5, "defence_die": 3, "parry_die": 6},
        ),
        (
            "krig",
            1000,
            {"hit_points": 12, "agility_die": 3, "attack_die": 1, "defence_die": 6, "parry_die": 1},
        ),
        ("krig_intervention", 1500, {"hit_points": 5}),
        ("krig_intervention", 1500, {"hit_points": 6, "tokens": 1, "attack_die": 4, "defence_die": 5}),
        ("krig_intervention", 1000, {"hit_points": 4, "tokens": 2, "perfect_parry": False, **SMALL_DICE}),
        ("krig_intervention", 1000, {"hit_points": 9, "tokens": 0, "handicap": 0, "agility_die": 5}),
        ("krig_intervention", 1000, {"hit_points": 5, "tokens": 1, "guard_break": False, "parry_die": 8}),
    ],
)
def test_values_of_actions_are_means_over_the_kernels_outcomes(
    game: str, decisions: int, options: dict[str, Any]
) -> None:
    found = check_steps(game, decisions, options=options, seed=1)
    assert found.largest < 1e-9
    assert found.decisions == decisions
    assert all(
        count > 0 for phase, count in found.phases.items() if phase != "window" or options.get("tokens")
    )


@pytest.mark.parametrize(
    ("game", "options"), [("krig", {}), ("krig_intervention", {"hit_points": 5, "handicap": 1})]
)
def test_the_seat_that_goes_first_wins_as_often_as_computed(game: str, options: dict[str, Any]) -> None:
    played = check_play(game, 4000, options=options, seed=3)
    assert abs(played.deviation) < 4


class Graph:
    """Every decision that the kernels lead to from the start of a game, and where its actions lead."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.spec = get_spec(name)
        self.start: list[int] = []
        self.seats: list[int] = []
        self.views: list[np.ndarray] = []
        self.edges: list[dict[int, list[tuple[float, int]]]] = []  # to a node, or to -1 - winner
        self._nodes: dict[bytes, int] = {}
        game = Game(name, seed=0, options=options)
        self.tables = game.tables
        while len(self.start) < 2:  # a start for either seat
            game.reset()
            if game.actor == len(self.start):
                self.start.append(self._node(game.states.copy(), game.actor, game.observe()))
        self._expand(game)

    def _node(self, state: np.ndarray, seat: int, view: np.ndarray) -> int:
        key = view.tobytes() + bytes([seat])
        if key not in self._nodes:
            self._nodes[key] = len(self.seats)
            self.seats.append(seat)
            self.views.append(view.copy())
            self.edges.append({})
            self._states = [*getattr(self, "_states", []), state]
        return self._nodes[key]

    def _expand(self, game: Game) -> None:
        branch, after = np.zeros_like(game.states), np.zeros(SLOTS, game.states.dtype)
        table = np.zeros((SLOTS, len(self.views[0])), np.float32)
        owners, chances = np.zeros(SLOTS, np.int64), np.zeros(SLOTS)
        node = 0
        while node < len(self.seats):
            game.states[:] = self._states[node]
            game.refresh()
            for action in game.legal_actions():
                args = (game.states, game.tables, action, branch, table, owners, chances, after)
                assert enumerate_action(*args) > 0
                self.edges[node][action] = [
                    (
                        float(chances[at]),
                        self._node(after[at : at + 1].copy(), int(owners[at]), table[at])
                        if owners[at] >= 0
                        else int(owners[at]),
                    )
                    for at in np.flatnonzero(chances)
                ]
            node += 1

    def solve(self, *, own: np.ndarray | None = None, other: np.ndarray | None = None) -> np.ndarray:
        """Return seat 0's win probability at every node; ``own`` and ``other`` fix what seats 0, 1 play."""
        rows = [(node, action) for node, edges in enumerate(self.edges) for action in edges]
        owner = np.array([node for node, _ in rows])
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        steps = [
            (row, p, to) for row, (node, action) in enumerate(rows) for p, to in self.edges[node][action]
        ]
        row, share, to = (np.array(column) for column in zip(*steps, strict=True))
        seats, count = np.array(self.seats), len(self.seats)
        fixed = [
            None if c is None else np.array([c[node, action] for node, action in rows]) for c in (own, other)
        ]
        values = np.concatenate([np.full(count, 0.5), [0.0, 1.0]])  # the last two: seat 1 or 0 has won
        while True:
            worth = np.bincount(row, share * values[to])
            chosen = [
                best.reduceat(worth, starts) if weights is None else np.add.reduceat(weights * worth, starts)
                for best, weights in zip((np.maximum, np.minimum), fixed, strict=True)
            ]
            after = np.where(seats == 0, *chosen)
            change = np.abs(after - values[:count]).max()
            values[:count] = after
            if change < 1e-12:
                return after


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("krig", {"hit_points": 3, **SMALL_DICE}),
        ("krig_intervention", {"hit_points": 2, "handicap": 1, "tokens": 1, "games": 1, **SMALL_DICE}),
    ],
)
def test_a_small_game_solved_from_the_kernels_alone(name: str, options: dict[str, Any]) -> None:
    """Perfect play, best responses and fixed play on a graph that the kernels and their views make up."""
    graph = Graph(name, options)
    views = np.stack(graph.views)
    agent = ExactAgent(graph.spec, 2, tables=graph.tables)
    values, perfect = agent.values(views), graph.solve()
    mine = np.where(np.array(graph.seats) == 0, perfect, 1 - perfect)
    np.testing.assert_allclose(np.nanmax(values, axis=1), mine, atol=1e-9)

    masks = (~np.isnan(values)).astype(np.int8)
    behaviours = {
        other: Behaviour(load_agent(other, graph.spec, tables=graph.tables))
        for other in ("random", "heuristic", "exact")
    }
    chances = {other: behaviour.chances(views, masks) for other, behaviour in behaviours.items()}
    for other in behaviours:
        for own in (None, "random", "heuristic"):
            found = value_against(
                graph.spec, graph.tables, None if own is None else behaviours[own], behaviours[other]
            )
            solved = graph.solve(own=None if own is None else chances[own], other=chances[other])
            assert found.first == pytest.approx(solved[graph.start[0]], abs=1e-9)
            assert found.second == pytest.approx(solved[graph.start[1]], abs=1e-9)
