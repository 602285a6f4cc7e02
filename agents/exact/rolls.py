"""Rolls and their windows: the value of a roll whose dice may be rerolled for tokens.

With the tokens ``(a, b)`` of roller and other seat, a roll ``o`` that would be worth ``R[o]`` if it stood
is worth ``stage(roller, stage(other, R[o]))``: the roller is asked first, the other seat after it has
passed, and the roll stands when both have passed (KR-46). A reroll opens the window anew with one token
less, so its worth is a mean over the dice thrown of values with ``(a - 1, b)`` or ``(a, b - 1)`` tokens,
which are known already if token counts are worked through in ascending order. Thus a seat that tries to win
does nothing to ``R[o]`` but bound it by a constant, and a roll needs no search at all.

Values are the win probability of seat 0 throughout: seat 0 picks the largest, seat 1 the smallest.
"""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.krig.actions import AGILITY_DIE, ATTACK_DIE, DEFENCE_DIE
from kingmaker.envs.krig.state import HIT

# How a seat decides. ``FIXED`` plays given probabilities; ``NONE`` is not asked, for want of tokens.
NONE, HIGHEST, LOWEST, FIXED = range(4)

ALL = AGILITY_DIE | ATTACK_DIE | DEFENCE_DIE


@kernel
def stage(mode, keep, bound, value):
    """Return the value of a choice between passing, worth ``value``, and the best reroll, worth ``bound``.

    For a fixed policy ``keep`` is the probability of passing and ``bound`` the rest of the mean.
    """
    if mode == NONE:
        return value
    if mode == HIGHEST:
        return max(value, bound)
    if mode == LOWEST:
        return min(value, bound)
    return keep * value + bound


@kernel
def better(mode, first, second):
    """Return what a seat with a will of its own prefers."""
    return max(first, second) if mode == HIGHEST else min(first, second)


@kernel
def weight(fig, result):
    """Return the probability that the agility die makes ``result`` of an attack."""
    return (fig.agility - 2) / fig.agility if result == HIT else 1.0 / fig.agility


# --- attack: agility and attack die. Means: over agility [face], over attack [class], over both -------------


@kernel
def attack_reroll(fig, means, result, face, dice):
    """Return the worth of rerolling ``dice`` of an attack roll; ``means`` as of one token less."""
    if dice == AGILITY_DIE:
        return means[face]
    if dice == ATTACK_DIE:
        return means[fig.attack + result]
    return means[fig.attack + 3]


@kernel
def bound_attack(fig, mode, means, policy, keeps, bounds):
    """Fill ``keeps`` and ``bounds``, both ``(class, face)``; ``policy[class, face, dice]``, dice 0 passes."""
    if mode == NONE:
        return
    for result in range(3):
        for face in range(fig.attack):
            agility = means[face]
            attack = means[fig.attack + result]
            both = means[fig.attack + 3]
            if mode == FIXED:
                keeps[result, face] = policy[result, face, 0]
                bounds[result, face] = (
                    policy[result, face, AGILITY_DIE] * agility
                    + policy[result, face, ATTACK_DIE] * attack
                    + policy[result, face, AGILITY_DIE | ATTACK_DIE] * both
                )
            else:
                bounds[result, face] = better(mode, better(mode, agility, attack), both)


@kernel
def attack_mean(fig, first, second, keeps, bounds, x, k, stands):
    """Apply both stages to ``stands`` (class, face) in place; return the mean.

    ``first`` and ``second`` are the modes of roller and other seat; ``keeps`` and ``bounds`` are those of
    ``Work``, of roller ``x`` at position ``k``.
    """
    total = 0.0
    for result in range(3):
        row = 0.0
        for face in range(fig.attack):
            value = stage(
                second, keeps[1, x, k, result, face], bounds[1, x, k, result, face], stands[result, face]
            )
            value = stage(first, keeps[0, x, k, result, face], bounds[0, x, k, result, face], value)
            stands[result, face] = value
            row += value
        total += weight(fig, result) * row
    return total / fig.attack


