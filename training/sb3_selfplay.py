"""Who plays against the learner in a MaskablePPO run.

The sampling rule:

* The games are split for the whole run: ``share`` of them are league games, in ``slots`` equal groups; in the
  others the latest policy, as it stood at the start of the rollout, plays every other seat.
* At the start of every rollout each other seat of a league group draws its player: with probability
  ``bot_share`` one of ``bots``, otherwise a snapshot from the pool, each uniformly. Games that run over a
  rollout's edge go on against the new player.
* The pool is that of ``kingmaker.training.league``: a snapshot every ``every`` updates, the first before any
  update; a full pool drops every second one and doubles ``every``.

The learner's seat is drawn for every game. Opponents draw from their distributions; agents that are only
measured against play nowhere here unless they are named in ``bots``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.agents.sb3 import SB3Agent
from kingmaker.training.config import OpponentsConfig
from kingmaker.training.league import SnapshotPool
from kingmaker.training.sb3_file import Weights, policy_network
from kingmaker.training.sb3_vec import SeatVecEnv


def league_games(config: OpponentsConfig, games: int) -> int:
    """Return how many of the games are league games."""
    return round(config.share * games)


def group_sizes(config: OpponentsConfig, games: int) -> list[int]:
    """Return the number of games against the latest policy (if any), then those of each league slot."""
    league = league_games(config, games)
    slots = min(config.slots, league)
    parts = [league // slots + (k < league % slots) for k in range(slots)] if slots else []
    return [games - league, *parts] if games > league else parts


class SelfPlay:
    """Seats opponents in the groups of a ``SeatVecEnv`` made with ``group_sizes``.

    Args:
        config: shares, slots and bots.
        env: the training environment.
        activation: of the policy's hidden layers, a key of ``kingmaker.training.sb3_file.ACTIVATIONS``.

    Attributes:
        pool: the snapshots.
    """

    def __init__(self, config: OpponentsConfig, env: SeatVecEnv, activation: str) -> None:
        self.config = config
        self.pool = SnapshotPool(config.pool, config.every)
        self._env = env
        self._activation = activation
        self._has_latest = len(env.groups) > min(config.slots, league_games(config, env.num_envs))

    def remember(self, update: int, policy: Any) -> None:
        """Keep a copy of a policy's weights in the pool if ``update`` is due."""
        self.pool.offer(update, policy)

    def seat(self, weights: Weights, rng: np.random.Generator) -> None:
        """Seat the opponents of the coming rollout.

        Args:
            weights: the latest policy's ``state_dict()``; copied.
            rng: source of all draws, the opponents' own included.
        """
        others = self._env.num_players - 1
        for group in range(len(self._env.groups)):
            if group == 0 and self._has_latest:
                self._env.set_opponents(self._agent("latest", weights, rng), group)
            else:
                self._env.set_opponents([self._draw(rng) for _ in range(others)], group)

    def _draw(self, rng: np.random.Generator) -> Agent | str:
        if rng.random() < self.config.bot_share:
            return self.config.bots[rng.integers(len(self.config.bots))]
        update, weights = self.pool.snapshots[rng.integers(len(self.pool.snapshots))]
        return self._agent(f"snapshot-{update}", weights, rng)

    def _agent(self, name: str, weights: Any, rng: np.random.Generator) -> SB3Agent:
        network = policy_network(weights, self._activation)
        seed = int(rng.integers(2**63))
        return SB3Agent(self._env.game_spec, self._env.num_players, name, network, seed=seed, sample=True)
