"""Every game as a Stable-Baselines3 ``VecEnv``, straight over compiled batches of games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from kingmaker.envs.core.checks import check_render_mode
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.loops import REASON_LIMIT, REASON_RUNNING
from kingmaker.envs.core.one_seat import observation_box
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import GameSpec, check_seed


class SeatVecEnv(VecEnv):
    """``num_envs`` one-seat environments in one process, for any SB3 algorithm and for MaskablePPO.

    Observations are float32 ``(N, F)``, rewards float32 ``(N,)``, dones bool ``(N,)``, fresh on every call.
    An ended episode is followed in the same step by the next one; its ``info`` then holds
    ``terminal_observation`` (float32 ``(F,)``), ``TimeLimit.truncated`` (a limit ended it), ``episode``
    (return ``r``, length ``l`` in steps, seconds ``t``: what SB3's ``Monitor`` writes), ``seat`` and
    ``reason`` (as in ``SeatGames``). A running episode's ``info`` is empty. ``env_method("action_masks")``
    answers with one bool row ``(A,)`` an environment.

    Args:
        game: a spec, or a game's name or id.
        num_envs: number of games; a sequence makes groups of so many games, and each group may have
            opponents of its own.
        num_players, reward, tables, illegal_action: as in ``SeatGames``.
        render_mode: ``"ansi"`` or ``None``.
        seat: as in ``SeatGames``; a sequence holds one for each group.
        opponents: as in ``SeatGames``, for all groups.
        seed: integer in ``[0, 2**63)`` for all chance; ``seed()`` replaces it.
        **options: rule options by name.

    Raises:
        OptionError, TableError, AgentError: for arguments that do not fit.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_envs: int | Sequence[int],
        *,
        num_players: int | None = None,
        render_mode: str | None = None,
        seat: Any = "random",
        opponents: Any = "random",
        seed: int | None = None,
        reward: Any = "win",
        tables: Any = None,
        illegal_action: Any = "end",
        **options: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        sizes = list(num_envs) if isinstance(num_envs, Sequence) else [num_envs]
        several = isinstance(seat, Sequence) and not isinstance(seat, str)
        seats = list(seat) if several else [seat] * len(sizes)
        if not sizes or len(seats) != len(sizes):
            raise OptionError(f"num_envs needs a group, and each a seat: not {num_envs!r} and {seat!r}")
        self.groups = [
            SeatGames(
                game,
                size,
                num_players,
                seat=place,
                opponents=opponents,
                reward=reward,
                options=options,
                tables=tables,
                illegal_action=illegal_action,
            )
            for size, place in zip(sizes, seats, strict=True)
        ]
        first = self.groups[0]
        self.game_spec, self.num_players = first.spec, first.num_players
        self._starts = np.cumsum([0, *sizes])
        super().__init__(
            int(self._starts[-1]),
            observation_box(first.spec, first.num_players),
            spaces.Discrete(first.spec.num_actions),
        )
        self._began = time.perf_counter()
        self._actions = np.zeros(self.num_envs, np.int64)
        self._returns = np.zeros(self.num_envs, np.float64)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._seed_groups(seed)

    # --- play -----------------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Restart all chance from ``seed`` at the next ``reset()``; SB3's algorithms pass theirs here."""
        return super().seed(seed)

    def _seed_groups(self, seed: int | None) -> None:
        # Unrelated seeds a group: the streams of a batch are counted from 0 in each of them.
        words = np.random.SeedSequence(check_seed(seed)).generate_state(len(self.groups), np.uint64)
        for games, word in zip(self.groups, words, strict=True):
            games.seed(int(word >> 1))

    def reset(self) -> np.ndarray:
        """Start a new episode in every environment; return float32 ``(N, F)``."""
        if self._seeds[0] is not None:
            self._seed_groups(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        for games in self.groups:
            games.reset()
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._gathered("observations")

    def step_async(self, actions: np.ndarray) -> None:
        """Take integer actions ``(N,)`` for ``step_wait``."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions, then the opponents up to each learner's next choice.

        Raises:
            IllegalAction: with ``illegal_action="raise"``, before any game of that group is touched.
        """
        for games, start in zip(self.groups, self._starts[:-1], strict=True):
            games.step(self._actions[start : start + games.num_games])
        rewards, reasons = self._gathered("rewards"), self._gathered("reasons")
        dones = reasons != REASON_RUNNING
        self._returns += rewards
        self._lengths += 1
        # Fresh dicts cost 0.02 microseconds each; a shared one would spread what a wrapper writes into it.
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            self._close_episodes(ended, reasons, infos)
        return self._gathered("observations"), rewards, dones, infos

    def _close_episodes(self, ended: np.ndarray, reasons: np.ndarray, infos: list[dict[str, Any]]) -> None:
        """Write the infos of the ``ended`` environments and start their next episodes."""
        last = self._gathered("observations")[ended]
        seats = self._gathered("learners")[ended].tolist()
        seconds = round(time.perf_counter() - self._began, 6)
        returns, lengths = self._returns[ended].tolist(), self._lengths[ended].tolist()
        for k, (i, reason) in enumerate(zip(ended.tolist(), reasons[ended].tolist(), strict=True)):
            infos[i] = {
                "terminal_observation": last[k],
                "TimeLimit.truncated": reason == REASON_LIMIT,
                "episode": {"r": returns[k], "l": lengths[k], "t": seconds},
                "seat": seats[k],
                "reason": reason,
            }
        self._returns[ended] = 0
        self._lengths[ended] = 0
        for games in self.groups:
            over = np.flatnonzero(games.reasons != REASON_RUNNING)
            if len(over):
                games.reset(over)

    def _gathered(self, name: str) -> np.ndarray:
        """Return a fresh array of all groups' rows of an attribute."""
        return np.concatenate([getattr(games, name) for games in self.groups])

    def action_masks(self) -> np.ndarray:
        """Return the masks of all environments, bool ``(N, A)``."""
        return self._gathered("masks").view(np.bool_)  # int8 0 and 1, fresh: no second copy

    def set_opponents(self, opponents: Any, group: int | None = None) -> None:
        """Replace the opponents of a group, or of all; games under way go on against the new ones.

        Raises:
            OptionError, AgentError: if there is no such group, or the opponents do not fit.
        """
        if group is not None and (isinstance(group, bool) or group not in range(len(self.groups))):
            raise OptionError(f"groups are 0..{len(self.groups) - 1}, not {group!r}")
        for games in self.groups if group is None else [self.groups[group]]:
            games.set_opponents(opponents)

    def render(self, mode: str | None = None) -> Any:
        """Return each game's position in words with ``render_mode="ansi"``."""
        return None if self.render_mode is None else self._positions(range(self.num_envs))

    def _positions(self, indices: Any) -> list[str]:
        return [self._game(i).position() for i in indices]

    def _game(self, index: int) -> Any:
        group = int(np.searchsorted(self._starts, index, side="right")) - 1
        return self.groups[group].game(index - int(self._starts[group]))

    def close(self) -> None:
        """Do nothing: there are no processes or windows."""

    # --- SB3's questions about single environments ----------------------------------------------------

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Answer ``action_masks``, ``game`` (a copy of the game) or ``render`` for each environment.

        Raises:
            AttributeError: for any other method.
        """
        chosen = self._get_indices(indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return list(masks if indices is None else masks[list(chosen)])
        if method_name == "game":
            return [self._game(i) for i in chosen]
        if method_name == "render":
            return self._positions(chosen)
        raise AttributeError(f"{type(self).__name__} has no method {method_name!r} of single environments")

    def has_attr(self, attr_name: str) -> bool:
        """Return whether ``get_attr`` knows the name; costs no masks."""
        return attr_name == "action_masks" or attr_name in _SHARED

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each environment.

        Raises:
            AttributeError: for an unknown one.
        """
        chosen = self._get_indices(indices)
        if attr_name == "action_masks":
            return [partial(self._mask, i) for i in chosen]
        if attr_name in _SHARED:
            return [getattr(self, attr_name) for _ in chosen]
        raise AttributeError(f"{type(self).__name__} has no attribute {attr_name!r} of single environments")

    def _mask(self, index: int) -> np.ndarray:
        return self.action_masks()[index]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: environments of one batch share their attributes; see ``set_opponents``.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(
            f"{attr_name!r} cannot be set: the environments are one batch; "
            "use set_opponents() or a new SeatVecEnv"
        )

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None) -> list[bool]:
        """Return True for ``Monitor``, since the episode statistics are kept here; False for the rest."""
        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]


_SHARED = ("render_mode", "observation_space", "action_space", "game_spec", "num_players")
