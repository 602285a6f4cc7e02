"""The printed figures of Kingsburg: advisors, buildings and enemies, the tables record and its data file.

What advisors and buildings do is data: an advisor's gift is a row of figures, and a building names one of
``EFFECTS``, so that another file can change figures and move effects without new rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pydantic

from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.record import record_dtype
from kingmaker.envs.core.tape import TAPE
from kingmaker.envs.kingsburg.state import (
    COLUMNS,
    NUM_ADVISORS,
    NUM_BUILDINGS,
    NUM_ENEMIES,
    NUM_GOODS,
)

FILE = Path(__file__).with_name("kingsburg.toml")

# Names in the data file, in the order of the record: advisors 1 to 18, buildings row by row, cards by year.
ADVISOR_NAMES = (
    "jester", "squire", "architect", "merchant", "sergeant", "alchemist",
    "astronomer", "treasurer", "master-hunter", "general", "swordsmith", "duchess",
    "champion", "smuggler", "inventor", "wizard", "queen", "king",
)  # fmt: skip
BUILDING_NAMES = (
    "statue", "chapel", "church", "cathedral",
    "inn", "market", "farms", "merchants-guild",
    "guard-tower", "blacksmith", "barracks", "wizards-guild",
    "palisade", "stables", "stone-wall", "fortress",
    "barricade", "crane", "town-hall", "embassy",
)  # fmt: skip
ENEMY_NAMES = tuple(f"{year}-{letter}" for year in ("I", "II", "III", "IV", "V") for letter in "abcde")
ENEMY_TYPES = ("goblins", "orcs", "zombies", "barbarians", "demons", "dragons")

ADVISOR_TITLES = tuple(name.replace("-", " ").title() for name in ADVISOR_NAMES)
BUILDING_TITLES = tuple(
    name.replace("-", " ").title().replace("Merchants", "Merchants'").replace("Wizards", "Wizards'")
    for name in BUILDING_NAMES
)

# What a building does besides its points and battle bonus; a building's ``effect`` is a position here. Each
# effect belongs to at most one building.
EFFECTS = (
    "none",
    "reroll-one",  # Statue: reroll one die if all show the same face
    "reroll-all",  # Chapel: reroll all dice if their total is at most 7
    "points-for-goods",  # Cathedral: 1 point for 2 goods at the end
    "summer-token",  # Inn: a "+2" token at the end of each Summer
    "shift",  # Market: the sum of one group a season counts one more or one less
    "extra-die",  # Farms: a white die every productive season
    "season-gold",  # Merchants' Guild: 1 gold before rolling
    "cheap-soldiers",  # Barracks: a soldier costs one good
    "extra-soldier",  # Stables: a soldier more from an advisor who gives soldiers
    "ties-win",  # Stone Wall: a combat value equal to the enemy's strength wins
    "victory-point",  # Fortress: a point for each victory
    "cheap-buildings",  # Crane: buildings in the third and fourth column cost 1 gold less
    "sell-point",  # Town Hall: a point for a good or a "+2" token at the end of a productive season
    "season-point",  # Embassy: a point at the end of each productive season
)
(
    NO_EFFECT,
    REROLL_ONE,
    REROLL_EVERY,
    POINTS_FOR_GOODS,
    SUMMER_TOKEN,
    SHIFT,
    EXTRA_DIE,
    SEASON_GOLD,
    CHEAP_SOLDIERS,
    EXTRA_SOLDIER,
    TIES_WIN,
    VICTORY_POINT,
    CHEAP_BUILDINGS,
    SELL_POINT,
    SEASON_POINT,
) = range(len(EFFECTS))
NUM_EFFECTS = len(EFFECTS)

NO_TYPE = -1  # ``against`` of a building without a bonus against one type of enemy

ADVISOR = record_dtype(
    [
        ("goods", "i2", (NUM_GOODS,)),  # given as printed: gold, wood, stone
        ("choice", "i2"),  # goods of the seat's choice
        ("kinds", "i2"),  # set of kinds to choose from
        ("price", "i2"),  # victory points to pay for the choice, which may be declined
        ("trade", "i2"),  # 1: one good may be given for one of each other kind
        ("tokens", "i2"),
        ("soldiers", "i2"),
        ("vp", "i2"),
        ("peek", "i2"),  # 1: a look at the enemy card
    ]
)

BUILDING = record_dtype(
    [
        ("cost", "i2", (NUM_GOODS,)),
        ("vp", "i2"),
        ("battle", "i2"),  # added to the combat value in every battle
        ("against", "i2"),  # a type of enemy, or NO_TYPE
        ("against_bonus", "i2"),  # added besides against that type
        ("effect", "i2"),
    ]
)

ENEMY = record_dtype(
    [
        ("strength", "i2"),
        ("type", "i2"),
        ("lose_goods", "i2", (NUM_GOODS,)),
        ("lose_choice", "i2"),  # goods of the seat's choice
        ("lose_building", "i2"),
        ("lose_vp", "i2"),
        ("win_goods", "i2", (NUM_GOODS,)),
        ("win_choice", "i2"),
        ("win_vp", "i2"),
    ]
)

TABLES = record_dtype(
    [
        ("tape", TAPE),
        ("advisors", ADVISOR, (NUM_ADVISORS,)),  # advisor n at n - 1
        ("buildings", BUILDING, (NUM_BUILDINGS,)),
        ("enemies", ENEMY, (NUM_ENEMIES,)),  # five a year
        ("owners", "i4", (NUM_EFFECTS,)),  # for each effect the set of buildings that have it: one or none
    ]
)

# Bounds of the figures. A gift of goods is bounded as a whole, since the longest game depends on it; what is
# taken or lost by choice, since each multiset is an action.
MAX_GIFT = 6
MAX_CHOICE = 3
MAX_LOSS_BY_CHOICE = 4
MAX_COST = 9
MAX_POINTS = 30
MAX_STRENGTH = 99

Amount = Annotated[int, pydantic.Field(ge=0, le=MAX_COST)]
Points = Annotated[int, pydantic.Field(ge=0, le=MAX_POINTS)]
Bonus = Annotated[int, pydantic.Field(ge=-9, le=9)]
Choice = Annotated[int, pydantic.Field(ge=0, le=MAX_CHOICE)]
Kind = Literal["gold", "wood", "stone"]
Type = Literal["goblins", "orcs", "zombies", "barbarians", "demons", "dragons"]
Effect = Literal[
    "none", "reroll-one", "reroll-all", "points-for-goods", "summer-token", "shift", "extra-die",
    "season-gold", "cheap-soldiers", "extra-soldier", "ties-win", "victory-point", "cheap-buildings",
    "sell-point", "season-point",
]  # fmt: skip


class Goods(Table):
    """So many goods of each kind."""

    gold: Amount = 0
    wood: Amount = 0
    stone: Amount = 0

    @property
    def amounts(self) -> tuple[int, int, int]:
        """Amounts in the order of the record."""
        return self.gold, self.wood, self.stone


def _check_gift(goods: Goods, more: int) -> None:
    """Raise ``ValueError`` if goods as printed and ``more`` of other kinds are too many at once."""
    total = sum(goods.amounts) + more
    if total > MAX_GIFT:
        raise ValueError(f"{total} goods at once; {MAX_GIFT} is the most")


class Advisor(Goods):
    """An advisor's gift."""

    choice: Choice = 0
    kinds: Annotated[list[Kind], pydantic.Field(min_length=1)] = ["gold", "wood", "stone"]  # noqa: RUF012
    price: Points = 0
    trade: bool = False
    tokens: Amount = 0
    soldiers: Amount = 0
    vp: Points = 0
    peek: bool = False

    @pydantic.model_validator(mode="after")
    def _one_question(self) -> Advisor:
        _check_gift(self, self.choice + 2 * self.trade)
        if self.trade and self.choice:
            raise ValueError("an advisor has a trade or goods of choice, not both")
        if self.price and not self.choice:
            raise ValueError("a price is paid for goods of choice; there are none")
        return self


