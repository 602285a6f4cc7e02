"""Searches with playouts: trees over threads, budgets in simulations or seconds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from kingmaker.agents.ismcts.kernels.records import (
    EDGES_A_NODE,
    NONE,
    SETTINGS,
    Arena,
    empty,
    new_arena,
)
from kingmaker.agents.ismcts.kernels.simulate import search
from kingmaker.agents.ismcts.options import OBSERVERS, PLAYOUTS, SearchOptions
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import PURPOSE_SEARCH
from kingmaker.envs.core.record import copy_records
from kingmaker.envs.core.spec import REWARD_MODES, GameSpec

# The constant of UCB1, for results in [0, 1].
EXPLORATION = 0.7
# Prior of the heuristic's action where it plays the playouts.
TRUST = 0.5
# Simulations between looks at the clock: at first, and afterwards the share of the budget they should take.
FIRST_CHUNK, CHUNK_SHARE = 8, 0.05


@dataclass(frozen=True)
class Advice:
    """What a search found out at its root.

    Attributes:
        visits: int64 ``(A,)``, simulations that took each action.
        values: float64 ``(A,)``, the mean return of each action for the seat, in [-1, 1]; NaN if untried.
        simulations: how many there were.
        decisions: choices made in them, by all seats.
        nodes: nodes of the trees.
    """

    visits: np.ndarray
    values: np.ndarray
    simulations: int
    decisions: int
    nodes: int

    @property
    def action(self) -> int:
        """The action tried most; of those the one with the best mean, and then the first."""
        tried = np.flatnonzero(self.visits == self.visits.max())
        return int(tried[self.values[tried].argmax()])


@dataclass
class Tree:
    """An arena with what a thread needs to grow it."""

    arena: Arena
    work: np.ndarray
    words: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    ranks: np.ndarray
    scores: np.ndarray
    returns: np.ndarray

    @classmethod
    def of(cls, spec: GameSpec, num_players: int, nodes: int) -> Tree:
        """Return an empty tree for a game."""
        words = np.zeros(spec.observation_size(num_players), np.uint32)
        return cls(
            new_arena(nodes, EDGES_A_NODE * nodes + spec.num_actions),
            np.zeros(1, spec.state_dtype),
            words,
            words.view(np.float32),
            np.zeros(spec.num_actions, np.int8),
            np.zeros(num_players, np.int64),
            np.zeros(num_players, np.float32),
            np.zeros(num_players, np.float32),
        )


class PlayoutSearch:
    """Information-set tree search whose leaves are judged by playouts.

    Args:
        spec: the game.
        num_players: seats in play.
        options: what to do.
    """

    def __init__(self, spec: GameSpec, num_players: int, options: SearchOptions) -> None:
        self.spec = spec
        self.num_players = num_players
        self.options = options
        shares = _shares(options)
        self.trees = [Tree.of(spec, num_players, min(share, options.nodes)) for share in shares]
        self._shares = shares
        self._pool: ThreadPoolExecutor | None = None

    def advise(self, games: list[Game], seats: np.ndarray, seeds: np.ndarray) -> list[Advice]:
        """Search for ``seats[i]``, to move in ``games[i]``, with chance from ``seeds[i]``."""
        return [self._advise(*row) for row in zip(games, seats.tolist(), seeds.tolist(), strict=True)]

    def _advise(self, game: Game, seat: int, seed: int) -> Advice:
        tables = quiet(game.tables)
        settings = settings_of(self.spec, self.options, tables)
        for number, tree in enumerate(self.trees):
            start_tree(self.spec, tree.arena, seed, number)
        if len(self.trees) == 1:
            self._grow(0, game.states, tables, seat, settings)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(len(self.trees))
            jobs = [
                self._pool.submit(self._grow, number, game.states, tables, seat, settings)
                for number in range(len(self.trees))
            ]
            for job in jobs:
                job.result()
        return read_roots([tree.arena for tree in self.trees], self.spec.num_actions)

    def _grow(self, number: int, roots: Any, tables: Any, seat: int, settings: Any) -> None:
        """Grow one tree until its budget is spent."""
        tree, run = self.trees[number], self.spec.entry(search)

        def simulate(count: int) -> None:
            run(
                roots, tree.work, tables, seat, count, settings, *tree.arena, tree.words,
                tree.observation, tree.mask, tree.ranks, tree.scores, tree.returns,
            )  # fmt: skip

        if self.options.seconds is None:
            simulate(self._shares[number])
        else:
            simulate(0)  # compiles, before the clock starts
            simulate_for(self.options.seconds, simulate)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}


def _shares(options: SearchOptions) -> list[int]:
    """Return each tree's simulations; with a budget in seconds, as many as there may be nodes."""
    if options.simulations is None:
        return [options.nodes] * options.threads
    each, more = divmod(options.simulations, options.threads)
    return [each + (number < more) for number in range(options.threads)]


def simulate_for(seconds: float, simulate: Any) -> None:
    """Call ``simulate(count)`` until the time is up."""
    start = perf_counter()
    count, done = FIRST_CHUNK, 0
    while True:
        simulate(count)
        done += count
        spent = perf_counter() - start
        if spent >= seconds:
            return
        share = min(CHUNK_SHARE * seconds, seconds - spent)
        count = max(1, int(done * share / spent))


def quiet(tables: np.ndarray) -> np.ndarray:
    """Return the tables with the tape off: simulations are not part of the game's journal."""
    if not tables["tape"]["on"].any():
        return tables
    tables = copy_records(tables)
    tables["tape"]["on"] = 0
    return tables


def settings_of(spec: GameSpec, options: SearchOptions, tables: np.ndarray) -> np.ndarray:
    """Return the settings as kernels read them, ``SETTINGS (1,)``."""
    settings = np.zeros(1, SETTINGS)
    heuristic = options.playout == "heuristic"
    trust = (TRUST if heuristic else 0.0) if options.trust is None else options.trust
    settings["exploration"] = EXPLORATION if options.exploration is None else options.exploration
    settings["trust"] = trust
    settings["widening"] = options.widening
    settings["scale"] = spec.score_scale(tables[0])
    settings["cut"] = options.cut
    settings["playout"] = PLAYOUTS.index(options.playout)
    settings["observer"] = OBSERVERS.index(options.observer)
    settings["mode"] = REWARD_MODES.index(options.reward)
    settings["open"] = spec.perfect_information
    return settings


def start_tree(spec: GameSpec, arena: Arena, seed: int, number: int) -> None:
    """Empty a tree and seed its stream; equal seeds give trees of different numbers unrelated chance."""
    empty(arena)
    spec.entry("seed_streams")(arena.counts["stream"], seed, number, PURPOSE_SEARCH)


def read_roots(arenas: list[Arena], num_actions: int) -> Advice:
    """Add up what several trees found out at their roots, which are their first nodes."""
    visits, totals = np.zeros(num_actions, np.int64), np.zeros(num_actions)
    for arena in arenas:
        edge = int(arena.nodes["first"][0]) if arena.counts["nodes"][0] else NONE
        while edge != NONE:
            row = arena.edges[edge]
            visits[row["action"]] += row["visits"]
            totals[row["action"]] += row["total"]
            edge = int(row["following"])
    with np.errstate(invalid="ignore"):
        values = 2.0 * totals / visits - 1.0
    simulations, decisions, nodes = (
        sum(int(arena.counts[name][0]) for arena in arenas) for name in ("simulations", "decisions", "nodes")
    )
    return Advice(visits, values, simulations, decisions, nodes)
