"""Solving Krig: the win probability of perfect play from every position.

Two seats play a game of complete information with chance, which has a value and optimal play without
randomisation (Shapley 1953). It is found by dynamic programming: pairs of hit points by ascending total,
within them pairs of token counts, within these the iteration of ``layer``. Pairs of equal total do not
depend on each other and are spread over threads.

The limit on turns (KR-55) is left out: agents do not see the turn, and play that wants to win never nears it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from kingmaker.agents.exact.decisions import action_values, decision_work
from kingmaker.agents.exact.layer import solve_pair
from kingmaker.agents.exact.layout import Figures, Work, attack_positions, memory_needed, new_work
from kingmaker.agents.exact.rolls import HIGHEST, LOWEST
from kingmaker.agents.exact.turns import no_policy
from kingmaker.envs.core.errors import AgentError

TOLERANCE = 1e-11  # largest change of a value in the last sweep
MAX_SWEEPS = 100_000
MEMORY_LIMIT = 1 << 30
THREADS = 2
PERFECT = (HIGHEST, LOWEST)  # both seats play to win; values are those of seat 0

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game.

    Attributes:
        figures: what it was solved for.
        values: float64 of ``figures.value_shape()``: win probability of seat 0 by seat to act, hit points of
            seats 0 and 1 less one, tokens of both, configuration (``layout.configuration``).
        seconds: wall time that solving took.
        sweeps: Gauss-Seidel sweeps over a pair of hit points and tokens, summed.
        memory: bytes of all arrays used.
    """

    figures: Figures
    values: np.ndarray
    seconds: float
    sweeps: int
    memory: int

    def start(self, first: int, second: int, tokens: int | None = None) -> float:
        """Return the win probability of the seat that goes first, by hit points of both seats."""
        t = self.figures.tokens if tokens is None else tokens
        return float(self.values[0, first - 1, second - 1, t, t, 0])

    def action_values(
        self, observations: np.ndarray, num_actions: int, work: Work | None = None
    ) -> np.ndarray:
        """Return each action's win probability for the seat that decides, float64 ``(n, A)``.

        Args:
            observations: float32 ``(n, F)``, seen by seats that are to decide.
            num_actions: size of the action table; illegal actions get NaN.
            work: scratch space from ``decision_work``, for callers that ask often.

        Raises:
            AgentError: if an observation is no decision of this game.
        """
        out = np.empty((len(observations), num_actions))
        seen = np.ascontiguousarray(observations, np.float32)
        work = decision_work(self.figures) if work is None else work
        wrong = action_values(self.values, self.figures, work, no_policy(), PERFECT, seen, out)
        if wrong >= 0:
            raise AgentError(
                f"observation {wrong} shows no decision of the game that was solved: {self.figures}"
            )
        return out


def check_memory(fig: Figures, arrays: int, limit: int) -> None:
    """Raise ``AgentError`` if solving takes more than ``limit`` bytes."""
    if arrays > limit:
        raise AgentError(
            f"solving Krig with {fig.hit_points} hit points, {fig.tokens} tokens and these dice takes "
            f"{arrays / 2**30:.1f} GiB, and the limit is {limit / 2**30:.1f} GiB; "
            "fewer tokens, hit points or sides take less"
        )


def diagonals(hit_points: int, *, symmetric: bool) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of hit points of each total; with ``symmetric`` only those with ``h0 >= h1``."""
    for total in range(2, 2 * hit_points + 1):
        pairs = [(h, total - h) for h in range(max(1, total - hit_points), min(hit_points, total - 1) + 1)]
        yield [(h0, h1) for h0, h1 in pairs if not symmetric or h0 >= h1]


def solve(
    fig: Figures, *, threads: int = THREADS, limit: int = MEMORY_LIMIT, progress: Progress | None = None
) -> Solution:
    """Solve a game.

    Args:
        fig: the game, see ``layout.figures_of``.
        threads: threads to spread over.
        limit: bytes that may be used.
        progress: called with the share done, now and then.

    Raises:
        AgentError: if it takes more memory than ``limit``, or the iteration does not settle.
    """
    memory = memory_needed(fig, threads)
    check_memory(fig, memory, limit)
    values = np.full(fig.value_shape(), 0.5)
    rows = attack_positions(fig)
    spare: list[Work] = [new_work(fig) for _ in range(threads)]
    # One sweep ahead of the clock, for the compiler.
    solve_pair(values, fig, rows, spare[0], no_policy(), PERFECT, 1, 1, 0, 0, TOLERANCE, 1)
    begin = time.perf_counter()
    count, done, sweeps = fig.hit_points * (fig.hit_points + 1) // 2, 0, 0

    def run(pair: tuple[int, int]) -> int:
        work = spare.pop()
        try:
            return _solve_layer(values, fig, rows, work, *pair)
        finally:
            spare.append(work)

    with ThreadPoolExecutor(threads) as pool:
        for pairs in diagonals(fig.hit_points, symmetric=True):
            for swept in pool.map(run, pairs):
                sweeps += swept
                done += 1
                if progress is not None:
                    progress(done / count)
    values.flags.writeable = False  # as when mapped, so that kernels are compiled once
    return Solution(fig, values, time.perf_counter() - begin, sweeps, memory)


def _solve_layer(values: np.ndarray, fig: Figures, rows: np.ndarray, work: Work, h0: int, h1: int) -> int:
    """Solve a pair of hit points for all tokens, and fill in the pair with the seats swapped."""
    policy, sweeps = no_policy(), 0
    for t0 in range(fig.tokens + 1):
        for t1 in range(fig.tokens + 1):
            count, change = solve_pair(
                values, fig, rows, work, policy, PERFECT, h0, h1, t0, t1, TOLERANCE, MAX_SWEEPS
            )
            check_settled(change, h0, h1)
            sweeps += count
    for x in range(2):
        values[1 - x, h1 - 1, h0 - 1] = 1.0 - values[x, h0 - 1, h1 - 1].transpose(1, 0, 2)
    return sweeps


def check_settled(change: float, h0: int, h1: int) -> None:
    """Raise ``AgentError`` if the last sweep still changed values by more than the tolerance."""
    if not change <= TOLERANCE:
        raise AgentError(
            f"the values at {h0} and {h1} hit points still change by {change:.1e} after {MAX_SWEEPS} sweeps"
        )


def match_value(game: float, games: int = 3) -> float:
    """Return the probability of winning a match for the seat that goes first in its first game.

    Args:
        game: win probability of the seat that goes first in a single game.
        games: the match is the best of so many, an odd number. The second game is begun by the other seat,
            every later one by the winner of a roll-off, which either seat wins equally often (KR-53).
    """
    needed = games // 2 + 1

    def after(played: int, own: int, other: int) -> float:
        if own == needed or other == needed:
            return float(own == needed)
        chance = game if played == 0 else 1.0 - game if played == 1 else 0.5
        return chance * after(played + 1, own + 1, other) + (1.0 - chance) * after(played + 1, own, other + 1)

    return after(0, 0, 0)
