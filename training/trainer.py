"""The state of a training run and its one step: play, learn, remember."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import torch

from kingmaker.agents.loader import load_agent
from kingmaker.agents.policy import PolicyAgent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.training.config import PPOConfig
from kingmaker.training.evaluate import Score, evaluate
from kingmaker.training.league import League
from kingmaker.training.network import PolicyValueNet, build_network
from kingmaker.training.rollout import Rollout
from kingmaker.training.update import Losses, ppo_update

# Purposes of the random streams drawn from one seed.
GAMES, WEIGHTS, CHOICES, EVALUATION = range(4)


class Trainer:
    """Everything that a checkpoint holds.

    All chance comes from the configuration's seed: torch's and NumPy's global generators are never used, so
    other code cannot disturb a run. On one machine, with one number of threads, equal configurations give
    equal weights, bit for bit.

    Args:
        config: the run's settings.

    Attributes:
        updates: updates made.
        decisions: decisions played, by every seat.
        trained: decisions learned from.
        games_ended: games played to their end.
        seconds: wall time of the run up to the last update, evaluations and earlier processes included.

    Raises:
        OptionError: if the game, the seat count or a rule option does not fit.
        AgentError: if a bot or a baseline cannot be loaded.
    """

    def __init__(self, config: PPOConfig) -> None:
        self.config = config
        self.games = BatchGames(
            config.game,
            config.rollout.games,
            config.num_players,
            seed=self._seed(GAMES),
            reward=config.reward,
            options=config.options,
        )
        self.spec, self.num_players = self.games.spec, self.games.num_players
        self.rng = np.random.Generator(np.random.PCG64(self._seed(CHOICES)))
        self.network = self._build()
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.update.learning_rate, eps=1e-5)
        self.baselines = [self._agent(name) for name in config.evaluation.baselines]
        bots = [self._agent(name) for name in config.opponents.bots]
        self.league = League(config.opponents, config.rollout.games, self.num_players, self._build, bots)
        self.rollout = Rollout(self.games, config.rollout.steps)
        self.updates = self.decisions = self.trained = self.games_ended = 0
        self.seconds, self._clock = 0.0, perf_counter()
        self.league.offer(0, self.network)
        self.league.seat(np.arange(config.rollout.games), self.rng)

    def _seed(self, purpose: int) -> int:
        return int(np.random.SeedSequence([self.config.seed, purpose]).generate_state(1, np.uint64)[0] >> 1)

    def _build(self) -> PolicyValueNet:
        generator = torch.Generator().manual_seed(self._seed(WEIGHTS))
        return build_network(self.config.network, self.spec, self.num_players, generator)

    def _agent(self, name: str) -> Any:
        return load_agent(name, self.spec, self.num_players, tables=self.games.tables)

    # --- training -------------------------------------------------------------------------------------

    @property
    def progress(self) -> float:
        """How much of the run is done, 0 to 1: the largest share of any limit that is used up."""
        stop = self.config.stop
        shares = [
            self.decisions / stop.decisions if stop.decisions else 0.0,
            self.seconds / (60 * stop.minutes) if stop.minutes else 0.0,
        ]
        return min(1.0, max(shares))

    def step(self) -> dict[str, Any]:
        """Play a rollout and learn from it; return a line for the log."""
        start = perf_counter()
        before = dict(self.rollout.seconds)
        progress, update = self.progress, self.config.update
        rate = update.learning_rate + progress * (update.learning_rate_end - update.learning_rate)
        entropy_weight = update.entropy + progress * (update.entropy_end - update.entropy)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.games_ended += self.rollout.play(self.network, self.league, self.rng)
        batch = self.rollout.batch(self.network, update.discount, update.trace)
        between = perf_counter()
        losses = ppo_update(self.network, self.optimiser, batch, update, entropy_weight, self.rng)
        self.rollout.carry()
        now = perf_counter()
        self.updates += 1
        self.decisions += self.config.rollout.games * self.config.rollout.steps
        self.trained += len(batch.rows)
        self.league.offer(self.updates, self.network)
        self.seconds += now - self._clock  # since the last update, so with what was done in between
        self._clock = now
        parts = {name: total - before[name] for name, total in self.rollout.seconds.items()}
        return self._line(losses, rate, entropy_weight, now - start, {**parts, "update": now - between})

    def _line(
        self, losses: Losses, rate: float, entropy_weight: float, seconds: float, parts: dict[str, float]
    ) -> dict[str, Any]:
        played = self.config.rollout.games * self.config.rollout.steps
        return {
            "update": self.updates,
            "decisions": self.decisions,
            "trained": self.trained,
            "games": self.games_ended,
            "seconds": self.seconds,
            "decisions_per_second": played / seconds,
            "learning_rate": rate,
            "entropy_weight": entropy_weight,
            **{f"loss/{name}": value for name, value in vars(losses).items()},
            **{f"seconds/{name}": value for name, value in parts.items()},
            **{f"rating/{name}": round(value, 1) for name, value in self.league.ratings.relative().items()},
        }

    def agent(self) -> PolicyAgent:
        """Return the latest policy as an agent; it follows further training."""
        return PolicyAgent(self.spec, self.num_players, "latest", self.network.logits)

    def evaluate(self) -> list[Score]:
        """Measure the latest policy against the baselines; training is not touched by it."""
        games, seed = self.config.evaluation.games, self._seed(EVALUATION)
        return [
            evaluate(self.agent(), baseline, games, seed=seed, options=self.config.options)
            for baseline in self.baselines
        ]
