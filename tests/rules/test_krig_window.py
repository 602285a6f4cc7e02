"""The expansion's tokens: when they may be spent, by whom, on what."""

from __future__ import annotations

import pytest
from helpers_krig import (
    board,
    defence,
    events,
    faces,
    hit_points,
    krig,
    legal,
    play,
    random_positions,
    rolled,
    sides,
    tokens,
)

from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game

ATTACK_WINDOW = {"pass", "reroll-agility", "reroll-attack", "reroll-agility-attack"}
CHARGE_WINDOW = ATTACK_WINDOW | {
    "reroll-defence",
    "reroll-agility-defence",
    "reroll-attack-defence",
    "reroll-all",
}
DEFEND_WINDOW = {"pass", "reroll-defence"}
PARRY_WINDOW = {"pass", "reroll-parry"}


def match(mine: int = 3, yours: int = 3, **fields: dict[str, int]) -> Game:
    """Return a game of the expansion in which seat 0 acts and the seats hold so many tokens."""
    own = {"tokens": mine} | fields.get("own", {})
    other = {"tokens": yours} | fields.get("other", {})
    return krig("krig_intervention", own=own, other=other)


def charge_window() -> Game:
    """Return a game in the window of seat 0's charge attack 5, 2, 3, with two tokens for each seat."""
    return play(match(2, 2), "charge", "attack 1 1", "pass", "pass 5 2 3")


# --- when -----------------------------------------------------------------------------------------------


@pytest.mark.rule("KR-44", "KR-206")
@pytest.mark.parametrize(
    ("line", "roller", "expected"),
    [
        (["attack 5 3"], 0, ATTACK_WINDOW),
        (["attack 1 6"], 0, ATTACK_WINDOW),
        (["attack 10 6"], 0, ATTACK_WINDOW),
        (["defend 4"], 0, DEFEND_WINDOW),
        (["attack 5 3", "pass", "pass", "parry 1"], 1, PARRY_WINDOW),
        (["attack 5 3", "pass", "pass", "parry 4"], 1, PARRY_WINDOW),
        (["charge", "charge 5 2 3"], 0, CHARGE_WINDOW),
    ],
)
def test_every_roll_opens_a_window(line: list[str], roller: int, expected: set[str]) -> None:
    game = play(match(), *line)
    assert (game.actor, game.phase) == (roller, "window")
    assert legal(game) == expected
    assert int(game.states["roll"]["roller"][0]) == roller


@pytest.mark.rule("KR-44")
def test_attack_window_closes_before_the_parry_choice() -> None:
    game = play(match(), "attack 5 3")
    assert legal(game).isdisjoint({"accept", "parry"})
    play(game, "pass")
    assert (game.actor, game.phase) == (1, "window")
    play(game, "pass")
    assert (game.actor, game.phase) == (1, "react")
    assert legal(game) == {"accept", "parry"}


@pytest.mark.rule("KR-44")
def test_parry_window_closes_before_the_damage() -> None:
    game = play(match(), "attack 5 3", "pass", "pass", "parry 1")
    assert hit_points(game) == (18, 20)
    play(game, "pass", "pass")
    assert hit_points(game) == (18, 17)


@pytest.mark.rule("KR-44")
def test_shield_stands_only_when_its_window_has_closed() -> None:
    game = play(match(), "defend 2")
    assert defence(game) == (0, 0)
    play(game, "reroll-defence 7")
    assert defence(game) == (0, 0)
    play(game, "pass", "pass")
    assert defence(game) == (7, 0)


@pytest.mark.rule("KR-44", "KR-206")
def test_no_token_outside_a_window() -> None:
    choices = [match(), play(match(0, 0), "attack 5 3"), play(match(), "charge")]
    for game in choices:
        assert game.phase in ("act", "react")
        for action in CHARGE_WINDOW | PARRY_WINDOW:
            with pytest.raises(IllegalAction, match=r"KR-44"):
                game.apply(action)


@pytest.mark.rule("KR-49")
def test_no_token_on_the_roll_off() -> None:
    game = match()
    game.reset(0, script=faces(4, 4, 2, 9))
    assert (game.actor, game.phase) == (1, "act")
    assert tokens(game) == (3, 3)


# --- which dice -----------------------------------------------------------------------------------------


@pytest.mark.rule("KR-45", "KR-208")
@pytest.mark.parametrize(
    ("action", "dice", "expected"),
    [
        ("reroll-agility", [10], (9, 2, 3)),
        ("reroll-attack", [6], (5, 6, 3)),
        ("reroll-agility-attack", [10, 6], (9, 6, 3)),
        ("reroll-defence", [8], (5, 2, 8)),
        ("reroll-agility-defence", [10, 8], (9, 2, 8)),
        ("reroll-attack-defence", [6, 8], (5, 6, 8)),
        ("reroll-all", [10, 6, 8], (9, 6, 8)),
    ],
)
def test_any_dice_of_a_charge_attack(action: str, dice: list[int], expected: tuple[int, ...]) -> None:
    """Every non-empty subset of 5, 2, 3; the dice not picked keep their faces."""
    new = {10: 9, 6: 6, 8: 8}
    game = play(charge_window(), " ".join([action, *(str(new[die]) for die in dice)]))
    assert sides(game) == dice
    roll = game.states["roll"][0]
    assert (int(roll["agility"]), int(roll["attack"]), int(roll["defence"])) == expected
    play(game, "pass", "pass")
    assert hit_points(game) == (18, 20 - expected[1] - expected[2])


