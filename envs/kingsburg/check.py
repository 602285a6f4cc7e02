"""What a record must hold to be a state of Kingsburg: every field within reach of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kingmaker.envs.core.contract import RUNNING
from kingmaker.envs.kingsburg.actions import MAX_LOST, MAX_TAKEN
from kingmaker.envs.kingsburg.state import (
    AID,
    AIDING,
    ANY_KIND,
    BUILD,
    BUILDING,
    CARDS_A_YEAR,
    COLOURED_DICE,
    DIE_SIDES,
    FIGHTING,
    GAIN,
    HELPING,
    HIRING,
    LOSE,
    NO_SEAT,
    NUM_ADVISORS,
    NUM_BUILDINGS,
    NUM_DICE,
    PLACE,
    PLACING,
    RECRUIT,
    REROLL,
    REROLLING,
    SELLING,
    TOWN_HALL,
    TRADE,
    WINTER,
    YEARS,
)

# Far beyond what any game reaches, and far within the record's integers.
MOST = 10_000
_USED = ("token_used", "market_used", "statue_used", "chapel_used", "stables_used")
_FLAGS = ("passed", "aid_die", "peeked", *_USED)
# The steps in which each phase is asked, and those whose position is by then one ahead of the actor's.
_STEPS = {
    REROLL: (REROLLING,),
    PLACE: (PLACING,),
    GAIN: (AIDING, HELPING, FIGHTING),
    TRADE: (HELPING,),
    BUILD: (BUILDING,),
    TOWN_HALL: (SELLING,),
    RECRUIT: (HIRING,),
    LOSE: (FIGHTING,),
}
_AHEAD = (AIDING, SELLING, FIGHTING)
_COURT = (1 << NUM_ADVISORS + 1) - 2  # bits 1 to 18


def check_state(state: Any, tables: Any) -> str | None:
    """Return what is impossible in a state, or ``None``. The header has been checked before."""
    faults = [*_out_of_range(state)] or [*_impossible_dice(state), *_contradictions(state)]
    return ", ".join(faults) or None


def _out_of_range(state: Any) -> Iterator[str]:
    players = int(state["num_players"])
    bounds = {
        "stables_once": (0, 1),
        "year": (1, YEARS),
        "calendar": (AID, WINTER),
        "step": (0, FIGHTING),
        "position": (0, players),
        "waiting": (0, (1 << players) - 1),
        "advisor": (0, NUM_ADVISORS),
        "group": (0, 2),
        "built": (0, 2),
        "envoy": (NO_SEAT, players - 1),
        "reinforcements": (0, DIE_SIDES),
    }
    yield from _outside(state, bounds)
    pending = {"count": (0, max(MAX_TAKEN, MAX_LOST)), "kinds": (0, ANY_KIND), "price": (0, MOST)}
    yield from _outside(state["pending"], pending, "pending.")
    if state["blocked"] & ~_COURT:
        yield f"blocked {state['blocked']} is no set of advisors"
    if sorted(state["order"][:players].tolist()) != list(range(players)):
        yield f"order {state['order'].tolist()} is no order of {players} seats"
    cards = state["deck"] - CARDS_A_YEAR * np.arange(YEARS)
    if not ((cards >= 0) & (cards < CARDS_A_YEAR)).all():
        yield f"deck {state['deck'].tolist()} is not one card of each year"
    for number in range(players):
        yield from _seat_out_of_range(state["seats"][number], f"seats[{number}].")


def _seat_out_of_range(seat: Any, where: str) -> Iterator[str]:
    bounds = {
        "tokens": (0, MOST),
        "vp": (-MOST, MOST),
        "soldiers": (0, MOST),
        "combat": (-MOST, MOST),
        "buildings": (0, (1 << NUM_BUILDINGS) - 1),
        **dict.fromkeys(_FLAGS, (0, 1)),
    }
    yield from _outside(seat, bounds, where)
    arrays = {"goods": (0, MOST), "faces": (0, DIE_SIDES), "placed": (0, NUM_ADVISORS)}
    for name, (low, high) in {**arrays, "sources": (-MOST, MOST)}.items():
        if not ((seat[name] >= low) & (seat[name] <= high)).all():
            yield f"{where}{name} {seat[name].tolist()} are not in {low}..{high}"
    for name in ("influence", "twice"):
        if seat[name] & ~_COURT:
            yield f"{where}{name} {seat[name]} is no set of advisors"
    if seat["sources"].sum() != seat["vp"]:
        yield f"{where}vp {seat['vp']} is not the sum of its sources"


def _outside(record: Any, bounds: dict[str, tuple[int, int]], where: str = "") -> Iterator[str]:
    """Yield the fields that lie outside their bounds."""
    for name, (low, high) in bounds.items():
        if not low <= record[name] <= high:
            yield f"{where}{name} {record[name]} is not in {low}..{high}"


def _impossible_dice(state: Any) -> Iterator[str]:
    """Yield dice that are out of order, or lie where their seat has no influence."""
    for number in range(state["num_players"]):
        seat = state["seats"][number]
        faces, placed = seat["faces"].tolist(), seat["placed"].tolist()
        coloured, white = faces[:COLOURED_DICE], [face for face in faces[COLOURED_DICE:] if face]
        rolled = 0 not in coloured or not any(faces)
        if not rolled or sorted(coloured) != coloured or faces[COLOURED_DICE:][: len(white)] != sorted(white):
            yield f"seats[{number}].faces {faces} are no dice in order"
        for slot in range(NUM_DICE):
            if placed[slot] and not (faces[slot] and seat["influence"] >> placed[slot] & 1):
                yield f"seats[{number}].placed {placed}: die {slot} lies where the seat has no influence"


def _contradictions(state: Any) -> Iterator[str]:
    """Yield what cannot be together while a seat chooses."""
    if state["over"] != RUNNING:
        return
    actor, phase, count = int(state["actor"]), int(state["phase"]), int(state["pending"]["count"])
    if state["choosing"] != 1 << actor:
        yield f"seat {actor} is to move, but choosing is {state['choosing']}"
    step, position = int(state["step"]), int(state["position"])
    if step not in _STEPS[phase]:
        yield f"phase {phase} is not asked in step {step}"
    place = position - (step in _AHEAD)
    if not 0 <= place < state["num_players"] or state["order"][place] != actor:
        yield f"seat {actor} is to move, but position {position} in turn order is not its turn"
    if (phase in (GAIN, LOSE)) != (count > 0):
        yield f"{count} goods are pending in phase {phase}"
    elif phase == GAIN and (count > MAX_TAKEN or not state["pending"]["kinds"]):
        yield f"no goods may be taken: {count} of kinds {state['pending']['kinds']}"
