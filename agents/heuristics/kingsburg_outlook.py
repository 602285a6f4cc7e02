"""From an observation of Kingsburg to a seat's stock and outlook: time left, plans, the battle to come."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.agents.heuristics.kingsburg_worth import (
    BATTLE_BONUS,
    GOLD_PRICE,
    IS_OPEN,
    MOST_SOLDIERS,
    PROFIT,
    STONE_PRICE,
    WOOD_PRICE,
    Outlook,
    Stock,
    add_gift,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.kingsburg.observation import (
    BATTLE,
    BATTLE_SCALE,
    BUILDINGS,
    CALENDAR,
    CARD,
    CARD_STRENGTH,
    CARD_TYPE,
    GOODS_SCALE,
    INFLUENCE,
    OTHER_SIZE,
    OTHERS,
    OWN,
    PHASE,
    SOLDIERS,
    YEAR,
)
from kingmaker.envs.kingsburg.rules.building import THIRD_COLUMN, next_of_row
from kingmaker.envs.kingsburg.state import (
    AUTUMN,
    CARDS_A_YEAR,
    COLUMNS,
    DIE_SIDES,
    GOLD,
    NUM_ADVISORS,
    NUM_BUILDINGS,
    RECRUITING,
    ROWS,
    SPRING,
    STONE,
    SUMMER,
    TOWN_HALL,
    WINTER,
    WOOD,
    YEARS,
)
from kingmaker.envs.kingsburg.tables import (
    CHEAP_BUILDINGS,
    EXTRA_SOLDIER,
    POINTS_FOR_GOODS,
    SELL_POINT,
    TIES_WIN,
    VICTORY_POINT,
)

SEASONS_A_YEAR = 3
NO_BUILDING = -1
CATHEDRAL_SHARE = 0.5  # points that it gives for a good
TIE_BREAK = 0.02  # what a good is worth for breaking a tie alone
SOLD_TOKEN = 0.9  # what a token is worth that the Town Hall can sell for a point
MOST_LOST = 2  # goods of one kind that a seat may be expected to have when it is defeated

# How often an effect acts once its building is built, in the order of ``EFFECTS``: once; in each later
# season; at the end of each season, this one included; at the end of each Summer; in each battle.
ONCE, LATER_SEASONS, SEASON_ENDS, SUMMERS, BATTLES = range(5)
EFFECT_TIMES = (
    ONCE, LATER_SEASONS, LATER_SEASONS, ONCE, SUMMERS, LATER_SEASONS, LATER_SEASONS, LATER_SEASONS, BATTLES,
    BATTLES, BATTLES, BATTLES, LATER_SEASONS, SEASON_ENDS, SEASON_ENDS,
)  # fmt: skip


class View(NamedTuple):
    """What an observation says of the time and of the seat itself."""

    year: int
    calendar: int  # AID to WINTER
    building: bool  # whether a construction step is under way or comes next in this season
    left: int  # construction steps to come, that one included
    buildings: int
    combat: int  # soldiers and what buildings add in every battle


# --- reading ------------------------------------------------------------------------------------------


@kernel
def count_at(observation, at, scale):
    """Return the count that a feature holds."""
    return np.int64(np.rint(observation[at] * scale))


@kernel
def buildings_at(observation, board):
    """Return the set of buildings of the seat whose board begins at ``board``."""
    found = np.int64(0)
    for number in range(NUM_BUILDINGS):
        if observation[board + BUILDINGS + number] > 0:
            found |= np.int64(1) << number
    return found


@kernel
def combat_at(observation, board):
    """Return soldiers and battle bonus of the seat whose board begins at ``board``."""
    soldiers = count_at(observation, board + SOLDIERS, BATTLE_SCALE)
    return soldiers + count_at(observation, board + BATTLE, BATTLE_SCALE)


@kernel
def num_others(observation):
    """Return how many other seats there are."""
    return (observation.shape[0] - OTHERS) // OTHER_SIZE


@kernel
def read_view(observation):
    """Return what an observation says of the time and of the seat itself."""
    year = count_at(observation, YEAR, YEARS)
    calendar = WINTER
    for phase in range(WINTER):
        if observation[CALENDAR + phase] > 0:
            calendar = phase + 1
    selling = observation[PHASE + TOWN_HALL] > 0
    done = (calendar > SPRING) + (calendar > SUMMER) + (calendar > AUTUMN) + selling
    productive = calendar == SPRING or calendar == SUMMER or calendar == AUTUMN
    return View(
        year,
        calendar,
        productive and not selling,
        SEASONS_A_YEAR * (YEARS - year + 1) - done,
        buildings_at(observation, OWN),
        combat_at(observation, OWN),
    )


# --- buildings ----------------------------------------------------------------------------------------


@kernel
def worth_of_building(weights, tables, building, left):
    """Return the worth of a building built with ``left`` construction steps to come, this one included.

    What it adds to this year's battle is left out, as ``Outlook.battles`` tells that.
    """
    if left <= 0:
        return 0.0
    figures = tables.buildings[building]
    battles = (left + SEASONS_A_YEAR - 1) // SEASONS_A_YEAR
    when = EFFECT_TIMES[figures.effect]
    times = 1
    if when == LATER_SEASONS:
        times = left - 1
    elif when == SEASON_ENDS:
        times = left
    elif when == SUMMERS:
        times = (left + 1) // SEASONS_A_YEAR
    elif when == BATTLES:
        times = battles
    bonus = weights.battle * figures.battle + weights.against * figures.against_bonus
    return figures.vp + weights.effects[figures.effect] * times + (battles - 1) * bonus


@kernel
def write_plans(weights, tables, view, extra, gold, wood, stone, plans):
    """Write ``Outlook.plans``, by the worth of goods; ``extra`` is added to the profit of any building."""
    crane = 1 if view.buildings & tables.owners[CHEAP_BUILDINGS] else 0
    for row in range(ROWS):
        first = next_of_row(view.buildings, row)
        plan = plans[row]
        plan[:] = 0.0
        profit = 0.0
        for column in range(COLUMNS - 1, first - 1, -1):
            building = COLUMNS * row + column
            cost = tables.buildings[building].cost
            gold_price = cost[GOLD] - (crane if column >= THIRD_COLUMN else 0)
            profit = weights.chain * max(profit, 0.0)
            profit += worth_of_building(weights, tables, building, view.left - (column - first))
            profit -= gold * gold_price + wood * cost[WOOD] + stone * cost[STONE]
            plan[GOLD_PRICE] = gold_price  # the last one written is that of the first building
            plan[WOOD_PRICE] = cost[WOOD]
            plan[STONE_PRICE] = cost[STONE]
            plan[BATTLE_BONUS] = tables.buildings[building].battle
        plan[PROFIT] = profit + extra
        plan[IS_OPEN] = first < COLUMNS and view.left > 0


@kernel
def count_members(members):
    """Return how many members a set of buildings has."""
    count = 0
    for number in range(NUM_BUILDINGS):
        count += members >> number & 1
    return count


@kernel
def reward_for_building(weights, view, observation):
    """Return what one more building adds to the King's reward, which comes after Spring."""
    if not (view.calendar == SPRING and view.building):
        return 0.0
    lead = count_members(view.buildings)
    most = 0
    for other in range(num_others(observation)):
        most = max(most, count_members(buildings_at(observation, OTHERS + OTHER_SIZE * other)))
    lead -= most
    if lead == 0:
        return weights.reward
    return 1.0 - weights.reward if lead == 1 or lead == -1 else 0.0


