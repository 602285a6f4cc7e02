"""The rules of Krig and Krig: Intervention. ``KR-n`` are the ids of ``rulebook.md``.

A turn opens with the attack that the other seat left pending (KR-1), goes on to one action, and ends with a
roll whose window must close before it counts. ``advance`` runs these steps until a seat has a real choice.
"""

from __future__ import annotations

from kingmaker.envs.core.chance import roll, seed_stream
from kingmaker.envs.core.contract import RUNNING, TERMINATED, TRUNCATED
from kingmaker.envs.core.kernel import clear, kernel
from kingmaker.envs.core.loops import PURPOSE_GAME
from kingmaker.envs.core.tape import note
from kingmaker.envs.krig.actions import (
    ACCEPT,
    ATTACK,
    CHARGE,
    DEFEND,
    PARRY,
    PARRY_DIE,
    PASS,
)
from kingmaker.envs.krig.events import (
    ABSORBED,
    CHARGES,
    DEFENDS,
    GAME_BEGINS,
    GAME_WON,
    GUARD_BROKEN,
    HIT_POINTS_LOST,
    LIMIT_REACHED,
    MISSED,
    PARRIED,
    PARRY_FAILED,
    TOKEN_SPENT,
    TURN_BEGINS,
)
from kingmaker.envs.krig.rolls import agility_result, rolled_dice, seat_of_window, start_roll, throw
from kingmaker.envs.krig.state import (
    ACT,
    ATTACK_ROLL,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    GAME,
    MISS,
    NUM_PLAYERS,
    PARRY_ROLL,
    REACT,
    ROLLED,
    TURN,
    WINDOW,
)

# --- rolls that count --------------------------------------------------------------------------------


@kernel
def resolve_roll(state, tables):
    """Let the roll count, its window being closed."""
    thrown = state.roll
    roller = thrown.roller
    if thrown.kind == DEFENCE_ROLL:
        state.seats[roller].defence = thrown.defence  # KR-119
        note(tables, DEFENDS, roller, thrown.defence, 0, 0)
        end_turn(state, roller)
    elif thrown.kind == PARRY_ROLL:
        resolve_parry(state, tables)
    else:
        resolve_attack(state, tables)


@kernel
def resolve_attack(state, tables):
    """Turn an attack roll into a pending attack."""
    thrown = state.roll
    roller = thrown.roller
    pending = state.pending
    result = agility_result(tables, thrown.agility)
    if result == MISS:
        note(tables, MISSED, roller, 0, 0, 0)  # nothing is pending, so nothing can be parried (KR-7)
    else:
        pending.active = 1
        pending.target = 1 - roller
        pending.face = thrown.attack
        pending.total = thrown.attack + thrown.defence + thrown.bonus  # KR-115, KR-125, KR-33, KR-36
        pending.critical = result == CRITICAL
        pending.charged = thrown.kind == CHARGE_ROLL
    if thrown.kind == CHARGE_ROLL:
        state.seats[roller].charging = 0
        state.seats[roller].defence = 0  # KR-126, KR-19 to KR-21: also after a miss or a critical hit
    end_turn(state, roller)


@kernel
def resolve_parry(state, tables):
    """Compare the parry die with the face of the attack die (KR-128, KR-35)."""
    thrown = state.roll
    defender = thrown.roller
    face = state.pending.face
    if thrown.parry >= face:
        perfect = tables.perfect_parry != 0 and thrown.parry == face  # KR-32
        note(tables, PARRIED, defender, perfect, 0, 0)
        state.pending.active = 0  # avoided as a whole: defence untouched, no guard break (KR-13, KR-40)
        state.bonus = 1 if perfect else 0
        state.actor = defender
        state.phase = ACT  # the additional turn: one action, and no attack to parry (KR-4, KR-5)
    else:
        note(tables, PARRY_FAILED, defender, 0, 0, 0)
        land(state, tables)  # KR-3, KR-14
        if state.phase != GAME:
            end_turn(state, defender)  # KR-132, KR-15


