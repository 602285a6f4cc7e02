"""What things are worth in Kingsburg, in victory points.

Decisions compare stocks (``Stock``: what a seat has, and what its advisors have yet to give) by ``worth_of``:
the best building that a stock pays for, and what is left over. All beliefs stand in ``Weights``, tuned by
self-play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.kingsburg.state import ANY_KIND, GOLD, ROWS, STONE, WOOD


class Weights(NamedTuple):
    """What the agent believes; victory points unless said otherwise."""

    # Goods, while there is much left to build. With ``half`` construction steps to come they are worth half.
    gold: float = 0.95
    wood: float = 0.85
    stone: float = 1.05
    choice: float = 1.10  # a good of one's choice
    half: float = 1.0
    spare: float = 0.3  # a good after the last building, when it can still hire soldiers
    crowd: float = (
        0.05  # taken off for goods of a kind beyond three: for one more once, for two four times ...
    )
    # Other things.
    token: float = 0.45
    look: float = 0.3  # at an enemy card not yet known
    envoy: float = 1.5
    last_envoy: float = 0.3  # in the last season
    # Buildings: their printed points, what their effects are worth each time they act (in the order of
    # ``EFFECTS``, the Cathedral once), and a point of combat value for each battle after this year's.
    effects: tuple[float, ...] = (
        0.0, 0.05, 0.1, 1.5, 0.9, 0.5, 1.0, 0.9, 0.5, 0.3, 0.25, 0.7, 0.45, 0.35, 1.0,
    )  # fmt: skip
    battle: float = 0.6
    against: float = 0.1  # the same against one type of enemy
    chain: float = 0.3  # share of the profit of the building that comes after it in the row
    later: float = 0.6  # share of a profit that counts outside productive seasons
    reward: float = 0.7  # chance of the King's reward with as many buildings as the leader or one more
    # This year's battle.
    reinforcements: float = 0.6  # soldiers yet to come in each later season of the year
    loss: float = 0.6  # share of the worth of goods that a defeat takes
    even: float = 0.5  # chance of being the strongest victor at equal combat values
    ahead: float = 0.15  # added to it for each point of combat value
    # Placing dice.
    open: float = 0.85  # chance that an advisor is not taken by a seat that can reach it
    wanted: float = 0.5  # the same for the advisor with the largest gift in its reach, besides
    deny: float = 0.1  # share of a gift that counts when others can reach it
    # Rerolling.
    low_face: float = 2.0  # highest face that the Statue rolls again


WEIGHTS = Weights()

# Columns of ``Outlook.plans``.
GOLD_PRICE, WOOD_PRICE, STONE_PRICE, PROFIT, BATTLE_BONUS, IS_OPEN = range(6)
MOST_SOLDIERS = 16  # ``Outlook.battles`` ends before this
CROWD_FROM = 3  # goods of a kind


class Stock(NamedTuple):
    """What a seat has, and what it will get from the advisors that it has influenced."""

    gold: int
    wood: int
    stone: int
    choice: int  # goods of any kind
    gold_wood: int  # goods of one of two kinds
    gold_stone: int
    wood_stone: int
    trades: int  # of one good for one of each other kind
    tokens: int  # the last four: more than now
    soldiers: int
    points: int
    looks: int


class Outlook(NamedTuple):
    """What does not change while alternatives are compared.

    Attributes:
        plans: float64 ``(ROWS, 6)``: for the next building of each row its price in gold, wood and stone, its
            profit, its battle bonus, and whether there is one.
        battles: float64 ``(MOST_SOLDIERS,)``: worth of this year's battle with so many more soldiers.
    """

    gold: float
    wood: float
    stone: float
    choice: float
    crowd: float
    token: float
    look: float
    profit: float  # share of a profit that counts
    stables: int  # soldiers that each gift of soldiers has more
    plans: np.ndarray
    battles: np.ndarray


@kernel
def add_goods(stock, gold, wood, stone):
    """Return a stock with goods more."""
    return Stock(
        stock.gold + gold,
        stock.wood + wood,
        stock.stone + stone,
        stock.choice,
        stock.gold_wood,
        stock.gold_stone,
        stock.wood_stone,
        stock.trades,
        stock.tokens,
        stock.soldiers,
        stock.points,
        stock.looks,
    )


@kernel
def add_gift(tables, stock, advisor, stables):
    """Return a stock with an advisor's gift more."""
    gift = tables.advisors[advisor - 1]
    kinds = gift.kinds
    choice = np.int64(gift.choice)
    return Stock(
        stock.gold + gift.goods[GOLD] + (choice if kinds == 1 << GOLD else 0),
        stock.wood + gift.goods[WOOD] + (choice if kinds == 1 << WOOD else 0),
        stock.stone + gift.goods[STONE] + (choice if kinds == 1 << STONE else 0),
        stock.choice + (choice if kinds == ANY_KIND else 0),
        stock.gold_wood + (choice if kinds == ANY_KIND ^ 1 << STONE else 0),
        stock.gold_stone + (choice if kinds == ANY_KIND ^ 1 << WOOD else 0),
        stock.wood_stone + (choice if kinds == ANY_KIND ^ 1 << GOLD else 0),
        stock.trades + gift.trade,
        stock.tokens + gift.tokens,
        stock.soldiers + gift.soldiers + (stables if gift.soldiers > 0 else 0),
        stock.points + gift.vp - gift.price,
        stock.looks + gift.peek,
    )


