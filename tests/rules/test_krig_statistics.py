"""The facts file's computed numbers, at the scale of random play.

Every bound is five standard errors, so that a right program fails once in about two million runs; the seeds
are fixed besides.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from kingmaker.envs.core.batch import BatchGames

GAMES = 100_000
SIGMAS = 5.0

pytestmark = pytest.mark.compiled_only


class Sample:
    """Random games, played to their end."""

    def __init__(self, name: str, games: int) -> None:
        batch = BatchGames(name, games, seed=11, autoreset=False)
        ids = batch.spec.action_ids
        self.actions = np.zeros(games, int)
        while not batch.dones.all():
            chosen = batch.random_actions()
            running = ~batch.dones
            for action, weight in (("attack", 1), ("defend", 1), ("charge", 2)):
                self.actions += weight * (running & (chosen == ids[action]))
            batch.step(chosen)
        # A charge counts with its charge attack; take off those that the end of the game forestalled.
        self.actions -= batch.states["seats"]["charging"].sum(axis=1)
        self.turns = batch.states["turn"].copy()
        self.winner = batch.ranks.argmin(axis=1)
        self.first = batch.states["first"].copy()
        self.truncated = batch.truncated.copy()


@pytest.fixture(scope="module")
def base() -> Sample:
    return Sample("krig", GAMES)


def test_mean_length_is_16_7_actions(base: Sample) -> None:
    """The figure counts actions taken: a turn that only loses the game, or fails to parry, has none.

    It is rounded, and itself the mean of 100,000 games.
    """
    deviation = base.actions.std()
    error = sqrt(deviation**2 / GAMES + deviation**2 / 100_000)
    assert abs(base.actions.mean() - 16.7) < 0.05 + SIGMAS * error


def test_games_are_short(base: Sample) -> None:
    """99.9% end in under 60 turns, and the longest of 100,000 took 77."""
    expected = 0.001 * GAMES
    assert (base.turns >= 60).sum() < expected + SIGMAS * sqrt(expected)
    assert base.turns.max() <= 77
    assert not base.truncated.any()


@pytest.mark.parametrize("name", ["krig", "krig_intervention"])
def test_seats_are_symmetrical(name: str) -> None:
    """The roll-off is fair, so each seat wins half of all games and begins half of them."""
    sample = Sample(name, GAMES)
    bound = SIGMAS * sqrt(0.25 / GAMES)
    assert abs(sample.winner.mean() - 0.5) < bound
    assert abs(sample.first.mean() - 0.5) < bound


def test_going_first_helps_at_20_against_20(base: Sample) -> None:
    """Random play has no figure of its own, but the first seat's edge (56.7% at best play) has to show."""
    share = (base.winner == base.first).mean()
    assert share - 0.5 > SIGMAS * sqrt(0.25 / GAMES)


def test_handicap_takes_the_edge_away() -> None:
    """Two hit points fewer move best play from 56.7% to 48.3%; random play must show a fall as well."""
    shares = []
    for handicap in (0, 2):
        options = {"tokens": 0, "games": 1, "handicap": handicap}
        batch = BatchGames("krig_intervention", GAMES, seed=12, autoreset=False, options=options)
        while not batch.dones.all():
            batch.step(batch.random_actions())
        shares.append((batch.ranks.argmin(axis=1) == batch.states["first"]).mean())
    assert shares[0] - shares[1] > SIGMAS * sqrt(2 * 0.25 / GAMES)
