"""The action table of Sealed Bids."""

from __future__ import annotations

from kingmaker.envs.core.spec import Action

MAX_BID = 3
STOP, PUSH_ON = MAX_BID + 1, MAX_BID + 2

ACTIONS = (
    *(Action(f"bid-{coins}", f"bid {coins} coins", "bid") for coins in range(MAX_BID + 1)),
    Action("stop", "leave it at that", "push"),
    Action("push-on", "roll for a point more, or lose one", "push"),
)