# --- the battle ---------------------------------------------------------------------------------------


@kernel
def next_ruin(buildings):
    """Return the building that a seat would lose (KB-51)."""
    for column in range(COLUMNS - 1, -1, -1):
        for row in range(ROWS):
            if buildings >> (COLUMNS * row + column) & 1:
                return COLUMNS * row + column
    return NO_BUILDING


@kernel
def loss_of_ruin(weights, tables, view):
    """Return what a seat would lose with a building."""
    ruin = next_ruin(view.buildings)
    if ruin == NO_BUILDING:
        return 0.0
    left = SEASONS_A_YEAR * (YEARS - view.year)
    return max(worth_of_building(weights, tables, ruin, left), 1.0 * tables.buildings[ruin].vp)


@kernel
def goods_of(goods, most):
    """Return how many goods a card names, at most ``most`` of a kind."""
    return min(goods[GOLD], most) + min(goods[WOOD], most) + min(goods[STONE], most)


@kernel
def bonus_against(tables, buildings, type_of_enemy):
    """Return what buildings add against one type of enemy (KB-46)."""
    bonus = 0
    for number in range(NUM_BUILDINGS):
        figures = tables.buildings[number]
        if buildings >> number & 1 and figures.against == type_of_enemy:
            bonus += figures.against_bonus
    return bonus


@kernel
def may_be(observation, enemy):
    """Return whether a card can be this year's, as far as the seat knows."""
    if observation[CARD] == 0:
        return True
    known = count_at(observation, CARD_STRENGTH, BATTLE_SCALE)
    return known == enemy.strength and observation[CARD_TYPE + enemy.type] > 0