@pytest.mark.rule("KR-208", "KR-45")
@pytest.mark.parametrize(
    ("reroll", "lost"),
    [
        ("reroll-agility 6", 2),
        ("reroll-agility 1", 0),
        ("reroll-attack 4", 4),
        ("reroll-agility-attack 6 3", 3),
        ("reroll-agility-attack 1 3", 0),
    ],
)
def test_any_dice_of_an_attack(reroll: str, lost: int) -> None:
    game = play(match(1, 0), "attack 5 2", reroll)
    if game.phase == "react":
        play(game, "accept")
    assert hit_points(game) == (18, 20 - lost)


@pytest.mark.rule("KR-45")
def test_standing_shield_and_older_dice_are_out_of_reach() -> None:
    """Shields stand on both sides, yet only the attack's two dice are offered; then only the parry die."""
    game = play(match(own={"defence": 5}, other={"defence": 6}), "attack 5 3")
    assert legal(game) == ATTACK_WINDOW
    play(game, "pass", "pass", "parry 1")
    assert legal(game) == PARRY_WINDOW
    for action in ("reroll-defence", "reroll-attack", "reroll-agility"):
        with pytest.raises(IllegalAction, match=r"KR-45"):
            game.apply(action)


@pytest.mark.rule("KR-45")
def test_defend_die_may_be_rerolled_in_its_window() -> None:
    game = play(match(), "defend 1", "reroll-defence 2", "pass", "reroll-defence 1", "reroll-defence 8")
    assert tokens(game) == (1, 2)
    play(game, "pass", "pass")
    assert defence(game) == (8, 0)


# --- who ------------------------------------------------------------------------------------------------

# Tokens held, then actions, and who is asked after the attack and after each action; -1: nobody any more.
ORDERS = [
    ((3, 3), ["pass", "pass"], [0, 1, -1]),
    ((3, 3), ["pass", "reroll-attack 2", "pass", "pass"], [0, 1, 0, 1, -1]),
    ((3, 3), ["reroll-attack 2", "pass", "pass"], [0, 0, 1, -1]),
    ((3, 3), ["reroll-attack 2", "pass", "reroll-attack 2", "pass", "pass"], [0, 0, 1, 0, 1, -1]),
    ((3, 3), ["pass", "reroll-attack 2", "reroll-attack 2", "pass", "pass"], [0, 1, 0, 0, 1, -1]),
    ((0, 3), ["pass"], [1, -1]),
    ((0, 3), ["reroll-attack 2", "pass"], [1, 1, -1]),
    ((3, 0), ["pass"], [0, -1]),
    ((3, 0), ["reroll-attack 2", "pass"], [0, 0, -1]),
    ((1, 0), ["reroll-attack 2"], [0, -1]),
    ((0, 1), ["reroll-attack 2"], [1, -1]),
    ((1, 1), ["reroll-attack 2", "reroll-attack 2"], [0, 1, -1]),
    ((1, 1), ["pass", "reroll-attack 2", "pass"], [0, 1, 0, -1]),
    ((1, 1), ["pass", "reroll-attack 2", "reroll-attack 2"], [0, 1, 0, -1]),
    ((1, 2), ["reroll-attack 2", "reroll-attack 2", "reroll-attack 2"], [0, 1, 1, -1]),
    ((2, 1), ["pass", "reroll-attack 2", "pass"], [0, 1, 0, -1]),
    ((0, 0), [], [-1]),
]


@pytest.mark.rule("KR-46", "KR-207")
@pytest.mark.parametrize(("held", "line", "asked"), ORDERS)
def test_order_in_a_window(held: tuple[int, int], line: list[str], asked: list[int]) -> None:
    """The roller, then the other; anew after a reroll; closed by two in a row; no token, no question."""
    game = play(match(*held), "attack 5 3")
    assert (game.actor if game.phase == "window" else -1) == asked[0]
    for step, seat in zip(line, asked[1:], strict=True):
        play(game, step)
        assert (game.actor if game.phase == "window" else -1) == seat
    assert (game.actor, game.phase) == (1, "react")


@pytest.mark.rule("KR-46")
def test_roller_of_a_parry_is_the_parrying_seat() -> None:
    game = play(match(), "attack 5 3", "pass", "pass", "parry 4")
    asked = []
    for step in ("pass", "reroll-parry 2", "reroll-parry 3", "pass", "pass"):
        asked.append(game.actor)
        play(game, step)
    assert asked == [1, 0, 1, 1, 0]
    assert (game.actor, game.phase) == (1, "act")
    assert tokens(game) == (2, 2)


