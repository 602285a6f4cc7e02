"""What schematics are worth to the rules of thumb for Clockwork Kingdom, and what their resources are."""

from __future__ import annotations

import numpy as np

from kingmaker.agents.heuristics.clockwork_kingdom_worth import (
    COMBINED,
    COMPLETING,
    EACH_MISSING,
    HAVING,
    LACKING,
    LATE,
    LEFTOVER,
    PLAN,
    TAKING,
    WANTED,
    cost_of,
    design_at,
    design_worth,
    figure,
    have,
    need,
    pool_of,
    read,
    room,
    rounds_left,
    unit_worth,
)
from kingmaker.envs.clockwork_kingdom.features import (
    FEW_SCALE,
    FREE_WAREHOUSE,
    HAND,
    MARKET_OPEN,
    OWN,
    ROW_DESIGN,
    ROW_MISSING,
    SCALE,
    STANDING,
    STORE,
    WAREHOUSE_MISSING,
    WORKING,
    YARD_AT,
    YARD_COST,
    YARD_MISSING,
    YARD_SIZE,
)
from kingmaker.envs.clockwork_kingdom.state import (
    ARTIFICER,
    MAX_RUINS,
    NUM_RESOURCES,
    PROFESSOR,
    ROW,
    WAREHOUSE,
    WORKSHOP,
    YARD,
)
from kingmaker.envs.core.kernel import kernel, large_kernel

# --- the row ------------------------------------------------------------------------------------------


@large_kernel
def taking_worth(tables, observation, design, missing):
    """Return what taking a schematic is worth that lacks ``missing`` units."""
    rounds = rounds_left(tables, observation)
    if rounds <= 0 and missing > 0:
        return 0.0
    net = design_worth(tables, observation, design, max(rounds - 1, 0.0))
    net -= figure(observation, LACKING) * missing
    net -= figure(observation, HAVING) * (cost_of(tables, design) - missing)
    in_time = min(1.0, (1 + figure(observation, LATE) * rounds) / (1 + missing))
    return figure(observation, TAKING) * max(net, 0.0) * in_time


@kernel
def row_worth(tables, observation, place):
    """Return what taking the schematic at a place of the row is worth; ``ROW`` is the Warehouse."""
    if place == ROW:
        if observation[FREE_WAREHOUSE] == 0:
            return 0.0
        return taking_worth(tables, observation, WAREHOUSE, read(observation, WAREHOUSE_MISSING, SCALE))
    design = design_at(observation, ROW_DESIGN + place)
    if design < 0:
        return 0.0
    return taking_worth(tables, observation, design, read(observation, ROW_MISSING + place, SCALE))


@large_kernel
def planned(tables, observation):
    """Return the schematic of the row that a seat with an open yard slot is likely to take, or -1."""
    best, chosen = 0.0, -1
    if observation[YARD_AT] == 0 or observation[YARD_AT + YARD_SIZE] == 0:
        for place in range(ROW):
            worth = row_worth(tables, observation, place)
            if worth > best:
                best, chosen = worth, design_at(observation, ROW_DESIGN + place)
    return chosen


# --- the yard -----------------------------------------------------------------------------------------


@kernel
def yard_worth(tables, observation, slot):
    """Return what the schematic in a yard slot is worth completed; in the last round less what it costs."""
    design = design_at(observation, YARD_AT + YARD_SIZE * slot)
    if design < 0:
        return 0.0
    rounds = rounds_left(tables, observation)
    spent = 0.0 if rounds > 0 else LEFTOVER * cost_of(tables, design)
    return max(design_worth(tables, observation, design, rounds) - spent, 0.0)


@kernel
def completing_worth(tables, observation, slot):
    """Return what completing the schematic in a yard slot is worth: in the last round all of it."""
    share = figure(observation, COMPLETING) if rounds_left(tables, observation) > 0 else 1.0
    return share * yard_worth(tables, observation, slot)


