"""What a seat of Sealed Bids sees: its own board first, then the others' in turn order."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.spec import Feature
from sealed_bids.actions import MAX_BID
from sealed_bids.state import BID, NO_BID

SHARED = 6  # features before the boards
BOARD = 3


def features(num_players: int) -> tuple[Feature, ...]:
    """Return the parts of the vector."""
    names = ["own", *(f"left_{place}" for place in range(1, num_players))]
    boards = (
        Feature(f"{name}.board", "coins / 10, points / target, bid of the last round / 3", BOARD, -1.0, 50.0)
        for name in names
    )
    return (
        Feature("phase.bid", "1 if bids are asked"),
        Feature("phase.push", "1 if the round's winner may push on"),
        Feature("prize", "the prize / the highest prize"),
        Feature("secret", "own secret / the highest secret"),
        Feature("pushes", "pushes so far / 2"),
        Feature("own.to_move", "1 if this seat has the choice"),
        *boards,
    )


@kernel
def observe(state, tables, seat, out):
    """Write the features; a bid shows once all are in."""
    out[0] = state.phase == BID
    out[1] = state.phase != BID
    out[2] = state.prize / tables.prizes
    out[3] = state.seats[seat].secret / tables.secrets
    out[4] = state.pushes / 2
    out[5] = state.actor == seat
    for place in range(state.num_players):
        board = state.seats[(seat + place) % state.num_players]
        at = SHARED + BOARD * place
        shown = board.bid != NO_BID and (place == 0 or state.phase != BID)
        out[at] = board.coins / 10
        out[at + 1] = board.points / tables.target
        out[at + 2] = board.bid / MAX_BID if shown else -1.0
