"""What follows a roll that stands: the rules of Krig as steps from one position to the next.

This is the solver's own telling of the rules; ``kingmaker.benchmarks.exact_check`` and the tests hold it
against the game's kernels. Throughout, ``x`` is the seat that rolls or attacks and ``y`` the other one;
``h``, ``t`` and ``d`` are hit points, tokens and defence die. ``KR-n`` are the ids of the rulebook.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.agents.exact.layout import CLASSES, Figures, bonus_configuration, configuration
from kingmaker.agents.exact.rolls import FIXED, NONE, better, one_die
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.krig.state import CRITICAL, HIT, MISS, NUM_PLAYERS


class Policy(NamedTuple):
    """The action probabilities of the seats that are ``FIXED``, at one pair of hit points and one of tokens.

    The first axis is the seat that decides. The arrays that end in ``own`` are for rolls that this seat made,
    those in ``other`` for the other seat's. For one-die rolls they hold the probability of passing. A parry
    belongs to the attack it answers.
    """

    act: np.ndarray  # (seat, configurations before ``forced_at``, 3): attack, defend, charge
    react: np.ndarray  # (seat, positions, parried faces): probability of parry
    attack_own: np.ndarray  # (seat, positions, class, attack, 4): by the set of dice rerolled
    attack_other: np.ndarray
    charge_own: np.ndarray  # (seat, charges, class, attack, defence, 8)
    charge_other: np.ndarray
    defence_own: np.ndarray  # (seat, shields, defence)
    defence_other: np.ndarray
    parry_own: np.ndarray  # (seat, positions, parried faces, parry)
    parry_other: np.ndarray


def new_policy(fig: Figures) -> Policy:
    """Return a policy to fill in (``views.Views.fill``)."""
    n, positions = NUM_PLAYERS, fig.own_broken_at
    attack = (n, positions, CLASSES, fig.attack, 4)
    charge = (n, fig.charges, CLASSES, fig.attack, fig.defence, 8)
    shield = (n, fig.shields, fig.defence)
    parry = (n, positions, fig.parried, fig.parry)
    shapes = ((n, fig.forced_at, 3), parry[:-1], attack, attack, charge, charge, shield, shield, parry, parry)
    return Policy(*map(np.zeros, shapes))


def no_policy() -> Policy:
    """Return the policy to hand in when no seat is fixed; it is never read."""
    return Policy(*(np.zeros((1,) * rank) for rank in (3, 3, 5, 5, 6, 6, 3, 3, 4, 4)))


@kernel
def look(values, x, hx, hy, tx, ty, config):
    """Return the value of the position in which seat ``x`` acts."""
    if x == 0:
        return values[0, hx - 1, hy - 1, tx, ty, config]
    return values[1, hy - 1, hx - 1, ty, tx, config]


@kernel
def mode_of(modes, seat, tokens):
    """Return how ``seat`` decides in a window."""
    if tokens == 0:
        return NONE
    return modes[0] if seat == 0 else modes[1]


@kernel
def reroll_worth(means, seat, t0, t1):
    """Return the mean in ``means`` (T, T) once ``seat`` has spent a token; 0 if it has none."""
    if seat == 0:
        return means[t0 - 1, t1] if t0 > 0 else 0.0
    return means[t0, t1 - 1] if t1 > 0 else 0.0


@kernel
def landed(values, fig, x, hx, hy, tx, ty, dx, dy, cy, by, total, critical, again):
    """Return the value once an attack of ``x`` has hit ``y``; then ``x`` acts ``again`` (KR-132) or ``y``."""
    broken = by
    lost = total
    if not critical:
        if fig.guard and dy > 0 and total == dy:
            broken = 1  # KR-37 to KR-41
        absorbed = min(total, dy)
        dy = dy - absorbed
        lost = total - absorbed
    left = hy - lost
    if left <= 0:
        return 1.0 - x
    if again:
        return look(values, x, hx, left, tx, ty, configuration(fig, dx, dy, 0, 0, 0, broken))
    return look(values, 1 - x, left, hx, ty, tx, configuration(fig, dy, dx, cy, 0, broken, 0))


@kernel
def avoided(values, fig, x, hx, hy, tx, ty, dx, dy, perfect):
    """Return the value once ``y`` has parried: the additional turn begins (KR-4, KR-32)."""
    if perfect and fig.perfect:
        return look(values, 1 - x, hy, hx, ty, tx, bonus_configuration(fig, dy, dx))
    return look(values, 1 - x, hy, hx, ty, tx, configuration(fig, dy, dx, 0, 0, 0, 0))


@kernel
def parry_mean(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, k, face, total):
    """Return the value of a parry by ``y`` of the attack from position ``k``, its window included."""
    y = 1 - x
    failed = landed(values, fig, x, hx, hy, tx, ty, dx, dy, 0, 0, total, False, True)  # KR-42: ban used up
    parried = avoided(values, fig, x, hx, hy, tx, ty, dx, dy, False)
    perfect = avoided(values, fig, x, hx, hy, tx, ty, dx, dy, True)
    t0 = tx if x == 0 else ty
    t1 = ty if x == 0 else tx
    first = mode_of(modes, y, ty)
    second = mode_of(modes, x, tx)
    means = work.parry_means[:, :, x, k, face - 1]
    reroll_first = reroll_worth(means, y, t0, t1)
    reroll_second = reroll_worth(means, x, t0, t1)
    mean = 0.0
    for shown in range(1, fig.parry + 1):
        keep_first = policy.parry_own[y, k, face - 1, shown - 1] if first == FIXED else 1.0
        keep_second = policy.parry_other[x, k, face - 1, shown - 1] if second == FIXED else 1.0
        value = failed if shown < face else (perfect if shown == face else parried)  # KR-128, KR-32
        mean += one_die(first, second, keep_first, keep_second, reroll_first, reroll_second, value)
    return mean / fig.parry


@kernel
def reaction(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, by, k, face, total, parry):
    """Return the value of the choice of ``y`` between accept and a parry worth ``parry``."""
    accept = landed(values, fig, x, hx, hy, tx, ty, dx, dy, 0, by, total, False, False)
    mode = modes[1] if x == 0 else modes[0]
    if mode == FIXED:
        chance = policy.react[1 - x, k, face - 1]
        return chance * parry + (1.0 - chance) * accept
    return better(mode, accept, parry)


@kernel
def attack_stands(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, cy, by, bonus, k, keep):
    """Write what an attack from a position is worth by class and face, its own window aside.

    With ``keep`` the values of parries are kept in ``work.parry_means``.
    """
    t0 = tx if x == 0 else ty
    t1 = ty if x == 0 else tx
    missed = look(values, 1 - x, hy, hx, ty, tx, configuration(fig, dy, dx, cy, 0, by, 0))
    for face in range(1, fig.attack + 1):
        total = face + bonus
        work.attacks[MISS, face - 1] = missed
        work.attacks[CRITICAL, face - 1] = landed(
            values, fig, x, hx, hy, tx, ty, dx, dy, cy, by, total, True, False
        )
        if face <= fig.parry and not cy:  # KR-9, KR-16
            parry = parry_mean(values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, k, face, total)
            if keep:
                work.parry_means[t0, t1, x, k, face - 1] = parry
            work.attacks[HIT, face - 1] = reaction(
                values, fig, work, policy, modes, x, hx, hy, tx, ty, dx, dy, by, k, face, total, parry
            )
        else:
            work.attacks[HIT, face - 1] = landed(
                values, fig, x, hx, hy, tx, ty, dx, dy, cy, by, total, False, False
            )


@kernel
def charge_stands(values, fig, work, x, hx, hy, tx, ty, dy, cy):
    """Write what the charge attack of ``x`` is worth by class and total, its window aside (KR-125)."""
    missed = look(values, 1 - x, hy, hx, ty, tx, configuration(fig, dy, 0, cy, 0, 0, 0))
    for total in range(2, fig.attack + fig.defence + 1):
        work.hits[MISS, total] = missed
        work.hits[HIT, total] = landed(values, fig, x, hx, hy, tx, ty, 0, dy, cy, 0, total, False, False)
        work.hits[CRITICAL, total] = landed(values, fig, x, hx, hy, tx, ty, 0, dy, cy, 0, total, True, False)


@kernel
def defence_stands(values, fig, x, hx, hy, tx, ty, dy, cy, by, shown):
    """Return what a defence roll of ``shown`` is worth if it stands (KR-119)."""
    return look(values, 1 - x, hy, hx, ty, tx, configuration(fig, dy, shown, cy, 0, by, 0))


@kernel
def defence_mean(values, fig, work, policy, modes, x, hx, hy, tx, ty, dy, cy, by, j):
    """Return the value of a defend action of ``x``, its window included; ``j``: ``layout.shield_row``."""
    t0 = tx if x == 0 else ty
    t1 = ty if x == 0 else tx
    first = mode_of(modes, x, tx)
    second = mode_of(modes, 1 - x, ty)
    means = work.defence_means[:, :, x, j]
    reroll_first = reroll_worth(means, x, t0, t1)
    reroll_second = reroll_worth(means, 1 - x, t0, t1)
    mean = 0.0
    for shown in range(1, fig.defence + 1):
        keep_first = policy.defence_own[x, j, shown - 1] if first == FIXED else 1.0
        keep_second = policy.defence_other[1 - x, j, shown - 1] if second == FIXED else 1.0
        value = defence_stands(values, fig, x, hx, hy, tx, ty, dy, cy, by, shown)
        mean += one_die(first, second, keep_first, keep_second, reroll_first, reroll_second, value)
    return mean / fig.defence


@kernel
def charged(values, fig, x, hx, hy, tx, ty, dx, dy, cy, by):
    """Return the value once ``x`` has declared a charge (KR-123)."""
    return look(values, 1 - x, hy, hx, ty, tx, configuration(fig, dy, dx, cy, 1, by, 0))
