"""The expansion's guard break: what breaks a guard, and for how long."""

from __future__ import annotations

import pytest
from helpers_krig import board, duel, events, krig, legal, play

from kingmaker.envs.core.game import Game


def broken_by(game: Game) -> bool:
    return "guard-broken" in events(game)


def may_defend(game: Game, seat: int) -> bool:
    """Return whether the seat, which has to be the one to act, may defend."""
    assert (game.actor, game.phase) == (seat, "act")
    return "defend" in legal(game)


@pytest.mark.rule("KR-214", "KR-37")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("shield", range(9))
def test_attack_that_equals_the_shield_breaks_it(face: int, shield: int) -> None:
    """Compared before absorption: twice the attack does not break, and a break leaves 0 and no loss."""
    game = play(duel(other={"defence": shield}), f"attack 5 {face}")
    if game.phase == "react":
        play(game, "accept")
    assert broken_by(game) == (face == shield)
    assert board(game, 1).broken == (face == shield)
    if face == shield:
        assert (board(game, 1).hit_points, board(game, 1).defence) == (20, 0)
    assert may_defend(game, 1) == (shield < face)


@pytest.mark.rule("KR-38")
@pytest.mark.parametrize(
    ("face", "shield", "broken"), [(5, 6, True), (6, 7, True), (5, 5, False), (6, 6, False), (6, 8, False)]
)
def test_bonus_counts_towards_the_total(face: int, shield: int, broken: bool) -> None:
    game = play(duel(own={"defence": shield}), "attack 5 4", "parry 4", f"attack 5 {face}")
    assert broken_by(game) == broken


@pytest.mark.rule("KR-38")
@pytest.mark.parametrize(
    ("dice", "shield", "broken"),
    [
        ("5 2 3", 5, True),
        ("5 4 4", 8, True),
        ("5 1 1", 2, True),
        ("5 2 3", 2, False),  # the attack die alone does not count
        ("5 2 3", 3, False),  # nor does the defence die
        ("5 4 5", 8, False),  # a total above 8 matches nothing
        ("5 6 8", 8, False),
    ],
)
def test_charge_breaks_by_its_sum(dice: str, shield: int, broken: bool) -> None:
    game = play(duel(other={"defence": shield}), "charge", f"attack 1 1 {dice}")
    assert broken_by(game) == broken


@pytest.mark.rule("KR-39")
def test_inactive_die_is_never_broken() -> None:
    for _, game in duel().outcomes("attack"):
        if game.phase == "react":
            play(game, "accept")
        assert not broken_by(game)
    due = play(duel(), "charge")
    for attack in range(1, 7):
        for shield in range(1, 9):
            assert not broken_by(play(due.clone(), f"attack 1 1 5 {attack} {shield}"))


@pytest.mark.rule("KR-40", "KR-216")
@pytest.mark.parametrize(
    ("line", "shield"),
    [
        (["attack 10 4"], 4),
        (["attack 1 4"], 4),
        (["attack 5 4", "parry 4"], 4),
        (["attack 5 3", "parry 4"], 3),
    ],
    ids=["critical", "miss", "perfect parry", "parry"],
)
def test_nothing_breaks_without_an_ordinary_hit(line: list[str], shield: int) -> None:
    game = play(duel(other={"defence": shield}), *line)
    assert not broken_by(game)
    assert (board(game, 1).defence, board(game, 1).broken) == (shield, 0)


@pytest.mark.rule("KR-40")
@pytest.mark.parametrize("dice", ["10 2 3", "1 2 3"])
def test_critical_or_missed_charge_breaks_nothing(dice: str) -> None:
    game = play(duel(other={"defence": 5}), "charge", f"attack 1 1 {dice}")
    assert not broken_by(game)
    assert board(game, 1).defence == 5


