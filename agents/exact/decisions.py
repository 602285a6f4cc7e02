"""The value of every action at a decision, worked out from the values of positions.

A decision is decoded from an observation, and the seat that decides takes the part of seat 0: the game is
the same for both. A roll's window needs the means of that one roll at all lower token counts; consecutive
decisions on the same roll share them, so walking through all faces of a roll is cheap.
"""

from __future__ import annotations

import numpy as np

from kingmaker.agents.exact.decode import (
    ATTACK_FACE,
    DEFENCE_FACE,
    FACE,
    FIELDS,
    HAS_BONUS,
    KIND,
    OTHER_BROKEN,
    OTHER_CHARGING,
    OTHER_DEFENCE,
    OTHER_HIT_POINTS,
    OTHER_TOKENS,
    OWN_BROKEN,
    OWN_CHARGING,
    OWN_DEFENCE,
    OWN_HIT_POINTS,
    OWN_ROLL,
    OWN_TOKENS,
    PARRY_FACE,
    PHASE,
    RESULT,
    decode,
    possible,
)
from kingmaker.agents.exact.layer import prepare_attack, prepare_charge
from kingmaker.agents.exact.layout import Figures, Work, work_shapes
from kingmaker.agents.exact.rolls import (
    ALL,
    attack_mean,
    attack_means,
    attack_reroll,
    charge_at,
    charge_mean,
    charge_means,
    stage,
)
from kingmaker.agents.exact.turns import (
    attack_stands,
    avoided,
    charge_stands,
    charged,
    defence_mean,
    defence_stands,
    landed,
    mode_of,
    parry_mean,
    reroll_worth,
)
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.krig.actions import (
    ACCEPT,
    AGILITY_DIE,
    ATTACK,
    ATTACK_DIE,
    CHARGE,
    DEFENCE_DIE,
    DEFEND,
    PARRY,
    PARRY_DIE,
    PASS,
)
from kingmaker.envs.krig.state import ACT, ATTACK_ROLL, CHARGE_ROLL, DEFENCE_ROLL, REACT

# Two actions whose values differ by less than this count as equally good: above the solver's tolerance, and
# too little to add up to anything over a game.
TIE = 1e-9


def decision_work(fig: Figures) -> Work:
    """Return scratch space for ``action_values``: that of the solver, for a single position."""
    return Work(*(np.zeros(shape) for shape in work_shapes(fig, 1, 1)))


@kernel
def of_roller(x, a, b):
    """Return what the roller ``x`` and the other seat have, of which seats 0 and 1 have ``a`` and ``b``."""
    return (a, b) if x == 0 else (b, a)


@large_kernel
def attack_now(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, bonus):
    """Write what an attack from the one position of ``work`` is worth if its roll stands."""
    attack_stands(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, bonus, 0, True)


@large_kernel
def attack_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dx, dy, cy, by, bonus):
    """Fill the means of an attack roll for all pairs of tokens up to ``(t0, t1)``; return its value there.

    The bounds of the last pair are left in ``work``.
    """
    mean = 0.0
    for a in range(t0 + 1):
        for b in range(t1 + 1):
            tx, ty = of_roller(x, a, b)
            first = mode_of(modes, x, tx)
            second = mode_of(modes, 1 - x, ty)
            prepare_attack(fig, work, policy, modes, x, 0, a, b)
            attack_now(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, bonus)
            mean = attack_mean(fig, first, second, work.attack_keeps, work.attack_bounds, x, 0, work.attacks)
            attack_means(fig, work.attacks, work.attack_means[a, b, x, 0])
    return mean


@large_kernel
def charge_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dy, cy):
    """Fill the means of a charge roll for all pairs of tokens up to ``(t0, t1)``.

    ``work.hits`` is left as what the roll is worth if it stands.
    """
    for a in range(t0 + 1):
        for b in range(t1 + 1):
            tx, ty = of_roller(x, a, b)
            first = mode_of(modes, x, tx)
            second = mode_of(modes, 1 - x, ty)
            prepare_charge(fig, work, policy, modes, x, 0, a, b)
            charge_stands(values, fig, work, x, hx, hy, tx, ty, dy, cy)
            charge_mean(
                fig, first, second, work.charge_keeps, work.charge_bounds, x, 0, work.hits, work.charges
            )
            charge_means(fig, work.charges, work.charge_means[a, b, x, 0])


