"""EnvPool: many single-agent environments in C++, stepped in one call.

It has no board game that compares with ours. These toy tasks, in which every move is legal and no mask
exists, show what the dispatch of a batch costs at the least. After the end of an episode the next step of
that environment ignores the move and resets; such steps are not counted. EnvPool may use every core that it
finds.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .workload import Peer, Run, Workload, repeat, uniforms

BATCH = 1024
"""Environments stepped at once."""

STEPS = 16
"""Steps of the whole batch between two looks at the clock."""

TASKS = ("CartPole-v1", "Catch-v0", "Blackjack-v1")


def make(task: str, seed: int) -> Run:
    """Builds one batch of environments.

    Args:
        task: The task's name in EnvPool.
        seed: Seeds the environments and the moves.

    Returns:
        The function that plays.
    """
    import envpool

    env = envpool.make(task, env_type="gymnasium", num_envs=BATCH, seed=seed)
    moves = int(env.action_space.n)
    env.reset()
    over = np.zeros(BATCH, dtype=bool)
    generator = uniforms(seed)

    def burst() -> int:
        nonlocal over
        played = 0
        for _ in range(STEPS):
            played += BATCH - int(np.count_nonzero(over))
            actions = (generator.random(BATCH, dtype=np.float32) * moves).astype(np.int32)
            _, _, terminated, truncated, _ = env.step(actions)
            over = terminated | truncated
        return played

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the tasks.

    Returns:
        One workload a task.
    """
    return [
        Workload("EnvPool", task, f"gymnasium, {BATCH} envs, sync", "envpool", partial(make, task))
        for task in TASKS
    ]


PEER = Peer("EnvPool", "envpool", ("envpool",), workloads)
