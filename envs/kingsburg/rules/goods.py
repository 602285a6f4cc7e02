"""Goods of a seat's choice: taken from the King and his advisors, traded, or lost in battle."""

from __future__ import annotations

from kingmaker.envs.core.kernel import clear, kernel
from kingmaker.envs.kingsburg.actions import (
    DECLINE_OFFER,
    DECLINE_TRADE,
    LOSE_FIRST,
    MULTISET_KINDS,
    MULTISET_START,
    MULTISETS,
    TAKE_FIRST,
    TRADE_FIRST,
)
from kingmaker.envs.kingsburg.rules.board import ask, gain_goods, lose_goods, score
from kingmaker.envs.kingsburg.state import FROM_PRICES, GAIN, GOLD, LOSE, NUM_GOODS, RUN, STONE, WOOD


@kernel
def offer_goods(state, tables, seat, count, kinds, price):
    """Let a seat take ``count`` goods of the given kinds, for a price in victory points if it wants to."""
    if kinds & (kinds - 1) == 0 and price == 0:  # one kind and nothing to pay: no choice
        gain_goods(
            state,
            tables,
            seat,
            count * (kinds >> GOLD & 1),
            count * (kinds >> WOOD & 1),
            count * (kinds >> STONE & 1),
        )
        return
    state.pending.count = count
    state.pending.kinds = kinds
    state.pending.price = price
    ask(state, seat, GAIN)


@kernel
def legal_gain(state, mask):
    """Mark the goods that may be taken."""
    pending = state.pending
    for number in range(MULTISET_START[pending.count], MULTISET_START[pending.count + 1]):
        mask[TAKE_FIRST + number] = MULTISET_KINDS[number] & ~pending.kinds == 0
    if pending.price > 0:
        mask[DECLINE_OFFER] = 1  # KB-17


@kernel
def take_goods(state, tables, action):
    """Take the chosen goods and pay their price, or leave both."""
    price = state.pending.price
    clear(state.pending)
    state.phase = RUN
    if action != DECLINE_OFFER:
        chosen = MULTISETS[action - TAKE_FIRST]
        gain_goods(state, tables, state.actor, chosen[GOLD], chosen[WOOD], chosen[STONE])
        score(state, tables, state.actor, FROM_PRICES, -price)


@kernel
def legal_trade(state, mask):
    """Mark the goods that may be given (KB-126, KB-16)."""
    goods = state.seats[state.actor].goods
    for good in range(NUM_GOODS):
        if goods[good] > 0:
            mask[TRADE_FIRST + good] = 1
    mask[DECLINE_TRADE] = 1


@kernel
def trade(state, tables, action):
    """Give one good and take one of each other kind, or leave it."""
    state.phase = RUN
    if action != DECLINE_TRADE:
        given = MULTISETS[action - TRADE_FIRST]  # the first multisets are single goods
        lose_goods(state, tables, state.actor, given[GOLD], given[WOOD], given[STONE])
        gain_goods(state, tables, state.actor, 1 - given[GOLD], 1 - given[WOOD], 1 - given[STONE])


@kernel
def legal_loss(state, mask):
    """Mark the goods that may be lost: only such as the seat has (KB-50)."""
    goods = state.seats[state.actor].goods
    count = state.pending.count
    for number in range(MULTISET_START[count], MULTISET_START[count + 1]):
        mask[LOSE_FIRST + number] = (
            MULTISETS[number, GOLD] <= goods[GOLD]
            and MULTISETS[number, WOOD] <= goods[WOOD]
            and MULTISETS[number, STONE] <= goods[STONE]
        )


@kernel
def demand_goods(state, tables, seat, count):
    """Take ``count`` goods of the seat's choice, or all it has; ask if there is a choice (KB-50)."""
    goods = state.seats[seat].goods
    held = goods[GOLD] + goods[WOOD] + goods[STONE]
    if held <= count:
        lose_goods(state, tables, seat, goods[GOLD], goods[WOOD], goods[STONE])
    elif goods[GOLD] == held:
        lose_goods(state, tables, seat, count, 0, 0)
    elif goods[WOOD] == held:
        lose_goods(state, tables, seat, 0, count, 0)
    elif goods[STONE] == held:
        lose_goods(state, tables, seat, 0, 0, count)
    elif count > 0:
        state.pending.count = count
        ask(state, seat, LOSE)


@kernel
def give_up_goods(state, tables, action):
    """Lose the chosen goods."""
    clear(state.pending)
    state.phase = RUN
    chosen = MULTISETS[action - LOSE_FIRST]
    lose_goods(state, tables, state.actor, chosen[GOLD], chosen[WOOD], chosen[STONE])
