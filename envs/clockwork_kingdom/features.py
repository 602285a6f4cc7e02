"""The observation of Clockwork Kingdom as a table: named parts, what they mean, where they stand.

Figures are divided by powers of two, so that they lie near 0 to 1 and agents read them back exactly. The row
of schematics shows as a set of designs, which is shorter than what all five cards do, and place by place as
the numbers of the designs, to which the actions that take them refer.
"""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import BUILD, TAKE
from kingmaker.envs.clockwork_kingdom.state import (
    AREAS,
    ASK_REFINE,
    MAX_BATTLEFIELDS,
    MAX_DESIGNS,
    MAX_FACILITIES,
    MAX_ORDERED,
    MAX_RUINS,
    NUM_AREAS,
    NUM_MARKET_SPACES,
    NUM_RESOURCES,
    NUM_SCHEMATIC_TYPES,
    NUM_SCORED,
    NUM_SLOTS,
    NUM_TYPES,
    RESOURCES,
    ROW,
    SCHEMATIC_TYPES,
    SCORED,
    WORKERS,
    YARD,
)
from kingmaker.envs.core.spec import Feature, Reference, feature_slices

# What figures are divided by.
FEW_SCALE = 4  # things of which a seat has a handful
SCALE = 8  # workers, resources, tokens
ROUND_SCALE = 16
POINTS_SCALE = 64
SUPPLY_SCALE = 16
DESIGN_SCALE = 64  # designs are numbered from 1, and 0 is no card

# A bound beyond what any data file can lead to.
WIDE = 256.0

NUM_PHASES = ASK_REFINE + 1
_BY_TYPE = ", ".join(WORKERS)
_BY_RESOURCE = ", ".join(RESOURCES)
_WHOSE = "whose worker, yet to be served, each holds: 1 this seat's, 2 the next one's, and so on"


def _count(name, meaning, size=1, scale=SCALE):
    return Feature(name, meaning if scale == 1 else f"{meaning} / {scale}", size, 0.0, WIDE)


