"""Where the rules of thumb for Clockwork Kingdom place workers: where they bring most."""

from __future__ import annotations

from kingmaker.agents.heuristics.clockwork_kingdom_contests import (
    IN_FACTORY,
    IN_LAB,
    battle_gain,
    contest_gain,
)
from kingmaker.agents.heuristics.clockwork_kingdom_workshop import resource_worth, workshop_worth
from kingmaker.agents.heuristics.clockwork_kingdom_worth import (
    CARD_WORTH,
    DEFER,
    GAIN_ALCHEMIST,
    GAIN_ARTIFICER,
    GAIN_PROFESSOR,
    HURRY_BATTLE,
    HURRY_MARKET,
    HURRY_PARK,
    HURRY_WORKSHOP,
    LEFTOVER,
    ORDER_WORTH,
    RESERVE_ALCHEMIST,
    RESERVE_ARTIFICER,
    RESERVE_PROFESSOR,
    SAME_TYPE,
    STONE_DECAY,
    UNIVERSITY,
    facility_worth,
    figure,
    others_of,
    read,
    reward_worth,
    room,
    rounds_left,
    stone_worth,
    unit_worth,
)
from kingmaker.envs.clockwork_kingdom.actions import OVERFLOW
from kingmaker.envs.clockwork_kingdom.features import (
    CARDS,
    CARRIED,
    FEW_SCALE,
    OWN,
    OWN_BATTLE,
    PARK_TAKEN,
    PER_WORKER,
    SCALE,
    SCORING,
)
from kingmaker.envs.clockwork_kingdom.state import (
    ALCHEMIST,
    ARTIFICER,
    AUTOMATON,
    BATTLE_SPACE,
    FACTORY_SPACE,
    LAB_SPACE,
    NUM_RESOURCES,
    NUM_SPACES,
    NUM_TYPES,
    PROFESSOR,
    RANDOM_SPACE,
    RUINS_SPACE,
    SCORE_SPECIALISTS,
    UNIVERSITY_SPACE,
    WORKSHOP_SPACE,
)
from kingmaker.envs.core.kernel import kernel, large_kernel

# --- areas --------------------------------------------------------------------------------------------


@kernel
def any_resource_worth(tables, observation):
    """Return what a random resource is worth."""
    return unit_worth(tables, observation) if room(observation) > 0 else 0.0


@kernel
def best_resource_worth(tables, observation):
    """Return what a resource of one's choice is worth."""
    best = 0.0
    for resource in range(NUM_RESOURCES):
        best = max(best, resource_worth(tables, observation, resource))
    return best


@kernel
def ruins_worth(tables, observation):
    """Return what a Ruins card is worth: nothing in a full hand or after the last round."""
    if rounds_left(tables, observation) <= 0 or observation[OWN + CARDS] * FEW_SCALE >= tables.hand:
        return 0.0
    return figure(observation, CARD_WORTH)


@kernel
def gain_worth(observation, kind):
    """Return what a worker from the University is worth more than an Automaton."""
    if kind == AUTOMATON:
        return 0.0
    which = GAIN_PROFESSOR
    if kind == ALCHEMIST:
        which = GAIN_ALCHEMIST
    elif kind == ARTIFICER:
        which = GAIN_ARTIFICER
    return figure(observation, which) - figure(observation, SAME_TYPE) * read(observation, OWN + kind, SCALE)


@kernel
def university_worth(tables, observation, number):
    """Return what a waiting space of the University is worth: those before it choose the better workers."""
    if rounds_left(tables, observation) <= 0:
        gains_specialist = number < NUM_TYPES - 1
        return LEFTOVER + gains_specialist * read(observation, OWN + SCORING + SCORE_SPECIALISTS, FEW_SCALE)
    best, second, third = 0.0, 0.0, 0.0
    for kind in range(1, NUM_TYPES):
        gain = gain_worth(observation, kind)
        if gain > best:
            best, second, third = gain, best, second
        elif gain > second:
            second, third = gain, second
        else:
            third = max(third, gain)
    gained = best if number == 0 else second if number == 1 else third if number == 2 else 0.0
    return figure(observation, UNIVERSITY) + gained


