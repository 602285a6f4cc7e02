"""Krig: a dice duel for two, and its expansion Krig: Intervention.

Each seat owns five dice. The d20 counts hit points; an attack rolls the d10 (miss on 1, critical hit on 10)
and the d6 (damage); the d8 is rolled as a shield, or added to the d6 in a charge attack that takes two turns;
the d4 parries. Whoever brings the other to 0 hit points wins.

The expansion is played as the best of three games. Each seat has three tokens a game, each of which rerolls
chosen dice of a roll just made, one's own or the other's; a perfect parry strengthens the answer; an attack
that equals the standing shield breaks the guard.

## Turn structure

A turn begins with a reaction, if the other seat's attack is pending and may be parried: the seat first
chooses `accept` or `parry`; then, unless the parry failed, it takes an action. The charge attack that follows
a charge is forced and so is not asked. In the expansion every roll opens a window: the roller, then the other
seat, may spend a token or pass, until both pass in a row. A seat without tokens is not asked.

## End

A game ends as soon as a seat has 0 hit points; a match when a seat has won more than half of its games. There
are no draws. After `max_turns` turns a game, and with it the match, is cut off: a truncation with returns
of 0. Games under any sensible play end long before that.

## Deviations from the printed rules

None. Where the print is silent on timing the numbered rulings of the rules page decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kingmaker.agents.heuristics.krig import decide
from kingmaker.envs.core.contract import Rules
from kingmaker.envs.core.registry import register_game
from kingmaker.envs.core.spec import GameSpec, GameText, Option, Phase
from kingmaker.envs.krig import rules, tables, text
from kingmaker.envs.krig.actions import BASE_ACTIONS, INTERVENTION_ACTIONS
from kingmaker.envs.krig.check import check_state
from kingmaker.envs.krig.events import EVENTS
from kingmaker.envs.krig.observation import base_features, intervention_features, observe
from kingmaker.envs.krig.state import MAX_TURNS, OPTIONS, STATE

_MAX_TURNS = Option(
    "max_turns", "turns after which a game is cut off (KR-55)", int, 500, low=1, high=MAX_TURNS
)
_BASE_OPTIONS = (
    Option("hit_points", "hit points at the start", int, 20, 1, tables.MAX_HIT_POINTS, table="hit_points"),
    Option("agility_die", "sides of the agility die", int, 10, 3, tables.MAX_SIDES, table="dice.agility"),
    Option("attack_die", "sides of the attack die", int, 6, 1, tables.MAX_SIDES, table="dice.attack"),
    Option("defence_die", "sides of the defence die", int, 8, 1, tables.MAX_SIDES, table="dice.defence"),
    Option("parry_die", "sides of the parry die", int, 4, 1, tables.MAX_SIDES, table="dice.parry"),
    _MAX_TURNS,
)
_EXPANSION_OPTIONS = (
    Option("games", "a match is the best of so many games; odd", int, 3, 1, tables.MAX_GAMES, table="games"),
    Option("tokens", "intervention tokens of each seat a game", int, 3, 0, tables.MAX_TOKENS, table="tokens"),
    Option(
        "handicap",
        "hit points that the first seat of a game starts short of",
        int,
        2,
        0,
        tables.MAX_HIT_POINTS - 1,
        table="handicap",
    ),
    Option("perfect_parry", "whether a perfect parry gives +1", bool, True, table="perfect_parry"),
    Option(
        "guard_break", "whether an attack that equals the shield bars defend", bool, True, table="guard_break"
    ),
    *_BASE_OPTIONS,
)

_REACT = Phase("react", "the seat whose turn it is", "accept or parry the pending attack")
_ACT = Phase("act", "the seat whose turn it is", "attack, defend or charge")
_WINDOW = Phase("window", "the roller, then the other seat", "spend a token on the roll, or pass")

_RULES = Rules(rules.reset, rules.legal, rules.apply, observe, rules.redeal, rules.outcome, decide)
_TEXT = GameText(text.position, text.forbidden)

# A turn asks for at most one reaction, two passes on the parry roll, one action after a successful parry and
# two passes on its roll; each token adds itself and the two passes of the window that it reopens.
_DECISIONS_A_TURN = 6
_DECISIONS_A_TOKEN = 3


def _longest(num_players: int, options: Mapping[str, Any]) -> int:
    tokens = num_players * options.get("tokens", 0)
    game = _DECISIONS_A_TURN * options["max_turns"] + _DECISIONS_A_TOKEN * tokens
    return options.get("games", 1) * game


def _score_scale(record: Any) -> float:
    return float(record["hit_points"])


def _spec(name: str, title: str, **facts: Any) -> GameSpec:
    return register_game(
        GameSpec(
            name=name,
            title=title,
            version=0,
            module=__name__,
            seats=(2,),
            events=EVENTS,
            hidden="nothing: all dice and tokens lie open (KR-51)",
            perfect_information=True,
            state_dtype=STATE,
            tables_dtype=tables.TABLES,
            options_dtype=OPTIONS,
            rules=_RULES,
            text=_TEXT,
            longest=_longest,
            score_scale=_score_scale,
            check_state=check_state,
            history=((0, "first version"),),
            load_tables=partial(tables.load, f"{name}.toml"),
            **facts,
        )
    )


KRIG = _spec(
    "krig",
    "Krig",
    options=_BASE_OPTIONS,
    actions=BASE_ACTIONS,
    phases=(_REACT, _ACT),
    features=base_features,
)
KRIG_INTERVENTION = _spec(
    "krig_intervention",
    "Krig: Intervention",
    options=_EXPANSION_OPTIONS,
    actions=INTERVENTION_ACTIONS,
    phases=(_REACT, _ACT, _WINDOW),
    features=intervention_features,
)
