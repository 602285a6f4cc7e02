"""What things are worth to the rules of thumb for Clockwork Kingdom, in victory points.

The figures have been tuned by matches of slightly different variants, for each number of seats by itself:
with two seats a worker finds open spaces, with four it finds contests.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.features import (
    CAPACITY,
    COMPLETED,
    DESIGN_SCALE,
    FACILITIES,
    FACILITY,
    FACILITY_RANDOM,
    FACILITY_REFINE,
    FEW_SCALE,
    MARKET_OWN,
    OTHER_SIZE,
    OTHERS,
    OWN,
    ROUND,
    ROUND_SCALE,
    SCALE,
    SCORING,
    SLOT,
    STORE,
    WON,
    WORKER_INCOME,
    YARD_AT,
    YARD_COST,
    YARD_SIZE,
)
from kingmaker.envs.clockwork_kingdom.state import (
    AUTOMATON,
    NUM_RESOURCES,
    NUM_SCHEMATIC_TYPES,
    NUM_SCORED,
    NUM_SLOTS,
    NUM_TYPES,
    SCORE_BATTLES,
    SCORE_FACILITIES,
    SCORE_STONES,
)
from kingmaker.envs.core.kernel import kernel, large_kernel

LEFTOVER = 1 / 3  # of a resource or worker at the end

(
    RESOURCE,
    WORKER,
    SPECIALIST,
    STONE_WORTH,
    STONE_DECAY,
    TOKEN_WORTH,
    CARD_WORTH,
    DISCOUNT_WORTH,
    INFLUENCE_WORTH,
    ROOM_WORTH,
    REFINE_WORTH,
    ORDER_WORTH,
    MORE_TO_SCORE,
    MORE_BATTLES,
    LAST_SPECIALISTS,
    CONTEST_DOUBT,
    CONTEST_POOL,
    BATTLE_DOUBT,
    BATTLE_POOL,
    BATTLE_ROUND,
    TAKING,
    COMPLETING,
    COMBINED,
    EACH_MISSING,
    LACKING,
    HAVING,
    PLAN,
    LATE,
    WANTED,
    UNIVERSITY,
    GAIN_PROFESSOR,
    GAIN_ALCHEMIST,
    GAIN_ARTIFICER,
    SAME_TYPE,
    RESERVE_PROFESSOR,
    RESERVE_ALCHEMIST,
    RESERVE_ARTIFICER,
    HURRY_MARKET,
    HURRY_WORKSHOP,
    HURRY_BATTLE,
    HURRY_PARK,
    DEFER,
) = range(42)

# Each figure with two, three and four seats.
_BY_SEATS = (
    # While rounds are left.
    (RESOURCE, 0.85, 1.03, 1.28),  # any resource
    (WORKER, 0.85, 0.75, 0.56),  # an Automaton for the next round
    (SPECIALIST, 1.31, 1.51, 1.75),  # a specialist for it
    (STONE_WORTH, 2.02, 2.8, 3.22),  # the first alchemy stone
    (STONE_DECAY, 0.76, 0.71, 0.74),  # times this for each that the seat has
    (TOKEN_WORTH, 3.1, 2.6, 2.74),  # a military token by a schematic
    (CARD_WORTH, 0.76, 1.48, 1.76),  # a Ruins card
    # For each round left.
    (DISCOUNT_WORTH, 1.0, 2.12, 2.1),  # a unit off each build
    (INFLUENCE_WORTH, 0.22, 0.1, 0.07),  # in Lab or Factory
    (ROOM_WORTH, 0.01, 0.06, 0.05),  # for a resource more in the store
    (REFINE_WORTH, 0.21, 0.1, 0.05),  # a resource that is refined
    (MORE_TO_SCORE, 0.58, 0.17, 0.19),  # things that end scoring will count
    (MORE_BATTLES, 0.44, 0.59, 0.59),  # battlefields that the seat will score as first
    (LAST_SPECIALISTS, 1.5, 1.2, 1.0),  # from the University for the final count, whatever the rounds left
    (ORDER_WORTH, 0.45, 0.23, 0.17),  # a place in the turn order of the next round
    # How uncertain a lead in Lab or Factory is, and how much more for each worker an opponent has to place.
    (CONTEST_DOUBT, 0.32, 0.35, 0.34),
    (CONTEST_POOL, 0.82, 0.28, 0.34),
    # The same of a battlefield, and for each round up to its scoring.
    (BATTLE_DOUBT, 0.01, 0.01, 0.0),
    (BATTLE_POOL, 0.01, 0.07, 0.09),
    (BATTLE_ROUND, 0.47, 0.25, 0.0),
    # The Workshop: shares of what a schematic is worth.
    (TAKING, 0.22, 0.72, 1.02),  # to take it
    (COMPLETING, 1.21, 1.14, 1.78),  # to complete it
    (COMBINED, 0.28, 0.48, 0.63),  # for all workers together that fetch what it lacks and complete it
    (EACH_MISSING, 0.15, 0.25, 0.24),  # times this for each unit that it lacks and the Market cannot give
    (LACKING, 0.45, 0.97, 0.79),  # taken off for each unit that the seat has yet to find
    (HAVING, 0.0, 0.05, 0.02),  # and for each that it has
    (LATE, 3.69, 4.11, 3.97),  # units that a seat finds in a round
    (WANTED, 0.02, 0.18, 0.13),  # for a unit that the yard lacks
    (PLAN, 0.4, 0.31, 0.33),  # how much of the cost counts of the schematic likely to be taken next
    # The University: a waiting space, and what its workers are worth more than an Automaton.
    (UNIVERSITY, 5.98, 4.75, 6.46),
    (GAIN_PROFESSOR, 11.4, 1.89, 1.59),
    (GAIN_ALCHEMIST, 0.2, 0.3, 0.34),
    (GAIN_ARTIFICER, 0.73, 0.87, 0.83),
    (SAME_TYPE, 0.16, 0.11, 0.12),  # less for each of the type in the pool
    # What a specialist would bring where it is special; taken off elsewhere.
    (RESERVE_PROFESSOR, 0.16, 0.08, 0.1),
    (RESERVE_ALCHEMIST, 0.28, 0.16, 0.23),
    (RESERVE_ARTIFICER, 1.09, 0.58, 0.57),
    # Added in areas whose spaces run out, taken off in Lab and Factory, which stay open.
    (HURRY_MARKET, -0.18, -0.0, -0.07),
    (HURRY_WORKSHOP, 0.65, 0.14, 0.12),
    (HURRY_BATTLE, 0.22, 0.01, -0.12),
    (HURRY_PARK, 0.34, 0.16, 0.2),
    (DEFER, 0.51, 0.33, 0.22),
)
FIGURES = np.array([values for _, *values in sorted(_BY_SEATS)])


# --- reading the observation --------------------------------------------------------------------------


@kernel
def others_of(observation):
    """Return the number of other seats."""
    return (observation.shape[0] - OTHERS) // OTHER_SIZE


@kernel
def figure(observation, which):
    """Return one of the figures above for this number of seats."""
    return FIGURES[which, others_of(observation) - 1]


@kernel
def read(observation, at, scale):
    """Return a feature as it was before it was divided by ``scale``."""
    return np.float64(observation[at]) * scale


@kernel
def rounds_left(tables, observation):
    """Return the rounds after this one."""
    return tables.rounds - read(observation, ROUND, ROUND_SCALE)


@kernel
def pool_of(observation, at):
    """Return the workers that the seat whose board starts at ``at`` has yet to place."""
    pool = np.float64(0)
    for kind in range(NUM_TYPES):
        pool += read(observation, at + kind, SCALE)
    return pool


@kernel
def have(observation, resource):
    """Return the units of a resource in store and to come from the Market."""
    return read(observation, OWN + STORE + resource, SCALE) + observation[MARKET_OWN + resource]


@kernel
def need(observation, resource):
    """Return the units of a resource that the schematics in the yard cost."""
    first = read(observation, YARD_AT + YARD_COST + resource, FEW_SCALE)
    return first + read(observation, YARD_AT + YARD_SIZE + YARD_COST + resource, FEW_SCALE)


@kernel
def room(observation):
    """Return how many more resources the store holds once the Market has resolved."""
    left = read(observation, OWN + CAPACITY, SCALE) - observation[MARKET_OWN + NUM_RESOURCES]
    for resource in range(NUM_RESOURCES):
        left -= have(observation, resource)
    return left


@kernel
def design_at(observation, at):
    """Return the design that a feature numbers from 1, or -1."""
    return np.int64(read(observation, at, DESIGN_SCALE)) - 1


@kernel
def cost_of(tables, design):
    """Return the units that a schematic costs."""
    cost = np.int64(0)
    for resource in range(NUM_RESOURCES):
        cost += tables.schematics[design].cost[resource]
    return cost


# --- what things are worth ----------------------------------------------------------------------------


@kernel
def unit_worth(tables, observation):
    """Return what any resource is worth."""
    return figure(observation, RESOURCE) if rounds_left(tables, observation) > 0 else LEFTOVER


@kernel
def worker_worth(tables, observation, kind):
    """Return what a worker of a type for the next round is worth."""
    if rounds_left(tables, observation) <= 0:
        return LEFTOVER
    return figure(observation, WORKER if kind == AUTOMATON else SPECIALIST)


@kernel
def stones_of(observation):
    """Return the alchemy stones that the seat has."""
    stones = np.int64(0)
    for slot in range(NUM_SLOTS):
        stones += np.int64(observation[OWN + SLOT + slot])
    return stones


@kernel
def stone_worth(tables, observation):
    """Return what another alchemy stone is worth."""
    worth = figure(observation, STONE_WORTH) * min(1.0, rounds_left(tables, observation) / 2)
    for _ in range(stones_of(observation)):
        worth *= figure(observation, STONE_DECAY)
    return worth + read(observation, OWN + SCORING + SCORE_STONES, FEW_SCALE)


@kernel
def payments_worth(observation, rounds, units, refined):
    """Return what ``units`` of resources at the end of each round are worth; the last ones are left over."""
    each = units * figure(observation, RESOURCE) + refined * figure(observation, REFINE_WORTH)
    return rounds * each + LEFTOVER * units


@large_kernel
def income_worth(observation, income, rounds):
    """Return what an income is worth."""
    units, refined, specialists = np.int64(income.random), np.int64(0), np.int64(0)
    for resource in range(NUM_RESOURCES):
        units += income.resources[resource]
        refined += income.refine[resource]
    for kind in range(1, NUM_TYPES):
        specialists += income.workers[kind]
    workers = income.workers[AUTOMATON] * figure(observation, WORKER)
    workers += specialists * figure(observation, SPECIALIST)
    last = LEFTOVER * (income.workers[AUTOMATON] + specialists)
    return payments_worth(observation, rounds, units, refined) + rounds * workers + last


@kernel
def units_of(reward):
    """Return the resources that a reward brings."""
    units = np.int64(reward.random) + reward.choice
    for resource in range(NUM_RESOURCES):
        units += reward.resources[resource]
    return units


@large_kernel
def reward_worth(tables, observation, reward):
    """Return what a reward is worth."""
    worth = reward.points + units_of(reward) * unit_worth(tables, observation)
    worth += reward.tokens * figure(observation, TOKEN_WORTH)
    for kind in range(NUM_TYPES):
        worth += reward.workers[kind] * worker_worth(tables, observation, kind)
    if reward.stones > 0:
        worth += reward.stones * stone_worth(tables, observation)
    if rounds_left(tables, observation) > 0:
        worth += reward.cards * figure(observation, CARD_WORTH)
    return worth


@kernel
def scored(observation, what, rounds):
    """Return how many things end scoring will count."""
    if what == SCORE_BATTLES:
        return read(observation, OWN + WON, SCALE) + figure(observation, MORE_BATTLES) * rounds
    more = figure(observation, MORE_TO_SCORE) * rounds
    if what < NUM_SCHEMATIC_TYPES:
        return read(observation, OWN + COMPLETED + what, SCALE) + more
    if what == SCORE_FACILITIES:
        return read(observation, OWN + FACILITIES, SCALE) + more
    if what == SCORE_STONES:
        return stones_of(observation) + more
    specialists = figure(observation, LAST_SPECIALISTS)
    for kind in range(1, NUM_TYPES):
        specialists += read(observation, OWN + WORKER_INCOME + kind, FEW_SCALE)
    return specialists


@large_kernel
def design_worth(tables, observation, design, rounds):
    """Return what a schematic is worth that is completed with ``rounds`` to go after the present one."""
    card = tables.schematics[design]
    worth = card.points + income_worth(observation, card.income, rounds)
    worth += reward_worth(tables, observation, card.reward)
    each_round = card.lasting.discount * figure(observation, DISCOUNT_WORTH)
    each_round += (card.lasting.lab + card.lasting.factory) * figure(observation, INFLUENCE_WORTH)
    each_round += card.capacity * figure(observation, ROOM_WORTH)
    for what in range(NUM_SCORED):
        if card.scoring[what] > 0:
            worth += card.scoring[what] * (scored(observation, what, rounds) + (what == card.kind))
    return worth + rounds * each_round


@kernel
def facility_worth(tables, observation):
    """Return what the face-up facility is worth."""
    units = read(observation, FACILITY_RANDOM, FEW_SCALE)
    refined = np.float64(0)
    for resource in range(NUM_RESOURCES):
        units += read(observation, FACILITY + resource, FEW_SCALE)
        refined += read(observation, FACILITY_REFINE + resource, FEW_SCALE)
    worth = payments_worth(observation, rounds_left(tables, observation), units, refined)
    return worth + read(observation, OWN + SCORING + SCORE_FACILITIES, FEW_SCALE)
