"""Recruiting: soldiers for goods, one a decision (KB-42)."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.actions import (
    MULTISET_START,
    MULTISETS,
    RECRUIT_FIRST,
    STOP_RECRUITING,
)
from kingmaker.envs.kingsburg.events import GAINS_SOLDIERS
from kingmaker.envs.kingsburg.rules.board import ask, count_goods, has_effect, lose_goods
from kingmaker.envs.kingsburg.state import GOLD, PHASE_OVER, RECRUIT, RUN, STONE, WOOD
from kingmaker.envs.kingsburg.tables import CHEAP_SOLDIERS

SOLDIER_PRICE = 2  # goods
CHEAP_PRICE = 1  # with the Barracks


@kernel
def soldier_price(board, tables):
    """Return how many goods a soldier costs a seat."""
    return CHEAP_PRICE if has_effect(board, tables, CHEAP_SOLDIERS) else SOLDIER_PRICE


@kernel
def go_on_hiring(state, tables):
    """Ask the seats that can pay a soldier, in turn order, each until it stops."""
    while state.position < state.num_players:
        seat = state.order[state.position]
        board = state.seats[seat]
        if count_goods(board) >= soldier_price(board, tables):
            ask(state, seat, RECRUIT)
            return
        state.position += 1
    state.step = PHASE_OVER


@kernel
def legal_recruit(state, tables, mask):
    """Mark the goods that may pay a soldier."""
    board = state.seats[state.actor]
    goods = board.goods
    price = soldier_price(board, tables)
    for number in range(MULTISET_START[price], MULTISET_START[price + 1]):
        mask[RECRUIT_FIRST + number] = (
            MULTISETS[number, GOLD] <= goods[GOLD]
            and MULTISETS[number, WOOD] <= goods[WOOD]
            and MULTISETS[number, STONE] <= goods[STONE]
        )
    mask[STOP_RECRUITING] = 1


@kernel
def recruit(state, tables, action):
    """Pay a soldier, or stop."""
    seat = state.actor
    state.phase = RUN
    if action == STOP_RECRUITING:
        state.position += 1
        return
    paid = MULTISETS[action - RECRUIT_FIRST]
    lose_goods(state, tables, seat, paid[GOLD], paid[WOOD], paid[STONE])
    board = state.seats[seat]
    board.soldiers += 1  # KB-44
    note(tables, GAINS_SOLDIERS, seat, 1, board.soldiers, 0)
