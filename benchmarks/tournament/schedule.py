"""Who plays whom, in which seats, on which seeds.

A *line-up* is a set of agents that share a table, a *seating* a line-up with its seats, a *block* all
seatings of all line-ups on one game seed. A tournament is a whole number of blocks, so

- every agent of a line-up plays the same seed from every seat: each line-up is seated in all rotations of a
  circular order, and the luck of the seed cancels between them;
- the orders change from block to block, so that each agent sits on each other's left equally often
  (exactly, over every run of as many blocks as there are orders, for 2 to 5 seats);
- all line-ups meet the same seeds.

Line-ups, for ``k`` agents and ``n`` seats:

- ``k >= n``: all combinations while there are at most ``max_lineups`` of them, for two seats always (fewer
  would leave pairs that never meet). Otherwise a *cyclic design*:
  a base line-up is shifted round the circle of agents, which gives ``k`` line-ups with every agent in ``n``
  of them; base line-ups are added, those first that even out how often pairs meet, until every pair has met
  and no pair meets more than a quarter more often than another.
- ``k < n``: agents take several seats. All multisets of ``n`` agents but the mirrors (one agent in all
  seats): one against many, many against one and what lies between. Copies of an agent do not know of each
  other and are never compared with each other.
- ``k = 1``: the mirror, which shows what a seat is worth.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

Lineup = tuple[int, ...]

# Base line-ups looked through for a cyclic design; beyond it a fixed random sample of so many.
_MAX_CANDIDATES = 20_000
_MAX_SPREAD = 1.25


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament, numbered: game ``g`` is seating ``g % S`` of block ``g // S``.

    Attributes:
        lineups: agents by index, ascending.
        seatings: int64 ``(O, S, n)``, the agent in each seat; block ``b`` uses ``seatings[b % O]``.
        num_blocks: number of game seeds.
        chunk_games: games a chunk; the last chunk may be shorter.
    """

    lineups: tuple[Lineup, ...]
    seatings: np.ndarray
    num_blocks: int
    chunk_games: int

    @property
    def block_games(self) -> int:
        """Games that share a seed."""
        return self.seatings.shape[1]

    @property
    def num_games(self) -> int:
        """Games in all."""
        return self.num_blocks * self.block_games

    @property
    def num_chunks(self) -> int:
        """Chunks in all."""
        return math.ceil(self.num_games / self.chunk_games)

    def games_of(self, chunk: int) -> range:
        """Return the numbers of a chunk's games."""
        first = chunk * self.chunk_games
        return range(first, min(first + self.chunk_games, self.num_games))

    def blocks(self, games: np.ndarray) -> np.ndarray:
        """Return each game's block."""
        return games // self.block_games

    def seats(self, games: np.ndarray) -> np.ndarray:
        """Return the agent in each seat of each game, int64 ``(games, n)``."""
        return self.seatings[self.blocks(games) % len(self.seatings), games % self.block_games]

    def lineup_of(self, game: int) -> int:
        """Return the index of a game's line-up."""
        return game % self.block_games // self.seatings.shape[2]


def make_schedule(
    num_agents: int, num_players: int, games: int, chunk_games: int, max_lineups: int
) -> Schedule:
    """Return the schedule of at least ``games`` games, rounded up to whole blocks."""
    lineups = make_lineups(num_agents, num_players, max_lineups)
    seatings = np.array([list(_rotations(lineups, order)) for order in circular_orders(num_players)])
    return Schedule(lineups, seatings, math.ceil(games / seatings.shape[1]), chunk_games)


def _rotations(lineups: tuple[Lineup, ...], order: tuple[int, ...]) -> Iterator[Lineup]:
    for lineup in lineups:
        circle = [lineup[place] for place in order]
        for shift in range(len(circle)):
            yield (*circle[shift:], *circle[:shift])


def circular_orders(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Return orders round the table in which everybody follows everybody equally often.

    For a prime count the multiples ``0, m, 2m, ...`` modulo it do that with the fewest orders; there is no
    such set for four, where it takes all orders.
    """
    n = num_players
    if all(n % divisor for divisor in range(2, n)):
        return tuple(tuple(m * place % n for place in range(n)) for m in range(1, n))
    return tuple((0, *rest) for rest in itertools.permutations(range(1, n)))


def make_lineups(num_agents: int, num_players: int, max_lineups: int) -> tuple[Lineup, ...]:
    """Return the line-ups that play, each agent in equally many seats of them; see the module."""
    k, n = num_agents, num_players
    if k == 1:
        return ((0,) * n,)
    if k < n:
        every = itertools.combinations_with_replacement(range(k), n)
        return tuple(lineup for lineup in every if len(set(lineup)) > 1)
    if n == 2 or math.comb(k, n) <= max_lineups:
        return tuple(itertools.combinations(range(k), n))
    return _cyclic_design(k, n)


def _cyclic_design(k: int, n: int) -> tuple[Lineup, ...]:
    candidates = _base_lineups(k, n)
    meets = np.array([_meetings(base, k) for base in candidates])
    total = np.zeros(k - 1, np.int64)
    chosen: list[int] = []
    while len(chosen) < len(candidates):
        uneven = np.var(total + meets, axis=1)
        uneven[chosen] = np.inf
        chosen.append(int(np.argmin(uneven)))
        total += meets[chosen[-1]]
        if total.min() > 0 and total.max() <= _MAX_SPREAD * total.min():
            break
    return tuple(
        tuple(sorted((agent + shift) % k for agent in candidates[index]))
        for index in chosen
        for shift in range(k)
    )


def _base_lineups(k: int, n: int) -> list[Lineup]:
    """Return line-ups no two of which are shifts of each other, each with ``k`` different shifts."""
    if math.comb(k - 1, n - 1) <= _MAX_CANDIDATES:
        rows: Iterator[Lineup] = ((0, *rest) for rest in itertools.combinations(range(1, k), n - 1))
    else:
        rng = np.random.default_rng(0)  # the design must not change with the tournament's seed
        drawn = (rng.choice(np.arange(1, k), n - 1, replace=False) for _ in range(_MAX_CANDIDATES))
        rows = ((0, *sorted(map(int, rest))) for rest in drawn)
    bases: dict[Lineup, Lineup] = {}
    for row in rows:
        shifts = {tuple(sorted((agent - start) % k for agent in row)) for start in row}
        if len(shifts) == n:  # fewer: the line-up repeats itself before it has gone all the way round
            bases.setdefault(min(shifts), row)
    return list(bases.values()) or [tuple(range(n))]


def _meetings(base: Lineup, k: int) -> np.ndarray:
    """Return how often agents ``d = 1 .. k-1`` places apart meet in the shifts of ``base``."""
    gaps = [(b - a) % k for a, b in itertools.permutations(base, 2)]
    return np.bincount(gaps, minlength=k)[1:]
