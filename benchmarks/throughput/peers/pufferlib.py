"""PufferLib: two of its ocean games, written in C, many at once in one call; both have a single agent.

* connect4: a step plays the agent's move and then the reply of a scripted opponent, which searches a few
  moves deep. The reply takes most of the time and is not counted. The library gives no mask; the legal moves
  are read off the top row of the observation. A step on a board whose game is over only resets it, and is not
  counted.
* squared: a walk on a grid, in which every move is legal and a finished episode is reset within the step that
  ends it. It shows what the dispatch of a batch costs at the least.

The distribution is source only, and its build fetches raylib and Box2D from the network.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .workload import Peer, Run, Workload, choose_rows, repeat, uniforms

BATCH = 1024
"""Games played at once."""

STEPS = 16
"""Steps of the whole batch between two looks at the clock."""

COLUMNS, ROWS = 7, 6


def load(game: str) -> Any:
    """Imports one of the ocean games.

    Args:
        game: Its module under `pufferlib.ocean`.

    Returns:
        The module that holds the environment's class.
    """
    # The import of pufferlib leaves a link named `resources` in the working folder.
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return import_module(f"pufferlib.ocean.{game}.{game}")
        finally:
            os.chdir(here)


def make_connect4(seed: int) -> Run:
    """Builds one batch of boards.

    Args:
        seed: Seeds the moves and the scripted opponent.

    Returns:
        The function that plays.
    """
    env = load("connect4").Connect4(num_envs=BATCH, seed=seed)
    observations, _ = env.reset(seed)
    boards = observations.reshape(BATCH, COLUMNS, ROWS)
    over = np.zeros(BATCH, dtype=bool)
    generator = uniforms(seed)

    def burst() -> int:
        nonlocal over
        played = 0
        for _ in range(STEPS):
            legal = boards[:, :, -1] == 0
            played += int(np.count_nonzero(legal.any(axis=1) & ~over))
            env.step(choose_rows(legal, generator.random(BATCH, dtype=np.float32)))
            over = env.terminals | env.truncations
        return played

    return partial(repeat, burst)


def make_squared(seed: int) -> Run:
    """Builds one batch of grids.

    Args:
        seed: Seeds the moves and the targets.

    Returns:
        The function that plays.
    """
    env = load("squared").Squared(num_envs=BATCH, seed=seed)
    env.reset(seed)
    moves = int(env.single_action_space.n)
    generator = uniforms(seed)

    def burst() -> int:
        for _ in range(STEPS):
            env.step((generator.random(BATCH, dtype=np.float32) * moves).astype(np.int32))
        return STEPS * BATCH

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the two games.

    Returns:
        One workload a game.
    """
    games: dict[str, Callable[[int], Run]] = {
        "connect4, 1 player against a search": make_connect4,
        "squared, 1 player": make_squared,
    }
    return [
        Workload("PufferLib", name, f"ocean, {BATCH} games", "pufferlib", make)
        for name, make in games.items()
    ]


PEER = Peer("PufferLib", "pufferlib", ("pufferlib",), workloads)
