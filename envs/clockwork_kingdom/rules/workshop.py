"""The Workshop: schematics taken and completed."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import BUILD, DONE, TAKE, TAKE_WAREHOUSE
from kingmaker.envs.clockwork_kingdom.events import (
    COMPLETES_SCHEMATIC,
    SCHEMATIC_DEALT,
    SCHEMATICS_RESHUFFLED,
    TAKES_SCHEMATIC,
)
from kingmaker.envs.clockwork_kingdom.rules.cards import add_help
from kingmaker.envs.clockwork_kingdom.rules.contests import add_income
from kingmaker.envs.clockwork_kingdom.rules.gains import award
from kingmaker.envs.clockwork_kingdom.rules.payment import (
    affordable,
    close_bill,
    open_bill,
    pay_unit,
    payments,
    unpaid,
)
from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON, ask, draw_from, reshuffle
from kingmaker.envs.clockwork_kingdom.state import (
    ASK_PAY,
    ASK_WORKSHOP,
    FROM_SCHEMATICS,
    MAX_ORDERED,
    NONE,
    PROFESSOR,
    ROW,
    WAREHOUSE,
    YARD,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note

# --- what a worker may do -----------------------------------------------------------------------------


@kernel
def open_slot(board):
    """Return the first open yard slot, or ``NONE`` (CK-130)."""
    for slot in range(YARD):
        if board.yard[slot] == NONE:
            return slot
    return NONE


@kernel
def may_take_warehouse(state, board):
    """Return whether a Warehouse is left for a seat that has never taken one (CK-106, CK-27)."""
    had = board.built[WAREHOUSE] > 0
    for slot in range(YARD):
        if board.yard[slot] == WAREHOUSE:
            had = True
    return state.deck[WAREHOUSE] > 0 and not had


@kernel
def may_take(state, board):
    """Return whether the worker whose turn it is may take any schematic."""
    if state.may_take == 0 or open_slot(board) == NONE:
        return False
    found = may_take_warehouse(state, board)
    for place in range(ROW):
        if state.row[place] != NONE:
            found = True
    return found


@kernel
def may_build(state, tables, board, slot, kind):
    """Return whether the worker whose turn it is, of type ``kind``, may complete what is in a slot."""
    if state.may_build == 0 or board.yard[slot] == NONE:
        return False
    return affordable(tables, board, board.yard[slot], kind)


@kernel
def has_option(state, tables, worker):
    """Return whether a worker has anything to do (CK-24)."""
    board = state.seats[worker.seat]
    found = may_take(state, board)
    for slot in range(YARD):
        found = found or may_build(state, tables, board, slot, worker.kind)
    return found


# --- what it does -------------------------------------------------------------------------------------


@kernel
def take_schematic(state, tables, seat, action):
    """Take a schematic of the row, or a Warehouse, into the yard."""
    board = state.seats[seat]
    slot = open_slot(board)
    if action == TAKE_WAREHOUSE:
        design = WAREHOUSE
        state.deck[WAREHOUSE] -= 1
    else:
        design = state.row[action - TAKE]
        state.row[action - TAKE] = NONE  # CK-25: not refilled in this step
    board.yard[slot] = design
    note(tables, TAKES_SCHEMATIC, seat, design, slot + 1, 0)


@kernel
def complete(state, tables, seat):
    """Put the schematic that has been paid for into play (CK-131, CK-9)."""
    board = state.seats[seat]
    slot = state.bill.slot
    design = board.yard[slot]
    card = tables.schematics[design]
    close_bill(state, tables, seat)
    board.yard[slot] = NONE
    board.built[design] += 1
    board.types[card.kind] += 1
    board.points[FROM_SCHEMATICS] += card.points
    board.capacity += card.capacity
    note(tables, COMPLETES_SCHEMATIC, seat, design, card.points, 0)
    add_income(board.income, card.income)
    add_help(board.lasting, card.lasting)
    award(state, tables, seat, card.reward)


@kernel
def work(state, tables, action):
    """Carry out what a worker in the Workshop has been told (CK-128, CK-28)."""
    worker = state.workshop[state.at]
    if action == DONE:
        state.may_take = 0
        state.may_build = 0
        return
    builds = BUILD <= action < DONE
    if builds or worker.kind != PROFESSOR:
        state.may_build = 0
    if not builds or worker.kind != PROFESSOR:  # CK-136: a Professor does both, once each
        state.may_take = 0
    if builds:
        open_bill(state, tables, state.seats[worker.seat], action - BUILD, worker.kind)
    else:
        take_schematic(state, tables, worker.seat, action)


@kernel
def pay_on(state, tables):
    """Pay the bill as far as there is no choice; then ask, or complete the schematic (CK-22)."""
    seat = state.workshop[state.at].seat
    while unpaid(state.bill) > 0:
        choices = payments(state, state.seats[seat])
        if choices & (choices - 1) != 0:
            return ask(state, ASK_PAY, seat)
        resource = 0
        while choices >> resource & 1 == 0:
            resource += 1
        pay_unit(state, seat, resource)
    complete(state, tables, seat)
    return GO_ON


# --- the row ------------------------------------------------------------------------------------------


@large_kernel
def deal_row(state, tables):
    """Discard the row and deal five schematics (CK-133, CK-134, CK-26)."""
    for place in range(ROW):
        if state.row[place] != NONE:
            state.discards[state.row[place]] += 1
        state.row[place] = NONE
    for place in range(ROW):
        design = draw_from(state, tables, state.deck, 1 << WAREHOUSE)
        if design == NONE:
            moved = reshuffle(state.deck, state.discards)
            if moved == 0:
                return
            note(tables, SCHEMATICS_RESHUFFLED, -1, moved, 0, 0)
            design = draw_from(state, tables, state.deck, 1 << WAREHOUSE)
        state.row[place] = design
        note(tables, SCHEMATIC_DEALT, -1, design, place + 1, 0)


@kernel
def resolve_workshop(state, tables):
    """Ask the next worker, in the order of the spaces (CK-128, CK-31)."""
    if state.bill.slot != NONE:
        return pay_on(state, tables)
    while state.at < MAX_ORDERED:
        worker = state.workshop[state.at]
        if worker.seat != NONE and has_option(state, tables, worker):
            return ask(state, ASK_WORKSHOP, worker.seat)
        state.at += 1
        state.may_take = 1
        state.may_build = 1
    deal_row(state, tables)
    return FINISHED