_SITUATION = (
    Feature("phase", "one-hot: what is asked, in the order of the phases", NUM_PHASES),
    Feature("area", f"one-hot: the area that resolves: {', '.join(AREAS)}", NUM_AREAS),
    Feature("income", "1 while income is paid at the end of the round"),
    _count("round", "number of the round", scale=ROUND_SCALE),
    _count("war", "rounds up to the next scoring of the battlefields, this one included"),
    Feature("per_worker", "1 if each worker below a battlefield brings a token"),
    Feature("used", "1 if a Ruins card has been used in this placement turn"),
    Feature("market.open", "1 for each open space of the Market", NUM_MARKET_SPACES),
    Feature("market.own", "1 for each with a worker of this seat", NUM_MARKET_SPACES),
    _count("market.whose", _WHOSE, NUM_MARKET_SPACES, FEW_SCALE),
    Feature("workshop.open", "1 for each open space of the Workshop", MAX_ORDERED),
    Feature("workshop.own", "1 for each with a worker of this seat that has yet to act", MAX_ORDERED),
    _count("workshop.whose", _WHOSE, MAX_ORDERED, FEW_SCALE),
    Feature("university.open", "1 for each open waiting space of the University", MAX_ORDERED),
    Feature("university.own", "1 for each with a worker of this seat that has yet to move", MAX_ORDERED),
    _count("university.whose", _WHOSE, MAX_ORDERED, FEW_SCALE),
    _count("battle.open", "open spaces below each battlefield", MAX_BATTLEFIELDS),
    Feature("park.open", "1 if King's Park has an open space"),
    _count("park.taken", "workers in King's Park", scale=FEW_SCALE),
    _count("park.carried", f"resources that lie there: {_BY_RESOURCE}", NUM_RESOURCES, FEW_SCALE),
    _count("rooms", f"open spaces of the University by worker type: {_BY_TYPE}", NUM_TYPES, FEW_SCALE),
    _count("supply", f"{_BY_RESOURCE}", NUM_RESOURCES, SUPPLY_SCALE),
    _count("stones", "alchemy stones left", scale=SUPPLY_SCALE),
    _count(
        "facility.resources", "what the face-up facility brings: " + _BY_RESOURCE, NUM_RESOURCES, FEW_SCALE
    ),
    _count("facility.random", "random resources that it brings", scale=FEW_SCALE),
    _count("facility.refine", "what it refines into: " + _BY_RESOURCE, NUM_RESOURCES, FEW_SCALE),
    Feature("row", "face-up schematics, count by design", MAX_DESIGNS, 0.0, float(ROW)),
    Feature("deck", "schematics left in the deck, count by design", MAX_DESIGNS, 0.0, WIDE),
    Feature("stack", "facilities left in the stack, count by design", MAX_FACILITIES, 0.0, WIDE),
    _count("unseen", "Ruins cards in the deck or in other hands, count by kind", MAX_RUINS, FEW_SCALE),
    _count("row.design", "number of the design at each place, from 1, 0 if empty", ROW, DESIGN_SCALE),
    _count("row.missing", "units that this seat lacks to build it, stones apart", ROW),
    Feature("warehouse", "1 if this seat may still take a Warehouse"),
    _count("warehouse.missing", "units that it lacks to build one, stones apart"),
    Feature("workshop.take", "1 if the worker asked may take a schematic"),
    Feature("workshop.build", "1 if it may complete one"),
    _count("bill.cost", "cost of what is being paid for: " + _BY_RESOURCE, NUM_RESOURCES, FEW_SCALE),
    _count("bill.paid", "units paid so far: " + _BY_RESOURCE, NUM_RESOURCES, FEW_SCALE),
    _count("bill.left", "units still to pay"),
    _count("owed.resources", "named resources that are still to be received, in all"),
    _count("owed.random", "random resources"),
    _count("owed.choice", "resources of choice"),
    _count("owed.stones", "alchemy stones", scale=FEW_SCALE),
    _count("owed.tokens", "military tokens", scale=FEW_SCALE),
    _count("owed.cards", "Ruins cards", scale=FEW_SCALE),
    _count("owed.refine", "what may be refined into: " + _BY_RESOURCE, NUM_RESOURCES, FEW_SCALE),
)
_BOARD = (
    ("pool", f"workers to place: {_BY_TYPE}", NUM_TYPES, SCALE),
    ("standing", f"workers on the board: {', '.join(AREAS)}", NUM_AREAS, SCALE),
    ("influence", "influence in the Lab and in the Factory", 2, SCALE),
    ("store", f"{_BY_RESOURCE}", NUM_RESOURCES, SCALE),
    ("capacity", "resources that the store holds", 1, SCALE),
    ("workers", f"workers each round by schematics: {_BY_TYPE}", NUM_TYPES, FEW_SCALE),
    ("resources", f"resources each round: {_BY_RESOURCE}", NUM_RESOURCES, FEW_SCALE),
    ("random", "random resources each round", 1, FEW_SCALE),
    ("discount", "units off each build", 1, FEW_SCALE),
    (
        "forces",
        "tokens on each battlefield, with those that this round's workers bring",
        MAX_BATTLEFIELDS,
        SCALE,
    ),
    ("tokens", "military tokens left", 1, SCALE),
    ("won", "battlefields scored as first", 1, SCALE),
    ("types", f"completed schematics: {', '.join(SCHEMATIC_TYPES)}", NUM_SCHEMATIC_TYPES, SCALE),
    ("facilities", "facilities", 1, SCALE),
    ("slots", "1 for each slot with an alchemy stone", NUM_SLOTS, 1),
    ("cards", "Ruins cards in hand", 1, FEW_SCALE),
    ("points", "victory points so far", 1, POINTS_SCALE),
    ("place", "place in turn order, the first being 0", 1, FEW_SCALE),
    ("park", "space in King's Park, from 1", 1, FEW_SCALE),
    ("working", "Professors and Artificers in the Workshop", 2, FEW_SCALE),
    ("helped", "influence added in the Lab and in the Factory", 2, FEW_SCALE),
    ("refine", f"what it may refine into each round: {_BY_RESOURCE}", NUM_RESOURCES, FEW_SCALE),
    ("scoring", f"points at the end for each: {', '.join(SCORED)}", NUM_SCORED, FEW_SCALE),
)
_OTHER_YARD = (
    ("yard.design", "numbers of the designs in the yard, from 1, 0 if the slot is empty", YARD, DESIGN_SCALE),
    ("yard.cost", f"cost of what lies in the yard: {_BY_RESOURCE}", NUM_RESOURCES, SCALE),
    ("yard.points", "victory points of it", 1, POINTS_SCALE),
    ("yard.missing", "units that the seat lacks to build it, by slot, stones apart", YARD, SCALE),
)
_OWN_YARD = (
    ("design", "number of the design, from 1, 0 if the slot is empty", 1, DESIGN_SCALE),
    ("cost", f"{_BY_RESOURCE}", NUM_RESOURCES, FEW_SCALE),
    ("missing", "units lacking to build it, with stones and discounts", 1, SCALE),
    ("points", "victory points", 1, SCALE),
    ("scoring", "victory points of its end scoring as things are, itself included", 1, SCALE),
    ("workers", "workers each round", 1, FEW_SCALE),
    ("resources", "resources each round", 1, FEW_SCALE),
    ("tokens", "military tokens at once", 1, FEW_SCALE),
    ("help", "anything else: stones, cards, discount, influence, room in the store", 1, FEW_SCALE),
)


