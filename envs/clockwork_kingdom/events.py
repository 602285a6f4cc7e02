"""The journal of Clockwork Kingdom: what a person following the game would want to read.

Schematics, facilities and kinds of Ruins cards are numbered as in the data file: schematics from 1 with the
Warehouse as 0, the others from 1. Spaces, slots and battlefields are numbered from 1.
"""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import a_worker
from kingmaker.envs.clockwork_kingdom.state import (
    AREAS,
    NUM_AREAS,
    NUM_RESOURCES,
    NUM_TYPES,
    RESOURCES,
    WORKERS,
)
from kingmaker.envs.core.spec import Event

EVENTS = (
    Event("round-begins", "round {a} begins"),
    Event("takes-place", "seat {seat} is at place {a} in turn order"),
    *(
        Event(f"places-{name}", f"seat {{seat}} places {a_worker(name)} on space {{a}} of the board")
        for name in WORKERS
    ),
    *(Event(f"{name}-resolves", f"the {name} resolves") for name in AREAS),
    *(Event(f"gains-{name}", f"seat {{seat}} gains {a_worker(name)}") for name in WORKERS),
    Event("worker-lost", "seat {seat} has no such worker left to gain"),
    *(Event(f"receives-{name}", f"seat {{seat}} receives {name}, and has {{a}} of it") for name in RESOURCES),
    Event("supply-empty", "seat {seat} receives nothing: the supply has none left"),
    *(Event(f"discards-{name}", f"seat {{seat}} discards {name}") for name in RESOURCES),
    *(Event(f"pays-{name}", f"seat {{seat}} pays {{a}} {name}") for name in RESOURCES),
    *(Event(f"refines-{name}", f"seat {{seat}} gives {name} up to refine it") for name in RESOURCES),
    Event("wins-lab", "seat {seat} wins the Alchemy Lab with influence {a}"),
    Event("stone-placed", "seat {seat} puts an alchemy stone into slot {a}"),
    Event("stone-lost", "seat {seat} takes no alchemy stone: no slot or no stone is left"),
    Event("schematic-dealt", "schematic {a} comes into the row at place {b}"),
    Event("schematics-reshuffled", "the discarded schematics become the deck: {a} cards"),
    Event("takes-schematic", "seat {seat} takes schematic {a} into yard slot {b}"),
    Event("completes-schematic", "seat {seat} completes schematic {a} for {b} points"),
    Event("ruins-reshuffled", "the discarded Ruins cards become the deck: {a} cards"),
    Event("draws-card", "seat {seat} draws a Ruins card and has {a}"),
    Event("card-seen", "the card is of kind {a}", private=True),
    Event("no-card", "seat {seat} draws nothing: no Ruins card is left"),
    Event("drops-card", "seat {seat} discards a Ruins card of kind {a}"),
    Event("plays-card", "seat {seat} plays a Ruins card of kind {a}"),
    Event("token-placed", "seat {seat} puts a military token on battlefield {a} and has {b} there"),
    Event("no-token", "seat {seat} has no military token left"),
    Event("war-scored", "seat {seat} scores {a} points on battlefield {b} with {c} tokens"),
    Event("war-ends", "the war of {a} rounds is over; all tokens are taken back"),
    Event("wins-facility", "seat {seat} wins facility {a} with influence {b}"),
    Event("facility-shown", "facility {a} is turned up"),
    *(Event(f"park-holds-{name}", f"{name} is put in King's Park") for name in RESOURCES),
    Event("reward-scored", "seat {seat} scores {a} points"),
    Event("end-scored", "seat {seat} scores {b} points at the end for schematic {a}"),
    Event("leftovers-scored", "seat {seat} scores {a} points for {b} leftover resources and workers"),
)

# Journal kinds, in the order of the table; kind 0 is a chance draw. Of rows that exist once for each worker
# type, area or resource this is the first.
ROUND_BEGINS = 1
TAKES_PLACE = 2
PLACES = 3
RESOLVES = PLACES + NUM_TYPES
GAINS = RESOLVES + NUM_AREAS
WORKER_LOST = GAINS + NUM_TYPES
RECEIVES = WORKER_LOST + 1
SUPPLY_EMPTY = RECEIVES + NUM_RESOURCES
DISCARDS = SUPPLY_EMPTY + 1
PAYS = DISCARDS + NUM_RESOURCES
REFINES = PAYS + NUM_RESOURCES
(
    WINS_LAB,
    STONE_PLACED,
    STONE_LOST,
    SCHEMATIC_DEALT,
    SCHEMATICS_RESHUFFLED,
    TAKES_SCHEMATIC,
    COMPLETES_SCHEMATIC,
    RUINS_RESHUFFLED,
    DRAWS_CARD,
    CARD_SEEN,
    NO_CARD,
    DROPS_CARD,
    PLAYS_CARD,
    TOKEN_PLACED,
    NO_TOKEN,
    WAR_SCORED,
    WAR_ENDS,
    WINS_FACILITY,
    FACILITY_SHOWN,
    PARK_HOLDS,
) = range(REFINES + NUM_RESOURCES, REFINES + NUM_RESOURCES + 20)
REWARD_SCORED, END_SCORED, LEFTOVERS_SCORED = range(
    PARK_HOLDS + NUM_RESOURCES, PARK_HOLDS + NUM_RESOURCES + 3
)