@pytest.mark.rule("KR-46")
def test_seat_without_tokens_is_never_asked() -> None:
    for game in random_positions("krig_intervention", 60):
        if game.phase == "window":
            assert board(game, game.actor).tokens > 0


@pytest.mark.rule("KR-207", "KR-209")
def test_other_seat_picks_the_dice_that_it_forces() -> None:
    """The agility die of a critical hit, a shield, a parry die, both damage dice of a charge."""
    game = play(match(), "attack 10 6", "pass", "reroll-agility 4")
    assert tokens(game) == (3, 2)
    assert rolled(game) == [4]
    play(game, "pass", "pass")
    assert hit_points(game) == (18, 14)
    game = play(match(), "defend 8", "pass", "reroll-defence 1", "pass", "pass")
    assert (defence(game), tokens(game)) == ((1, 0), (3, 2))
    game = play(match(), "attack 5 3", "pass", "pass", "parry 4", "pass", "reroll-parry 1", "pass", "pass")
    assert (hit_points(game), tokens(game)) == ((18, 17), (2, 3))
    game = play(charge_window(), "pass", "reroll-attack-defence 1 1", "pass", "pass")
    assert (hit_points(game), tokens(game)) == ((18, 18), (2, 1))


# --- how many -------------------------------------------------------------------------------------------


@pytest.mark.rule("KR-206", "KR-48")
def test_one_token_buys_one_reroll_of_all_chosen_dice() -> None:
    game = play(match(), "attack 5 2", "reroll-agility-attack 6 3")
    assert tokens(game) == (2, 3)
    assert events(game) == ["token-spent"]
    assert sides(game) == [10, 6]


@pytest.mark.rule("KR-48")
@pytest.mark.parametrize("new", range(1, 7))
def test_new_face_stands_even_if_it_is_worse(new: int) -> None:
    game = play(match(1, 0), "attack 5 4", f"reroll-attack {new}")
    if game.phase == "react":
        play(game, "accept")
    assert hit_points(game) == (18, 20 - new)


@pytest.mark.rule("KR-47", "KR-46")
def test_both_may_spend_all_they_have_in_one_turn() -> None:
    in_a_row = ["reroll-attack 1"] * 3
    game = play(match(), "attack 5 3", *in_a_row)
    assert (tokens(game), game.actor) == ((0, 3), 1)
    play(game, *in_a_row)
    assert tokens(game) == (0, 0)
    assert (game.actor, game.phase) == (1, "react")
    by_turns = ["pass", "reroll-attack 6", "reroll-attack 5"] * 3
    game = play(match(), "attack 5 3", *by_turns)
    assert tokens(game) == (0, 0)
    assert hit_points(game) == (18, 15)


@pytest.mark.rule("KR-210", "KR-205")
def test_tokens_are_a_public_count_from_0_to_3() -> None:
    assert tokens(krig("krig_intervention")) == (3, 3)
    where = krig("krig_intervention").spec.slices(2)
    seen = set()
    for game in random_positions("krig_intervention", 40):
        held = tokens(game)
        seen.update(held)
        for viewer in (0, 1):
            view = game.observe(viewer)
            shown = (view[where["own.tokens"]][0] * 3, view[where["other.tokens"]][0] * 3)
            assert shown == pytest.approx((held[viewer], held[1 - viewer]))
    assert seen == {0, 1, 2, 3}


# --- what the final faces decide ------------------------------------------------------------------------


@pytest.mark.rule("KR-44", "KR-7", "KR-8", "KR-9")
@pytest.mark.parametrize(
    ("attack", "reroll", "phase", "left"),
    [
        ("attack 1 3", "reroll-agility 5", "react", 20),  # a miss made a hit may be parried
        ("attack 5 3", "reroll-agility 1", "act", 20),  # a hit made a miss may not
        ("attack 10 3", "reroll-agility 5", "react", 20),
        ("attack 5 3", "reroll-agility 10", "act", 17),
        ("attack 5 6", "reroll-attack 4", "react", 20),
        ("attack 5 4", "reroll-attack 6", "act", 14),
    ],
)
def test_final_faces_decide_whether_a_parry_is_open(attack: str, reroll: str, phase: str, left: int) -> None:
    game = play(match(0, 1), attack, reroll)
    assert (game.actor, game.phase) == (1, phase)
    assert hit_points(game) == (18, left)


@pytest.mark.rule("KR-44", "KR-128")
def test_final_parry_die_decides() -> None:
    game = play(match(0, 1), "attack 5 3", "pass", "parry 1", "reroll-parry 3")
    assert (game.actor, game.phase, hit_points(game)) == (1, "act", (18, 20))
    game = play(match(1, 0), "attack 5 3", "pass", "parry 3", "reroll-parry 2")
    assert (game.actor, game.phase, hit_points(game)) == (0, "act", (18, 17))
