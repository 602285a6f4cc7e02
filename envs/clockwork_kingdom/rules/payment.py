"""Paying for a schematic, alchemy stones and discounts included.

Units that can be matched to different units of a cost form a matroid, so two numbers answer everything: how
many units a seat could match in all, and whether what it has paid so far can still be completed.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.events import PAYS
from kingmaker.envs.clockwork_kingdom.rules.pieces import give_back
from kingmaker.envs.clockwork_kingdom.state import ARTIFICER, NONE, NUM_RESOURCES
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@large_kernel
def matched(slots, cost, steel, copper, lumber, canvas):
    """Return how many of the given units can be matched to different units of a cost (CK-21).

    A unit matches a unit of the same resource, or of the other one of a filled slot. By Hall's theorem it is
    the least, over all sets of resources, of the units outside the set and the units of cost that the set
    can pay for.
    """
    # Bit sets of the resources that each can pay for; the slots are the pairs in order.
    by_steel = 1 | slots[0] << 1 | slots[1] << 2 | slots[2] << 3
    by_copper = 2 | slots[0] | slots[3] << 2 | slots[4] << 3
    by_lumber = 4 | slots[1] | slots[3] << 1 | slots[5] << 3
    by_canvas = 8 | slots[2] | slots[4] << 1 | slots[5] << 2
    least = np.int64(1000)
    for chosen in range(1 << NUM_RESOURCES):
        outside = np.int64(0)
        reach = 0
        if chosen & 1:
            reach |= by_steel
        else:
            outside += steel
        if chosen & 2:
            reach |= by_copper
        else:
            outside += copper
        if chosen & 4:
            reach |= by_lumber
        else:
            outside += lumber
        if chosen & 8:
            reach |= by_canvas
        else:
            outside += canvas
        for resource in range(NUM_RESOURCES):
            outside += (reach >> resource & 1) * cost[resource]
        least = min(least, outside)
    return least


@kernel
def units_due(tables, board, design, kind):
    """Return the units that a build costs a seat with a worker of type ``kind`` (CK-135, CK-177, CK-29)."""
    cost = tables.schematics[design].cost
    off = board.lasting.discount + board.passing.discount + (kind == ARTIFICER)
    return max(np.int64(0), np.int64(cost[0]) + cost[1] + cost[2] + cost[3] - off)


@kernel
def affordable(tables, board, design, kind):
    """Return whether a seat can pay for a schematic (CK-21)."""
    store = board.store
    cost = tables.schematics[design].cost
    due = units_due(tables, board, design, kind)
    return matched(board.slots, cost, store[0], store[1], store[2], store[3]) >= due


@kernel
def open_bill(state, tables, board, slot, kind):
    """Start to pay for the schematic in a yard slot."""
    bill = state.bill
    design = board.yard[slot]
    bill.slot = slot
    bill.units = units_due(tables, board, design, kind)
    bill.lowest = 0
    for resource in range(NUM_RESOURCES):
        bill.cost[resource] = tables.schematics[design].cost[resource]
        bill.paid[resource] = 0


@kernel
def close_bill(state, tables, seat):
    """Put an end to a payment."""
    bill = state.bill
    bill.slot = NONE
    bill.units = 0
    bill.lowest = 0
    for resource in range(NUM_RESOURCES):
        if bill.paid[resource] > 0:
            note(tables, PAYS + resource, seat, bill.paid[resource], 0, 0)
        bill.cost[resource] = 0
        bill.paid[resource] = 0


@kernel
def unpaid(bill):
    """Return the units of a bill still to be paid."""
    return bill.units - bill.paid[0] - bill.paid[1] - bill.paid[2] - bill.paid[3]


@large_kernel
def may_pay_with(state, board, resource):
    """Return whether the next unit of the bill may be of a resource (CK-22).

    The units paid and this one must match the cost, and together with what is then in the store of this and
    later resources must reach the whole of it.
    """
    bill = state.bill
    if resource < bill.lowest or board.store[resource] == 0:
        return False
    paid, store = bill.paid, board.store
    so_far = bill.units - unpaid(bill) + 1
    matches = matched(
        board.slots,
        bill.cost,
        paid[0] + (resource == 0),
        paid[1] + (resource == 1),
        paid[2] + (resource == 2),
        paid[3] + (resource == 3),
    )
    if matches < so_far:
        return False
    reach = matched(
        board.slots,
        bill.cost,
        paid[0] + (store[0] if resource <= 0 else 0),
        paid[1] + (store[1] if resource <= 1 else 0),
        paid[2] + (store[2] if resource <= 2 else 0),
        paid[3] + store[3],
    )
    return reach >= bill.units


@kernel
def payments(state, board):
    """Return the bit set of resources that the next unit may be of."""
    choices = 0
    for resource in range(NUM_RESOURCES):
        if may_pay_with(state, board, resource):
            choices |= 1 << resource
    return choices


@kernel
def pay_unit(state, seat, resource):
    """Pay a unit of the bill."""
    give_back(state, seat, resource)
    state.bill.paid[resource] += 1
    state.bill.lowest = resource