# --- damage -------------------------------------------------------------------------------------------


@kernel
def land(state, tables):
    """Let the pending attack hit its target."""
    pending = state.pending
    defender = pending.target
    target = state.seats[defender]
    damage = pending.total
    pending.active = 0
    if pending.critical == 0:
        if tables.guard_break and target.defence > 0 and damage == target.defence:
            target.broken = 1  # KR-37 to KR-41: before absorption, active dice only, no critical hit
            note(tables, GUARD_BROKEN, defender, 0, 0, 0)
        absorbed = min(damage, target.defence)  # KR-120; a critical hit ignores the die (KR-118, KR-29)
        target.defence -= absorbed
        damage -= absorbed
        if absorbed > 0:
            note(tables, ABSORBED, defender, absorbed, target.defence, 0)
    lost = min(damage, target.hit_points)  # KR-30
    if lost > 0:  # KR-28: a fully absorbed attack takes none
        target.hit_points -= lost
        note(tables, HIT_POINTS_LOST, defender, lost, target.hit_points, pending.critical)
    if target.hit_points == 0:
        win_game(state, tables, 1 - defender)


# --- turns --------------------------------------------------------------------------------------------


@kernel
def end_turn(state, seat):
    """Pass the turn from ``seat`` to the other seat."""
    state.bonus = 0
    state.actor = 1 - seat
    state.phase = TURN


@kernel
def may_parry(state, tables, defender):
    """Return whether ``defender`` may parry the pending attack (KR-6 to KR-10, KR-16)."""
    pending = state.pending
    return (
        pending.active != 0
        and pending.critical == 0
        and pending.charged == 0
        and pending.face <= tables.dice.parry
        and state.seats[defender].charging == 0
    )


@kernel
def begin_turn(state, tables):
    """Open the turn of ``state.actor``."""
    seat = state.actor
    state.turn += 1
    note(tables, TURN_BEGINS, seat, state.turn, 0, 0)
    if may_parry(state, tables, seat):
        state.phase = REACT
    else:
        take_hit_and_act(state, tables)


@kernel
def take_hit_and_act(state, tables):
    """Let a pending attack land, then ask for the action, or make the charge attack that is due (KR-17)."""
    seat = state.actor
    if state.pending.active:
        land(state, tables)
        if state.phase == GAME:
            return
    if state.seats[seat].charging:
        state.seats[seat].broken = 0  # KR-42: a forced charge attack uses up the ban
        start_roll(state, tables, CHARGE_ROLL, seat, 0)
    else:
        state.phase = ACT


@kernel
def take_action(state, tables, action):
    """Attack, defend or charge."""
    seat = state.actor
    state.seats[seat].broken = 0  # KR-42: the ban lasts for one turn in which an action is taken
    if action == ATTACK:
        start_roll(state, tables, ATTACK_ROLL, seat, state.bonus)
    elif action == DEFEND:
        start_roll(state, tables, DEFENCE_ROLL, seat, 0)
    else:
        state.seats[seat].charging = 1  # KR-123, KR-25: picked up, not rolled
        note(tables, CHARGES, seat, 0, 0, 0)
        end_turn(state, seat)


# --- games and the match ------------------------------------------------------------------------------


@kernel
def roll_off(state, tables):
    """Return the seat with the higher agility die; ties are rolled again (KR-110, KR-111, KR-49)."""
    while True:
        first = roll(state, tables, tables.dice.agility)
        second = roll(state, tables, tables.dice.agility)
        if first != second:
            return 0 if first > second else 1


