"""The state record of Clockwork Kingdom, its phases and constants.

Decks are counts by design, not sequences: drawing a card at random from what is left is the same as taking
the top of a shuffled deck, and no order that nobody knows has to be kept.
"""

from __future__ import annotations

from kingmaker.envs.core.contract import HEADER
from kingmaker.envs.core.record import record_dtype

MIN_PLAYERS = 2
MAX_PLAYERS = 4
NONE = -1  # no seat, no card, no worker

# Worker types and resources; positions in every array "by type" and "by resource".
AUTOMATON, PROFESSOR, ALCHEMIST, ARTIFICER = range(4)
STEEL, COPPER, LUMBER, CANVAS = range(4)
WORKERS = ("automaton", "professor", "alchemist", "artificer")
RESOURCES = ("steel", "copper", "lumber", "canvas")
NUM_TYPES = len(WORKERS)
NUM_RESOURCES = len(RESOURCES)

# The strategic areas in the order of their resolution (CK-112).
MARKET, LAB, WORKSHOP, RUINS, BATTLE, UNIVERSITY, FACTORY, PARK = range(8)
AREAS = ("market", "lab", "workshop", "ruins", "battle", "university", "factory", "park")
NUM_AREAS = len(AREAS)
# The window of a Ruins card that opens at the start of its owner's placement turn (CK-33); the others are
# the areas. A set of windows is a bit set, ``1 << window``.
TURN = NUM_AREAS
WINDOWS = (*AREAS, "turn")
NUM_WINDOWS = len(WINDOWS)

# Spaces that a worker can be put on, as actions and ``state.open`` count them. The random Market space comes
# after the four named ones; Lab, Ruins and Factory have no limit. The spaces of a battlefield are as one, and
# so are those of the Park, of which only the lowest is ever open (CK-5).
MARKET_SPACE = 0
RANDOM_SPACE = MARKET_SPACE + NUM_RESOURCES
LAB_SPACE = RANDOM_SPACE + 1
WORKSHOP_SPACE = LAB_SPACE + 1
MAX_ORDERED = 5  # numbered spaces of the Workshop and of the University
RUINS_SPACE = WORKSHOP_SPACE + MAX_ORDERED
BATTLE_SPACE = RUINS_SPACE + 1
MAX_BATTLEFIELDS = 4
UNIVERSITY_SPACE = BATTLE_SPACE + MAX_BATTLEFIELDS
FACTORY_SPACE = UNIVERSITY_SPACE + MAX_ORDERED
PARK_SPACE = FACTORY_SPACE + 1
NUM_SPACES = PARK_SPACE + 1
NUM_MARKET_SPACES = NUM_RESOURCES + 1
MAX_SPECIALISTS = 3  # of each type that a seat has
MAX_OVERFLOW = MAX_PLAYERS * MAX_SPECIALISTS  # Alchemists beside a full Market (CK-15)

# Slots for alchemy stones: the pairs of resources, in order.
SLOTS = tuple((a, b) for a in range(NUM_RESOURCES) for b in range(a + 1, NUM_RESOURCES))
NUM_SLOTS = len(SLOTS)

ROW = 5  # face-up schematics
YARD = 2  # incomplete schematics of a seat
MAX_HAND = 4
MAX_DESIGNS = 32  # schematics, the Warehouse among them as design 0
WAREHOUSE = 0
MAX_FACILITIES = 12
MAX_RUINS = 12  # kinds of Ruins cards
NUM_WARS = 3

# Types of schematic (CK-129).
PLAIN, MILITARY, ACADEMY = range(3)
SCHEMATIC_TYPES = ("plain", "military", "academy")
NUM_SCHEMATIC_TYPES = len(SCHEMATIC_TYPES)

# What the end scoring of a schematic counts: completed schematics by type, then these.
SCORE_FACILITIES, SCORE_STONES, SCORE_BATTLES, SCORE_SPECIALISTS = range(3, 7)
SCORED = (*SCHEMATIC_TYPES, "facilities", "stones", "battles", "specialists")
NUM_SCORED = len(SCORED)

# Sources of victory points, for ``seats[...].points``: battles, printed on schematics, Ruins cards and Park
# bonuses, one source for each thing that end scoring counts, leftovers.
FROM_BATTLES, FROM_SCHEMATICS, FROM_REWARDS = range(3)
FROM_END = 3
FROM_LEFTOVERS = FROM_END + NUM_SCORED
NUM_SOURCES = FROM_LEFTOVERS + 1
SOURCES = ("battles", "schematics", "rewards", *(f"end_{name}" for name in SCORED), "leftovers")

# Phases: what a seat is asked (``state.phase``).
(
    ASK_PLACE,  # put a worker on a space, or first use a Ruins card
    ASK_WINDOW,  # play a Ruins card as an area starts to resolve, or pass
    ASK_RECEIVE,  # which resource to receive
    ASK_DISCARD,  # which resource to discard, the store being too full
    ASK_STONE,  # which slot an alchemy stone goes to
    ASK_TOKEN,  # which battlefield a military token goes to
    ASK_DROP,  # which card to discard, the hand being too large
    ASK_PAY,  # which resource the next unit of a cost is paid with
    ASK_WORKSHOP,  # take, build or be done
    ASK_UNIVERSITY,  # which space to move to and which worker to gain
    ASK_REFINE,  # which resource to refine, or none
) = range(11)

# Steps between the questions (``state.step``): what goes on once nothing is owed to a seat any more.
STEP_PLACE, STEP_WINDOW, STEP_RESOLVE, STEP_INCOME = range(4)

