"""The rules of Kingsburg, one file a phase. ``KB-n`` are the ids of ``rulebook.md``.

``flow.advance`` runs the calendar: each step has a function ``go_on_...`` that does what is due for seat
after seat and returns as soon as a seat has a choice, or with the next step set. An answer is carried out by
the file that asked; it sets ``state.phase`` to RUN, and ``advance`` goes on.
"""

from __future__ import annotations

from kingmaker.envs.core.chance import seed_stream
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.loops import PURPOSE_GAME
from kingmaker.envs.kingsburg.rules.battle import enemy_of_year, lose_more_than_goods
from kingmaker.envs.kingsburg.rules.board import count_buildings, count_goods
from kingmaker.envs.kingsburg.rules.building import build, legal_building, legal_sale, sell
from kingmaker.envs.kingsburg.rules.dice import legal_reroll, reroll
from kingmaker.envs.kingsburg.rules.flow import advance, deal_enemy, set_up
from kingmaker.envs.kingsburg.rules.goods import (
    give_up_goods,
    legal_gain,
    legal_loss,
    legal_trade,
    take_goods,
    trade,
)
from kingmaker.envs.kingsburg.rules.placement import legal_placement, place
from kingmaker.envs.kingsburg.rules.recruiting import legal_recruit, recruit
from kingmaker.envs.kingsburg.state import (
    BUILD,
    GAIN,
    LOSE,
    PLACE,
    RECRUIT,
    REROLL,
    TOWN_HALL,
    TRADE,
    WINTER,
    YEARS,
)


@kernel
def reset(state, tables, options, num_players, seed):
    """Start a game."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    state.num_players = num_players
    state.stables_once = options.stables_once
    set_up(state, tables)
    advance(state, tables)


@kernel
def legal(state, tables, mask):
    """Mark the legal actions of ``state.actor``."""
    if state.phase == PLACE:
        legal_placement(state, tables, mask)
    elif state.phase == GAIN:
        legal_gain(state, mask)
    elif state.phase == TRADE:
        legal_trade(state, mask)
    elif state.phase == BUILD:
        legal_building(state, tables, mask)
    elif state.phase == RECRUIT:
        legal_recruit(state, tables, mask)
    elif state.phase == TOWN_HALL:
        legal_sale(state, mask)
    elif state.phase == REROLL:
        legal_reroll(state, tables, mask)
    else:
        legal_loss(state, mask)


@kernel
def apply(state, tables, action):
    """Apply a legal action and run on to the next choice."""
    if state.phase == PLACE:
        place(state, tables, action)
    elif state.phase == GAIN:
        take_goods(state, tables, action)
    elif state.phase == TRADE:
        trade(state, tables, action)
    elif state.phase == BUILD:
        build(state, tables, action)
    elif state.phase == RECRUIT:
        recruit(state, tables, action)
    elif state.phase == TOWN_HALL:
        sell(state, tables, action)
    elif state.phase == REROLL:
        reroll(state, tables, action)
    elif state.phase == LOSE:
        give_up_goods(state, tables, action)
        lose_more_than_goods(state, tables, state.actor, enemy_of_year(state, tables))
    advance(state, tables)


@kernel
def redeal(state, tables, seat, seed):
    """Draw again the enemies that ``seat`` cannot know, and the chance stream (KB-18, KB-106).

    This year's card is known to those who looked, and in Winter to all.
    """
    seed_stream(state.chance, seed, PURPOSE_GAME)
    known = state.calendar == WINTER or state.seats[seat].peeked != 0
    for year in range(state.year if known else state.year - 1, YEARS):
        deal_enemy(state, tables, year)


@kernel
def ranks_before(first, second):
    """Return whether one board ranks before another: points, then goods, then buildings (KB-174, KB-55)."""
    if first.vp != second.vp:
        return first.vp > second.vp
    if count_goods(first) != count_goods(second):
        return count_goods(first) > count_goods(second)
    return count_buildings(first) > count_buildings(second)


@kernel
def outcome(state, tables, ranks, scores):
    """Rank the seats; the score is victory points."""
    for seat in range(state.num_players):
        scores[seat] = state.seats[seat].vp
        ranks[seat] = 0
        for other in range(state.num_players):
            ranks[seat] += ranks_before(state.seats[other], state.seats[seat])
