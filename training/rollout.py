"""Playing with the latest policy and keeping what it takes to learn from it."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch

from kingmaker.training.gae import NO_ROW, NO_SEAT, carry_over, seat_advantages
from kingmaker.training.league import League
from kingmaker.training.masking import sample_legal
from kingmaker.training.network import PolicyValueNet


@dataclass(frozen=True)
class Batch:
    """The decisions of one rollout that can be learned from; ``n`` rows, views into the rollout's arrays.

    Attributes:
        rows: int64 ``(n,)``, their places in the flat arrays below, which have ``m >= n`` rows.
        observations: float32 ``(m, F)``.
        masks: bool ``(m, A)``.
        actions: int64 ``(m,)``.
        log_probs: float32 ``(m,)``, when the action was chosen.
        advantages: float32 ``(m,)``.
        returns: float32 ``(m,)``, targets of the value head.
    """

    rows: np.ndarray
    observations: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor


class Rollout:
    """Arrays for ``steps`` decisions in each of ``N`` games, and the play that fills them.

    The first ``P`` rows hold, seat by seat, the decisions carried over from the rollout before (see
    ``kingmaker.training.gae``); they are all that outlives an update.
    Memory is torch's, shared with NumPy: it is aligned alike in every process, and so are the sums of the
    matrix products, bit for bit.

    Args:
        games: the batch; anything with the arrays and the ``step`` of ``BatchGames``.
        steps: decisions a game.
    """

    def __init__(self, games: Any, steps: int) -> None:
        n, players = games.rewards.shape
        rows = players + steps
        self.games, self.steps, self.players = games, steps, players
        self.observations = torch.zeros(rows, n, games.observations.shape[1])
        self.masks = torch.zeros(rows, n, games.masks.shape[1], dtype=torch.int8)
        self.actions = torch.zeros(rows, n, dtype=torch.int64)
        self.log_probs = torch.zeros(rows, n)
        self.values = torch.zeros(rows, n)
        self.advantages = torch.zeros(rows, n)
        self.seats = np.full((rows, n), NO_SEAT, np.int64)
        self.rewards = np.zeros((rows, n, players), np.float32)
        self.dones = np.zeros((rows, n), np.bool_)
        self.trained = np.zeros((rows, n), np.bool_)
        self.last = np.full((n, players), NO_ROW, np.int64)
        self.owed = np.zeros((n, players), np.float32)
        self.seconds = dict.fromkeys(("policy", "games", "advantages"), 0.0)

    @torch.inference_mode()
    def play(self, network: PolicyValueNet, league: League, rng: np.random.Generator) -> int:
        """Play ``steps`` decisions in every game; return how many games ended."""
        games, seconds = self.games, self.seconds
        observations, masks, actions = self.observations.numpy(), self.masks.numpy(), self.actions.numpy()
        log_probs = self.log_probs.numpy()
        league.draw_players(rng)
        for row in range(self.players, self.players + self.steps):
            start = perf_counter()
            observations[row], masks[row], actors = games.observations, games.masks, games.actors.copy()
            logits = network.logits(self.observations[row]).numpy()
            sample_legal(logits, masks[row], rng.random(len(actors)), actions[row], log_probs[row])
            mine = league.decide(actors, self.observations[row], masks[row], actions[row], rng)
            self.seats[row] = np.where(mine, actors, NO_SEAT)
            between = perf_counter()
            games.step(actions[row])
            self.rewards[row], self.dones[row] = games.rewards, games.dones
            ended = np.flatnonzero(self.dones[row])
            league.record(ended, games.ranks)
            league.seat(ended, rng)
            seconds["policy"] += between - start
            seconds["games"] += perf_counter() - between
        return int(self.dones[self.players :].sum())

    @torch.no_grad()
    def batch(self, network: PolicyValueNet, discount: float, trace: float) -> Batch:
        """Value all views by the network as it is now, and return what can be learned from."""
        start = perf_counter()
        flat = self.observations.flatten(0, 1)
        self.values.view(-1).copy_(network.value(flat))
        seat_advantages(
            self.seats,
            self.values.numpy(),
            self.rewards,
            self.dones,
            discount,
            trace,
            self.advantages.numpy(),
            self.trained,
            self.last,
            self.owed,
        )
        advantages = self.advantages.view(-1)
        result = Batch(
            rows=np.flatnonzero(self.trained),
            observations=flat,
            masks=self.masks.flatten(0, 1).view(torch.bool),
            actions=self.actions.view(-1),
            log_probs=self.log_probs.view(-1),
            advantages=advantages,
            returns=advantages + self.values.view(-1),
        )
        self.seconds["advantages"] += perf_counter() - start
        return result

    def carry(self) -> None:
        """Keep each seat's unfinished decision for the next rollout; the batch's rows are void afterwards."""
        carry_over(
            self.last,
            self.owed,
            self.seats,
            self.observations.numpy(),
            self.masks.numpy(),
            self.actions.numpy(),
            self.log_probs.numpy(),
            self.rewards,
            self.dones,
        )

    def carried(self) -> dict[str, np.ndarray]:
        """Return views of all that the next rollout starts from, once ``carry`` has run."""
        first = slice(0, self.players)
        return {
            "seats": self.seats[first],
            "observations": self.observations.numpy()[first],
            "masks": self.masks.numpy()[first],
            "actions": self.actions.numpy()[first],
            "log_probs": self.log_probs.numpy()[first],
            "rewards": self.rewards[first],
        }
