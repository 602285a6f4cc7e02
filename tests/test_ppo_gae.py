"""Advantages and carried decisions against a slow, obvious computation along each seat's own trajectory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kingmaker.training.gae import NO_ROW, NO_SEAT, carry_over, seat_advantages

DISCOUNT, TRACE = 0.97, 0.9
SHAPES = [(2, 1), (2, 3), (3, 2), (4, 5), (5, 4)]  # seats, games


@dataclass
class Decision:
    """One decision on a seat's trajectory, rewards up to its next decision included."""

    row: int
    value: float
    reward: float = 0.0
    ends: bool = False


def random_play(rng, rows, games, players):
    """Return seats, values, rewards and dones of random play: double moves, skipped seats, unlearned rows."""
    seats = rng.integers(-1, players, size=(rows, games))
    values = rng.normal(size=(rows, games)).astype(np.float32)
    rewards = rng.normal(size=(rows, games, players)).astype(np.float32)
    rewards[rng.random((rows, games)) < 0.5] = 0.0
    dones = rng.random((rows, games)) < 0.15
    return seats.astype(np.int64), values, rewards, dones


def trajectories(seats, values, rewards, dones, game, seat):
    """Return the decisions of one seat in one game, in order."""
    found, open_one = [], None
    for row in range(len(seats)):
        if seats[row, game] == seat:
            open_one = Decision(row, float(values[row, game]))
            found.append(open_one)
        if open_one is not None:
            open_one.reward += float(rewards[row, game, seat])
            if dones[row, game]:
                open_one.ends = True
                open_one = None
    return found


def slow_advantages(path):
    """Return {row: advantage} by the definition: the discounted sum of one-step errors to the end or edge."""
    errors = []
    for k, one in enumerate(path):
        if one.ends:
            errors.append(one.reward - one.value)
        elif k + 1 < len(path):
            errors.append(one.reward + DISCOUNT * path[k + 1].value - one.value)
        else:
            errors.append(None)  # no successor yet
    result = {}
    for k, one in enumerate(path):
        if errors[k] is None:
            continue
        total, weight = 0.0, 1.0
        for j in range(k, len(path)):
            if errors[j] is None:
                break
            total += weight * errors[j]
            weight *= DISCOUNT * TRACE
            if path[j].ends:
                break
        result[one.row] = total
    return result


def run(seats, values, rewards, dones):
    rows, games, players = rewards.shape
    advantages = np.zeros((rows, games), np.float32)
    trained = np.zeros((rows, games), np.bool_)
    last = np.zeros((games, players), np.int64)
    owed = np.zeros((games, players), np.float32)
    seat_advantages(seats, values, rewards, dones, DISCOUNT, TRACE, advantages, trained, last, owed)
    return advantages, trained, last, owed


@pytest.mark.parametrize(("players", "games"), SHAPES)
def test_advantages_equal_the_definition_along_each_seats_trajectory(players, games):
    rng = np.random.default_rng(players)
    for _ in range(20):
        play = random_play(rng, 40, games, players)
        advantages, trained, last, owed = run(*play)
        expected_rows = np.zeros_like(trained)
        for game in range(games):
            for seat in range(players):
                path = trajectories(*play, game, seat)
                for row, advantage in slow_advantages(path).items():
                    assert advantages[row, game] == pytest.approx(advantage, abs=1e-4)
                    expected_rows[row, game] = True
                open_one = path[-1] if path and not path[-1].ends else None
                assert last[game, seat] == (NO_ROW if open_one is None else open_one.row)
                debt = 0.0 if open_one is None else open_one.reward
                assert owed[game, seat] == pytest.approx(debt, abs=1e-5)
        assert np.array_equal(trained, expected_rows)
        assert not trained[play[0] == NO_SEAT].any()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_stream_cut_into_rollouts_learns_every_decision_once_with_its_own_successor(players):
    """Cut long play into short rollouts with carry rows; with lambda 0 the edge leaves no trace at all."""
    rng = np.random.default_rng(9)
    games, steps, rounds = 3, 7, 12
    seats, values, rewards, dones = random_play(rng, steps * rounds, games, players)
    whole = {}
    for game in range(games):
        for seat in range(players):
            path = trajectories(seats, values, rewards, dones, game, seat)
            for k, one in enumerate(path):
                if one.ends or k + 1 < len(path):
                    ahead = 0.0 if one.ends else path[k + 1].value
                    whole[one.row, game] = one.reward + DISCOUNT * ahead - one.value
    rows = players + steps
    buffer_seats = np.full((rows, games), NO_SEAT, np.int64)
    buffer_values = np.zeros((rows, games), np.float32)
    buffer_rewards = np.zeros((rows, games, players), np.float32)
    buffer_dones = np.zeros((rows, games), np.bool_)
    stamps = np.zeros((rows, games, 1), np.float32)  # as observations: where in the stream a row comes from
    masks = np.zeros((rows, games, 1), np.int8)
    actions = np.zeros((rows, games), np.int64)
    log_probs = np.zeros((rows, games), np.float32)
    advantages, trained = np.zeros((rows, games), np.float32), np.zeros((rows, games), np.bool_)
    last, owed = np.full((games, players), NO_ROW), np.zeros((games, players), np.float32)
    learned = {}
    for start in range(0, steps * rounds, steps):
        part = slice(start, start + steps)
        buffer_seats[players:], buffer_rewards[players:] = seats[part], rewards[part]
        buffer_dones[players:] = dones[part]
        stamps[players:, :, 0] = np.arange(start, start + steps)[:, None]
        actions[players:] = np.arange(start, start + steps)[:, None]
        rows_of = stamps[:, :, 0].astype(np.int64)
        buffer_values[:] = values[rows_of, np.arange(games)]
        play = (buffer_seats, buffer_values, buffer_rewards, buffer_dones)
        seat_advantages(*play, DISCOUNT, 0.0, advantages, trained, last, owed)
        for row, game in zip(*np.nonzero(trained), strict=True):
            key = (int(stamps[row, game, 0]), int(game))
            assert key not in learned
            assert actions[row, game] == key[0]
            learned[key] = float(advantages[row, game])
        carry_over(last, owed, buffer_seats, stamps, masks, actions, log_probs, buffer_rewards, buffer_dones)
    assert learned.keys() == whole.keys()
    for key, advantage in whole.items():
        assert learned[key] == pytest.approx(advantage, abs=1e-5)