class Building(Table):
    """A building's price and worth."""

    cost: Goods
    vp: Points = 0
    battle: Bonus = 0
    against: Type | None = None
    against_bonus: Bonus = 0
    effect: Effect = "none"

    @pydantic.model_validator(mode="after")
    def _against_whom(self) -> Building:
        if (self.against is None) != (self.against_bonus == 0):
            raise ValueError("against and against_bonus belong together")
        return self


class Loss(Goods):
    """What a defeat costs."""

    choice: Annotated[int, pydantic.Field(ge=0, le=MAX_LOSS_BY_CHOICE)] = 0
    building: bool = False
    vp: Points = 0


class Reward(Goods):
    """What a victory brings."""

    choice: Choice = 0
    vp: Points = 0

    @pydantic.model_validator(mode="after")
    def _within_bounds(self) -> Reward:
        _check_gift(self, self.choice)
        return self


class Enemy(Table):
    """An enemy card."""

    strength: Annotated[int, pydantic.Field(ge=0, le=MAX_STRENGTH)]
    type: Type
    loss: Loss
    reward: Reward


class KingsburgTable(Table):
    """What ``kingsburg.toml`` looks like: every name of the three tables once, in any order."""

    advisors: dict[str, Advisor]
    buildings: dict[str, Building]
    enemies: dict[str, Enemy]

    @pydantic.model_validator(mode="after")
    def _whole(self) -> KingsburgTable:
        _check_names("advisors", self.advisors, ADVISOR_NAMES)
        _check_names("buildings", self.buildings, BUILDING_NAMES)
        _check_names("enemies", self.enemies, ENEMY_NAMES)
        effects = [building.effect for building in self.buildings.values() if building.effect != "none"]
        if twice := sorted({effect for effect in effects if effects.count(effect) > 1}):
            raise ValueError(f"more than one building has the effect {', '.join(twice)}")
        crane = next((name for name, it in self.buildings.items() if it.effect == "cheap-buildings"), None)
        for number, name in enumerate(BUILDING_NAMES):
            dear = number % COLUMNS >= COLUMNS // 2
            if crane is not None and dear and self.buildings[name].cost.gold == 0:
                raise ValueError(f"{name} costs no gold, so {crane} cannot make it cheaper")
        return self


