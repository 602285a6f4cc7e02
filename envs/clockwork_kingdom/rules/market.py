"""The Market: a resource for each worker."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON
from kingmaker.envs.clockwork_kingdom.state import ALCHEMIST, NONE, NUM_MARKET_SPACES, RANDOM_SPACE
from kingmaker.envs.core.kernel import kernel


@kernel
def resolve_market(state):
    """Owe the next worker its resource: spaces in board order, then those beside the Market (CK-14)."""
    owed = state.owed
    while state.at < NUM_MARKET_SPACES:
        space = state.at
        worker = state.market[space]
        state.at += 1
        if worker.seat != NONE:
            owed.seat = worker.seat
            if worker.kind == ALCHEMIST:
                owed.choice = 1  # CK-121
            elif space == RANDOM_SPACE:
                owed.random = 1
            else:
                owed.resources[space] = 1  # CK-118
            return GO_ON
    overflow = state.at - NUM_MARKET_SPACES
    if overflow == state.overflowed:
        return FINISHED
    state.at += 1
    owed.seat = state.overflow[overflow]
    owed.random = 1  # CK-122
    return GO_ON
