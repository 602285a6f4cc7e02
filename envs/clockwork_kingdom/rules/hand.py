"""Ruins cards in hand: drawing, losing, and what the other seats can tell of a hand.

A seat is asked in the window of an area only if it holds a card for it, so being asked or passed over says
something about its hand (CK-194). ``lacks`` keeps what silence has said, a bit set of kinds for each card of
the hand in the order of drawing, which thus shrinks from the oldest to the newest card; ``holds`` keeps what
being asked has said: among the oldest cards, those of that moment, one is for the area. Both follow from
public events alone, and ``redeal`` keeps to them.
"""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import CARD_SEEN, DRAWS_CARD, NO_CARD, RUINS_RESHUFFLED
from kingmaker.envs.clockwork_kingdom.rules.pieces import draw_from, reshuffle
from kingmaker.envs.clockwork_kingdom.state import NONE, NUM_AREAS
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@large_kernel
def draw_card(state, tables, seat):
    """Draw one of the Ruins cards that a seat is owed (CK-137, CK-34)."""
    kind = draw_from(state, tables, state.ruins, 0)
    if kind == NONE:
        moved = reshuffle(state.ruins, state.ruins_discards)
        if moved == 0:
            note(tables, NO_CARD, seat, 0, 0, 0)
            state.owed.cards = 0
            return
        note(tables, RUINS_RESHUFFLED, -1, moved, 0, 0)
        kind = draw_from(state, tables, state.ruins, 0)
    board = state.seats[seat]
    state.owed.cards -= 1
    board.hand[kind] += 1
    board.lacks[board.cards] = 0
    board.cards += 1
    note(tables, DRAWS_CARD, seat, board.cards, 0, 0)
    note(tables, CARD_SEEN, seat, kind + 1, 0, 0)


@kernel
def must_stay(tables, board, kind):
    """Return whether the oldest card is known to be for an area that a kind is not for."""
    stays = False
    for area in range(NUM_AREAS):
        if board.holds[area] == 1 and tables.window_kinds[area] >> kind & 1 == 0:
            stays = True
    return stays


@large_kernel
def lose_card(state, tables, seat, kind):
    """Move a card from a hand to the discards."""
    board = state.seats[seat]
    board.hand[kind] -= 1
    state.ruins_discards[kind] += 1
    # Which card it was nobody can tell; of those that it may have been the oldest was known best, and taking
    # that one away leaves nothing said of the others that might be wrong.
    place = 0
    if board.cards > 1 and must_stay(tables, board, kind):
        place = 1
    while place < board.cards - 1 and board.lacks[place] >> kind & 1:
        place += 1
    board.cards -= 1
    for later in range(place, board.cards):
        board.lacks[later] = board.lacks[later + 1]
    board.lacks[board.cards] = 0
    for area in range(NUM_AREAS):
        # The card may have been the one for the area, unless it came later.
        if place < board.holds[area] and tables.window_kinds[area] >> kind & 1:
            board.holds[area] = 0
        else:
            board.holds[area] = min(board.holds[area], board.cards)


@kernel
def playable(tables, board, window):
    """Return the bit set of the kinds in hand that may be played in a window."""
    kinds = 0
    if board.cards > 0 and tables.window_kinds[window] != 0:
        for kind in range(board.hand.shape[0]):
            if board.hand[kind] > 0:
                kinds |= 1 << kind
    return kinds & tables.window_kinds[window]


@kernel
def remember(board, area):
    """Remember that a seat was asked in a window; it may be known already of fewer cards."""
    if board.holds[area] == 0:
        board.holds[area] = board.cards


@kernel
def pass_over(tables, board, window):
    """Remember that a seat was not asked in a window."""
    for place in range(board.cards):
        board.lacks[place] |= tables.window_kinds[window]