def _check_names(what: str, found: Collection[str], wanted: Collection[str]) -> None:
    missing = [name for name in wanted if name not in found]
    unknown = [name for name in found if name not in wanted]
    if missing or unknown:
        faults = [("lacks", missing), ("has no place for", unknown)]
        told = [f"{words} {', '.join(names)}" for words, names in faults if names]
        raise ValueError(f"{what} {' and '.join(told)}")


def load(path: Any, overrides: Mapping[str, Any]) -> np.ndarray:
    """Return a tables array of length 1 from ``path``, or from ``kingsburg.toml`` for ``None``.

    Raises:
        TableError: if the file is unreadable or does not describe a playable game.
    """
    table = read_table(KingsburgTable, FILE if path is None else Path(path), overrides)
    record = np.zeros(1, TABLES)
    for number, name in enumerate(ADVISOR_NAMES):
        _write_advisor(record["advisors"][0, number], table.advisors[name])
    for number, name in enumerate(BUILDING_NAMES):
        building = table.buildings[name]
        _write_building(record["buildings"][0, number], building)
        if building.effect != "none":
            record["owners"][0, EFFECTS.index(building.effect)] |= 1 << number
    for number, name in enumerate(ENEMY_NAMES):
        _write_enemy(record["enemies"][0, number], table.enemies[name])
    return record


def _write_advisor(row: Any, advisor: Advisor) -> None:
    row["goods"] = advisor.amounts
    row["kinds"] = sum(1 << ("gold", "wood", "stone").index(kind) for kind in set(advisor.kinds))
    for name in ("choice", "price", "trade", "tokens", "soldiers", "vp", "peek"):
        row[name] = getattr(advisor, name)


def _write_building(row: Any, building: Building) -> None:
    row["cost"] = building.cost.amounts
    row["against"] = NO_TYPE if building.against is None else ENEMY_TYPES.index(building.against)
    row["effect"] = EFFECTS.index(building.effect)
    for name in ("vp", "battle", "against_bonus"):
        row[name] = getattr(building, name)


def _write_enemy(row: Any, enemy: Enemy) -> None:
    row["strength"] = enemy.strength
    row["type"] = ENEMY_TYPES.index(enemy.type)
    row["lose_goods"] = enemy.loss.amounts
    row["lose_choice"] = enemy.loss.choice
    row["lose_building"] = enemy.loss.building
    row["lose_vp"] = enemy.loss.vp
    row["win_goods"] = enemy.reward.amounts
    row["win_choice"] = enemy.reward.choice
    row["win_vp"] = enemy.reward.vp
