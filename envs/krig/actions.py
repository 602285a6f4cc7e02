"""The action table of Krig: stable ids and names."""

from __future__ import annotations

from kingmaker.envs.core.spec import Action

ACCEPT, PARRY, ATTACK, DEFEND, CHARGE, PASS = range(6)

# Dice as bits: a reroll's id is ``PASS`` plus the set of dice it takes up.
AGILITY_DIE, ATTACK_DIE, DEFENCE_DIE, PARRY_DIE = 1, 2, 4, 8

BASE_ACTIONS = (
    Action("accept", "let the pending attack land, then take an action", "react"),
    Action("parry", "roll the parry die against the pending attack", "react"),
    Action("attack", "roll the agility and the attack die", "act"),
    Action("defend", "roll the defence die and activate it", "act"),
    Action("charge", "pick up the agility die; the next turn is a charge attack", "act"),
)

INTERVENTION_ACTIONS = (
    *BASE_ACTIONS,
    Action("pass", "spend no token on this roll", "window"),
    Action("reroll-agility", "spend a token to reroll the agility die", "window"),
    Action("reroll-attack", "spend a token to reroll the attack die", "window"),
    Action("reroll-agility-attack", "spend a token to reroll the agility and attack dice", "window"),
    Action("reroll-defence", "spend a token to reroll the defence die", "window"),
    Action("reroll-agility-defence", "spend a token to reroll the agility and defence dice", "window"),
    Action("reroll-attack-defence", "spend a token to reroll the attack and defence dice", "window"),
    Action("reroll-all", "spend a token to reroll the agility, attack and defence dice", "window"),
    Action("reroll-parry", "spend a token to reroll the parry die", "window"),
)
