"""Every game as a native Gymnasium ``VectorEnv``: one learning seat in each of many games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kingmaker.envs.core.checks import check_actions, check_render_mode
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.loops import REASON_RUNNING
from kingmaker.envs.core.one_seat import observation_box
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import GameSpec, check_seed


class SeatVectorEnv(VectorEnv):
    """``num_envs`` one-seat environments in one compiled batch.

    Observations are float32 ``(N, F)``, rewards float64 ``(N,)``. ``info`` holds arrays over the
    environments: ``action_mask`` int8 ``(N, A)`` (all ones where an episode is over), ``seat`` and ``reason``
    int64 ``(N,)``, each with its ``_name`` bool ``(N,)``. Arrays are fresh on every call.

    Args:
        game: a spec, or a game's name or id.
        num_envs: number of games.
        autoreset_mode: ``NEXT_STEP`` (default): the step after an end ignores its action and returns the new
            episode's first observation with reward 0, which a trainer must drop. ``SAME_STEP``: the end's
            own step returns it, and ``final_obs`` and ``final_info`` hold the old one's last. ``DISABLED``:
            call ``reset(options={"reset_mask": ...})``.
        num_players, seat, opponents, reward, tables, illegal_action: as in ``SeatGames``.
        **options: rule options by name.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        num_players: int | None = None,
        render_mode: str | None = None,
        seat: Any = "random",
        opponents: Any = "random",
        reward: Any = "win",
        tables: Any = None,
        illegal_action: Any = "end",
        **options: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        self.games = SeatGames(
            game,
            num_envs,
            num_players,
            seat=seat,
            opponents=opponents,
            reward=reward,
            options=options,
            tables=tables,
            illegal_action=illegal_action,
        )
        self.num_envs = self.games.num_games
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": ["ansi"],
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_box(self.games.spec, self.games.num_players)
        self.single_action_space = spaces.Discrete(self.games.spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start new episodes, in all games or in those of ``options["reset_mask"]`` (bool ``(N,)``).

        Args:
            seed: restarts the chance of the games that are reset; ``None`` goes on. One integer serves all
                games; of a list, ``seed[i]`` gives game ``i`` the episodes that a one-seat environment has
                from ``reset(seed=seed[i])``.
            options: may hold ``reset_mask``.

        Raises:
            OptionError: for a seed that is no integer in ``[0, 2**63)``; nothing has changed then.
        """
        one, each = None, None
        if isinstance(seed, Sequence | np.ndarray):
            each = self._check_seeds(seed)
        elif seed is not None:
            one = check_seed(seed)
        chosen = self._reset_mask(options)
        super().reset(seed=one)
        if not self._begun or one is not None:
            self.games.seed(int(self.np_random.integers(2**63)), chosen)
        if each is not None:
            self._seed_each(each, chosen)
        self.games.reset(chosen)
        self._begun = True
        return self.games.observations.copy(), self._infos()

    def _check_seeds(self, seeds: Any) -> list[int | None]:
        if np.ndim(seeds) != 1 or len(seeds) != self.num_envs:
            raise OptionError(f"a list of seeds has one per game: {self.num_envs}, not {seeds!r}")
        return [None if seed is None else check_seed(seed) for seed in seeds]

    def _seed_each(self, seeds: list[int | None], chosen: np.ndarray | None) -> None:
        for i in range(self.num_envs) if chosen is None else chosen:
            seed = seeds[i]
            if seed is not None:
                self.games.seed_game(i, int(np_random(seed)[0].integers(2**63)))

    def _reset_mask(self, options: dict[str, Any] | None) -> np.ndarray | None:
        if not options or "reset_mask" not in options:
            return None
        if not self._begun:
            raise gymnasium.error.ResetNeeded("the first reset is of all games; pass no reset_mask")
        mask = options.pop("reset_mask")
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise TypeError(f"reset_mask is a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("reset_mask asks for no game to be reset")
        return np.flatnonzero(mask)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game; what an ended game does depends on ``autoreset_mode``."""
        self._check_begun()
        actions = check_actions(actions, self.num_envs)
        games = self.games
        ended = games.reasons != REASON_RUNNING
        if not ended.any():
            games.step(actions)
        else:
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise gymnasium.error.ResetNeeded(
                    f"games {np.flatnonzero(ended).tolist()} are over; reset them with reset_mask"
                )
            running = np.flatnonzero(~ended)
            games.step(actions[running], running)
            games.reset(np.flatnonzero(ended))
        rewards = games.rewards.astype(np.float64)
        terminated, truncated = games.terminated, games.truncated
        infos = self._restart_now(terminated | truncated)
        infos.update(self._infos())
        return games.observations.copy(), rewards, terminated, truncated, infos

    def _check_begun(self) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first; there are no games yet")

    def _restart_now(self, ended: np.ndarray) -> dict[str, Any]:
        """With ``SAME_STEP``, set aside the last views of the games in ``ended`` and start them anew."""
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not ended.any():
            return {}
        final_info = {name: np.where(_like(ended, value), value, 0) for name, value in self._facts().items()}
        final_info.update({f"_{name}": ended.copy() for name in tuple(final_info)})
        final_obs = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            final_obs[i] = self.games.observations[i].copy()
        self.games.reset(np.flatnonzero(ended))
        return {
            "final_obs": final_obs,
            "_final_obs": ended.copy(),
            "final_info": final_info,
            "_final_info": ended.copy(),
        }

    def _facts(self) -> dict[str, np.ndarray]:
        games = self.games
        return {
            "action_mask": games.masks.copy(),
            "seat": games.learners.copy(),
            "reason": games.reasons.copy(),
        }

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = self._facts()
        infos.update({f"_{name}": np.ones(self.num_envs, np.bool_) for name in tuple(infos)})
        return infos

    def action_masks(self) -> np.ndarray:
        """Return the masks as bool ``(N, A)``."""
        self._check_begun()
        return self.games.masks.astype(np.bool_)

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, as ``SeatGames.set_opponents``."""
        self.games.set_opponents(opponents)

    def render(self) -> tuple[str, ...] | None:
        """Return each game's position in words with ``render_mode="ansi"``."""
        if self.render_mode is None:
            return None
        self._check_begun()
        return tuple(self.games.game(i).position() for i in range(self.num_envs))


def _like(flags: np.ndarray, value: np.ndarray) -> np.ndarray:
    return flags.reshape(-1, *(1,) * (value.ndim - 1))


def make_vector_env(game: GameSpec | str, num_envs: int, **arguments: Any) -> SeatVectorEnv:
    """Return the vector environment of a game; arguments as ``SeatVectorEnv``."""
    return SeatVectorEnv(game, num_envs, **arguments)
