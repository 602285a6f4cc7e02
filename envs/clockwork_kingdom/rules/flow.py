"""The course of the game: set-up, rounds, and running on to the next choice."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.actions import (
    DISCARD,
    DROP,
    KEEP,
    PASS,
    PAY,
    PLAY,
    RECEIVE,
    REFINE,
    STONE,
    STUDY,
    TOKEN,
)
from kingmaker.envs.clockwork_kingdom.events import RESOLVES, ROUND_BEGINS, TAKES_PLACE
from kingmaker.envs.clockwork_kingdom.rules.battle import resolve_battle
from kingmaker.envs.clockwork_kingdom.rules.cards import next_window, play_card, resolve_ruins
from kingmaker.envs.clockwork_kingdom.rules.contests import resolve_factory, resolve_lab, show_facility
from kingmaker.envs.clockwork_kingdom.rules.gains import (
    discard,
    drop,
    keep,
    put_stone,
    put_token,
    receive_chosen,
    refine,
    settle,
)
from kingmaker.envs.clockwork_kingdom.rules.income import next_income
from kingmaker.envs.clockwork_kingdom.rules.market import resolve_market
from kingmaker.envs.clockwork_kingdom.rules.park import resolve_park
from kingmaker.envs.clockwork_kingdom.rules.payment import pay_unit
from kingmaker.envs.clockwork_kingdom.rules.pieces import ASKED, FINISHED, GO_ON, setup_of
from kingmaker.envs.clockwork_kingdom.rules.placement import next_placement, place
from kingmaker.envs.clockwork_kingdom.rules.scoring import final_count
from kingmaker.envs.clockwork_kingdom.rules.university import resolve_university, study
from kingmaker.envs.clockwork_kingdom.rules.workshop import deal_row, resolve_workshop, work
from kingmaker.envs.clockwork_kingdom.state import (
    ASK_DISCARD,
    ASK_DROP,
    ASK_PAY,
    ASK_PLACE,
    ASK_RECEIVE,
    ASK_STONE,
    ASK_TOKEN,
    ASK_UNIVERSITY,
    ASK_WINDOW,
    ASK_WORKSHOP,
    AUTOMATON,
    BATTLE,
    BATTLE_SPACE,
    FACTORY,
    FACTORY_SPACE,
    LAB,
    LAB_SPACE,
    MARKET,
    MAX_BATTLEFIELDS,
    MAX_ORDERED,
    MAX_PLAYERS,
    NONE,
    NUM_MARKET_SPACES,
    NUM_RESOURCES,
    NUM_TYPES,
    PARK,
    PARK_SPACE,
    RANDOM_SPACE,
    ROW,
    RUINS,
    RUINS_SPACE,
    STEP_INCOME,
    STEP_PLACE,
    STEP_RESOLVE,
    STEP_WINDOW,
    UNIVERSITY,
    UNIVERSITY_SPACE,
    WORKSHOP,
    WORKSHOP_SPACE,
    YARD,
)
from kingmaker.envs.core.chance import seed_stream, shuffle
from kingmaker.envs.core.contract import RUNNING, TERMINATED
from kingmaker.envs.core.kernel import clear, kernel, large_kernel
from kingmaker.envs.core.loops import PURPOSE_GAME
from kingmaker.envs.core.tape import note

# --- set-up -------------------------------------------------------------------------------------------


@kernel
def stack_decks(state, tables):
    """Put the cards in play for this number of seats into their decks (CK-105 to CK-109, CK-171)."""
    for design in range(tables.designs):
        if tables.schematics[design].seats <= state.num_players:
            state.deck[design] = tables.schematics[design].copies
    for kind in range(tables.ruins_kinds):
        state.ruins[kind] = tables.ruins[kind].copies
    for design in range(tables.facility_kinds):
        state.stack[design] = tables.facilities[design].copies


@kernel
def seat_players(state, tables):
    """Give each seat its pieces and draw the turn order (CK-102 to CK-104, CK-2)."""
    for seat in range(MAX_PLAYERS):
        state.order[seat] = seat if seat < state.num_players else NONE
        board = state.seats[seat]
        for slot in range(YARD):
            board.yard[slot] = NONE
        if seat < state.num_players:
            board.pool[AUTOMATON] = tables.automatons
            board.capacity = tables.store
            board.tokens = tables.tokens
    shuffle(state, tables, state.order, state.num_players)
    for seat in range(state.num_players):
        note(tables, TAKES_PLACE, state.order[seat], seat + 1, 0, 0)


@kernel
def reset(state, tables, options, num_players, seed):
    """Start a game."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    state.num_players = num_players
    state.per_worker = options.tokens_per_worker
    state.owed.seat = NONE
    state.bill.slot = NONE
    state.stones = tables.stones
    for resource in range(NUM_RESOURCES):
        state.supply[resource] = tables.supply
    for place_in_row in range(ROW):
        state.row[place_in_row] = NONE
    seat_players(state, tables)
    stack_decks(state, tables)
    deal_row(state, tables)
    show_facility(state, tables)
    begin_round(state, tables)
    next_placement(state, tables)
    state.choosing = 1 << state.actor


# --- rounds -------------------------------------------------------------------------------------------


