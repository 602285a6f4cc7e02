"""Charge: the declaration, the forced attack and what becomes of the d8."""

from __future__ import annotations

import pytest
from helpers_krig import board, defence, duel, events, hit_points, krig, legal, play, random_positions, sides


@pytest.mark.rule("KR-123", "KR-25")
def test_declaring_a_charge_rolls_nothing_and_attacks_nobody() -> None:
    game = play(krig(), "charge")
    assert sides(game) == []
    assert events(game) == ["charges", "turn-begins"]
    assert (board(game, 0).charging, board(game, 1).charging) == (1, 0)
    assert hit_points(game) == (20, 20)
    assert (game.actor, game.phase) == (1, "act")


@pytest.mark.rule("KR-124", "KR-17", "KR-25", "KR-103")
def test_charge_attack_follows_by_itself_in_the_next_turn() -> None:
    game = play(krig(), "charge", "defend 2 7 6 5")
    assert sides(game) == [8, 10, 6, 8]  # the other seat's shield, then the charge attack
    assert events(game) == [
        "rolls",
        "defends",
        "turn-begins",
        "rolls",
        "turn-begins",
        "absorbed",
        "hit-points-lost",
    ]
    assert (game.actor, game.phase) == (1, "act")
    assert board(game, 0).charging == 0


@pytest.mark.rule("KR-17")
def test_charging_seat_is_never_asked() -> None:
    """Its only legal action is the charge attack, so no choice outside a window is ever its."""
    for name in ("krig", "krig_intervention"):
        for game in random_positions(name, 50):
            if board(game, game.actor).charging:
                assert game.phase == "window"


@pytest.mark.rule("KR-17", "KR-16")
def test_pending_attack_lands_before_the_charge_attack() -> None:
    game = play(krig(), "charge", "attack 5 2 5 1 1")
    assert events(game) == [
        "rolls",
        "turn-begins",
        "hit-points-lost",
        "rolls",
        "turn-begins",
        "hit-points-lost",
    ]
    assert hit_points(game) == (18, 18)


@pytest.mark.rule("KR-16")
@pytest.mark.parametrize("face", range(1, 7))
def test_charging_seat_cannot_parry(face: int) -> None:
    game = play(krig(), "charge", f"attack 5 {face} 1 1 1")
    assert hit_points(game) == (20 - face, 20)
    assert (game.actor, game.phase) == (1, "act")


@pytest.mark.rule("KR-125", "KR-23")
@pytest.mark.parametrize(
    ("dice", "shield", "expected"),
    [
        ("5 1 1", 0, (18, 0)),  # the least
        ("5 6 8", 0, (6, 0)),  # the most, 14
        ("9 4 3", 5, (18, 0)),  # 7 as a whole against one shield
        ("2 4 3", 8, (20, 1)),
        ("2 4 4", 8, (20, 0)),
        ("1 6 8", 5, (20, 5)),  # a miss
        ("1 6 8", 0, (20, 0)),
        ("10 1 1", 8, (18, 8)),  # critical: straight to the hit points
        ("10 6 8", 8, (6, 8)),
        ("10 6 8", 0, (6, 0)),
    ],
)
def test_charge_damage_is_the_sum_of_both_dice(dice: str, shield: int, expected: tuple[int, int]) -> None:
    game = play(krig(other={"defence": shield}), "charge", f"attack 1 1 {dice}")
    assert (board(game, 1).hit_points, board(game, 1).defence) == expected


@pytest.mark.rule("KR-125")
def test_charge_damage_over_all_faces() -> None:
    due = play(krig(), "charge")
    for attack in range(1, 7):
        for shield in range(1, 9):
            hit = play(due.clone(), f"attack 1 1 5 {attack} {shield}")
            assert hit_points(hit) == (20, 20 - attack - shield)


