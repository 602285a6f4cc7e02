"""Searches with a trained policy: many trees at once, so that the network judges many leaves together."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kingmaker.agents.ismcts.driver import (
    Advice,
    quiet,
    read_roots,
    settings_of,
    start_tree,
)
from kingmaker.agents.ismcts.kernels.leaves import LEAF, LEAF_DECISION, absorb, descend
from kingmaker.agents.ismcts.kernels.records import MAX_DEPTH, STEP, Arena, new_arena
from kingmaker.agents.ismcts.options import SearchOptions
from kingmaker.agents.network import needs_torch
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.spec import GameSpec

# Searches that run together: as many as their trees find room for in so many nodes.
MOST_TREES, NODES_TOGETHER = 128, 2**18
# Edges for each node: every legal action has one.
EDGES_A_NODE = 24


class PolicySearch:
    """Information-set tree search by PUCT, with a policy's network for priors and values.

    Nodes are told apart by what the choosing seat sees, which is all that the network sees.

    Args:
        spec: the game.
        num_players: seats in play.
        options: what to do; ``policy`` names the file.
        name: the agent's name, for messages.

    Raises:
        AgentError: if torch is missing, or the policy cannot be loaded or is for something else.
    """

    def __init__(self, spec: GameSpec, num_players: int, options: SearchOptions, name: str) -> None:
        self.spec = spec
        self.num_players = num_players
        self.options = options
        self._network = _load(spec, num_players, options, name)
        self._nodes = min(options.nodes, options.simulations or options.nodes) + 1
        self._most = max(1, min(MOST_TREES, NODES_TOGETHER // self._nodes))
        self._forest: _Forest | None = None

    def advise(self, games: list[Game], seats: np.ndarray, seeds: np.ndarray) -> list[Advice]:
        """Search for ``seats[i]``, to move in ``games[i]``, with chance from ``seeds[i]``.

        Raises:
            AgentError: if the games do not share their tables.
        """
        tables = quiet(games[0].tables)
        data = tables.tobytes()
        if any(quiet(game.tables).tobytes() != data for game in games[1:]):
            raise AgentError("games that are searched together have the same tables and options")
        found: list[Advice] = []
        for start in range(0, len(games), self._most):
            part = slice(start, start + self._most)
            found += self._together(games[part], tables, seats[part], seeds[part])
        return found

    def _together(
        self, games: list[Game], tables: np.ndarray, seats: np.ndarray, seeds: np.ndarray
    ) -> list[Advice]:
        count, options = len(games), self.options
        settings = settings_of(self.spec, options, tables)
        if self._forest is None or self._forest.count != count:
            self._forest = _Forest(self.spec, self.num_players, count, self._nodes, options.leaves)
        forest = self._forest
        arenas = [forest.arena(number) for number in range(count)]
        for arena, seed in zip(arenas, seeds.tolist(), strict=True):
            start_tree(self.spec, arena, seed, 0)
        roots = np.ndarray((count,), self.spec.state_dtype, bytearray(b"".join(g.save() for g in games)))
        forest.step(roots, tables, seats, 0, settings, self._evaluate)  # compiles, before the clock starts
        done, begin = 0, perf_counter()
        while not self._spent(done, (perf_counter() - begin) / count):
            each = (
                1 if done == 0 else min(options.leaves, (options.simulations or done + options.leaves) - done)
            )
            forest.step(roots, tables, seats, each, settings, self._evaluate)
            done += each
        return [read_roots([arena], self.spec.num_actions) for arena in arenas]

    def _spent(self, done: int, seconds: float) -> bool:
        if self.options.simulations is not None:
            return done >= self.options.simulations
        return done > 1 and seconds >= (self.options.seconds or 0.0)

    def _evaluate(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits ``(n, A)`` and values ``(n,)``, float32."""
        import torch

        from kingmaker.training.ppo import torch_threads

        with torch.inference_mode(), torch_threads(self.options.threads):
            logits, values = self._network(torch.from_numpy(observations))
        return logits.numpy(), values.numpy()