def _boards(whose, words, parts):
    return tuple(
        _count(f"{whose}.{name}", f"{words}: {meaning}", size, scale) for name, meaning, size, scale in parts
    )


_OWN_ONLY = (
    Feature("own.to_move", "1 if this seat has the choice"),
    _count("own.battle", "this seat: workers below each battlefield", MAX_BATTLEFIELDS, FEW_SCALE),
    _count("own.hand", "Ruins cards in hand, count by kind", MAX_RUINS, FEW_SCALE),
    _count("own.end", "points of end scoring as things are", 1, POINTS_SCALE),
    Feature("own.lead", f"victory points more than the best other seat / {POINTS_SCALE}", 1, -WIDE, WIDE),
    *_boards("own.yard_1", "first yard slot", _OWN_YARD),
    *_boards("own.yard_2", "second yard slot", _OWN_YARD),
)
_HEAD = (*_SITUATION, *_boards("own", "this seat", _BOARD), *_OWN_ONLY)
_OTHER = _boards("next_1", "the next seat in turn order", (*_BOARD, *_OTHER_YARD))


def features(num_players: int) -> tuple[Feature, ...]:
    """Return the parts of the vector."""
    others = (
        feature
        for ahead in range(1, num_players)
        for feature in _boards(
            f"next_{ahead}", f"{ahead} after this seat in turn order", (*_BOARD, *_OTHER_YARD)
        )
    )
    return (*_HEAD, *others)


