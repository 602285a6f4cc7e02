"""Placing dice in Kingsburg: the best group now, with what the dice left over may still bring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.agents.heuristics.kingsburg_outlook import count_at, look_ahead, num_others, read_view
from kingmaker.agents.heuristics.kingsburg_worth import add_gift, worth_of
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.kingsburg.actions import (
    CHANGES,
    COLOURED_SETS,
    MARKET_STEPS,
    NUM_PLACEMENTS,
    PASS,
    PLACE_FIRST,
    WHITE_SETS,
)
from kingmaker.envs.kingsburg.observation import (
    FEW_SCALE,
    INFLUENCE,
    MARKET_USED,
    OTHER_DICE,
    OTHER_SIZE,
    OTHER_WHITE,
    OTHERS,
    OWN,
    PASSED,
    SUM_SCALE,
    SUMS,
    TOKEN_USED,
    TOKENS,
)
from kingmaker.envs.kingsburg.state import (
    AUTUMN,
    COLOURED_DICE,
    DIE_SIDES,
    GOLD,
    NUM_ADVISORS,
    NUM_DICE,
    STONE,
    TOKEN_BONUS,
    WOOD,
    YEARS,
)
from kingmaker.envs.kingsburg.tables import SHIFT

# Sets of the changes of a sum, in the order of the placements: token or not, and the Market's three steps.
WITHOUT_TOKEN = (1 << MARKET_STEPS) - 1
WITHOUT_MARKET = 1 << 1 | 1 << MARKET_STEPS + 1
# Sets of up to three advisors fall into different slots more often than not; a prime spreads them.
MEMO_SIZE = 251


class Court(NamedTuple):
    """The advisors as the acting seat finds them; sets have bit ``n`` for advisor ``n``."""

    closed: int
    contested: int  # open ones that another seat can reach
    chances: np.ndarray  # float64 (19,): that an advisor is still open at the seat's next turn
    dice: int  # set of the seat's free dice, bits by slot
    sums: np.ndarray  # int64 (32,): by set of dice, the sum of free dice that make a group, else 0


class Memo(NamedTuple):
    """Worths that have been computed, by sets of advisors; a new one replaces the one in its slot."""

    advisors: np.ndarray  # int64 (MEMO_SIZE,): the set, -1 for none
    worth: np.ndarray  # float64 (MEMO_SIZE,)


@kernel
def influence_at(observation, at):
    """Return the set of advisors whose features, from ``at`` on, are not 0."""
    found = np.int64(0)
    for advisor in range(1, NUM_ADVISORS + 1):
        if observation[at + advisor - 1] > 0:
            found |= np.int64(1) << advisor
    return found


@kernel
def sums_of(observation, board):
    """Return the set of sums that another seat can make, tokens included; two white dice count as alike."""
    sums = np.int64(0)
    if observation[board + PASSED] > 0:
        return sums
    for face in range(1, DIE_SIDES + 1):
        for _ in range(count_at(observation, board + OTHER_DICE + face - 1, FEW_SCALE)):
            sums |= sums << face | np.int64(1) << face
    white = count_at(observation, board + OTHER_WHITE, FEW_SCALE)
    total = count_at(observation, board + OTHER_WHITE + 1, SUM_SCALE)
    for _ in range(white):
        sums |= sums << (total // white)
    if observation[board + TOKENS] > 0 and observation[board + TOKEN_USED] == 0:
        sums |= sums << TOKEN_BONUS
    return sums


@kernel
def size_of_gift(weights, tables, advisor):
    """Return what an advisor's gift is worth to anybody."""
    gift = tables.advisors[advisor - 1]
    goods = gift.goods[GOLD] + gift.goods[WOOD] + gift.goods[STONE] + gift.choice + gift.trade
    extras = weights.token * gift.tokens + weights.battle * gift.soldiers + weights.look * gift.peek
    return goods + gift.vp - gift.price + extras


@kernel
def dice_of(number):
    """Return the dice of a set in the order of the placements, as bits by slot."""
    return number // WHITE_SETS + 1 | number % WHITE_SETS << COLOURED_DICE


@kernel
def read_court(weights, tables, observation):
    """Return the advisors as the acting seat finds them."""
    others = num_others(observation)
    closed = influence_at(observation, OWN + INFLUENCE)
    for other in range(others):
        closed |= influence_at(observation, OTHERS + OTHER_SIZE * other + INFLUENCE)
    if others == 1:
        closed |= influence_at(observation, OTHERS + OTHER_SIZE)  # neutral dice
    chances = np.ones(NUM_ADVISORS + 1)
    contested = np.int64(0)
    for other in range(others):
        reach = sums_of(observation, OTHERS + OTHER_SIZE * other) & ~closed
        contested |= reach
        wanted, most = 0, 0.0
        for advisor in range(1, NUM_ADVISORS + 1):
            if reach >> advisor & 1:
                chances[advisor] *= weights.open
                size = size_of_gift(weights, tables, advisor)
                if size > most:
                    wanted, most = advisor, size
        chances[wanted] *= weights.wanted
    dice = np.int64(0)
    sums = np.zeros(1 << NUM_DICE, np.int64)
    for number in range(COLOURED_SETS * WHITE_SETS):
        group = dice_of(number)
        sums[group] = count_at(observation, SUMS + number, SUM_SCALE)
        if sums[group] > 0:
            dice |= group
    return Court(closed, contested, chances, dice, sums)


