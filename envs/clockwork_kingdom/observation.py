"""What a seat of Clockwork Kingdom sees: its own board first, then the others' in turn order.

Everything is public but the Ruins cards in other hands and the orders of decks and stack. Who remembers what
has been seen knows what is left in them, so these remainders show; Ruins cards in the deck and in other hands
show together. ``features`` tells where each figure stands.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.features import (
    AREA,
    AT_INCOME,
    BATTLE_OPEN,
    BILL_COST,
    BILL_LEFT,
    BILL_PAID,
    CAPACITY,
    CARDS,
    CARRIED,
    COMPLETED,
    DECK,
    DESIGN_SCALE,
    DISCOUNT,
    END,
    FACILITIES,
    FACILITY,
    FACILITY_RANDOM,
    FACILITY_REFINE,
    FEW_SCALE,
    FORCES,
    FREE_WAREHOUSE,
    HAND,
    HELPED,
    INFLUENCE,
    LEAD,
    MARKET_OPEN,
    MAY_BUILD,
    MAY_TAKE,
    NUM_PHASES,
    OTHER_COST,
    OTHER_DESIGN,
    OTHER_MISSING,
    OTHER_POINTS,
    OTHER_SIZE,
    OTHERS,
    OWED_REFINE,
    OWED_UNITS,
    OWN,
    OWN_BATTLE,
    PARK_OPEN,
    PARK_PLACE,
    PARK_TAKEN,
    PER_WORKER,
    PHASE,
    PLACE_IN_ORDER,
    POINTS,
    POINTS_SCALE,
    RANDOM_INCOME,
    REFINE_INTO,
    RESOURCE_INCOME,
    ROOMS,
    ROUND,
    ROUND_SCALE,
    ROW_DESIGN,
    ROW_MISSING,
    ROW_SET,
    SCALE,
    SCORING,
    SLOT,
    STACK,
    STANDING,
    STONES,
    STORE,
    SUPPLY,
    SUPPLY_SCALE,
    TO_MOVE,
    TOKENS,
    UNIVERSITY_OPEN,
    UNSEEN,
    USED,
    WAR,
    WAREHOUSE_MISSING,
    WIDE,
    WON,
    WORKER_INCOME,
    WORKING,
    WORKSHOP_OPEN,
    YARD_AT,
    YARD_COST,
    YARD_HELP,
    YARD_MISSING,
    YARD_POINTS,
    YARD_RESOURCES,
    YARD_SCORING,
    YARD_SIZE,
    YARD_TOKENS,
    YARD_WORKERS,
)
from kingmaker.envs.clockwork_kingdom.rules.contests import influence
from kingmaker.envs.clockwork_kingdom.rules.payment import matched, unpaid
from kingmaker.envs.clockwork_kingdom.rules.pieces import workers_in
from kingmaker.envs.clockwork_kingdom.rules.scoring import counted, total_points
from kingmaker.envs.clockwork_kingdom.rules.workshop import may_take_warehouse
from kingmaker.envs.clockwork_kingdom.state import (
    ARTIFICER,
    ASK_WORKSHOP,
    FACTORY,
    LAB,
    MARKET,
    MARKET_SPACE,
    MAX_BATTLEFIELDS,
    MAX_DESIGNS,
    MAX_FACILITIES,
    MAX_ORDERED,
    MAX_RUINS,
    NONE,
    NUM_AREAS,
    NUM_MARKET_SPACES,
    NUM_RESOURCES,
    NUM_SCHEMATIC_TYPES,
    NUM_SCORED,
    NUM_SLOTS,
    NUM_TYPES,
    NUM_WARS,
    PARK_SPACE,
    PROFESSOR,
    ROW,
    STEP_INCOME,
    STEP_RESOLVE,
    STEP_WINDOW,
    UNIVERSITY,
    UNIVERSITY_SPACE,
    WAREHOUSE,
    WORKSHOP,
    WORKSHOP_SPACE,
    YARD,
)
from kingmaker.envs.core.kernel import kernel, large_kernel

# --- the board ----------------------------------------------------------------------------------------


@kernel
def write_phase(state, tables, out):
    """Write what time it is and what is asked."""
    for phase in range(NUM_PHASES):
        out[PHASE + phase] = state.phase == phase
    resolving = state.step == STEP_WINDOW or state.step == STEP_RESOLVE
    for area in range(NUM_AREAS):
        out[AREA + area] = resolving and state.area == area
    out[AT_INCOME] = state.step == STEP_INCOME
    out[ROUND] = state.rounds / ROUND_SCALE
    left = 0
    for war in range(NUM_WARS - 1, -1, -1):
        if tables.wars[war].after >= state.rounds:
            left = tables.wars[war].after - state.rounds + 1
    out[WAR] = left / SCALE
    out[PER_WORKER] = state.per_worker
    out[USED] = state.used


@kernel
def ahead_of(state, place, seat):
    """Return how far in turn order a seat comes after the one at ``place``, from 1 for that one itself."""
    ahead = 0
    while state.order[(place + ahead) % state.num_players] != seat:
        ahead += 1
    return ahead + 1


@kernel
def write_holders(state, area, spaces, workers, place, first, out, at):
    """Write which spaces of an area are open and who has a worker there that is still to be served.

    Three rows of ``spaces`` figures from ``at`` on: open, this seat's, whose.
    """
    served = 0
    if state.area > area:
        served = spaces
    elif state.area == area and state.step == STEP_RESOLVE:
        served = state.at
    for number in range(spaces):
        whose = 0
        if number >= served and workers[number].seat != NONE:
            whose = ahead_of(state, place, workers[number].seat)
        out[at + number] = state.open[first + number]
        out[at + spaces + number] = whose == 1
        out[at + 2 * spaces + number] = whose / FEW_SCALE


@kernel
def write_spaces(state, tables, place, out):
    """Write which spaces are open and where workers stand, as seen from ``place`` in turn order."""
    write_holders(state, MARKET, NUM_MARKET_SPACES, state.market, place, MARKET_SPACE, out, MARKET_OPEN)
    write_holders(state, WORKSHOP, MAX_ORDERED, state.workshop, place, WORKSHOP_SPACE, out, WORKSHOP_OPEN)
    write_holders(
        state, UNIVERSITY, MAX_ORDERED, state.university, place, UNIVERSITY_SPACE, out, UNIVERSITY_OPEN
    )
    setup = tables.setups[state.num_players - 2]
    for battlefield in range(MAX_BATTLEFIELDS):
        free = np.int64(setup.battle_spaces)
        for other in range(state.num_players):
            free -= state.seats[other].battle[battlefield]
        out[BATTLE_OPEN + battlefield] = setup.battlefields[battlefield] * free / SCALE
    out[PARK_OPEN] = state.open[PARK_SPACE]
    out[PARK_TAKEN] = state.parked / FEW_SCALE
    for kind in range(NUM_TYPES):
        out[ROOMS + kind] = state.rooms[kind] / FEW_SCALE
    for resource in range(NUM_RESOURCES):
        out[CARRIED + resource] = state.carried[resource] / FEW_SCALE
        out[SUPPLY + resource] = state.supply[resource] / SUPPLY_SCALE
    out[STONES] = state.stones / SUPPLY_SCALE


@kernel
def write_facility(state, tables, out):
    """Write what the face-up facility brings."""
    out[FACILITY : FACILITY_REFINE + NUM_RESOURCES] = 0.0
    if state.facility != NONE:
        income = tables.facilities[state.facility].income
        for resource in range(NUM_RESOURCES):
            out[FACILITY + resource] = income.resources[resource] / FEW_SCALE
            out[FACILITY_REFINE + resource] = income.refine[resource] / FEW_SCALE
        out[FACILITY_RANDOM] = income.random / FEW_SCALE


@kernel
def write_remainders(state, seat, out):
    """Write what is left in decks and stack; of Ruins cards, what the seat has not seen."""
    for design in range(MAX_DESIGNS):
        out[DECK + design] = state.deck[design]
    for kind in range(MAX_FACILITIES):
        out[STACK + kind] = state.stack[kind]
    for kind in range(MAX_RUINS):
        unseen = np.int64(state.ruins[kind])
        for other in range(state.num_players):
            if other != seat:
                unseen += state.seats[other].hand[kind]
        out[UNSEEN + kind] = unseen / FEW_SCALE


@kernel
def lacking(board, card):
    """Return the units of a schematic's cost that a seat lacks, stones apart."""
    missing = np.int64(0)
    for resource in range(NUM_RESOURCES):
        missing += max(card.cost[resource] - board.store[resource], 0)
    return max(missing - board.lasting.discount - board.passing.discount, 0)


