"""Rules of thumb for Kingsburg: every choice by what it is worth (``kingsburg_worth``), at any seat count.

The agent weighs goods by what they can still build, plans all its dice before it places the first, hires
soldiers by the strengths that the enemy may have (or has, once it has looked), and gives up what it misses
least.
"""

from __future__ import annotations

from kingmaker.agents.heuristics.kingsburg_outlook import count_at, look_ahead, read_view
from kingmaker.agents.heuristics.kingsburg_placing import choose_placement, worth_of_envoy
from kingmaker.agents.heuristics.kingsburg_worth import (
    MOST_SOLDIERS,
    WEIGHTS,
    add_goods,
    worth_of,
    worth_of_plan,
    worth_unbuilt,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.kingsburg.actions import (
    BUILD_FIRST,
    BUILD_NOTHING,
    DECLINE_OFFER,
    DECLINE_TRADE,
    KEEP_ROLL,
    LOSE_FIRST,
    MULTISETS,
    NUM_LOST,
    NUM_PAID,
    NUM_TAKEN,
    PAY_FIRST,
    PAY_NOTHING,
    PAY_TOKEN,
    RECRUIT_FIRST,
    REROLL_ALL,
    REROLL_COLOURED,
    STOP_RECRUITING,
    TAKE_FIRST,
    TRADE_FIRST,
)
from kingmaker.envs.kingsburg.observation import BUILT, DICE, FEW_SCALE, PHASE, PRICE
from kingmaker.envs.kingsburg.state import (
    BUILD,
    COLUMNS,
    DIE_SIDES,
    GAIN,
    GOLD,
    LOSE,
    NUM_GOODS,
    PLACE,
    RECRUIT,
    ROWS,
    STONE,
    TOWN_HALL,
    TRADE,
    WOOD,
)

NOTHING = -1e9  # less than anything is worth


@large_kernel
def best_goods(outlook, stock, mask, first, count, sign):
    """Return the best of the legal actions that move a multiset of goods, and what the stock is worth then.

    The actions of the first ``count`` multisets begin at ``first``; ``sign`` is 1 to take goods, -1 to give
    them.
    """
    best, choice = NOTHING, first
    for number in range(count):
        if mask[first + number]:
            goods = MULTISETS[number]
            then = add_goods(stock, sign * goods[GOLD], sign * goods[WOOD], sign * goods[STONE])
            worth = worth_of(outlook, then)
            if worth > best:
                best, choice = worth, first + number
    return choice, best


@kernel
def choose_gain(weights, tables, observation, mask):
    """Take the goods that go best with the others, unless their price is higher."""
    stock, outlook = look_ahead(weights, tables, observation)
    choice, worth = best_goods(outlook, stock, mask, TAKE_FIRST, NUM_TAKEN, 1)
    if mask[DECLINE_OFFER] and worth - count_at(observation, PRICE, FEW_SCALE) < worth_of(outlook, stock):
        return DECLINE_OFFER
    return choice


@kernel
def choose_loss(weights, tables, observation, mask):
    """Lose what is missed least."""
    stock, outlook = look_ahead(weights, tables, observation)
    return best_goods(outlook, stock, mask, LOSE_FIRST, NUM_LOST, -1)[0]


@kernel
def choose_trade(weights, tables, observation, mask):
    """Trade if the stock is worth more then."""
    stock, outlook = look_ahead(weights, tables, observation)
    best, choice = worth_of(outlook, stock), DECLINE_TRADE
    for given in range(NUM_GOODS):
        if mask[TRADE_FIRST + given]:
            then = add_goods(
                stock, 1 - 2 * (given == GOLD), 1 - 2 * (given == WOOD), 1 - 2 * (given == STONE)
            )
            worth = worth_of(outlook, then)
            if worth > best:
                best, choice = worth, TRADE_FIRST + given
    return choice


@kernel
def choose_sale(weights, tables, observation, mask):
    """Sell what is worth less than a point."""
    stock, outlook = look_ahead(weights, tables, observation)
    now = worth_of(outlook, stock)
    best, choice = now, PAY_NOTHING
    for paid in range(NUM_GOODS):
        if mask[PAY_FIRST + paid]:
            then = add_goods(stock, -1 * (paid == GOLD), -1 * (paid == WOOD), -1 * (paid == STONE))
            worth = 1.0 + worth_of(outlook, then)
            if worth > best:
                best, choice = worth, PAY_FIRST + paid
    token = weights.token if read_view(observation).left > 0 else 0.0
    if mask[PAY_TOKEN] and 1.0 + now - token > best:
        return PAY_TOKEN
    return choice


@kernel
def choose_building(weights, tables, observation, mask):
    """Build what brings most; a second building has to be worth the Envoy."""
    stock, outlook = look_ahead(weights, tables, observation)
    best, choice = worth_unbuilt(outlook, stock), BUILD_NOTHING
    if observation[BUILT] > 0:
        best += worth_of_envoy(weights, read_view(observation))
    for row in range(ROWS):
        for building in range(COLUMNS * row, COLUMNS * (row + 1)):
            if mask[BUILD_FIRST + building]:
                worth = worth_of_plan(outlook, stock, row)
                if worth > best:
                    best, choice = worth, BUILD_FIRST + building
    return choice


@kernel
def choose_recruit(weights, tables, observation, mask):
    """Hire a soldier if it, or so many more that they turn the battle, bring more than their price."""
    stock, outlook = look_ahead(weights, tables, observation)
    choice, worth = best_goods(outlook, stock, mask, RECRUIT_FIRST, NUM_PAID, -1)
    price = worth_of(outlook, stock) - worth
    held = stock.gold + stock.wood + stock.stone
    paid = MULTISETS[choice - RECRUIT_FIRST].sum()
    mean = (outlook.gold * stock.gold + outlook.wood * stock.wood + outlook.stone * stock.stone) / held
    for soldiers in range(1, min(held // paid, MOST_SOLDIERS - 1) + 1):
        gain = outlook.battles[soldiers] - outlook.battles[0]
        if gain > price + (soldiers - 1) * paid * mean:
            return choice
    return STOP_RECRUITING


@kernel
def choose_reroll(weights, observation, mask):
    """Reroll all dice that total little, and one of equal ones that are low."""
    if mask[REROLL_ALL]:
        return REROLL_ALL
    if mask[REROLL_COLOURED]:
        for face in range(1, DIE_SIDES + 1):
            if observation[DICE + face - 1] > 0 and face <= weights.low_face:
                return REROLL_COLOURED
    return KEEP_ROLL


@kernel
def choose(weights, tables, observation, mask):
    """Return the action of an agent with the given beliefs."""
    if observation[PHASE + PLACE] > 0:
        return choose_placement(weights, tables, observation, mask)
    if observation[PHASE + GAIN] > 0:
        return choose_gain(weights, tables, observation, mask)
    if observation[PHASE + TRADE] > 0:
        return choose_trade(weights, tables, observation, mask)
    if observation[PHASE + BUILD] > 0:
        return choose_building(weights, tables, observation, mask)
    if observation[PHASE + TOWN_HALL] > 0:
        return choose_sale(weights, tables, observation, mask)
    if observation[PHASE + RECRUIT] > 0:
        return choose_recruit(weights, tables, observation, mask)
    if observation[PHASE + LOSE] > 0:
        return choose_loss(weights, tables, observation, mask)
    return choose_reroll(weights, observation, mask)


@kernel
def decide(tables, observation, mask, stream):
    """Return an action; worths hardly ever tie, so ``stream`` is not used."""
    return choose(WEIGHTS, tables, observation, mask)
