"""How long a tournament will take, from a few moves of each agent.

Agents that answer at once play a few games among themselves, which tells how long games are; searching
agents, whose games take long, are asked once about positions halfway through as long a game. Both are only
about right: games among other agents may be longer, and searches shorter towards a game's end.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from kingmaker.agents.basic import RandomAgent
from kingmaker.benchmarks.playing import ask, play_out
from kingmaker.benchmarks.tournament.config import Setup
from kingmaker.benchmarks.tournament.play import ChunkPlayer, block_seeds, one_torch_thread
from kingmaker.benchmarks.tournament.store import RESULTS, Store
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.contract import NOBODY

# Positions that a searching agent is asked about, and at most so many games among the others.
_POSITIONS, _MAX_GAMES = 4, 60


def games_left(setup: Setup, out_dir: Path) -> int:
    """Return how many games a tournament still has to play; leaves a folder without results alone.

    Raises:
        TournamentError: if the folder holds other results, see ``Store``.
    """
    if not (out_dir / RESULTS).is_file():
        return setup.schedule.num_games
    with Store(setup, out_dir, resume=True) as store:
        return setup.schedule.num_games - store.num_done


def seconds_a_game(player: ChunkPlayer) -> float:
    """Return about how much processor time a game of a tournament takes, in seconds.

    Raises:
        AgentError: if an agent fails or answers with an illegal action; names the agent.
    """
    with one_torch_thread():
        searching = [agent.uses_games for agent in player.agents]
        length, seconds, rest = _quick_games(player, searching)
        batch, rows = _positions(player, int(length / 2))
        for index in np.flatnonzero(searching):
            _, cpu = ask(player.agents[index], batch, rows, np.random.default_rng(0))
            seconds[index] = cpu / len(rows)
    schedule = player.setup.schedule
    seats = np.bincount(schedule.seatings[0].ravel(), minlength=len(seconds)) / schedule.block_games
    return float(rest + length / player.setup.num_players * (seats @ seconds))


def _positions(player: ChunkPlayer, moves: int) -> tuple[BatchGames, np.ndarray]:
    """Return games after so many random moves, or fewer if all are over by then, and which are not over."""
    while True:
        batch = player.batch(block_seeds(player.setup.config.seed, _POSITIONS))
        for _ in range(moves):
            batch.step(batch.random_actions())
        rows = np.flatnonzero(batch.actors != NOBODY)
        if len(rows):
            return batch, rows
        moves //= 2


def _quick_games(player: ChunkPlayer, searching: list[bool]) -> tuple[float, np.ndarray, float]:
    """Play games without searching agents.

    Returns:
        Decisions a game, seconds a decision by agent, float64 ``(k,)``, 0 for the searching ones, and seconds
        a game that no agent took.
    """
    setup, n = player.setup, player.setup.num_players
    quick = [agent for agent, slow in zip(player.agents, searching, strict=True) if not slow]
    agents = quick or [RandomAgent(setup.spec, n, "random")]
    games = max(len(agents), min(setup.config.chunk_games, _MAX_GAMES))
    batch = player.batch(block_seeds(setup.config.seed, games))
    seats = (np.arange(games)[:, None] + np.arange(n)) % len(agents)
    before = time.process_time()
    asked, cpu = play_out(batch, agents, seats, np.random.default_rng(0))
    rest = time.process_time() - before - cpu.sum()
    seconds = np.zeros(len(searching))
    if quick:
        seconds[~np.array(searching)] = cpu / np.maximum(asked, 1)
    return asked.sum() / games, seconds, max(0.0, rest) / games