@kernel
def begin_game(state, tables):
    """Set up the next game of the match (KR-109, KR-50 to KR-53, KR-205)."""
    state.game += 1
    if state.game == 2:
        state.first = 1 - state.first
    else:
        state.first = roll_off(state, tables)
    for seat in range(NUM_PLAYERS):
        board = state.seats[seat]
        board.hit_points = tables.hit_points
        board.defence = 0
        board.charging = 0
        board.broken = 0
        board.tokens = tables.tokens
    state.seats[state.first].hit_points -= tables.handicap
    state.turn = 0
    state.bonus = 0
    clear(state.roll)
    clear(state.pending)
    note(tables, GAME_BEGINS, state.first, state.game, 0, 0)
    state.actor = state.first
    state.phase = TURN


@kernel
def win_game(state, tables, winner):
    """Count a won game; the match ends once a seat has more than half of its games (KR-54, KR-203)."""
    board = state.seats[winner]
    board.wins += 1
    board.points += board.hit_points
    note(tables, GAME_WON, winner, board.wins, board.hit_points, 0)
    state.phase = GAME
    if 2 * board.wins > tables.games:
        state.over = TERMINATED


@kernel
def advance(state, tables):
    """Run automatic steps until a seat has a choice or the match is over."""
    while state.over == RUNNING:
        if state.phase == ROLLED:
            seat = seat_of_window(state)
            if seat >= 0:
                state.actor = seat
                state.phase = WINDOW
            else:
                resolve_roll(state, tables)
        elif state.phase == TURN:
            if state.turn >= state.max_turns:
                note(tables, LIMIT_REACHED, -1, state.turn, 0, 0)
                state.over = TRUNCATED  # KR-55
            else:
                begin_turn(state, tables)
        elif state.phase == GAME:
            begin_game(state, tables)
        else:
            state.choosing = 1 << state.actor
            return


# --- the contract -------------------------------------------------------------------------------------


@kernel
def reset(state, tables, options, num_players, seed):
    """Start a match."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    state.num_players = num_players
    state.max_turns = options.max_turns
    begin_game(state, tables)
    advance(state, tables)


@kernel
def legal(state, tables, mask):
    """Mark the legal actions of ``state.actor``."""
    if state.phase == REACT:
        mask[ACCEPT] = 1
        mask[PARRY] = 1
    elif state.phase == ACT:
        board = state.seats[state.actor]
        mask[ATTACK] = 1
        mask[CHARGE] = 1
        if board.defence == 0 and board.broken == 0:  # KR-27, KR-43
            mask[DEFEND] = 1
    elif state.phase == WINDOW:
        dice = rolled_dice(state.roll.kind)
        mask[PASS] = 1
        for subset in range(1, PARRY_DIE + 1):
            if subset & dice == subset:  # KR-45
                mask[PASS + subset] = 1


@kernel
def apply(state, tables, action):
    """Apply a legal action and run on to the next choice."""
    seat = state.actor
    if state.phase == REACT:
        if action == ACCEPT:
            take_hit_and_act(state, tables)
        else:
            state.seats[seat].broken = 0  # KR-42: a parry attempt uses up the ban
            start_roll(state, tables, PARRY_ROLL, seat, 0)
    elif state.phase == ACT:
        take_action(state, tables, action)
    elif action == PASS:
        state.roll.passes += 1
        state.phase = ROLLED
    else:
        state.seats[seat].tokens -= 1
        note(tables, TOKEN_SPENT, seat, action - PASS, state.seats[seat].tokens, 0)
        throw(state, tables, action - PASS)
    advance(state, tables)


@kernel
def redeal(state, tables, seat, seed):
    """Replace the chance stream; nothing else in Krig is hidden (KR-51)."""
    seed_stream(state.chance, seed, PURPOSE_GAME)


@kernel
def outcome(state, tables, ranks, scores):
    """Rank the winner before the loser; the score is hit points left at the end of each game."""
    for seat in range(NUM_PLAYERS):
        lost = state.over == TERMINATED and state.seats[seat].wins < state.seats[1 - seat].wins
        ranks[seat] = 1 if lost else 0
        scores[seat] = state.seats[seat].points