@kernel
def write_row(state, tables, seat, out):
    """Write the face-up schematics and the Warehouse."""
    board = state.seats[seat]
    out[ROW_SET:FREE_WAREHOUSE] = 0.0
    for place in range(ROW):
        design = state.row[place]
        if design != NONE:
            out[ROW_SET + design] += 1.0
            out[ROW_DESIGN + place] = (design + 1) / DESIGN_SCALE
            out[ROW_MISSING + place] = lacking(board, tables.schematics[design]) / SCALE
    out[FREE_WAREHOUSE] = may_take_warehouse(state, board)
    out[WAREHOUSE_MISSING] = lacking(board, tables.schematics[WAREHOUSE]) / SCALE


@kernel
def write_pending(state, out):
    """Write what a worker in the Workshop may do, what is being paid for, and what is still owed."""
    working = state.phase == ASK_WORKSHOP
    out[MAY_TAKE] = working and state.may_take
    out[MAY_BUILD] = working and state.may_build
    bill, owed = state.bill, state.owed
    named = 0
    for resource in range(NUM_RESOURCES):
        out[BILL_COST + resource] = bill.cost[resource] / FEW_SCALE
        out[BILL_PAID + resource] = bill.paid[resource] / FEW_SCALE
        out[OWED_REFINE + resource] = owed.refine[resource] / FEW_SCALE
        named += owed.resources[resource]
    out[BILL_LEFT] = unpaid(bill) / SCALE
    out[OWED_UNITS] = named / SCALE
    out[OWED_UNITS + 1] = owed.random / SCALE
    out[OWED_UNITS + 2] = owed.choice / SCALE
    out[OWED_UNITS + 3] = owed.stones / FEW_SCALE
    out[OWED_UNITS + 4] = owed.tokens / FEW_SCALE
    out[OWED_UNITS + 5] = owed.cards / FEW_SCALE