@kernel
def card_units(tables, observation):
    """Return the units that a card in hand would spare in the Workshop."""
    most = 0
    for kind in range(MAX_RUINS):
        if observation[HAND + kind] > 0:
            card = tables.ruins[kind]
            most = max(most, card.passing.discount, card.reward.choice, card.reward.random // 2)
    return most


@large_kernel
def still_missing(observation, slot):
    """Return the units that a schematic in the yard lacks once the Market has resolved."""
    at = YARD_AT + YARD_SIZE * slot
    missing = read(observation, at + YARD_MISSING, SCALE)
    for resource in range(NUM_RESOURCES):
        cost = read(observation, at + YARD_COST + resource, FEW_SCALE)
        store = read(observation, OWN + STORE + resource, SCALE)
        if cost > store and have(observation, resource) > store:
            missing -= 1
    return max(missing, 0.0)


@kernel
def on_market(observation, slot):
    """Return the units that a schematic in the yard lacks and open spaces of the Market have."""
    units = 0
    for resource in range(NUM_RESOURCES):
        cost = read(observation, YARD_AT + YARD_SIZE * slot + YARD_COST + resource, FEW_SCALE)
        if cost > have(observation, resource) and observation[MARKET_OPEN + resource] > 0:
            units += 1
    return units


@kernel
def workers_working(observation):
    """Return what the seat's workers in the Workshop may do in all, a Professor two things."""
    return read(observation, OWN + STANDING + WORKSHOP, SCALE) + read(observation, OWN + WORKING, FEW_SCALE)


@large_kernel
def share_worth(tables, observation, slot):
    """Return what a yard schematic is worth for each worker still to be spent on it in this round.

    That is a worker for each unit that it lacks, and one in the Workshop unless one stands there that nothing
    else waits for. It is 0 if the Market or the pool has not enough, or if all has been done.
    """
    missing = still_missing(observation, slot)
    waiting = 0
    if (
        observation[YARD_AT + YARD_SIZE * (YARD - 1 - slot)] > 0
        and still_missing(observation, YARD - 1 - slot) == 0
    ):
        waiting = 1
    workers = missing + (0 if workers_working(observation) > waiting else 1)
    if workers == 0 or workers > pool_of(observation, OWN) or missing > on_market(observation, slot):
        return 0.0
    share = figure(observation, COMBINED) if rounds_left(tables, observation) > 0 else 1.0
    return share * yard_worth(tables, observation, slot) / workers


# --- resources ----------------------------------------------------------------------------------------


@large_kernel
def wanted_worth(tables, observation, resource):
    """Return what a resource is worth more than any other, as the schematics in the yard lack it."""
    most = 0.0
    if need(observation, resource) <= have(observation, resource):
        return most
    for slot in range(YARD):
        cost = read(observation, YARD_AT + YARD_SIZE * slot + YARD_COST + resource, FEW_SCALE)
        if cost > 0 and still_missing(observation, slot) > 0:
            design = design_at(observation, YARD_AT + YARD_SIZE * slot)
            share = yard_worth(tables, observation, slot) / (2 + cost_of(tables, design))
            most = max(most, figure(observation, WANTED) * share)
            if cost > have(observation, resource):
                most = max(most, share_worth(tables, observation, slot))
    return most


@kernel
def resource_worth(tables, observation, resource):
    """Return what a unit of a resource is worth; beside a full store only what is wanted is."""
    plain = unit_worth(tables, observation) if room(observation) > 0 else 0.0
    return plain + wanted_worth(tables, observation, resource)


@kernel
def keep_worth(tables, observation, resource):
    """Return how much a unit in store is wanted: what yard and plan cost of its resource, less the store."""
    wanted = need(observation, resource) - read(observation, OWN + STORE + resource, SCALE)
    design = planned(tables, observation)
    if design >= 0:
        wanted += figure(observation, PLAN) * tables.schematics[design].cost[resource]
    return wanted


# --- a worker in the Workshop -------------------------------------------------------------------------


@kernel
def insert(worth, best, second, third, fourth):
    """Return the four highest of five values, the last four being in order."""
    if worth > best:
        return worth, best, second, third
    if worth > second:
        return best, worth, second, third
    if worth > third:
        return best, second, worth, third
    return best, second, third, max(worth, fourth)


@kernel
def build_worth(tables, observation, slot, off):
    """Return what a worker is worth that is to complete a yard schematic, ``off`` units being spared."""
    missing = max(still_missing(observation, slot) - off, 0.0)
    worth = completing_worth(tables, observation, slot)
    for _ in range(np.int64(missing)):
        worth *= figure(observation, EACH_MISSING)
    return max(worth, share_worth(tables, observation, slot)) if missing > 0 else worth


@large_kernel
def workshop_worth(tables, observation, kind):
    """Return what a worker of a type in the Workshop is worth beside those who are there already."""
    off = card_units(tables, observation) + (1 if kind == ARTIFICER else 0)
    best, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    first_take, second_take = 0.0, 0.0
    for place in range(ROW + 1):
        worth = row_worth(tables, observation, place)
        if worth > first_take:
            first_take, second_take = worth, first_take
        elif worth > second_take:
            second_take = worth
    for slot in range(YARD):
        if observation[YARD_AT + YARD_SIZE * slot] > 0:
            worth = build_worth(tables, observation, slot, off)
        else:  # an open slot takes a schematic
            worth, first_take = first_take, second_take
        best, second, third, fourth = insert(worth, best, second, third, fourth)
    done = workers_working(observation)
    one, two = best, second
    if done == 1:
        one, two = second, third
    elif done == 2:
        one, two = third, fourth
    elif done > 2:
        one, two = 0.0, 0.0
    return one + (two if kind == PROFESSOR else 0.0)