@kernel
def park_worth(tables, observation):
    """Return what the next space of King's Park is worth."""
    taken = int(read(observation, PARK_TAKEN, FEW_SCALE))
    worth = reward_worth(tables, observation, tables.park[taken])
    if taken == 0:
        for resource in range(NUM_RESOURCES):
            worth += read(observation, CARRIED + resource, FEW_SCALE) * unit_worth(tables, observation)
    if rounds_left(tables, observation) > 0:
        worth += figure(observation, ORDER_WORTH) * (others_of(observation) - taken)
    return worth


# --- workers ------------------------------------------------------------------------------------------


@kernel
def plain_worth(tables, observation, space):
    """Return what an Automaton on a space is worth."""
    if space < RANDOM_SPACE:
        return resource_worth(tables, observation, space) + figure(observation, HURRY_MARKET)
    if space == RANDOM_SPACE:
        return any_resource_worth(tables, observation) + figure(observation, HURRY_MARKET)
    if space == LAB_SPACE:
        prize = stone_worth(tables, observation)
        return contest_gain(tables, observation, IN_LAB, 1, prize) - figure(observation, DEFER)
    if space < RUINS_SPACE:
        return workshop_worth(tables, observation, AUTOMATON) + figure(observation, HURRY_WORKSHOP)
    if space == RUINS_SPACE:
        return ruins_worth(tables, observation)
    if space < UNIVERSITY_SPACE:
        if observation[PER_WORKER] == 0 and observation[OWN_BATTLE + space - BATTLE_SPACE] > 0:
            return 0.0
        return battle_gain(tables, observation, space - BATTLE_SPACE) + figure(observation, HURRY_BATTLE)
    if space < FACTORY_SPACE:
        return university_worth(tables, observation, space - UNIVERSITY_SPACE)
    if space == FACTORY_SPACE:
        prize = facility_worth(tables, observation)
        return contest_gain(tables, observation, IN_FACTORY, 1, prize) - figure(observation, DEFER)
    return park_worth(tables, observation) + figure(observation, HURRY_PARK)


@kernel
def professor_worth(tables, observation, space):
    """Return what a Professor on a space is worth."""
    if WORKSHOP_SPACE <= space < RUINS_SPACE:
        return workshop_worth(tables, observation, PROFESSOR) + figure(observation, HURRY_WORKSHOP)
    return plain_worth(tables, observation, space)


@kernel
def alchemist_worth(tables, observation, space):
    """Return what an Alchemist on a space is worth."""
    if space <= RANDOM_SPACE:
        return best_resource_worth(tables, observation) + figure(observation, HURRY_MARKET)
    if space == LAB_SPACE:
        prize = stone_worth(tables, observation) * (1 + figure(observation, STONE_DECAY))
        gain = contest_gain(tables, observation, IN_LAB, tables.influence, prize)
        return gain - figure(observation, DEFER)
    return plain_worth(tables, observation, space)


@kernel
def artificer_worth(tables, observation, space):
    """Return what an Artificer on a space is worth."""
    if WORKSHOP_SPACE <= space < RUINS_SPACE:
        return workshop_worth(tables, observation, ARTIFICER) + figure(observation, HURRY_WORKSHOP)
    if space == FACTORY_SPACE:
        gain = contest_gain(
            tables, observation, IN_FACTORY, tables.influence, facility_worth(tables, observation)
        )
        return gain - figure(observation, DEFER)
    return plain_worth(tables, observation, space)


@kernel
def special_worth(tables, observation, kind, space):
    """Return what a specialist on a space is worth, less what it would bring where it is special."""
    if kind == PROFESSOR:
        return professor_worth(tables, observation, space) - figure(observation, RESERVE_PROFESSOR)
    if kind == ALCHEMIST:
        return alchemist_worth(tables, observation, space) - figure(observation, RESERVE_ALCHEMIST)
    return artificer_worth(tables, observation, space) - figure(observation, RESERVE_ARTIFICER)


@large_kernel
def best_placement(tables, observation, mask):
    """Return the placement that brings most."""
    best, chosen = -100.0, -1
    if mask[OVERFLOW]:
        best = any_resource_worth(tables, observation) - figure(observation, RESERVE_ALCHEMIST)
        chosen = OVERFLOW
    for space in range(NUM_SPACES):
        if mask[space]:
            worth = plain_worth(tables, observation, space)
            if worth > best:
                best, chosen = worth, space
    for kind in range(1, NUM_TYPES):
        for space in range(NUM_SPACES):
            if mask[NUM_SPACES * kind + space]:
                worth = special_worth(tables, observation, kind, space)
                if worth > best:
                    best, chosen = worth, NUM_SPACES * kind + space
    return chosen
