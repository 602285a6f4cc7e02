"""What happens between the rollouts of a MaskablePPO run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3.common.callbacks import CallbackList, EventCallback
from stable_baselines3.common.logger import Logger

from kingmaker.envs.core.spec import GameSpec
from kingmaker.training.evaluate import Score, wilson
from kingmaker.training.sb3_vec import SeatVecEnv


class BaselineEvaluation(MaskableEvalCallback):
    """Measures the model against one fixed agent each time that it is called.

    The games have the same seeds each time, every seat is played equally often, and the reward is ``win``
    whatever the model is trained for, so that its mean tells the share of wins.

    Args:
        baseline: the fixed agent, by name.
        game: the game.
        num_players: seats in play.
        games: number of games, rounded up to a multiple of the seats.
        seed: start of all chance.
        options: rule options.

    Attributes:
        score: the latest result; ``None`` before the first.
    """

    def __init__(
        self, baseline: str, game: GameSpec, num_players: int, games: int, seed: int, options: dict[str, Any]
    ) -> None:
        each = -(-games // num_players)
        env = SeatVecEnv(
            game,
            [each] * num_players,
            num_players=num_players,
            seat=range(num_players),
            opponents=baseline,
            illegal_action="raise",
            **options,
        )
        super().__init__(env, n_eval_episodes=env.num_envs, eval_freq=1, deterministic=True, verbose=0)
        self.baseline = baseline
        self.score: Score | None = None
        self._players = num_players
        self._seed = seed

    @property
    def logger(self) -> Any:
        """SB3's logger, where each baseline has figures of its own."""
        return _Renamed(self.model.logger, f"eval_{self.baseline}")

    def _on_step(self) -> bool:
        self.eval_env.seed(self._seed)
        go_on = super()._on_step()
        players, games = self._players, self.n_eval_episodes
        # A return is +1 for the win and -1/(P-1) without it, in equal parts for a shared one.
        rate = (self.last_mean_reward * (players - 1) + 1) / players
        rate = min(1.0, max(0.0, rate))
        self.score = Score(self.baseline, games, rate, *wilson(rate, games))
        return go_on


class _Renamed:
    """A logger that files SB3's ``eval/`` figures under another name."""

    def __init__(self, logger: Logger, name: str) -> None:
        self._logger, self._name = logger, name

    def record(self, key: str, value: Any, exclude: Any = None) -> None:
        if key.startswith("eval/"):
            self._logger.record(key.replace("eval", self._name, 1), value, exclude)

    def dump(self, step: int) -> None:
        """Leave the writing to the run, which dumps all figures of an update at once."""


class BetweenRollouts(EventCallback):
    """Calls back before every rollout, and ends training there when told to.

    Args:
        begin: called before every rollout with a function that runs ``baselines``; returns whether to go on.
        baselines: evaluations, which run when that function is called.
    """

    def __init__(
        self, begin: Callable[[Callable[[], bool]], bool], baselines: list[BaselineEvaluation]
    ) -> None:
        super().__init__(CallbackList(list(baselines)))
        self._begin = begin
        self._go_on = True

    def _on_rollout_start(self) -> None:
        self._go_on = self._begin(self._on_event)

    def _on_step(self) -> bool:
        # SB3 lets a callback end training in mid-rollout only: the first step is then played for nothing.
        return self._go_on
