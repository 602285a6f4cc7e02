"""Our games as workloads, through every interface that plays them.

Decisions of the seat that is played from outside are counted; where opponents move inside (one-seat,
vector and SB3 environments) theirs take time and are not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from random import Random
from typing import Any, Literal

import gymnasium
import numpy as np

from kingmaker.benchmarks.throughput.peers.workload import (
    BURST,
    Run,
    Workload,
    choose_one,
    choose_rows,
    repeat,
    uniforms,
)
from kingmaker.envs.core.aec import AECGame, make_aec_env
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.spec import GameSpec
from kingmaker.envs.core.vector import SeatVectorEnv

Unit = Literal["decisions", "steps", "copies"]
Burst = Callable[[], int]

# Chosen by measurement on two cores with both Krig games: one thread is quickest from 2,048 to 8,192 games
# (smaller batches pay for the call, larger ones leave the cache), two threads from 16,384 on (each step hands
# work over twice, some 60 microseconds). Each size is run with one and with two, to set like beside like.
BATCH = 4096
LARGE_BATCH = 65_536
ENVS = 1024
STEPS = 16
"""Steps of a whole batch between two looks at the clock."""


@dataclass(frozen=True)
class OurWorkload(Workload):
    """A workload of this package.

    Attributes:
        game: id of the game.
        players: seats in play.
        unit: what is counted: decisions of any seat, steps of the learning seat, or copies of a game.
    """

    game: str
    players: int
    unit: Unit


def play_batch(batch: BatchGames) -> Burst:
    """Play a batch with autoreset: every game has a decision in every step."""

    def burst() -> int:
        for _ in range(STEPS):
            batch.step(batch.random_actions())
        return STEPS * batch.num_games

    return burst


def play_aec(env: AECGame, draw: Callable[[], float]) -> Burst:
    """Play a reset AEC environment; the loop is the same as for PettingZoo's own games."""

    def burst() -> int:
        played = 0
        while played < BURST:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(choose_one(observation["action_mask"], draw()))
            played += 1
        return played

    return burst


def play_seat(env: gymnasium.Env[Any, Any], seed: int) -> Burst:
    """Play a one-seat environment, bare or in Gymnasium's wrappers."""
    draw = Random(seed).random
    _, info = env.reset(seed=seed)

    def burst() -> int:
        nonlocal info
        for _ in range(BURST):
            action = choose_one(info["action_mask"], draw())
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()
        return BURST

    return burst


def play_vector(env: SeatVectorEnv, seed: int) -> Burst:
    """Play a Gymnasium vector environment; the step that only starts an ended game anew is not counted."""
    generator = uniforms(seed)
    _, info = env.reset(seed=seed)
    over = np.zeros(env.num_envs, np.bool_)

    def burst() -> int:
        nonlocal info, over
        played = 0
        for _ in range(STEPS):
            played += env.num_envs - int(np.count_nonzero(over))
            actions = choose_rows(info["action_mask"], generator.random(env.num_envs, dtype=np.float32))
            _, _, terminated, truncated, info = env.step(actions)
            over = terminated | truncated
        return played

    return burst


def play_sb3(env: Any, seed: int) -> Burst:
    """Play an SB3 ``VecEnv``, asking for masks as sb3-contrib's ``get_action_masks`` does."""
    generator = uniforms(seed)
    env.seed(seed)
    env.reset()

    def burst() -> int:
        for _ in range(STEPS):
            masks = np.stack(env.env_method("action_masks"))
            env.step(choose_rows(masks, generator.random(env.num_envs, dtype=np.float32)))
        return STEPS * env.num_envs

    return burst


def _make_batch(spec: GameSpec, players: int, games: int, threads: int, seed: int) -> Run:
    return partial(repeat, play_batch(BatchGames(spec, games, players, seed=seed, threads=threads)))


def _make_aec(spec: GameSpec, players: int, illegal_action: str, seed: int) -> Run:
    env = make_aec_env(spec, players, illegal_action=illegal_action)
    env.reset(seed=seed)
    return partial(repeat, play_aec(env, Random(seed).random))


def _make_seat(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, play_seat(SeatEnv(spec, num_players=players), seed))


def _make_gymnasium(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, play_seat(gymnasium.make(spec.gym_id, num_players=players), seed))


def _make_vector(spec: GameSpec, players: int, seed: int) -> Run:
    return partial(repeat, play_vector(SeatVectorEnv(spec, ENVS, num_players=players), seed))


def _make_sb3(spec: GameSpec, players: int, seed: int) -> Run:
    from kingmaker.training.sb3_vec import SeatVecEnv

    return partial(repeat, play_sb3(SeatVecEnv(spec, ENVS, num_players=players), seed))


def batch_api(threads: int, games: int) -> str:
    """Return the name of a batch interface in the report."""
    return f"BatchGames, {threads} thread{'s' if threads > 1 else ''}, {games:,} games"


AEC_ENV, AEC_RAW = "AEC env()", "AEC raw_env()"
SEAT_DIRECT, SEAT_GYMNASIUM = "SeatEnv", "gymnasium.make"
VECTOR = f"Gymnasium vector, {ENVS:,} envs"
SB3 = f"SB3 VecEnv, {ENVS:,} envs"


def play_workloads(spec: GameSpec, players: int) -> list[OurWorkload]:
    """List every way to play a game; the SB3 one only where Stable-Baselines3 is installed."""
    ways: list[tuple[str, Unit, Callable[[int], Run]]] = [
        (batch_api(threads, games), "decisions", partial(_make_batch, spec, players, games, threads))
        for threads in (1, 2)
        for games in (BATCH, LARGE_BATCH)
    ]
    ways += [
        (AEC_ENV, "decisions", partial(_make_aec, spec, players, "end")),
        (AEC_RAW, "decisions", partial(_make_aec, spec, players, "raise")),
        (SEAT_DIRECT, "steps", partial(_make_seat, spec, players)),
        (SEAT_GYMNASIUM, "steps", partial(_make_gymnasium, spec, players)),
        (VECTOR, "steps", partial(_make_vector, spec, players)),
    ]
    if find_spec("stable_baselines3") is not None:
        ways.append((SB3, "steps", partial(_make_sb3, spec, players)))
    return [our_workload(spec, players, api, unit, make) for api, unit, make in ways]


def our_workload(
    spec: GameSpec, players: int, api: str, unit: Unit, make: Callable[[int], Run]
) -> OurWorkload:
    """Return a workload under this package's name."""
    name = f"{spec.name}, {players} players"
    return OurWorkload("kingmaker", name, api, "kingmaker", make, spec.id, players, unit)
