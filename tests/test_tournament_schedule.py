"""Seats, line-ups and seeds are balanced."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from kingmaker.benchmarks.tournament.play import block_seeds
from kingmaker.benchmarks.tournament.schedule import circular_orders, make_lineups, make_schedule

SIZES = [
    (2, 2),
    (5, 2),
    (3, 3),
    (6, 3),
    (2, 3),
    (4, 4),
    (2, 4),
    (3, 4),
    (7, 4),
    (5, 5),
    (2, 5),
    (1, 2),
    (1, 4),
]
LARGE = [(20, 3), (12, 4), (16, 4), (25, 4), (10, 5), (13, 5), (40, 5)]


def all_seats(schedule):
    return schedule.seats(np.arange(schedule.num_games))


@pytest.mark.parametrize(("agents", "seats"), SIZES + LARGE)
def test_every_agent_is_equally_often_in_every_seat(agents, seats):
    schedule = make_schedule(agents, seats, games=1, chunk_games=100, max_lineups=100)
    table = all_seats(schedule)
    counts = np.array([[np.sum(table[:, seat] == agent) for seat in range(seats)] for agent in range(agents)])
    assert counts.min() == counts.max() > 0


@pytest.mark.parametrize(("agents", "seats"), SIZES)
def test_small_tournaments_play_all_lineups_but_mirrors(agents, seats):
    lineups = make_lineups(agents, seats, max_lineups=100)
    assert len(set(lineups)) == len(lineups)
    if agents == 1:
        assert lineups == ((0,) * seats,)
    elif agents >= seats:
        assert len(lineups) == math.comb(agents, seats)
    else:
        assert len(lineups) == math.comb(agents + seats - 1, seats) - agents
        assert all(len(set(lineup)) > 1 for lineup in lineups)


@pytest.mark.parametrize(("agents", "seats"), LARGE)
def test_large_tournaments_play_a_balanced_part(agents, seats):
    lineups = make_lineups(agents, seats, max_lineups=100)
    assert len(lineups) < math.comb(agents, seats)
    assert len(set(lineups)) == len(lineups)
    meetings = Counter(pair for lineup in lineups for pair in itertools.combinations(lineup, 2))
    assert len(meetings) == math.comb(agents, 2)
    assert max(meetings.values()) <= 1.25 * min(meetings.values())


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 7])
def test_everybody_follows_everybody_equally_often(seats):
    orders = circular_orders(seats)
    follows = Counter((order[i - 1], order[i]) for order in orders for i in range(seats))
    assert set(follows) == set(itertools.permutations(range(seats), 2))
    assert len(set(follows.values())) == 1


def test_games_are_whole_blocks_and_a_block_is_one_seed_in_every_seating():
    schedule = make_schedule(4, 3, games=100, chunk_games=7, max_lineups=100)
    assert schedule.block_games == 4 * 3
    assert schedule.num_games == 108  # the next multiple of 12
    games = np.arange(schedule.num_games)
    seeds = block_seeds(5, schedule.num_blocks)[schedule.blocks(games)]
    seatings = schedule.seats(games)
    for seed in set(seeds.tolist()):
        on_seed = [tuple(row) for row in seatings[seeds == seed]]
        assert len(set(on_seed)) == 12
        assert {tuple(sorted(row)) for row in on_seed} == set(schedule.lineups)
    assert all(
        tuple(sorted(seatings[game])) == schedule.lineups[schedule.lineup_of(game)] for game in games.tolist()
    )


def test_chunks_cover_every_game_once():
    schedule = make_schedule(3, 2, games=100, chunk_games=7, max_lineups=100)
    played = [game for chunk in range(schedule.num_chunks) for game in schedule.games_of(chunk)]
    assert played == list(range(schedule.num_games))


def test_seeds_differ_between_blocks_and_tournaments_and_a_longer_one_begins_alike():
    assert len(set(block_seeds(1, 1000).tolist())) == 1000
    assert not set(block_seeds(1, 1000).tolist()) & set(block_seeds(2, 1000).tolist())
    assert block_seeds(1, 10).tolist() == block_seeds(1, 1000)[:10].tolist()
