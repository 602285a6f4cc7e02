"""Who plays the seats that the latest policy does not: past snapshots, and bots if wanted.

The sampling rule:

* Every game is drawn anew at its start: with probability ``share`` it is a league game, otherwise the latest
  policy plays every seat.
* In a league game one seat, drawn uniformly, is played by the latest policy. Each other seat gets one of the
  ``slots``, drawn uniformly and independently, for the whole game.
* Every ``hold`` rollouts each slot draws its player: with probability ``bot_share`` one of ``bots``,
  otherwise a snapshot, each uniformly. A game that runs over such an edge changes its opponent.
* With ``prefer = "close"`` a bot so drawn is taken with probability ``max(LEAST, 4 p (1 - p))`` only, where
  ``p`` is the score that the ratings below expect of the latest policy against it, and otherwise a snapshot
  is; snapshots are drawn with weights ``max(LEAST, 4 p (1 - p))``. An opponent that always wins, or never,
  teaches little: so strong bots come in when the policy is up to them. This is the variance weighting of
  prioritised fictitious self-play (Vinyals et al. 2019, Grandmaster level in StarCraft II using multi-agent
  reinforcement learning).
* A snapshot of the latest policy joins the pool every ``every`` updates, the first before any update. A full
  pool drops every second snapshot and doubles ``every``: what it holds is always spread evenly over the run.

Only decisions of the latest policy are learned from.

Ratings, in Elo's points, tell how the latest policy stands against its opponents: every league game that was
played out against one player in a slot moves both by ``STEP`` times what the result differs from the expected
one. A snapshot enters with the rating that the latest policy then had; the first, and bots, enter with 0.
They say which opponents still teach something; they are no measurement, since the latest policy moves on.
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
STEP = 4.0  # rating points that a game moves at most
LEAST = 0.1  # of an opponent's weight, however far off it is
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


class Ratings:
    """Elo ratings of the latest policy and its opponents, game by game.

    Attributes:
        latest: the latest policy's rating.
        table: rating and number of games of each opponent, by name.
    """

    def __init__(self) -> None:
        self.latest = 0.0
        self.table: dict[str, tuple[float, int]] = {}

    def enter(self, name: str, rating: float) -> None:
        """Give an opponent its first rating, if it has none."""
        self.table.setdefault(name, (rating, 0))

    def keep(self, names: set[str]) -> None:
        """Forget all others."""
        self.table = {name: entry for name, entry in self.table.items() if name in names}

    def record(self, name: str, result: float) -> None:
        """Take in a game of the latest policy: 1 if it came out ahead of ``name``, 0.5 for a tie, else 0."""
        rating, games = self.table[name]
        move = STEP * (result - self.expected(name))
        self.latest += move
        self.table[name] = (rating - move, games + 1)

    def expected(self, name: str) -> float:
        """Return the score that the latest policy is expected to have against ``name``, 0 to 1."""
        return 1.0 / (1.0 + 10.0 ** ((self.table[name][0] - self.latest) / 400.0))

    def closeness(self, name: str) -> float:
        """Return how much a game against ``name`` may teach: 1 between equals, at least ``LEAST``."""
        expected = self.expected(name)
        return max(LEAST, 4.0 * expected * (1.0 - expected))

    def relative(self) -> dict[str, float]:
        """Return each opponent's rating above the latest policy's."""
        return {name: rating - self.latest for name, (rating, _) in self.table.items()}


def snapshot_name(update: int) -> str:
    """Return how ratings call the snapshot of an update."""
    return f"update {update}"


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
        ratings: of the latest policy, the snapshots in the pool and the bots.
        names: who plays each slot.
        seating: int64 ``(N, P)``, the slot that plays each seat or ``LATEST``.
        whole: bool ``(N,)``, games in which no slot has changed its player so far.
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
        self.ratings = Ratings()
        self.names: list[str] = []
        self.seating = np.full((num_games, num_players), LATEST, np.int64)
        self.whole = np.zeros(num_games, np.bool_)
        self._rollouts = 0
        self._networks = [build() for _ in range(config.slots)] if config.share else []
        self._bots = {bot.name: bot for bot in bots}
        self._players: list[PolicyValueNet | Agent] = []

    def offer(self, update: int, network: PolicyValueNet) -> None:
        """Let the latest policy's weights join the pool, if a snapshot is due."""
        self.pool.offer(update, network)
        names = [snapshot_name(kept) for kept, _ in self.pool.snapshots]
        self.ratings.keep({*names, *self._bots})
        for name in (*names, *self._bots):
            self.ratings.enter(name, 0.0 if name in self._bots else self.ratings.latest)

    def draw_players(self, rng: np.random.Generator) -> None:
        """Take the players of the coming rollout into the slots, new ones every ``hold`` rollouts."""
        if not self._networks:
            return
        snapshots = {snapshot_name(update): weights for update, weights in self.pool.snapshots}
        gone = not {*self.names} <= {*snapshots, *self._bots}
        if gone or self._rollouts % self.config.hold == 0:
            self.names = [self._draw_name(list(snapshots), rng) for _ in self._networks]
            self.whole[:] = False
        self._rollouts += 1
        self._players = [
            self._take(name, network, snapshots, rng)
            for name, network in zip(self.names, self._networks, strict=True)
        ]

    def _draw_name(self, snapshots: list[str], rng: np.random.Generator) -> str:
        close = self.config.prefer == "close"
        if rng.random() < self.config.bot_share:
            bot = list(self._bots)[rng.integers(len(self._bots))]
            if not close or rng.random() < self.ratings.closeness(bot):
                return bot
        if not close:
            return snapshots[rng.integers(len(snapshots))]
        weights = np.array([self.ratings.closeness(name) for name in snapshots])
        return snapshots[rng.choice(len(snapshots), p=weights / weights.sum())]

    def _take(
        self, name: str, network: PolicyValueNet, snapshots: dict[str, Weights], rng: np.random.Generator
    ) -> PolicyValueNet | Agent:
        if name in self._bots:
            self._bots[name].seed(int(rng.integers(2**63)))
            return self._bots[name]
        network.load_state_dict(snapshots[name])
        return network

    def seat(self, games: np.ndarray, rng: np.random.Generator) -> None:
        """Draw the seating of new games; ``games`` are their indices, int64 ``(k,)``."""
        if not self._networks or not len(games):
            return
        count, players = len(games), self.seating.shape[1]
        drawn = rng.integers(self.config.slots, size=(count, players))
        drawn[np.arange(count), rng.integers(players, size=count)] = LATEST
        drawn[rng.random(count) >= self.config.share] = LATEST
        self.seating[games] = drawn
        self.whole[games] = True

    def record(self, games: np.ndarray, ranks: np.ndarray) -> None:
        """Rate the players of games that have ended.

        Args:
            games: their indices, int64 ``(k,)``.
            ranks: int64 ``(N, P)``, the seats' places in them, 0 is best.
        """
        for game in games[self.whole[games]]:
            ours = np.flatnonzero(self.seating[game] == LATEST)
            if len(ours) != 1:
                continue
            own = ranks[game, ours[0]]
            for seat in np.flatnonzero(self.seating[game] != LATEST):
                ahead = np.sign(ranks[game, seat] - own)
                self.ratings.record(self.names[self.seating[game, seat]], 0.5 + 0.5 * float(ahead))

    def state(self) -> dict[str, Any]:
        """Return what outlives an update, seating apart, as plain data and tensors."""
        table = [[name, rating, games] for name, (rating, games) in self.ratings.table.items()]
        ratings = {"latest": self.ratings.latest, "table": table}
        return {**self.pool.state(), "ratings": ratings, "names": self.names, "rollouts": self._rollouts}

    def load_state(self, state: dict[str, Any]) -> None:
        """Take over what ``state`` returned."""
        self.pool.load_state(state)
        self.ratings.latest = float(state["ratings"]["latest"])
        self.ratings.table = {
            str(name): (float(rating), int(games)) for name, rating, games in state["ratings"]["table"]
        }
        self.names = [str(name) for name in state["names"]]
        self._rollouts = int(state["rollouts"])

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
