"""Dice, boards and the start of a game."""

from __future__ import annotations

import numpy as np
import pytest
from helpers_krig import (
    board,
    defence,
    duel,
    events,
    faces,
    hit_points,
    krig,
    play,
    random_positions,
    rolled,
    sides,
)

from kingmaker.envs.core.errors import OptionError, ScriptError
from kingmaker.envs.core.game import Game

ALL_GAMES = pytest.mark.parametrize("name", ["krig", "krig_intervention"])


@ALL_GAMES
@pytest.mark.rule("KR-101")
def test_two_seats_with_a_set_of_dice_each(name: str) -> None:
    game = Game(name, seed=0)
    assert game.num_players == 2
    dice = game.tables["dice"][0]
    assert (int(game.tables["hit_points"][0]), *(int(dice[d]) for d in dice.dtype.names)) == (20, 10, 6, 8, 4)
    for wrong in (0, 1, 3, 4):
        with pytest.raises(OptionError, match="2 seats"):
            Game(name, wrong)


@pytest.mark.rule("KR-103", "KR-104", "KR-105", "KR-106", "KR-114")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["attack 5 3"], [10, 6]),
        (["defend 5"], [8]),
        (["charge"], []),
        (["charge", "defend 4 5 3 2"], [8, 10, 6, 8]),  # seat 1 defends, then seat 0's charge attack is due
        (["attack 5 3", "parry 4"], [4]),
        (["attack 5 3", "accept"], []),
    ],
)
def test_dice_of_each_action(line: list[str], expected: list[int]) -> None:
    assert sides(play(krig(), *line)) == expected


@pytest.mark.rule("KR-103", "KR-110")
@pytest.mark.parametrize(("mine", "yours", "first"), [(10, 9, 0), (1, 2, 1), (7, 3, 0), (9, 10, 1)])
def test_higher_agility_die_goes_first(mine: int, yours: int, first: int) -> None:
    game = krig()
    game.reset(0, script=faces(mine, yours))
    assert sides(game) == [10, 10]
    assert game.actor == first
    assert events(game) == ["game-begins", "turn-begins"]


@pytest.mark.rule("KR-111")
@pytest.mark.parametrize(
    ("dice", "first"), [((4, 4, 6, 5), 0), ((10, 10, 1, 1, 2, 3), 1), ((1, 1, 1, 1, 1, 1, 9, 8), 0)]
)
def test_tied_roll_off_is_rolled_again(dice: tuple[int, ...], first: int) -> None:
    game = krig()
    game.reset(0, script=faces(*dice))
    assert rolled(game) == list(dice)
    assert game.actor == first


@pytest.mark.rule("KR-109", "KR-52")
@pytest.mark.parametrize("first", [0, 1])
def test_base_game_starts_at_20_each(first: int) -> None:
    game = krig(first=first)
    assert hit_points(game) == (20, 20)
    for seat in (0, 1):
        assert board(game, seat) == (20, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("script", "message"), [((), "ends after 0 draws"), ((4, 4), "ends after 2 draws")])
def test_script_that_ends_in_a_tie_is_an_error(script: tuple[int, ...], message: str) -> None:
    """Dice that are rolled again on a tie must not loop for ever when the script runs out."""
    game = krig()
    before = game.save()
    with pytest.raises(ScriptError, match=message):
        game.reset(1, script=script)
    assert game.save() == before


@ALL_GAMES
@pytest.mark.rule("KR-102")
def test_hit_points_are_never_rolled(name: str) -> None:
    """Every die that is rolled in play changes no hit points by itself and is none of 20 sides."""
    seen: set[int] = set()
    for game in random_positions(name, 30):
        seen.update(sides(game))
    assert seen == {10, 8, 6, 4}


@pytest.mark.rule("KR-31")
def test_agility_faces_are_1_to_10_and_0_is_off_the_board() -> None:
    outcomes = list(krig(other={"defence": 3}).outcomes("attack"))
    assert len(outcomes) == 60
    faces_seen = {int(game.states["roll"]["agility"][0]) for _, game in outcomes}
    assert faces_seen == set(range(1, 11))
    lost = play(krig(other={"hit_points": 5, "defence": 1}), "attack 10 6")
    assert (board(lost, 1).hit_points, board(lost, 1).defence) == (0, 1)
    spent = play(krig(other={"defence": 3}), "attack 5 3", "accept")
    assert (board(spent, 1).hit_points, board(spent, 1).defence) == (20, 0)


