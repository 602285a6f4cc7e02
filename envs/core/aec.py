"""Every game as a PettingZoo AEC environment.

The checks that PettingZoo leaves to three wrappers (order of calls, bounds, illegal actions) are done here,
mostly inside the compiled step: behind the wrappers no environment can be fast.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.checks import check_render_mode
from kingmaker.envs.core.contract import TRUNCATED
from kingmaker.envs.core.errors import IllegalAction, OptionError
from kingmaker.envs.core.game import Game, action_index
from kingmaker.envs.core.log import GameLog, Start
from kingmaker.envs.core.loops import (
    PURPOSE_EPISODES,
    REASON_ILLEGAL,
    REASON_LIMIT,
    REASON_RULES,
    REASON_RUNNING,
    TURN_OVER,
)
from kingmaker.envs.core.one_seat import observation_box
from kingmaker.envs.core.record import copy_records
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.seat_games import ILLEGAL_PENALTY, IllegalMode, check_illegal
from kingmaker.envs.core.spec import GameSpec, RewardMode, check_reward, check_seed
from kingmaker.envs.core.words import Description

# What only exists between reset and the next construction.
_BY_AGENT = ("rewards", "_cumulative_rewards", "terminations", "truncations")
_AFTER_RESET = frozenset(
    ("agents", "num_agents", "agent_selection", "infos", "_reason", "_actor", "_start", *_BY_AGENT)
)
_SAVED = ("game", "state", "agents", "agent_selection", "reason", "rewards", "cumulative_rewards", "episodes")


class IllegalActionWarning(UserWarning):
    """An illegal action ended a game (``illegal_action="end"``)."""


class NotReset(ResetNeeded, AttributeError):
    """What only a reset brings was asked for; an ``AttributeError``, so that ``hasattr`` works."""


class AECGame(AECEnv):
    """A game for agents ``player_0`` ... in PettingZoo's agent-environment cycle.

    Observations are dicts: ``observation``, float32 ``(F,)`` from the agent's own view, and ``action_mask``,
    int8 ``(A,)``, all zero for an agent that is not to move. Rewards come at the end, for all agents at once,
    and sum to zero. ``infos[agent]["reason"]`` says why a game ended: 0 not yet, 1 by the rules, 2 by a
    limit, 3 by an illegal action.

    Args:
        game: a spec, or a game's name or id.
        num_players: seats in play; the game's smallest count by default.
        render_mode: ``"ansi"`` or ``None``.
        reward: ``"win"``, ``"placement"`` or ``"score"``.
        illegal_action: ``"end"`` warns, ends the game with -1 for the offender and 0 for the others (as
            PettingZoo's ``TerminateIllegalWrapper`` does); ``"raise"`` raises and changes nothing. A number
            outside the action table raises either way, unlike in the one-seat and vector environments.
        tables: path of a data file in place of the game's own.
        **options: rule options by name.

    Raises:
        OptionError, TableError: for arguments or a data file that do not fit.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_players: int | None = None,
        *,
        render_mode: str | None = None,
        reward: RewardMode = "win",
        illegal_action: IllegalMode = "end",
        tables: Any = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.spec = game if isinstance(game, GameSpec) else get_spec(game)
        self.render_mode = check_render_mode(render_mode)
        self.num_players = self.spec.check_seats(num_players)
        self._tables, self._record, self.options = self.spec.configure(options, tables)
        self._raises = check_illegal(illegal_action)
        self._mode = check_reward(reward)
        self._scale = float(self.spec.score_scale(self._tables[0]))
        self.metadata = {
            "name": f"{self.spec.name}_v{self.spec.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces()
        self._states = np.zeros(1, self.spec.state_dtype)
        self._observation = np.zeros(self._size, np.float32)
        self._mask = np.zeros(self.spec.num_actions, np.int8)
        self._no_mask = np.zeros_like(self._mask)
        self._episodes = np.zeros(1, CHANCE)
        self._seed = np.zeros(1, np.int64)
        # Ranks, scores and returns, as the kernel writes them.
        self._results = tuple(np.zeros(self.num_players, kind) for kind in (np.int64, np.float32, np.float32))
        self._bind()

    def _make_spaces(self) -> None:
        box = observation_box(self.spec, self.num_players)
        self._size = box.shape[0]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_box(self.spec, self.num_players),
                    "action_mask": spaces.Box(0, 1, (self.spec.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.spec.num_actions) for agent in self.possible_agents}
        low, high = (np.tile(bound, self.num_players) for bound in (box.low, box.high))
        self.state_space = spaces.Box(low, high, dtype=np.float32)

    def _bind(self) -> None:
        self._take_turn = self.spec.entry("take_turn")
        self._write_observation = self.spec.entry("write_observation")
        self._game_returns = self.spec.entry("game_returns")

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the observation space of ``agent``, the same object on each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Return the action space of ``agent``, the same object on each call."""
        return self.action_spaces[agent]

    # --- the cycle ------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: integer in ``[0, 2**63)``; ``None`` goes on with the stream of the last seed.
            options: ignored; rule options are set when the environment is made.
        """
        if seed is not None or not self._episodes["counter"][0]:
            seeder = self.spec.entry("seed_streams")
            seeder(self._episodes, check_seed(seed), 0, PURPOSE_EPISODES)
        self.spec.entry("draw_seeds")(self._episodes, self._seed)
        episode = int(self._seed[0])
        actor = self.spec.entry("start_game")(
            self._states,
            self._tables,
            self._record,
            self.num_players,
            episode,
            self._observation,
            self._mask,
        )
        self._begin(Start(seed=episode), actor)

    def _begin(self, start: Start, actor: int) -> None:
        self._start = start
        self._history: list[int] = []
        self._reason = REASON_RUNNING
        self._skip_agent_selection = None
        self._actor = actor
        self.agents = self.possible_agents[:]
        self.agent_selection = self.possible_agents[actor]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"reason": REASON_RUNNING} for agent in self.agents}

    def step(self, action: Any) -> None:
        """Take ``action`` for ``agent_selection``; for an agent whose game has ended it must be ``None``.

        Raises:
            ResetNeeded: before the first ``reset`` or when no agent is left.
            IllegalAction: for something that is no action of the table, and with ``illegal_action="raise"``
                for one that the rules forbid now; the game is unchanged.
        """
        if self._reason != REASON_RUNNING:
            self._step_ended(action)
            return
        if action.__class__ is not int or action.bit_length() > 63:
            action = action_index(action, self.spec.num_actions)
        # Rewards come at the end only, so there is nothing to clear or to accumulate before that.
        answer = self._take_turn(self._states, self._tables, action, self._observation, self._mask)
        if answer >= 0:
            self._history.append(action)
            self._actor = answer
            self.agent_selection = self.possible_agents[answer]
        elif answer == TURN_OVER:
            self._history.append(action)
            self._end_by_rules()
        else:
            self._refuse(action)

    def _step_ended(self, action: Any) -> None:
        if not self.agents:
            raise ResetNeeded("the game is over and all agents are done; call reset() first")
        self._was_dead_step(action)

    def _refuse(self, action: int) -> None:
        message = self.game().complaint(action)
        if self._raises or not 0 <= action < self.spec.num_actions:
            raise IllegalAction(message)
        warnings.warn(f"{message}; this ends the game", IllegalActionWarning, stacklevel=3)
        rewards = dict.fromkeys(self.agents, 0.0)
        rewards[self.agent_selection] = ILLEGAL_PENALTY
        self._end(REASON_ILLEGAL, rewards, terminated=True, truncated=True)

    def _end_by_rules(self) -> None:
        self._game_returns(self._states, self._tables, self._mode, self._scale, *self._results)
        rewards = dict(zip(self.possible_agents, self._results[-1].tolist(), strict=True))
        limit = int(self._states["over"][0]) == TRUNCATED
        reason = REASON_LIMIT if limit else REASON_RULES
        self._end(reason, rewards, terminated=not limit, truncated=limit)

    def _end(self, reason: int, rewards: dict[str, float], *, terminated: bool, truncated: bool) -> None:
        self._reason = reason
        self._actor = -1
        self._mask[:] = 0
        self.agent_selection = self.possible_agents[0]
        self.rewards = rewards
        self._cumulative_rewards = dict(rewards)
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: {"reason": reason} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what ``agent`` sees, at any time after the first reset; fresh arrays on each call."""
        try:
            seat = self._seats[agent]
        except KeyError:
            raise KeyError(f"agents are {', '.join(self.possible_agents)}, not {agent!r}") from None
        if seat == self._actor:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        observation = np.empty(self._size, np.float32)
        self._write_observation(self._states, self._tables, seat, observation)
        return {"observation": observation, "action_mask": self._no_mask.copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last turn, flags and info of ``agent_selection``."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """Return all seats' observations one after the other, float32 ``(P * F,)``."""
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    def render(self) -> str | None:
        """Return the position in words with ``render_mode="ansi"``."""
        if self.render_mode is None:
            warnings.warn("render() does nothing without render_mode='ansi'", stacklevel=2)
            return None
        return self.game().position()

    def close(self) -> None:
        """Do nothing; there is nothing to release."""

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise NotReset(f"call reset() before using {name.lstrip('_')!r}")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    # --- beyond PettingZoo ----------------------------------------------------------------------------

    def game(self) -> Game:
        """Return the game as it stands, as a ``Game`` of its own; ``ResetNeeded`` before the first reset."""
        if "agents" not in self.__dict__:
            raise NotReset("call reset() before using 'game'")
        return self._game()

    def _game(self) -> Game:
        return Game.from_arrays(
            self.spec, self.num_players, self.options, self._tables, self._record, self._states
        )

    def describe(self) -> Description:
        """Return the position and every action in words, with the rule that forbids an illegal one."""
        return self.game().describe()

    def log(self) -> GameLog:
        """Return the log of the game so far; see ``GameLog.save``."""
        return GameLog.of_play(self.game(), self._start, self._history)

    def clone(self) -> AECGame:
        """Return an independent environment in the same state, chance included; the spaces are shared."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        for name in ("_states", "_episodes"):
            setattr(other, name, copy_records(getattr(self, name)))
        for name in ("_observation", "_mask", "_seed"):
            setattr(other, name, getattr(self, name).copy())
        other._results = tuple(part.copy() for part in self._results)
        if "agents" in self.__dict__:
            for name in ("agents", "_history", *_BY_AGENT):
                setattr(other, name, getattr(self, name).copy())
            other.infos = {agent: dict(info) for agent, info in self.infos.items()}
        return other

    __copy__ = clone

    def save_state(self) -> dict[str, Any]:
        """Return the game and its place in the cycle as plain data."""
        return {
            "game": self.spec.id,
            "state": self._states.tobytes(),
            "agents": list(self.agents),
            "agent_selection": self.agent_selection,
            "reason": self._reason,
            "rewards": dict(self.rewards),
            "cumulative_rewards": dict(self._cumulative_rewards),
            "episodes": self._episodes.tobytes(),
        }

    def load_state(self, saved: Mapping[str, Any]) -> None:
        """Take over what ``save_state`` returned, from an environment made with the same arguments.

        Raises:
            OptionError: if it comes from another game, is incomplete or is damaged; nothing has changed then.
        """
        missing = set(_SAVED) - set(saved)
        if missing or saved["game"] != self.spec.id:
            raise OptionError(f"not a saved state of {self.spec.id}: {sorted(missing) or saved['game']}")
        game = self._game()
        try:
            game.load(saved["state"])
            episodes = np.frombuffer(saved["episodes"], CHANCE, count=1)
            agents = self._saved_agents(saved, game)
            rewards, cumulative = (
                {agent: float(saved[name][agent]) for agent in agents}
                for name in ("rewards", "cumulative_rewards")
            )
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"not a saved state of {self.spec.id}: {error}") from None
        self._states[:] = game.states
        self._episodes[:] = episodes
        self._mask[:] = game.mask()
        self._observation[:] = game.observe()
        self._begin(Start(state=saved["state"]), game.actor)
        reason = saved["reason"]
        if reason != REASON_RUNNING:
            self.agents = agents
            truncated = reason in (REASON_LIMIT, REASON_ILLEGAL)
            self._end(reason, rewards, terminated=reason != REASON_LIMIT, truncated=truncated)
            self._cumulative_rewards = cumulative
            self.agent_selection = saved["agent_selection"]

    def _saved_agents(self, saved: Mapping[str, Any], game: Game) -> list[str]:
        """Return the agents of a saved state; ``ValueError`` if its place in the cycle is impossible."""
        agents = [agent for agent in self.possible_agents if agent in saved["agents"]]
        selection, reason = saved["agent_selection"], saved["reason"]
        if game.over:
            fits = reason == (REASON_LIMIT if game.truncated else REASON_RULES)
        else:
            fits = reason in (REASON_RUNNING, REASON_ILLEGAL)
        if reason == REASON_RUNNING:
            fits = fits and agents == self.possible_agents and selection == agents[game.actor]
        if not fits or selection not in agents:
            raise ValueError(f"agents {saved['agents']}, agent_selection {selection!r}, reason {reason}")
        return agents

    def __getstate__(self) -> dict[str, Any]:
        kernels = ("_take_turn", "_write_observation", "_game_returns")
        return {k: v for k, v in self.__dict__.items() if k not in kernels}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()


def make_aec_env(game: GameSpec | str, num_players: int | None = None, **arguments: Any) -> AECGame:
    """Return the AEC environment of a game; arguments as ``AECGame``."""
    return AECGame(game, num_players, **arguments)
