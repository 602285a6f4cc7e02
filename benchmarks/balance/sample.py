"""Playing the games of a balance report, one agent in all seats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kingmaker.agents import load_agent
from kingmaker.agents.base import Agent
from kingmaker.benchmarks.balance.config import BalanceConfig
from kingmaker.benchmarks.playing import play_out
from kingmaker.benchmarks.tournament.play import block_seeds, one_torch_thread
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.spec import GameSpec, Tally

_SEED_AGENT, _SEED_REDEALS = range(2)


@dataclass(frozen=True)
class Sample:
    """``N`` ended games with ``P`` seats.

    Attributes:
        wins: float64 ``(N, P)``, each seat's share of the win; zeros for a truncated game.
        scores: float64 ``(N, P)``, in game points.
        decisions: int64 ``(N,)``.
        truncated: bool ``(N,)``, ended by a limit.
        tallies: what the game tells of its ended games and of the actions taken in them.
    """

    wins: np.ndarray
    scores: np.ndarray
    decisions: np.ndarray
    truncated: np.ndarray
    tallies: tuple[Tally, ...]


def play_sample(config: BalanceConfig, spec: GameSpec, num_players: int, name: str) -> Sample:
    """Play all games of one agent.

    Raises:
        AgentError: if the agent cannot be loaded, fails or answers with an illegal action.
        KingmakerError: for an option or data file that does not exist or fit.
    """
    seeds = block_seeds(config.seed, config.games)
    agent = load_agent(name, spec, num_players, tables=spec.configure(config.options, config.tables)[0])
    parts = []
    with one_torch_thread():
        for chunk, start in enumerate(range(0, config.games, config.chunk_games)):
            batch = BatchGames(
                spec,
                len(seeds[start : start + config.chunk_games]),
                num_players,
                seed=0,
                options=config.options,
                tables=config.tables,
                autoreset=False,
            )
            batch.start(seeds[start : start + config.chunk_games])
            parts.append(_play_chunk(batch, agent, config.seed, chunk))
    return Sample(
        wins=np.concatenate([part.wins for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
        decisions=np.concatenate([part.decisions for part in parts]),
        truncated=np.concatenate([part.truncated for part in parts]),
        tallies=_join([part.tallies for part in parts]),
    )


def _play_chunk(batch: BatchGames, agent: Agent, seed: int, chunk: int) -> Sample:
    agent.seed(int(np.random.default_rng([seed, _SEED_AGENT, chunk]).integers(0, 2**63)))
    seats = np.zeros((batch.num_games, batch.num_players), np.int64)
    spec = batch.spec
    taken = np.zeros((batch.num_games, batch.num_players, spec.num_actions), np.int16)
    play_out(batch, [agent], seats, np.random.default_rng([seed, _SEED_REDEALS, chunk]), taken)
    first = (batch.ranks == 0) & ~batch.truncated[:, None]
    tallies: tuple[Tally, ...] = ()
    if spec.tallies is not None:
        tallies += spec.tallies(batch.states, batch.num_players, batch.tables)
    if spec.action_tallies is not None:
        tallies += spec.action_tallies(taken, batch.num_players, batch.tables)
    return Sample(
        wins=first / np.maximum(first.sum(axis=1, keepdims=True), 1),
        scores=batch.scores.astype(np.float64),
        decisions=batch.states["moves"].astype(np.int64),
        truncated=batch.truncated,
        tallies=tallies,
    )


def _join(chunks: list[tuple[Tally, ...]]) -> tuple[Tally, ...]:
    """Return the tallies of all chunks as one."""
    return tuple(
        Tally(same[0].title, same[0].names, np.concatenate([t.values for t in same]), same[0].parts)
        for same in zip(*chunks, strict=True)
    )
