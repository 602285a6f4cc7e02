"""Pgx: games in JAX, many at once in one compiled step, on the CPU.

The step is Pgx's own `auto_reset` under `vmap`: a finished game is replaced by a new one within the step that
ends it, so every game of the batch has a decision in every step, and all of them count. Choosing the moves is
compiled into the step. Observations and masks stay on the device, where a JAX policy would read them.
XLA may use every core that it finds.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from .workload import Peer, Run, Workload, repeat

BATCH = 1024
"""Games played at once."""

STEPS = 16
"""Steps of the whole batch between two looks at the clock."""

GAMES = ("tic_tac_toe", "connect_four", "kuhn_poker", "leduc_holdem", "backgammon")


def make(game: str, seed: int) -> Run:
    """Builds and compiles one batch of games.

    Args:
        game: The game's name in Pgx.
        seed: Seeds the first positions, the chance and the moves.

    Returns:
        The function that plays.
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        key, draw_key, step_key = jax.random.split(key, 3)
        running = jnp.cumsum(state.legal_action_mask, axis=1)
        picks = (jax.random.uniform(draw_key, (BATCH,)) * running[:, -1]).astype(jnp.int32)
        actions = jnp.argmax(running > picks[:, None], axis=1)
        return step(state, actions, jax.random.split(step_key, BATCH)), key

    key, start = jax.random.split(jax.device_put(jax.random.key(seed), jax.devices("cpu")[0]))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(start, BATCH))
    state, key = jax.block_until_ready(advance(state, key))

    def burst() -> int:
        nonlocal state, key
        for _ in range(STEPS):
            state, key = advance(state, key)
        jax.block_until_ready(state)
        return STEPS * BATCH

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the games.

    Returns:
        One workload a game.
    """
    return [Workload("Pgx", game, f"jit, vmap {BATCH}, CPU", "pgx", partial(make, game)) for game in GAMES]


PEER = Peer("Pgx", "pgx", ("pgx", "jax"), workloads)
