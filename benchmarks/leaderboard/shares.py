"""How much of winning is skill, seat and luck: the variance of the outcome, taken apart.

The outcome is the win share of a seat in a game, ``y`` (1, 0, or a part of a shared win), with mean ``1/n``
at ``n`` seats. A line-up plays every seed in all ``n`` rotations, so that a seed gives a table of ``n`` seats
by ``n`` members in which everybody sat everywhere: a Latin square whose letters are the games, and these have
no effect of their own, since the shares of a game always add up to 1. With ``d = y - 1/n`` the table of seed
``b`` falls into three parts at right angles to each other,

    d[seat, member] = s[b, seat] + a[b, agent of member] + r[b, seat, member],

the mean of its row, the mean of its columns (of all copies of an agent together), and what is left. For
each part ``p``, let ``m_p`` be the mean square over cells of its mean over the ``B`` seeds, and ``v_p`` its
variance between seeds (divisor ``B - 1``), also meaned over cells. Then, meaned over line-ups,

    skill          m_a - v_a / B       who plays: the same wherever it sits, whatever the seed
    seat           m_s - v_s / B       where one sits
    seat by agent  m_r - v_r / B       agents that do better in some seats than in others
    deal           v_s - (n - 1) q     what a seed gives to a seat, whoever sits there
    chance         n (n - 1) q         all the rest: luck that depends on how it was played

with ``q = (v_a + v_r) / (n - 1)²``, the noise a degree of freedom: of the ``n (n - 1)`` that a table has,
rows take ``n - 1``. The terms in ``/ B`` take out the noise that is left in means. These are the moment
estimators of a mixed model with agents and seats fixed and seeds random (Searle, Casella and McCulloch,
*Variance Components*, 1992, on analysis-of-variance estimation), in which seeds do not favour agents. They
add up to the variance of the outcome, exactly, so shares add up to 1; being unbiased, one that is 0 may come
out a little below 0.

Skill is skill in this field: the farther apart the agents, the greater its share. The deal is what a common
seed still has in common when others play on it, so a game that draws its luck as it goes shows little.

Intervals are percentiles of bootstrap resamples of seeds. In a resample the noise of means comes in twice,
once from the games and once from drawing seeds, so it is taken out twice there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kingmaker.benchmarks.tournament.play import SEED_BOOTSTRAP
from kingmaker.benchmarks.tournament.schedule import Lineup, Schedule, make_schedule

PARTS = ("skill", "seat", "seat by agent", "deal", "chance")


@dataclass(frozen=True)
class Shares:
    """Shares of the variance of the outcome, in the order of ``PARTS``.

    Attributes:
        variance: of the outcome, ``(n - 1) / n²`` without shared wins.
        value: ``(5,)``, in sum 1; nan where nothing varies or there is a single seed.
        low: ``(5,)``, low ends of the intervals.
        high: ``(5,)``, high ends.
    """

    variance: float
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def outcome_tables(ranks: np.ndarray, schedule: Schedule) -> np.ndarray:
    """Return the win share by seed, line-up, seat and member of the line-up, float64 ``(B, L, n, n)``.

    Args:
        ranks: int64 ``(G, n)``, by game of the schedule and seat, 0 is best.
        schedule: the games.
    """
    n = ranks.shape[1]
    first = ranks == 0
    won = first / first.sum(axis=1, keepdims=True)
    seeds = np.arange(schedule.num_blocks)
    by_rotation = won.reshape(len(seeds), len(schedule.lineups), n, n)
    members = make_schedule(n, n, games=1, chunk_games=1, max_lineups=1).seatings  # as one line-up is seated
    member = members[seeds % len(members)]  # (B, rotation, seat)
    tables = np.empty_like(by_rotation)
    at = (seeds[:, None, None], slice(None), np.arange(n), member)
    tables[at] = by_rotation.transpose(0, 2, 3, 1)
    return tables


def outcome_shares(
    tables: np.ndarray, lineups: Sequence[Lineup], seed: int, resamples: int, confidence: float
) -> Shares:
    """Take the variance of the outcome apart.

    Args:
        tables: float64 ``(B, L, n, n)``, see ``outcome_tables``.
        lineups: the ``L`` line-ups, each the agents of its ``n`` members.
        seed: start of the resampling.
        resamples: bootstrap resamples.
        confidence: coverage of the intervals.
    """
    num_seeds, n = tables.shape[0], tables.shape[-1]
    variance = float(((tables - 1 / n) ** 2).mean())
    unknown = np.full(len(PARTS), np.nan)
    if num_seeds == 1 or variance == 0:
        return Shares(variance, unknown, unknown, unknown)
    sums = _Sums(tables, lineups)
    value = sums.shares(np.ones(num_seeds), noise=1)
    rng = np.random.default_rng([seed, SEED_BOOTSTRAP])
    drawn = (
        np.bincount(rng.integers(0, num_seeds, num_seeds), minlength=num_seeds) for _ in range(resamples)
    )
    samples = [sums.shares(weights.astype(np.float64), noise=2) for weights in drawn]
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(samples, [tail, 1 - tail], axis=0)
    return Shares(variance, value, low, high)


class _Sums:
    """The parts of all tables and their squares, seed by seed, so that a resample is a few products."""

    def __init__(self, tables: np.ndarray, lineups: Sequence[Lineup]) -> None:
        self.n = tables.shape[-1]
        deviation = tables - 1 / self.n
        pool = np.array([_pool(lineup) for lineup in lineups])
        seat = deviation.mean(axis=3)
        agent = np.einsum("blm,lmk->blk", deviation.mean(axis=2), pool)
        rest = deviation - seat[..., None] - agent[:, :, None, :]
        flat = (part.reshape(*tables.shape[:2], -1) for part in (agent, seat, rest))
        # Per part: (B, L, cells) and its mean square over cells, (B, L).
        self.parts = [(part, (part**2).mean(axis=2)) for part in flat]

    def shares(self, weights: np.ndarray, noise: int) -> np.ndarray:
        """Return the shares, seed ``b`` counted ``weights[b]`` times; nan if nothing varies.

        Args:
            weights: float64 ``(B,)``, in sum ``B``.
            noise: how often the noise in means is taken out.
        """
        count, n = len(weights), self.n
        fixed, between = [], []
        for part, squares in self.parts:
            mean = np.tensordot(weights, part, axes=1) / count
            of_mean, of_all = (mean**2).mean(), (weights @ squares).mean() / count
            varies = (of_all - of_mean) * count / (count - 1)
            fixed.append(of_mean - noise * varies / count)
            between.append(varies)
        agent, seat, rest = between
        q = (agent + rest) / (n - 1) ** 2
        found = np.array([*fixed, seat - (n - 1) * q, n * (n - 1) * q])
        total = found.sum()
        return found / total if total > 0 else np.full(len(PARTS), np.nan)


def _pool(lineup: Lineup) -> np.ndarray:
    """Return the matrix that gives every member the mean of its agent's copies, float64 ``(n, n)``."""
    agents = np.array(lineup)
    same = agents[:, None] == agents
    return same / same.sum(axis=1)
