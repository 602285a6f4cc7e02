"""Winter: the enemy, the battle of each seat, its reward or losses (KB-170)."""

from __future__ import annotations

from kingmaker.envs.core.chance import roll
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.events import BUILDING_LOST, ENEMY, FIGHTS, REINFORCEMENTS
from kingmaker.envs.kingsburg.rules.board import gain_goods, has_effect, lose_goods, score
from kingmaker.envs.kingsburg.rules.goods import demand_goods, offer_goods
from kingmaker.envs.kingsburg.state import (
    ANY_KIND,
    COLUMNS,
    DIE_SIDES,
    FIGHTING,
    FROM_DEFEATS,
    FROM_FORTRESS,
    FROM_RUINS,
    FROM_STRONGEST,
    FROM_VICTORIES,
    GOLD,
    NUM_BUILDINGS,
    PHASE_OVER,
    ROWS,
    RUN,
    STONE,
    WOOD,
)
from kingmaker.envs.kingsburg.tables import TIES_WIN, VICTORY_POINT

DEFEAT, DRAW, VICTORY = range(3)


@kernel
def enemy_of_year(state, tables):
    """Return this year's enemy card."""
    return tables.enemies[state.deck[state.year - 1]]


@kernel
def battle_bonus(board, tables, type_of_enemy):
    """Return what the buildings of a seat add to its combat value (KB-45, KB-46)."""
    bonus = 0
    for building in range(NUM_BUILDINGS):
        if board.buildings >> building & 1:
            figures = tables.buildings[building]
            bonus += figures.battle
            if figures.against == type_of_enemy:
                bonus += figures.against_bonus
    return bonus


@kernel
def result_of(board, tables, strength):
    """Return how a battle ends for a seat (KB-171)."""
    if board.combat == strength:
        return VICTORY if has_effect(board, tables, TIES_WIN) else DRAW  # KB-47
    return VICTORY if board.combat > strength else DEFEAT


@kernel
def begin_battle(state, tables):
    """Reveal the enemy and compute all combat values before anybody gains or loses (KB-43, KB-45)."""
    enemy = enemy_of_year(state, tables)
    note(tables, ENEMY, -1, state.deck[state.year - 1], enemy.strength, 0)
    state.reinforcements = roll(state, tables, DIE_SIDES)
    note(tables, REINFORCEMENTS, -1, state.reinforcements, 0, 0)
    highest = 0
    for seat in range(state.num_players):
        board = state.seats[seat]
        board.combat = board.soldiers + state.reinforcements + battle_bonus(board, tables, enemy.type)
        if seat == 0 or board.combat > highest:
            highest = board.combat
    for seat in range(state.num_players):
        board = state.seats[seat]
        if board.combat == highest and result_of(board, tables, enemy.strength) == VICTORY:
            score(state, tables, seat, FROM_STRONGEST, 1)  # KB-49
    state.step = FIGHTING
    state.position = 0


@kernel
def go_on_fighting(state, tables):
    """Settle the battle of seat after seat, in turn order, until a seat has a choice; then end the year."""
    enemy = enemy_of_year(state, tables)
    while state.position < state.num_players:
        seat = state.order[state.position]
        state.position += 1
        board = state.seats[seat]
        result = result_of(board, tables, enemy.strength)
        note(tables, FIGHTS, seat, board.combat, enemy.strength, result)
        if result == VICTORY:
            win(state, tables, seat, enemy)
        elif result == DEFEAT:
            lose(state, tables, seat, enemy)
        if state.phase != RUN:
            return
    send_home(state)
    state.step = PHASE_OVER


@kernel
def win(state, tables, seat, enemy):
    """Give a victor the reward (KB-171)."""
    gain_goods(state, tables, seat, enemy.win_goods[GOLD], enemy.win_goods[WOOD], enemy.win_goods[STONE])
    score(state, tables, seat, FROM_VICTORIES, enemy.win_vp)
    if has_effect(state.seats[seat], tables, VICTORY_POINT):
        score(state, tables, seat, FROM_FORTRESS, 1)  # KB-48
    if enemy.win_choice > 0:
        offer_goods(state, tables, seat, enemy.win_choice, ANY_KIND, 0)  # KB-172


@kernel
def lose(state, tables, seat, enemy):
    """Take the losses in their order; what is missing is forgiven (KB-50)."""
    goods = state.seats[seat].goods
    lose_goods(
        state,
        tables,
        seat,
        min(goods[GOLD], enemy.lose_goods[GOLD]),
        min(goods[WOOD], enemy.lose_goods[WOOD]),
        min(goods[STONE], enemy.lose_goods[STONE]),
    )
    demand_goods(state, tables, seat, enemy.lose_choice)
    if state.phase == RUN:
        lose_more_than_goods(state, tables, seat, enemy)


@kernel
def lose_more_than_goods(state, tables, seat, enemy):
    """Take the losses that come after goods: a building, then victory points (KB-50)."""
    if enemy.lose_building:
        lose_building(state, tables, seat)
    score(state, tables, seat, FROM_DEFEATS, -enemy.lose_vp)


@kernel
def lose_building(state, tables, seat):
    """Raze the topmost building of the rightmost column where there is one (KB-51)."""
    board = state.seats[seat]
    for column in range(COLUMNS - 1, -1, -1):
        for row in range(ROWS):
            building = COLUMNS * row + column
            if board.buildings >> building & 1:
                board.buildings &= ~(1 << building)
                note(tables, BUILDING_LOST, seat, building, 0, 0)
                score(state, tables, seat, FROM_RUINS, -tables.buildings[building].vp)
                return


@kernel
def send_home(state):
    """End the battle: no soldiers stay, and the next card is unknown (KB-53, KB-18)."""
    for seat in range(state.num_players):
        board = state.seats[seat]
        board.soldiers = 0
        board.peeked = 0
