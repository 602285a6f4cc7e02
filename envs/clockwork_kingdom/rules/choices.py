"""The legal actions of the seat that is asked."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import (
    BUILD,
    DISCARD,
    DONE,
    DROP,
    KEEP,
    OVERFLOW,
    PASS,
    PAY,
    PLACE,
    PLAY,
    RECEIVE,
    REFINE,
    STONE,
    STUDY,
    TAKE,
    TAKE_WAREHOUSE,
    TOKEN,
    USE,
)
from kingmaker.envs.clockwork_kingdom.rules.gains import refined
from kingmaker.envs.clockwork_kingdom.rules.hand import playable
from kingmaker.envs.clockwork_kingdom.rules.payment import payments
from kingmaker.envs.clockwork_kingdom.rules.pieces import setup_of, workers_in
from kingmaker.envs.clockwork_kingdom.rules.placement import market_full
from kingmaker.envs.clockwork_kingdom.rules.university import studies
from kingmaker.envs.clockwork_kingdom.rules.workshop import may_build, may_take, may_take_warehouse
from kingmaker.envs.clockwork_kingdom.state import (
    ALCHEMIST,
    ASK_DISCARD,
    ASK_DROP,
    ASK_PAY,
    ASK_PLACE,
    ASK_RECEIVE,
    ASK_STONE,
    ASK_TOKEN,
    ASK_UNIVERSITY,
    ASK_WINDOW,
    ASK_WORKSHOP,
    MAX_BATTLEFIELDS,
    MAX_RUINS,
    NONE,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TYPES,
    PARK,
    PARK_SPACE,
    ROW,
    TURN,
    YARD,
)
from kingmaker.envs.core.kernel import kernel, large_kernel


@large_kernel
def mark_bits(mask, first, choices, count):
    """Mark the actions ``first + i`` for the bits ``i`` of a bit set."""
    for bit in range(count):
        mask[first + bit] = choices >> bit & 1


@large_kernel
def mark_held(mask, first, counts, count):
    """Mark the actions ``first + i`` for each ``i`` of which there is any."""
    for index in range(count):
        mask[first + index] = counts[index] > 0


@kernel
def mark_placements(state, tables, board, mask):
    """Mark the open spaces for each type in the pool, and cards for the start of a turn (CK-111, CK-33)."""
    in_park = workers_in(board, PARK) > 0
    for kind in range(NUM_TYPES):
        if board.pool[kind] > 0:
            first = PLACE + NUM_SPACES * kind
            for space in range(NUM_SPACES):
                mask[first + space] = state.open[space]
            if in_park:
                mask[first + PARK_SPACE] = 0  # CK-156
    if board.pool[ALCHEMIST] > 0 and market_full(state):
        mask[OVERFLOW] = 1
    if state.used == 0:
        mark_bits(mask, USE, playable(tables, board, TURN), MAX_RUINS)


@kernel
def mark_workshop(state, tables, board, mask):
    """Mark what the worker whose turn it is may take and build."""
    kind = state.workshop[state.at].kind
    mask[DONE] = 1  # CK-24
    if may_take(state, board):
        for place in range(ROW):
            mask[TAKE + place] = state.row[place] != NONE
        mask[TAKE_WAREHOUSE] = may_take_warehouse(state, board)
    for slot in range(YARD):
        mask[BUILD + slot] = may_build(state, tables, board, slot, kind)


@kernel
def mark_refining(state, board, mask):
    """Mark the other resources that may be refined."""
    made = refined(state)
    mask[KEEP] = 1
    for resource in range(NUM_RESOURCES):
        mask[REFINE + resource] = resource != made and board.store[resource] > 0


@kernel
def legal(state, tables, mask):
    """Mark the legal actions of ``state.actor``."""
    board = state.seats[state.actor]
    phase = state.phase
    if phase == ASK_PLACE:
        mark_placements(state, tables, board, mask)
    elif phase == ASK_WINDOW:
        mask[PASS] = 1
        mark_bits(mask, PLAY, playable(tables, board, state.area), MAX_RUINS)
    elif phase == ASK_RECEIVE:
        mark_held(mask, RECEIVE, state.supply, NUM_RESOURCES)
    elif phase == ASK_DISCARD:
        mark_held(mask, DISCARD, board.store, NUM_RESOURCES)
    elif phase == ASK_STONE:
        for slot in range(NUM_SLOTS):
            mask[STONE + slot] = board.slots[slot] == 0
    elif phase == ASK_TOKEN:
        mark_held(mask, TOKEN, setup_of(state, tables).battlefields, MAX_BATTLEFIELDS)
    elif phase == ASK_DROP:
        mark_held(mask, DROP, board.hand, MAX_RUINS)
    elif phase == ASK_PAY:
        mark_bits(mask, PAY, payments(state, board), NUM_RESOURCES)
    elif phase == ASK_WORKSHOP:
        mark_workshop(state, tables, board, mask)
    elif phase == ASK_UNIVERSITY:
        mark_bits(mask, STUDY, studies(state, tables, state.university[state.at]), NUM_TYPES * NUM_TYPES)
    else:
        mark_refining(state, board, mask)