# --- the seats ----------------------------------------------------------------------------------------


@kernel
def write_scoring(tables, board, out, at):
    """Write what a seat's completed schematics score at the end for each thing that they count."""
    out[at : at + NUM_SCORED] = 0.0
    for design in range(MAX_DESIGNS):
        if board.built[design] > 0:
            for what in range(NUM_SCORED):
                out[at + what] += board.built[design] * tables.schematics[design].scoring[what] / FEW_SCALE


@large_kernel
def write_board(state, tables, seat, place, out, at):
    """Write what lies open before a seat, at ``place`` in turn order."""
    board = state.seats[seat]
    income = board.income
    for kind in range(NUM_TYPES):
        out[at + kind] = board.pool[kind] / SCALE
        out[at + WORKER_INCOME + kind] = income.workers[kind] / FEW_SCALE
    for area in range(NUM_AREAS):
        out[at + STANDING + area] = workers_in(board, area) / SCALE
    out[at + INFLUENCE] = influence(tables, board, LAB) / SCALE
    out[at + INFLUENCE + 1] = influence(tables, board, FACTORY) / SCALE
    for resource in range(NUM_RESOURCES):
        out[at + STORE + resource] = board.store[resource] / SCALE
        out[at + RESOURCE_INCOME + resource] = income.resources[resource] / FEW_SCALE
    out[at + CAPACITY] = board.capacity / SCALE
    out[at + RANDOM_INCOME] = income.random / FEW_SCALE
    out[at + DISCOUNT] = (board.lasting.discount + board.passing.discount) / FEW_SCALE
    for battlefield in range(MAX_BATTLEFIELDS):
        coming = board.battle[battlefield] if state.per_worker else min(board.battle[battlefield], 1)
        out[at + FORCES + battlefield] = (board.forces[battlefield] + coming) / SCALE
    out[at + TOKENS] = board.tokens / SCALE
    out[at + WON] = board.won / SCALE
    for kind in range(NUM_SCHEMATIC_TYPES):
        out[at + COMPLETED + kind] = board.types[kind] / SCALE
    facilities = 0
    for design in range(MAX_FACILITIES):
        facilities += board.facilities[design]
    out[at + FACILITIES] = facilities / SCALE
    for slot in range(NUM_SLOTS):
        out[at + SLOT + slot] = board.slots[slot]
    out[at + CARDS] = board.cards / FEW_SCALE
    out[at + POINTS] = total_points(board) / POINTS_SCALE
    out[at + PLACE_IN_ORDER] = place / FEW_SCALE
    space = 0
    for number in range(state.parked):
        if state.park[number] == seat:
            space = number + 1
    out[at + PARK_PLACE] = space / FEW_SCALE
    out[at + WORKING] = board.standing[WORKSHOP, PROFESSOR] / FEW_SCALE
    out[at + WORKING + 1] = board.standing[WORKSHOP, ARTIFICER] / FEW_SCALE
    out[at + HELPED] = (board.lasting.lab + board.passing.lab) / FEW_SCALE
    out[at + HELPED + 1] = (board.lasting.factory + board.passing.factory) / FEW_SCALE
    for resource in range(NUM_RESOURCES):
        out[at + REFINE_INTO + resource] = income.refine[resource] / FEW_SCALE
    write_scoring(tables, board, out, at + SCORING)


