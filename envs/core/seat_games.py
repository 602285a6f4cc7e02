"""Games as one learning seat meets them: the opponents move inside.

The one-seat Gymnasium environment, its vector form and the SB3 ``VecEnv`` are thin layers over this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.checks import check_actions, check_count, check_index, is_integer, seated
from kingmaker.envs.core.errors import BrokenStep, GameOver, IllegalAction, OptionError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import (
    EXTERNAL,
    LEARNER,
    PURPOSE_AGENTS,
    PURPOSE_EPISODES,
    REASON_ILLEGAL,
    REASON_LIMIT,
    REASON_RULES,
    REASON_RUNNING,
    WAIT_EXTERNAL,
    WAIT_LEARNER,
    WAIT_NOTHING,
)
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import GameSpec, RewardMode, check_reward, check_seed

IllegalMode = Literal["end", "raise"]
ILLEGAL_MODES: tuple[IllegalMode, ...] = ("end", "raise")
ILLEGAL_PENALTY = -1.0


def check_illegal(mode: str) -> bool:
    """Return whether an illegal action raises; ``OptionError`` for an unknown mode."""
    if mode not in ILLEGAL_MODES:
        raise OptionError(f"illegal_action is one of {', '.join(ILLEGAL_MODES)}, not {mode!r}")
    return mode == "raise"


class SeatGames:
    """``num_games`` games, each with one seat played from outside and the others by agents.

    Arrays are written in place; ``N`` is ``num_games``.

    Attributes:
        observations: float32 ``(N, F)``, as the learner sees it at its own choice, or at the end.
        masks: int8 ``(N, A)``; all ones for an ended episode.
        learners: int64 ``(N,)``, the learner's seat in each game.
        rewards: float32 ``(N,)``, the learner's, non-zero only where an episode ended.
        reasons: int64 ``(N,)``, 0 running, 1 ended by the rules, 2 by a limit, 3 by an illegal action.

    Args:
        game: a spec, or a game's name or id.
        num_games: games in the batch.
        num_players: seats in each; the game's smallest count by default.
        seat: the learner's seat, or ``"random"`` to draw it for every episode.
        opponents: agents by name or as objects, from the learner's left on; one alone plays all seats.
        seed: integer in ``[0, 2**63)``.
        reward: ``"win"``, ``"placement"`` or ``"score"``.
        options: rule options by name.
        tables: path of a data file in place of the game's own.
        illegal_action: ``"end"`` ends the episode with a reward of -1, ``"raise"`` raises ``IllegalAction``.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_games: int,
        num_players: int | None = None,
        *,
        seat: int | Literal["random"] = "random",
        opponents: Any = "random",
        seed: int | None = None,
        reward: RewardMode = "win",
        options: Mapping[str, Any] | None = None,
        tables: Any = None,
        illegal_action: IllegalMode = "end",
    ) -> None:
        self.spec = game if isinstance(game, GameSpec) else get_spec(game)
        self.num_games = n = check_count("num_games", num_games)
        self.num_players = self.spec.check_seats(num_players)
        self.tables, self._options, self.options = self.spec.configure(options or {}, tables)
        self._raises = check_illegal(illegal_action)
        self._mode = check_reward(reward)
        self._scale = float(self.spec.score_scale(self.tables[0]))
        self._seat = self._check_seat(seat)
        self.states = np.zeros(n, self.spec.state_dtype)
        self.observations = np.zeros((n, self.spec.observation_size(self.num_players)), np.float32)
        self.masks = np.zeros((n, self.spec.num_actions), np.int8)
        self.learners = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float32)
        self.reasons = np.zeros(n, np.int64)
        self._truncated = np.zeros(n, np.bool_)
        self._waits = np.full(n, WAIT_NOTHING, np.int64)
        self._episodes = np.zeros(n, CHANCE)
        self._streams = np.zeros(n, CHANCE)
        self._ranks = np.zeros(self.num_players, np.int64)
        self._scores = np.zeros(self.num_players, np.float32)
        self._row = np.zeros(self.num_players, np.float32)
        self._everyone = np.arange(n)
        self.set_opponents(opponents)
        self.seed(seed)

    def _check_seat(self, seat: Any) -> int:
        if isinstance(seat, str) and seat == "random":
            return -1
        if not is_integer(seat) or not 0 <= seat < self.num_players:
            raise OptionError(f"seat is 0..{self.num_players - 1} or 'random', not {seat!r}")
        return int(seat)

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents; games under way go on against the new ones.

        Raises:
            OptionError: if their number does not fit.
            AgentError: if one cannot be loaded.
        """
        from kingmaker.agents.loader import load_agent

        given = (
            [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else opponents
        )
        self.opponents = [
            load_agent(agent, self.spec, self.num_players, seed=k, tables=self.tables)
            for k, agent in enumerate(seated(given, self.num_players - 1))
        ]
        self._kinds = np.array(
            [LEARNER, *(EXTERNAL if a.compiled is None else a.compiled for a in self.opponents)], np.int64
        )

    # --- play -----------------------------------------------------------------------------------------

    def seed(self, seed: int | None = None, chosen: np.ndarray | None = None) -> None:
        """Restart chance from ``seed``: all, or that of the games ``chosen`` and their compiled opponents."""
        seed = check_seed(seed)
        if chosen is not None:
            for i in chosen:
                self.seed_game(i, seed, place=i)
            return
        seeder = self.spec.entry("seed_streams")
        seeder(self._episodes, seed, 0, PURPOSE_EPISODES)
        seeder(self._streams, seed, 0, PURPOSE_AGENTS)
        for k, agent in enumerate(self.opponents):
            agent.seed((seed + k) % 2**63)

    def seed_game(self, index: int, seed: int, place: int = 0) -> None:
        """Give game ``index``, compiled opponents included, the chance of game ``place`` under ``seed``."""
        seeder = self.spec.entry("seed_streams")
        seeder(self._episodes[index : index + 1], seed, int(place), PURPOSE_EPISODES)
        seeder(self._streams[index : index + 1], seed, int(place), PURPOSE_AGENTS)

    def reset(self, chosen: np.ndarray | None = None) -> None:
        """Start new episodes in the games ``chosen`` (all by default), each up to the learner's choice.

        An episode that ends before the learner has had a choice is passed over.
        """
        chosen = self._everyone if chosen is None else np.ascontiguousarray(chosen, np.int64)
        todo = chosen
        while len(todo):
            self.spec.entry("seats_start")(
                self.states,
                self.tables,
                self._options,
                self.num_players,
                todo,
                self._episodes,
                self._streams,
                self._seat,
                self._kinds,
                self.learners,
                self._waits,
                self.observations,
                self.masks,
            )
            self._ask_outside_agents(todo)
            todo = todo[self._waits[todo] == WAIT_NOTHING]
        self.rewards[chosen] = 0
        self.reasons[chosen] = REASON_RUNNING

    def step(self, actions: Any, chosen: np.ndarray | None = None) -> None:
        """Play the learner's actions and then the opponents', up to its next choice or the end.

        Args:
            actions: integers, one for each game in ``chosen``.
            chosen: running games, ascending; all by default.

        Raises:
            IllegalAction: for anything else, and for an illegal action with ``illegal_action="raise"``;
                no game has been touched then.
            GameOver: if a game is over.
            BrokenStep: if an error of an opponent has left a game waiting for it.
        """
        chosen = self._everyone if chosen is None else np.ascontiguousarray(chosen, np.int64)
        actions = check_actions(actions, len(chosen))
        self._check_waiting(chosen)
        inside = (actions >= 0) & (actions < self.spec.num_actions)
        legal = inside & (self.masks[chosen, np.where(inside, actions, 0)] != 0)
        self.rewards[:] = 0
        if not legal.all():
            bad = chosen[~legal]
            if self._raises:
                k = int(np.flatnonzero(~legal)[0])
                raise IllegalAction(f"game {bad[0]}: {self.game(bad[0]).complaint(int(actions[k]))}")
            self.rewards[bad] = ILLEGAL_PENALTY
            self.reasons[bad] = REASON_ILLEGAL
            self.masks[bad] = 1
            chosen, actions = chosen[legal], actions[legal]
        self._advance(chosen, actions)
        self._ask_outside_agents(chosen)
        self._finish(chosen[self._waits[chosen] == WAIT_NOTHING])

    def _check_waiting(self, chosen: np.ndarray) -> None:
        """Raise unless the games ``chosen`` wait for their learners."""
        over = self.reasons[chosen] != REASON_RUNNING
        if over.any():
            raise GameOver(f"games {chosen[over].tolist()} are over; reset them")
        lost = self._waits[chosen] != WAIT_LEARNER
        if lost.any():
            raise BrokenStep(
                f"games {chosen[lost].tolist()} do not wait for the learner: they were never reset, or "
                "an error of an opponent broke off their last step; reset them"
            )

    def settle(self, action: int, wait: int | None) -> None:
        """Finish a step of a single game begun by the ``seat_turn`` kernel.

        Args:
            action: the learner's action.
            wait: what the kernel says the game waits for; ``None`` if it refused the action.
        """
        if wait is None:
            self.step([action])
            return
        self._waits[0] = wait
        self.rewards[0] = 0
        if wait == WAIT_EXTERNAL:
            self._ask_outside_agents(self._everyone)
        if self._waits[0] == WAIT_NOTHING:
            self._finish(self._everyone)

    def _advance(self, chosen: np.ndarray, actions: np.ndarray) -> None:
        self.spec.entry("seats_step")(
            self.states,
            self.tables,
            chosen,
            actions,
            self._streams,
            self._kinds,
            self.learners,
            self._waits,
            self.observations,
            self.masks,
        )

    def _ask_outside_agents(self, chosen: np.ndarray) -> None:
        """Let agents outside the kernels move until none is to move in ``chosen``."""
        while True:
            waiting = chosen[self._waits[chosen] == WAIT_EXTERNAL]
            if not len(waiting):
                return
            actors = self.states["actor"][waiting].astype(np.int64)
            places = (actors - self.learners[waiting]) % self.num_players
            actions = np.zeros(len(waiting), np.int64)
            for place in np.unique(places):
                rows = np.flatnonzero(places == place)
                games = waiting[rows]
                agent = self.opponents[place - 1]
                redealt = self._redealt(games, actors[rows]) if agent.uses_games else None
                actions[rows] = agent.act_batch(
                    self.observations[games], self.masks[games], actors[rows], redealt
                )
            self._advance(waiting, actions)

    def _redealt(self, games: np.ndarray, seats: np.ndarray) -> list[Game]:
        """Return copies in which chance and what the seat cannot know are drawn anew."""
        draw, seed = self.spec.entry("draw_seeds"), np.zeros(1, np.int64)
        copies = []
        for index, seat in zip(games, seats, strict=True):
            draw(self._streams[index : index + 1], seed)
            copies.append(self.game(index).redealt(int(seat), int(seed[0])))
        return copies

    def _finish(self, ended: np.ndarray) -> None:
        if not len(ended):
            return
        self.spec.entry("seats_returns")(
            self.states,
            self.tables,
            ended,
            self._mode,
            self._scale,
            self.learners,
            self._ranks,
            self._scores,
            self._row,
            self.rewards,
            self._truncated,
        )
        self.reasons[ended] = np.where(self._truncated[ended], REASON_LIMIT, REASON_RULES)

    @property
    def terminated(self) -> np.ndarray:
        """Episodes that the rules or an illegal action ended, bool ``(N,)``."""
        return (self.reasons == REASON_RULES) | (self.reasons == REASON_ILLEGAL)

    @property
    def truncated(self) -> np.ndarray:
        """Episodes that a limit ended, bool ``(N,)``."""
        return self.reasons == REASON_LIMIT

    def game(self, index: int) -> Game:
        """Return a copy of game ``index``; ``IndexError`` if there is none."""
        index = check_index(index, self.num_games)
        states = self.states[index : index + 1]
        return Game.from_arrays(self.spec, self.num_players, self.options, self.tables, self._options, states)
