"""The action table of Clockwork Kingdom: stable ids and names.

A placement is a worker type and a space. Cards are named by their place in the data file: ``use-3`` plays a
Ruins card of the third kind there; schematics by their place in the face-up row or the yard.
"""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.state import (
    MAX_BATTLEFIELDS,
    MAX_ORDERED,
    MAX_RUINS,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TYPES,
    RESOURCES,
    ROW,
    SLOTS,
    WORKERS,
    YARD,
)
from kingmaker.envs.core.spec import Action

# First ids of each group. ``PLACE + NUM_SPACES * kind + space`` puts a worker of a type on a space.
PLACE = 0
OVERFLOW = PLACE + NUM_TYPES * NUM_SPACES  # an Alchemist beside the full Market
USE = OVERFLOW + 1  # + kind of Ruins card, in the placement turn
PASS = USE + MAX_RUINS
PLAY = PASS + 1  # + kind of Ruins card, as an area starts to resolve
RECEIVE = PLAY + MAX_RUINS  # + resource
DISCARD = RECEIVE + NUM_RESOURCES  # + resource
STONE = DISCARD + NUM_RESOURCES  # + slot
TOKEN = STONE + NUM_SLOTS  # + battlefield
DROP = TOKEN + MAX_BATTLEFIELDS  # + kind of Ruins card
PAY = DROP + MAX_RUINS  # + resource
TAKE = PAY + NUM_RESOURCES  # + place in the row
TAKE_WAREHOUSE = TAKE + ROW
BUILD = TAKE_WAREHOUSE + 1  # + yard slot
DONE = BUILD + YARD
STUDY = DONE + 1  # + NUM_TYPES * University space + worker gained
REFINE = STUDY + NUM_TYPES * NUM_TYPES  # + resource given
KEEP = REFINE + NUM_RESOURCES
NUM_ACTIONS = KEEP + 1


# Name in actions and words for each space, by its number.
SPACES = (
    *((f"market-{name}", f"on the Market's {name} space") for name in (*RESOURCES, "random")),
    ("lab", "in the Alchemy Lab"),
    *((f"workshop-{n}", f"on space {n} of the Workshop") for n in range(1, MAX_ORDERED + 1)),
    ("ruins", "in the Ruins"),
    *((f"battle-{n}", f"below battlefield {n}") for n in range(1, MAX_BATTLEFIELDS + 1)),
    *((f"university-{n}", f"on waiting space {n} of the University") for n in range(1, MAX_ORDERED + 1)),
    ("factory", "in the Factory"),
    ("park", "on the lowest open space of King's Park"),
)


def a_worker(name: str) -> str:
    """Return a worker type with its article."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _by_kind(verb: str, meaning: str, phase: str) -> tuple[Action, ...]:
    return tuple(
        Action(f"{verb}-{kind + 1}", meaning.format(f"kind {kind + 1}"), phase) for kind in range(MAX_RUINS)
    )


def _by_resource(verb: str, meaning: str, phase: str) -> tuple[Action, ...]:
    return tuple(Action(f"{verb}-{name}", meaning.format(name), phase) for name in RESOURCES)


ACTIONS = (
    *(
        Action(f"{worker}-{name}", f"place {a_worker(worker)} {words}", "place")
        for worker in WORKERS
        for name, words in SPACES
    ),
    Action("alchemist-market-overflow", "place an alchemist beside the full Market", "place"),
    *_by_kind("use", "before placing a worker, play a Ruins card of {}", "place"),
    Action("pass", "play no Ruins card as the area starts to resolve", "window"),
    *_by_kind("play", "play a Ruins card of {} as the area starts to resolve", "window"),
    *_by_resource("receive", "receive {}", "receive"),
    *_by_resource("discard", "discard {}, the store being too full", "discard"),
    *(
        Action(
            f"stone-{RESOURCES[a]}-{RESOURCES[b]}",
            f"put an alchemy stone between {RESOURCES[a]} and {RESOURCES[b]}",
            "stone",
        )
        for a, b in SLOTS
    ),
    *(
        Action(f"token-{number + 1}", f"put a military token on battlefield {number + 1}", "token")
        for number in range(MAX_BATTLEFIELDS)
    ),
    *_by_kind("drop", "discard a Ruins card of {}, the hand being too large", "drop"),
    *_by_resource("pay", "pay the next unit of the cost with {}", "pay"),
    *(
        Action(f"take-{place + 1}", f"take schematic {place + 1} of the row", "workshop")
        for place in range(ROW)
    ),
    Action("take-warehouse", "take a Warehouse", "workshop"),
    *(
        Action(f"build-{slot + 1}", f"complete the schematic in yard slot {slot + 1}", "workshop")
        for slot in range(YARD)
    ),
    Action("done", "do nothing more with this worker", "workshop"),
    *(
        Action(
            f"study-{space}-{gained}",
            f"move to {a_worker(space)} space of the University and gain {a_worker(gained)}",
            "university",
        )
        for space in WORKERS
        for gained in WORKERS
    ),
    *_by_resource("refine", "turn {} into the resource of the facility", "refine"),
    Action("keep", "refine nothing more there", "refine"),
)
