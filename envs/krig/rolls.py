"""Rolls and the windows on them in which tokens may be spent. ``KR-n`` are the ids of ``rulebook.md``."""

from __future__ import annotations

from kingmaker.envs.core.chance import roll
from kingmaker.envs.core.kernel import clear, kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.krig.actions import AGILITY_DIE, ATTACK_DIE, DEFENCE_DIE, PARRY_DIE
from kingmaker.envs.krig.events import ROLLS
from kingmaker.envs.krig.state import (
    ATTACK_ROLL,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    HIT,
    MISS,
    NUM_PLAYERS,
    ROLLED,
)


@kernel
def rolled_dice(kind):
    """Return the set of dice that a roll of this kind consists of (KR-44)."""
    if kind == ATTACK_ROLL:
        return AGILITY_DIE | ATTACK_DIE
    if kind == CHARGE_ROLL:
        return AGILITY_DIE | ATTACK_DIE | DEFENCE_DIE
    if kind == DEFENCE_ROLL:
        return DEFENCE_DIE
    return PARRY_DIE


@kernel
def throw(state, tables, dice):
    """Roll the given dice of the roll on the table anew; the window on it reopens (KR-46, KR-48)."""
    thrown = state.roll
    if dice & AGILITY_DIE:
        thrown.agility = roll(state, tables, tables.dice.agility)
    if dice & ATTACK_DIE:
        thrown.attack = roll(state, tables, tables.dice.attack)
    if dice & DEFENCE_DIE:
        thrown.defence = roll(state, tables, tables.dice.defence)
    if dice & PARRY_DIE:
        thrown.parry = roll(state, tables, tables.dice.parry)
    thrown.passes = 0
    state.phase = ROLLED


@kernel
def start_roll(state, tables, kind, roller, bonus):
    """Put a new roll on the table."""
    thrown = state.roll
    clear(thrown)
    thrown.kind = kind
    thrown.roller = roller
    thrown.bonus = bonus
    note(tables, ROLLS, roller, kind, 0, 0)
    throw(state, tables, rolled_dice(kind))


@kernel
def seat_of_window(state):
    """Return the seat that may spend a token now, or -1 when the window closes (KR-46).

    The roller is asked first, then the other seat; a seat without tokens has nothing to choose.
    """
    thrown = state.roll
    while thrown.passes < NUM_PLAYERS:
        seat = thrown.roller if thrown.passes == 0 else 1 - thrown.roller
        if state.seats[seat].tokens > 0:
            return seat
        thrown.passes += 1
    return -1


@kernel
def agility_result(tables, face):
    """Return what the agility die makes of an attack (KR-116, KR-117)."""
    if face == 1:
        return MISS
    return CRITICAL if face == tables.dice.agility else HIT
