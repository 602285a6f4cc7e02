"""Every registered game, at every seat count and at a few corners of its options, conforms."""

from __future__ import annotations

import pytest

import kingmaker.envs  # noqa: F401 - registers the games
from kingmaker.envs import testing
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import all_specs

GAMES = 10
KRIG_CORNERS = (
    {"hit_points": 1},
    {"hit_points": 100, "max_turns": 2},
    {"agility_die": 3, "attack_die": 1, "defence_die": 20, "parry_die": 1, "max_turns": 30},
)
# Options beside the defaults, by game.
PRESETS = {
    "krig": KRIG_CORNERS,
    "krig_intervention": (
        {"tokens": 0, "perfect_parry": False, "guard_break": False, "games": 1, "handicap": 0},
        {"tokens": 20, "games": 9, "hit_points": 3},
        {"parry_die": 20, "attack_die": 20, "defence_die": 1, "max_turns": 20},
    ),
}


def krig_invariant(game: Game) -> None:
    """Hold what no move of Krig may change: dice, hit points and tokens within what there is."""
    state, tables = game.states[0], game.tables[0]
    seats, dice, options = state["seats"], tables["dice"], game.options
    assert ((seats["hit_points"] >= 0) & (seats["hit_points"] <= tables["hit_points"])).all(), "hit points"
    assert ((seats["defence"] >= 0) & (seats["defence"] <= dice["defence"])).all(), "defence dice"
    assert ((seats["tokens"] >= 0) & (seats["tokens"] <= tables["tokens"])).all(), "tokens"
    assert seats["wins"].sum() <= state["game"] <= tables["games"], "games"
    assert state["turn"] <= options["max_turns"], "turns"
    for die, most in (("agility", dice["agility"]), ("attack", dice["attack"]), ("parry", dice["parry"])):
        assert 0 <= state["roll"][die] <= most, f"{die} die"
    beaten = (seats["hit_points"] == 0).sum()
    assert beaten == (game.over and not game.truncated), "a beaten seat ends the match, and nothing else does"


INVARIANTS = {"krig": krig_invariant, "krig_intervention": krig_invariant}


def cases():
    for spec in all_specs("kingmaker"):
        if spec.namespace != "kingmaker":
            continue
        for num_players in spec.seats:
            for options in ({}, *PRESETS[spec.name]):
                case = testing.Case(spec, num_players, options, GAMES, 0, INVARIANTS[spec.name])
                yield pytest.param(case, id=str(case).removeprefix("kingmaker/").replace(" ", ""))


@pytest.mark.parametrize("case", tuple(cases()))
def test_conforms(case):
    for check in testing.CHECKS:
        testing.run_check(check, case)


def test_check_game_takes_names():
    testing.check_game("krig", games=1)
