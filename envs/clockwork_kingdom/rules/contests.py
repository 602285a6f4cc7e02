"""Alchemy Lab and Factory: the seat with the most influence wins."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import FACILITY_SHOWN, WINS_FACILITY, WINS_LAB
from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON, draw_from, workers_in
from kingmaker.envs.clockwork_kingdom.state import (
    ALCHEMIST,
    ARTIFICER,
    FACTORY,
    LAB,
    NONE,
    NUM_RESOURCES,
    NUM_TYPES,
)
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note


@kernel
def influence(tables, board, area):
    """Return a seat's influence in the Lab or the Factory: none without a worker (CK-19, CK-178)."""
    workers = workers_in(board, area)
    if workers == 0:
        return workers
    if area == LAB:
        special = ALCHEMIST  # CK-124
        helped = board.lasting.lab + board.passing.lab
    else:
        special = ARTIFICER  # CK-155
        helped = board.lasting.factory + board.passing.factory
    return workers + (tables.influence - 1) * board.standing[area, special] + helped


@kernel
def winner(state, tables, area):
    """Return the seat that wins an area, the earlier in turn order in a tie (CK-17, CK-153), or ``NONE``."""
    best, leader = 0, NONE
    for place in range(state.num_players):
        seat = state.order[place]
        own = influence(tables, state.seats[seat], area)
        if own > best:
            best, leader = own, seat
    return leader


@kernel
def resolve_lab(state, tables):
    """Award an alchemy stone, and one more if the winner has an Alchemist there (CK-123, CK-125)."""
    seat = NONE
    if state.at == 0:
        seat = winner(state, tables, LAB)
    if seat == NONE:
        return FINISHED
    board = state.seats[seat]
    note(tables, WINS_LAB, seat, influence(tables, board, LAB), 0, 0)
    state.owed.seat = seat
    state.owed.stones = 2 if board.standing[LAB, ALCHEMIST] > 0 else 1
    state.at = 1  # the area ends once the stones are placed
    return GO_ON


@kernel
def add_income(income, more):
    """Add to what a seat gets at the end of each round."""
    for kind in range(NUM_TYPES):
        income.workers[kind] += more.workers[kind]
    for resource in range(NUM_RESOURCES):
        income.resources[resource] += more.resources[resource]
        income.refine[resource] += more.refine[resource]
    income.random += more.random


@kernel
def show_facility(state, tables):
    """Turn the next facility up (CK-154, CK-193)."""
    state.facility = draw_from(state, tables, state.stack, 0)
    if state.facility != NONE:
        note(tables, FACILITY_SHOWN, -1, state.facility + 1, 0, 0)


@kernel
def resolve_factory(state, tables):
    """Award the face-up facility (CK-152); without workers there it stays (CK-18)."""
    seat = winner(state, tables, FACTORY)
    if seat == NONE or state.facility == NONE:
        return
    board = state.seats[seat]
    note(tables, WINS_FACILITY, seat, state.facility + 1, influence(tables, board, FACTORY), 0)
    board.facilities[state.facility] += 1
    add_income(board.income, tables.facilities[state.facility].income)
    show_facility(state, tables)