@kernel
def worth_of_envoy(weights, view):
    """Return what it is worth to keep the King's Envoy."""
    return weights.last_envoy if view.year == YEARS and view.calendar == AUTUMN else weights.envoy


@kernel
def worth_with(outlook, memo, stock, advisors):
    """Return the worth of a stock that has the gifts of a set of advisors, computed once for each set."""
    slot = advisors % MEMO_SIZE
    if memo.advisors[slot] != advisors:
        memo.advisors[slot] = advisors
        memo.worth[slot] = worth_of(outlook, stock)
    return memo.worth[slot]


@kernel
def change_of(change):
    """Return what a change adds to a sum."""
    return TOKEN_BONUS * (change // MARKET_STEPS) + change % MARKET_STEPS - 1


@kernel
def is_open(court, taken, advisor):
    """Return whether a sum reaches an open advisor."""
    return 0 < advisor <= NUM_ADVISORS and (court.closed | taken) >> advisor & 1 == 0


@kernel
def changes_after(changes, change):
    """Return which changes are left of a set of changes when one is made: one token and one step a season."""
    if change >= MARKET_STEPS:
        changes &= WITHOUT_TOKEN
    if change % MARKET_STEPS != 1:
        changes &= WITHOUT_MARKET
    return changes


@kernel
def last_group(tables, outlook, court, memo, stock, worth, taken, dice):
    """Return what one group of the dice left over may bring, two turns from now; see ``further_groups``.

    It goes without changes of the sum: to look at those too takes much longer and did not win more games.
    """
    best = 0.0
    group = dice
    while group > 0:
        advisor = court.sums[group]
        if is_open(court, taken, advisor):
            more = add_gift(tables, stock, advisor, outlook.stables)
            gain = worth_with(outlook, memo, more, taken | 1 << advisor) - worth
            best = max(best, gain * court.chances[advisor] * court.chances[advisor])
        group = group - 1 & dice
    return best


@kernel
def further_groups(tables, outlook, court, memo, stock, worth, taken, dice, changes):
    """Return what the dice left over may bring at the seat's next turns.

    ``taken`` are the advisors of the groups before, ``stock`` holds their gifts and ``worth`` is its worth;
    ``dice`` are left, and ``changes`` of a sum still to be had.
    """
    best = 0.0
    group = dice
    while group > 0:
        for change in range(CHANGES):
            advisor = court.sums[group] + change_of(change)
            if court.sums[group] > 0 and changes >> change & 1 and is_open(court, taken, advisor):
                more = add_gift(tables, stock, advisor, outlook.stables)
                then = taken | 1 << advisor
                worth_then = worth_with(outlook, memo, more, then)
                gain = worth_then - worth - outlook.token * (change // MARKET_STEPS)
                gain += last_group(tables, outlook, court, memo, more, worth_then, then, dice & ~group)
                best = max(best, gain * court.chances[advisor])
        group = group - 1 & dice
    return best


@kernel
def possible_changes(tables, observation, buildings):
    """Return the set of changes of a sum that the seat has this season."""
    changes = (1 << CHANGES) - 1
    if observation[OWN + TOKENS] == 0 or observation[OWN + TOKEN_USED] > 0:
        changes &= WITHOUT_TOKEN
    if buildings & tables.owners[SHIFT] == 0 or observation[OWN + MARKET_USED] > 0:
        changes &= WITHOUT_MARKET
    return changes


@kernel
def choose_placement(weights, tables, observation, mask):
    """Return the placement that brings most with what the dice left over may bring, or to pass."""
    stock, outlook = look_ahead(weights, tables, observation)
    court = read_court(weights, tables, observation)
    view = read_view(observation)
    memo = Memo(np.full(MEMO_SIZE, -1, np.int64), np.empty(MEMO_SIZE))
    changes = possible_changes(tables, observation, view.buildings)
    best, choice = worth_of(outlook, stock), PASS
    for number in range(NUM_PLACEMENTS):
        if mask[PLACE_FIRST + number] == 0:
            continue
        group, change = dice_of(number // CHANGES), number % CHANGES
        advisor = court.sums[group] + change_of(change)
        taken = np.int64(1) << advisor
        more = add_gift(tables, stock, advisor, outlook.stables)
        worth = worth_with(outlook, memo, more, taken)
        value = worth - outlook.token * (change // MARKET_STEPS)
        if court.closed >> advisor & 1:
            value -= worth_of_envoy(weights, view)
        elif court.contested >> advisor & 1:
            value += weights.deny * size_of_gift(weights, tables, advisor)
        rest, left = court.dice & ~group, changes_after(changes, change)
        value += further_groups(tables, outlook, court, memo, more, worth, taken, rest, left)
        if value > best:
            best, choice = value, PLACE_FIRST + number
    return choice
