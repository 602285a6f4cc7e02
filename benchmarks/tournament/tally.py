"""Games counted up by seed block, so that a bootstrap resample is one product of a vector and a matrix.

All counts are kept ``n!`` times too large (``n`` seats): ties give fractions whose denominators divide
``n!``, so sums are of whole numbers, exact, and equal whatever the order of summing.

**Ties** in a rating's data: an order with ties stands for all orders without that agree with it, each with
the same weight. For two seats that is the usual half a win for each.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kingmaker.benchmarks.tournament.store import Results

Choice = tuple[tuple[int, ...], int]  # the agents still unplaced, and the one of them placed next


@dataclass(frozen=True)
class Tally:
    """Counts of a tournament; ``k`` agents, ``n`` seats, ``B`` blocks, ``C`` kinds of choice.

    Attributes:
        choices: what the last columns but ``k`` of ``matrix`` count.
        matrix: float64 ``(B, F)``: columns are pair points ``(k, k)``, pair games ``(k, k)``, wins
            ``(k, n)`` by agent and seat, games ``(k, n)``, choices ``(C,)``, score sums ``(k,)``.
        num_agents: ``k``.
        num_players: ``n``.
    """

    choices: tuple[Choice, ...]
    matrix: np.ndarray
    num_agents: int
    num_players: int

    @property
    def num_blocks(self) -> int:
        """Number of seed blocks."""
        return len(self.matrix)

    def total(self, weights: np.ndarray | None = None) -> Totals:
        """Return the counts over all blocks, each counted ``weights[b]`` times (once by default)."""
        k, n, c = self.num_agents, self.num_players, len(self.choices)
        sums = (np.ones(self.num_blocks) if weights is None else weights) @ self.matrix
        sums[:-k] /= math.factorial(n)
        edges = np.cumsum([k * k, k * k, k * n, k * n, c])
        points, met, wins, games, chosen, scores = np.split(sums, edges)
        return Totals(
            points.reshape(k, k), met.reshape(k, k), wins.reshape(k, n), games.reshape(k, n), chosen, scores
        )


@dataclass(frozen=True)
class Totals:
    """Counts over a sample of blocks.

    Attributes:
        points: ``(k, k)``, row's points against column: 1 for a better place in a game, ½ for the same.
        met: ``(k, k)``, how often row and column were compared; copies in one game count singly.
        wins: ``(k, n)``, games won by agent and seat, a shared win as a share.
        games: ``(k, n)``, games played by agent and seat.
        chosen: ``(C,)``, weight of each kind of choice.
        scores: ``(k,)``, sum of final scores.
    """

    points: np.ndarray
    met: np.ndarray
    wins: np.ndarray
    games: np.ndarray
    chosen: np.ndarray
    scores: np.ndarray


def tally(results: Results, blocks: np.ndarray, num_agents: int) -> Tally:
    """Count up games.

    Args:
        results: the games.
        blocks: int64 ``(G,)``, the seed block of each, from 0.
        num_agents: agents of the tournament.
    """
    n, num_blocks = results.seats.shape[1], int(blocks.max()) + 1
    rows, kind = np.unique(np.hstack([results.seats, results.ranks]), axis=0, return_inverse=True)
    counts = [_count(row[:n].tolist(), row[n:].tolist()) for row in rows]
    choices = tuple(sorted({key for count in counts for key in count.choices}))
    columns = _Columns(num_agents, n, choices)
    features = sparse.coo_array(columns.entries(counts), shape=(len(rows), columns.size)).tocsr()
    ones = np.ones(len(kind))
    played = sparse.coo_array((ones, (blocks, kind.reshape(-1))), shape=(num_blocks, len(rows))).tocsr()
    scores = np.zeros((num_blocks, num_agents))
    np.add.at(scores, (blocks[:, None], results.seats), results.scores)
    return Tally(choices, np.hstack([(played @ features).toarray(), scores]), num_agents, n)


@dataclass
class _Count:
    """What one game adds, ``n!`` times."""

    pairs: list[tuple[int, int, int]]  # row, column, points
    wins: list[tuple[int, int, int]]  # agent, seat, share
    seats: list[int]
    choices: dict[Choice, int]


def _count(seats: list[int], ranks: list[int]) -> _Count:
    n = len(seats)
    unit = math.factorial(n)
    pairs = [
        (seats[i], seats[j], unit * (2 if ranks[i] < ranks[j] else ranks[i] == ranks[j]) // 2)
        for i, j in itertools.permutations(range(n), 2)
        if seats[i] != seats[j]
    ]
    first = [seat for seat in range(n) if ranks[seat] == 0]
    wins = [(seats[seat], seat, unit // len(first)) for seat in first]
    choices: dict[Choice, int] = defaultdict(int)
    for key, weight in _choices(seats, ranks):
        choices[key] += weight
    return _Count(pairs, wins, seats, choices)


def _choices(seats: list[int], ranks: list[int]) -> Iterator[tuple[Choice, int]]:
    """Yield the successive choices that a game's order is made of, with their weights times ``n!``.

    In a tie of ``t``, the last ``h`` of them to be placed are any ``h`` with the same probability, and the
    next of these is any of them.
    """
    unit = math.factorial(len(seats))
    for rank in sorted(set(ranks)):
        tied = [agent for agent, r in zip(seats, ranks, strict=True) if r == rank]
        after = [agent for agent, r in zip(seats, ranks, strict=True) if r > rank]
        for left in range(len(tied), 0, -1):
            if left + len(after) < 2:
                continue
            weight = unit // (math.comb(len(tied), left) * left)
            for unplaced in itertools.combinations(tied, left):
                for agent in unplaced:
                    yield (tuple(sorted([*unplaced, *after])), agent), weight


class _Columns:
    """Where each count stands in a row of ``Tally.matrix``."""

    def __init__(self, num_agents: int, num_players: int, choices: tuple[Choice, ...]) -> None:
        k, n = num_agents, num_players
        self.k, self.n, self.unit = k, n, math.factorial(n)
        self.met, self.wins, self.games, self.chosen = (
            k * k,
            2 * k * k,
            2 * k * k + k * n,
            2 * k * k + 2 * k * n,
        )
        self.index = {choice: self.chosen + i for i, choice in enumerate(choices)}
        self.size = self.chosen + len(choices)

    def entries(self, counts: list[_Count]) -> tuple[list[int], tuple[list[int], list[int]]]:
        """Return values, rows and columns of a sparse matrix, one row a count."""
        values, rows, columns = [], [], []
        for row, count in enumerate(counts):
            for column, value in self._of(count):
                values.append(value)
                rows.append(row)
                columns.append(column)
        return values, (rows, columns)

    def _of(self, count: _Count) -> Iterator[tuple[int, int]]:
        for a, b, points in count.pairs:
            yield a * self.k + b, points
            yield self.met + a * self.k + b, self.unit
        for agent, seat, share in count.wins:
            yield self.wins + agent * self.n + seat, share
        for seat, agent in enumerate(count.seats):
            yield self.games + agent * self.n + seat, self.unit
        for choice, weight in count.choices.items():
            yield self.index[choice], weight
