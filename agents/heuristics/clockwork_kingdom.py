"""Rules of thumb for Clockwork Kingdom.

Everything is valued in victory points: a placement by what its area gives, a contested prize by how much a
worker raises the chance to win it, a schematic by its points and by what its effects bring in the rounds
left. What is worth most is done. The files ``clockwork_kingdom_*`` beside this one hold the values; here they
are turned into answers.
"""

from __future__ import annotations

from kingmaker.agents.heuristics.clockwork_kingdom_contests import (
    IN_FACTORY,
    IN_LAB,
    battle_gain,
    turns_contest,
)
from kingmaker.agents.heuristics.clockwork_kingdom_placing import best_placement, gain_worth
from kingmaker.agents.heuristics.clockwork_kingdom_workshop import completing_worth, keep_worth, row_worth
from kingmaker.agents.heuristics.clockwork_kingdom_worth import (
    INFLUENCE_WORTH,
    design_at,
    figure,
    have,
    need,
    read,
    reward_worth,
    room,
    rounds_left,
    unit_worth,
    units_of,
)
from kingmaker.envs.clockwork_kingdom.actions import (
    BUILD,
    DISCARD,
    DONE,
    DROP,
    KEEP,
    PASS,
    PAY,
    PLAY,
    RECEIVE,
    REFINE,
    STONE,
    STUDY,
    TAKE,
    TOKEN,
    USE,
)
from kingmaker.envs.clockwork_kingdom.features import (
    CARDS,
    FEW_SCALE,
    OWED_REFINE,
    OWN,
    PHASE,
    RESOURCE_INCOME,
    SCALE,
    STANDING,
    TOKENS,
    WAR,
    WORKSHOP_OWN,
    YARD_AT,
    YARD_MISSING,
    YARD_SIZE,
)
from kingmaker.envs.clockwork_kingdom.state import (
    ASK_DISCARD,
    ASK_DROP,
    ASK_PAY,
    ASK_PLACE,
    ASK_RECEIVE,
    ASK_STONE,
    ASK_TOKEN,
    ASK_UNIVERSITY,
    ASK_WINDOW,
    ASK_WORKSHOP,
    MAX_BATTLEFIELDS,
    MAX_ORDERED,
    MAX_RUINS,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_TYPES,
    ROW,
    SLOTS,
    WORKSHOP,
    YARD,
)
from kingmaker.envs.core.kernel import kernel, large_kernel

# --- Ruins cards --------------------------------------------------------------------------------------


@kernel
def lacks_anything(observation):
    """Return whether the yard lacks any resource."""
    lacking = False
    for resource in range(NUM_RESOURCES):
        if need(observation, resource) > have(observation, resource):
            lacking = True
    return lacking


@kernel
def use_now(tables, observation, kind):
    """Return whether to use a card before placing: mere resources only if they fit and are of use.

    They are if the yard lacks any, and then those of choice and half of the random ones may take the place of
    others; and if they have to make room in the hand or the game is about to end, as far as there is room.
    """
    reward = tables.ruins[kind].reward
    units = units_of(reward)
    if units == 0 or reward.stones > 0:
        return True
    for worker in range(NUM_TYPES):
        if reward.workers[worker] > 0:
            return True
    if lacks_anything(observation):
        return room(observation) >= units - reward.choice - (reward.random + 1) // 2
    pressing = read(observation, OWN + CARDS, FEW_SCALE) >= tables.hand - 1
    pressing = pressing or rounds_left(tables, observation) <= 1
    return pressing and room(observation) > 0


@kernel
def helps_build(observation, least, most):
    """Return whether a worker in the Workshop may complete what lacks ``least`` to ``most`` units."""
    helps = False
    for slot in range(YARD):
        at = YARD_AT + YARD_SIZE * slot
        if design_at(observation, at) >= 0 and least <= read(observation, at + YARD_MISSING, SCALE) <= most:
            helps = True
    return helps and observation[OWN + STANDING + WORKSHOP] > 0


@kernel
def play_now(tables, observation, kind):
    """Return whether to play a card as an area starts to resolve."""
    card = tables.ruins[kind]
    if card.passing.discount > 0 and helps_build(observation, 0, card.passing.discount):
        return True
    if turns_contest(observation, IN_LAB, card.passing.lab):
        return True
    if turns_contest(observation, IN_FACTORY, card.passing.factory):
        return True
    if card.reward.tokens > 0:
        return read(observation, WAR, SCALE) <= 1 and observation[OWN + TOKENS] > 0
    units = units_of(card.reward)
    if units > 0:
        last = rounds_left(tables, observation) <= 0
        return helps_build(observation, 1, units) or (last and room(observation) >= units)
    return card.reward.points > 0 or card.reward.stones > 0


@large_kernel
def place(tables, observation, mask):
    """Use a card if it is time, else place a worker."""
    for kind in range(MAX_RUINS):
        if mask[USE + kind] and use_now(tables, observation, kind):
            return USE + kind
    return best_placement(tables, observation, mask)


@large_kernel
def window(tables, observation, mask):
    """Play the first card that is worth it now."""
    for kind in range(MAX_RUINS):
        if mask[PLAY + kind] and play_now(tables, observation, kind):
            return PLAY + kind
    return PASS