class _Forest:
    """The memory of several trees that grow together."""

    def __init__(self, spec: GameSpec, num_players: int, count: int, nodes: int, leaves: int) -> None:
        self.spec, self.num_players, self.count = spec, num_players, count
        one = new_arena(nodes, EDGES_A_NODE * nodes)
        self._arenas = Arena(*(np.zeros((count, *part.shape), part.dtype) for part in one))
        size, most = spec.observation_size(num_players), count * leaves
        views = num_players if num_players > 2 else 1
        self._work = np.zeros(1, spec.state_dtype)
        self._words = np.zeros(size, np.uint32)
        self._observations = np.zeros((most, views, size), np.float32)
        self._masks = np.zeros((most, spec.num_actions), np.int8)
        self._values = np.zeros((most, num_players), np.float32)
        self._logits = np.zeros((most, spec.num_actions), np.float32)
        self._paths = np.zeros((most, MAX_DEPTH), STEP)
        self._leaves = np.zeros(most, LEAF)
        self._ranks, self._scores = np.zeros(num_players, np.int64), np.zeros(num_players, np.float32)

    def arena(self, number: int) -> Arena:
        """Return one tree's arena; its counts keep their axis of length 1."""
        parts = [part[number] for part in self._arenas]
        parts[-1] = self._arenas.counts[number].reshape(1)
        return Arena(*parts)

    def step(
        self,
        roots: np.ndarray,
        tables: np.ndarray,
        seats: np.ndarray,
        each: int,
        settings: Any,
        evaluate: Any,
    ) -> None:
        """Run ``each`` simulations of every tree."""
        n = self.count * each
        arenas, leaves, masks, values = self._arenas, self._leaves[:n], self._masks[:n], self._values[:n]
        paths, observations, logits = self._paths[:n], self._observations[:n], self._logits[:n]
        self.spec.entry(descend)(
            roots, self._work, tables, seats, max(each, 1), settings, arenas.nodes, arenas.edges,
            arenas.table, paths, arenas.counts[:, 0], leaves, self._words,
            self._words.view(np.float32), observations, masks, values, self._ranks, self._scores,
        )  # fmt: skip
        asked = np.flatnonzero(leaves["kind"] == LEAF_DECISION)
        if len(asked):
            logits[asked], values[asked] = self._judge(
                observations[asked], leaves["seat"][asked].astype(np.int64), evaluate
            )
        self.spec.entry(absorb)(
            arenas.nodes,
            arenas.edges,
            paths,
            arenas.counts[:, 0],
            leaves,
            max(each, 1),
            masks,
            logits,
            values,
        )

    def _judge(
        self, observations: np.ndarray, seats: np.ndarray, evaluate: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the choosing seats' logits ``(n, A)`` and every seat's expected return ``(n, P)``.

        With two seats one loses what the other wins. With more each seat's view is judged; since the
        returns of all add up to 0, what the judgements add up to is taken off in equal parts.
        """
        n, views, size = observations.shape
        logits, judged = evaluate(observations.reshape(n * views, size))
        rows = np.arange(n)
        if views == 1:
            values = np.repeat(-judged[:, None], 2, axis=1)
            values[rows, seats] = judged
            return logits, values.clip(-1, 1)
        judged = judged.reshape(n, views)
        values = judged - judged.mean(axis=1, keepdims=True)
        return logits.reshape(n, views, -1)[rows, seats], values.clip(-1, 1)


def _load(spec: GameSpec, num_players: int, options: SearchOptions, name: str) -> Any:
    path = Path(options.policy or "").expanduser()
    if not path.is_file():
        raise AgentError(f"agent {name!r}: there is no file {str(path)!r}")
    try:
        from kingmaker.training.policy_file import load_policy
    except ImportError as error:
        raise needs_torch(name, error) from error
    return load_policy(path, spec, num_players)[0]
