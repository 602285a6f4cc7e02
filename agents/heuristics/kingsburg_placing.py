"""Placing dice in Kingsburg: the best group now, with what the dice left over may still bring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.agents.heuristics.kingsburg_outlook import count_at, look_ahead, num_others, read_view
from kingmaker.agents.heuristics.kingsburg_worth import add_gift, worth_of
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.kingsburg.actions import (
    CHANGES,
    COLOURED_SETS,
    MARKET_STEPS,
    PASS,
    PLACE_FIRST,
    WHITE_SETS,
)
from kingmaker.envs.kingsburg.observation import (
    FEW_SCALE,
    INFLUENCE,
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
    DIE_SIDES,
    GOLD,
    NUM_ADVISORS,
    STONE,
    TOKEN_BONUS,
    WOOD,
    YEARS,
)


class Court(NamedTuple):
    """The advisors as the acting seat finds them; sets have bit ``n`` for advisor ``n``."""

    closed: int
    contested: int  # open ones that another seat can reach
    chances: np.ndarray  # float64 (19,): that an advisor is still open at the seat's next turn


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
        sums = sums_of(observation, OTHERS + OTHER_SIZE * other) & ~closed
        contested |= sums
        wanted, most = 0, 0.0
        for advisor in range(1, NUM_ADVISORS + 1):
            if sums >> advisor & 1:
                chances[advisor] *= weights.open
                size = size_of_gift(weights, tables, advisor)
                if size > most:
                    wanted, most = advisor, size
        chances[wanted] *= weights.wanted
    return Court(closed, contested, chances)


@kernel
def worth_of_envoy(weights, view):
    """Return what it is worth to keep the King's Envoy."""
    return weights.last_envoy if view.year == YEARS and view.calendar == AUTUMN else weights.envoy


@kernel
def sum_at(observation, coloured, white):
    """Return the sum of a group, 0 if not all of its dice are free."""
    return count_at(observation, SUMS + (coloured - 1) * WHITE_SETS + white, SUM_SCALE)


@kernel
def is_open(advisor, closed):
    """Return whether a sum reaches an open advisor."""
    return 0 < advisor <= NUM_ADVISORS and closed >> advisor & 1 == 0


@kernel
def last_group(tables, observation, outlook, court, stock, worth, closed, coloured, white):
    """Return what the last coloured dice may bring, two turns from now."""
    best = 0.0
    for whites in range(WHITE_SETS):
        advisor = sum_at(observation, coloured, whites)
        if whites & ~white == 0 and is_open(advisor, closed):
            gain = worth_of(outlook, add_gift(tables, stock, advisor, outlook.stables)) - worth
            best = max(best, gain * court.chances[advisor] * court.chances[advisor])
    return best


@large_kernel
def further_groups(tables, observation, outlook, court, stock, worth, closed, coloured, white):
    """Return what the sets of dice left over may bring at the seat's next turns.

    ``stock`` is what the groups so far bring, ``worth`` its worth, ``closed`` the advisors taken by then.
    """
    best = 0.0
    for coloureds in range(1, COLOURED_SETS + 1):
        if coloureds & ~coloured:
            continue
        for whites in range(WHITE_SETS):
            advisor = sum_at(observation, coloureds, whites)
            if whites & ~white or not is_open(advisor, closed):
                continue
            more = add_gift(tables, stock, advisor, outlook.stables)
            worth_of_more = worth_of(outlook, more)
            gain = worth_of_more - worth
            if coloureds != coloured:
                gain += last_group(
                    tables,
                    observation,
                    outlook,
                    court,
                    more,
                    worth_of_more,
                    closed | np.int64(1) << advisor,
                    coloured & ~coloureds,
                    white & ~whites,
                )
            best = max(best, gain * court.chances[advisor])
    return best


@kernel
def choose_placement(weights, tables, observation, mask):
    """Return the placement that brings most with what the dice left over may bring, or to pass."""
    stock, outlook = look_ahead(weights, tables, observation)
    court = read_court(weights, tables, observation)
    envoy = worth_of_envoy(weights, read_view(observation))
    best = worth_of(outlook, stock)
    choice = PASS
    for group in range(COLOURED_SETS * WHITE_SETS):
        coloured, white = group // WHITE_SETS + 1, group % WHITE_SETS
        total = sum_at(observation, coloured, white)
        if total == 0:
            continue
        for change in range(CHANGES):
            action = PLACE_FIRST + group * CHANGES + change
            if mask[action] == 0:
                continue
            token = change // MARKET_STEPS
            advisor = total + TOKEN_BONUS * token + change % MARKET_STEPS - 1
            more = add_gift(tables, stock, advisor, outlook.stables)
            worth = worth_of(outlook, more)
            value = worth - token * outlook.token
            if court.closed >> advisor & 1:
                value -= envoy
            elif court.contested >> advisor & 1:
                value += weights.deny * size_of_gift(weights, tables, advisor)
            value += further_groups(
                tables,
                observation,
                outlook,
                court,
                more,
                worth,
                court.closed | np.int64(1) << advisor,
                COLOURED_SETS & ~coloured,
                WHITE_SETS - 1 & ~white,
            )
            if value > best:
                best, choice = value, action
    return choice