@kernel
def card_worth(tables, observation, kind):
    """Return what a card in hand is worth."""
    card = tables.ruins[kind]
    influence = figure(observation, INFLUENCE_WORTH) * (card.passing.lab + card.passing.factory)
    saved = unit_worth(tables, observation) * card.passing.discount
    return reward_worth(tables, observation, card.reward) + saved + influence


@large_kernel
def drop(tables, observation, mask):
    """Discard the card that is worth least."""
    best, chosen = 100.0, -1
    for kind in range(MAX_RUINS):
        if mask[DROP + kind]:
            worth = card_worth(tables, observation, kind)
            if worth < best:
                best, chosen = worth, DROP + kind
    return chosen


# --- resources, stones and tokens ---------------------------------------------------------------------


@large_kernel
def least_wanted(tables, observation, mask, first):
    """Return the action of a group by resource, from ``first`` on, that gives up the least wanted one."""
    best, chosen = 100.0, -1
    for resource in range(NUM_RESOURCES):
        if mask[first + resource]:
            wanted = keep_worth(tables, observation, resource)
            if wanted < best:
                best, chosen = wanted, first + resource
    return chosen


@kernel
def receive(tables, observation, mask):
    """Receive the resource that is most wanted."""
    best, chosen = -100.0, -1
    for resource in range(NUM_RESOURCES):
        if mask[RECEIVE + resource]:
            wanted = keep_worth(tables, observation, resource)
            if wanted > best:
                best, chosen = wanted, RECEIVE + resource
    return chosen


@kernel
def refine(tables, observation, mask):
    """Give up what is plentiful for what is wanted."""
    made = 0
    while observation[OWED_REFINE + made] == 0:
        made += 1
    given = least_wanted(tables, observation, mask, REFINE)
    wanted = keep_worth(tables, observation, made)
    return given if wanted > 0 and keep_worth(tables, observation, given - REFINE) < 0 else KEEP


@kernel
def surplus(tables, observation, resource):
    """Return how plentiful a resource is, two rounds ahead."""
    income = read(observation, OWN + RESOURCE_INCOME + resource, FEW_SCALE)
    return 2 * income - keep_worth(tables, observation, resource)


@large_kernel
def put_stone(tables, observation, mask):
    """Join the resources that differ most in how plentiful they are."""
    best, chosen = -1.0, -1
    for slot in range(NUM_SLOTS):
        if mask[STONE + slot]:
            gap = surplus(tables, observation, SLOTS[slot][0]) - surplus(tables, observation, SLOTS[slot][1])
            if abs(gap) > best:
                best, chosen = abs(gap), STONE + slot
    return chosen


@kernel
def put_token(tables, observation, mask):
    """Put a token on the battlefield where it brings most."""
    best, chosen = -100.0, -1
    for battlefield in range(MAX_BATTLEFIELDS):
        if mask[TOKEN + battlefield]:
            gain = battle_gain(tables, observation, battlefield)
            if gain > best:
                best, chosen = gain, TOKEN + battlefield
    return chosen


# --- Workshop and University --------------------------------------------------------------------------


@large_kernel
def work(tables, observation, mask):
    """Take or complete what is worth most; while more workers follow, take first, as the row shrinks."""
    best_take, take = 0.0, DONE
    for place in range(ROW + 1):
        if mask[TAKE + place]:
            worth = row_worth(tables, observation, place)
            if worth > best_take:
                best_take, take = worth, TAKE + place
    best_build, build = 0.0, DONE
    for slot in range(YARD):
        if mask[BUILD + slot]:
            worth = completing_worth(tables, observation, slot)
            if worth > best_build:
                best_build, build = worth, BUILD + slot
    if build == DONE or take == DONE:
        return take if build == DONE else build
    following = -1.0  # the one that acts now
    for number in range(MAX_ORDERED):
        following += observation[WORKSHOP_OWN + number]
    return take if following > 0 or best_take > best_build else build


@kernel
def study(observation, mask):
    """Gain the most useful worker."""
    best, chosen = -100.0, -1
    for choice in range(NUM_TYPES * NUM_TYPES):
        if mask[STUDY + choice]:
            worth = gain_worth(observation, choice % NUM_TYPES)
            if worth > best:
                best, chosen = worth, STUDY + choice
    return chosen


@kernel
def decide(tables, observation, mask, stream):
    """Return an action; the rules leave no ties, so ``stream`` is not used."""
    phase = 0
    while observation[PHASE + phase] == 0:
        phase += 1
    if phase == ASK_PLACE:
        return place(tables, observation, mask)
    if phase == ASK_WINDOW:
        return window(tables, observation, mask)
    if phase == ASK_RECEIVE:
        return receive(tables, observation, mask)
    if phase == ASK_DISCARD:
        return least_wanted(tables, observation, mask, DISCARD)
    if phase == ASK_STONE:
        return put_stone(tables, observation, mask)
    if phase == ASK_TOKEN:
        return put_token(tables, observation, mask)
    if phase == ASK_DROP:
        return drop(tables, observation, mask)
    if phase == ASK_PAY:
        return least_wanted(tables, observation, mask, PAY)
    if phase == ASK_WORKSHOP:
        return work(tables, observation, mask)
    if phase == ASK_UNIVERSITY:
        return study(observation, mask)
    return refine(tables, observation, mask)