@large_kernel
def defence_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dy, cy, by):
    """Fill the means of a defence roll for all pairs of tokens up to ``(t0, t1)``; return its value there."""
    mean = 0.0
    for a in range(t0 + 1):
        for b in range(t1 + 1):
            tx, ty = of_roller(x, a, b)
            mean = defence_mean(values, fig, work, policy, modes, x, hx, hy, tx, ty, dy, cy, by, 0)
            work.defence_means[a, b, x, 0] = mean
    return mean


@large_kernel
def parry_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dx, dy, face, bonus):
    """Fill the means of a parry roll for all pairs of tokens up to ``(t0, t1)``; return its value there."""
    mean = 0.0
    for a in range(t0 + 1):
        for b in range(t1 + 1):
            tx, ty = of_roller(x, a, b)
            mean = parry_mean(
                values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, 0, face, face + bonus
            )
            work.parry_means[a, b, x, 0, face - 1] = mean
    return mean


@kernel
def write_window(values, fig, work, policy, modes, row, kept, out):
    """Write the values of passing and of every reroll.

    ``kept`` tells that ``work`` holds the tables of this roll already.
    """
    own = row[OWN_ROLL]
    kind = row[KIND]
    x = 1 - own  # the roller: the seat that decides is seat 0
    t0 = row[OWN_TOKENS]
    t1 = row[OTHER_TOKENS]
    hx = row[OWN_HIT_POINTS] if own else row[OTHER_HIT_POINTS]
    hy = row[OTHER_HIT_POINTS] if own else row[OWN_HIT_POINTS]
    tx = t0 if own else t1
    ty = t1 if own else t0
    dx = row[OWN_DEFENCE] if own else row[OTHER_DEFENCE]
    dy = row[OTHER_DEFENCE] if own else row[OWN_DEFENCE]
    cy = row[OTHER_CHARGING] if own else row[OWN_CHARGING]
    by = row[OTHER_BROKEN] if own else row[OWN_BROKEN]
    second = mode_of(modes, 1 - x, ty) if own else 0  # who passes last closes the window
    result = row[RESULT]
    face = row[ATTACK_FACE] - 1
    shield = row[DEFENCE_FACE] - 1
    if kind == ATTACK_ROLL:
        if not kept:
            attack_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dx, dy, cy, by, row[HAS_BONUS])
            attack_now(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, row[HAS_BONUS])
        bound = work.attack_bounds[1, x, 0, result, face]
        out[PASS] = stage(second, 1.0, bound, work.attacks[result, face])
        for dice in range(1, (AGILITY_DIE | ATTACK_DIE) + 1):
            out[PASS + dice] = attack_reroll(fig, work.attack_means[t0 - 1, t1, x, 0], result, face, dice)
    elif kind == CHARGE_ROLL:
        if not kept:
            charge_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dy, cy)
        bound = work.charge_bounds[1, x, 0, result, face, shield]
        out[PASS] = stage(second, 1.0, bound, work.hits[result, face + shield + 2])
        for dice in range(1, ALL + 1):
            at = charge_at(fig, result, face, shield, dice)
            out[PASS + dice] = work.charge_means[t0 - 1, t1, x, 0, at]
    elif kind == DEFENCE_ROLL:
        if not kept:
            defence_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dy, cy, by)
        worth = defence_stands(values, fig, x, hx, hy, tx, ty, dy, cy, by, row[DEFENCE_FACE])
        means = work.defence_means[:, :, x, 0]
        out[PASS] = stage(second, 1.0, reroll_worth(means, 1, t0, t1), worth)
        out[PASS + DEFENCE_DIE] = means[t0 - 1, t1]
    else:
        write_parry_window(values, fig, work, policy, modes, row, kept, out)