@kernel
def choices_needed(stock, gold, wood, stone):
    """Return how many goods of any kind a stock needs to pay a price.

    Goods of one of two kinds help where they can; for each set of kinds what is missing of it must be made up
    for by goods that may be of these kinds (Hall's theorem).
    """
    gold = max(gold - stock.gold, 0)
    wood = max(wood - stock.wood, 0)
    stone = max(stone - stock.stone, 0)
    pairs = stock.gold_wood + stock.gold_stone + stock.wood_stone
    need = max(
        gold - stock.gold_wood - stock.gold_stone,
        wood - stock.gold_wood - stock.wood_stone,
        stone - stock.gold_stone - stock.wood_stone,
    )
    return max(need, max(gold + wood, gold + stone, wood + stone) - pairs, gold + wood + stone - pairs, 0)


@kernel
def crowding(outlook, gold, wood, stone):
    """Return what is taken off for many goods of one kind."""
    gold = max(gold - CROWD_FROM, 0)
    wood = max(wood - CROWD_FROM, 0)
    stone = max(stone - CROWD_FROM, 0)
    return outlook.crowd * (gold * gold + wood * wood + stone * stone)


@kernel
def battle_with(outlook, soldiers):
    """Return the worth of this year's battle with so many more soldiers."""
    return outlook.battles[min(max(np.int64(soldiers), 0), MOST_SOLDIERS - 1)]


@kernel
def worth_unbuilt(outlook, stock):
    """Return what it adds to a stock to build nothing: the battle, less what is too much of a kind."""
    return battle_with(outlook, stock.soldiers) - crowding(outlook, stock.gold, stock.wood, stock.stone)


@kernel
def worth_of_plan(outlook, stock, row):
    """Return what the next building of a row adds to a stock that pays for it, the battle included."""
    plans = outlook.plans
    worth = outlook.profit * plans[row, PROFIT] + battle_with(
        outlook, stock.soldiers + plans[row, BATTLE_BONUS]
    )
    return worth - crowding(
        outlook,
        stock.gold - plans[row, GOLD_PRICE],
        stock.wood - plans[row, WOOD_PRICE],
        stock.stone - plans[row, STONE_PRICE],
    )


@kernel
def worth_untraded(outlook, stock):
    """Return the worth of a stock without its trades."""
    worth = outlook.gold * stock.gold + outlook.wood * stock.wood + outlook.stone * stock.stone
    worth += outlook.choice * stock.choice
    worth += max(outlook.gold, outlook.wood) * stock.gold_wood
    worth += max(outlook.gold, outlook.stone) * stock.gold_stone
    worth += max(outlook.wood, outlook.stone) * stock.wood_stone
    worth += outlook.token * stock.tokens + stock.points
    if stock.looks > 0:
        worth += outlook.look
    best = worth_unbuilt(outlook, stock)
    plans = outlook.plans
    for row in range(ROWS):
        built = worth_of_plan(outlook, stock, row)
        if built > best and plans[row, IS_OPEN] > 0:
            gold, wood, stone = plans[row, GOLD_PRICE], plans[row, WOOD_PRICE], plans[row, STONE_PRICE]
            if choices_needed(stock, gold, wood, stone) <= stock.choice:
                best = built
    return worth + best


@large_kernel
def worth_of(outlook, stock):
    """Return the worth of a stock, the best of its trades made."""
    worth = worth_untraded(outlook, stock)
    if stock.trades > 0:
        if stock.gold > 0:
            worth = max(worth, worth_untraded(outlook, add_goods(stock, -1, 1, 1)))
        if stock.wood > 0:
            worth = max(worth, worth_untraded(outlook, add_goods(stock, 1, -1, 1)))
        if stock.stone > 0:
            worth = max(worth, worth_untraded(outlook, add_goods(stock, 1, 1, -1)))
    return worth
