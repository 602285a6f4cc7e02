"""Chances in the contests of Clockwork Kingdom: Alchemy Lab, Factory and battlefields."""

from __future__ import annotations

from kingmaker.agents.heuristics.clockwork_kingdom_worth import (
    BATTLE_DOUBT,
    BATTLE_POOL,
    BATTLE_ROUND,
    CONTEST_DOUBT,
    CONTEST_POOL,
    figure,
    others_of,
    pool_of,
    read,
)
from kingmaker.envs.clockwork_kingdom.features import (
    FEW_SCALE,
    FORCES,
    HAND,
    HELPED,
    INFLUENCE,
    OTHER_SIZE,
    OTHERS,
    OWN,
    PLACE_IN_ORDER,
    ROUND,
    ROUND_SCALE,
    SCALE,
    TOKENS,
    WAR,
)
from kingmaker.envs.clockwork_kingdom.state import MAX_RUINS, NUM_WARS
from kingmaker.envs.core.kernel import kernel, large_kernel

IN_LAB, IN_FACTORY = range(2)  # as ``which`` below
LEAST_DOUBT = 0.05


@kernel
def sure(lead, doubt):
    """Return the chance that a lead holds: one half for none, more the larger it is beside the doubt."""
    return 0.5 + 0.5 * lead / (LEAST_DOUBT + doubt + abs(lead))


# --- Lab and Factory ----------------------------------------------------------------------------------


@kernel
def own_influence(observation, which, more):
    """Return this seat's influence in Lab or Factory with ``more`` than now."""
    own = read(observation, OWN + INFLUENCE + which, SCALE)
    if own == 0 and more > 0:
        own = read(observation, OWN + HELPED + which, FEW_SCALE)
    return own + more


@kernel
def lead_over(observation, which, at, own):
    """Return the lead of ``own`` influence over the seat whose board starts at ``at``; order breaks ties."""
    first = observation[at + PLACE_IN_ORDER] < observation[OWN + PLACE_IN_ORDER]
    return own - read(observation, at + INFLUENCE + which, SCALE) + (-0.5 if first else 0.5)


@kernel
def card_influence(tables, observation, which):
    """Return the influence that a card in hand would add in Lab or Factory."""
    most = 0
    for kind in range(MAX_RUINS):
        if observation[HAND + kind] > 0:
            passing = tables.ruins[kind].passing
            most = max(most, passing.lab if which == IN_LAB else passing.factory)
    return most


@large_kernel
def contest_chance(tables, observation, which, more):
    """Return the chance to win Lab or Factory with ``more`` influence than now."""
    own = own_influence(observation, which, more)
    if own == 0:
        return 0.0
    own += card_influence(tables, observation, which)
    chance = 1.0
    for other in range(others_of(observation)):
        at = OTHERS + OTHER_SIZE * other
        doubt = figure(observation, CONTEST_DOUBT) + figure(observation, CONTEST_POOL) * pool_of(
            observation, at
        )
        chance *= sure(lead_over(observation, which, at, own), doubt)
    return chance


@kernel
def contest_gain(tables, observation, which, more, prize):
    """Return the part of a prize that ``more`` influence brings."""
    before = contest_chance(tables, observation, which, 0)
    return prize * (contest_chance(tables, observation, which, more) - before)


@kernel
def leads(observation, which, more):
    """Return whether ``more`` influence leads over all other seats in Lab or Factory."""
    own = own_influence(observation, which, more)
    ahead = True
    for other in range(others_of(observation)):
        if lead_over(observation, which, OTHERS + OTHER_SIZE * other, own) < 0:
            ahead = False
    return ahead


@kernel
def turns_contest(observation, which, more):
    """Return whether ``more`` influence wins a contest that would be lost."""
    at_stake = observation[OWN + INFLUENCE + which] > 0
    return at_stake and leads(observation, which, more) and not leads(observation, which, 0)


# --- battlefields -------------------------------------------------------------------------------------


@large_kernel
def battle_worth(tables, observation, battlefield, more):
    """Return the points to expect from a battlefield with ``more`` tokens than now.

    To be level with another seat counts as half a victory over it, which is about what shared places pay.
    """
    own = read(observation, OWN + FORCES + battlefield, SCALE) + more
    if own == 0:
        return 0.0
    war = 0
    while war < NUM_WARS - 1 and tables.wars[war].after < read(observation, ROUND, ROUND_SCALE):
        war += 1
    later = figure(observation, BATTLE_ROUND) * (read(observation, WAR, SCALE) - 1)
    all_beaten, one_ahead = 1.0, 0.0
    for other in range(others_of(observation)):
        at = OTHERS + OTHER_SIZE * other
        doubt = figure(observation, BATTLE_DOUBT) + figure(observation, BATTLE_POOL) * pool_of(
            observation, at
        )
        beaten = sure(own - read(observation, at + FORCES + battlefield, SCALE), doubt + later)
        one_ahead = one_ahead * beaten + all_beaten * (1 - beaten)
        all_beaten *= beaten
    return tables.wars[war].first * all_beaten + tables.wars[war].second * one_ahead


@kernel
def battle_gain(tables, observation, battlefield):
    """Return what a token more on a battlefield brings."""
    if observation[OWN + TOKENS] == 0:
        return 0.0
    before = battle_worth(tables, observation, battlefield, 0)
    return battle_worth(tables, observation, battlefield, 1) - before