@pytest.mark.rule("KR-216", "KR-41")
def test_breaking_attack_may_be_parried_and_breaks_if_that_fails() -> None:
    game = play(duel(other={"defence": 4}), "attack 5 4")
    assert legal(game) == {"accept", "parry"}
    play(game, "parry 3")
    assert broken_by(game)
    assert (board(game, 1).hit_points, board(game, 1).defence) == (20, 0)


@pytest.mark.rule("KR-43", "KR-215")
def test_broken_guard_bars_defend_alone() -> None:
    game = play(duel(other={"defence": 4}), "attack 5 4", "accept")
    assert legal(game) == {"attack", "charge"}
    refused = {choice.name: choice.rule for choice in game.describe().choices if not choice.legal}
    assert refused["defend"] == "KR-43"
    for action in ("attack 5 2", "charge"):
        play(game.clone(), action)


# How long the ban lasts. Each line ends with seat 1 to act; in each seat 1's shield is down, so that only a
# ban can bar defend.
DURATIONS = {
    "the very turn of an accepted hit": (["attack 5 4", "accept"], False),
    "and no longer": (["attack 5 4", "accept", "attack 1 1", "attack 1 1"], True),
    "used up by a charge and its attack": (
        ["attack 5 4", "accept", "charge", "attack 1 1 1 1 1", "attack 1 1"],
        True,
    ),
    "the turn after a failed parry": (["attack 5 4", "parry 1", "attack 1 1"], False),
    "also if a hit is accepted in it": (["attack 5 4", "parry 1", "attack 5 2", "accept"], False),
    "also if a hit that asks nothing lands in it": (["attack 5 4", "parry 1", "attack 5 6"], False),
    "the turn after a failed parry and no longer": (
        ["attack 5 4", "parry 1", "attack 1 1", "attack 1 1", "attack 1 1"],
        True,
    ),
    "used up by a parry that succeeds": (["attack 5 4", "parry 1", "attack 5 2", "parry 3"], True),
    "used up by a parry that fails": (
        ["attack 5 4", "parry 1", "attack 5 2", "parry 1", "attack 1 1"],
        True,
    ),
}


@pytest.mark.rule("KR-42", "KR-215", "KR-41")
@pytest.mark.parametrize(("line", "expected"), DURATIONS.values(), ids=DURATIONS.keys())
def test_duration(line: list[str], expected: bool) -> None:
    game = play(duel(other={"defence": 4}), *line)
    assert board(game, 1).defence == 0
    assert may_defend(game, 1) == expected


@pytest.mark.rule("KR-42", "KR-22")
def test_forced_charge_attack_uses_the_ban_up() -> None:
    """Seat 0 is broken while it charges; its charge attack is that turn, so it may defend in the next."""
    game = play(duel(own={"defence": 4}), "charge", "attack 5 4 1 1 1")
    assert broken_by(game)
    play(game, "attack 1 1")
    assert may_defend(game, 0)


@pytest.mark.rule("KR-42")
def test_second_break_starts_the_ban_anew() -> None:
    """A parry attempt uses up the old ban, but if it fails against a breaking hit there is a new one."""
    game = play(duel(other={"defence": 3, "broken": 1}), "attack 5 3", "parry 2")
    assert broken_by(game)
    play(game, "attack 1 1")
    assert not may_defend(game, 1)


@pytest.mark.rule("KR-42")
def test_ban_outlasts_the_other_seats_turns() -> None:
    game = play(duel(other={"defence": 4}), "attack 5 4", "parry 1")
    assert (game.actor, board(game, 1).broken) == (0, 1)
    play(game, "defend 2")  # the attacker is not barred
    assert not may_defend(game, 1)


@pytest.mark.rule("KR-42", "KR-44")
def test_ban_holds_through_windows() -> None:
    game = krig("krig_intervention", own={"tokens": 1}, other={"defence": 4, "tokens": 0})
    play(game, "attack 5 3", "reroll-attack 4", "accept")
    assert broken_by(game)
    assert not may_defend(game, 1)
