"""The frame of a turn: its actions, the pending attack and the choice that opens it."""

from __future__ import annotations

import pytest
from helpers_krig import board, events, hit_points, krig, legal, play, random_positions

ACTIONS = {"attack", "defend", "charge"}


@pytest.mark.rule("KR-112", "KR-56")
def test_four_actions_and_no_pass() -> None:
    base = [action.name for action in krig().spec.actions]
    assert base == ["accept", "parry", "attack", "defend", "charge"]
    phases = set()
    for game in random_positions("krig", 50):
        phases.add(game.phase)
        if game.phase == "act":
            assert {"attack", "charge"} <= legal(game) <= ACTIONS
        else:
            assert legal(game) == {"accept", "parry"}
    assert phases == {"react", "act"}
    for game in random_positions("krig_intervention", 20):
        if game.phase != "window":  # "pass" there declines a token and is no action of a turn
            assert "pass" not in legal(game)


@pytest.mark.rule("KR-113")
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("action", ["attack 1 6", "attack 5 6", "attack 10 2", "defend 3", "charge"])
def test_one_action_ends_the_turn(first: int, action: str) -> None:
    game = play(krig(first=first), action)
    assert game.actor == 1 - first
    assert game.phase == "act"
    assert int(game.states["turn"][0]) == 2


@pytest.mark.rule("KR-1", "KR-2", "KR-127")
def test_attack_is_pending_until_the_choice() -> None:
    game = play(krig(other={"defence": 1}), "attack 7 4")
    assert (game.actor, game.phase) == (1, "react")
    assert hit_points(game) == (20, 20)
    assert board(game, 1).defence == 1
    # The defender sees the face and what it would take, and that it neither missed nor is critical.
    seen, parts = game.observe(1), game.spec.slices(2)
    assert seen[parts["pending.face"]] == pytest.approx(4 / 6)
    assert seen[parts["pending.loss"]] == pytest.approx(3 / 20)
    assert seen[parts["pending.parry_chance"]] == pytest.approx(1 / 4)
    assert "attack die 4" in game.position()


@pytest.mark.rule("KR-2")
def test_agility_die_is_known_before_the_choice() -> None:
    """Miss, hit and critical hit open three different turns, so the seat knows which it was."""
    missed, hit, critical = (play(krig(), f"attack {agility} 3") for agility in (1, 5, 10))
    assert [game.phase for game in (missed, hit, critical)] == ["act", "react", "act"]
    assert [hit_points(game)[1] for game in (missed, hit, critical)] == [20, 20, 17]


@pytest.mark.rule("KR-1", "KR-56")
def test_accept_lands_the_hit_and_the_turn_goes_on() -> None:
    game = play(krig(), "attack 5 4")
    turn = int(game.states["turn"][0])
    play(game, "accept")
    assert hit_points(game) == (20, 16)
    assert (game.actor, game.phase, int(game.states["turn"][0])) == (1, "act", turn)
    assert legal(game) == ACTIONS
    play(game, "attack 5 2")
    assert game.actor == 0


@pytest.mark.rule("KR-1")
def test_parry_rolls_the_parry_die_and_a_barred_parry_is_accepted_unasked() -> None:
    assert events(play(krig(), "attack 5 4", "parry 4"))[0] == "rolls"
    unasked = play(krig(), "attack 5 5")
    assert (unasked.actor, unasked.phase) == (1, "act")
    assert hit_points(unasked) == (20, 15)


@pytest.mark.rule("KR-6")
@pytest.mark.parametrize(
    "line",
    [
        [],  # the first turn
        ["defend 4"],
        ["charge"],
        ["attack 5 3", "parry 2"],  # a failed parry has settled the attack
        ["attack 5 3", "parry 4"],  # and so has a successful one
        ["attack 5 3", "accept"],
    ],
)
def test_no_parry_without_a_pending_attack(line: list[str]) -> None:
    game = play(krig(), *line)
    assert game.phase == "act"
    assert "parry" not in legal(game)
    refused = {choice.name: choice.rule for choice in game.describe().choices if not choice.legal}
    assert refused["parry"] == refused["accept"] == "KR-6"


@pytest.mark.rule("KR-55")
def test_game_is_cut_off_at_500_turns() -> None:
    assert krig().options["max_turns"] == krig("krig_intervention").options["max_turns"] == 500
    game = krig()
    game.state.turn = 498
    play(game, "defend 3")
    assert int(game.states["turn"][0]) == 499
    play(game, "defend 3")
    assert int(game.states["turn"][0]) == 500
    assert not game.over
    play(game, "attack 10 6")
    assert game.over
    assert game.truncated
    assert events(game)[-1] == "limit-reached"
    ranks, _, returns = game.results()
    assert ranks.tolist() == [0, 0]
    assert returns.tolist() == [0, 0]


@pytest.mark.rule("KR-55")
def test_last_turn_may_still_end_the_game() -> None:
    """Turn 3 opens with the lethal hit of turn 2; the cap of 3 turns has not been passed by then."""
    game = play(krig(own={"hit_points": 2}, max_turns=3), "attack 1 1", "attack 10 2")
    assert game.over
    assert not game.truncated
