"""Rules of thumb for Krig and Krig: Intervention."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
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
from kingmaker.envs.krig.observation import (
    BONUS,
    NUM_BASE,
    OTHER_BOARD,
    OWN_BOARD,
    PENDING_CHANCE,
    PENDING_LETHAL,
    PENDING_LOSS,
    PHASE_REACT,
    PHASE_WINDOW,
    ROLL_CHANCE,
    ROLL_DEFENCE,
    ROLL_KIND,
    ROLL_LETHAL,
    ROLL_LOSS,
    ROLL_MISS,
    ROLL_OWN,
    ROLL_PARRIES,
)
from kingmaker.envs.krig.state import CHARGE_ROLL, DEFENCE_ROLL, PARRY_ROLL

# Shares of the hit points at the start (20): a blow worth a token to avert, a charge too weak to keep.
HEAVY_BLOW = 0.35
WEAK_CHARGE = 0.2
# Share of the defence die's sides below which a shield is worth rolling again.
WEAK_SHIELD = 0.3
EVEN_CHANCE = 0.5
GOOD_CHANCE = 0.75


@kernel
def react(observation):
    """Parry what would kill, what is likely to be parried, and an even chance if the blow would hurt."""
    chance = observation[PENDING_CHANCE]
    hurts = observation[PENDING_LOSS] > 0
    if observation[PENDING_LETHAL] or chance >= GOOD_CHANCE or (chance >= EVEN_CHANCE and hurts):
        return PARRY
    return ACCEPT


@kernel
def act(tables, observation, mask):
    """Finish a weak opponent, shield against blows that hurt, and charge into an open guard."""
    blow = (tables.dice.attack + 1) / 2
    charge = blow + (tables.dice.defence + 1) / 2
    own = observation[OWN_BOARD] * tables.hit_points
    other = observation[OTHER_BOARD] * tables.hit_points
    shield = observation[OTHER_BOARD + 1] * tables.dice.defence
    if observation.shape[0] > NUM_BASE and observation[BONUS]:
        return ATTACK
    if other + shield <= blow:
        return ATTACK
    if observation[OTHER_BOARD + 2]:  # it charges: it cannot parry, and it will hit hard
        return DEFEND if mask[DEFEND] and own <= charge else CHARGE
    if not mask[DEFEND]:
        return ATTACK
    behind = own < other and own <= charge
    return DEFEND if shield >= blow or behind else CHARGE


@kernel
def own_roll(observation):
    """Reroll a miss, a weak charge, a weak shield or a failed parry."""
    if observation[ROLL_KIND + PARRY_ROLL]:
        hurts = observation[PENDING_LOSS] > WEAK_CHARGE or observation[PENDING_LETHAL]
        return PASS + PARRY_DIE if hurts and not observation[ROLL_PARRIES] else PASS
    if observation[ROLL_KIND + DEFENCE_ROLL]:
        return PASS + DEFENCE_DIE if observation[ROLL_DEFENCE] < WEAK_SHIELD else PASS
    if observation[ROLL_MISS]:
        return PASS + AGILITY_DIE
    if observation[ROLL_KIND + CHARGE_ROLL] and observation[ROLL_LOSS] < WEAK_CHARGE:
        return PASS + (ATTACK_DIE | DEFENCE_DIE)
    return PASS


@kernel
def other_roll(observation):
    """Reroll a blow that would kill or that is heavy, unless it is likely to be parried anyway."""
    heavy = observation[ROLL_LETHAL] or observation[ROLL_LOSS] >= HEAVY_BLOW
    if not heavy or observation[ROLL_CHANCE] >= GOOD_CHANCE:
        return PASS
    if observation[ROLL_KIND + CHARGE_ROLL]:
        return PASS + (AGILITY_DIE | ATTACK_DIE | DEFENCE_DIE)
    return PASS + (AGILITY_DIE | ATTACK_DIE)


@kernel
def decide(tables, observation, mask, stream):
    """Return an action; the rules leave no ties, so ``stream`` is not used."""
    if observation[PHASE_REACT]:
        return react(observation)
    if observation.shape[0] > NUM_BASE and observation[PHASE_WINDOW]:
        return own_roll(observation) if observation[ROLL_OWN] else other_roll(observation)
    return act(tables, observation, mask)
