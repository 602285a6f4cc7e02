"""Clockwork Kingdom, version 0: ``env``, ``raw_env``, ``seat_env``, ``vector_env`` and ``batch``."""

from kingmaker.envs.clockwork_kingdom import CLOCKWORK_KINGDOM
from kingmaker.envs.core.constructors import constructors

env, raw_env, seat_env, vector_env, batch = constructors(CLOCKWORK_KINGDOM)