@kernel
def write_other_yard(tables, board, out, at):
    """Write what lies in another seat's yard."""
    out[at + OTHER_DESIGN : at + OTHER_SIZE] = 0.0
    for slot in range(YARD):
        if board.yard[slot] != NONE:
            card = tables.schematics[board.yard[slot]]
            out[at + OTHER_DESIGN + slot] = (board.yard[slot] + 1) / DESIGN_SCALE
            for resource in range(NUM_RESOURCES):
                out[at + OTHER_COST + resource] += card.cost[resource] / SCALE
            out[at + OTHER_POINTS] += card.points / POINTS_SCALE
            out[at + OTHER_MISSING + slot] = lacking(board, card) / SCALE


@kernel
def write_own_yard(tables, board, out):
    """Write the schematics in the seat's own yard."""
    out[YARD_AT : YARD_AT + YARD * YARD_SIZE] = 0.0
    store = board.store
    for slot in range(YARD):
        if board.yard[slot] != NONE:
            at = YARD_AT + YARD_SIZE * slot
            card = tables.schematics[board.yard[slot]]
            cost, income, reward, lasting = card.cost, card.income, card.reward, card.lasting
            due = (
                np.int64(cost[0])
                + cost[1]
                + cost[2]
                + cost[3]
                - board.lasting.discount
                - board.passing.discount
            )
            have = matched(board.slots, cost, store[0], store[1], store[2], store[3])
            out[at] = (board.yard[slot] + 1) / DESIGN_SCALE
            for resource in range(NUM_RESOURCES):
                out[at + YARD_COST + resource] = cost[resource] / FEW_SCALE
                out[at + YARD_RESOURCES] += income.resources[resource] / FEW_SCALE
            out[at + YARD_MISSING] = max(due - have, 0) / SCALE
            out[at + YARD_POINTS] = card.points / SCALE
            for what in range(NUM_SCORED):
                if card.scoring[what] > 0:
                    amount = counted(board, what) + (what == card.kind)
                    out[at + YARD_SCORING] += card.scoring[what] * amount / SCALE
            for kind in range(NUM_TYPES):
                out[at + YARD_WORKERS] += income.workers[kind] / FEW_SCALE
            out[at + YARD_RESOURCES] += income.random / FEW_SCALE
            out[at + YARD_TOKENS] = reward.tokens / FEW_SCALE
            helps = (
                reward.stones
                + reward.cards
                + lasting.discount
                + lasting.lab
                + lasting.factory
                + card.capacity
            )
            out[at + YARD_HELP] = helps / FEW_SCALE


@kernel
def write_own(state, tables, seat, out):
    """Write what only the seat's own part tells."""
    board = state.seats[seat]
    out[TO_MOVE] = state.actor == seat
    for battlefield in range(MAX_BATTLEFIELDS):
        out[OWN_BATTLE + battlefield] = board.battle[battlefield] / FEW_SCALE
    for kind in range(MAX_RUINS):
        out[HAND + kind] = board.hand[kind] / FEW_SCALE
    out[END] = 0.0
    for what in range(NUM_SCORED):
        scores = out[OWN + SCORING + what]
        if scores > 0:
            out[END] += scores * counted(board, what) * (FEW_SCALE / POINTS_SCALE)
    write_own_yard(tables, board, out)


@kernel
def observe(state, tables, seat, out):
    """Write the features in the order of the tables above."""
    players = state.num_players
    place = 0
    while state.order[place] != seat:
        place += 1
    write_phase(state, tables, out)
    write_spaces(state, tables, place, out)
    write_facility(state, tables, out)
    write_row(state, tables, seat, out)
    write_remainders(state, seat, out)
    write_pending(state, out)
    write_board(state, tables, seat, place, out, OWN)
    write_own(state, tables, seat, out)
    best = -WIDE
    at = OTHERS
    for ahead in range(1, players):
        other_place = (place + ahead) % players
        other = state.order[other_place]
        write_board(state, tables, other, other_place, out, at)
        write_other_yard(tables, state.seats[other], out, at)
        best = max(best, out[at + POINTS])
        at += OTHER_SIZE
    out[LEAD] = out[OWN + POINTS] - best
