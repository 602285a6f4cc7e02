"""Drawing again what a seat cannot know: the other hands, in keeping with what being asked has shown.

The orders of decks and stack are not in the state, so a new chance stream is a new order.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.rules.pieces import draw_from
from kingmaker.envs.clockwork_kingdom.state import MAX_RUINS, NONE, NUM_AREAS
from kingmaker.envs.core.chance import seed_stream
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.loops import PURPOSE_GAME

# Hands are drawn until they fit what is known of them. Nearly all do at once; where the cards of one hand
# leave too few for another, all are drawn again, and as a last resort the hands stay as they are.
TRIES = 200
DEALS = 50
# How often each hand is then drawn once more, given the others. What a hand may hold depends on the cards of
# the hands drawn before it, so a deal made just once shows who was dealt to first.
MIXES = 2
DIGIT = 4  # bits of a count in a packed hand; no kind has 16 copies


@kernel
def put_back(state, board):
    """Return a hand to the deck."""
    for kind in range(MAX_RUINS):
        state.ruins[kind] += board.hand[kind]
        board.hand[kind] = 0


@kernel
def packed(board):
    """Return a hand as one integer."""
    hand = np.int64(0)
    for kind in range(MAX_RUINS):
        hand |= np.int64(board.hand[kind]) << (DIGIT * kind)
    return hand


@kernel
def unpack(state, board, hand):
    """Draw the hand that ``packed`` has returned."""
    put_back(state, board)
    for kind in range(MAX_RUINS):
        board.hand[kind] = (hand >> (DIGIT * kind)) & ((1 << DIGIT) - 1)
        state.ruins[kind] -= board.hand[kind]


@kernel
def keeps_to(tables, board, count, kinds):
    """Return whether the oldest ``count`` cards, of the kinds in a bit set, hold what they must (CK-194)."""
    fits = True
    for area in range(NUM_AREAS):
        if board.holds[area] == count and kinds & tables.window_kinds[area] == 0:
            fits = False
    return fits


@large_kernel
def draw_hand(state, tables, board):
    """Draw a hand that fits what is known of it; return whether one was found, else all is put back."""
    for _ in range(TRIES):
        kinds, fits = 0, True
        for place in range(board.cards):  # the oldest cards first: their kinds are the fewest
            kind = draw_from(state, tables, state.ruins, board.lacks[place])
            if kind == NONE:
                fits = False
            else:
                board.hand[kind] += 1
                kinds |= 1 << kind
            fits = fits and keeps_to(tables, board, place + 1, kinds)
        if fits:
            return True
        put_back(state, board)
    return False


@large_kernel
def draw_hands(state, tables, viewer):
    """Draw all hands but the viewer's, seat by seat; return whether all were found."""
    for seat in range(state.num_players):
        if seat != viewer:
            put_back(state, state.seats[seat])
    for seat in range(state.num_players):
        if seat != viewer and not draw_hand(state, tables, state.seats[seat]):
            return False
    return True


@large_kernel
def mix_hands(state, tables, viewer):
    """Draw each hand once more, given the others: evenly from all that fit, which evens out the deals."""
    for seat in range(state.num_players):
        board = state.seats[seat]
        if seat != viewer and board.cards > 0:
            before = packed(board)
            put_back(state, board)
            if not draw_hand(state, tables, board):
                unpack(state, board, before)


@kernel
def redeal(state, tables, seat, seed):
    """Draw again what ``seat`` cannot know: the other hands and all chance to come (CK-11)."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    count = state.num_players
    before = (
        packed(state.seats[(seat + 1) % count]),
        packed(state.seats[(seat + 2) % count]),
        packed(state.seats[(seat + 3) % count]),
    )
    for _ in range(DEALS):
        if draw_hands(state, tables, seat):
            if count > 2:
                for _ in range(MIXES):
                    mix_hands(state, tables, seat)
            return
    for away in range(1, count):
        unpack(state, state.seats[(seat + away) % count], before[away - 1])
