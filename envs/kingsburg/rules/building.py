"""Construction (KB-140) and what buildings bring at the end of a productive season."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.actions import (
    BUILD_FIRST,
    BUILD_NOTHING,
    MULTISETS,
    PAY_FIRST,
    PAY_NOTHING,
    PAY_TOKEN,
)
from kingmaker.envs.kingsburg.events import BUILDS, ENVOY_USED, TOKEN_USED
from kingmaker.envs.kingsburg.rules.board import ask, count_goods, has_effect, lose_goods, score
from kingmaker.envs.kingsburg.rules.help import gain_tokens
from kingmaker.envs.kingsburg.state import (
    BUILD,
    COLUMNS,
    FROM_BUILDINGS,
    FROM_EMBASSY,
    FROM_TOWN_HALL,
    GOLD,
    NO_SEAT,
    NUM_GOODS,
    PHASE_OVER,
    ROWS,
    RUN,
    SELLING,
    SPRING,
    STONE,
    SUMMER,
    TOWN_HALL,
    WOOD,
)
from kingmaker.envs.kingsburg.tables import CHEAP_BUILDINGS, SEASON_POINT, SELL_POINT, SUMMER_TOKEN

THIRD_COLUMN = 2


@kernel
def next_of_row(buildings, row):
    """Return the column of the building that comes next in a row, COLUMNS if the row is full (KB-141)."""
    column = 0
    while column < COLUMNS and buildings >> (COLUMNS * row + column) & 1:
        column += 1
    return column


@kernel
def price_in_gold(board, tables, building):
    """Return the gold that a building costs a seat; the Crane takes one off on the right half (KB-28)."""
    gold = tables.buildings[building].cost[GOLD]
    if building % COLUMNS >= THIRD_COLUMN and has_effect(board, tables, CHEAP_BUILDINGS):
        return gold - 1
    return gold


@kernel
def can_pay(board, tables, building):
    """Return whether a seat has the goods for a building."""
    cost = tables.buildings[building].cost
    return (
        board.goods[GOLD] >= price_in_gold(board, tables, building)
        and board.goods[WOOD] >= cost[WOOD]
        and board.goods[STONE] >= cost[STONE]
    )


@kernel
def buildable(board, tables):
    """Return the set of buildings that a seat could build now."""
    found = 0
    for row in range(ROWS):
        column = next_of_row(board.buildings, row)
        if column < COLUMNS and can_pay(board, tables, COLUMNS * row + column):
            found |= 1 << (COLUMNS * row + column)
    return found


@kernel
def go_on_building(state, tables):
    """Ask the next seat that can build, in turn order (KB-27); twice the one that has the Envoy (KB-23)."""
    while state.position < state.num_players:
        seat = state.order[state.position]
        may_build = state.built == 0 or (state.built == 1 and state.envoy == seat)
        if may_build and buildable(state.seats[seat], tables):
            ask(state, seat, BUILD)
            return
        state.position += 1
        state.built = 0
    end_season(state, tables)


@kernel
def legal_building(state, tables, mask):
    """Mark what the seat can build, and to build nothing."""
    mask[BUILD_NOTHING] = 1
    board = state.seats[state.actor]
    for row in range(ROWS):
        column = next_of_row(board.buildings, row)
        if column < COLUMNS:
            building = COLUMNS * row + column
            mask[BUILD_FIRST + building] = can_pay(board, tables, building)


@kernel
def build(state, tables, action):
    """Build, or leave it at that."""
    seat = state.actor
    state.phase = RUN
    if action == BUILD_NOTHING:
        state.position += 1
        state.built = 0
        return
    building = action - BUILD_FIRST
    if state.built == 1:
        state.envoy = NO_SEAT  # KB-23, KB-24
        note(tables, ENVOY_USED, seat, 0, 0, 0)
    state.built += 1
    board = state.seats[seat]
    figures = tables.buildings[building]
    gold = price_in_gold(board, tables, building)
    lose_goods(state, tables, seat, gold, figures.cost[WOOD], figures.cost[STONE])
    board.buildings |= 1 << building
    note(tables, BUILDS, seat, building, 0, 0)
    score(state, tables, seat, FROM_BUILDINGS, figures.vp)


# --- the end of the season ----------------------------------------------------------------------------


@kernel
def end_season(state, tables):
    """Let the Inn and the Embassy act, before the Town Hall is asked (KB-29, KB-30)."""
    for position in range(state.num_players):
        seat = state.order[position]
        board = state.seats[seat]
        if state.calendar == SPRING:
            board.aid_die = 0  # KB-39
        if state.calendar == SUMMER and has_effect(board, tables, SUMMER_TOKEN):
            gain_tokens(state, tables, seat, 1)  # KB-33
        if has_effect(board, tables, SEASON_POINT):
            score(state, tables, seat, FROM_EMBASSY, 1)  # KB-32
    state.step = SELLING
    state.position = 0


@kernel
def go_on_selling(state, tables):
    """Ask the next seat that can sell at its Town Hall, once a season (KB-31)."""
    while state.position < state.num_players:
        seat = state.order[state.position]
        board = state.seats[seat]
        state.position += 1
        if has_effect(board, tables, SELL_POINT) and count_goods(board) + board.tokens > 0:
            ask(state, seat, TOWN_HALL)
            return
    state.step = PHASE_OVER


@kernel
def legal_sale(state, mask):
    """Mark what may be paid for a point."""
    board = state.seats[state.actor]
    for good in range(NUM_GOODS):
        mask[PAY_FIRST + good] = board.goods[good] > 0
    mask[PAY_TOKEN] = board.tokens > 0
    mask[PAY_NOTHING] = 1


@kernel
def sell(state, tables, action):
    """Pay a good or a token for a point, or nothing."""
    seat = state.actor
    state.phase = RUN
    if action == PAY_NOTHING:
        return
    if action == PAY_TOKEN:
        board = state.seats[seat]
        board.tokens -= 1
        note(tables, TOKEN_USED, seat, board.tokens, 0, 0)
    else:
        paid = MULTISETS[action - PAY_FIRST]  # the first multisets are single goods
        lose_goods(state, tables, seat, paid[GOLD], paid[WOOD], paid[STONE])
    score(state, tables, seat, FROM_TOWN_HALL, 1)
