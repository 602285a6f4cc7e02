"""Krig in words: the rule that ``describe`` names for an illegal action, and the position it prints."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers_krig import board, duel, krig, play, random_positions

from kingmaker.envs.core.errors import GameOver, IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.rulebook import read_rulebook

RULES = {rule.id: rule for rule in read_rulebook(get_spec("krig"))}
REACT, ACT = {"accept", "parry"}, {"attack", "defend", "charge"}


def match() -> Game:
    return krig("krig_intervention")


def expected_rule(game: Game, action: str) -> str:
    """Return the rule that forbids an illegal action, worked out from the phase and the actor's board."""
    if game.phase == "window":
        # A die that is not on the table; or anything but the token question.
        return "KR-45" if action.startswith("reroll-") else "KR-44"
    if action not in REACT | ACT:
        return "KR-44"  # no window is open
    if action in REACT:
        return "KR-6"
    if game.phase == "react":
        return "KR-1"
    assert action == "defend", f"{action} is always legal when a seat acts"
    return "KR-27" if board(game, game.actor).defence else "KR-43"


@pytest.mark.parametrize("name", ["krig", "krig_intervention"])
def test_every_illegal_action_names_the_right_rule(name: str) -> None:
    seen = set()
    for game in random_positions(name, 40):
        described = game.describe()
        assert (described.actor, described.phase) == (game.actor, game.phase)
        assert [choice.action for choice in described.choices] == list(range(game.spec.num_actions))
        for choice in described.choices:
            assert choice.legal == (choice.action in game.legal_actions())
            if choice.legal:
                assert choice.rule is choice.why_not is None
                continue
            assert choice.rule in RULES
            assert choice.rule == expected_rule(game, choice.name)
            assert choice.why_not
            seen.add((game.phase, choice.rule))
    base = {("act", "KR-6"), ("act", "KR-27"), ("react", "KR-1")}
    more = {
        ("act", "KR-43"),
        ("act", "KR-44"),
        ("react", "KR-44"),
        ("window", "KR-44"),
        ("window", "KR-45"),
    }
    assert seen == (base if name == "krig" else base | more)


@pytest.mark.rule("KR-1", "KR-6", "KR-27", "KR-43", "KR-44", "KR-45")
@pytest.mark.parametrize(
    ("line", "own", "action", "rule"),
    [
        ([], {}, "parry", "KR-6"),
        ([], {}, "accept", "KR-6"),
        ([], {"defence": 1}, "defend", "KR-27"),
        ([], {"broken": 1}, "defend", "KR-43"),
        ([], {"defence": 1, "broken": 1}, "defend", "KR-27"),
        ([], {}, "pass", "KR-44"),
        ([], {}, "reroll-all", "KR-44"),
        (["attack 5 3"], {}, "attack", "KR-44"),
        (["attack 5 3"], {}, "accept", "KR-44"),
        (["attack 5 3"], {}, "parry", "KR-44"),
        (["attack 5 3"], {}, "reroll-defence", "KR-45"),
        (["attack 5 3"], {}, "reroll-parry", "KR-45"),
        (["defend 3"], {}, "reroll-attack", "KR-45"),
        (["attack 5 3", "pass", "pass"], {}, "attack", "KR-1"),
        (["attack 5 3", "pass", "pass"], {}, "charge", "KR-1"),
        (["attack 5 3", "pass", "pass"], {}, "reroll-attack", "KR-44"),
        (["attack 5 3", "pass", "pass", "parry 3"], {}, "reroll-attack", "KR-45"),
    ],
)
def test_refusal_names_rule_phase_and_what_is_legal(
    line: list[str], own: dict[str, int], action: str, rule: str
) -> None:
    game = play(krig("krig_intervention", own=own), *line)
    before = game.save()
    with pytest.raises(IllegalAction) as refused:
        game.apply(action)
    message = str(refused.value)
    assert f"({action}) is illegal" in message
    assert f"({rule})" in message
    assert f"in phase '{game.phase}' seat {game.actor} may play" in message
    assert all(f"({game.spec.actions[legal].name})" in message for legal in game.legal_actions())
    assert game.save() == before


@pytest.mark.parametrize("wrong", ["jump", 99, -1])
def test_unknown_action_is_refused(wrong: str | int) -> None:
    with pytest.raises(IllegalAction, match=r"is not an action of krig \(0\.\.4\)"):
        krig().apply(wrong)


def test_ended_game_describes_itself() -> None:
    game = play(krig(other={"hit_points": 1}), "attack 10 1")
    described = game.describe()
    assert not any(choice.legal for choice in described.choices)
    assert described.position.endswith("the game is over")
    with pytest.raises(GameOver, match="over after 1 decisions"):
        game.apply("attack")


@pytest.mark.parametrize(
    ("start", "line", "words"),
    [
        (krig, [], "seat 0 is to act"),
        (krig, ["attack 5 3"], "pending on seat 1: attack die 3: 3 damage"),
        (
            duel,
            ["attack 5 3", "parry 3", "attack 5 2"],
            "pending on seat 0: attack die 2 and +1 for the perfect parry: 3 damage",
        ),
        (
            duel,
            ["attack 5 3", "parry 3"],
            "seat 1 has parried perfectly: an attack now gains +1",
        ),
        (
            match,
            ["attack 1 3"],
            "seat 0 has rolled: attack die 3, agility die 1 (a miss): no damage",
        ),
        (
            match,
            ["attack 10 3"],
            "seat 0 has rolled: attack die 3, agility die 10 (a critical hit): 3 damage",
        ),
        (
            match,
            ["attack 5 3", "pass", "pass", "parry 2"],
            "seat 1 has rolled: parry die 2 against attack die 3",
        ),
        (match, ["defend 7"], "seat 0 has rolled: defence die 7"),
        (
            match,
            ["charge", "attack 1 3", "pass", "pass 5 2 4"],
            "seat 0 has rolled: charge attack, attack die 2 and defence die 4, agility die 5: 6 damage",
        ),
    ],
)
def test_position_in_words(start: Callable[[], Game], line: list[str], words: str) -> None:
    assert play(start(), *line).position().splitlines()[-1] == words
