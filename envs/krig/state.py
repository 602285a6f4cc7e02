"""The state record of Krig, its phases and constants."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.contract import HEADER

NUM_PLAYERS = 2
MAX_TURNS = 30_000  # the most that the option allows; fits the record

# Phases. In the first three a seat chooses; the rest are steps that run by themselves.
REACT, ACT, WINDOW, GAME, TURN, ROLLED = range(6)

# Kinds of roll (``state.roll.kind``).
ATTACK_ROLL, CHARGE_ROLL, DEFENCE_ROLL, PARRY_ROLL = range(4)
NUM_ROLLS = 4

# What the agility die makes of an attack.
MISS, HIT, CRITICAL = range(3)

# A seat's board. ``defence`` 0 is an inactive die (KR-26).
SEAT = np.dtype(
    [
        ("hit_points", "i2"),
        ("defence", "i2"),
        ("charging", "i2"),
        ("broken", "i2"),  # guard broken: no defend action on the next turn
        ("tokens", "i2"),
        ("wins", "i2"),
        ("points", "i2"),  # hit points left, summed over the ended games of the match
    ],
    align=True,
)

# The roll on the table; dice that are not part of it show 0. ``passes`` counts the seats that have let the
# window go since the last reroll.
ROLL = np.dtype(
    [
        ("kind", "i2"),
        ("roller", "i2"),
        ("agility", "i2"),
        ("attack", "i2"),
        ("defence", "i2"),
        ("parry", "i2"),
        ("bonus", "i2"),
        ("passes", "i2"),
    ],
    align=True,
)

# An attack that has been rolled and has not landed yet (KR-1). ``face`` is the attack die alone, which is
# what a parry is compared with (KR-35); ``total`` is the damage.
PENDING = np.dtype(
    [
        ("active", "i2"),
        ("target", "i2"),  # the seat it hits
        ("face", "i2"),
        ("total", "i2"),
        ("critical", "i2"),
        ("charged", "i2"),
    ],
    align=True,
)

STATE = np.dtype(
    [
        *HEADER,
        ("game", "i2"),  # number of the game in the match, from 1
        ("first", "i2"),  # the seat that had the first turn of this game
        ("turn", "i2"),  # turns begun in this game
        ("max_turns", "i2"),
        ("bonus", "i2"),  # 1 in the additional turn after a perfect parry
        ("seats", SEAT, (NUM_PLAYERS,)),
        ("roll", ROLL),
        ("pending", PENDING),
    ],
    align=True,
)

OPTIONS = np.dtype([("max_turns", "i2")], align=True)
