"""The functions that a game's versioned module (``kingmaker.envs.krig_v0``) offers."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from kingmaker.envs.core.aec import AECGame, make_aec_env
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.one_seat import SeatEnv, make_seat_env
from kingmaker.envs.core.spec import GameSpec
from kingmaker.envs.core.vector import SeatVectorEnv, make_vector_env


class Constructors(NamedTuple):
    """One partial application of the shared adapters for each way to use a game."""

    env: partial[AECGame]  # AEC; an illegal action warns and ends the game
    raw_env: partial[AECGame]  # AEC; an illegal action raises and changes nothing
    seat_env: partial[SeatEnv]  # Gymnasium, one seat
    vector_env: partial[SeatVectorEnv]  # Gymnasium, one seat in each of ``num_envs`` games
    batch: partial[BatchGames]  # all seats of ``num_games`` games, for self-play


def constructors(spec: GameSpec) -> Constructors:
    """Return the constructors of a game; arguments as those of the classes they return."""
    return Constructors(
        env=partial(make_aec_env, spec, illegal_action="end"),
        raw_env=partial(make_aec_env, spec, illegal_action="raise"),
        seat_env=partial(make_seat_env, spec),
        vector_env=partial(make_vector_env, spec),
        batch=partial(BatchGames, spec),
    )