@pytest.mark.rule("KR-8")
@pytest.mark.parametrize("dice", ["5 1 1", "9 3 8", "2 4 1", "10 1 1"])
def test_charge_attack_cannot_be_parried(dice: str) -> None:
    game = play(krig(), "charge", f"attack 1 1 {dice}")
    assert (game.actor, game.phase) == (1, "act")
    assert hit_points(game)[1] < 20
    assert legal(game) == {"attack", "defend", "charge"}


@pytest.mark.rule("KR-18")
def test_shield_absorbs_while_charging() -> None:
    game = play(krig(own={"defence": 8}), "charge")
    assert defence(game) == (8, 0)
    # The hit of 3 meets the shield of 8; then the charge attack takes what is left of it away.
    play(game, "attack 5 3 5 1 1")
    assert hit_points(game) == (20, 18)
    assert "absorbed" in events(game)
    assert [h.values[:2] for h in game.journal() if h.name == "absorbed"] == [(3, 5)]
    assert defence(game) == (0, 0)


@pytest.mark.rule("KR-126", "KR-20")
@pytest.mark.parametrize("dice", ["5 2 2", "1 2 2", "10 2 2"], ids=["hit", "miss", "critical"])
def test_shield_is_gone_after_the_charge_attack(dice: str) -> None:
    game = play(krig(own={"defence": 8}), "charge")
    assert defence(game) == (8, 0)
    play(game, f"attack 1 1 {dice}")
    assert defence(game) == (0, 0)


@pytest.mark.rule("KR-126", "KR-18")
def test_shield_stands_until_the_charge_attack_is_completed() -> None:
    """In the expansion the attack is completed when its window closes, not when the dice fall."""
    game = krig("krig_intervention", own={"defence": 8, "tokens": 1}, other={"tokens": 0})
    play(game, "charge", "attack 1 1")
    assert game.phase == "window"  # on seat 1's miss; seat 0 has the only token
    play(game, "pass 5 2 2")
    assert (game.actor, game.phase) == (0, "window")
    assert (board(game, 0).charging, board(game, 0).defence) == (1, 8)
    play(game, "pass")
    assert (board(game, 0).charging, board(game, 0).defence) == (0, 0)


@pytest.mark.rule("KR-19")
@pytest.mark.parametrize("old", [0, 1, 8])
def test_charge_rolls_a_fresh_d8(old: int) -> None:
    game = play(krig(own={"defence": old}), "charge", "attack 1 1 5 2 3")
    assert hit_points(game) == (20, 15)


@pytest.mark.rule("KR-21")
@pytest.mark.parametrize("dice", ["5 2 7", "1 2 7", "10 2 7"])
def test_d8_of_a_charge_is_no_shield(dice: str) -> None:
    game = play(krig(), "charge", f"attack 1 1 {dice}")
    assert defence(game) == (0, 0)


@pytest.mark.rule("KR-22")
@pytest.mark.parametrize(
    ("attack", "left", "broken"),
    [("attack 5 2", 20, False), ("attack 10 6", 14, False), ("attack 5 4", 20, True)],
    ids=["hit", "critical", "guard break"],
)
def test_charge_is_not_undone(attack: str, left: int, broken: bool) -> None:
    game = play(duel(own={"defence": 4}), "charge", f"{attack} 5 3 3")
    assert hit_points(game) == (left, 14)
    assert ("guard-broken" in events(game)) == broken


@pytest.mark.rule("KR-24")
def test_charge_may_follow_charge() -> None:
    game = play(krig(), "charge", "attack 1 1 5 1 1", "attack 1 1")
    assert game.actor == 0
    assert legal(game) == {"attack", "defend", "charge"}
    play(game, "charge", "attack 1 1 5 1 1")
    assert hit_points(game) == (20, 16)
    # Both at once: each is bound to its own.
    both = play(krig(), "charge", "charge 5 1 1 5 2 2")
    assert hit_points(both) == (16, 18)
    assert (both.actor, both.phase) == (0, "act")