@kernel
def write_parry_window(values, fig, work, policy, modes, row, kept, out):
    """Write the values of passing and of rerolling the parry die; the roller is the seat attacked."""
    own = row[OWN_ROLL]
    x = own  # the attacker
    t0 = row[OWN_TOKENS]
    t1 = row[OTHER_TOKENS]
    hx = row[OTHER_HIT_POINTS] if own else row[OWN_HIT_POINTS]
    hy = row[OWN_HIT_POINTS] if own else row[OTHER_HIT_POINTS]
    dx = row[OTHER_DEFENCE] if own else row[OWN_DEFENCE]
    dy = row[OWN_DEFENCE] if own else row[OTHER_DEFENCE]
    tx = t1 if own else t0
    ty = t0 if own else t1
    face = row[FACE]
    means = work.parry_means[:, :, x, 0, face - 1]
    if not kept:
        parry_table(values, fig, work, policy, modes, x, hx, hy, t0, t1, dx, dy, face, row[HAS_BONUS])
    shown = row[PARRY_FACE]
    if shown < face:
        total = face + row[HAS_BONUS]
        worth = landed(values, fig, x, hx, hy, tx, ty, dx, dy, 0, 0, total, False, True)
    else:
        worth = avoided(values, fig, x, hx, hy, tx, ty, dx, dy, shown == face)
    out[PASS] = stage(mode_of(modes, 1, t1) if own else 0, 1.0, reroll_worth(means, 1, t0, t1), worth)
    out[PASS + PARRY_DIE] = means[t0 - 1, t1]


@kernel
def write_turn(values, fig, work, policy, modes, row, out):
    """Write the values of the actions outside windows."""
    t0 = row[OWN_TOKENS]
    t1 = row[OTHER_TOKENS]
    own = row[OWN_HIT_POINTS]
    other = row[OTHER_HIT_POINTS]
    mine = row[OWN_DEFENCE]
    theirs = row[OTHER_DEFENCE]
    bonus = row[HAS_BONUS]
    x = int(row[PHASE] == REACT)  # who attacks
    if x == 1:
        face = row[FACE]
        total = face + bonus
        out[ACCEPT] = landed(
            values, fig, x, other, own, t1, t0, theirs, mine, 0, row[OWN_BROKEN], total, False, False
        )
        out[PARRY] = parry_table(
            values, fig, work, policy, modes, x, other, own, t0, t1, theirs, mine, face, bonus
        )
        return
    cy = row[OTHER_CHARGING]
    by = row[OTHER_BROKEN]
    out[ATTACK] = attack_table(
        values, fig, work, policy, modes, x, own, other, t0, t1, mine, theirs, cy, by, bonus
    )
    if mine == 0 and row[OWN_BROKEN] == 0:
        out[DEFEND] = defence_table(values, fig, work, policy, modes, x, own, other, t0, t1, theirs, cy, by)
    out[CHARGE] = charged(values, fig, x, own, other, t0, t1, mine, theirs, cy, by)


@kernel
def same_roll(row, before):
    """Return whether two decisions in windows are about rolls of the same kind from the same position."""
    return (row[: OWN_ROLL + 1] == before[: OWN_ROLL + 1]).all()


@large_kernel
def action_values(values, fig, work, policy, modes, observations, out):
    """Write the value of every action at every observation, as the win probability of the seat that decides.

    Args:
        values: the solved values of positions.
        fig: the game's figures.
        work: from ``decision_work``.
        policy: ``no_policy()``.
        modes: ``(HIGHEST, LOWEST)``.
        observations: float32 ``(n, F)``, each of a seat that is to decide.
        out: float64 ``(n, A)``; NaN where an action is illegal.

    Returns:
        The first row that is no decision of this game, or -1.
    """
    row = np.zeros(len(FIELDS), np.int64)
    before = np.zeros(len(FIELDS), np.int64)
    for i in range(observations.shape[0]):
        decode(fig, observations[i], row)
        out[i, :] = np.nan
        if not possible(fig, row, out.shape[1]):
            return i
        if row[PHASE] == ACT or row[PHASE] == REACT:
            write_turn(values, fig, work, policy, modes, row, out[i])
        else:
            kept = same_roll(row, before)
            write_window(values, fig, work, policy, modes, row, kept, out[i])
        before[:] = row
    return -1


@large_kernel
def first_best(worth, actions, best):
    """Write for every row the lowest action whose value comes within ``TIE`` of the best, and that value."""
    for i in range(worth.shape[0]):
        top = -1.0
        for action in range(worth.shape[1]):
            if worth[i, action] > top:
                top = worth[i, action]
        best[i] = top
        for action in range(worth.shape[1]):
            if worth[i, action] >= top - TIE:
                actions[i] = action
                break
