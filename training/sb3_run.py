"""The state of a MaskablePPO run, and what is done between its rollouts."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, configure

from kingmaker.envs.core.registry import get_spec
from kingmaker.training.checkpoint import FREE_ON_RESUME
from kingmaker.training.config import TrainingError
from kingmaker.training.report import Report
from kingmaker.training.sb3_callbacks import BaselineEvaluation, BetweenRollouts
from kingmaker.training.sb3_config import SB3Config
from kingmaker.training.sb3_file import ACTIVATIONS, save_sb3_model
from kingmaker.training.sb3_selfplay import SelfPlay, group_sizes
from kingmaker.training.sb3_vec import SeatVecEnv

CHECKPOINT, MODEL = "checkpoint.zip", "model.zip"
_FACTS, _POOL = "kingmaker-run.json", "kingmaker-pool.pt"  # members of a checkpoint
_ACTIVATION_NAMES = {"relu": "ReLU", "tanh": "Tanh"}
# Purposes of the random streams drawn from one seed.
_LEARNER, _OPPONENTS, _EVALUATION = range(3)


class SB3Run:
    """A model, its opponents, its baselines and its counters.

    Args:
        config: the settings.
        run_dir: directory of the run.

    Attributes:
        env: the training environment.
        model: the ``MaskablePPO``.
        updates: updates made.
        decisions: the learner's decisions that it has learned from.
        seconds: wall time of training, evaluations included.

    Raises:
        OptionError: if the game, the seat count or a rule option does not fit.
        AgentError: if a bot or a baseline cannot be loaded.
    """

    def __init__(self, config: SB3Config, run_dir: Path) -> None:
        self.config = config
        self.run_dir = run_dir
        self.updates = self.decisions = 0
        self.seconds = 0.0
        options: dict[str, Any] = dict(config.options)
        self.env = SeatVecEnv(
            get_spec(config.game),
            group_sizes(config.opponents, config.rollout.games),
            num_players=config.num_players,
            reward=config.reward,
            illegal_action="raise",
            **options,
        )
        activation = _ACTIVATION_NAMES[config.network.activation]
        self.model = self._build(ACTIVATIONS[activation])
        self.opponents = SelfPlay(config.opponents, self.env, activation)
        self.opponents.remember(0, self.model.policy)
        self.baselines = [
            BaselineEvaluation(
                name,
                self.env.game_spec,
                self.env.num_players,
                config.evaluation.games,
                self._seed(_EVALUATION),
                options,
            )
            for name in config.evaluation.baselines
        ]
        self._clock = 0.0
        self._collected = self._over = False

    def _build(self, activation: type[torch.nn.Module]) -> MaskablePPO:
        update, rollout = self.config.update, self.config.rollout
        return MaskablePPO(
            "MlpPolicy",
            self.env,
            # SB3's own schedule knows nothing of a limit in minutes.
            learning_rate=lambda _: self._annealed(update.learning_rate, update.learning_rate_end),
            n_steps=rollout.steps,
            batch_size=min(update.minibatch, rollout.games * rollout.steps),
            n_epochs=update.epochs,
            gamma=update.discount,
            gae_lambda=update.trace,
            clip_range=update.clip,
            vf_coef=update.value_weight,
            max_grad_norm=update.max_gradient,
            stats_window_size=1000,
            policy_kwargs={"net_arch": list(self.config.network.hidden), "activation_fn": activation},
            seed=self._seed(_LEARNER) % 2**32,
            device="cpu",
        )

    def _seed(self, purpose: int) -> int:
        words = np.random.SeedSequence([self.config.seed, purpose, self.updates])
        return int(words.generate_state(1, np.uint64)[0] >> 1)

    @property
    def progress(self) -> float:
        """How much of the run is done, 0 to 1: the largest share of any limit that is used up."""
        stop = self.config.stop
        shares = [
            self.decisions / stop.decisions if stop.decisions else 0.0,
            self.seconds / (60 * stop.minutes) if stop.minutes else 0.0,
        ]
        return min(1.0, max(shares))

    def _annealed(self, start: float, end: float) -> float:
        return start + self.progress * (end - start)

    # --- training -------------------------------------------------------------------------------------

    def learn(self, report: Report) -> None:
        """Train to the limit, and save."""
        self.model.set_logger(self._open_logger())
        self._clock = perf_counter()
        self._over = self.progress >= 1.0
        between = BetweenRollouts(lambda evaluate: self._between(evaluate, report), self.baselines)
        # ``_between`` keeps the limit and the log; SB3's own are out of reach.
        self.model.learn(2**62, between, log_interval=2**62, reset_num_timesteps=False)
        self.model.num_timesteps = self.decisions  # less the step that it took SB3 to stop
        self.model.logger.close()
        self.save()

    def _open_logger(self) -> Logger:
        if not self.config.tensorboard:
            return Logger(None, [])
        try:
            import tensorboard  # noqa: F401 - SB3 asserts it only when it writes
        except ImportError:
            return Logger(None, [])
        return configure(str(self.run_dir / "tensorboard"), ["tensorboard"])

    def _between(self, evaluate: Callable[[], Any], report: Report) -> bool:
        """Do what is due after an update and before a rollout; return whether there is to be one."""
        if self._collected:
            self._close_update(evaluate, report)
        self._collected = True
        if self._over:
            return False
        rng = np.random.default_rng(self._seed(_OPPONENTS))
        self.opponents.seat(self.model.policy.state_dict(), rng)
        self.model.ent_coef = self._annealed(self.config.update.entropy, self.config.update.entropy_end)
        return True

    def _close_update(self, evaluate: Callable[[], Any], report: Report) -> None:
        """Count an update, report it, and evaluate and save where due."""
        config, model = self.config, self.model
        made = model.num_timesteps - self.decisions
        self.updates += 1
        self.decisions = model.num_timesteps
        before = self.seconds
        self._tick()
        self.opponents.remember(self.updates, model.policy)
        self._record(made / (self.seconds - before))
        figures = {name: float(value) for name, value in model.logger.name_to_value.items()}
        line = {
            "update": self.updates,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "decisions_per_second": made / (self.seconds - before),
            **{name: value for name, value in figures.items() if math.isfinite(value)},
        }
        self._over = self.progress >= 1.0  # decided before the evaluation, so that the last update has one
        scores = []
        if self._over or self.updates % config.evaluation.every == 0:
            evaluate()
            scores = [baseline.score for baseline in self.baselines if baseline.score is not None]
            self._tick()
        model.logger.dump(self.decisions)
        report.write(line, self.progress, scores)
        if self.updates % config.checkpoint_every == 0:
            self.save()
            self._tick()

    def _tick(self) -> None:
        now = perf_counter()
        self.seconds += now - self._clock
        self._clock = now

    def _record(self, speed: float) -> None:
        """Log what SB3 would have logged itself after a rollout."""
        logger, episodes = self.model.logger, self.model.ep_info_buffer
        logger.record("time/decisions_per_second", speed)
        if episodes:
            logger.record("rollout/ep_rew_mean", float(np.mean([episode["r"] for episode in episodes])))
            logger.record("rollout/ep_len_mean", float(np.mean([episode["l"] for episode in episodes])))

    # --- keeping --------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the model, and the checkpoint that ``restore`` reads; neither file is ever half written."""
        spec, players = self.env.game_spec, self.env.num_players
        facts = {
            "updates": self.updates,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "config": self.config.model_dump(mode="json"),
        }
        pool = io.BytesIO()
        torch.save(self.opponents.pool.state(), pool)
        extra = {_FACTS: json.dumps(facts).encode(), _POOL: pool.getvalue()}
        save_sb3_model(self.run_dir / MODEL, self.model, spec, players)
        save_sb3_model(self.run_dir / CHECKPOINT, self.model, spec, players, extra)

    def restore(self) -> None:
        """Go on from the checkpoint; it is read as data, nothing in it is executed.

        Raises:
            TrainingError: if the file is damaged, or of a run with other settings.
        """
        path = self.run_dir / CHECKPOINT
        try:
            with zipfile.ZipFile(path) as archive:
                facts = json.loads(archive.read(_FACTS))
                pool = torch.load(io.BytesIO(archive.read(_POOL)), map_location="cpu", weights_only=True)
            self._check_settings(facts["config"])
            self.model.set_parameters(str(path), device="cpu")  # weights and optimiser, with weights_only
            self.opponents.pool.load_state(pool)
            self.updates, self.decisions = int(facts["updates"]), int(facts["decisions"])
            self.seconds = float(facts["seconds"])
        except TrainingError:
            raise
        except Exception as error:  # torch and SB3 meet damage with errors of any kind
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise TrainingError(f"{path} is no checkpoint of this version: {reason}") from None
        self.model.num_timesteps = self.decisions
        self.model.set_random_seed(self._seed(_LEARNER) % 2**32)

    def _check_settings(self, before: dict[str, Any]) -> None:
        now = self.config.model_dump(mode="json")
        changed = [name for name in now if name not in FREE_ON_RESUME and before.get(name) != now[name]]
        if changed:
            differences = "; ".join(f"{name} was {before.get(name)!r}, is {now[name]!r}" for name in changed)
            raise TrainingError(f"{self.run_dir} holds a run with other settings: {differences}")
