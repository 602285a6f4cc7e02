"""Every registered game conforms: every seat count, and corners of its options at the fewest seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kingmaker.envs  # noqa: F401 - registers the games
from kingmaker.envs import testing
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.core.registry import all_specs

GAMES = 5 if JIT else 1
# Interpreted, larger games would take many minutes; their compiled run compares them with interpreted ones.
SMALL = ("krig", "krig_intervention")
# The compiled run compares both ways to play; an interpreted one would have to compile for it.
CHECKS = [check for check in testing.CHECKS if JIT or check is not testing.check_interpreted]
KRIG_CORNERS = (
    {"hit_points": 1},
    {"hit_points": 100, "max_turns": 2},
    {"agility_die": 3, "attack_die": 1, "defence_die": 20, "parry_die": 1, "max_turns": 30},
)
# Options beside the defaults, by game.
PRESETS = {
    "clockwork_kingdom": ({"tokens_per_worker": True},),
    "kingsburg": ({"stables_once": True},),
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


def kingsburg_invariant(game: Game) -> None:
    """Hold what no move of Kingsburg may change: dice, cards and the Envoy, and points by their sources."""
    state, tables, players = game.states[0], game.tables[0], game.num_players
    seats = state["seats"][:players]
    for name in ("goods", "tokens", "soldiers"):
        assert (seats[name] >= 0).all(), name
    assert sorted(state["order"][:players].tolist()) == list(range(players)), "turn order"
    assert (state["deck"] // 5 == range(5)).all(), "one enemy card of each year"
    assert -1 <= state["envoy"] < players, "one Envoy"
    assert not state["seats"][players:].tobytes().strip(b"\0"), "seats that nobody plays"
    for seat in seats:
        kingsburg_dice(seat)
        built = [number for number in range(20) if seat["buildings"] >> number & 1]
        assert all(number % 4 == 0 or number - 1 in built for number in built), "rows are built from the left"
        assert seat["sources"].sum() == seat["vp"], "points are the sum of their sources"
        # The first two sources are the points of all buildings ever built, and of those lost.
        assert seat["sources"][:2].sum() == tables["buildings"]["vp"][built].sum(), "points of buildings"
        assert seat["aid_die"] <= (state["calendar"] == 2), "the King's die serves in Spring"
    taken = sum(int(seat["influence"]).bit_count() + int(seat["twice"]).bit_count() for seat in seats)
    closed = int(np.bitwise_or.reduce(seats["influence"])).bit_count()
    blocked = int(state["blocked"] & np.bitwise_or.reduce(seats["influence"])).bit_count()
    assert taken - closed + blocked <= 1, "one closed advisor a season, by the one Envoy"
    assert int(state["blocked"]).bit_count() in ((0, 2, 3) if players == 2 else (0,)), "neutral dice"
    assert game.over == (state["year"] == 5 and state["calendar"] == 8 and state["over"] > 0), "five years"


def kingsburg_dice(seat: Any) -> None:
    """Hold that a seat has its dice, in order, and that they lie where their sums say."""
    faces, placed = seat["faces"], seat["placed"]
    white = faces[3:][faces[3:] > 0]
    assert (faces[:3] > 0).all() or not faces.any(), "three coloured dice"
    assert (np.diff(faces[:3]) >= 0).all(), "coloured dice are sorted"
    assert (np.diff(white) >= 0).all(), "white dice are sorted"
    advisors = {number for number in range(1, 19) if seat["influence"] >> number & 1}
    assert set(placed[placed > 0].tolist()) == advisors, "dice lie where there is influence, and nowhere else"
    for advisor in advisors:
        assert (placed[:3] == advisor).any(), "a group has a coloured die"
        if not seat["twice"] >> advisor & 1:
            moved = advisor - faces[placed == advisor].sum()
            assert moved in (-1, 0, 1, 2, 3), "the sum of a group is its advisor's number"
            assert seat["token_used"] or moved < 2, "+2 needs a token"
            assert seat["market_used"] or moved in (0, 2), "one more or less needs the Market"


def clockwork_invariant(game: Game) -> None:
    """Hold that every piece of Clockwork Kingdom is in one place: in supply, on the board or with a seat."""
    state, tables, players = game.states[0], game.tables[0], game.num_players
    seats = state["seats"][:players]
    assert not state["seats"][players:]["pool"].any(), "seats that nobody plays"
    assert sorted(state["order"][:players].tolist()) == list(range(players)), "turn order"
    resources = state["supply"] + state["carried"] + seats["store"].sum(axis=0)
    assert (resources == tables["supply"]).all(), "resources"
    assert state["stones"] + seats["slots"].sum() == tables["stones"], "alchemy stones"
    tokens = seats["tokens"] + seats["forces"].sum(axis=1)
    assert (tokens == tables["tokens"]).all(), "military tokens"
    workers = seats["pool"] + seats["standing"].sum(axis=1)
    assert (workers <= tables["workers"]).all(), "workers"
    for name in ("pool", "store", "tokens", "hand"):
        assert (seats[name] >= 0).all(), name
    ruins = state["ruins"] + state["ruins_discards"] + seats["hand"].sum(axis=0)
    assert (ruins == tables["ruins"]["copies"]).all(), "Ruins cards"
    assert (seats["hand"].sum(axis=1) == seats["cards"]).all(), "hands"
    facilities = state["stack"] + seats["facilities"].sum(axis=0)
    facilities[state["facility"]] += state["facility"] >= 0
    assert (facilities == tables["facilities"]["copies"]).all(), "facilities"
    clockwork_schematics(state, seats, tables["schematics"], players)
    if game.phase != "discard":
        assert (seats["store"].sum(axis=1) <= seats["capacity"]).all(), "nobody keeps too many resources"
    if game.phase != "drop":
        assert (seats["cards"] <= tables["hand"]).all(), "nobody keeps too many cards"
    assert state["rounds"] == 9 or not game.over, "nine rounds"


def clockwork_schematics(state: Any, seats: Any, cards: Any, players: int) -> None:
    """Hold that schematics are all there, and that what they give a seat is what it has completed."""
    lying = np.concatenate([state["row"], seats["yard"].ravel()])
    counts = np.bincount(lying[lying >= 0], minlength=len(cards)) + seats["built"].sum(axis=0)
    in_game = np.where(cards["seats"] <= players, cards["copies"], 0)
    assert (counts + state["deck"] + state["discards"] == in_game).all(), "schematics"
    for seat in seats:
        built = seat["built"]
        assert seat["points"][1] == built @ cards["points"], "points of completed schematics"
        assert seat["capacity"] == 6 + built @ cards["capacity"], "the limit of a store"
        assert (seat["income"]["workers"] == built @ cards["income"]["workers"]).all(), "workers each round"
        assert seat["lasting"]["discount"] == built @ cards["lasting"]["discount"], "discounts"
        assert built[0] + (seat["yard"] == 0).sum() <= 1, "one Warehouse a seat"


INVARIANTS = {
    "clockwork_kingdom": clockwork_invariant,
    "kingsburg": kingsburg_invariant,
    "krig": krig_invariant,
    "krig_intervention": krig_invariant,
}


def cases():
    for spec in all_specs("kingmaker"):
        if spec.namespace != "kingmaker" or not (JIT or spec.name in SMALL):
            continue
        for num_players in spec.seats:
            corners = PRESETS[spec.name] if num_players == spec.seats[0] else ()
            for options in ({}, *corners):
                case = testing.Case(spec, num_players, options, GAMES, 0, INVARIANTS[spec.name])
                yield pytest.param(case, id=str(case).removeprefix("kingmaker/").replace(" ", ""))


@pytest.mark.parametrize("case", tuple(cases()))
def test_conforms(case):
    for check in CHECKS:
        testing.run_check(check, case)


def test_check_game_takes_names():
    testing.check_game("krig", games=1)
