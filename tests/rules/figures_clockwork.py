"""The printed figures of Clockwork Kingdom, typed from the rulebook and not from the game's own data file.

The rule tests rest on these; they share nothing with ``kingmaker.envs.clockwork_kingdom``.
"""

from __future__ import annotations

from typing import NamedTuple

RESOURCES = ("steel", "copper", "lumber", "canvas")
WORKERS = ("automaton", "professor", "alchemist", "artificer")
AREAS = ("market", "lab", "workshop", "ruins", "battle", "university", "factory", "park")
PAIRS = tuple((a, b) for a in range(4) for b in range(a + 1, 4))  # of resources: the slots of a seat's mat

ROUNDS = 9
WARS = (3, 6, 9)  # rounds after which battlefields are scored
EACH_RESOURCE = 10
STONES = 18
TOKENS = 10
AUTOMATONS_A_ROUND = 5
WORKERS_IN_PLAY = (7, 3, 3, 3)
STORE, STORE_WITH_WAREHOUSE = 6, 8
HAND = 4
WAREHOUSES = 4
ROW = 5
SCHEMATICS = {2: None, 3: 29, 4: 30}  # without Warehouses; the print says nothing of two seats
RUINS_CARDS = 24
FACILITIES = 12


class Board(NamedTuple):
    """What is open with a number of seats: random Market spaces, numbered spaces, battlefields, Park."""

    random_spaces: int
    workshop: int
    university: int
    battlefields: tuple[int, ...]  # numbers; 1 is the Temple of Vapori, 2 the Sea of Verne
    battle_spaces: int
    park: int


BOARDS = {
    2: Board(0, 3, 3, (3, 4), 4, 2),
    3: Board(0, 5, 5, (2, 3, 4), 3, 3),
    4: Board(1, 5, 5, (1, 2, 3, 4), 4, 4),
}

# Points on one battlefield for tokens there, seat by seat, after rounds 3, 6 and 9: every pattern of two to
# four seats. A pattern stands for all orders of its seats.
BATTLES: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    (0, 0): ((0, 0), (0, 0), (0, 0)),
    (1, 0): ((4, 0), (5, 0), (6, 0)),
    (1, 1): ((2, 2), (3, 3), (4, 4)),
    (2, 1): ((4, 1), (5, 2), (6, 3)),
    (0, 0, 0): ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
    (1, 0, 0): ((4, 0, 0), (5, 0, 0), (6, 0, 0)),
    (1, 1, 0): ((2, 2, 0), (3, 3, 0), (4, 4, 0)),
    (1, 1, 1): ((1, 1, 1), (2, 2, 2), (3, 3, 3)),
    (2, 1, 0): ((4, 1, 0), (5, 2, 0), (6, 3, 0)),
    (2, 1, 1): ((4, 0, 0), (5, 0, 0), (6, 0, 0)),
    (2, 2, 1): ((2, 2, 0), (3, 3, 0), (4, 4, 0)),
    (3, 2, 1): ((4, 1, 0), (5, 2, 0), (6, 3, 0)),
    (0, 0, 0, 0): ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    (1, 0, 0, 0): ((4, 0, 0, 0), (5, 0, 0, 0), (6, 0, 0, 0)),
    (1, 1, 0, 0): ((2, 2, 0, 0), (3, 3, 0, 0), (4, 4, 0, 0)),
    (1, 1, 1, 0): ((1, 1, 1, 0), (2, 2, 2, 0), (3, 3, 3, 0)),
    (1, 1, 1, 1): ((1, 1, 1, 1), (1, 1, 1, 1), (2, 2, 2, 2)),
    (2, 1, 0, 0): ((4, 1, 0, 0), (5, 2, 0, 0), (6, 3, 0, 0)),
    (2, 1, 1, 0): ((4, 0, 0, 0), (5, 0, 0, 0), (6, 0, 0, 0)),
    (2, 1, 1, 1): ((4, 0, 0, 0), (5, 0, 0, 0), (6, 0, 0, 0)),
    (2, 2, 1, 0): ((2, 2, 0, 0), (3, 3, 0, 0), (4, 4, 0, 0)),
    (2, 2, 1, 1): ((2, 2, 0, 0), (3, 3, 0, 0), (4, 4, 0, 0)),
    (2, 2, 2, 1): ((1, 1, 1, 0), (2, 2, 2, 0), (3, 3, 3, 0)),
    (3, 2, 1, 0): ((4, 1, 0, 0), (5, 2, 0, 0), (6, 3, 0, 0)),
    (3, 2, 1, 1): ((4, 1, 0, 0), (5, 2, 0, 0), (6, 3, 0, 0)),
    (3, 2, 2, 1): ((4, 0, 0, 0), (5, 0, 0, 0), (6, 0, 0, 0)),
    (3, 3, 2, 1): ((2, 2, 0, 0), (3, 3, 0, 0), (4, 4, 0, 0)),
    (4, 3, 2, 1): ((4, 1, 0, 0), (5, 2, 0, 0), (6, 3, 0, 0)),
}
