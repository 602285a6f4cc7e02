"""Words for the rule tests of Krig: set up a position, play a scripted line, look at the boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kingmaker.envs.core.game import Game

# Options under which a game has the expansion's parries and guard breaks, but neither windows nor a match:
# what most rule tests of the expansion want.
DUEL = {"tokens": 0, "games": 1, "handicap": 0}


class Board(NamedTuple):
    """A seat's board."""

    hit_points: int
    defence: int
    charging: int
    broken: int
    tokens: int
    wins: int


def faces(*values: int) -> list[int]:
    """Return the script that makes dice show ``values``."""
    return [value - 1 for value in values]


def krig(
    name: str = "krig",
    *,
    first: int = 0,
    own: dict[str, int] | None = None,
    other: dict[str, int] | None = None,
    **options: Any,
) -> Game:
    """Return a game at its first turn, with the boards of the seat to act and of the other seat changed.

    Args:
        name: the game.
        first: the seat to act; it wins the roll-off.
        own: fields of that seat's board, such as ``{"defence": 5}``.
        other: fields of the other seat's board.
        **options: rule options.
    """
    game = Game(name, seed=0, options=options)
    game.record()
    game.reset(0, script=faces(3, 2) if first == 0 else faces(2, 3))
    for seat, fields in ((first, own), (1 - first, other)):
        for field, value in (fields or {}).items():
            game.state.seats[seat][field] = value
    game.refresh()
    return game


def duel(*, first: int = 0, own: dict[str, int] | None = None, other: dict[str, int] | None = None) -> Game:
    """Return a game of the expansion without tokens and handicap, of one game."""
    return krig("krig_intervention", first=first, own=own, other=other, **DUEL)


def play(game: Game, *line: str) -> Game:
    """Play actions, each followed by the faces that the dice then show, as in ``"attack 5 3"``.

    The faces must be all that the rules roll, in order.
    """
    for step in line:
        action, *dice = step.split()
        game.apply(action, script=faces(*map(int, dice)))
    return game


def board(game: Game, seat: int) -> Board:
    """Return a seat's board."""
    row = game.states["seats"][0, seat]
    return Board(*(int(row[name]) for name in Board._fields))


def hit_points(game: Game) -> tuple[int, int]:
    """Return both seats' hit points."""
    return board(game, 0).hit_points, board(game, 1).hit_points


def defence(game: Game) -> tuple[int, int]:
    """Return both seats' defence dice."""
    return board(game, 0).defence, board(game, 1).defence


def tokens(game: Game) -> tuple[int, int]:
    """Return both seats' tokens."""
    return board(game, 0).tokens, board(game, 1).tokens


def wins(game: Game) -> tuple[int, int]:
    """Return the games that each seat has won."""
    return board(game, 0).wins, board(game, 1).wins


def legal(game: Game) -> set[str]:
    """Return the names of the legal actions."""
    return {game.spec.actions[action].name for action in game.legal_actions()}


def events(game: Game) -> list[str]:
    """Return the names of what happened in the last move, dice left out."""
    return [happening.name for happening in game.journal() if happening.name != "chance"]


def sides(game: Game) -> list[int]:
    """Return the sides of the dice that the last move rolled."""
    return [happening.values[1] for happening in game.journal() if happening.name == "chance"]


def rolled(game: Game) -> list[int]:
    """Return the faces that the last move rolled."""
    return [happening.values[0] + 1 for happening in game.journal() if happening.name == "chance"]


def random_positions(name: str, count: int, **options: Any) -> Iterator[Game]:
    """Yield the running game before each decision of ``count`` random games.

    It is one object that moves on: clone it to keep a position or to play from it.
    """
    chooser = np.random.default_rng(20)
    for seed in range(count):
        game = Game(name, seed=seed, options=options)
        game.record()
        while not game.over:
            yield game
            game.apply(int(chooser.choice(game.legal_actions())))
