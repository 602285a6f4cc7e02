"""From what a seat sees to the decision it stands before: the observation's figures as whole numbers.

Every feature that is needed is a whole number divided by a known figure, so rounding undoes the division
exactly (all figures are far below 2**24, the first integer that float32 skips).
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.krig.actions import PARRY_DIE, PASS
from kingmaker.envs.krig.observation import (
    BONUS,
    NUM_BASE,
    OTHER_BOARD,
    OTHER_EXPANSION,
    OWN_BOARD,
    OWN_EXPANSION,
    PENDING_FACE,
    PHASE_ACT,
    PHASE_REACT,
    ROLL_ATTACK,
    ROLL_CRITICAL,
    ROLL_DEFENCE,
    ROLL_KIND,
    ROLL_MISS,
    ROLL_OWN,
    ROLL_PARRY,
    ROLL_PASSED,
)
from kingmaker.envs.krig.state import (
    ACT,
    ATTACK_ROLL,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    HIT,
    MISS,
    NUM_ROLLS,
    PARRY_ROLL,
    REACT,
    WINDOW,
)

# Columns of a decision; ``own`` is the seat that decides.
FIELDS = (
    "phase",
    "own_hit_points",
    "other_hit_points",
    "own_tokens",
    "other_tokens",
    "own_defence",
    "other_defence",
    "own_charging",
    "other_charging",
    "own_broken",
    "other_broken",
    "bonus",  # of the attack that is pending, on the table, or about to be made
    "face",  # attack die of the pending attack, 0 if none
    "kind",  # of the roll on the table, from here on: 0 outside a window
    "roll_own",
    "passed",
    "result",  # of the agility die
    "attack",
    "defence",
    "parry",
)
(
    PHASE,
    OWN_HIT_POINTS,
    OTHER_HIT_POINTS,
    OWN_TOKENS,
    OTHER_TOKENS,
    OWN_DEFENCE,
    OTHER_DEFENCE,
    OWN_CHARGING,
    OTHER_CHARGING,
    OWN_BROKEN,
    OTHER_BROKEN,
    HAS_BONUS,
    FACE,
    KIND,
    OWN_ROLL,
    PASSED,
    RESULT,
    ATTACK_FACE,
    DEFENCE_FACE,
    PARRY_FACE,
) = range(len(FIELDS))


@kernel
def whole(share, figure):
    """Return the integer that was divided by ``figure``."""
    return int(np.floor(share * figure + 0.5))


@kernel
def decode(fig, seen, row):
    """Write the decision behind an observation float32 ``(F,)`` into ``row``, int64 ``(20,)``."""
    row[:] = 0
    row[PHASE] = REACT if seen[PHASE_REACT] else (ACT if seen[PHASE_ACT] else WINDOW)
    row[OWN_HIT_POINTS] = whole(seen[OWN_BOARD], fig.hit_points)
    row[OTHER_HIT_POINTS] = whole(seen[OTHER_BOARD], fig.hit_points)
    row[OWN_DEFENCE] = whole(seen[OWN_BOARD + 1], fig.defence)
    row[OTHER_DEFENCE] = whole(seen[OTHER_BOARD + 1], fig.defence)
    row[OWN_CHARGING] = whole(seen[OWN_BOARD + 2], 1)
    row[OTHER_CHARGING] = whole(seen[OTHER_BOARD + 2], 1)
    row[FACE] = whole(seen[PENDING_FACE], fig.attack)
    if seen.shape[0] == NUM_BASE:
        return
    row[OWN_TOKENS] = whole(seen[OWN_EXPANSION], fig.tokens)
    row[OTHER_TOKENS] = whole(seen[OTHER_EXPANSION], fig.tokens)
    row[OWN_BROKEN] = whole(seen[OWN_EXPANSION + 2], 1)
    row[OTHER_BROKEN] = whole(seen[OTHER_EXPANSION + 2], 1)
    row[HAS_BONUS] = whole(seen[BONUS], 1)
    if row[PHASE] != WINDOW:
        return
    for kind in range(NUM_ROLLS):
        if seen[ROLL_KIND + kind]:
            row[KIND] = kind
    row[OWN_ROLL] = whole(seen[ROLL_OWN], 1)
    row[PASSED] = whole(seen[ROLL_PASSED], 1)
    row[RESULT] = MISS if seen[ROLL_MISS] else (CRITICAL if seen[ROLL_CRITICAL] else HIT)
    row[ATTACK_FACE] = whole(seen[ROLL_ATTACK], fig.attack)
    row[DEFENCE_FACE] = whole(seen[ROLL_DEFENCE], fig.defence)
    row[PARRY_FACE] = whole(seen[ROLL_PARRY], fig.parry)


@kernel
def within(value, low, high):
    """Return whether an integer lies in a range, bounds included."""
    return low <= value and value <= high


@kernel
def possible(fig, row, actions):
    """Return whether a decoded decision is one of this game, with ``actions`` in its table.

    Compiled code does not check bounds, so what goes on to it must fit.
    """
    fits = within(row[OWN_HIT_POINTS], 1, fig.hit_points) and within(row[OTHER_HIT_POINTS], 1, fig.hit_points)
    fits = fits and within(row[OWN_DEFENCE], 0, fig.defence) and within(row[OTHER_DEFENCE], 0, fig.defence)
    fits = fits and within(row[OWN_TOKENS], 0, fig.tokens) and within(row[OTHER_TOKENS], 0, fig.tokens)
    for flag in (OWN_CHARGING, OTHER_CHARGING, OWN_BROKEN, OTHER_BROKEN, HAS_BONUS, OWN_ROLL):
        fits = fits and within(row[flag], 0, 1)
    parries = row[PHASE] == REACT or (row[PHASE] == WINDOW and row[KIND] == PARRY_ROLL)
    if parries:
        fits = fits and within(row[FACE], 1, min(fig.attack, fig.parry))
    if row[PHASE] != WINDOW:
        return fits
    fits = fits and actions > PASS + PARRY_DIE and row[OWN_TOKENS] > 0
    if row[KIND] == ATTACK_ROLL or row[KIND] == CHARGE_ROLL:
        fits = fits and within(row[ATTACK_FACE], 1, fig.attack)
    if row[KIND] == CHARGE_ROLL or row[KIND] == DEFENCE_ROLL:
        fits = fits and within(row[DEFENCE_FACE], 1, fig.defence)
    if row[KIND] == PARRY_ROLL:
        fits = fits and within(row[PARRY_FACE], 1, fig.parry)
    return fits