@pytest.mark.rule("KR-107", "KR-210")
def test_boards_are_public_features() -> None:
    game = krig(
        "krig_intervention",
        own={"hit_points": 15, "defence": 2},
        other={"hit_points": 10, "defence": 4, "charging": 1, "broken": 1, "tokens": 1},
    )
    parts = game.spec.slices(2)
    for viewer, whose in ((0, "other"), (1, "own")):
        seen = game.observe(viewer)
        shown = {
            name: float(seen[parts[f"{whose}.{name}"]][0])
            for name in ("hit_points", "defence", "charging", "tokens", "broken")
        }
        expected = {"hit_points": 10 / 20, "defence": 4 / 8, "charging": 1, "tokens": 1 / 3, "broken": 1}
        assert shown == pytest.approx(expected)
    words = game.position()
    assert "10/20 hit points, defence 4, charging, guard broken, 1 token" in words


@ALL_GAMES
@pytest.mark.rule("KR-51")
def test_both_seats_see_the_same(name: str) -> None:
    """The two views differ only in whose board comes first and in whose roll and choice it is."""
    own_or_other = ("own.", "other.")
    for game in random_positions(name, 25):
        views = [game.observe(0), game.observe(1)]
        for part, where in game.spec.slices(2).items():
            mine, yours = (view[where] for view in views)
            if part in ("own.to_move", "roll.own"):
                one_of_them = part == "own.to_move" or game.phase == "window"
                assert sorted((mine[0], yours[0])) == [0, one_of_them]
            elif part.startswith(own_or_other):
                kind = part.split(".")[1]
                swapped = ("other." if part.startswith("own.") else "own.") + kind
                assert np.array_equal(mine, views[1][game.spec.slices(2)[swapped]])
            else:
                assert np.array_equal(mine, yours)
        for seat in (0, 1):
            assert np.array_equal(game.redealt(seat, 99).observe(seat), views[seat])


@pytest.mark.rule("KR-108")
@pytest.mark.parametrize("first", [0, 1])
def test_seat_that_brings_the_other_to_0_wins(first: int) -> None:
    game = play(krig(first=first, other={"hit_points": 3}), "attack 5 3", "accept")
    assert game.over
    assert not game.truncated
    assert board(game, 1 - first).hit_points == 0
    ranks, _, returns = game.results()
    assert ranks[first] == 0
    assert returns[first] == 1
    assert returns[1 - first] == -1


@pytest.mark.rule("KR-204")
def test_base_game_has_none_of_the_expansion() -> None:
    base = krig()
    assert {action.phase for action in base.spec.actions} == {"react", "act"}
    assert not any("reroll" in action.name or action.name == "pass" for action in base.spec.actions)
    # No perfect parry: the answer to an equal parry deals its face alone.
    play(base, "attack 5 3", "parry 3", "attack 5 2", "accept")
    assert hit_points(base) == (18, 20)
    # No guard break: a hit that equals the shield leaves defend open.
    base = play(krig(other={"defence": 3}), "attack 5 3", "accept", "defend 6")
    assert board(base, 1).defence == 6
    # The expansion has all three.
    assert {"pass", "reroll-all"} <= {action.name for action in krig("krig_intervention").spec.actions}
    more = play(duel(), "attack 5 3", "parry 3", "attack 5 2", "accept")
    assert hit_points(more) == (17, 20)
    assert "guard-broken" in events(play(duel(other={"defence": 3}), "attack 5 3", "accept"))


@pytest.mark.rule("KR-201")
def test_expansion_without_its_changes_is_the_base_game() -> None:
    """Every base rule holds: with the three mechanisms and the match off, equal dice give equal games."""
    off = {"tokens": 0, "games": 1, "handicap": 0, "perfect_parry": False, "guard_break": False}
    for seed in range(60):
        base, more = Game("krig", seed=seed), Game("krig_intervention", seed=seed, options=off)
        while not base.over:
            actions = base.legal_actions()
            assert more.legal_actions() == actions
            assert more.actor == base.actor
            action = actions[(7 * seed + 3 * base.moves) % len(actions)]
            base.apply(action)
            more.apply(action)
            assert (hit_points(more), defence(more)) == (hit_points(base), defence(base))
        assert more.over
