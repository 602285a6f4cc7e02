"""The printed figures and cards of Clockwork Kingdom: the tables record and its data file.

What a card does is a row of numbers: workers and resources each round, a reward at once, lasting help, end
scoring. The rules read the columns and never a card's number, so a file of one's own may hold other cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.envs.clockwork_kingdom.schema import (
    NAME_BYTES,
    ClockworkTable,
    Income,
    Reward,
    RuinsCard,
    Schematic,
)
from kingmaker.envs.clockwork_kingdom.state import (
    HELP,
    INCOME,
    MAX_BATTLEFIELDS,
    MAX_DESIGNS,
    MAX_FACILITIES,
    MAX_PLAYERS,
    MAX_RUINS,
    MIN_PLAYERS,
    NUM_RESOURCES,
    NUM_SCORED,
    NUM_TYPES,
    NUM_WARS,
    NUM_WINDOWS,
    RESOURCES,
    SCHEMATIC_TYPES,
    SCORED,
    WAREHOUSE,
    WINDOWS,
    WORKERS,
)
from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.record import record_dtype
from kingmaker.envs.core.tape import TAPE

FILE = Path(__file__).with_name("clockwork_kingdom.toml")

# --- records ------------------------------------------------------------------------------------------

_NAME = ("name", "u1", (NAME_BYTES,))  # UTF-8, zeros after the end; see ``name_of``

# What is given once: by a completed schematic, a played Ruins card, a space of King's Park.
REWARD = record_dtype(
    [
        ("workers", "i2", (NUM_TYPES,)),
        ("resources", "i2", (NUM_RESOURCES,)),
        ("random", "i2"),
        ("choice", "i2"),  # resources of the owner's choice
        ("stones", "i2"),
        ("tokens", "i2"),  # military tokens for battlefields of the owner's choice
        ("cards", "i2"),
        ("points", "i2"),
    ]
)

SCHEMATIC = record_dtype(
    [
        _NAME,
        ("copies", "i2"),
        ("seats", "i2"),  # played with so many seats or more
        ("kind", "i2"),  # PLAIN, MILITARY, ACADEMY
        ("points", "i2"),
        ("cost", "i2", (NUM_RESOURCES,)),
        ("income", INCOME),
        ("reward", REWARD),
        ("lasting", HELP),
        ("capacity", "i2"),  # added to the store
        ("scoring", "i2", (NUM_SCORED,)),  # points at the end for each thing counted
    ]
)

RUINS_CARD = record_dtype([_NAME, ("copies", "i2"), ("windows", "i2"), ("reward", REWARD), ("passing", HELP)])

FACILITY = record_dtype([_NAME, ("copies", "i2"), ("income", INCOME)])

BATTLEFIELD = record_dtype([_NAME])

# Victory points of a war: alone in first place, alone in second, and shared first by 2, 3, 4 seats.
WAR = record_dtype([("after", "i2"), ("first", "i2"), ("second", "i2"), ("shared", "i2", (MAX_PLAYERS - 1,))])

# What is open with a number of seats.
SETUP = record_dtype(
    [
        ("market_random", "i2"),  # random Market spaces
        ("workshop", "i2"),
        ("university", "i2"),
        ("battlefields", "i2", (MAX_BATTLEFIELDS,)),  # 1 if in play
        ("battle_spaces", "i2"),  # below each battlefield
        ("park", "i2"),
    ]
)

FIGURES = (
    "rounds",
    "automatons",  # to each pool at the end of a round
    "supply",  # of each resource
    "stones",
    "tokens",  # of each seat
    "store",  # resources that a seat may keep
    "hand",  # cards that a seat may keep
    "influence",  # of an Alchemist in the Lab, of an Artificer in the Factory
    "leftovers",  # resources and workers for a point at the end
)

TABLES = record_dtype(
    [
        ("tape", TAPE),
        *((name, "i2") for name in FIGURES),
        ("workers", "i2", (NUM_TYPES,)),  # of each seat, by type
        ("rooms", "i2", (NUM_TYPES,)),  # spaces of the University, by type
        ("designs", "i2"),  # rows in use of each list of cards
        ("ruins_kinds", "i2"),
        ("facility_kinds", "i2"),
        ("window_kinds", "i2", (NUM_WINDOWS,)),  # bit set of the Ruins kinds playable in each window
        ("schematics", SCHEMATIC, (MAX_DESIGNS,)),  # row WAREHOUSE is the Warehouse
        ("ruins", RUINS_CARD, (MAX_RUINS,)),
        ("facilities", FACILITY, (MAX_FACILITIES,)),
        ("park", REWARD, (MAX_PLAYERS,)),  # by space
        ("battlefields", BATTLEFIELD, (MAX_BATTLEFIELDS,)),
        ("wars", WAR, (NUM_WARS,)),
        ("setups", SETUP, (MAX_PLAYERS - MIN_PLAYERS + 1,)),  # by number of seats less two
    ]
)

# --- from file to record ------------------------------------------------------------------------------


def _write_name(row: Any, name: str) -> None:
    text = name.encode()
    row["name"][: len(text)] = list(text)


def _write_named(array: Any, model: Table, names: Sequence[str]) -> None:
    """Write the entries ``names`` of a model into an array, in this order."""
    array[:] = [getattr(model, name) for name in names]


def _write_fields(row: Any, model: Table, names: Sequence[str]) -> None:
    """Write entries of a model into the fields of the same names."""
    for name in names:
        row[name] = getattr(model, name)


def _write_income(row: Any, income: Income) -> None:
    _write_named(row["workers"], income, WORKERS)
    _write_named(row["resources"], income, RESOURCES)
    row["random"] = income.random
    _write_named(row["refine"], income.refine, RESOURCES)


def _write_reward(row: Any, reward: Reward) -> None:
    _write_named(row["workers"], reward, WORKERS)
    _write_named(row["resources"], reward, RESOURCES)
    _write_fields(row, reward, ("random", "choice", "stones", "tokens", "cards", "points"))


def _write_schematic(row: Any, card: Schematic) -> None:
    _write_name(row, card.name)
    _write_fields(row, card, ("copies", "seats", "points", "capacity"))
    row["kind"] = SCHEMATIC_TYPES.index(card.type)
    _write_named(row["cost"], card.cost, RESOURCES)
    _write_income(row["income"], card.each_round)
    _write_reward(row["reward"], card.at_once)
    _write_fields(row["lasting"], card.lasting, HELP.names or ())
    _write_named(row["scoring"], card.at_end, SCORED)


def _write_ruins_card(row: Any, card: RuinsCard) -> None:
    _write_name(row, card.name)
    row["copies"] = card.copies
    row["windows"] = sum(1 << WINDOWS.index(window) for window in set(card.windows))
    _write_reward(row["reward"], card.at_once)
    _write_fields(row["passing"], card.this_round, HELP.names or ())


def _write_board(record: Any, table: ClockworkTable) -> None:
    for row, space in zip(record["park"], table.park.spaces, strict=True):
        _write_reward(row, space)
    for row, battlefield in zip(record["battlefields"], table.battlefields, strict=True):
        _write_name(row, battlefield.name)
    for row, war in zip(record["wars"], table.wars, strict=True):
        _write_fields(row, war, ("after", "first", "second", "shared"))
    for row, setup in zip(record["setups"], table.setups, strict=True):
        _write_fields(row, setup, ("market_random", "workshop", "university", "battle_spaces", "park"))
        row["battlefields"] = [number in setup.battlefields for number in range(1, MAX_BATTLEFIELDS + 1)]


def load(path: Any, overrides: Mapping[str, Any]) -> np.ndarray:
    """Return a tables array of length 1 from ``path``, or from the game's own file.

    Raises:
        TableError: if the file is unreadable or does not describe a playable game.
    """
    table = read_table(ClockworkTable, FILE if path is None else Path(path), overrides)
    tables = np.zeros(1, TABLES)
    record = tables[0]
    _write_fields(record, table, FIGURES)
    _write_named(record["workers"], table.workers, WORKERS)
    _write_named(record["rooms"], table.university, WORKERS)
    _write_board(record, table)
    _write_schematic(record["schematics"][WAREHOUSE], table.warehouse.card)
    for row, card in zip(record["schematics"][1:], table.schematics.cards, strict=False):
        _write_schematic(row, card)
    for row, ruins_card in zip(record["ruins"], table.ruins.cards, strict=False):
        _write_ruins_card(row, ruins_card)
    for kind, ruins_card in enumerate(table.ruins.cards):
        for window in set(ruins_card.windows):
            record["window_kinds"][WINDOWS.index(window)] |= 1 << kind
    for row, facility in zip(record["facilities"], table.facilities.cards, strict=False):
        _write_name(row, facility.name)
        row["copies"] = facility.copies
        _write_income(row["income"], facility.each_round)
    record["designs"] = 1 + len(table.schematics.cards)
    record["ruins_kinds"] = len(table.ruins.cards)
    record["facility_kinds"] = len(table.facilities.cards)
    return tables


def name_of(row: Any) -> str:
    """Return the name of a card or battlefield from its row of the tables record."""
    return bytes(row["name"].tolist()).rstrip(b"\0").decode()
