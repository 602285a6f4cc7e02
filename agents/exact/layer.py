"""Solving the game at one pair of hit points and one pair of token counts.

Hit points and tokens never rise, so these pairs are worked through in ascending order and only the
configurations within a pair depend on each other, through misses, shields, charges and parries. They are
iterated in place (Gauss-Seidel value iteration: Bertsekas, Dynamic Programming and Optimal Control II,
2.2) until a sweep changes no value by more than a tolerance.
"""

from __future__ import annotations

import numpy as np

from kingmaker.agents.exact.layout import shield_row
from kingmaker.agents.exact.rolls import (
    FIXED,
    NONE,
    attack_mean,
    attack_means,
    better,
    bound_attack,
    bound_charge,
    charge_mean,
    charge_means,
)
from kingmaker.agents.exact.turns import (
    attack_stands,
    charge_stands,
    charged,
    defence_mean,
    mode_of,
)
from kingmaker.envs.core.kernel import kernel, large_kernel


@kernel
def choose(mode, policy, x, config, attack, defend, charge, may_defend):
    """Return the value of the choice of an action by ``x``."""
    if mode == FIXED:
        share = policy.act[x, config]
        value = share[0] * attack + share[2] * charge
        return value + share[1] * defend if may_defend else value
    value = better(mode, attack, charge)
    return better(mode, value, defend) if may_defend else value


@kernel
def put(values, x, h0, h1, t0, t1, config, value):
    """Store a value; return by how much it changed."""
    before = values[x, h0 - 1, h1 - 1, t0, t1, config]
    values[x, h0 - 1, h1 - 1, t0, t1, config] = value
    return abs(value - before)


@kernel
def prepare_attack(fig, work, policy, modes, x, k, t0, t1):
    """Work out what rerolls of an attack roll of ``x`` are worth at this pair of token counts."""
    for part in range(2):  # 0: the roller, 1: the other seat
        seat = x if part == 0 else 1 - x
        mode = mode_of(modes, seat, t0 if seat == 0 else t1)
        if mode == NONE:
            continue
        share = policy.attack_own[0, 0]
        if mode == FIXED:
            share = policy.attack_own[seat, k] if part == 0 else policy.attack_other[seat, k]
        means = work.attack_means[t0 - 1 + seat, t1 - seat, x, k]
        bound_attack(fig, mode, means, share, work.attack_keeps[part, x, k], work.attack_bounds[part, x, k])


@kernel
def prepare_charge(fig, work, policy, modes, x, i, t0, t1):
    """Work out the same of a charge roll."""
    for part in range(2):
        seat = x if part == 0 else 1 - x
        mode = mode_of(modes, seat, t0 if seat == 0 else t1)
        if mode == NONE:
            continue
        share = policy.charge_own[0, 0]
        if mode == FIXED:
            share = policy.charge_own[seat, i] if part == 0 else policy.charge_other[seat, i]
        means = work.charge_means[t0 - 1 + seat, t1 - seat, x, i]
        bound_charge(fig, mode, means, share, work.charge_keeps[part, x, i], work.charge_bounds[part, x, i])


@kernel
def prepare(fig, rows, work, policy, modes, t0, t1):
    """Work out what all rerolls are worth at this pair of token counts."""
    for x in range(2):
        for k in range(rows.shape[0]):
            prepare_attack(fig, work, policy, modes, x, k, t0, t1)
        for i in range(2 * fig.kept * fig.size):
            prepare_charge(fig, work, policy, modes, x, i, t0, t1)


@kernel
def sweep(values, fig, rows, work, policy, modes, h0, h1, t0, t1, keep):
    """Update every configuration once; return the largest change. ``keep`` keeps the means of rolls."""
    size = fig.size
    change = 0.0
    for x in range(2):
        hx = h0 if x == 0 else h1
        hy = h1 if x == 0 else h0
        tx = t0 if x == 0 else t1
        ty = t1 if x == 0 else t0
        first = mode_of(modes, x, tx)
        second = mode_of(modes, 1 - x, ty)
        mode = modes[0] if x == 0 else modes[1]
        for i in range(2 * fig.kept * fig.size):
            charge_stands(values, fig, work, x, hx, hy, tx, ty, i % size, i // (size * fig.kept))
            mean = charge_mean(
                fig, first, second, work.charge_keeps, work.charge_bounds, x, i, work.hits, work.charges
            )
            if keep:
                charge_means(fig, work.charges, work.charge_means[t0, t1, x, i])
            change = max(change, put(values, x, h0, h1, t0, t1, fig.forced_at + i, mean))
        for j in range(3 * size + 1):
            broken = j == 2 * size
            bonus = j > 2 * size
            if (broken and not fig.guard) or (bonus and not fig.perfect):
                continue
            dy = 0 if broken else (j - 2 * size - 1 if bonus else j % size)
            cy = 0 if broken or bonus else j // size
            mean = defence_mean(values, fig, work, policy, modes, x, hx, hy, tx, ty, dy, cy, int(broken), j)
            work.defence_now[x, j] = mean
            if keep:
                work.defence_means[t0, t1, x, j] = mean
        for k in range(rows.shape[0]):
            dx = rows[k, 0]
            dy = rows[k, 1]
            cy = rows[k, 2]
            by = rows[k, 3]
            attack_stands(
                values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, rows[k, 4], k, keep
            )
            attack = attack_mean(
                fig, first, second, work.attack_keeps, work.attack_bounds, x, k, work.attacks
            )
            if keep:
                attack_means(fig, work.attacks, work.attack_means[t0, t1, x, k])
            charge = charged(values, fig, x, hx, hy, tx, ty, dx, dy, cy, by)
            defend = work.defence_now[x, shield_row(fig, dy, cy, by, rows[k, 4])]
            value = choose(mode, policy, x, k, attack, defend, charge, dx == 0)
            change = max(change, put(values, x, h0, h1, t0, t1, k, value))
            if fig.guard and k < fig.bonus_at and dx == 0:
                own = fig.own_broken_at + cy * size + dy
                value = choose(mode, policy, x, own, attack, defend, charge, False)
                change = max(change, put(values, x, h0, h1, t0, t1, own, value))
    return change


@large_kernel
def solve_pair(values, fig, rows, work, policy, modes, h0, h1, t0, t1, tolerance, limit):
    """Solve one pair of hit points at one pair of token counts; lower ones must be solved already.

    Args:
        values: float64 of ``Figures.value_shape``, the win probability of seat 0; filled in.
        fig: the game.
        rows: ``layout.attack_positions(fig)``.
        work: scratch space that has seen the lower pairs of token counts at these hit points.
        policy: of the seats whose mode is ``FIXED``.
        modes: how each seat decides: ``HIGHEST`` (seat 0), ``LOWEST`` (seat 1) or ``FIXED``.
        h0: hit points of seat 0, from 1.
        h1: hit points of seat 1.
        t0: tokens of seat 0.
        t1: tokens of seat 1.
        tolerance: the largest change of a value in the last sweep.
        limit: sweeps after which to give up.

    Returns:
        ``(sweeps, largest change in the last)``.
    """
    prepare(fig, rows, work, policy, modes, t0, t1)
    change = np.inf
    count = 0
    while count < limit:
        # One more sweep after the last that counts, so that what is kept agrees with the values.
        keep = change <= tolerance
        change = sweep(values, fig, rows, work, policy, modes, h0, h1, t0, t1, keep)
        count += 1
        if keep:
            break
    return count, change
