"""The expansion's perfect parry and its bonus."""

from __future__ import annotations

import pytest
from helpers_krig import board, duel, events, hit_points, krig, legal, play


@pytest.mark.rule("KR-32", "KR-211")
@pytest.mark.parametrize("face", [1, 2, 3, 4])
@pytest.mark.parametrize("die", [1, 2, 3, 4])
def test_equal_dice_are_a_perfect_parry(face: int, die: int) -> None:
    game = play(duel(), f"attack 5 {face}", f"parry {die}")
    if die < face:
        assert (game.actor, hit_points(game)) == (0, (20, 20 - face))
        return
    assert (game.actor, hit_points(game)) == (1, (20, 20))
    parried = next(row for row in game.journal() if row.name == "parried")
    assert parried.values[0] == (die == face)
    play(game, "attack 5 5")
    assert hit_points(game) == (14 if die == face else 15, 20)


@pytest.mark.rule("KR-211", "KR-212", "KR-36")
@pytest.mark.parametrize(
    ("attack", "shield", "expected"),
    [
        ("attack 5 6", 0, (13, 0)),  # the printed example: 7
        ("attack 5 5", 0, (14, 0)),
        ("attack 5 6", 3, (16, 0)),
        ("attack 5 6", 8, (20, 1)),
        ("attack 10 6", 0, (13, 0)),
        ("attack 10 6", 8, (13, 8)),  # a critical hit takes up to 7 directly
        ("attack 10 1", 8, (18, 8)),
        ("attack 1 6", 0, (20, 0)),  # nothing is added to a miss
        ("attack 1 6", 4, (20, 4)),
    ],
)
def test_bonus_adds_1_to_the_damage(attack: str, shield: int, expected: tuple[int, int]) -> None:
    game = play(duel(own={"defence": shield}), "attack 5 4", "parry 4", attack)
    assert (board(game, 0).hit_points, board(game, 0).defence) == expected


@pytest.mark.rule("KR-213", "KR-35")
@pytest.mark.parametrize("face", range(1, 7))
def test_attack_with_the_bonus_is_parried_by_its_face(face: int) -> None:
    """With face 4 the total is 5, yet a 4 is enough, and perfect; 5 and 6 are barred."""
    game = play(duel(), "attack 5 4", "parry 4", f"attack 5 {face}")
    assert ("parry" in legal(game)) == (face <= 4)
    if face > 4:
        assert hit_points(game) == (20 - face - 1, 20)
        return
    for die in range(1, 5):
        after = play(game.clone(), f"parry {die}")
        if die < face:
            assert hit_points(after) == (20 - face - 1, 20)
            assert "parry-failed" in events(after)
        else:
            assert hit_points(after) == (20, 20)
            assert [row.values[0] for row in after.journal() if row.name == "parried"] == [die == face]


@pytest.mark.rule("KR-33")
def test_bonus_is_lost_by_defending() -> None:
    game = play(duel(), "attack 5 4", "parry 4", "defend 3", "attack 1 1", "attack 5 5")
    assert hit_points(game) == (15, 20)


@pytest.mark.rule("KR-33")
def test_bonus_is_not_kept_for_the_charge_attack() -> None:
    game = play(duel(), "attack 5 4", "parry 4", "charge", "attack 1 1 5 2 3")
    assert hit_points(game) == (15, 20)


@pytest.mark.rule("KR-33")
def test_bonus_is_for_the_next_attack_only() -> None:
    game = play(duel(), "attack 5 4", "parry 4", "attack 5 5", "attack 1 1", "attack 5 5")
    assert hit_points(game) == (20 - 6 - 5, 20)


@pytest.mark.rule("KR-33")
def test_bonus_is_the_parrying_seats_alone() -> None:
    game = play(duel(), "attack 5 4", "parry 4", "attack 1 1", "attack 5 5")
    assert hit_points(game) == (20, 15)


@pytest.mark.rule("KR-34", "KR-213", "KR-12")
@pytest.mark.parametrize("exchanges", [1, 2, 3, 6, 7])
def test_traded_perfect_parries_do_not_add_up(exchanges: int) -> None:
    game = play(duel(), "attack 5 3")
    for _ in range(exchanges):
        play(game, "parry 3", "attack 5 3")
    victim = game.actor
    play(game, "accept")
    assert board(game, victim).hit_points == 20 - 4
    assert board(game, 1 - victim).hit_points == 20


@pytest.mark.rule("KR-34", "KR-32")
def test_plain_success_in_between_ends_the_bonus() -> None:
    game = play(duel(), "attack 5 3", "parry 3", "attack 5 3", "parry 4", "attack 5 3", "accept")
    assert hit_points(game) == (20, 17)


@pytest.mark.rule("KR-32", "KR-44")
def test_final_parry_die_decides_whether_it_is_perfect() -> None:
    for die, bonus in ((3, 1), (4, 0)):
        game = krig("krig_intervention", own={"tokens": 0}, other={"tokens": 2})
        play(game, "attack 5 3", "pass", "parry 1", f"reroll-parry {die}", "pass")
        assert (game.actor, game.phase) == (1, "act")
        assert int(game.states["bonus"][0]) == bonus
