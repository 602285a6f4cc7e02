"""What a seat is owed, given piece by piece, with the choices that come with it.

``state.owed`` lists what is still to come. ``settle`` gives the next piece, or asks; everything else in the
game waits until nothing is owed. The order is that of CK-175, and limits are seen to first.
"""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import (
    DISCARDS,
    DROPS_CARD,
    NO_TOKEN,
    REFINES,
    REWARD_SCORED,
    STONE_LOST,
    STONE_PLACED,
    SUPPLY_EMPTY,
    TOKEN_PLACED,
)
from kingmaker.envs.clockwork_kingdom.rules.hand import draw_card, lose_card
from kingmaker.envs.clockwork_kingdom.rules.pieces import (
    GO_ON,
    ask,
    gain_workers,
    give_back,
    random_resource,
    receive,
    setup_of,
    stored,
)
from kingmaker.envs.clockwork_kingdom.state import (
    ASK_DISCARD,
    ASK_DROP,
    ASK_RECEIVE,
    ASK_REFINE,
    ASK_STONE,
    ASK_TOKEN,
    FROM_REWARDS,
    MAX_BATTLEFIELDS,
    NONE,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_TYPES,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@large_kernel
def award(state, tables, seat, reward):
    """Give a reward: workers and points at once, the rest is owed (CK-175)."""
    owed = state.owed
    owed.seat = seat
    for kind in range(NUM_TYPES):
        if reward.workers[kind] > 0:
            gain_workers(state, tables, seat, kind, reward.workers[kind])
    for resource in range(NUM_RESOURCES):
        owed.resources[resource] += reward.resources[resource]
    owed.random += reward.random
    owed.choice += reward.choice
    owed.stones += reward.stones
    owed.tokens += reward.tokens
    owed.cards += reward.cards
    if reward.points > 0:
        state.seats[seat].points[FROM_REWARDS] += reward.points
        note(tables, REWARD_SCORED, seat, reward.points, 0, 0)


@kernel
def the_only(counts, length):
    """Return the one index below ``length`` whose count is not 0, or ``NONE`` if there is not just one."""
    only = NONE
    for index in range(length):
        if counts[index] > 0:
            if only != NONE:
                return NONE
            only = index
    return only


# --- limits -------------------------------------------------------------------------------------------


@kernel
def discard(state, tables, seat, resource):
    """Discard a resource (CK-16)."""
    give_back(state, seat, resource)
    note(tables, DISCARDS + resource, seat, 0, 0, 0)


@kernel
def shrink_store(state, tables, seat):
    """Have a resource discarded from a store that is too full (CK-120)."""
    only = the_only(state.seats[seat].store, NUM_RESOURCES)
    if only == NONE:
        return ask(state, ASK_DISCARD, seat)
    discard(state, tables, seat, only)
    return GO_ON


@kernel
def drop(state, tables, seat, kind):
    """Discard a Ruins card (CK-138)."""
    lose_card(state, tables, seat, kind)
    note(tables, DROPS_CARD, seat, kind + 1, 0, 0)


@kernel
def shrink_hand(state, seat):
    """Have a card discarded from a hand that is too large; it has two kinds at least (CK-195)."""
    return ask(state, ASK_DROP, seat)


# --- one piece at a time ------------------------------------------------------------------------------


@kernel
def give_random(state, tables):
    """Give a random resource (CK-13)."""
    state.owed.random -= 1
    resource = random_resource(state, tables)
    if resource == NONE:
        note(tables, SUPPLY_EMPTY, state.owed.seat, 0, 0, 0)
    else:
        receive(state, tables, state.owed.seat, resource)
    return GO_ON


@kernel
def receive_chosen(state, tables, resource):
    """Give the resource that the seat has chosen."""
    state.owed.choice -= 1
    receive(state, tables, state.owed.seat, resource)


@kernel
def give_choice(state, tables):
    """Ask for a resource to receive, of those in the supply."""
    only = the_only(state.supply, NUM_RESOURCES)
    if only == NONE:
        if stocked(state):
            return ask(state, ASK_RECEIVE, state.owed.seat)
        state.owed.choice = 0
        note(tables, SUPPLY_EMPTY, state.owed.seat, 0, 0, 0)
        return GO_ON
    receive_chosen(state, tables, only)
    return GO_ON


@kernel
def stocked(state):
    """Return whether the supply has any resource."""
    return state.supply[0] + state.supply[1] + state.supply[2] + state.supply[3] > 0


@kernel
def put_stone(state, tables, slot):
    """Put an alchemy stone into an empty slot (CK-126)."""
    seat = state.owed.seat
    state.owed.stones -= 1
    state.stones -= 1
    state.seats[seat].slots[slot] = 1
    note(tables, STONE_PLACED, seat, slot + 1, 0, 0)


@kernel
def give_stone(state, tables):
    """Ask for a slot; with all slots filled or no stone left none is taken (CK-20, CK-191)."""
    slots = state.seats[state.owed.seat].slots
    empty, last = 0, NONE
    for slot in range(NUM_SLOTS):
        if slots[slot] == 0:
            empty += 1
            last = slot
    if empty == 0 or state.stones == 0:
        state.owed.stones = 0
        note(tables, STONE_LOST, state.owed.seat, 0, 0, 0)
        return GO_ON
    if empty > 1:
        return ask(state, ASK_STONE, state.owed.seat)
    put_stone(state, tables, last)
    return GO_ON


@kernel
def put_token(state, tables, seat, battlefield):
    """Put a military token on a battlefield; without tokens none is put (CK-37)."""
    board = state.seats[seat]
    if board.tokens == 0:
        note(tables, NO_TOKEN, seat, 0, 0, 0)
        return
    board.tokens -= 1
    board.forces[battlefield] += 1
    note(tables, TOKEN_PLACED, seat, battlefield + 1, board.forces[battlefield], 0)


@kernel
def give_token(state, tables):
    """Ask for a battlefield in play (CK-176)."""
    seat = state.owed.seat
    in_play = setup_of(state, tables).battlefields
    if state.seats[seat].tokens > 0:
        only = the_only(in_play, MAX_BATTLEFIELDS)
        if only == NONE:
            return ask(state, ASK_TOKEN, seat)
        put_token(state, tables, seat, only)
        state.owed.tokens -= 1
        return GO_ON
    state.owed.tokens = 0
    note(tables, NO_TOKEN, seat, 0, 0, 0)
    return GO_ON


@kernel
def refined(state):
    """Return the resource that the owed refining makes, or ``NONE``."""
    for resource in range(NUM_RESOURCES):
        if state.owed.refine[resource] > 0:
            return resource
    return NONE


@kernel
def offer_refining(state, resource):
    """Ask which other resource to turn into ``resource`` (CK-174)."""
    owed = state.owed
    store = state.seats[owed.seat].store
    if state.supply[resource] == 0 or stored(state.seats[owed.seat]) == store[resource]:
        owed.refine[resource] = 0
        return GO_ON
    return ask(state, ASK_REFINE, owed.seat)


@kernel
def refine(state, tables, given):
    """Turn a resource into the one that the facility makes."""
    owed = state.owed
    made = refined(state)
    owed.refine[made] -= 1
    give_back(state, owed.seat, given)
    note(tables, REFINES + given, owed.seat, 0, 0, 0)
    receive(state, tables, owed.seat, made)


@kernel
def keep(state):
    """Refine no more into this resource."""
    state.owed.refine[refined(state)] = 0


@large_kernel
def settle(state, tables):
    """See to one thing of what is owed."""
    owed = state.owed
    seat = owed.seat
    board = state.seats[seat]
    if stored(board) > board.capacity:
        return shrink_store(state, tables, seat)
    if board.cards > tables.hand:
        return shrink_hand(state, seat)
    for resource in range(NUM_RESOURCES):
        if owed.resources[resource] > 0:
            owed.resources[resource] -= 1
            receive(state, tables, seat, resource)
            return GO_ON
    if owed.random > 0:
        return give_random(state, tables)
    if owed.choice > 0:
        return give_choice(state, tables)
    if owed.stones > 0:
        return give_stone(state, tables)
    if owed.tokens > 0:
        return give_token(state, tables)
    if owed.cards > 0:
        draw_card(state, tables, seat)
        return GO_ON
    resource = refined(state)
    if resource != NONE:
        return offer_refining(state, resource)
    owed.seat = NONE
    return GO_ON
