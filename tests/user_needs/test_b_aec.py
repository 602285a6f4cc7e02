"""Section B of ``user-needs.md``: AEC turn logic, dead steps, rewards (rows 20 to 32)."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.testing import (
    check_aec,
    check_ends,
    check_illegal_end,
    check_illegal_raise,
    check_pettingzoo,
    check_rewards,
)


def made(case, **arguments):
    env = AECGame(case.spec, **case.arguments(), **arguments)
    env.reset(seed=0)
    return env


def play(env, rng):
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))


def test_row_20_one_base_does_the_cycle_for_all_games(case):
    assert type(made(case)) is AECGame
    check_pettingzoo(case)


def test_row_21_all_seats_finish_together_and_dead_steps_take_none_only(case):
    env = made(case)
    with pytest.raises(IllegalAction, match="not None"):
        env.step(None)
    play(env, case.rng(0))
    for left in range(case.num_players, 0, -1):
        assert len(env.agents) == left
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(None)


def test_rows_22_23_rewards_are_right_in_every_reading_order(case):
    check_rewards(case)


def test_row_24_every_end_sets_flags_and_a_reason(case, bids):
    check_aec(case)
    check_ends(case)
    limit, rules = made(bids, max_rounds=2), made(bids, target=1)
    play(limit, bids.rng(0))
    play(rules, bids.rng(0))
    assert set(limit.truncations.values()) == {True} != set(limit.terminations.values())
    assert set(rules.terminations.values()) == {True} != set(rules.truncations.values())
    assert {info["reason"] for info in limit.infos.values()} == {2}
    assert {info["reason"] for info in rules.infos.values()} == {1}


def test_row_25_episodes_after_an_illegal_end_are_healthy(case):
    check_illegal_end(case)
    check_illegal_raise(case)


def test_row_26_observe_works_for_all_agents_at_any_time(case):
    env = made(case)
    play(env, case.rng(0))
    while env.agents:
        assert all(env.observation_space(a).contains(env.observe(a)) for a in env.possible_agents)
        env.step(None)
    assert all(env.observation_space(a).contains(env.observe(a)) for a in env.possible_agents)


def test_row_27_a_seat_that_moves_twice_is_selected_twice(bids):
    env, rng, repeats = made(bids), bids.rng(0), 0
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        before = env.agent_selection
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        repeats += before == env.agent_selection
        phase = env.observe(env.agent_selection)["observation"][:2]
        assert phase.sum() == 1, "the phase shows in the observation"
    assert repeats


def test_rows_28_29_rewards_belong_to_seats_whoever_moves_twice(bids):
    batch = BatchGames(bids.spec, 8, bids.num_players, seed=0)
    ends = repeats = 0
    while ends < 20:
        before, actions = batch.actors.copy(), batch.random_actions()
        copies = [batch.game(i) for i in range(8)]
        batch.step(actions)
        for i, game in enumerate(copies):
            game.apply(int(actions[i]))
            if batch.dones[i]:
                assert np.array_equal(batch.rewards[i], game.returns())
                ends += 1
            else:
                repeats += batch.actors[i] == before[i]
    assert repeats


def test_rows_28_29_a_learner_is_asked_only_at_its_own_choices(bids):
    games = SeatGames(bids.spec, 4, bids.num_players, seed=0)
    games.reset()
    for _ in range(100):
        assert [games.game(i).actor for i in range(4)] == games.learners.tolist()
        games.step(games.masks.argmax(axis=1))
        games.reset(np.flatnonzero(games.reasons))


def test_rows_30_31_32_no_agent_leaves_a_running_game(bids):
    env, rng = made(bids), bids.rng(1)
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        assert len(set(env.terminations.values())) == len(set(env.truncations.values())) == 1


# --- order of calls and what counts as an action -------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos"]
)
def test_attributes_before_reset_say_what_to_do(case, name):
    env = AECGame(case.spec, **case.arguments())
    with pytest.raises(ResetNeeded, match=f"call reset\\(\\) before using '{name}'"):
        getattr(env, name)


@pytest.mark.parametrize("call", [lambda e: e.step(0), lambda e: e.last(), lambda e: e.observe("player_0"),
                                  lambda e: e.state(), lambda e: e.clone().step(0), lambda e: e.save_state(),
                                  lambda e: e.log()])  # fmt: skip
def test_calls_before_reset_say_what_to_do(case, call):
    with pytest.raises(ResetNeeded, match="reset"):
        call(AECGame(case.spec, **case.arguments()))


@pytest.mark.parametrize(
    "action", [1.0, float("nan"), "0", None, np.float32(0), [0], np.array([0, 1]), np.nan]
)
@pytest.mark.parametrize("mode", ["end", "raise"])
def test_what_is_no_integer_is_no_action(case, action, mode):
    env = made(case, illegal_action=mode)
    before = env.game().save()
    with pytest.raises(IllegalAction, match="an action is an integer"):
        env.step(action)
    assert env.game().save() == before


@pytest.mark.parametrize("mode", ["end", "raise"])
@pytest.mark.parametrize("action", [-1, 10**6, -(2**70), 2**64, np.int64(-5)])
def test_what_is_out_of_bounds_is_no_action(case, action, mode):
    env = made(case, illegal_action=mode)
    with pytest.raises(IllegalAction, match=r"is not an action|an action is an integer"):
        env.step(action)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [1.0, float("nan"), "0", None, np.float32(0), [0], 2**64])
def test_what_is_no_integer_is_no_action_in_any_engine(case, action):
    seat = SeatEnv(case.spec, **case.arguments())
    seat.reset(seed=0)
    batch = BatchGames(case.spec, 2, case.num_players, seed=0)
    for engine in (seat.step, case.game(0).apply, lambda a: batch.step([a, a])):
        with pytest.raises(IllegalAction, match=r"integer|is not an action"):
            engine(action)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16, np.array], ids=lambda k: k.__name__)
def test_integers_of_any_kind_are_actions(case, kind):
    env = made(case, illegal_action="raise")
    legal = int(env.last()[0]["action_mask"].argmax())
    env.step(kind(legal))
    assert env.game().moves == 1


def test_unknown_agents_and_modes_are_refused(case):
    with pytest.raises(KeyError):
        made(case).observe("player_9")
    for wrong in ({"illegal_action": "ignore"}, {"reward": "points"}, {"render_mode": "human"}):
        with pytest.raises(ValueError, match=next(iter(wrong.values()))):
            AECGame(case.spec, **case.arguments(), **wrong)
