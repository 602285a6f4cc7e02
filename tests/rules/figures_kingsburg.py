"""The printed figures of Kingsburg, typed from the rulebook and not from the game's own data file.

The rule tests and ``reference_kingsburg`` rest on these, and on nothing of ``kingmaker.envs.kingsburg``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

GOODS = ("gold", "wood", "stone")
ANY = frozenset(GOODS)


class Goods(NamedTuple):
    """So many cubes of each kind."""

    gold: int = 0
    wood: int = 0
    stone: int = 0


NO_GOODS = Goods()


@dataclass(frozen=True)
class Advisor:
    """An advisor's gift: ``given`` as it is, and ``choice`` goods of the ``kinds`` for ``price`` points."""

    name: str
    given: Goods = NO_GOODS
    choice: int = 0
    kinds: frozenset[str] = ANY
    price: int = 0
    trades: bool = False
    tokens: int = 0
    soldiers: int = 0
    vp: int = 0
    peek: bool = False


@dataclass(frozen=True)
class Building:
    """A building: price, points, and bonus in every battle or against one type of enemy."""

    name: str
    cost: Goods
    vp: int
    battle: int = 0
    against: str | None = None


@dataclass(frozen=True)
class Enemy:
    """An enemy card; ``loses`` and ``wins`` are named goods, ``choice_lost`` and ``choice_won`` any goods."""

    strength: int
    kind: str
    loses: Goods = NO_GOODS
    choice_lost: int = 0
    building_lost: bool = False
    vp_lost: int = 0
    wins: Goods = NO_GOODS
    choice_won: int = 0
    vp_won: int = 0


ADVISORS = (
    Advisor("jester", vp=1),
    Advisor("squire", Goods(gold=1)),
    Advisor("architect", Goods(wood=1)),
    Advisor("merchant", choice=1, kinds=frozenset({"wood", "gold"})),
    Advisor("sergeant", soldiers=1),
    Advisor("alchemist", trades=True),
    Advisor("astronomer", choice=1, tokens=1),
    Advisor("treasurer", Goods(gold=2)),
    Advisor("master-hunter", Goods(wood=1), choice=1, kinds=frozenset({"gold", "stone"})),
    Advisor("general", soldiers=2, peek=True),
    Advisor("swordsmith", Goods(stone=1), choice=1, kinds=frozenset({"wood", "gold"})),
    Advisor("duchess", choice=2, tokens=1),
    Advisor("champion", Goods(stone=3)),
    Advisor("smuggler", choice=3, price=1),
    Advisor("inventor", Goods(1, 1, 1)),
    Advisor("wizard", Goods(gold=4)),
    Advisor("queen", choice=2, vp=3, peek=True),
    Advisor("king", Goods(1, 1, 1), soldiers=1),
)
ADVISOR = dict(enumerate(ADVISORS, 1))

# Row by row, each from column I to IV.
BUILDINGS = (
    Building("statue", Goods(2, 0, 0), 3),
    Building("chapel", Goods(3, 0, 1), 5),
    Building("church", Goods(3, 1, 2), 7, against="demons"),
    Building("cathedral", Goods(5, 0, 3), 9),
    Building("inn", Goods(1, 1, 0), 0),
    Building("market", Goods(2, 2, 0), 1),
    Building("farms", Goods(2, 3, 1), 2, battle=-1),
    Building("merchants-guild", Goods(3, 1, 2), 4),
    Building("guard-tower", Goods(1, 0, 1), 1, battle=1),
    Building("blacksmith", Goods(1, 2, 0), 2, battle=1),
    Building("barracks", Goods(2, 2, 1), 4),
    Building("wizards-guild", Goods(3, 2, 2), 6, battle=2),
    Building("palisade", Goods(0, 2, 0), 0, battle=1, against="zombies"),
    Building("stables", Goods(1, 1, 1), 2),
    Building("stone-wall", Goods(2, 0, 2), 2, battle=1),
    Building("fortress", Goods(3, 0, 2), 4, battle=1),
    Building("barricade", Goods(0, 1, 0), 0, against="goblins"),
    Building("crane", Goods(0, 1, 1), 1),
    Building("town-hall", Goods(2, 1, 1), 2),
    Building("embassy", Goods(2, 2, 2), 4),
)
BUILDING = {building.name: building for building in BUILDINGS}
ROWS = tuple(tuple(building.name for building in BUILDINGS[start : start + 4]) for start in range(0, 20, 4))
COLUMN = {name: column for row in ROWS for column, name in enumerate(row)}

