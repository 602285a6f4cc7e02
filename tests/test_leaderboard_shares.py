"""Skill, seat and luck shares: games whose true shares are known, and games that tell nothing."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.benchmarks.leaderboard.shares import PARTS, outcome_shares, outcome_tables
from kingmaker.benchmarks.tournament.schedule import make_schedule

SKILL, SEAT, BY_AGENT, DEAL, CHANCE = range(len(PARTS))


def played(rng, schedule, strength, seat=0.0, deal=0.0):
    """Return the places in games that the highest of ``strength + seat effect + deal + noise`` wins."""
    seats = schedule.seats(np.arange(schedule.num_games))
    n = seats.shape[1]
    level = np.asarray(strength, float)[seats] + seat * np.arange(n)
    dealt = deal * rng.normal(size=(schedule.num_blocks, n))
    level += dealt[schedule.blocks(np.arange(schedule.num_games))]
    level += rng.normal(size=level.shape)
    return (-level).argsort(axis=1).argsort(axis=1)


def found(ranks, schedule, resamples=50, seed=0):
    return outcome_shares(outcome_tables(ranks, schedule), schedule.lineups, seed, resamples, 0.95)


# --- the outcome, put in its place ------------------------------------------------------------------------


@pytest.mark.parametrize(("agents", "n"), [(2, 2), (4, 2), (3, 3), (5, 4), (2, 4), (1, 3), (5, 5)])
def test_every_member_of_a_lineup_is_put_where_it_sat(agents, n):
    """The agent with the highest number wins; in its cells, and in no others, is the win."""
    schedule = make_schedule(agents, n, games=1, chunk_games=10, max_lineups=100)
    schedule = make_schedule(agents, n, games=7 * schedule.block_games, chunk_games=10, max_lineups=100)
    seats = schedule.seats(np.arange(schedule.num_games))
    ranks = (seats[:, None, :] > seats[:, :, None]).sum(axis=2)
    tables = outcome_tables(ranks, schedule)
    assert tables.shape == (7, len(schedule.lineups), n, n)
    for lineup, table in zip(schedule.lineups, tables.transpose(1, 0, 2, 3), strict=True):
        best = np.array(lineup) == max(lineup)
        assert (table == best / best.sum()).all()


def test_seats_stay_in_their_rows():
    schedule = make_schedule(3, 3, games=12, chunk_games=10, max_lineups=100)
    ranks = np.tile([1, 0, 2], (schedule.num_games, 1))
    assert (outcome_tables(ranks, schedule)[0, 0] == np.array([[0], [1], [0]])).all()


# --- true shares ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4])
def test_games_that_one_thing_decides(n):
    schedule = make_schedule(n, n, games=40 * n, chunk_games=10, max_lineups=100)
    seats, games = schedule.seats(np.arange(schedule.num_games)), np.arange(schedule.num_games)
    rng = np.random.default_rng(0)
    dealt = rng.permuted(np.tile(np.arange(n), (schedule.num_blocks, 1)), axis=1)
    for part, ranks in {
        SKILL: seats,
        SEAT: np.tile(np.arange(n), (schedule.num_games, 1)),
        DEAL: dealt[schedule.blocks(games)],
    }.items():
        shares = found(ranks, schedule)
        assert shares.variance == pytest.approx((n - 1) / n**2)
        assert shares.value[part] == pytest.approx(1, abs=0.05), PARTS[
            part
        ]  # the deal leaves a mean of its own
        assert shares.value.sum() == pytest.approx(1)


@pytest.mark.parametrize(("agents", "n"), [(2, 2), (3, 3), (4, 4), (2, 3), (1, 2)])
def test_nothing_but_chance_is_all_chance_without_bias(agents, n):
    schedule = make_schedule(agents, n, games=20 * n * max(1, agents), chunk_games=10, max_lineups=100)
    rng = np.random.default_rng(1)
    values = np.array(
        [found(played(rng, schedule, np.zeros(agents)), schedule, resamples=1).value for _ in range(200)]
    )
    errors = values.std(axis=0) / np.sqrt(len(values))
    truth = np.eye(len(PARTS))[CHANCE]
    assert (np.abs(values.mean(axis=0) - truth) <= 4 * errors + 1e-12).all()
    assert (values < 0).any()  # unbiased, so not cut off at 0


def test_shares_of_probabilities_that_are_known():
    """Two seats: a wins with 0.7 in seat 0 and 0.5 in seat 1, where its skill, seat and chance are plain."""
    schedule = make_schedule(2, 2, games=40_000, chunk_games=10, max_lineups=100)
    seats = schedule.seats(np.arange(schedule.num_games))
    rng = np.random.default_rng(2)
    first = rng.random(len(seats)) < np.where(seats[:, 0] == 0, 0.7, 0.5)  # seat 0 wins
    ranks = np.stack([~first, first], axis=1).astype(np.int64)
    shares = found(ranks, schedule)
    # Means by (seat, agent): 0.7 0.5 / 0.5 0.3, so agent 0 is 0.1 above a half, and so is seat 0.
    assert shares.variance == pytest.approx(0.25)
    truth = np.array([0.01, 0.01, 0, 0, 0.23]) / 0.25
    assert shares.value == pytest.approx(truth, abs=0.02)
    assert (shares.low - 1e-9 <= shares.value).all()
    assert (shares.value <= shares.high + 1e-9).all()


def test_a_deal_of_known_size():
    """Every other seed is decided by the deal alone, the rest by chance alone: half and half."""
    schedule = make_schedule(3, 3, games=18_000, chunk_games=10, max_lineups=100)
    rng = np.random.default_rng(3)
    blocks = schedule.blocks(np.arange(schedule.num_games))
    dealt = rng.permuted(np.tile(np.arange(3), (schedule.num_blocks, 1)), axis=1)[blocks]
    rolled = rng.permuted(np.tile(np.arange(3), (schedule.num_games, 1)), axis=1)
    ranks = np.where(rng.permutation(schedule.num_blocks)[blocks, None] % 2, dealt, rolled)
    shares = found(ranks, schedule)
    assert shares.value == pytest.approx([0, 0, 0, 0.5, 0.5], abs=0.03)


def test_agents_with_a_favourite_seat_are_seat_by_agent():
    """Agent i wins in seat i; where nobody sits in its own seat, or all do, the win is shared."""
    schedule = make_schedule(3, 3, games=60, chunk_games=10, max_lineups=100)
    seats = schedule.seats(np.arange(schedule.num_games))
    ranks = (seats != np.arange(3)).astype(np.int64)
    ranks -= ranks.min(axis=1, keepdims=True)
    shares = found(ranks, schedule)
    assert shares.value[[SKILL, SEAT]] == pytest.approx(0, abs=1e-9)
    assert shares.value[BY_AGENT] > 0.2


@pytest.mark.parametrize(("agents", "n", "strength"), [(2, 2, [0, 0.3]), (4, 3, [0, 0.3, 0.6, 0.9])])
def test_intervals_cover_the_truth(agents, n, strength):
    """Of many tournaments' intervals nearly all hold what one far longer tournament finds."""
    rng = np.random.default_rng(4)
    world = {"strength": strength, "seat": 0.2, "deal": 0.7}
    long = make_schedule(agents, n, games=60_000, chunk_games=10, max_lineups=100)
    truth = found(played(rng, long, **world), long, resamples=1).value
    short = make_schedule(agents, n, games=150 * long.block_games, chunk_games=10, max_lineups=100)
    runs = [found(played(rng, short, **world), short, resamples=100) for _ in range(40)]
    held = np.mean([(run.low <= truth) & (truth <= run.high) for run in runs], axis=0)
    sure = [SKILL, SEAT, DEAL, CHANCE]
    assert (held[sure] >= 0.85).all(), held


