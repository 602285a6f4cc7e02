"""Measuring an agent against fixed ones: whole games, every seat equally often, the same seeds each time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.loops import REASON_RUNNING
from kingmaker.envs.core.seat_games import SeatGames

Z_95 = 1.959964  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Score:
    """How an agent fared against another in all other seats.

    Attributes:
        opponent: name of the other agent.
        games: number of games.
        win_rate: share of wins; a win shared by k seats counts 1/k.
        low, high: Wilson's 95 % interval of it.
    """

    opponent: str
    games: int
    win_rate: float
    low: float
    high: float


def wilson(rate: float, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate observed in ``count`` trials."""
    shrink = 1.0 + Z_95**2 / count
    centre = (rate + Z_95**2 / (2 * count)) / shrink
    half = Z_95 / shrink * math.sqrt(rate * (1.0 - rate) / count + Z_95**2 / (4 * count**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def evaluate(
    agent: Agent, opponent: str | Agent, games: int, *, seed: int, options: dict[str, Any] | None = None
) -> Score:
    """Play whole games against one opponent in all other seats.

    Args:
        agent: the agent to measure.
        opponent: an agent or its name.
        games: number of games, rounded up to a multiple of the seats.
        seed: start of all chance.
        options: rule options.
    """
    players = agent.num_players
    each = -(-games // players)
    agent.seed(seed)
    won = sum(_wins(agent, opponent, seat, each, seed, options or {}) for seat in range(players))
    rate = won / (each * players)
    name = opponent if isinstance(opponent, str) else opponent.name
    return Score(name, each * players, rate, *wilson(rate, each * players))


def _wins(agent: Agent, opponent: Any, seat: int, games: int, seed: int, options: dict[str, Any]) -> float:
    """Return the wins of ``agent`` in ``games`` games from one seat."""
    players = agent.num_players
    table = SeatGames(
        agent.spec,
        games,
        players,
        seat=seat,
        opponents=opponent,
        seed=seed,
        options=options,
        illegal_action="raise",
    )
    table.reset()
    returns = 0.0
    running = np.arange(games)
    while len(running):
        actions = agent.act_batch(table.observations[running], table.masks[running], table.learners[running])
        table.step(actions, running)
        returns += float(table.rewards.sum())
        running = np.flatnonzero(table.reasons == REASON_RUNNING)
    # A return is +1 for the win and -1/(P-1) without it, in equal parts for a shared one.
    return (returns * (players - 1) + games) / players
