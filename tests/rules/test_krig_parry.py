"""Parry: when it may be chosen, what succeeds, and what it costs."""

from __future__ import annotations

from math import isclose

import pytest
from helpers_krig import board, defence, duel, events, hit_points, krig, legal, play

PARRYABLE = [1, 2, 3, 4]


@pytest.mark.rule("KR-128", "KR-129", "KR-131")
@pytest.mark.parametrize("face", PARRYABLE)
@pytest.mark.parametrize("die", PARRYABLE)
def test_parry_succeeds_from_the_attack_die_up(face: int, die: int) -> None:
    game = play(krig(), f"attack 5 {face}", f"parry {die}")
    parried = die >= face
    assert hit_points(game) == (20, 20 if parried else 20 - face)
    assert ("parried" in events(game)) == parried
    assert ("parry-failed" in events(game)) == (not parried)


@pytest.mark.rule("KR-130", "KR-4", "KR-5")
@pytest.mark.parametrize("action", ["attack 1 1", "defend 3", "charge"])
def test_success_gives_one_action_and_no_more(action: str) -> None:
    game = play(krig(), "attack 5 2", "parry 3")
    assert (game.actor, game.phase) == (1, "act")
    assert legal(game) == {"attack", "defend", "charge"}
    play(game, action)
    assert (game.actor, game.phase) == (0, "act")


@pytest.mark.rule("KR-5", "KR-27")
def test_additional_turn_allows_defend_only_where_it_is_allowed() -> None:
    game = play(krig(other={"defence": 1}), "attack 5 2", "parry 3")
    assert legal(game) == {"attack", "charge"}


@pytest.mark.rule("KR-3", "KR-131", "KR-132", "KR-15")
def test_failure_lets_the_hit_land_and_ends_the_turn() -> None:
    game = play(krig(), "attack 5 4", "parry 3")
    assert hit_points(game) == (20, 16)
    assert (game.actor, game.phase) == (0, "act")  # the attacker acts again
    assert legal(game) == {"attack", "defend", "charge"}
    assert events(game) == ["rolls", "parry-failed", "hit-points-lost", "turn-begins"]


@pytest.mark.rule("KR-15")
def test_attacker_carries_no_bonus_into_its_next_turn() -> None:
    """Seat 1 answers a perfect parry with +1; after seat 0's failed parry its next attack is plain."""
    game = play(duel(), "attack 5 3", "parry 3", "attack 5 2", "parry 1")
    assert hit_points(game) == (17, 20)
    assert (game.actor, game.phase) == (1, "act")
    play(game, "attack 5 2", "accept")
    assert hit_points(game) == (15, 20)


@pytest.mark.rule("KR-3", "KR-14")
@pytest.mark.parametrize(
    ("shield", "face", "expected"), [(8, 4, (20, 4)), (4, 4, (20, 0)), (3, 4, (19, 0)), (1, 3, (18, 0))]
)
def test_shield_absorbs_after_a_failed_parry(shield: int, face: int, expected: tuple[int, int]) -> None:
    game = play(krig(other={"defence": shield}), f"attack 5 {face}", "parry 1")
    assert (board(game, 1).hit_points, board(game, 1).defence) == expected


@pytest.mark.rule("KR-13", "KR-129")
@pytest.mark.parametrize("shield", [0, 1, 3, 8])
def test_success_leaves_the_shield_alone(shield: int) -> None:
    game = play(krig(other={"defence": shield}), "attack 5 3", "parry 4")
    assert hit_points(game) == (20, 20)
    assert defence(game) == (0, shield)


@pytest.mark.rule("KR-7")
@pytest.mark.parametrize("face", range(1, 7))
def test_miss_cannot_be_parried(face: int) -> None:
    for game in (krig(), duel()):
        play(game, f"attack 1 {face}")
        assert (game.actor, game.phase) == (1, "act")
        assert legal(game) == {"attack", "defend", "charge"}
        assert hit_points(game) == (20, 20)


@pytest.mark.rule("KR-8")
@pytest.mark.parametrize("face", range(1, 7))
def test_critical_hit_cannot_be_parried(face: int) -> None:
    game = play(krig(), f"attack 10 {face}")
    assert (game.actor, game.phase) == (1, "act")
    assert hit_points(game) == (20, 20 - face)


@pytest.mark.rule("KR-9")
@pytest.mark.parametrize("agility", range(2, 10))
@pytest.mark.parametrize("face", range(1, 7))
def test_faces_5_and_6_cannot_be_parried(agility: int, face: int) -> None:
    game = play(krig(), f"attack {agility} {face}")
    assert (game.phase == "react") == (face <= 4)
    assert ("parry" in legal(game)) == (face <= 4)


@pytest.mark.rule("KR-10")
def test_face_1_is_always_parried_but_stays_a_choice() -> None:
    game = play(krig(), "attack 5 1")
    assert legal(game) == {"accept", "parry"}
    assert all(hit_points(after) == (20, 20) for _, after in game.outcomes("parry"))
    perfect = [
        bool(int(after.states["bonus"][0])) for _, after in play(duel(), "attack 5 1").outcomes("parry")
    ]
    assert perfect == [True, False, False, False]


@pytest.mark.rule("KR-11")
@pytest.mark.parametrize("shield", [0, 1])
def test_lethal_hit_may_be_parried(shield: int) -> None:
    start = play(krig(other={"hit_points": 2, "defence": shield}), "attack 5 4")
    assert legal(start) == {"accept", "parry"}
    saved = play(start.clone(), "parry 4")
    assert not saved.over
    assert (board(saved, 1).hit_points, board(saved, 1).defence) == (2, shield)
    play(saved, "attack 1 1")
    for fatal in ("parry 3", "accept"):
        lost = play(start.clone(), fatal)
        assert lost.over
        assert board(lost, 1).hit_points == 0


@pytest.mark.rule("KR-12")
def test_answers_may_be_parried_without_end() -> None:
    game = play(krig(), "attack 5 2")
    for link in range(40):
        assert (game.actor, game.phase) == (1 - link % 2, "react")
        play(game, "parry 3", "attack 5 2")
    assert hit_points(game) == (20, 20)


@pytest.mark.rule("KR-128", "KR-117")
def test_exact_chances() -> None:
    """A parry of a random die works in 10 of 24 cases (computed); misses and crits are 1 in 10."""
    chances = {"parried": 0.0, "critical": 0.0, "missed": 0.0}
    total = 0.0
    for chance, game in krig().outcomes("attack"):
        if "missed" in events(game):
            chances["missed"] += chance
        elif int(game.states["roll"]["agility"][0]) == 10:
            chances["critical"] += chance
        elif game.phase == "react":
            for of_parry, after in game.outcomes("parry"):
                chances["parried"] += chance * of_parry * ("parried" in events(after))
                total += chance * of_parry
        else:
            total += chance
    assert isclose(total, 8 / 10)
    assert isclose(chances["parried"] / total, 10 / 24)
    assert isclose(chances["critical"], 1 / 10)
    assert isclose(chances["missed"], 1 / 10)
