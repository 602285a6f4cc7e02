"""The end of a round: workers, resources, and every third time a war."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.rules.battle import end_war
from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON, gain_workers
from kingmaker.envs.clockwork_kingdom.state import AUTOMATON, NUM_RESOURCES, NUM_TYPES, NUM_WARS
from kingmaker.envs.core.kernel import kernel


@kernel
def pay_workers(state, tables):
    """Give every seat the workers of its schematics, then the Automatons of a round (CK-113, CK-114)."""
    for place in range(state.num_players):
        seat = state.order[place]
        income = state.seats[seat].income
        for kind in range(NUM_TYPES):
            if income.workers[kind] > 0:
                gain_workers(state, tables, seat, kind, income.workers[kind])
        gain_workers(state, tables, seat, AUTOMATON, tables.automatons)


@kernel
def owe_income(state, seat):
    """Owe a seat the resources of its cards (CK-115, CK-173, CK-174)."""
    income = state.seats[seat].income
    owed = state.owed
    owed.seat = seat
    for resource in range(NUM_RESOURCES):
        owed.resources[resource] = income.resources[resource]
        owed.refine[resource] = income.refine[resource]
    owed.random = income.random


@kernel
def next_income(state, tables):
    """Pay the next seat in turn order (CK-10); after the last, score a war that is over."""
    if state.at == 0:
        pay_workers(state, tables)
    if state.at < state.num_players:
        owe_income(state, state.order[state.at])
        state.at += 1
        return GO_ON
    for war in range(NUM_WARS):
        if tables.wars[war].after == state.rounds:
            end_war(state, tables, tables.wars[war])  # CK-116, CK-41
    return FINISHED
