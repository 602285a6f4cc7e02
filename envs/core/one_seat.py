"""Every game as a Gymnasium environment: one seat learns, agents play the others."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from kingmaker.envs.core.checks import check_render_mode
from kingmaker.envs.core.game import Game, action_index
from kingmaker.envs.core.loops import (
    REASON_LIMIT,
    REASON_RUNNING,
    TURN_ILLEGAL,
    WAIT_LEARNER,
)
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import GameSpec
from kingmaker.envs.core.words import Description


def observation_box(spec: GameSpec, num_players: int) -> spaces.Box:
    """Return the space of one seat's observation vector, with each feature's own bounds."""
    features = spec.features(num_players)
    low = np.concatenate([np.full(f.size, f.low, np.float32) for f in features])
    high = np.concatenate([np.full(f.size, f.high, np.float32) for f in features])
    return spaces.Box(low, high, dtype=np.float32)


class SeatEnv(gymnasium.Env):
    """One seat of a game.

    Observations are float32 ``(F,)``; actions ``Discrete(A)``. ``info`` has the same keys on every call:
    ``action_mask`` (int8 ``(A,)``; all ones once the episode is over), ``seat`` and ``reason`` (0 running,
    1 ended by the rules, 2 by a limit, 3 by an illegal action). sb3-contrib finds ``action_masks``.

    Args:
        game: a spec, or a game's name or id.
        render_mode: ``"ansi"`` or ``None``.
        num_players, seat, opponents, reward, tables, illegal_action: as in ``SeatGames``. With
            ``illegal_action="end"`` a number outside the action table ends the episode too, unlike in the AEC
            environment, where it raises.
        **options: rule options by name.

    Raises:
        OptionError, TableError, AgentError: for arguments that do not fit.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's convention

    def __init__(
        self,
        game: GameSpec | str,
        *,
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
            1,
            num_players,
            seat=seat,
            opponents=opponents,
            reward=reward,
            options=options,
            tables=tables,
            illegal_action=illegal_action,
        )
        self.game_spec = self.games.spec
        self.observation_space = observation_box(self.game_spec, self.games.num_players)
        self.action_space = spaces.Discrete(self.game_spec.num_actions)
        self._begun = self._running = False
        self._bind()

    def _bind(self) -> None:
        games = self.games
        self._seat_turn = self.game_spec.entry("seat_turn")
        self._observation, self._mask = games.observations[0], games.masks[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode; ``seed`` restarts all chance, without it the streams go on."""
        fresh = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or fresh:
            self.games.seed(int(self.np_random.integers(2**63)))
        self.games.reset()
        self._begun = self._running = True
        self._seat = int(self.games.learners[0])
        return self._observation.copy(), self._info(REASON_RUNNING)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, then the opponents up to this seat's next choice or the end.

        Raises:
            IllegalAction: for what is no integer, and with ``illegal_action="raise"`` for what the rules
                forbid; the game is unchanged.
            ResetNeeded: if no episode is running, or an opponent's error broke off the last step.
        """
        if not self._running:
            raise gymnasium.error.ResetNeeded(
                "the episode is over or not begun, or an opponent's error broke off its last step; "
                "call reset() first"
            )
        if action.__class__ is not int or action.bit_length() > 63:
            action = action_index(action, self.game_spec.num_actions)
        games = self.games
        wait = self._seat_turn(
            games.states,
            games.tables,
            action,
            games._streams,
            games._kinds,
            games.learners,
            games.observations,
            games.masks,
        )
        if wait != WAIT_LEARNER:
            self._running = wait == TURN_ILLEGAL  # if an opponent's error breaks this step off, it stays so
            games.settle(action, None if wait == TURN_ILLEGAL else wait)
            reason = int(games.reasons[0])
            self._running = reason == REASON_RUNNING
            if not self._running:
                return (
                    self._observation.copy(),
                    float(games.rewards[0]),
                    reason != REASON_LIMIT,
                    reason == REASON_LIMIT,
                    self._info(reason),
                )
        return self._observation.copy(), 0.0, False, False, self._info(REASON_RUNNING)

    def _info(self, reason: int) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seat": self._seat, "reason": reason}

    def action_masks(self) -> np.ndarray:
        """Return the mask as bool ``(A,)``, the form that sb3-contrib asks for."""
        self._check_begun()
        return self._mask.astype(np.bool_)

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, as ``SeatGames.set_opponents``."""
        self.games.set_opponents(opponents)

    def render(self) -> str | None:
        """Return the position in words with ``render_mode="ansi"``."""
        return self.game().position() if self.render_mode == "ansi" else None

    def game(self) -> Game:
        """Return a copy of the game as it stands."""
        self._check_begun()
        return self.games.game(0)

    def describe(self) -> Description:
        """Return the position and every action in words, with the rule that forbids an illegal one."""
        return self.game().describe()

    def _check_begun(self) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first; there is no game yet")

    def __getstate__(self) -> dict[str, Any]:
        hidden = ("_seat_turn", "_observation", "_mask")
        return {k: v for k, v in self.__dict__.items() if k not in hidden}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()


def make_seat_env(game: GameSpec | str, **arguments: Any) -> SeatEnv:
    """Return the one-seat environment of a game; arguments as ``SeatEnv``."""
    return SeatEnv(game, **arguments)
