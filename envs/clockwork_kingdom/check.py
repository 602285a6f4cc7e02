"""What a record must hold to be a state of Clockwork Kingdom: fields within reach, pieces all there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kingmaker.envs.clockwork_kingdom.state import (
    ASK_DISCARD,
    ASK_DROP,
    ASK_PAY,
    ASK_PLACE,
    ASK_RECEIVE,
    ASK_REFINE,
    ASK_STONE,
    ASK_TOKEN,
    ASK_UNIVERSITY,
    ASK_WINDOW,
    ASK_WORKSHOP,
    MAX_OVERFLOW,
    MAX_RUINS,
    MIN_PLAYERS,
    NONE,
    NUM_AREAS,
    NUM_MARKET_SPACES,
    NUM_RESOURCES,
    NUM_TYPES,
    STEP_INCOME,
    STEP_PLACE,
    STEP_RESOLVE,
    STEP_WINDOW,
    UNIVERSITY,
    WORKSHOP,
    YARD,
)
from kingmaker.envs.core.contract import RUNNING

_OWED_PHASES = (ASK_RECEIVE, ASK_DISCARD, ASK_STONE, ASK_TOKEN, ASK_DROP, ASK_REFINE)
# Bounds of figures that no array is read at: points, and amounts of pieces.
_MANY = 10_000
_MUCH = 500


def check_state(state: Any, tables: Any) -> str | None:
    """Return what is impossible in a state, or ``None``. The header has been checked before."""
    for find in (_out_of_range, _lost_pieces, _contradictions):
        if faults := ", ".join(find(state, tables)):
            return faults
    return None


# --- ranges -------------------------------------------------------------------------------------------


def _outside(record: Any, ranges: Mapping[str, tuple[Any, Any]], where: str = "") -> Iterator[str]:
    """Yield the fields with a value that is not in its range, bounds included."""
    for name, (low, high) in ranges.items():
        values = np.asarray(record[name])
        if (values < low).any() or (values > high).any():
            yield f"{where}{name} {values.tolist()} is not in {low}..{np.asarray(high).tolist()}"


def _amounts(record: Any) -> dict[str, tuple[int, int]]:
    """Return the range of amounts for every field of a record."""
    return dict.fromkeys(record.dtype.names, (0, _MUCH))


def _out_of_range(state: Any, tables: Any) -> Iterator[str]:
    seats, designs = int(state["num_players"]), int(tables["designs"])
    setup = tables["setups"][seats - MIN_PLAYERS]
    yield from _outside(
        state,
        {
            "per_worker": (0, 1),
            "rounds": (1, tables["rounds"]),
            "step": (STEP_PLACE, STEP_INCOME),
            "area": (0, NUM_AREAS - 1),
            "at": (0, NUM_MARKET_SPACES + MAX_OVERFLOW),
            "used": (0, 1),
            "order": (NONE, seats - 1),
            "turn": (0, seats - 1),
            "open": (0, 1),
            "overflow": (0, seats - 1),
            "overflowed": (0, MAX_OVERFLOW),
            "may_take": (0, 1),
            "may_build": (0, 1),
            "rooms": (0, tables["rooms"]),
            "park": (NONE, seats - 1),
            "parked": (0, setup["park"]),
            "carried": (0, tables["supply"]),
            "supply": (0, tables["supply"]),
            "stones": (0, tables["stones"]),
            "row": (NONE, designs - 1),
            "deck": (0, tables["schematics"]["copies"]),
            "discards": (0, tables["schematics"]["copies"]),
            "facility": (NONE, tables["facility_kinds"] - 1),
            "stack": (0, tables["facilities"]["copies"]),
            "ruins": (0, tables["ruins"]["copies"]),
            "ruins_discards": (0, tables["ruins"]["copies"]),
        },
    )
    for name in ("market", "workshop", "university"):
        for number, worker in enumerate(state[name]):
            ranges = {"seat": (NONE, seats - 1), "kind": (0, NUM_TYPES - 1)}
            yield from _outside(worker, ranges, f"{name}[{number}].")
    owed = {**_amounts(state["owed"]), "seat": (NONE, seats - 1)}
    yield from _outside(state["owed"], owed, "owed.")
    bill = {**_amounts(state["bill"]), "slot": (NONE, YARD - 1), "lowest": (0, NUM_RESOURCES - 1)}
    yield from _outside(state["bill"], bill, "bill.")
    for seat in range(len(state["seats"])):
        yield from _seat_out_of_range(state["seats"][seat], tables, f"seats[{seat}].")


def _seat_out_of_range(board: Any, tables: Any, where: str) -> Iterator[str]:
    hand = int(tables["hand"]) + 1
    yield from _outside(
        board,
        {
            "pool": (0, tables["workers"]),
            "standing": (0, tables["workers"]),
            "store": (0, tables["supply"]),
            "capacity": (0, _MANY),
            "slots": (0, 1),
            "yard": (NONE, int(tables["designs"]) - 1),
            "built": (0, tables["schematics"]["copies"]),
            "types": (0, _MANY),
            "facilities": (0, tables["facilities"]["copies"]),
            "cards": (0, hand),
            "hand": (0, tables["ruins"]["copies"]),
            "lacks": (0, (1 << MAX_RUINS) - 1),
            "holds": (0, hand),
            "battle": (0, tables["workers"].sum()),
            "forces": (0, tables["tokens"]),
            "tokens": (0, tables["tokens"]),
            "won": (0, _MANY),
            "points": (0, _MANY),
        },
        where,
    )
    for name in ("income", "lasting", "passing"):
        yield from _outside(board[name], _amounts(board[name]), f"{where}{name}.")


# --- pieces -------------------------------------------------------------------------------------------


def _lost_pieces(state: Any, tables: Any) -> Iterator[str]:
    """Yield the kinds of piece that are not all there, or that are there too often."""
    count = int(state["num_players"])
    seats = state["seats"][:count]
    resources = state["supply"] + state["carried"] + seats["store"].sum(axis=0)
    stones = state["stones"] + seats["slots"].sum()
    ruins = state["ruins"] + state["ruins_discards"] + seats["hand"].sum(axis=0)
    facilities = state["stack"] + seats["facilities"].sum(axis=0)
    if state["facility"] != NONE:
        facilities[state["facility"]] += 1
    schematics = state["deck"] + state["discards"] + seats["built"].sum(axis=0)
    for design in (*state["row"], *seats["yard"].flat):
        if design != NONE:
            schematics[design] += 1
    in_game = np.where(tables["schematics"]["seats"] <= count, tables["schematics"]["copies"], 0)
    workers = seats["pool"] + seats["standing"].sum(axis=1)
    kinds = {
        "resources": (resources == tables["supply"]).all(),
        "alchemy stones": stones == tables["stones"],
        "Ruins cards": (ruins == tables["ruins"]["copies"]).all(),
        "facilities": (facilities == tables["facilities"]["copies"]).all(),
        "schematics": (schematics == in_game).all(),
        "military tokens": (seats["tokens"] + seats["forces"].sum(axis=1) == tables["tokens"]).all(),
        "workers": (workers <= tables["workers"]).all(),
        "hands": (seats["hand"].sum(axis=1) == seats["cards"]).all(),
        "turn order": sorted(state["order"][:count]) == list(range(count)),
    }
    for name, there in kinds.items():
        if not there:
            yield f"the {name} do not add up" if name != "turn order" else "the turn order is none"


# --- choices ------------------------------------------------------------------------------------------


def _contradictions(state: Any, tables: Any) -> Iterator[str]:
    """Yield what cannot be together while a seat chooses."""
    if state["over"] != RUNNING:
        return
    actor, phase = int(state["actor"]), int(state["phase"])
    board = state["seats"][actor]
    if state["choosing"] != 1 << actor:
        yield f"seat {actor} is to move, but choosing is {state['choosing']}"
    if (state["owed"]["seat"] == actor) != (phase in _OWED_PHASES) or (
        state["owed"]["seat"] not in (NONE, actor)
    ):
        yield f"owed to seat {state['owed']['seat']} while seat {actor} is asked in phase {phase}"
    if (state["bill"]["slot"] != NONE) != (phase == ASK_PAY):
        yield f"a bill for yard slot {state['bill']['slot']} in phase {phase}"
    yield from _misplaced(state, tables, board, actor, phase)


def _misplaced(state: Any, tables: Any, board: Any, actor: int, phase: int) -> Iterator[str]:
    """Yield why the seat to move cannot be the one that is asked."""
    at, area, step = int(state["at"]), int(state["area"]), int(state["step"])
    windowed = sum(1 << kind for kind in range(MAX_RUINS) if board["hand"][kind])
    if phase == ASK_PLACE:
        fits = step == STEP_PLACE and state["order"][state["turn"]] == actor and board["pool"].sum() > 0
    elif phase == ASK_WINDOW:
        fits = (
            step == STEP_WINDOW
            and at < state["num_players"]
            and state["order"][at] == actor
            and windowed & int(tables["window_kinds"][area]) != 0
        )
    elif phase in (ASK_WORKSHOP, ASK_PAY):
        fits = step == STEP_RESOLVE and area == WORKSHOP and _stands(state["workshop"], at, actor)
        if phase == ASK_PAY:
            fits = fits and board["yard"][state["bill"]["slot"]] != NONE
    elif phase == ASK_UNIVERSITY:
        fits = step == STEP_RESOLVE and area == UNIVERSITY and _stands(state["university"], at, actor)
    else:
        fits = True
    if not fits:
        yield f"seat {actor} cannot be asked in phase {phase}, step {step}, area {area} at {at}"
    owed = state["owed"]
    wanted = {ASK_RECEIVE: "choice", ASK_STONE: "stones", ASK_TOKEN: "tokens", ASK_REFINE: "refine"}
    if phase in wanted and not np.any(owed[wanted[phase]]):
        yield f"seat {actor} is owed no {wanted[phase]}"
    if phase == ASK_DISCARD and board["store"].sum() <= board["capacity"]:
        yield f"seat {actor} has nothing to discard"
    if phase == ASK_DROP and board["cards"] <= tables["hand"]:
        yield f"seat {actor} has no card to drop"


def _stands(spaces: Any, at: int, actor: int) -> bool:
    return at < len(spaces) and bool(spaces[at]["seat"] == actor)
