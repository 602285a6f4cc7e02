"""The state record of Sealed Bids."""

from __future__ import annotations

from kingmaker.envs.core.contract import HEADER
from kingmaker.envs.core.record import record_dtype

MAX_PLAYERS = 4
BID, PUSH = range(2)
NO_BID = -1

SEAT = record_dtype(
    [
        ("secret", "i2"),  # hidden from the others: points at the end
        ("coins", "i2"),
        ("points", "i2"),
        ("bid", "i2"),  # hidden from the others until all are in
    ]
)

STATE = record_dtype(
    [
        *HEADER,
        ("rounds", "i2"),  # begun so far
        ("max_rounds", "i2"),
        ("prize", "i2"),
        ("pushes", "i2"),  # pushes of the winner of this round so far
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)

OPTIONS = record_dtype([("max_rounds", "i2")])
