"""The action table of Kingsburg: stable ids and names.

Every question has actions of its own. Goods are chosen as multisets, in one decision each: ``MULTISETS``
lists those of one good, then of two, three and four. A placement is one decision: a non-empty set of the
three coloured slots, a set of the two white slots, the "+2" token or not, and the Market's step down, none or
up: 7 x 4 x 2 x 3 = 168 actions. The advisor follows from the sum (KB-6). Slots are sorted by face, and of
equal free dice of one colour only the lowest slots may be named, so that a choice exists once.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from kingmaker.envs.core.spec import Action
from kingmaker.envs.kingsburg.state import COLOURED_DICE, NUM_GOODS, WHITE_DICE
from kingmaker.envs.kingsburg.tables import BUILDING_NAMES, BUILDING_TITLES

GOODS_NAMES = ("gold", "wood", "stone")
MAX_TAKEN = 3  # goods chosen freely at once
MAX_LOST = 4

_kinds = [kinds for count in range(1, MAX_LOST + 1)
          for kinds in combinations_with_replacement(range(NUM_GOODS), count)]  # fmt: skip
# (34, 3): how many of each kind of good a multiset holds.
MULTISETS = np.array([[kinds.count(good) for good in range(NUM_GOODS)] for kinds in _kinds], np.int64)
# (34,): the set of kinds in each.
MULTISET_KINDS = np.array([sum(1 << good for good in set(kinds)) for kinds in _kinds], np.int64)
# The multisets of ``n`` goods are ``MULTISET_START[n] .. MULTISET_START[n + 1] - 1``.
MULTISET_START = np.array([0, 0, 3, 9, 19, 34], np.int64)
NUM_TAKEN = int(MULTISET_START[MAX_TAKEN + 1])  # 19
NUM_PAID = int(MULTISET_START[3])  # 9: a soldier costs one good or two
NUM_LOST = int(MULTISET_START[MAX_LOST + 1])  # 34

COLOURED_SETS = (1 << COLOURED_DICE) - 1  # 7: sets 1 to 7 of coloured slots, bit 0 the lowest face
WHITE_SETS = 1 << WHITE_DICE  # 4: sets 0 to 3 of white slots
MARKET_STEPS = 3  # down, none, up
CHANGES = 2 * MARKET_STEPS  # changes of the sum of one group: token or not, and the Market
NUM_PLACEMENTS = COLOURED_SETS * WHITE_SETS * CHANGES  # 168

# First ids. The placement of coloured set ``c``, white set ``w``, token ``t`` and Market step ``m`` in -1..1
# is ``PLACE_FIRST + ((c - 1) * 4 + w) * 6 + 3 * t + m + 1``.
REROLL_COLOURED, REROLL_WHITE, REROLL_ALL, KEEP_ROLL = range(4)
PLACE_FIRST = 4
PASS = PLACE_FIRST + NUM_PLACEMENTS
TAKE_FIRST = PASS + 1
DECLINE_OFFER = TAKE_FIRST + NUM_TAKEN
TRADE_FIRST = DECLINE_OFFER + 1
DECLINE_TRADE = TRADE_FIRST + NUM_GOODS
BUILD_FIRST = DECLINE_TRADE + 1
BUILD_NOTHING = BUILD_FIRST + len(BUILDING_NAMES)
PAY_FIRST = BUILD_NOTHING + 1  # Town Hall: gold, wood, stone, then the token
PAY_TOKEN = PAY_FIRST + NUM_GOODS
PAY_NOTHING = PAY_TOKEN + 1
RECRUIT_FIRST = PAY_NOTHING + 1
STOP_RECRUITING = RECRUIT_FIRST + NUM_PAID
LOSE_FIRST = STOP_RECRUITING + 1
NUM_ACTIONS = LOSE_FIRST + NUM_LOST  # 267

_COLOURED = ("lowest", "middle", "highest")
_WHITE = ("lower", "higher")


def _goods(kinds: tuple[int, ...]) -> str:
    counts = [(kinds.count(good), name) for good, name in enumerate(GOODS_NAMES)]
    return " and ".join(f"{count} {name}" for count, name in counts if count)


def _multisets(verb: str, meaning: str, phase: str, count: int) -> tuple[Action, ...]:
    """Return the actions of the first ``count`` multisets."""
    return tuple(
        Action("-".join((verb, *(GOODS_NAMES[kind] for kind in kinds))), meaning.format(_goods(kinds)), phase)
        for kinds in _kinds[:count]
    )


def _placement(number: int) -> Action:
    rest, change = divmod(number, CHANGES)
    coloured, white = 1 + rest // WHITE_SETS, rest % WHITE_SETS
    token, market = divmod(change, MARKET_STEPS)
    slots = [name for slot, name in enumerate(_COLOURED) if coloured >> slot & 1]
    name = "place-" + "".join(name[0] for name in slots)
    words = f"the {' and '.join(slots)} coloured die" if len(slots) < COLOURED_DICE else "all coloured dice"
    if white:
        name += "-w" + "".join(str(slot + 1) for slot in range(WHITE_DICE) if white >> slot & 1)
        chosen = [name for slot, name in enumerate(_WHITE) if white >> slot & 1]
        words += " and " + ("both white dice" if white == WHITE_SETS - 1 else f"the {chosen[0]} white die")
    if token:
        name += "-token"
        words += ', plus 2 by a "+2" token'
    if market != 1:
        name += "-down" if market == 0 else "-up"
        words += f", one {'less' if market == 0 else 'more'} by the Market"
    return Action(name, f"place {words}", "place")


ACTIONS = (
    Action("reroll-coloured", "reroll one coloured die by the Statue", "reroll"),
    Action("reroll-white", "reroll one white die by the Statue", "reroll"),
    Action("reroll-all", "reroll all dice by the Chapel", "reroll"),
    Action("keep-roll", "reroll nothing", "reroll"),
    *(_placement(number) for number in range(NUM_PLACEMENTS)),
    Action("pass", "place no more dice this season", "place"),
    *_multisets("take", "take {}", "gain", NUM_TAKEN),
    Action("decline-offer", "pay nothing and take nothing", "gain"),
    *(Action(f"trade-{name}", f"give 1 {name} for 1 of each other kind", "trade") for name in GOODS_NAMES),
    Action("decline-trade", "trade nothing", "trade"),
    *(
        Action(f"build-{name}", f"build {title}", "build")
        for name, title in zip(BUILDING_NAMES, BUILDING_TITLES, strict=True)
    ),
    Action("build-nothing", "build nothing (more) this season", "build"),
    *(Action(f"pay-{name}", f"pay 1 {name} for 1 victory point", "town-hall") for name in GOODS_NAMES),
    Action("pay-token", 'pay a "+2" token for 1 victory point', "town-hall"),
    Action("pay-nothing", "pay nothing at the Town Hall", "town-hall"),
    *_multisets("recruit", "pay {} for a soldier", "recruit", NUM_PAID),
    Action("stop-recruiting", "recruit no more soldiers this year", "recruit"),
    *_multisets("lose", "lose {}", "lose", NUM_LOST),
)
