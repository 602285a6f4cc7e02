"""Estimates and bootstrap intervals from counted games.

Games on one seed share their luck, so they are no independent draws: a resample draws *blocks* (all games
on a seed) with replacement, and everything is estimated anew from it. Intervals are percentiles of these
estimates. A share that is 0 or 1 in every block would get an interval of no width; its far end is instead
the exact binomial bound (Clopper-Pearson) for so many blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from kingmaker.benchmarks.tournament.play import SEED_BOOTSTRAP
from kingmaker.benchmarks.tournament.ratings import ELO, PlackettLuce
from kingmaker.benchmarks.tournament.tally import Tally, Totals


@dataclass(frozen=True)
class Estimates:
    """Numbers of a tournament, or the low or high ends of their intervals; nan where there are no games.

    Attributes:
        ratings: ``(k,)``, 0 for the anchor.
        win_share: ``(k,)``, games won over games played, shared wins as shares.
        score: ``(k,)``, mean final score in game points.
        cross: ``(k, k)``, row's points over comparisons with column.
        seat_share: ``(n,)``, win share of each seat.
        agent_seat_share: ``(k, n)``, win share of each agent in each seat.
    """

    ratings: np.ndarray
    win_share: np.ndarray
    score: np.ndarray
    cross: np.ndarray
    seat_share: np.ndarray
    agent_seat_share: np.ndarray


# The fields that are shares of games, between 0 and 1.
_SHARES = ("win_share", "cross", "seat_share", "agent_seat_share")


@dataclass(frozen=True)
class Analysis:
    """Estimates with intervals (nan with a single block), and the counts they rest on."""

    value: Estimates
    low: Estimates
    high: Estimates
    totals: Totals
    num_blocks: int


def analyse(counts: Tally, anchor: int, seed: int, resamples: int, confidence: float) -> Analysis:
    """Estimate everything from counted games.

    Args:
        counts: the games by block.
        anchor: the agent whose rating is 0.
        seed: the tournament's seed.
        resamples: bootstrap resamples.
        confidence: coverage of the intervals.
    """
    model = PlackettLuce(counts.num_agents, counts.choices)
    totals = counts.total()
    worth = model.fit(totals.chosen)
    value = _estimate(totals, worth, anchor)
    if counts.num_blocks == 1:
        unknown = Estimates(*(np.full_like(getattr(value, f.name), np.nan) for f in fields(value)))
        return Analysis(value, unknown, unknown, totals, 1)
    samples = _resample(counts, model, worth, anchor, seed, resamples)
    tail = (1 - confidence) / 2
    low, high = (_quantiles(samples, q) for q in (tail, 1 - tail))
    _widen(value, low, high, tail, counts.num_blocks)
    return Analysis(value, low, high, totals, counts.num_blocks)


def _estimate(totals: Totals, worth: np.ndarray, anchor: int) -> Estimates:
    games = totals.games.sum(axis=1)
    with np.errstate(invalid="ignore"):  # agents that never met: 0 / 0 is nan, "no games"
        return Estimates(
            ratings=ELO * (worth - worth[anchor]),
            win_share=totals.wins.sum(axis=1) / games,
            score=totals.scores / games,
            cross=totals.points / totals.met,
            seat_share=totals.wins.sum(axis=0) / totals.games.sum(axis=0),
            agent_seat_share=totals.wins / totals.games,
        )


def _resample(
    counts: Tally, model: PlackettLuce, worth: np.ndarray, anchor: int, seed: int, resamples: int
) -> list[Estimates]:
    rng = np.random.default_rng([seed, SEED_BOOTSTRAP])
    samples, blocks = [], counts.num_blocks
    for _ in range(resamples):
        weights = np.bincount(rng.integers(0, blocks, blocks), minlength=blocks)
        totals = counts.total(weights.astype(np.float64))
        prior = rng.exponential(size=(counts.num_agents, 2))
        samples.append(_estimate(totals, model.fit(totals.chosen, prior, worth), anchor))
    return samples


def _quantiles(samples: list[Estimates], q: float) -> Estimates:
    return Estimates(
        *(np.quantile([getattr(s, f.name) for s in samples], q, axis=0) for f in fields(Estimates))
    )


def _widen(value: Estimates, low: Estimates, high: Estimates, tail: float, blocks: int) -> None:
    """Give shares of exactly 0 or 1 an interval, in place."""
    reach = 1 - tail ** (1 / blocks)
    for name in _SHARES:
        share = getattr(value, name)
        getattr(low, name)[share == 1] = 1 - reach
        getattr(high, name)[share == 0] = reach
