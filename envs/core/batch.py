"""Many games at once: the interface for self-play trainers, searches and tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.checks import check_actions, check_count, check_index, check_integers
from kingmaker.envs.core.contract import RUNNING, TRUNCATED
from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import PURPOSE_AGENTS, PURPOSE_EPISODES
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import MAX_SEED, GameSpec, RewardMode, check_reward, check_seed

MAX_GAMES = 2**29  # streams are told apart by the index of their game, below this (``loops.seed_streams``)


class BatchGames:
    """``num_games`` games stepped together; whoever is to move in each game moves.

    The arrays below are written in place by every ``step`` and ``reset``: copy what must last, and do not
    write to them. ``N`` is ``num_games``, ``P`` the seat count.

    Attributes:
        observations: float32 ``(N, F)``, as seen by the seat to move.
        masks: int8 ``(N, A)``; all zero only for an ended game that is not reset.
        actors: int64 ``(N,)``, the seat to move, -1 for an ended game that is not reset.
        rewards: float32 ``(N, P)``, of the last step by seat; non-zero only where a game ended, zero-sum.
        ranks: int64 ``(N, P)``, 0 is best; valid where ``dones``.
        scores: float32 ``(N, P)``, in game points; valid where ``dones``.
        dones: bool ``(N,)``, games that the last step ended.
        truncated: bool ``(N,)``, those of them that a limit ended.

    Args:
        game: a spec, or a game's name or id.
        num_games: games in the batch.
        num_players: seats in each; the game's smallest count by default.
        seed: integer in ``[0, 2**63)``; game ``i`` depends on ``seed`` and ``first_game + i`` only.
        reward: ``"win"``, ``"placement"`` or ``"score"``.
        options: rule options by name.
        tables: path of a data file in place of the game's own.
        autoreset: whether an ended game starts anew in the same step; otherwise it ignores actions.
        threads: threads to split the batch over; the kernels release the GIL. Waking a thread takes about as
            long as stepping 1,500 games, so this pays for batches of 30,000 games and more.
        first_game: index of the first game, for splitting one batch over processes.

    Raises:
        OptionError, TableError: for arguments or a data file that do not fit.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_games: int,
        num_players: int | None = None,
        *,
        seed: int | None = None,
        reward: RewardMode = "win",
        options: Mapping[str, Any] | None = None,
        tables: Any = None,
        autoreset: bool = True,
        threads: int = 1,
        first_game: int = 0,
    ) -> None:
        self.spec = game if isinstance(game, GameSpec) else get_spec(game)
        self.num_games = check_count("num_games", num_games, high=MAX_GAMES)
        threads = check_count("threads", threads)
        self.num_players = self.spec.check_seats(num_players)
        self.tables, self._options, self.options = self.spec.configure(options or {}, tables)
        self.autoreset = bool(autoreset)
        self._first_game = check_count("first_game", first_game, 0, MAX_GAMES - self.num_games)
        self._mode = check_reward(reward)
        self._scale = float(self.spec.score_scale(self.tables[0]))
        n, p = self.num_games, self.num_players
        self.states = np.zeros(n, self.spec.state_dtype)
        self.observations = np.zeros((n, self.spec.observation_size(p)), np.float32)
        self.masks = np.zeros((n, self.spec.num_actions), np.int8)
        self.actors = np.zeros(n, np.int64)
        self.rewards = np.zeros((n, p), np.float32)
        self.ranks = np.zeros((n, p), np.int64)
        self.scores = np.zeros((n, p), np.float32)
        self._over = np.zeros(n, np.int64)
        self._episodes = np.zeros(n, CHANCE)
        self._agents = np.zeros(n, CHANCE)
        self._parts = _split(n, threads)
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.reset(seed)

    # --- play -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Start all games anew, from ``seed`` or else from where the episode streams stand."""
        if seed is not None or not self._episodes["counter"][0]:
            self.seed = check_seed(seed)
            seeder = self.spec.entry("seed_streams")
            seeder(self._episodes, self.seed, self._first_game, PURPOSE_EPISODES)
            seeder(self._agents, self.seed, self._first_game, PURPOSE_AGENTS)
        seeds = np.empty(self.num_games, np.int64)
        self.spec.entry("draw_seeds")(self._episodes, seeds)
        self.start(seeds)

    def start(self, seeds: Any) -> None:
        """Start game ``i`` as ``Game(..., seed=seeds[i])`` does; the episode streams stay where they are.

        Raises:
            OptionError: unless there is one seed in ``[0, 2**63)`` for each game.
        """
        seeds = check_integers("seeds", seeds, self.num_games, high=MAX_SEED)
        run = self.spec.entry("batch_reset")
        self._over[:] = RUNNING
        self.rewards[:] = 0
        self._each(
            lambda part: run(
                self.states[part],
                self.tables,
                self._options,
                self.num_players,
                seeds[part],
                self.observations[part],
                self.masks[part],
                self.actors[part],
            )
        )

    def step(self, actions: Any) -> None:
        """Apply one action to every game.

        Args:
            actions: integers ``(N,)``; those of ended games are ignored.

        Raises:
            IllegalAction: if any is illegal; no game has been touched then.
        """
        actions = check_actions(actions, self.num_games)
        # On one thread: looking at the whole batch takes less than it takes to wake another.
        bad = self.spec.entry("first_illegal")(actions, self.masks, self.actors)
        if bad >= 0:
            raise IllegalAction(f"game {bad}: {self.game(bad).complaint(int(actions[bad]))}")
        run = self.spec.entry("batch_step")
        self._each(
            lambda part: run(
                self.states[part],
                self.tables,
                self._options,
                self._episodes[part],
                actions[part],
                self.autoreset,
                self._mode,
                self._scale,
                self.observations[part],
                self.masks[part],
                self.actors[part],
                self.rewards[part],
                self.ranks[part],
                self.scores[part],
                self._over[part],
            )
        )

    @property
    def dones(self) -> np.ndarray:
        """Games that have ended: in the last step, or for good without ``autoreset``."""
        return self._over != RUNNING

    @property
    def truncated(self) -> np.ndarray:
        """Ended games that a limit, not the rules, ended."""
        return self._over == TRUNCATED

    def random_actions(self) -> np.ndarray:
        """Return uniform legal actions, int64 ``(N,)``, from the batch's own agent streams."""
        actions = np.empty(self.num_games, np.int64)
        run = self.spec.entry("batch_random")
        self._each(lambda part: run(self.masks[part], self.actors[part], self._agents[part], actions[part]))
        return actions

    def _each(self, run: Callable[[slice], None]) -> None:
        """Run a kernel over the parts of the batch, the first on this thread."""
        others = [self._pool.submit(run, part) for part in self._parts[1:]] if self._pool else []
        run(self._parts[0])
        for other in others:
            other.result()

    # --- single games ---------------------------------------------------------------------------------

    def game(self, index: int) -> Game:
        """Return a copy of game ``index``; ``IndexError`` if there is none."""
        index = check_index(index, self.num_games)
        states = self.states[index : index + 1]
        return Game.from_arrays(self.spec, self.num_players, self.options, self.tables, self._options, states)

    def redeal(self, seats: Any, seeds: Any) -> None:
        """Draw again what ``seats[i]`` cannot know in game ``i``, from ``seeds[i]``; views stay.

        Args:
            seats: integers ``(N,)``, seats of the game.
            seeds: integers ``(N,)`` in ``[0, 2**63)``.

        Raises:
            OptionError: for anything else.
        """
        seats = check_integers("seats", seats, self.num_games, high=self.num_players - 1)
        seeds = check_integers("seeds", seeds, self.num_games, high=MAX_SEED)
        self.spec.entry("batch_redeal")(self.states, self.tables, seats, seeds)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_pool"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pool = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None


def _split(count: int, parts: int) -> list[slice]:
    edges = np.linspace(0, count, min(parts, count) + 1).astype(int)
    return [slice(int(a), int(b)) for a, b in pairwise(edges)]
