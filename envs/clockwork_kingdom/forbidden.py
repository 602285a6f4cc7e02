"""Which rule forbids an action of Clockwork Kingdom, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingmaker.envs.clockwork_kingdom.actions import (
    ACTIONS,
    BUILD,
    DISCARD,
    DROP,
    OVERFLOW,
    PAY,
    PLAY,
    RECEIVE,
    REFINE,
    SPACES,
    STUDY,
    TAKE_WAREHOUSE,
    TOKEN,
    USE,
    a_worker,
)
from kingmaker.envs.clockwork_kingdom.rules.gains import refined
from kingmaker.envs.clockwork_kingdom.rules.pieces import spare, workers_in
from kingmaker.envs.clockwork_kingdom.rules.workshop import open_slot
from kingmaker.envs.clockwork_kingdom.state import (
    ALCHEMIST,
    BATTLE_SPACE,
    NONE,
    NUM_SPACES,
    NUM_TYPES,
    PARK,
    PARK_SPACE,
    PROFESSOR,
    RANDOM_SPACE,
    RESOURCES,
    TURN,
    UNIVERSITY_SPACE,
    WORKERS,
    WORKSHOP_SPACE,
)
from kingmaker.envs.clockwork_kingdom.tables import MIN_PLAYERS, name_of

Reason = tuple[str, str]  # rule id, sentence

# By phase: the rule that says when its actions are asked for, and when that is.
_PHASES = (
    "place",
    "window",
    "receive",
    "discard",
    "stone",
    "token",
    "drop",
    "pay",
    "workshop",
    "university",
    "refine",
)
_TIMES: tuple[Reason, ...] = (
    ("CK-111", "workers are placed in turn, before the areas resolve"),
    ("CK-33", "cards for an area are played as it starts to resolve, by seats that have one"),
    ("CK-175", "a resource of one's choice is received when an Alchemist in the Market or a reward gives it"),
    ("CK-120", "resources are discarded only when the store is too full"),
    ("CK-126", "a slot is named when an alchemy stone is taken"),
    ("CK-176", "a battlefield is named when a card gives a military token"),
    ("CK-138", "cards are discarded only when the hand is too large"),
    ("CK-131", "resources are paid when a schematic is completed"),
    ("CK-128", "schematics are taken and completed when a worker in the Workshop has its turn"),
    ("CK-149", "workers are gained when the University resolves"),
    ("CK-174", "resources are refined at the end of a round, by owners of a facility that does so"),
)
# The rule that covers spaces, by number of seats.
_COVERS = {2: "CK-164", 3: "CK-146", 4: "CK-147"}


def forbidden(state: Any, tables: Any, action: int) -> Reason:
    """Return the id of the rule that forbids an illegal action, and why."""
    phase = _PHASES.index(ACTIONS[action].phase)
    if phase != state.phase:
        return _TIMES[phase]
    return _REASONS[phase](state, tables, action, state.seats[state.actor])


# --- placement and cards ------------------------------------------------------------------------------


def _card(tables: Any, board: Any, kind: int, window: int, when: str) -> Reason:
    """Return why a Ruins card cannot be played in a window."""
    if kind >= tables.ruins_kinds:
        return "CK-33", f"there are only {tables.ruins_kinds} kinds of Ruins cards"
    name = name_of(tables.ruins[kind])
    if not tables.window_kinds[window] >> kind & 1:
        return "CK-33", f"{name} is not played {when}"
    return "CK-33", f"the seat has no {name}"


def _place(state: Any, tables: Any, action: int, board: Any) -> Reason:
    if action >= USE:
        if state.used:
            return "CK-33", "a card has been used in this turn"
        return _card(tables, board, action - USE, TURN, "at the start of a placement turn")
    kind, space = (ALCHEMIST, NUM_SPACES) if action == OVERFLOW else divmod(action, NUM_SPACES)
    if not board.pool[kind]:
        return "CK-111", f"the seat has no {WORKERS[kind]} in its pool"
    if action == OVERFLOW:
        return "CK-15", "a space of the Market is open"
    if space == PARK_SPACE and workers_in(board, PARK):
        return "CK-156", "the seat has a worker in King's Park"
    return _closed(state, tables, space)


def _closed(state: Any, tables: Any, space: int) -> Reason:
    """Return why a space is not open."""
    setup = tables.setups[state.num_players - MIN_PLAYERS]
    where = SPACES[space][1]
    if space == PARK_SPACE:
        return "CK-49", f"all {setup.park} spaces of King's Park are taken"
    if BATTLE_SPACE <= space < UNIVERSITY_SPACE:
        if not setup.battlefields[space - BATTLE_SPACE]:
            return _not_in_play(state, space - BATTLE_SPACE)
        return _COVERS[state.num_players], f"all {setup.battle_spaces} spaces {where} are taken"
    if space == RANDOM_SPACE and not setup.market_random:
        return "CK-12", "the random space of the Market is not in play"
    open_ones = setup.workshop if space < BATTLE_SPACE else setup.university
    first = WORKSHOP_SPACE if space < BATTLE_SPACE else UNIVERSITY_SPACE
    if space > RANDOM_SPACE and space - first >= open_ones:
        return "CK-164", f"there is no placing a worker {where} with {state.num_players} seats"
    return "CK-4", f"a worker stands {where} already"


def _not_in_play(state: Any, battlefield: int) -> Reason:
    return _COVERS[state.num_players], (
        f"battlefield {battlefield + 1} is not in play with {state.num_players} seats"
    )


def _window(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return _card(tables, board, action - PLAY, state.area, "as this area starts to resolve")


# --- what is received and given -----------------------------------------------------------------------


def _receive(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return "CK-13", f"the supply has no {RESOURCES[action - RECEIVE]} left"


def _discard(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return "CK-120", f"the seat has no {RESOURCES[action - DISCARD]}"


def _stone(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return "CK-20", "the slot has a stone"


def _token(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return _not_in_play(state, action - TOKEN)


def _drop(state: Any, tables: Any, action: int, board: Any) -> Reason:
    kind = action - DROP
    if kind >= tables.ruins_kinds:
        return "CK-138", f"there are only {tables.ruins_kinds} kinds of Ruins cards"
    return "CK-138", f"the seat has no {name_of(tables.ruins[kind])}"


def _pay(state: Any, tables: Any, action: int, board: Any) -> Reason:
    resource = action - PAY
    name = RESOURCES[resource]
    if not board.store[resource]:
        return "CK-131", f"the seat has no {name}"
    if resource < state.bill.lowest:
        return (
            "CK-22",
            f"units are paid in the order of the resources, and {name} comes before what has been paid",
        )
    return "CK-21", f"the cost cannot be paid in full if this unit is {name}"


def _refine(state: Any, tables: Any, action: int, board: Any) -> Reason:
    resource = action - REFINE
    if resource == refined(state):
        return "CK-174", f"what is made is {RESOURCES[resource]} itself"
    return "CK-174", f"the seat has no {RESOURCES[resource]}"


# --- Workshop and University --------------------------------------------------------------------------


def _workshop(state: Any, tables: Any, action: int, board: Any) -> Reason:
    if action >= BUILD:
        return _build(state, tables, board, action - BUILD)
    if not state.may_take:
        return "CK-136", "this worker has taken a schematic"
    if open_slot(board) == NONE:
        return "CK-130", "both yard slots are taken"
    if action == TAKE_WAREHOUSE:
        if not state.deck[0]:
            return "CK-106", "no Warehouse is left"
        return "CK-27", "the seat has taken a Warehouse before"
    return "CK-25", "that place of the row is empty"


def _build(state: Any, tables: Any, board: Any, slot: int) -> Reason:
    if board.yard[slot] == NONE:
        return "CK-128", "there is no schematic in that yard slot"
    if not state.may_build:
        return "CK-136", "this worker has completed a schematic"
    return "CK-131", f"the seat cannot pay for {name_of(tables.schematics[board.yard[slot]])}"


def _university(state: Any, tables: Any, action: int, board: Any) -> Reason:
    space, gained = divmod(action - STUDY, NUM_TYPES)
    if space != gained and state.university[state.at].kind != PROFESSOR:
        return (
            "CK-149",
            f"only a Professor gains {a_worker(WORKERS[gained])} on {a_worker(WORKERS[space])} space",
        )
    if not state.rooms[space]:
        return "CK-148", f"no {WORKERS[space]} space of the University is open"
    if spare(tables, board, gained) == 0:
        return "CK-7", f"the seat has no {WORKERS[gained]} left to gain"
    return "CK-44", "the last Professor in line takes the first open space"


_REASONS: tuple[Callable[[Any, Any, int, Any], Reason], ...] = (
    _place,
    _window,
    _receive,
    _discard,
    _stone,
    _token,
    _drop,
    _pay,
    _workshop,
    _university,
    _refine,
)
