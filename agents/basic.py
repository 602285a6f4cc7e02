"""The two agents that every game has: random and heuristic, both compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.loops import HEURISTIC, PURPOSE_AGENTS, RANDOM
from kingmaker.envs.core.spec import GameSpec


class StreamedAgent(Agent):
    """An agent with one chance stream per row of a batch, so that rows do not influence each other."""

    def __init__(self, spec: GameSpec, num_players: int, name: str, seed: int = 0) -> None:
        super().__init__(spec, num_players, name)
        self._streams = np.zeros(0, CHANCE)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Restart the streams; ``seed`` in ``[0, 2**63)``."""
        self._seed = seed
        self._streams = np.zeros(0, CHANCE)

    def _rows(self, count: int) -> np.ndarray:
        have = len(self._streams)
        if count > have:
            fresh = np.zeros(count - have, CHANCE)
            self.spec.entry("seed_streams")(fresh, self._seed, have, PURPOSE_AGENTS)
            self._streams = np.concatenate([self._streams, fresh])
        return self._streams[:count]


class RandomAgent(StreamedAgent):
    """Plays every legal action with the same probability."""

    compiled = RANDOM

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        actions = np.empty(len(action_masks), np.int64)
        self.spec.entry("batch_random")(action_masks, seats, self._rows(len(actions)), actions)
        return actions

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return the same probability for every legal action, float64 ``(n, A)``."""
        legal = np.asarray(action_masks, np.float64)
        return legal / legal.sum(axis=1, keepdims=True)


class HeuristicAgent(StreamedAgent):
    """Plays the game's rules of thumb (``kingmaker.agents.heuristics``)."""

    compiled = HEURISTIC

    def __init__(
        self, spec: GameSpec, num_players: int, name: str, seed: int = 0, tables: Any = None
    ) -> None:
        super().__init__(spec, num_players, name, seed)
        self._tables = spec.configure({})[0] if tables is None else tables
        self._states = np.zeros(1, spec.state_dtype)  # only tells the kernels which game it is

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        actions = np.empty(len(action_masks), np.int64)
        self.spec.entry("batch_heuristic")(
            self._states,
            self._tables,
            observations,
            action_masks,
            seats,
            self._rows(len(actions)),
            actions,
        )
        return actions
