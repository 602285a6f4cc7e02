"""Influence: seats place groups of dice on advisors until all have passed (KB-117).

Sums and advisors are sets of bits here: bit ``n`` stands for the sum, or the advisor, ``n``.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.actions import (
    CHANGES,
    COLOURED_SETS,
    MARKET_STEPS,
    PASS,
    PLACE_FIRST,
    WHITE_SETS,
)
from kingmaker.envs.kingsburg.events import ENVOY_USED, INFLUENCES, MARKET_USED, PASSES, TOKEN_USED
from kingmaker.envs.kingsburg.rules.board import ask, has_effect
from kingmaker.envs.kingsburg.state import (
    COLOURED_DICE,
    HELPING,
    NO_SEAT,
    NUM_ADVISORS,
    NUM_DICE,
    PLACE,
    RUN,
    TOKEN_BONUS,
    WHITE_DICE,
)
from kingmaker.envs.kingsburg.tables import SHIFT

ALL_ADVISORS = (1 << NUM_ADVISORS + 1) - 2


@kernel
def closed_advisors(state):
    """Return the set of advisors that are influenced or blocked (KB-13, KB-14)."""
    closed = np.int64(state.blocked)
    for seat in range(state.num_players):
        closed |= state.seats[seat].influence
    return closed


@kernel
def open_advisors(state, seat):
    """Return the set of advisors where ``seat`` may place dice: all of them with the Envoy (KB-22)."""
    if state.envoy == seat:
        return np.int64(ALL_ADVISORS)
    return ALL_ADVISORS & ~closed_advisors(state)


@kernel
def may_use_token(board):
    """Return whether a "+2" token may join a group (KB-8)."""
    return board.tokens > 0 and board.token_used == 0


@kernel
def may_use_market(board, tables):
    """Return whether the Market may change a sum (KB-10)."""
    return board.market_used == 0 and has_effect(board, tables, SHIFT)


@kernel
def reachable_sums(board, tables):
    """Return the set of sums that a seat can make with the dice left to it, tokens and Market included."""
    sums = np.int64(0)
    for slot in range(NUM_DICE):
        if board.placed[slot] == 0 and board.faces[slot] > 0:
            sums |= sums << board.faces[slot]
            if slot < COLOURED_DICE:
                sums |= np.int64(1) << board.faces[slot]  # a group begins with a coloured die (KB-7)
    if may_use_token(board):
        sums |= sums << TOKEN_BONUS  # KB-9
    if may_use_market(board, tables):
        sums |= sums << 1 | sums >> 1  # KB-11
    return sums


@kernel
def go_on_placing(state, tables):
    """Ask the next seat that can place dice; those that cannot, pass (KB-12)."""
    for _ in range(state.num_players):
        seat = state.order[state.position]
        board = state.seats[seat]
        if board.passed == 0:
            if reachable_sums(board, tables) & open_advisors(state, seat):
                ask(state, seat, PLACE)
                return
            stop_placing(state, tables, seat)
        state.position = (state.position + 1) % state.num_players
    state.step = HELPING
    state.advisor = 1
    state.position = 0
    state.group = 0


@kernel
def stop_placing(state, tables, seat):
    """End a seat's placements for this season."""
    state.seats[seat].passed = 1
    note(tables, PASSES, seat, 0, 0, 0)


@kernel
def free_dice(board, first, count):
    """Return the set of free dice among ``count`` slots, as bits counted from the slot ``first``."""
    free = 0
    for slot in range(count):
        if board.faces[first + slot] > 0 and board.placed[first + slot] == 0:
            free |= 1 << slot
    return free


@kernel
def tied_dice(board, first, count, free):
    """Return the set of free dice whose lower neighbour is free and shows the same face.

    Equal dice of one colour are interchangeable; a group takes the lowest of them, so that it has one name.
    """
    tied = 0
    for slot in range(1, count):
        if board.faces[first + slot] == board.faces[first + slot - 1]:
            tied |= 1 << slot
    return tied & free & free << 1


@kernel
def is_choice(dice, free, tied):
    """Return whether a set of dice is free, and takes the lowest of equal ones."""
    return dice & ~free == 0 and (dice & tied) >> 1 & ~dice == 0


