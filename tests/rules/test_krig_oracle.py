"""The compiled rules against ``reference_krig``: random games, compared after every single decision."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from helpers_krig import board, legal
from reference_krig import Figures, Question, Reference

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT

PRINTED = {
    "hit_points": 20,
    "handicap": 2,
    "tokens": 3,
    "perfect_parry": True,
    "guard_break": True,
    "games": 3,
}
# Options of a game, and how many games to play; the interpreter plays one in twenty of them.
VARIANTS: list[tuple[str, dict[str, Any], int]] = [
    ("krig", {}, 1500),
    ("krig", {"attack_die": 4, "parry_die": 6, "agility_die": 3, "hit_points": 9}, 300),
    ("krig", {"max_turns": 12}, 200),
    ("krig_intervention", {}, 300),
    ("krig_intervention", {"tokens": 0}, 600),
    ("krig_intervention", {"tokens": 6, "games": 1, "handicap": 0}, 200),
    ("krig_intervention", {"games": 5, "hit_points": 5, "handicap": 1, "tokens": 1}, 300),
    ("krig_intervention", {"perfect_parry": False, "defence_die": 4}, 100),
    ("krig_intervention", {"guard_break": False, "agility_die": 4}, 100),
    ("krig_intervention", {"max_turns": 9, "hit_points": 8}, 200),
]


def figures(name: str, options: dict[str, Any]) -> Figures:
    printed = PRINTED if name == "krig_intervention" else {}
    changed = {option.removesuffix("_die"): value for option, value in options.items()}
    return Figures(**(printed | changed))


class Pair:
    """A game and its reference, which gets the dice that the game has rolled."""

    def __init__(self, name: str, options: dict[str, Any], seed: int) -> None:
        self.game = Game(name, seed=seed, options=options)
        self.game.record()
        self.game.reset(seed)
        self.dice: deque[tuple[int, int, int]] = deque()
        self.reference = Reference(figures(name, options), self._roll)
        self.story = self.reference.story()
        self.question: Question | None = self._go_on(None)

    def _roll(self, sides: int) -> int:
        outcome, of, _ = self.dice.popleft()
        assert of == sides
        return outcome + 1

    def _go_on(self, action: str | None) -> Question | None:
        self.dice.extend(row.values for row in self.game.journal() if row.name == "chance")
        try:
            question = next(self.story) if action is None else self.story.send(action)
        except StopIteration:
            question = None
        assert not self.dice, "the game rolled dice that the rules do not ask for"
        return question

    def apply(self, action: str) -> None:
        self.game.apply(action)
        self.question = self._go_on(action)

    def compare(self) -> None:
        game, reference = self.game, self.reference
        assert game.over == (self.question is None)
        if self.question is not None:
            seat, actions = self.question
            assert game.actor == seat
            assert legal(game) == actions
        for number, seat_of in enumerate(reference.seats):
            shown = board(game, number)
            assert shown.hit_points == seat_of.hit_points
            assert shown.defence == seat_of.shield
            assert shown.charging == seat_of.charging
            assert shown.broken == seat_of.barred
            assert shown.tokens == seat_of.tokens
            assert shown.wins == reference.wins[number]
        counts = tuple(int(game.states[field][0]) for field in ("first", "game", "turn"))
        assert counts == (reference.first, reference.games, reference.turns)
        assert game.truncated == reference.truncated


@pytest.mark.parametrize(("name", "options", "games"), VARIANTS)
def test_rules_agree_with_the_reference(name: str, options: dict[str, Any], games: int) -> None:
    chooser = np.random.default_rng(3)
    actions = [action.name for action in Game(name, options=options).spec.actions]
    for seed in range(games if JIT else max(games // 20, 3)):
        pair = Pair(name, options, seed)
        # Each game has tastes of its own, so that some are all parries and others all shields or tokens.
        taste = dict(zip(actions, np.exp(1.5 * chooser.standard_normal(len(actions))), strict=True))
        pair.compare()
        while pair.question is not None:
            choices = sorted(pair.question[1])
            weights = np.array([taste[choice] for choice in choices])
            pair.apply(str(chooser.choice(choices, p=weights / weights.sum())))
            pair.compare()
        if not pair.game.truncated:
            ranks, scores, _ = pair.game.results()
            assert (ranks.argmin() == 0) == (pair.reference.wins[0] > pair.reference.wins[1])
            assert scores.min() >= 0
