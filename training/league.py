"""Who plays the seats that the latest policy does not: past snapshots, and bots if wanted.

The sampling rule:

* Every game is drawn anew at its start: with probability ``share`` it is a league game, otherwise the latest
  policy plays every seat.
* In a league game one seat, drawn uniformly, is played by the latest policy. Each other seat gets one of the
  ``slots``, drawn uniformly and independently, for the whole game.
* At the start of every rollout each slot draws its player: with probability ``bot_share`` one of ``bots``,
  otherwise a snapshot, each uniformly. So a game that runs over a rollout's edge may change its opponent.
* A snapshot of the latest policy joins the pool every ``every`` updates, the first before any update. A full
  pool drops every second snapshot and doubles ``every``: what it holds is always spread evenly over the run.

Only decisions of the latest policy are learned from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from kingmaker.agents.base import Agent
from kingmaker.training.config import OpponentsConfig
from kingmaker.training.masking import sample_legal
from kingmaker.training.network import PolicyValueNet

LATEST = -1
Weights = dict[str, torch.Tensor]


class SnapshotPool:
    """Past weights, evenly spread over the run.

    Args:
        capacity: snapshots kept, at least 2.
        every: updates between two of them, until the pool is full for the first time.

    Attributes:
        snapshots: ``(update, weights)``, oldest first.
    """

    def __init__(self, capacity: int, every: int) -> None:
        self.capacity = capacity
        self.every = every
        self.snapshots: list[tuple[int, Weights]] = []

    def offer(self, update: int, network: PolicyValueNet) -> None:
        """Keep a copy of the network's weights if ``update`` is due."""
        if update % self.every:
            return
        if len(self.snapshots) == self.capacity:
            self.every *= 2
            self.snapshots = [kept for kept in self.snapshots if kept[0] % self.every == 0]
            if update % self.every:
                return
        weights = {name: value.detach().clone() for name, value in network.state_dict().items()}
        self.snapshots.append((update, weights))

    def state(self) -> dict[str, Any]:
        """Return the pool as plain data and tensors."""
        return {"every": self.every, "snapshots": [list(kept) for kept in self.snapshots]}

    def load_state(self, state: dict[str, Any]) -> None:
        """Take over what ``state`` returned."""
        self.every = state["every"]
        self.snapshots = [(update, weights) for update, weights in state["snapshots"]]


class League:
    """Seats opponents in games and asks them for their decisions.

    Args:
        config: shares, slots and bots.
        num_games: games in the batch.
        num_players: seats in each.
        build: makes an untrained network of the right shape, for a slot to load snapshots into.
        bots: the agents named in the configuration.

    Attributes:
        pool: the snapshots.
        seating: int64 ``(N, P)``, the slot that plays each seat or ``LATEST``.
    """

    def __init__(
        self,
        config: OpponentsConfig,
        num_games: int,
        num_players: int,
        build: Callable[[], PolicyValueNet],
        bots: list[Agent],
    ) -> None:
        self.config = config
        self.pool = SnapshotPool(config.pool, config.every)
        self.seating = np.full((num_games, num_players), LATEST, np.int64)
        self._networks = [build() for _ in range(config.slots)] if config.share else []
        self._bots = bots
        self._players: list[PolicyValueNet | Agent] = []

    def draw_players(self, rng: np.random.Generator) -> None:
        """Draw who plays each slot in the coming rollout."""
        self._players = []
        for network in self._networks:
            if rng.random() < self.config.bot_share:
                bot = self._bots[rng.integers(len(self._bots))]
                bot.seed(int(rng.integers(2**63)))
                self._players.append(bot)
            else:
                _, weights = self.pool.snapshots[rng.integers(len(self.pool.snapshots))]
                network.load_state_dict(weights)
                self._players.append(network)

    def seat(self, games: np.ndarray, rng: np.random.Generator) -> None:
        """Draw the seating of new games; ``games`` are their indices, int64 ``(k,)``."""
        if not self._networks or not len(games):
            return
        count, players = len(games), self.seating.shape[1]
        drawn = rng.integers(self.config.slots, size=(count, players))
        drawn[np.arange(count), rng.integers(players, size=count)] = LATEST
        drawn[rng.random(count) >= self.config.share] = LATEST
        self.seating[games] = drawn

    def decide(
        self,
        actors: np.ndarray,
        observations: torch.Tensor,
        masks: np.ndarray,
        actions: np.ndarray,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Overwrite the actions of seats that the latest policy does not play.

        Args:
            actors: int64 ``(N,)``, the seat to move.
            observations: float32 ``(N, F)``.
            masks: int8 ``(N, A)``.
            actions: int64 ``(N,)``, changed in place.
            rng: source of the snapshots' choices.

        Returns:
            bool ``(N,)``, where the latest policy decides.
        """
        slots = self.seating[np.arange(len(actors)), actors]
        for slot, player in enumerate(self._players):
            rows = np.flatnonzero(slots == slot)
            if not len(rows):
                continue
            seen = observations[torch.from_numpy(rows)]
            if isinstance(player, Agent):
                actions[rows] = player.act_batch(seen.numpy(), masks[rows], actors[rows])
                continue
            chosen, log_probs = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
            sample_legal(player.logits(seen).numpy(), masks[rows], rng.random(len(rows)), chosen, log_probs)
            actions[rows] = chosen
        return slots == LATEST