@kernel
def open_spaces(state, tables):
    """Open the spaces in play for this number of seats (CK-12, CK-42, CK-49, CK-164, CK-165)."""
    setup = setup_of(state, tables)
    for resource in range(NUM_RESOURCES):
        state.open[resource] = 1
    state.open[RANDOM_SPACE] = setup.market_random
    state.open[LAB_SPACE] = 1
    state.open[RUINS_SPACE] = 1
    state.open[FACTORY_SPACE] = 1
    state.open[PARK_SPACE] = 1
    for number in range(MAX_ORDERED):
        state.open[WORKSHOP_SPACE + number] = number < setup.workshop
        state.open[UNIVERSITY_SPACE + number] = number < setup.university
    for battlefield in range(MAX_BATTLEFIELDS):
        state.open[BATTLE_SPACE + battlefield] = setup.battlefields[battlefield]


@large_kernel
def begin_round(state, tables):
    """Clear the board for the next round; its first step is placement."""
    state.rounds += 1
    note(tables, ROUND_BEGINS, -1, state.rounds, 0, 0)
    open_spaces(state, tables)
    for space in range(NUM_MARKET_SPACES):
        state.market[space].seat = NONE
        state.market[space].kind = 0
    for number in range(MAX_ORDERED):
        state.workshop[number].seat = NONE
        state.workshop[number].kind = 0
        state.university[number].seat = NONE
        state.university[number].kind = 0
    for kind in range(NUM_TYPES):
        state.rooms[kind] = tables.rooms[kind]
    for other in range(MAX_PLAYERS):
        state.park[other] = NONE
        clear(state.seats[other].passing)
    state.parked = 0
    for other in range(state.overflowed):
        state.overflow[other] = 0
    state.overflowed = 0
    state.may_take = 1
    state.may_build = 1
    state.turn = 0
    state.used = 0
    state.area = 0
    state.at = 0
    state.step = STEP_PLACE


# --- areas --------------------------------------------------------------------------------------------


@kernel
def resolve(state, tables):
    """Resolve the next bit of the area whose turn it is (CK-112)."""
    area = state.area
    answer = FINISHED
    if area == MARKET:
        answer = resolve_market(state)
    elif area == LAB:
        answer = resolve_lab(state, tables)
    elif area == WORKSHOP:
        answer = resolve_workshop(state, tables)
    elif area == RUINS:
        answer = resolve_ruins(state, tables)
    elif area == BATTLE:
        resolve_battle(state, tables)
    elif area == UNIVERSITY:
        answer = resolve_university(state, tables)
    elif area == FACTORY:
        resolve_factory(state, tables)
    else:
        answer = resolve_park(state, tables)
    if answer == FINISHED:
        end_area(state, tables)
        return GO_ON
    return answer


@kernel
def end_area(state, tables):
    """Return the workers of an area to their owners' supply (CK-6) and go on to the next area."""
    for seat in range(state.num_players):
        for kind in range(NUM_TYPES):
            state.seats[seat].standing[state.area, kind] = 0
    state.at = 0
    if state.area == PARK:
        state.step = STEP_INCOME
        return
    state.area += 1
    state.step = STEP_WINDOW
    note(tables, RESOLVES + state.area, -1, 0, 0, 0)


@kernel
def end_round(state, tables):
    """Pay income; then begin the next round, or after the last one count (CK-116, CK-52, CK-160)."""
    answer = next_income(state, tables)
    if answer != FINISHED:
        return answer
    if state.rounds < tables.rounds:
        begin_round(state, tables)
    else:
        final_count(state, tables)
        state.over = TERMINATED
    return GO_ON


@large_kernel
def advance(state, tables):
    """Run on until a seat has a choice or the game is over."""
    while state.over == RUNNING:
        if state.owed.seat != NONE:
            answer = settle(state, tables)
        elif state.step == STEP_PLACE:
            answer = next_placement(state, tables)
        elif state.step == STEP_WINDOW:
            answer = next_window(state, tables)
        elif state.step == STEP_RESOLVE:
            answer = resolve(state, tables)
        else:
            answer = end_round(state, tables)
        if answer == ASKED:
            state.choosing = 1 << state.actor
            return


# --- choices ------------------------------------------------------------------------------------------


@kernel
def answer_window(state, tables, action):
    """Play a card as an area starts to resolve, or pass; the window then goes to the next seat (CK-33)."""
    state.at += 1
    if action != PASS:
        play_card(state, tables, state.actor, action - PLAY)


@kernel
def apply(state, tables, action):
    """Apply a legal action and run on to the next choice."""
    seat = state.actor
    phase = state.phase
    if phase == ASK_PLACE:
        place(state, tables, action)
    elif phase == ASK_WINDOW:
        answer_window(state, tables, action)
    elif phase == ASK_RECEIVE:
        receive_chosen(state, tables, action - RECEIVE)
    elif phase == ASK_DISCARD:
        discard(state, tables, seat, action - DISCARD)
    elif phase == ASK_STONE:
        put_stone(state, tables, action - STONE)
    elif phase == ASK_TOKEN:
        put_token(state, tables, seat, action - TOKEN)
        state.owed.tokens -= 1
    elif phase == ASK_DROP:
        drop(state, tables, seat, action - DROP)
    elif phase == ASK_PAY:
        pay_unit(state, seat, action - PAY)
    elif phase == ASK_WORKSHOP:
        work(state, tables, action)
    elif phase == ASK_UNIVERSITY:
        study(state, tables, action - STUDY)
    elif action == KEEP:
        keep(state)
    else:
        refine(state, tables, action - REFINE)
    advance(state, tables)
