"""Sealed Bids in words."""

from __future__ import annotations

from typing import Any

from sealed_bids.actions import STOP
from sealed_bids.state import BID


def position(state: Any, tables: Any, viewer: int) -> str:
    """Return the position in words, other seats' secrets left out unless ``viewer`` is -1."""
    lines = [f"round {state.rounds}, the prize is {state.prize}"]
    for seat in range(state.num_players):
        board = state.seats[seat]
        secret = f", secret {board.secret}" if viewer in (-1, seat) else ""
        lines.append(f"seat {seat}: {board.points} points, {board.coins} coins{secret}")
    return "\n".join(lines)


def forbidden(state: Any, tables: Any, action: int) -> tuple[str, str]:
    """Return the clause that forbids an illegal action, and why."""
    if state.phase == BID:
        return ("SB-5", "nobody has won the prize yet") if action >= STOP else ("SB-3", "too few coins")
    return "SB-3", "the bids are in"
