"""Kingsburg, version 0: ``env``, ``raw_env``, ``seat_env``, ``vector_env`` and ``batch``."""

from kingmaker.envs.core.constructors import constructors
from kingmaker.envs.kingsburg import KINGSBURG

env, raw_env, seat_env, vector_env, batch = constructors(KINGSBURG)
