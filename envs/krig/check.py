"""What a record must hold to be a state of Krig: every field within reach of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kingmaker.envs.core.contract import RUNNING
from kingmaker.envs.krig.state import MAX_TURNS, NUM_PLAYERS, NUM_ROLLS, REACT, ROLLED, WINDOW


def check_state(state: Any, tables: Any) -> str | None:
    """Return what is impossible in a state, or ``None``. The header has been checked before."""
    faults = [*_out_of_range(state, tables)] or [*_contradictions(state)]
    return ", ".join(faults) or None


def _out_of_range(state: Any, tables: Any) -> Iterator[str]:
    dice = tables["dice"]
    hit_points, games = int(tables["hit_points"]), int(tables["games"])
    yield from _above(
        state,
        {"game": games, "first": 1, "turn": MAX_TURNS, "max_turns": MAX_TURNS, "bonus": 1, "phase": ROLLED},
    )
    board = {
        "hit_points": hit_points,
        "defence": dice["defence"],
        "charging": 1,
        "broken": 1,
        "tokens": tables["tokens"],
        "wins": games,
        "points": games * hit_points,
    }
    for seat in range(NUM_PLAYERS):
        yield from _above(state["seats"][seat], board, f"seats[{seat}].")
    faces = {name: dice[name] for name in ("agility", "attack", "defence", "parry")}
    roll = {"kind": NUM_ROLLS - 1, "roller": 1, "bonus": 1, "passes": NUM_PLAYERS, **faces}
    yield from _above(state["roll"], roll, "roll.")
    most = int(dice["attack"]) + int(dice["defence"]) + 1
    pending = {"active": 1, "target": 1, "face": dice["attack"], "total": most, "critical": 1, "charged": 1}
    yield from _above(state["pending"], pending, "pending.")


def _above(record: Any, highest: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Yield the fields that are not in ``0..highest``."""
    for name, high in highest.items():
        if not 0 <= record[name] <= high:
            yield f"{where}{name} {record[name]} is not in 0..{high}"


def _contradictions(state: Any) -> Iterator[str]:
    """Yield what cannot be together while a seat chooses."""
    if state["over"] != RUNNING:
        return
    actor, phase = state["actor"], state["phase"]
    if state["choosing"] != 1 << actor:
        yield f"seat {actor} is to move, but choosing is {state['choosing']}"
    if phase == REACT and (not state["pending"]["active"] or state["pending"]["target"] != actor):
        yield f"seat {actor} reacts to no attack"
    if phase == WINDOW and not state["seats"][actor]["tokens"]:
        yield f"seat {actor} has no token to spend"
