"""Section C of ``user-needs.md``: parallel API, simultaneous choices, chance (rows 33 to 39)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.game import Game
from kingmaker.envs.testing import check_choosing, check_future, check_leaks, check_turn_based_parallel


def test_row_33_the_parallel_form_names_the_active_agent(case):
    check_turn_based_parallel(case)


def test_rows_34_35_simultaneous_answers_stay_hidden_until_all_are_in(bids):
    check_choosing(bids)
    game = bids.game(0)
    low, high = game.clone(), game.clone()
    low.apply("bid-0")
    high.apply("bid-3")
    assert np.array_equal(low.observe(1), high.observe(1))
    assert not np.array_equal(low.observe(0), high.observe(0)), "one's own bid is no secret"
    for game in (low, high):
        game.apply("bid-1")
        game.apply("bid-1")
    assert not np.array_equal(low.observe(1), high.observe(1)), "all are in, so all shows"


def test_row_36_the_state_tells_who_chooses_now(bids):
    game = bids.game(0)
    assert game.choosing == (0, 1, 2)
    game.apply("bid-3")
    assert game.choosing == (1, 2)
    game.apply("bid-0")
    game.apply("bid-0")
    assert (game.phase, game.choosing) == ("push", (0,))


def test_row_37_chance_is_resolved_inside_and_explicit_for_searches(case):
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    assert env.agent_selection in env.possible_agents
    game = bring_to_chance(case)
    action = game.legal_actions()[-1]
    outcomes = list(game.outcomes(action))
    assert len(outcomes) > 1
    assert sum(probability for probability, _ in outcomes) == pytest.approx(1)


def bring_to_chance(case) -> Game:
    """Return a position whose last legal action is followed by one draw or two, so by few outcomes."""
    for game, _ in case.positions(case.games):
        if game.over:
            continue
        after = game.clone()
        after.record()
        after.apply(game.legal_actions()[-1])
        if 1 <= sum(happening.name == "chance" for happening in after.journal()) <= 2:
            return game.clone()
    raise AssertionError("no such position")


def test_row_38_redealing_keeps_what_the_seat_sees(case):
    check_leaks(case)
    check_future(case)


def test_row_38_redealing_draws_hidden_things_uniformly(bids):
    game = bids.game(3)
    own = int(game.states["seats"][0]["secret"][0])
    deals = Counter()
    for seed in range(4000):
        seats = game.redealt(0, seed).states["seats"][0]
        assert seats["secret"][0] == own
        deals[int(seats["secret"][1]), int(seats["secret"][2])] += 1
    wanted = 4000 / 20  # ordered pairs of the five other secrets
    assert len(deals) == 20
    assert (
        sum((count - wanted) ** 2 / wanted for count in deals.values()) < 50
    )  # chi-square, 19 degrees, p 1e-4


def test_row_39_no_hidden_item_shows(bids):
    game = bids.game(0)
    for seat in range(3):
        for other in range(3):
            changed = game.clone()
            changed.states["seats"]["secret"][0, other] = 9
            shows = not np.array_equal(changed.observe(seat), game.observe(seat))
            assert shows == (seat == other)
