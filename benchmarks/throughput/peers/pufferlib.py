"""PufferLib: its ocean connect4, written in C, many boards in one call.

It is a single-agent game: a step plays the agent's move and then a scripted opponent's reply, which takes
time and is not counted. The library gives no mask; the legal moves are read off the top row of the
observation. A step on a board whose game is over only resets it, and is not counted either.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .workload import Peer, Run, Workload, choose_rows, repeat, uniforms

BATCH = 1024
"""Boards played at once."""

STEPS = 16
"""Steps of the whole batch between two looks at the clock."""

COLUMNS, ROWS = 7, 6


def make(seed: int) -> Run:
    """Builds one batch of boards.

    Args:
        seed: Seeds the moves and the scripted opponent.

    Returns:
        The function that plays.
    """
    # The import of pufferlib leaves a link named `resources` in the working folder.
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            from pufferlib.ocean.connect4.connect4 import Connect4
        finally:
            os.chdir(here)

    env = Connect4(num_envs=BATCH, seed=seed)
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
            actions = choose_rows(legal, generator.random(BATCH, dtype=np.float32))
            _, _, terminals, truncations, _ = env.step(actions)
            over = terminals | truncations
        return played

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the one game.

    Returns:
        One workload.
    """
    return [Workload("PufferLib", "connect4 vs script", f"ocean, {BATCH} boards", "pufferlib", make)]


PEER = Peer("PufferLib", "pufferlib", ("pufferlib",), workloads)
