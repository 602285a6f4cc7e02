"""Playing one chunk of a tournament's games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from kingmaker.agents import load_agent
from kingmaker.agents.base import Agent
from kingmaker.benchmarks.playing import ask, play_out
from kingmaker.benchmarks.tournament.config import Setup
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.contract import NOBODY

# Purposes of seeds, so that equal tournament seeds give unrelated draws.
SEED_GAMES, SEED_AGENTS, SEED_REDEALS, SEED_BOOTSTRAP = range(4)
_SEED_LIMIT = 2**63


@dataclass(frozen=True)
class ChunkResult:
    """What a chunk's games came to; row ``i`` is the chunk's ``i``-th game.

    Attributes:
        chunk: its number in the schedule.
        seeds: int64 ``(g,)``, the games' seeds.
        ranks: int64 ``(g, n)``, 0 is best, by seat.
        scores: float32 ``(g, n)``, in game points, by seat.
        truncated: bool ``(g,)``, ended by a limit.
        decisions: int64 ``(g,)``.
        asked: int64 ``(k,)``, decisions taken by each agent.
        cpu: float64 ``(k,)``, the CPU seconds each agent took for them.
    """

    chunk: int
    seeds: np.ndarray
    ranks: np.ndarray
    scores: np.ndarray
    truncated: np.ndarray
    decisions: np.ndarray
    asked: np.ndarray
    cpu: np.ndarray


def block_seeds(seed: int, num_blocks: int) -> np.ndarray:
    """Return the game seed of each block, int64 ``(num_blocks,)``; more blocks only add seeds at the end."""
    return np.random.default_rng([seed, SEED_GAMES]).integers(0, _SEED_LIMIT, num_blocks)


def _agent_seed(seed: int, chunk: int, agent: int) -> int:
    return int(np.random.default_rng([seed, SEED_AGENTS, chunk, agent]).integers(0, _SEED_LIMIT))


class ChunkPlayer:
    """Plays chunks with agents that it loads once and seeds anew for each chunk.

    A chunk's result depends on the tournament's settings and the chunk's number, and on nothing that was
    played before: an agent must not carry anything over its ``seed`` method.

    Args:
        setup: the tournament.

    Raises:
        AgentError: if an agent cannot be loaded or fails at its first decision.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.agents = [self._load(entrant.name) for entrant in setup.entrants]
        self._seeds = block_seeds(setup.config.seed, setup.schedule.num_blocks)
        for agent in self.agents:
            self._warm(agent)

    def _load(self, name: str) -> Agent:
        setup = self.setup
        return load_agent(name, setup.spec, setup.num_players, tables=setup.tables)

    def _warm(self, agent: Agent) -> None:
        """Ask once, so that what is compiled or loaded on first use is not counted as thinking time."""
        batch = self.batch(self._seeds[:1])
        rows = np.flatnonzero(batch.actors != NOBODY)
        if len(rows):
            ask(agent, batch, rows, np.random.default_rng(0))

    def batch(self, seeds: np.ndarray) -> BatchGames:
        """Return games begun from the given seeds: ``Game(..., seed=...)`` starts the same."""
        setup = self.setup
        batch = BatchGames(
            setup.spec,
            len(seeds),
            setup.num_players,
            seed=0,
            options=setup.config.options,
            tables=setup.config.tables,
            autoreset=False,
        )
        batch.start(seeds)
        return batch

    def play(self, chunk: int) -> ChunkResult:
        """Play a chunk's games to their ends.

        Raises:
            AgentError: if an agent fails or answers with an illegal action; names the agent.
        """
        setup, seed = self.setup, self.setup.config.seed
        games = np.array(setup.schedule.games_of(chunk))
        seats = setup.schedule.seats(games)
        seeds = self._seeds[setup.schedule.blocks(games)]
        for index, agent in enumerate(self.agents):
            agent.seed(_agent_seed(seed, chunk, index))
        batch = self.batch(seeds)
        rng = np.random.default_rng([seed, SEED_REDEALS, chunk])
        asked, cpu = play_out(batch, self.agents, seats, rng)
        return ChunkResult(
            chunk=chunk,
            seeds=seeds,
            ranks=batch.ranks,
            scores=batch.scores,
            truncated=batch.truncated,
            decisions=batch.states["moves"].astype(np.int64),
            asked=asked,
            cpu=cpu,
        )


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Limit torch, if it is loaded, to one thread: processes share the cores, and sums must not vary."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
