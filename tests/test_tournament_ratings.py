"""Ratings recover the strengths of simulated players, and intervals are honest."""

from __future__ import annotations

import choix
import numpy as np
import pytest

from kingmaker.benchmarks.tournament.analysis import analyse
from kingmaker.benchmarks.tournament.ratings import ELO, PlackettLuce, comparable_groups
from kingmaker.benchmarks.tournament.schedule import make_schedule
from kingmaker.benchmarks.tournament.store import Results
from kingmaker.benchmarks.tournament.tally import tally

STRENGTHS = np.array([0.0, 80.0, 200.0, 350.0, 600.0])  # rating points


def simulate(strengths, num_players, games, *, seed=0, tie_width=0.0):
    """Play games of the Plackett-Luce model: the higher sum of strength and Gumbel noise is placed above.

    With ``tie_width``, players whose sums fall into one interval of that many rating points share a place.
    """
    rng = np.random.default_rng(seed)
    schedule = make_schedule(len(strengths), num_players, games, 100, 100)
    numbers = np.arange(schedule.num_games)
    seats = schedule.seats(numbers)
    sums = strengths[seats] + ELO * rng.gumbel(size=seats.shape)
    if tie_width:
        sums = np.floor(sums / tie_width)
    ranks = (sums[:, None, :] > sums[:, :, None]).sum(axis=2)
    zeros = np.zeros(len(seats))
    return Results(seats, ranks, sums, zeros.astype(bool), zeros.astype(int)), schedule.blocks(numbers)


def rate(results, blocks, agents, *, resamples=40, anchor=0):
    return analyse(tally(results, blocks, agents), anchor, 0, resamples, 0.95)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("tie_width", [0.0, 100.0])
def test_order_and_strengths_are_recovered(num_players, tie_width):
    results, blocks = simulate(STRENGTHS, num_players, 12_000, tie_width=tie_width)
    if tie_width:
        assert (results.ranks.max(axis=1) < num_players - 1).mean() > 0.05
    ratings = rate(results, blocks, 5).value.ratings
    assert list(np.argsort(ratings)) == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(ratings, STRENGTHS, atol=25)


@pytest.mark.parametrize("num_players", [3, 5])
def test_strengths_are_recovered_where_agents_take_several_seats(num_players):
    strengths = np.array([0.0, 150.0])
    results, blocks = simulate(strengths, num_players, 12_000)
    np.testing.assert_allclose(rate(results, blocks, 2).value.ratings, strengths, atol=20)


def test_fit_is_the_maximum_likelihood_that_choix_finds():
    results, blocks = simulate(STRENGTHS, 3, 2_000)
    counts = tally(results, blocks, 5)
    rankings = [
        seats[np.argsort(ranks)].tolist() for seats, ranks in zip(results.seats, results.ranks, strict=True)
    ]
    ours = PlackettLuce(5, counts.choices).fit(counts.total().chosen, prior=np.full((5, 2), 1e-9))
    np.testing.assert_allclose(ours, choix.ilsr_rankings(5, rankings), atol=1e-6)


def test_a_tie_counts_as_the_mean_of_the_orders_it_stands_for():
    seats = np.array([[0, 1, 2]])
    nothing = (np.zeros((1, 3)), np.zeros(1, bool), np.zeros(1, int))
    block = np.zeros(1, int)

    def chosen(*ranks):
        counts = tally(Results(seats, np.array([ranks]), *nothing), block, 3)
        return dict(zip(counts.choices, counts.total().chosen, strict=True))

    tied = chosen(0, 0, 2)
    mean = {}
    for order in (chosen(0, 1, 2), chosen(1, 0, 2)):
        for key, weight in order.items():
            mean[key] = mean.get(key, 0) + weight / 2
    assert tied == pytest.approx(mean)
    assert sum(chosen(0, 0, 0).values()) == pytest.approx(2)


def test_tied_places_count_half_and_shared_wins_are_shared():
    seats, ranks = np.array([[0, 1, 2], [1, 2, 0]]), np.array([[0, 0, 2], [0, 1, 2]])
    results = Results(seats, ranks, np.array([[5, 5, 1], [9, 4, 2.0]]), np.zeros(2, bool), np.zeros(2, int))
    a = rate(results, np.array([0, 1]), 3)
    assert a.value.cross[0, 1] == 0.25  # a tie and a defeat
    assert a.value.cross[0, 2] == 0.5
    assert a.value.win_share.tolist() == [0.25, 0.75, 0]
    assert a.value.score.tolist() == [3.5, 7, 2.5]
    assert a.value.seat_share.tolist() == [0.75, 0.25, 0]
    assert a.value.agent_seat_share[1].tolist()[:2] == [1, 0.5]
    assert np.isnan(a.value.agent_seat_share[1, 2])
    assert np.isnan(a.value.cross[0, 0])


def test_an_agent_that_always_wins_has_a_finite_rating_with_an_interval():
    strengths = np.array([0.0, 50.0, 100_000.0])
    results, blocks = simulate(strengths, 2, 600)
    a = rate(results, blocks, 3, resamples=200)
    assert 700 < a.value.ratings[2] < 2000
    assert a.low.ratings[2] < a.value.ratings[2] - 50 < a.value.ratings[2] + 50 < a.high.ratings[2]
    assert a.value.cross[2, 0] == 1
    assert 0.9 < a.low.cross[2, 0] < 1
    assert 0 < a.high.cross[0, 2] < 0.1
    assert comparable_groups(a.totals.points) in ([[0, 1], [2]], [[2], [0, 1]])


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    strengths = np.array([0.0, 100.0])
    covered = 0
    for seed in range(40):
        a = rate(*simulate(strengths, 2, 400, seed=seed), 2, resamples=100)
        covered += a.low.ratings[1] <= 100 <= a.high.ratings[1]
    assert covered >= 33  # 38 expected; fewer than 33 has a probability below one in a hundred


def test_games_on_one_seed_are_not_taken_for_independent():
    results, blocks = simulate(np.array([0.0, 100.0]), 2, 800)
    fourfold = Results(*(np.repeat(array, 4, axis=0) for array in vars(results).values()))
    once = rate(results, blocks, 2, resamples=400)
    same_seed = rate(fourfold, np.repeat(blocks, 4), 2, resamples=400)
    taken_apart = rate(fourfold, np.arange(len(blocks) * 4), 2, resamples=400)

    def width(a):
        return a.high.win_share[1] - a.low.win_share[1]

    assert width(same_seed) == pytest.approx(width(once), rel=0.1)
    assert width(taken_apart) < 0.7 * width(once)


def test_one_seed_has_no_interval():
    results, _ = simulate(STRENGTHS, 3, 1)
    a = rate(results, np.zeros(len(results.seats), int), 5)
    assert np.isfinite(a.value.ratings).all()
    assert np.isnan(a.low.ratings).all()
