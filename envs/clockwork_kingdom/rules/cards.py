"""Playing Ruins cards, and the area that hands them out."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import PLAYS_CARD
from kingmaker.envs.clockwork_kingdom.rules.gains import award
from kingmaker.envs.clockwork_kingdom.rules.hand import lose_card, pass_over, playable, remember
from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, GO_ON, ask, workers_in
from kingmaker.envs.clockwork_kingdom.state import ASK_WINDOW, RUINS, STEP_RESOLVE
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@kernel
def add_help(help, more):
    """Add to a seat's discounts and influence."""
    help.discount += more.discount
    help.lab += more.lab
    help.factory += more.factory


@large_kernel
def play_card(state, tables, seat, kind):
    """Play a card: discard it, then let it work (CK-182)."""
    card = tables.ruins[kind]
    note(tables, PLAYS_CARD, seat, kind + 1, 0, 0)
    lose_card(state, tables, seat, kind)
    add_help(state.seats[seat].passing, card.passing)
    award(state, tables, seat, card.reward)


@kernel
def next_window(state, tables):
    """Ask the next seat in turn order that has a card for the area that starts to resolve (CK-33)."""
    while state.at < state.num_players and tables.window_kinds[state.area] != 0:
        seat = state.order[state.at]
        board = state.seats[seat]
        if playable(tables, board, state.area):
            remember(board, state.area)
            return ask(state, ASK_WINDOW, seat)
        pass_over(tables, board, state.area)
        state.at += 1
    state.at = 0
    state.step = STEP_RESOLVE
    return GO_ON


@kernel
def resolve_ruins(state, tables):
    """Let the next seat in turn order draw a card for each worker (CK-137, CK-32)."""
    if state.at == state.num_players:
        return FINISHED
    seat = state.order[state.at]
    state.at += 1
    state.owed.seat = seat
    state.owed.cards = workers_in(state.seats[seat], RUINS)
    return GO_ON
