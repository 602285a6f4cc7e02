"""The calendar: which phase comes next, and going on until a seat has a choice (KB-110)."""

from __future__ import annotations

from kingmaker.envs.core.chance import draw, shuffle
from kingmaker.envs.core.contract import RUNNING, TERMINATED
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.events import PHASE_BEGINS, YEAR_BEGINS
from kingmaker.envs.kingsburg.rules.battle import begin_battle, go_on_fighting
from kingmaker.envs.kingsburg.rules.board import count_goods, has_effect, score
from kingmaker.envs.kingsburg.rules.building import go_on_building, go_on_selling
from kingmaker.envs.kingsburg.rules.dice import begin_season, go_on_rerolling
from kingmaker.envs.kingsburg.rules.help import go_on_helping
from kingmaker.envs.kingsburg.rules.king import begin_aid, go_on_aiding, reward_builders, send_envoy
from kingmaker.envs.kingsburg.rules.placement import go_on_placing
from kingmaker.envs.kingsburg.rules.recruiting import go_on_hiring
from kingmaker.envs.kingsburg.state import (
    AID,
    AIDING,
    BUILDING,
    CARDS_A_YEAR,
    ENVOY,
    FIGHTING,
    FROM_CATHEDRAL,
    HELPING,
    HIRING,
    NO_SEAT,
    PHASE_OVER,
    PLACING,
    RECRUITING,
    REROLLING,
    REWARD,
    RUN,
    WINTER,
    YEARS,
)
from kingmaker.envs.kingsburg.tables import POINTS_FOR_GOODS

GOODS_A_POINT = 2  # of the Cathedral


@kernel
def set_up(state, tables):
    """Draw the turn order, then one enemy card for each year (KB-102, KB-103)."""
    for seat in range(state.num_players):
        state.order[seat] = seat
    shuffle(state, tables, state.order, state.num_players)
    for year in range(YEARS):
        deal_enemy(state, tables, year)
    state.envoy = NO_SEAT
    state.calendar = WINTER
    state.step = PHASE_OVER
    state.phase = RUN


@kernel
def deal_enemy(state, tables, year):
    """Draw the enemy card of a year, counted from 0, from the five that it can be (KB-103)."""
    state.deck[year] = CARDS_A_YEAR * year + draw(state, tables, CARDS_A_YEAR)


@kernel
def begin_phase(state, tables):
    """Begin the next phase of the calendar; after the last Winter the game ends."""
    if state.calendar == WINTER:
        if state.year == YEARS:
            end_game(state, tables)
            return
        state.year += 1
        state.calendar = AID
        note(tables, YEAR_BEGINS, -1, state.year, 0, 0)
    else:
        state.calendar += 1
    note(tables, PHASE_BEGINS, -1, state.calendar, state.year, 0)
    if state.calendar == AID:
        begin_aid(state, tables)
    elif state.calendar == REWARD:
        reward_builders(state, tables)
    elif state.calendar == ENVOY:
        send_envoy(state, tables)
    elif state.calendar == RECRUITING:
        state.step = HIRING
        state.position = 0
    elif state.calendar == WINTER:
        begin_battle(state, tables)
    else:
        begin_season(state, tables)


@kernel
def end_game(state, tables):
    """Score the Cathedral and end the game (KB-173, KB-54)."""
    for seat in range(state.num_players):
        board = state.seats[seat]
        if has_effect(board, tables, POINTS_FOR_GOODS):
            score(state, tables, seat, FROM_CATHEDRAL, count_goods(board) // GOODS_A_POINT)
    state.over = TERMINATED


@large_kernel
def advance(state, tables):
    """Run automatic steps until a seat has a choice or the game is over."""
    while state.over == RUNNING and state.phase == RUN:
        if state.step == PHASE_OVER:
            begin_phase(state, tables)
        elif state.step == AIDING:
            go_on_aiding(state, tables)
        elif state.step == REROLLING:
            go_on_rerolling(state, tables)
        elif state.step == PLACING:
            go_on_placing(state, tables)
        elif state.step == HELPING:
            go_on_helping(state, tables)
        elif state.step == BUILDING:
            go_on_building(state, tables)
        elif state.step == HIRING:
            go_on_hiring(state, tables)
        elif state.step == FIGHTING:
            go_on_fighting(state, tables)
        else:
            go_on_selling(state, tables)
    state.choosing = 1 << state.actor