@pytest.mark.parametrize(("agents", "n"), [(2, 2), (4, 3)])
def test_intervals_lie_round_a_share_that_is_nothing(agents, n):
    """Resampling adds noise of its own to means: left in, it would push both ends up."""
    rng = np.random.default_rng(8)
    block = make_schedule(agents, n, games=1, chunk_games=10, max_lineups=100).block_games
    schedule = make_schedule(agents, n, games=40 * block, chunk_games=10, max_lineups=100)
    runs = [found(played(rng, schedule, np.zeros(agents)), schedule, resamples=60) for _ in range(60)]
    held = np.mean([(run.low <= 0) & (run.high >= 0) for run in runs], axis=0)
    above = np.mean([run.low > 0 for run in runs], axis=0)
    assert (held[[SKILL, SEAT]] >= 0.85).all(), held
    assert (above[[SKILL, SEAT]] <= 0.15).all(), above


# --- games that tell nothing ------------------------------------------------------------------------------


def test_all_ties_have_no_shares():
    schedule = make_schedule(3, 3, games=30, chunk_games=10, max_lineups=100)
    shares = found(np.zeros((schedule.num_games, 3), np.int64), schedule)
    assert shares.variance == 0
    assert np.isnan([*shares.value, *shares.low, *shares.high]).all()


def test_one_seed_has_no_shares():
    schedule = make_schedule(2, 2, games=2, chunk_games=10, max_lineups=100)
    shares = found(schedule.seats(np.arange(2)), schedule)
    assert shares.variance == 0.25
    assert np.isnan(shares.value).all()


def test_one_agent_has_no_skill():
    schedule = make_schedule(1, 3, games=300, chunk_games=10, max_lineups=100)
    shares = found(played(np.random.default_rng(5), schedule, [0], seat=1.0), schedule)
    assert shares.value[SKILL] == pytest.approx(0, abs=1e-12)
    assert shares.high[SKILL] == pytest.approx(0, abs=1e-12)
    assert shares.low[SEAT] > 0.02
    assert shares.value.sum() == pytest.approx(1)


def test_copies_of_an_agent_do_not_differ_in_skill():
    """Two agents in four seats, the luck of a place in the line-up is no skill: copies count together."""
    schedule = make_schedule(2, 4, games=400, chunk_games=10, max_lineups=100)
    rng = np.random.default_rng(6)
    values = [found(played(rng, schedule, [0, 0]), schedule, resamples=1).value[SKILL] for _ in range(100)]
    assert abs(np.mean(values)) < 4 * np.std(values) / 10