@kernel
def chance_of(faces):
    """Return the chance that the King's die shows one of so many faces."""
    return min(max(faces, 0.0), 1.0 * DIE_SIDES) / DIE_SIDES


@kernel
def write_battles(weights, tables, observation, view, good, battles):
    """Write ``Outlook.battles``: the mean over the cards that may come and the faces of the King's die.

    ``good`` is what a good is worth.
    """
    battles[:] = 0.0
    if view.calendar == WINTER:
        return
    rival = combat_at(observation, OTHERS)
    for other in range(1, num_others(observation)):
        rival = max(rival, combat_at(observation, OTHERS + OTHER_SIZE * other))
    later = weights.reinforcements * ((view.calendar <= SPRING) + (view.calendar <= SUMMER))
    ties = 1.0 if view.buildings & tables.owners[TIES_WIN] else 0.0
    fortress = 1.0 if view.buildings & tables.owners[VICTORY_POINT] else 0.0
    ruin = loss_of_ruin(weights, tables, view)
    cards = 0
    for number in range(CARDS_A_YEAR * (view.year - 1), CARDS_A_YEAR * view.year):
        enemy = tables.enemies[number]
        if not may_be(observation, enemy):
            continue
        cards += 1
        gain = fortress + enemy.win_vp + good * (goods_of(enemy.win_goods, DIE_SIDES) + enemy.win_choice)
        goods = goods_of(enemy.lose_goods, MOST_LOST) + enemy.lose_choice
        loss = enemy.lose_vp + enemy.lose_building * ruin + good * weights.loss * goods
        margin = view.combat + later + bonus_against(tables, view.buildings, enemy.type) - enemy.strength
        for soldiers in range(MOST_SOLDIERS):
            first = weights.even + weights.ahead * (view.combat + soldiers - rival)
            win = chance_of(DIE_SIDES + margin + soldiers + ties)
            lose = chance_of(-margin - soldiers - 1.0)
            battles[soldiers] += win * (gain + min(max(first, 0.0), 1.0)) - lose * loss
    for soldiers in range(MOST_SOLDIERS):
        battles[soldiers] /= max(cards, 1)


# --- the outlook --------------------------------------------------------------------------------------


@kernel
def worth_of_good(weights, worth, after, end):
    """Return what a good is worth with ``after`` construction steps to come.

    ``worth`` is what it is worth with many to come, ``end`` with none.
    """
    return end + max(worth - end, 0.0) * after / (after + weights.half)


@large_kernel
def look_ahead(weights, tables, observation):
    """Return the seat's stock, what its advisors have yet to give included, and its outlook."""
    view = read_view(observation)
    after = view.left - 1 if view.building else view.left
    end = CATHEDRAL_SHARE if view.buildings & tables.owners[POINTS_FOR_GOODS] else TIE_BREAK
    if view.calendar < RECRUITING:
        end = max(end, weights.spare)
    gold = worth_of_good(weights, weights.gold, after, end)
    wood = worth_of_good(weights, weights.wood, after, end)
    stone = worth_of_good(weights, weights.stone, after, end)
    choice = worth_of_good(weights, weights.choice, after, end)
    token = weights.token if after > 0 else 0.0
    if view.left > 0 and view.buildings & tables.owners[SELL_POINT]:
        token = max(token, SOLD_TOKEN)
    plans = np.empty((ROWS, 6))
    battles = np.empty(MOST_SOLDIERS)
    extra = reward_for_building(weights, view, observation)
    write_plans(weights, tables, view, extra, gold, wood, stone, plans)
    write_battles(weights, tables, observation, view, choice, battles)
    outlook = Outlook(
        gold,
        wood,
        stone,
        choice,
        weights.crowd,
        token,
        weights.look if observation[CARD] == 0 else 0.0,
        1.0 if view.building else weights.later,
        1 if view.buildings & tables.owners[EXTRA_SOLDIER] else 0,
        plans,
        battles,
    )
    return stock_of(tables, observation, outlook.stables), outlook


@kernel
def stock_of(tables, observation, stables):
    """Return the seat's goods and what its advisors have yet to give."""
    stock = Stock(
        count_at(observation, OWN + GOLD, GOODS_SCALE),
        count_at(observation, OWN + WOOD, GOODS_SCALE),
        count_at(observation, OWN + STONE, GOODS_SCALE),
        0, 0, 0, 0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    for advisor in range(1, NUM_ADVISORS + 1):
        for _ in range(count_at(observation, OWN + INFLUENCE + advisor - 1, 1)):
            stock = add_gift(tables, stock, advisor, stables)
    return stock
