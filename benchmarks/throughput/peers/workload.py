"""The form every peer workload has, and the parts they share: how a move is chosen and how time is kept.

Every workload chooses a move by one rule: draw one uniform number `u` in [0, 1), and take the
`floor(u * n)`-th of the `n` legal moves. It is the cheapest uniform choice each setting allows:

* one game at a time: `random.Random(seed).random`, and an index into the library's list of legal moves, or
  `choose_one` where it gives a mask;
* numpy batches: one float32 a game from `numpy.random.SFC64`, and `choose_rows` where there is a mask;
* JAX batches: one float32 a game from `jax.random.uniform`, inside the compiled step.

The legal moves are read in the form that the library itself gives (a list, a dict or a mask).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter

import numpy as np

Run = Callable[[float], tuple[int, float]]
"""Takes a wall time in seconds; returns the decisions applied and the seconds they took."""

BURST = 256
"""Decisions, or batch steps where a game is not played alone, between two looks at the clock."""


@dataclass(frozen=True)
class Workload:
    """One game of one library, played at random through one of the library's interfaces.

    Attributes:
        library: The library as its authors spell it, such as `OpenSpiel`.
        name: The game, with its number of players where that is a choice.
        api: The interface that is timed, such as `raw_env` or `vmap 1024`.
        distribution: The pip distribution whose version is reported.
        make: From a seed to a function that plays. It imports, builds and compiles; none of that is timed.
            The function may be called again, and then goes on from where it was.
    """

    library: str
    name: str
    api: str
    distribution: str
    make: Callable[[int], Run]


@dataclass(frozen=True)
class Peer:
    """One library, what it needs and what is measured of it.

    Attributes:
        library: The library as its authors spell it.
        pip: What to give to `pip install` to get every module of `modules`.
        modules: The top-level modules that must be present.
        workloads: Builds the workloads without an import of the library.
    """

    library: str
    pip: str
    modules: tuple[str, ...]
    workloads: Callable[[], list[Workload]]

    def installed(self) -> bool:
        """Says whether every module that the workloads import is present.

        Returns:
            True if all are found. None of them is imported for it.
        """
        return all(find_spec(module) is not None for module in self.modules)


def repeat(burst: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Calls `burst` until the time is over.

    Args:
        burst: Plays some decisions and returns how many.
        seconds: The wall time in seconds; at least one burst is played, and the last one is finished.

    Returns:
        The decisions played and the seconds from the start to the end of the last burst.
    """
    decisions = 0
    elapsed = 0.0
    start = perf_counter()
    while elapsed < seconds or decisions == 0:
        decisions += burst()
        elapsed = perf_counter() - start
    return decisions, elapsed


def uniforms(seed: int) -> np.random.Generator:
    """Makes the generator that numpy batches draw from.

    Args:
        seed: Any number from 0 up.

    Returns:
        A generator on SFC64, the quickest of numpy's own.
    """
    return np.random.Generator(np.random.SFC64(seed))


def choose_one(mask: np.ndarray, draw: float) -> int:
    """Chooses one legal move, each with the same chance.

    Args:
        mask: Non-zero at the legal moves, of which there is at least one.
        draw: A number in [0, 1).

    Returns:
        The move.
    """
    # A tenth of the time of np.flatnonzero, which would take a third of a quick environment's whole turn.
    legal = mask.nonzero()[0]
    return int(legal[int(draw * len(legal))])


def choose_rows(mask: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Chooses one legal move a row, each legal move with the same chance.

    Args:
        mask: Booleans, one row a game and one column a move.
        draws: One number in [0, 1) a row.

    Returns:
        The chosen column of each row; 0 in a row without a legal move.
    """
    running = np.cumsum(mask, axis=1, dtype=np.int32)
    picks = (draws * running[:, -1]).astype(np.int32)
    chosen: np.ndarray = np.argmax(running > picks[:, None], axis=1)
    return chosen
