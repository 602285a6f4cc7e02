"""Pieces that change hands: resources, workers, cards drawn from a deck; and how a seat is asked."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.events import GAINS, RECEIVES, SUPPLY_EMPTY, WORKER_LOST
from kingmaker.envs.clockwork_kingdom.state import MIN_PLAYERS, NONE, NUM_AREAS, NUM_RESOURCES
from kingmaker.envs.core.chance import draw
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note

# What a step of the game answers: go on with whatever is next, a seat has been asked, the area is done.
GO_ON, ASKED, FINISHED = range(3)


@kernel
def setup_of(state, tables):
    """Return what is open with this number of seats."""
    return tables.setups[state.num_players - MIN_PLAYERS]


@kernel
def ask(state, phase, seat):
    """Ask a seat."""
    state.phase = phase
    state.actor = seat
    return ASKED


# --- decks --------------------------------------------------------------------------------------------


@large_kernel
def draw_from(state, tables, counts, barred):
    """Draw a card from a deck given as counts, leaving out the kinds in the bit set ``barred``.

    Returns:
        The kind, or ``NONE`` if no card is left. The outcome of the draw is a position among the cards left,
        sorted by kind.
    """
    total = np.int64(0)
    for kind in range(counts.shape[0]):
        if barred >> kind & 1 == 0:
            total += counts[kind]
    if total == 0:
        return NONE
    left = draw(state, tables, total)
    drawn = NONE
    for kind in range(counts.shape[0]):
        if drawn == NONE and barred >> kind & 1 == 0:
            left -= counts[kind]
            if left < 0:
                drawn = kind
    counts[drawn] -= 1
    return drawn


@kernel
def reshuffle(deck, discards):
    """Turn the discards into the deck; return their number."""
    moved = np.int64(0)
    for kind in range(deck.shape[0]):
        moved += discards[kind]
        deck[kind] += discards[kind]
        discards[kind] = 0
    return moved


# --- resources ----------------------------------------------------------------------------------------


@kernel
def stored(board):
    """Return the resources in a seat's store."""
    return board.store[0] + board.store[1] + board.store[2] + board.store[3]


@kernel
def receive(state, tables, seat, resource):
    """Give a seat a resource from the supply, if there is one (CK-13); the cap is for ``settle``."""
    if state.supply[resource] == 0:
        note(tables, SUPPLY_EMPTY, seat, 0, 0, 0)
        return
    state.supply[resource] -= 1
    store = state.seats[seat].store
    store[resource] += 1
    note(tables, RECEIVES + resource, seat, store[resource], 0, 0)


@kernel
def give_back(state, seat, resource):
    """Return a resource from a seat's store to the supply."""
    state.seats[seat].store[resource] -= 1
    state.supply[resource] += 1


@kernel
def random_resource(state, tables):
    """Return a random resource of those left in the supply, or ``NONE``; it stays there (CK-13)."""
    total = state.supply[0] + state.supply[1] + state.supply[2] + state.supply[3]
    if total == 0:
        return NONE
    left = draw(state, tables, total)
    resource = 0
    while resource < NUM_RESOURCES - 1 and left >= state.supply[resource]:
        left -= state.supply[resource]
        resource += 1
    return resource


# --- workers ------------------------------------------------------------------------------------------


@kernel
def spare(tables, board, kind):
    """Return how many workers of a type a seat can still gain (CK-7)."""
    left = tables.workers[kind] - board.pool[kind]
    for area in range(NUM_AREAS):
        left -= board.standing[area, kind]
    return left


@large_kernel
def gain_workers(state, tables, seat, kind, count):
    """Put up to ``count`` workers of a type into a seat's pool; those that it has not are lost (CK-7)."""
    board = state.seats[seat]
    gained = min(count, spare(tables, board, kind))
    board.pool[kind] += gained
    if tables.tape.on:
        for _ in range(gained):
            note(tables, GAINS + kind, seat, 0, 0, 0)
        for _ in range(count - gained):
            note(tables, WORKER_LOST, seat, 0, 0, 0)


@kernel
def workers_in(board, area):
    """Return the number of a seat's workers in an area."""
    standing = board.standing
    return np.int64(standing[area, 0]) + standing[area, 1] + standing[area, 2] + standing[area, 3]
