"""Ratings from ranked results of any number of players: the Plackett-Luce model.

Agent ``i`` has a worth ``w_i``; the first place among a set of agents is ``i``'s with probability
``w_i`` over the sum of their worths, the second place is settled alike among the rest, and so on. For two
players this is Bradley and Terry's model, on whose scale Elo ratings are: a rating is ``400 log10 w``, so
400 points are odds of ten to one of being placed above.

**Library.** The fit is choix's iterated Luce spectral ranking (Maystre and Grossglauser, NIPS 2015), which
converges to the maximum likelihood, so no rating depends on the order of games. openskill, as much alive,
updates game by game: it tracks players who change, and for fixed agents its answer depends on the order and
has no maximum that one could test against. choix's functions for rankings take one Python loop a game and
no weights, too slow to fit a thousand resamples; its dense pairwise step takes a matrix, so that is what
gets the Plackett-Luce rates, of counted games (``_step``; a test compares it with ``ilsr_rankings``).

**Ties** are averaged over the orders they could stand for (``tally``).

**Prior.** Each agent also wins half a game against an imaginary agent of middling worth and loses half a
game, the pseudo-data of R's PlackettLuce (Turner et al., Computational Statistics 35, 2020). Without it an
agent that always wins has no finite rating; with a hundred games it moves ratings by a few points. In
bootstrap resamples these pseudo-games get random weights of mean 1 (weighted Bayesian bootstrap: Newton,
Polson and Xu, Canadian Journal of Statistics 49, 2021), so that an interval does not shrink to a point where
all games went one way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import choix
import numpy as np
from scipy.sparse.csgraph import connected_components

from kingmaker.benchmarks.tournament.tally import Choice

ELO = 400 / math.log(10)  # rating points a unit of log-worth
PSEUDO_GAMES = 0.5  # won, and as many lost, against the imaginary agent
_TOLERANCE = 1e-8
_MAX_STEPS = 10_000


class PlackettLuce:
    """Fits ratings to weighted choices of fixed kinds.

    Args:
        num_agents: agents ``0 .. k-1``.
        choices: the kinds of choice that weights are given for.
    """

    def __init__(self, num_agents: int, choices: Sequence[Choice]) -> None:
        k = num_agents
        self.num_agents = k
        ghost = [(((agent, k), agent), ((agent, k), k)) for agent in range(k)]
        kinds = [*choices, *(choice for pair in ghost for choice in pair)]
        sets = sorted({unplaced for unplaced, _ in kinds})
        place = {unplaced: row for row, unplaced in enumerate(sets)}
        self._rows = np.array([place[unplaced] for unplaced, _ in kinds])
        self._chosen = np.array([agent for _, agent in kinds])
        self._members = np.zeros((len(sets), k + 1))  # how many copies of each agent a set holds
        for row, unplaced in enumerate(sets):
            np.add.at(self._members[row], list(unplaced), 1)

    def fit(
        self, weights: np.ndarray, prior: np.ndarray | None = None, start: np.ndarray | None = None
    ) -> np.ndarray:
        """Return centred log-worths, float64 ``(k,)``.

        Args:
            weights: how often each kind of choice was made, ``(C,)``.
            prior: factors on the pseudo-games, ``(k, 2)`` for won and lost; all 1 by default.
            start: log-worths to start from, for speed.

        Raises:
            RuntimeError: if the fit does not converge.
        """
        pseudo = PSEUDO_GAMES * (np.ones((self.num_agents, 2)) if prior is None else prior)
        wins = np.zeros_like(self._members)
        np.add.at(wins, (self._rows, self._chosen), np.concatenate([weights, pseudo.ravel()]))
        params = np.zeros(self.num_agents + 1)
        if start is not None:
            params[:-1] = start
        for _ in range(_MAX_STEPS):
            before, params = params, self._step(wins, params)
            if np.abs(params - before).max() < _TOLERANCE:
                return params[:-1] - params[:-1].mean()
        raise RuntimeError(f"the ratings did not converge in {_MAX_STEPS} steps")

    def _step(self, wins: np.ndarray, params: np.ndarray) -> np.ndarray:
        """Return the log of the stationary distribution of the chain that leaves losers for winners.

        From ``j`` to ``i`` it goes at the rate ``sum(copies of j in S / worth of S)`` over all choices of
        ``i`` from a set ``S``. choix divides a pair's count by the pair's worth, which is multiplied in
        before; its worths have another unit, which changes all rates alike and so nothing.
        """
        worth = np.exp(params)
        rates = (self._members / (self._members @ worth)[:, None]).T @ wins
        np.fill_diagonal(rates, 0)
        counts = rates.T * (worth[:, None] + worth)
        step: np.ndarray = choix.lsr_pairwise_dense(counts, initial_params=params)
        return step


def comparable_groups(points: np.ndarray) -> list[list[int]]:
    """Return the groups of agents whose differences the games bound; a group that never loses comes alone.

    Args:
        points: ``(k, k)``, row's points against column.

    Returns:
        One group if each agent has, through others, scored against each other one. Between two groups the
        likelihood has no maximum, and the prior alone keeps their difference finite.
    """
    count, group = connected_components(points > 0, directed=True, connection="strong")
    return [np.flatnonzero(group == index).tolist() for index in range(count)]