# Positions in the vector, read by the kernels below and by the heuristic agent.
_at = {name: part.start for name, part in feature_slices((*_HEAD, *_OTHER)).items()}
PHASE, AREA, AT_INCOME, ROUND, WAR, PER_WORKER, USED = (
    _at[name] for name in ("phase", "area", "income", "round", "war", "per_worker", "used")
)
MARKET_OPEN, MARKET_OWN, MARKET_WHOSE = (_at[f"market.{name}"] for name in ("open", "own", "whose"))
WORKSHOP_OPEN, WORKSHOP_OWN, WORKSHOP_WHOSE = (_at[f"workshop.{name}"] for name in ("open", "own", "whose"))
UNIVERSITY_OPEN, UNIVERSITY_OWN, UNIVERSITY_WHOSE = (
    _at[f"university.{name}"] for name in ("open", "own", "whose")
)
BATTLE_OPEN, PARK_OPEN, PARK_TAKEN, CARRIED = (
    _at[name] for name in ("battle.open", "park.open", "park.taken", "park.carried")
)
ROOMS, SUPPLY, STONES = _at["rooms"], _at["supply"], _at["stones"]
FACILITY, FACILITY_RANDOM, FACILITY_REFINE = (
    _at[f"facility.{name}"] for name in ("resources", "random", "refine")
)
DECK, STACK, UNSEEN = _at["deck"], _at["stack"], _at["unseen"]
ROW_SET, ROW_DESIGN, ROW_MISSING = _at["row"], _at["row.design"], _at["row.missing"]
FREE_WAREHOUSE, WAREHOUSE_MISSING = _at["warehouse"], _at["warehouse.missing"]
MAY_TAKE, MAY_BUILD = _at["workshop.take"], _at["workshop.build"]
BILL_COST, BILL_PAID, BILL_LEFT = (_at[f"bill.{name}"] for name in ("cost", "paid", "left"))
OWED_UNITS, OWED_REFINE = _at["owed.resources"], _at["owed.refine"]
OWN, TO_MOVE, OWN_BATTLE = _at["own.pool"], _at["own.to_move"], _at["own.battle"]
HAND, END, LEAD, YARD_AT = (_at[f"own.{name}"] for name in ("hand", "end", "lead", "yard_1.design"))
YARD_SIZE = _at["own.yard_2.design"] - YARD_AT
# Within a yard slot, from ``YARD_AT`` on.
_YARD_PARTS = tuple(_at[f"own.yard_1.{name}"] - YARD_AT for name, *_ in _OWN_YARD[1:])
YARD_COST, YARD_MISSING, YARD_POINTS, YARD_SCORING, YARD_WORKERS, YARD_RESOURCES, YARD_TOKENS, YARD_HELP = (
    _YARD_PARTS
)
OTHERS = _at["next_1.pool"]
OTHER_SIZE = sum(feature.size for feature in _OTHER)  # floats of each other seat
# Within the board of a seat, from ``OWN`` or ``OTHERS`` on.
(
    STANDING,
    INFLUENCE,
    STORE,
    CAPACITY,
    WORKER_INCOME,
    RESOURCE_INCOME,
    RANDOM_INCOME,
    DISCOUNT,
    FORCES,
    TOKENS,
    WON,
    COMPLETED,
    FACILITIES,
    SLOT,
    CARDS,
    POINTS,
    PLACE_IN_ORDER,
    PARK_PLACE,
    WORKING,
    HELPED,
    REFINE_INTO,
    SCORING,
) = (_at[f"own.{name}"] - OWN for name, *_ in _BOARD[1:])
OTHER_DESIGN, OTHER_COST, OTHER_POINTS, OTHER_MISSING = (
    _at[f"next_1.{name}"] - OTHERS for name, *_ in _OTHER_YARD
)


def references(num_players: int) -> tuple[Reference, ...]:
    """Return what actions refer to: the designs that are taken from the row and completed from the yard."""
    row, yard = tuple(range(ROW)), tuple(range(YARD))
    return (
        Reference(
            "schematics to take",
            MAX_DESIGNS,
            DESIGN_SCALE,
            actions=tuple(TAKE + place for place in row),
            features=tuple(ROW_DESIGN + place for place in row),
            offsets=(-1,) * ROW,
        ),
        Reference(
            "schematics to complete",
            MAX_DESIGNS,
            DESIGN_SCALE,
            actions=tuple(BUILD + slot for slot in yard),
            features=tuple(YARD_AT + YARD_SIZE * slot for slot in yard),
            offsets=(-1,) * YARD,
        ),
    )