@kernel
def sum_of(board, first, count, dice):
    """Return the sum of a set of dice."""
    total = np.int64(0)  # a 16-bit sum would make 16-bit sets of ``1 << sum`` in interpreted mode
    for slot in range(count):
        total += board.faces[first + slot] * (dice >> slot & 1)
    return total


@kernel
def legal_placement(state, tables, mask):
    """Mark the groups of dice whose sum is the number of an open advisor (KB-6), and to pass (KB-12)."""
    mask[PASS] = 1
    board = state.seats[state.actor]
    reach = open_advisors(state, state.actor)
    token, market = may_use_token(board), may_use_market(board, tables)
    coloured_free = free_dice(board, 0, COLOURED_DICE)
    coloured_tied = tied_dice(board, 0, COLOURED_DICE, coloured_free)
    white_free = free_dice(board, COLOURED_DICE, WHITE_DICE)
    white_tied = tied_dice(board, COLOURED_DICE, WHITE_DICE, white_free)
    for white in range(WHITE_SETS):
        if not is_choice(white, white_free, white_tied):
            continue
        white_sum = sum_of(board, COLOURED_DICE, WHITE_DICE, white)
        for coloured in range(1, COLOURED_SETS + 1):
            if is_choice(coloured, coloured_free, coloured_tied):
                total = white_sum + sum_of(board, 0, COLOURED_DICE, coloured)
                first = PLACE_FIRST + ((coloured - 1) * WHITE_SETS + white) * CHANGES
                mark_changes(mask, first, reach >> (total - 1), market)
                if token:
                    mark_changes(mask, first + MARKET_STEPS, reach >> (total - 1 + TOKEN_BONUS), market)


@kernel
def mark_changes(mask, first, reach, market):
    """Mark one group with the Market's steps; bits 0, 1 and 2 of ``reach`` are the advisors of these sums."""
    mask[first + 1] = reach >> 1 & 1
    if market:
        mask[first] = reach & 1
        mask[first + 2] = reach >> 2 & 1


@kernel
def lay_dice(board, first, count, dice, advisor):
    """Put a set of dice on an advisor."""
    for slot in range(count):
        if dice >> slot & 1:
            board.placed[first + slot] = advisor


@kernel
def place(state, tables, action):
    """Place a group of dice, or pass."""
    seat = state.actor
    state.phase = RUN
    state.position = (state.position + 1) % state.num_players
    if action == PASS:
        stop_placing(state, tables, seat)
        return
    board = state.seats[seat]
    group, change = (action - PLACE_FIRST) // CHANGES, (action - PLACE_FIRST) % CHANGES
    coloured, white = group // WHITE_SETS + 1, group % WHITE_SETS
    token, shift = change // MARKET_STEPS, change % MARKET_STEPS - 1
    advisor = (
        sum_of(board, 0, COLOURED_DICE, coloured)
        + sum_of(board, COLOURED_DICE, WHITE_DICE, white)
        + TOKEN_BONUS * token
        + shift
    )
    influence(state, tables, seat, advisor)
    lay_dice(board, 0, COLOURED_DICE, coloured, advisor)
    lay_dice(board, COLOURED_DICE, WHITE_DICE, white, advisor)
    if token:
        board.tokens -= 1
        board.token_used = 1
        note(tables, TOKEN_USED, seat, board.tokens, 0, 0)
    if shift != 0:
        board.market_used = 1
        note(tables, MARKET_USED, seat, shift, 0, 0)


@kernel
def influence(state, tables, seat, advisor):
    """Influence an advisor, by the Envoy if it is closed; a free one never costs the Envoy (KB-22, KB-25)."""
    board = state.seats[seat]
    if closed_advisors(state) >> advisor & 1:
        state.envoy = NO_SEAT  # KB-24
        note(tables, ENVOY_USED, seat, 0, 0, 0)
    if board.influence >> advisor & 1:
        board.twice |= 1 << advisor
    board.influence |= 1 << advisor
    note(tables, INFLUENCES, seat, advisor, advisor, 0)
