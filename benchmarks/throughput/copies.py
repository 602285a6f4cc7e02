"""What a search pays for copies: clones and redealt copies of games in mid-play, a second."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np

from kingmaker.benchmarks.throughput.ours import BATCH, Burst, OurWorkload, Unit, our_workload
from kingmaker.benchmarks.throughput.peers.workload import Run, repeat, uniforms
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.spec import GameSpec

POSITIONS = 64
"""Games in mid-play that are copied in turn."""

DEPTH = 12
"""Random decisions before them; a game that ends on the way starts anew."""

CLONE, REDEALT = "Game.clone", "Game.redealt"
BATCH_REDEAL = f"BatchGames.redeal, {BATCH:,} games"


def played_batch(spec: GameSpec, players: int, games: int, seed: int) -> BatchGames:
    """Return a batch of running games in mid-play."""
    batch = BatchGames(spec, games, players, seed=seed)
    for _ in range(DEPTH):
        batch.step(batch.random_actions())
    return batch


def positions(spec: GameSpec, players: int, seed: int) -> list[Game]:
    """Return games in mid-play."""
    batch = played_batch(spec, players, POSITIONS, seed)
    return [batch.game(index) for index in range(POSITIONS)]


def clone_all(games: list[Game]) -> Burst:
    """Clone each game once."""

    def burst() -> int:
        for game in games:
            game.clone()
        return len(games)

    return burst


def redeal_all(games: list[Game], seed: int) -> Burst:
    """Redeal each game once, for one seat after the other."""
    draw = Random(seed)
    plan = [(game, k % game.num_players, draw.getrandbits(62)) for k, game in enumerate(games)]

    def burst() -> int:
        for game, seat, number in plan:
            game.redealt(seat, number)
        return len(plan)

    return burst


def redeal_batch(batch: BatchGames, seed: int) -> Burst:
    """Redeal a whole batch in place."""
    seats = np.arange(batch.num_games) % batch.num_players
    seeds = uniforms(seed).integers(2**62, size=batch.num_games)

    def burst() -> int:
        batch.redeal(seats, seeds)
        return batch.num_games

    return burst


def _make_clone(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, clone_all(positions(spec, players, seed)))


def _make_redealt(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, redeal_all(positions(spec, players, seed), seed))


def _make_batch_redeal(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, redeal_batch(played_batch(spec, players, BATCH, seed), seed))


def copy_workloads(spec: GameSpec, players: int) -> list[OurWorkload]:
    """List the ways to copy a game."""
    makers: dict[str, Callable[[GameSpec, int, int], Run]] = {
        CLONE: _make_clone,
        REDEALT: _make_redealt,
        BATCH_REDEAL: _make_batch_redeal,
    }
    unit: Unit = "copies"
    return [
        our_workload(spec, players, api, unit, partial(make, spec, players)) for api, make in makers.items()
    ]
