"""Placing workers: step one of a round."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import OVERFLOW, USE
from kingmaker.envs.clockwork_kingdom.events import PLACES, RESOLVES
from kingmaker.envs.clockwork_kingdom.rules.cards import play_card
from kingmaker.envs.clockwork_kingdom.rules.pieces import GO_ON, ask, setup_of
from kingmaker.envs.clockwork_kingdom.state import (
    ALCHEMIST,
    ASK_PLACE,
    BATTLE,
    BATTLE_SPACE,
    FACTORY,
    FACTORY_SPACE,
    LAB,
    LAB_SPACE,
    MARKET,
    NUM_MARKET_SPACES,
    NUM_SPACES,
    PARK,
    RUINS,
    RUINS_SPACE,
    STEP_WINDOW,
    UNIVERSITY,
    UNIVERSITY_SPACE,
    WORKSHOP,
    WORKSHOP_SPACE,
)
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note


@kernel
def pooled(board):
    """Return the workers in a seat's pool."""
    return board.pool[0] + board.pool[1] + board.pool[2] + board.pool[3]


@kernel
def market_full(state):
    """Return whether every Market space in play is taken (CK-15)."""
    taken = True
    for space in range(NUM_MARKET_SPACES):
        if state.open[space]:
            taken = False
    return taken


@kernel
def next_placement(state, tables):
    """Ask the next seat in turn order that has a worker to place (CK-111, CK-3)."""
    for _ in range(state.num_players):
        seat = state.order[state.turn]
        if pooled(state.seats[seat]) > 0:
            return ask(state, ASK_PLACE, seat)
        next_turn(state)
    state.step = STEP_WINDOW
    state.area = MARKET
    state.at = 0
    note(tables, RESOLVES + MARKET, -1, 0, 0, 0)
    return GO_ON


@kernel
def next_turn(state):
    """Pass the placement turn on."""
    state.turn = (state.turn + 1) % state.num_players
    state.used = 0


@kernel
def place(state, tables, action):
    """Put a worker on the board, or first use a Ruins card."""
    seat = state.actor
    if action >= USE:
        state.used = 1  # CK-33: one card in this window; the same seat then places its worker
        play_card(state, tables, seat, action - USE)
        return
    kind, space = ALCHEMIST, NUM_SPACES
    if action < OVERFLOW:
        kind, space = action // NUM_SPACES, action % NUM_SPACES
    board = state.seats[seat]
    board.pool[kind] -= 1
    board.standing[stand(state, tables, seat, kind, space), kind] += 1
    note(tables, PLACES + kind, seat, space + 1, 0, 0)
    next_turn(state)


@kernel
def occupy(worker, seat, kind):
    """Put a worker on a space of its own."""
    worker.seat = seat
    worker.kind = kind


@kernel
def stand(state, tables, seat, kind, space):
    """Mark a space as taken; return its area."""
    if space < LAB_SPACE:
        state.open[space] = 0
        occupy(state.market[space], seat, kind)
        return MARKET
    if space == LAB_SPACE:
        return LAB
    if space < RUINS_SPACE:
        state.open[space] = 0
        occupy(state.workshop[space - WORKSHOP_SPACE], seat, kind)
        return WORKSHOP
    if space == RUINS_SPACE:
        return RUINS
    if space < UNIVERSITY_SPACE:
        join_battle(state, tables, seat, space - BATTLE_SPACE)
        return BATTLE
    if space < FACTORY_SPACE:
        state.open[space] = 0
        occupy(state.university[space - UNIVERSITY_SPACE], seat, kind)
        return UNIVERSITY
    if space == FACTORY_SPACE:
        return FACTORY
    if space == NUM_SPACES:  # beside the full Market
        state.overflow[state.overflowed] = seat
        state.overflowed += 1
        return MARKET
    state.park[state.parked] = seat  # CK-156: the lowest space
    state.parked += 1
    if state.parked == setup_of(state, tables).park:
        state.open[space] = 0
    return PARK


@kernel
def join_battle(state, tables, seat, battlefield):
    """Put a worker below a battlefield, and close it when its last space is taken."""
    state.seats[seat].battle[battlefield] += 1
    taken = 0
    for other in range(state.num_players):
        taken += state.seats[other].battle[battlefield]
    if taken == setup_of(state, tables).battle_spaces:
        state.open[BATTLE_SPACE + battlefield] = 0
