"""King's Park: bonuses, and the turn order of the next round."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import PARK_HOLDS, TAKES_PLACE
from kingmaker.envs.clockwork_kingdom.rules.gains import award
from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON, random_resource, workers_in
from kingmaker.envs.clockwork_kingdom.state import NONE, NUM_RESOURCES, PARK
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note


@kernel
def resolve_park(state, tables):
    """Give the next bonus (CK-157); after the last, set the turn order."""
    if state.at < state.parked:
        award(state, tables, state.park[state.at], tables.park[state.at])
        if state.at == 0:
            collect(state)
        state.at += 1
        return GO_ON
    if state.parked == 0:
        leave_resource(state, tables)
    set_order(state, tables)
    return FINISHED


@kernel
def collect(state):
    """Owe the seat on the first space the resources that lie in the Park (CK-46, CK-47)."""
    for resource in range(NUM_RESOURCES):
        # They return to the supply for the moment, from which the seat then receives them.
        state.supply[resource] += state.carried[resource]
        state.owed.resources[resource] += state.carried[resource]
        state.carried[resource] = 0


@kernel
def leave_resource(state, tables):
    """Put a random resource into the empty Park (CK-159)."""
    resource = random_resource(state, tables)
    if resource != NONE:
        state.supply[resource] -= 1
        state.carried[resource] += 1
        note(tables, PARK_HOLDS + resource, -1, 0, 0, 0)


@kernel
def set_order(state, tables):
    """Order the seats in the Park first, then the others as they were (CK-157, CK-158, CK-48)."""
    last = state.parked
    for place in range(state.num_players):
        seat = state.order[place]
        if workers_in(state.seats[seat], PARK) == 0:
            state.park[last] = seat
            last += 1
    for place in range(state.num_players):
        state.order[place] = state.park[place]
        note(tables, TAKES_PLACE, state.order[place], place + 1, 0, 0)