@kernel
def attack_means(fig, stands, means):
    """Write the partial means of the values after both stages."""
    both = 0.0
    means[: fig.attack] = 0.0
    for result in range(3):
        row = 0.0
        for face in range(fig.attack):
            row += stands[result, face]
            means[face] += weight(fig, result) * stands[result, face]
        means[fig.attack + result] = row / fig.attack
        both += weight(fig, result) * row
    means[fig.attack + 3] = both / fig.attack


# --- charge: agility, attack and defence die ----------------------------------------------------------------


@kernel
def charge_at(fig, result, face, shield, dice):
    """Return where the mean over ``dice`` of a charge roll stands in its list of means."""
    a = fig.attack
    d = fig.defence
    at = 0
    if dice == AGILITY_DIE:
        return at + face * d + shield
    at += a * d
    if dice == ATTACK_DIE:
        return at + result * d + shield
    at += 3 * d
    if dice == DEFENCE_DIE:
        return at + result * a + face
    at += 3 * a
    if dice == AGILITY_DIE | ATTACK_DIE:
        return at + shield
    at += d
    if dice == AGILITY_DIE | DEFENCE_DIE:
        return at + face
    at += a
    if dice == ATTACK_DIE | DEFENCE_DIE:
        return at + result
    return at + 3


@kernel
def bound_charge(fig, mode, means, policy, keeps, bounds):
    """Fill ``keeps`` and ``bounds`` (class, face, shield); ``policy[class, face, shield, dice]``."""
    if mode == NONE:
        return
    for result in range(3):
        for face in range(fig.attack):
            for shield in range(fig.defence):
                if mode == FIXED:
                    keeps[result, face, shield] = policy[result, face, shield, 0]
                    total = 0.0
                    for dice in range(1, ALL + 1):
                        total += (
                            policy[result, face, shield, dice]
                            * means[charge_at(fig, result, face, shield, dice)]
                        )
                    bounds[result, face, shield] = total
                else:
                    best = means[charge_at(fig, result, face, shield, ALL)]
                    for dice in range(1, ALL):
                        best = better(mode, best, means[charge_at(fig, result, face, shield, dice)])
                    bounds[result, face, shield] = best


@kernel
def charge_mean(fig, first, second, keeps, bounds, x, k, hits, values):
    """Return the mean of a charge roll that would be worth ``hits[class, total]`` if it stood.

    The values after both stages are left in ``values`` (class, face, shield).
    """
    mean = 0.0
    for result in range(3):
        row = 0.0
        for face in range(fig.attack):
            for shield in range(fig.defence):
                value = hits[result, face + shield + 2]
                value = stage(
                    second, keeps[1, x, k, result, face, shield], bounds[1, x, k, result, face, shield], value
                )
                value = stage(
                    first, keeps[0, x, k, result, face, shield], bounds[0, x, k, result, face, shield], value
                )
                values[result, face, shield] = value
                row += value
        mean += weight(fig, result) * row
    return mean / (fig.attack * fig.defence)


@kernel
def charge_means(fig, values, means):
    """Write the partial means of the values after both stages."""
    means[:] = 0.0
    for result in range(3):
        p = weight(fig, result)
        for face in range(fig.attack):
            for shield in range(fig.defence):
                value = values[result, face, shield]
                for dice in range(1, ALL + 1):
                    share = value
                    if dice & AGILITY_DIE:
                        share *= p
                    if dice & ATTACK_DIE:
                        share /= fig.attack
                    if dice & DEFENCE_DIE:
                        share /= fig.defence
                    means[charge_at(fig, result, face, shield, dice)] += share


# --- one die: every reroll is worth the same ----------------------------------------------------------------


@kernel
def one_die(first, second, keep_first, keep_second, reroll_first, reroll_second, value):
    """Return the value of a face of a one-die roll after both stages."""
    if second == FIXED:
        value = keep_second * value + (1.0 - keep_second) * reroll_second
    else:
        value = stage(second, 0.0, reroll_second, value)
    if first == FIXED:
        return keep_first * value + (1.0 - keep_first) * reroll_first
    return stage(first, 0.0, reroll_first, value)
