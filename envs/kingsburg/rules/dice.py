"""The beginning of a productive season: neutral dice, rolls, rerolls and the turn order.

Draws of chance, in this order: with two seats three and then two neutral dice; then seat by seat in turn
order three coloured dice and its white dice; then rerolls as they are taken.
"""

from __future__ import annotations

from kingmaker.envs.core.chance import roll
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.actions import (
    KEEP_ROLL,
    REROLL_ALL,
    REROLL_COLOURED,
    REROLL_WHITE,
)
from kingmaker.envs.kingsburg.events import (
    BLOCKED,
    REROLLS_ALL,
    REROLLS_ONE,
    ROLLS,
    ROLLS_WHITE,
    TURN_ORDER,
)
from kingmaker.envs.kingsburg.rules.board import ask, gain_goods, has_effect
from kingmaker.envs.kingsburg.state import (
    CHAPEL_LIMIT,
    COLOURED_DICE,
    DIE_SIDES,
    NUM_DICE,
    PLACING,
    REROLL,
    REROLLING,
    RUN,
)
from kingmaker.envs.kingsburg.tables import EXTRA_DIE, REROLL_EVERY, REROLL_ONE, SEASON_GOLD

FIRST_WHITE = COLOURED_DICE  # slot


@kernel
def block(state, tables, advisor):
    """Put neutral dice on an advisor."""
    state.blocked |= 1 << advisor
    note(tables, BLOCKED, -1, advisor, advisor, 0)


@kernel
def throw_neutral_dice(state, tables):
    """Block two or three advisors (KB-14)."""
    three = 0
    for _ in range(3):
        three += roll(state, tables, DIE_SIDES)
    one = roll(state, tables, DIE_SIDES)
    other = roll(state, tables, DIE_SIDES)
    block(state, tables, three)
    if one + other != three:
        block(state, tables, one + other)
    else:
        block(state, tables, one)
        if other != one:
            block(state, tables, other)


@kernel
def order_pair(faces, first):
    """Put the dice of two neighbouring slots in ascending order."""
    low, high = faces[first], faces[first + 1]
    if low > high:
        faces[first] = high
        faces[first + 1] = low


@kernel
def arrange_dice(board):
    """Put the dice of each colour in ascending order; a single white die lies in the first white slot."""
    faces = board.faces
    order_pair(faces, 0)
    order_pair(faces, 1)
    order_pair(faces, 0)
    if faces[FIRST_WHITE + 1] > 0:
        order_pair(faces, FIRST_WHITE)


@large_kernel
def throw_dice(state, tables, seat, white):
    """Roll all dice of a seat, ``white`` of them white."""
    board = state.seats[seat]
    faces = board.faces
    for slot in range(NUM_DICE):
        faces[slot] = roll(state, tables, DIE_SIDES) if slot < COLOURED_DICE + white else 0
    arrange_dice(board)
    note(tables, ROLLS, seat, faces[0], faces[1], faces[2])
    for slot in range(COLOURED_DICE, COLOURED_DICE + white):
        note(tables, ROLLS_WHITE, seat, faces[slot], 0, 0)


@kernel
def begin_season(state, tables):
    """Clear the court, then roll (KB-111, KB-115)."""
    state.blocked = 0
    if state.num_players == 2:
        throw_neutral_dice(state, tables)
    for position in range(state.num_players):
        seat = state.order[position]
        board = state.seats[seat]
        board.influence = 0
        board.twice = 0
        board.passed = 0
        board.token_used = 0
        board.market_used = 0
        board.statue_used = 0
        board.chapel_used = 0
        board.stables_used = 0
        board.placed[:] = 0
        if has_effect(board, tables, SEASON_GOLD):
            gain_goods(state, tables, seat, 1, 0, 0)  # KB-34
    for position in range(state.num_players):
        seat = state.order[position]
        board = state.seats[seat]
        white = board.aid_die + has_effect(board, tables, EXTRA_DIE)  # KB-39, KB-35
        throw_dice(state, tables, seat, white)
    state.step = REROLLING
    state.position = 0


@kernel
def total_of_dice(board):
    """Return the total of all dice of a seat, white ones included (KB-1)."""
    total = 0
    for slot in range(NUM_DICE):
        total += board.faces[slot]
    return total


@kernel
def may_reroll_one(board, tables):
    """Return whether the Statue may be used: all dice show the same face (KB-3)."""
    if board.statue_used or not has_effect(board, tables, REROLL_ONE):
        return False
    for slot in range(1, NUM_DICE):
        if board.faces[slot] != 0 and board.faces[slot] != board.faces[0]:
            return False
    return True


@kernel
def may_reroll_all(board, tables):
    """Return whether the Chapel may be used: the dice total at most 7 (KB-3)."""
    return (
        board.chapel_used == 0
        and has_effect(board, tables, REROLL_EVERY)
        and total_of_dice(board) <= CHAPEL_LIMIT
    )


@kernel
def go_on_rerolling(state, tables):
    """Ask the next seat that may reroll, in the old turn order (KB-2); then set the new one."""
    while state.position < state.num_players:
        seat = state.order[state.position]
        board = state.seats[seat]
        if may_reroll_one(board, tables) or may_reroll_all(board, tables):
            ask(state, seat, REROLL)
            return
        state.position += 1
    set_turn_order(state, tables)
    state.step = PLACING
    state.position = 0


@kernel
def legal_reroll(state, tables, mask):
    """Mark the rerolls that the seat may use."""
    board = state.seats[state.actor]
    mask[KEEP_ROLL] = 1
    if may_reroll_one(board, tables):
        mask[REROLL_COLOURED] = 1
        if board.faces[FIRST_WHITE] > 0:
            mask[REROLL_WHITE] = 1  # KB-5
    if may_reroll_all(board, tables):
        mask[REROLL_ALL] = 1


@kernel
def reroll(state, tables, action):
    """Reroll or keep the dice; after a reroll the conditions are looked at anew (KB-4)."""
    board = state.seats[state.actor]
    state.phase = RUN
    if action == KEEP_ROLL:
        state.position += 1
    elif action == REROLL_ALL:
        board.chapel_used = 1
        note(tables, REROLLS_ALL, state.actor, 0, 0, 0)
        white = (board.faces[FIRST_WHITE] > 0) + (board.faces[FIRST_WHITE + 1] > 0)
        throw_dice(state, tables, state.actor, white)
    else:
        slot = FIRST_WHITE if action == REROLL_WHITE else 0
        before = board.faces[slot]
        board.statue_used = 1
        board.faces[slot] = roll(state, tables, DIE_SIDES)
        note(tables, REROLLS_ONE, state.actor, before, board.faces[slot], 0)
        arrange_dice(board)


@kernel
def set_turn_order(state, tables):
    """Sort the seats by the total of their dice, lowest first; equal ones keep their order (KB-116, KB-1)."""
    order = state.order
    for last in range(1, state.num_players):
        seat = order[last]
        total = total_of_dice(state.seats[seat])
        place = last
        while place > 0 and total_of_dice(state.seats[order[place - 1]]) > total:
            order[place] = order[place - 1]
            place -= 1
        order[place] = seat
    for position in range(state.num_players):
        note(tables, TURN_ORDER, order[position], position + 1, 0, 0)
