"""Attack and defend: how damage is dealt and absorbed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers_krig import board, defence, duel, events, hit_points, krig, legal, play, random_positions, sides

from kingmaker.envs.core.game import Game


def land(attack: str, **other: int) -> tuple[int, int]:
    """Return the target's hit points and defence after an attack, accepted where there is a choice."""
    game = play(krig(other=other), attack)
    if game.phase == "react":
        play(game, "accept")
    return board(game, 1).hit_points, board(game, 1).defence


@pytest.mark.rule("KR-114", "KR-115")
@pytest.mark.parametrize("face", range(1, 7))
def test_attack_die_is_the_damage(face: int) -> None:
    game = play(krig(), f"attack 5 {face}")
    assert sides(game) == [10, 6]
    if game.phase == "react":
        play(game, "accept")
    assert hit_points(game) == (20, 20 - face)


@pytest.mark.rule("KR-116")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("shield", [0, 1, 8])
def test_agility_1_misses(face: int, shield: int) -> None:
    assert land(f"attack 1 {face}", defence=shield) == (20, shield)
    assert "missed" in events(play(krig(), f"attack 1 {face}"))


@pytest.mark.rule("KR-117", "KR-118", "KR-29")
@pytest.mark.parametrize(
    ("agility", "expected"), [(agility, (20, 2)) for agility in range(2, 10)] + [(10, (16, 6))]
)
def test_only_agility_10_is_critical(agility: int, expected: tuple[int, int]) -> None:
    """A hit of 4 on a shield of 6 is absorbed; a critical hit goes past it and leaves it as it was."""
    assert land(f"attack {agility} 4", defence=6) == expected


@pytest.mark.rule("KR-118", "KR-29")
@pytest.mark.parametrize("shield", [0, 1, 3, 8])
def test_critical_hit_ignores_the_shield(shield: int) -> None:
    assert land("attack 10 3", defence=shield) == (17, shield)


@pytest.mark.rule("KR-120", "KR-121", "KR-28", "KR-26")
@pytest.mark.parametrize(
    ("shield", "face", "expected"),
    [
        (8, 1, (20, 7)),
        (8, 6, (20, 2)),
        (6, 5, (20, 1)),
        (6, 6, (20, 0)),  # exact absorption
        (1, 1, (20, 0)),
        (5, 6, (19, 0)),
        (1, 6, (15, 0)),
        (0, 6, (14, 0)),
    ],
)
def test_shield_absorbs_first(shield: int, face: int, expected: tuple[int, int]) -> None:
    assert land(f"attack 5 {face}", defence=shield) == expected


@pytest.mark.rule("KR-28")
def test_full_absorption_takes_no_hit_points() -> None:
    game = play(krig(other={"defence": 6}), "attack 5 6")
    assert events(game) == ["rolls", "turn-begins", "absorbed"]


@pytest.mark.rule("KR-30")
@pytest.mark.parametrize(
    ("left", "shield", "attack"),
    [(1, 0, "attack 5 6"), (3, 1, "attack 5 6"), (2, 8, "attack 10 3"), (4, 0, "attack 9 4")],
)
def test_hit_points_stop_at_0_and_the_game_at_once(left: int, shield: int, attack: str) -> None:
    game = play(krig(other={"hit_points": left, "defence": shield}), attack)
    if not game.over:
        play(game, "accept")
    assert game.over
    assert game.legal_actions() == []
    assert board(game, 1).hit_points == 0
    assert events(game)[-1] == "game-won"


@pytest.mark.rule("KR-30")
def test_dead_seat_gets_no_action_even_with_a_charge_due() -> None:
    game = play(krig(own={"hit_points": 3}, other={"hit_points": 1}), "charge", "attack 5 3")
    assert game.over
    assert sides(game) == [10, 6]  # the charge attack is not rolled any more
    assert hit_points(game) == (0, 1)


@pytest.mark.rule("KR-119", "KR-104")
@pytest.mark.parametrize("face", range(1, 9))
def test_defend_puts_up_the_rolled_value(face: int) -> None:
    game = play(krig(), f"defend {face}")
    assert sides(game) == [8]
    assert defence(game) == (face, 0)
    assert events(game) == ["rolls", "defends", "turn-begins"]
    assert game.actor == 1


@pytest.mark.rule("KR-122")
def test_shield_stays_from_turn_to_turn() -> None:
    game = play(krig(), "defend 7", "attack 5 2", "accept")
    assert defence(game) == (5, 0)
    play(game, "attack 1 1", "attack 5 3", "accept")  # own attack, and another hit
    assert defence(game) == (2, 0)
    play(game, "charge", "defend 1 1 1 1")  # it falls only with the charge attack that seat 0 now makes
    assert defence(game) == (0, 1)


@pytest.mark.rule("KR-27", "KR-26")
@pytest.mark.parametrize(("shield", "allowed"), [(0, True), (1, False), (2, False), (8, False)])
def test_defend_needs_an_inactive_die(shield: int, allowed: bool) -> None:
    assert legal(krig(own={"defence": shield})) == {"attack", "charge"} | ({"defend"} if allowed else set())


@pytest.mark.rule("KR-26")
@pytest.mark.parametrize("start", [krig, duel])
def test_die_absorbed_to_0_may_be_rolled_again(start: Callable[..., Game]) -> None:
    """A hit of more than the shield breaks no guard, so that this holds in the expansion as well."""
    game = play(start(other={"defence": 3}), "attack 5 4", "accept")
    assert defence(game) == (0, 0)
    assert "defend" in legal(game)
    play(game, "defend 8")
    assert defence(game) == (0, 8)


@pytest.mark.rule("KR-26", "KR-30", "KR-55")
def test_bounds_hold_and_hit_points_never_rise() -> None:
    for game in random_positions("krig", 100):
        if game.moves == 0:
            before = (20, 20)
        now = hit_points(game)
        assert all(0 < b <= a for a, b in zip(before, now, strict=True))
        assert all(0 <= value <= 8 for value in defence(game))
        # With both shields up neither seat may defend, so hit points must fall in the end.
        if min(defence(game)) > 0:
            assert "defend" not in legal(game)
        before = now
