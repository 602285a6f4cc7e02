"""The final count and the ranking."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.events import END_SCORED, LEFTOVERS_SCORED
from kingmaker.envs.clockwork_kingdom.rules.pieces import stored
from kingmaker.envs.clockwork_kingdom.rules.placement import pooled
from kingmaker.envs.clockwork_kingdom.state import (
    AUTOMATON,
    FROM_END,
    FROM_LEFTOVERS,
    MAX_FACILITIES,
    NUM_SCHEMATIC_TYPES,
    NUM_SCORED,
    NUM_SLOTS,
    NUM_SOURCES,
    SCORE_BATTLES,
    SCORE_FACILITIES,
    SCORE_STONES,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@kernel
def counted(board, what):
    """Return how many a seat has of what end scoring counts (CK-180, CK-181)."""
    total = np.int64(0)
    if what < NUM_SCHEMATIC_TYPES:
        total += board.types[what]
    elif what == SCORE_FACILITIES:
        for design in range(MAX_FACILITIES):
            total += board.facilities[design]
    elif what == SCORE_STONES:
        for slot in range(NUM_SLOTS):
            total += board.slots[slot]
    elif what == SCORE_BATTLES:
        total += board.won
    else:
        total += pooled(board) - board.pool[AUTOMATON]
    return total


@large_kernel
def final_count(state, tables):
    """Score completed schematics and leftovers (CK-161, CK-162, CK-50)."""
    for seat in range(state.num_players):
        board = state.seats[seat]
        for what in range(NUM_SCORED):
            amount = counted(board, what)
            for design in range(tables.designs):
                points = board.built[design] * tables.schematics[design].scoring[what] * amount
                if points > 0:
                    board.points[FROM_END + what] += points
                    note(tables, END_SCORED, seat, design, points, 0)
        left = stored(board) + pooled(board)
        board.points[FROM_LEFTOVERS] = left // tables.leftovers
        note(tables, LEFTOVERS_SCORED, seat, left // tables.leftovers, left, 0)


@kernel
def total_points(board):
    """Return a seat's victory points."""
    total = np.int64(0)
    for source in range(NUM_SOURCES):
        total += board.points[source]
    return total


@kernel
def outcome(state, tables, ranks, scores):
    """Rank by points, then resources, then workers (CK-163, CK-51); the score is the points."""
    for seat in range(state.num_players):
        scores[seat] = total_points(state.seats[seat])
        ranks[seat] = 0
        for other in range(state.num_players):
            ranks[seat] += beats(state.seats[other], state.seats[seat])


@kernel
def beats(one, other):
    """Return whether a seat ranks before another."""
    if total_points(one) != total_points(other):
        return total_points(one) > total_points(other)
    if stored(one) != stored(other):
        return stored(one) > stored(other)
    return pooled(one) > pooled(other)
