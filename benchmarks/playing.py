"""Playing a batch of games to their ends with agents of any kind."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.contract import NOBODY
from kingmaker.envs.core.errors import AgentError

_SEED_LIMIT = 2**63


def play_out(
    batch: BatchGames,
    agents: Sequence[Agent],
    seats: np.ndarray,
    rng: np.random.Generator,
    taken: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Play every game of a batch without autoreset to its end.

    Args:
        batch: the games; their final states are left in it.
        agents: the ``k`` agents.
        seats: int64 ``(N, P)``, the index of the agent in each seat of each game.
        rng: seeds of the redeals that searching agents are handed.
        taken: integers ``(N, P, actions)``, to which each action taken is added.

    Returns:
        Decisions taken, int64 ``(k,)``, and CPU seconds spent on them, float64 ``(k,)``, by agent.

    Raises:
        AgentError: if an agent fails or answers with an illegal action; names the agent.
    """
    asked = np.zeros(len(agents), np.int64)
    cpu = np.zeros(len(agents))
    actions = np.zeros(batch.num_games, np.int64)
    while True:
        running = np.flatnonzero(batch.actors != NOBODY)
        if not len(running):
            return asked, cpu
        owners = seats[running, batch.actors[running]]
        for index in np.unique(owners):
            rows = running[owners == index]
            actions[rows], seconds = ask(agents[index], batch, rows, rng)
            asked[index] += len(rows)
            cpu[index] += seconds
        if taken is not None:
            taken[running, batch.actors[running], actions[running]] += 1
        batch.step(actions)


def ask(
    agent: Agent, batch: BatchGames, rows: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Return an agent's actions in the games ``rows`` of a batch, and the CPU seconds it took.

    Raises:
        AgentError: if the agent fails or answers with an illegal action; names the agent.
    """
    actors = batch.actors[rows]
    games = None
    if agent.uses_games:
        redeals = rng.integers(0, _SEED_LIMIT, len(rows)).tolist()
        games = [
            batch.game(row).redealt(seat, redeal)
            for row, seat, redeal in zip(rows.tolist(), actors.tolist(), redeals, strict=True)
        ]
    before = time.process_time()
    try:
        actions = agent.act_batch(batch.observations[rows], batch.masks[rows], actors, games)
    except AgentError:
        raise
    except Exception as error:  # whatever a model raises, the user must learn which model
        raise AgentError(f"agent {agent.name!r} failed: {type(error).__name__}: {error}") from error
    return actions, time.process_time() - before
