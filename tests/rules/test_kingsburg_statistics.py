"""Chance is fair: the first turn order, the enemy deck, dice, and what is drawn again for a seat.

Every bound is five standard errors; the seeds are fixed besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from helpers_kingsburg import closing, dice, field, recruiting, seat

from kingmaker.envs.core.batch import BatchGames

GAMES = 20_000
SIGMAS = 5.0

pytestmark = pytest.mark.compiled_only


def is_uniform(found: Iterable[Any], outcomes: Sequence[Any]) -> None:
    """Assert that all outcomes come up about equally often, and nothing else does."""
    counts = Counter(found)
    total, share = sum(counts.values()), 1 / len(outcomes)
    assert set(counts) == set(outcomes)
    for outcome in outcomes:
        assert abs(counts[outcome] - share * total) < SIGMAS * sqrt(total * share * (1 - share)), outcome


@pytest.mark.rule("KB-102")
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_every_turn_order_is_equally_likely(num_players: int) -> None:
    batch = BatchGames("kingsburg", GAMES, num_players, seed=1)
    orders = batch.states["order"][:, :num_players]
    is_uniform(map(tuple, orders.tolist()), list(permutations(range(num_players))))


@pytest.mark.rule("KB-103")
def test_every_card_of_a_year_is_equally_likely() -> None:
    decks = BatchGames("kingsburg", GAMES, 3, seed=2).states["deck"]
    for year in range(5):
        is_uniform(decks[:, year].tolist(), range(5 * year, 5 * year + 5))
        if year:  # and the years have nothing to do with each other
            pairs = list(zip((decks[:, year - 1] % 5).tolist(), (decks[:, year] % 5).tolist(), strict=True))
            is_uniform(pairs, [(one, other) for one in range(5) for other in range(5)])


@pytest.mark.rule("KB-115", "KB-43", "KB-14")
def test_dice_are_fair() -> None:
    """A throw of five seats, two of them with a white die, and the neutral dice of two."""
    sums, faces, blocks = [], [], []
    start = closing(seat(buildings=("inn", "market", "farms")), seat(), seat(), seat(), seat())
    pair = closing(seat(), seat())
    for number in range(3000):
        game = start.clone()
        reseed(game, number)
        game.apply("pass")
        shown = [dice(game, place) for place in range(5)]
        faces += [face for coloured, white in shown for face in (*coloured, *white)]
        sums += [sum(coloured) for coloured, _ in shown]
        game = pair.clone()
        reseed(game, number)
        game.apply("pass")
        blocks += [happening.values[0] for happening in game.journal() if happening.name == "blocked"][:1]
    is_uniform(faces, range(1, 7))
    three = Counter(one + two + six for one in range(1, 7) for two in range(1, 7) for six in range(1, 7))
    for found in (sums, blocks):
        for total, ways in three.items():
            share = ways / 216
            deviation = sqrt(len(found) * share * (1 - share))
            assert abs(found.count(total) - share * len(found)) < SIGMAS * deviation


@pytest.mark.rule("KB-43")
def test_kings_die_is_fair() -> None:
    start = recruiting(seat(soldiers=3), seat(), year=5)
    values = []
    for number in range(GAMES):
        game = start.clone()
        reseed(game, number)
        game.apply("stop-recruiting")
        values.append(field(game, "combat", 0) - 3)
    is_uniform(values, range(1, 7))


@pytest.mark.rule("KB-18", "KB-103")
def test_unseen_cards_are_redealt_uniformly() -> None:
    game = closing(seat(peeked=1), seat(), seat(), year=2)
    for viewer, first in ((0, 2), (1, 1)):
        decks = np.array([game.redealt(viewer, number).states["deck"][0] for number in range(GAMES)])
        for year in range(first, 5):
            is_uniform(decks[:, year].tolist(), range(5 * year, 5 * year + 5))


def reseed(game: Any, number: int) -> None:
    """Give a game another future."""
    game.states["chance"] = game.redealt(0, number).states["chance"]