# Sources differ on the loss and the reward of IV-c; no test may rest on them.
DISPUTED = "IV-c"
ENEMIES = {
    "I-a": Enemy(2, "barbarians", choice_lost=1, building_lost=True, wins=Goods(gold=1)),
    "I-b": Enemy(2, "goblins", Goods(0, 1, 1), building_lost=True, vp_lost=1, wins=Goods(wood=1)),
    "I-c": Enemy(3, "goblins", Goods(gold=1), building_lost=True, wins=Goods(stone=1)),
    "I-d": Enemy(3, "orcs", choice_lost=2, vp_lost=1, wins=Goods(gold=1)),
    "I-e": Enemy(4, "zombies", vp_lost=2, vp_won=1),
    "II-a": Enemy(3, "goblins", Goods(0, 2, 2), building_lost=True, vp_lost=1, wins=Goods(wood=1)),
    "II-b": Enemy(4, "goblins", Goods(gold=2), building_lost=True, wins=Goods(stone=1)),
    "II-c": Enemy(4, "orcs", choice_lost=2, building_lost=True, wins=Goods(gold=1)),
    "II-d": Enemy(5, "barbarians", choice_lost=2, vp_lost=1, wins=Goods(gold=1)),
    "II-e": Enemy(5, "zombies", vp_lost=2, vp_won=1),
    "III-a": Enemy(4, "goblins", Goods(0, 3, 3), building_lost=True, vp_lost=1, wins=Goods(wood=1)),
    "III-b": Enemy(5, "goblins", Goods(gold=3), building_lost=True, wins=Goods(stone=1)),
    "III-c": Enemy(5, "orcs", choice_lost=2, building_lost=True, wins=Goods(gold=1)),
    "III-d": Enemy(6, "demons", Goods(2, 1, 1), vp_lost=1, vp_won=1),
    "III-e": Enemy(6, "zombies", vp_lost=2, vp_won=1),
    "IV-a": Enemy(5, "goblins", Goods(0, 4, 4), building_lost=True, vp_lost=1, wins=Goods(wood=1)),
    "IV-b": Enemy(6, "goblins", Goods(gold=4), building_lost=True, wins=Goods(stone=1)),
    "IV-c": Enemy(6, "demons"),
    "IV-d": Enemy(7, "orcs", choice_lost=2, building_lost=True, choice_won=1),
    "IV-e": Enemy(7, "zombies", vp_lost=2, vp_won=1),
    "V-a": Enemy(7, "barbarians", vp_lost=8, vp_won=1),
    "V-b": Enemy(8, "barbarians", building_lost=True, vp_won=1),
    "V-c": Enemy(8, "demons", building_lost=True, vp_lost=2, vp_won=2),
    "V-d": Enemy(9, "demons", building_lost=True, vp_won=2),
    "V-e": Enemy(9, "dragons", vp_lost=5, vp_won=3),
}
CARDS = tuple(ENEMIES)  # five a year, in the order of years


def year_of(card: str) -> int:
    """Return the year of an enemy card, 1 to 5."""
    return CARDS.index(card) // 5 + 1


def cards_of(year: int) -> tuple[str, ...]:
    """Return the five cards of a year."""
    return CARDS[5 * (year - 1) : 5 * year]


# The strengths that the backs of the cards show, by year.
STRENGTHS = {
    1: (2, 2, 3, 3, 4),
    2: (3, 4, 4, 5, 5),
    3: (4, 5, 5, 6, 6),
    4: (5, 6, 6, 7, 7),
    5: (7, 8, 8, 9, 9),
}


def points(buildings: frozenset[str]) -> int:
    """Return the printed points of buildings."""
    return sum(BUILDING[name].vp for name in buildings)


def combat_bonus(buildings: frozenset[str], kind: str) -> int:
    """Return what buildings add to a combat value against a type of enemy."""
    return sum(BUILDING[name].battle + (BUILDING[name].against == kind) for name in buildings)
