"""What is under test: a game, a seat count and options; and how a check says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.spec import GameSpec


class ConformanceError(AssertionError):
    """A game that breaks the contract; the message names game, seed and decision."""


@dataclass(frozen=True)
class Case:
    """A game as the checks meet it.

    Args:
        spec: the game.
        num_players: seats in play.
        options: rule options by name.
        games: random games that the cheap checks play; the dear ones play a fifth of them.
        seed: of the first game; the others follow on.
        invariant: called with a game at every position that a check comes by; raises ``AssertionError`` if
            something that no move may change has changed (pieces lost, a deck that grew).
    """

    spec: GameSpec
    num_players: int
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 20
    seed: int = 0
    invariant: Callable[[Game], None] | None = None

    def __str__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"{self.spec.id} ({self.num_players} seats{options})"

    @property
    def few(self) -> int:
        """Games for checks that do much at every decision."""
        return max(1, self.games // 5)

    @cached_property
    def longest(self) -> int:
        """The declared bound on the decisions of a game."""
        return self.spec.longest(self.num_players, self.spec.check_options(self.options))

    def game(self, seed: int) -> Game:
        """Return a new game."""
        return Game(self.spec, self.num_players, seed=seed, options=self.options)

    def arguments(self) -> dict[str, Any]:
        """Return seat count and options as the environments' constructors take them."""
        return {"num_players": self.num_players, **self.options}

    def rng(self, number: int) -> np.random.Generator:
        """Return the generator that picks the actions of game ``number``."""
        return np.random.default_rng([self.seed, number])

    def positions(self, games: int) -> Iterator[tuple[Game, np.random.Generator]]:
        """Yield every position of random games, the ended ones included.

        The game is one object that moves on: clone it to try something out.
        """
        for number in range(games):
            game, rng = self.game(self.seed + number), self.rng(number)
            while True:
                self.holds(game)
                yield game, rng
                if game.over:
                    break
                play_on(self, game, rng)

    def holds(self, game: Game) -> None:
        """Run the invariant."""
        if self.invariant is not None:
            try:
                self.invariant(game)
            except AssertionError as error:
                self.expect(False, f"the invariant fails: {error}", game)

    def expect(self, holds: Any, problem: str, game: Game | None = None) -> None:
        """Raise ``ConformanceError`` unless ``holds``; ``game`` tells where."""
        if not holds:
            place = "" if game is None else f", game seed {game.seed}, decision {game.moves}"
            raise ConformanceError(f"{self}{place}: {problem}")


def play_on(case: Case, game: Game, rng: np.random.Generator) -> int:
    """Take a random legal action of a running game; return it."""
    case.expect(game.moves < case.longest, f"the game goes on beyond its longest, {case.longest}", game)
    legal = game.legal_actions()
    case.expect(legal, f"seat {game.actor} must act and has no legal action", game)
    action = int(rng.choice(legal))
    game.apply(action)
    return action


def play_out(case: Case, game: Game, rng: np.random.Generator) -> list[int]:
    """Play a game to its end at random; return the actions."""
    actions = []
    while not game.over:
        actions.append(play_on(case, game, rng))
    return actions


def view(game: Game) -> tuple[Any, ...]:
    """Return what the seats can make of a position, in a form that compares equal or not."""
    seats = tuple(game.observe(seat).tobytes() for seat in range(game.num_players))
    return game.actor, game.choosing, game.phase, game.moves, game.mask().tobytes(), seats


def stream(spec: GameSpec, seed: int, index: int, purpose: int) -> np.ndarray:
    """Return the chance stream (length 1) that game ``index`` of a batch seeded with ``seed`` has."""
    streams = np.zeros(1, CHANCE)
    spec.entry("seed_streams")(streams, seed, index, purpose)
    return streams


def draw_seed(spec: GameSpec, one: np.ndarray) -> int:
    """Draw the next seed of a stream."""
    seeds = np.zeros(1, np.int64)
    spec.entry("draw_seeds")(one, seeds)
    return int(seeds[0])