# What a seat gets at the end of each round, summed over its schematics and facilities. ``refine[r]`` is how
# many other resources it may turn into ``r``.
INCOME = record_dtype(
    [
        ("workers", "i2", (NUM_TYPES,)),
        ("resources", "i2", (NUM_RESOURCES,)),
        ("random", "i2"),
        ("refine", "i2", (NUM_RESOURCES,)),
    ]
)

# What helps a seat: resources off the cost of each build, and influence in the two contested areas.
HELP = record_dtype([("discount", "i2"), ("lab", "i2"), ("factory", "i2")])

SEAT = record_dtype(
    [
        ("pool", "i2", (NUM_TYPES,)),  # workers to be placed, by type
        ("standing", "i1", (NUM_AREAS, NUM_TYPES)),  # workers on the board, by area and type
        ("store", "i2", (NUM_RESOURCES,)),
        ("capacity", "i2"),  # resources that the store holds
        ("slots", "i2", (NUM_SLOTS,)),  # 1 where an alchemy stone lies
        ("yard", "i2", (YARD,)),  # incomplete schematics: design or NONE
        ("built", "i1", (MAX_DESIGNS,)),  # completed schematics, count by design
        ("types", "i2", (NUM_SCHEMATIC_TYPES,)),  # completed schematics, count by type
        ("facilities", "i1", (MAX_FACILITIES,)),  # count by design
        ("cards", "i2"),  # size of the hand, which is public
        ("hand", "i1", (MAX_RUINS,)),  # hidden: Ruins cards, count by kind
        # What the others can tell of the hand from being or not being asked in a window: ``lacks[i]`` is the
        # bit set of kinds that the i-th of its cards (oldest first) is not of; ``holds[area]`` among how many
        # of its oldest cards one is for the window of an area, 0 if none has to be.
        ("lacks", "i2", (MAX_HAND + 1,)),
        ("holds", "i1", (NUM_AREAS,)),
        ("income", INCOME),
        ("lasting", HELP),  # by completed schematics
        ("passing", HELP),  # by Ruins cards, until the end of the round
        ("battle", "i2", (MAX_BATTLEFIELDS,)),  # workers at each battlefield
        ("forces", "i2", (MAX_BATTLEFIELDS,)),  # military tokens on each battlefield
        ("tokens", "i2"),  # military tokens left beside the board
        ("won", "i2"),  # battlefields scored as first, alone or tied
        ("points", "i2", (NUM_SOURCES,)),  # victory points by source
    ]
)

# A worker on a space; ``seat`` NONE if it is empty.
WORKER = record_dtype([("seat", "i2"), ("kind", "i2")])

# What a seat is still to get before the game goes on; ``seat`` NONE if nobody is owed anything.
OWED = record_dtype(
    [
        ("seat", "i2"),
        ("resources", "i2", (NUM_RESOURCES,)),
        ("random", "i2"),
        ("choice", "i2"),  # resources of the owner's choice
        ("stones", "i2"),
        ("tokens", "i2"),
        ("cards", "i2"),
        ("refine", "i2", (NUM_RESOURCES,)),
    ]
)

# A build that is being paid for; ``slot`` is the yard slot or NONE. Units are paid in the order of the
# resources, so that each way to pay is reached once: ``lowest`` is the lowest resource still open.
BILL = record_dtype(
    [
        ("slot", "i2"),
        ("cost", "i2", (NUM_RESOURCES,)),
        ("paid", "i2", (NUM_RESOURCES,)),
        ("units", "i2"),  # to pay in all, discounts taken off
        ("lowest", "i2"),
    ]
)

STATE = record_dtype(
    [
        *HEADER,
        ("per_worker", "i2"),  # option: a battle token for each worker (CK-36)
        ("rounds", "i2"),  # rounds begun
        ("step", "i2"),
        ("area", "i2"),  # the area that resolves
        ("at", "i2"),  # how far the step has come: places in turn order, or spaces of the area
        ("used", "i2"),  # 1 once the seat has used a Ruins card in this placement turn (CK-33)
        ("order", "i2", (MAX_PLAYERS,)),  # seats in turn order, NONE beyond the last
        ("turn", "i2"),  # place in turn order whose placement turn it is
        ("open", "i1", (NUM_SPACES,)),  # 1 where a worker can still be placed this round
        ("market", WORKER, (NUM_MARKET_SPACES,)),
        ("overflow", "i2", (MAX_OVERFLOW,)),  # seats of Alchemists beside the full Market, in order
        ("overflowed", "i2"),
        ("workshop", WORKER, (MAX_ORDERED,)),
        ("may_take", "i2"),  # what the worker whose turn it is in the Workshop may still do
        ("may_build", "i2"),
        ("university", WORKER, (MAX_ORDERED,)),  # the numbered waiting spaces
        ("rooms", "i2", (NUM_TYPES,)),  # open University spaces by worker type
        ("park", "i2", (MAX_PLAYERS,)),  # seat on each Park space
        ("parked", "i2"),
        ("carried", "i2", (NUM_RESOURCES,)),  # resources that lie in the Park
        ("supply", "i2", (NUM_RESOURCES,)),
        ("stones", "i2"),  # alchemy stones left
        ("row", "i2", (ROW,)),  # face-up schematics: design or NONE
        ("deck", "i1", (MAX_DESIGNS,)),  # schematics left, count by design; Warehouses left at WAREHOUSE
        ("discards", "i1", (MAX_DESIGNS,)),
        ("facility", "i2"),  # the face-up facility, NONE if the stack is empty
        ("stack", "i1", (MAX_FACILITIES,)),
        ("ruins", "i1", (MAX_RUINS,)),  # Ruins cards left in the deck, count by kind
        ("ruins_discards", "i1", (MAX_RUINS,)),
        ("owed", OWED),
        ("bill", BILL),
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)

OPTIONS = record_dtype([("tokens_per_worker", "i2")])
