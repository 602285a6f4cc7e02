"""Help of the advisors, from 1 to 18, each group of dice for itself (KB-15)."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.events import (
    GAINS_SOLDIERS,
    GAINS_TOKENS,
    HELPED,
    LOOKS,
    SEES,
)
from kingmaker.envs.kingsburg.rules.board import ask, count_goods, gain_goods, has_effect, score
from kingmaker.envs.kingsburg.rules.goods import offer_goods
from kingmaker.envs.kingsburg.state import (
    BUILDING,
    FROM_ADVISORS,
    GOLD,
    NUM_ADVISORS,
    RUN,
    STONE,
    TRADE,
    WOOD,
)
from kingmaker.envs.kingsburg.tables import EXTRA_SOLDIER


@kernel
def go_on_helping(state, tables):
    """Help group after group, seats in turn order at each advisor (KB-26), until a seat has a choice."""
    while state.advisor <= NUM_ADVISORS:
        seat = state.order[state.position]
        board = state.seats[seat]
        groups = (board.influence >> state.advisor & 1) + (board.twice >> state.advisor & 1)
        if state.group < groups:
            state.group += 1
            help_seat(state, tables, seat, state.advisor)
            if state.phase != RUN:
                return
        else:
            state.group = 0
            state.position += 1
            if state.position == state.num_players:
                state.position = 0
                state.advisor += 1
    state.advisor = 0
    state.built = 0
    state.step = BUILDING


@kernel
def help_seat(state, tables, seat, advisor):
    """Give a seat what an advisor has for one group of dice."""
    gift = tables.advisors[advisor - 1]
    note(tables, HELPED, seat, advisor, 0, 0)
    gain_goods(state, tables, seat, gift.goods[GOLD], gift.goods[WOOD], gift.goods[STONE])
    score(state, tables, seat, FROM_ADVISORS, gift.vp)
    if gift.tokens > 0:
        gain_tokens(state, tables, seat, gift.tokens)
    if gift.soldiers > 0:
        send_soldiers(state, tables, seat, gift.soldiers)
    if gift.peek:
        look_at_enemy(state, tables, seat)
    if gift.choice > 0:
        offer_goods(state, tables, seat, gift.choice, gift.kinds, gift.price)
    elif gift.trade and count_goods(state.seats[seat]) > 0:  # KB-16
        ask(state, seat, TRADE)


@kernel
def gain_tokens(state, tables, seat, count):
    """Give a seat "+2" tokens; it may hold any number (KB-8)."""
    board = state.seats[seat]
    board.tokens += count
    note(tables, GAINS_TOKENS, seat, count, board.tokens, 0)


@kernel
def send_soldiers(state, tables, seat, count):
    """Give a seat an advisor's soldiers, and one for its Stables (KB-19, KB-20)."""
    board = state.seats[seat]
    if has_effect(board, tables, EXTRA_SOLDIER) and not (state.stables_once and board.stables_used):
        board.stables_used = 1
        count += 1
    board.soldiers += count
    note(tables, GAINS_SOLDIERS, seat, count, board.soldiers, 0)


@kernel
def look_at_enemy(state, tables, seat):
    """Show this year's enemy card to one seat (KB-18)."""
    card = state.deck[state.year - 1]
    state.seats[seat].peeked = 1
    note(tables, LOOKS, seat, 0, 0, 0)
    note(tables, SEES, seat, card, tables.enemies[card].strength, 0)
