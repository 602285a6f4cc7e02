"""Section A of ``user-needs.md``: action masks (rows 1 to 19; 9, 10, 13, 14, 16 and 17 in part elsewhere)."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from kingmaker.agents.base import Agent
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.aec import AECGame, IllegalActionWarning
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.contract import NOBODY
from kingmaker.envs.core.errors import AgentError, IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.registry import all_specs
from kingmaker.envs.core.vector import SeatVectorEnv
from kingmaker.envs.testing import check_batch_stops, check_gymnasium, check_masks, check_seat_games


def test_row_1_the_one_seat_env_hands_its_mask_to_sb3(case):
    env = gymnasium.make(f"{case.spec.module}:{case.spec.gym_id}", **case.arguments())
    _, info = env.reset(seed=0)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert np.array_equal(masks, info["action_mask"])
    assert np.array_equal(masks, env.unwrapped.game().mask())


def test_rows_2_3_vector_env_needs_no_dict_conversion(case):
    env = SeatVectorEnv(case.spec, 3, **case.arguments())
    _, infos = env.reset(seed=0)
    assert isinstance(env.single_observation_space, spaces.Box)
    assert infos["action_mask"].shape == (3, case.spec.num_actions)
    assert np.array_equal(env.action_masks(), infos["action_mask"].astype(bool))


def test_rows_4_5_the_mask_is_in_the_observation_and_a_copy_in_info(case):
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    seen, *_, info = env.last()
    assert set(seen) == {"observation", "action_mask"}
    assert "action_mask" not in info
    _, info = SeatEnv(case.spec, **case.arguments()).reset(seed=0)
    assert info["action_mask"].any()


def test_row_6_masks_are_int8_and_can_be_sampled_with(case):
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    assert mask.dtype == np.int8
    assert all(mask[env.action_space(agent).sample(mask)] for _ in range(20))
    assert SeatEnv(case.spec, **case.arguments()).reset(seed=0)[1]["action_mask"].dtype == np.int8


def test_rows_7_8_actions_are_one_flat_table():
    for spec in all_specs("kingmaker"):
        for num_players in spec.seats:
            env = AECGame(spec, num_players)
            assert all(type(env.action_space(agent)) is spaces.Discrete for agent in env.possible_agents)
            assert type(SeatEnv(spec, num_players=num_players).action_space) is spaces.Discrete


def test_row_9_an_agent_that_answers_illegally_is_an_error(case):
    class Wrong(Agent):
        def _choose(self, observations, action_masks, seats, games):
            return action_masks.argmin(axis=1)

    env = SeatEnv(case.spec, opponents=Wrong(case.spec, case.num_players, "wrong"), **case.arguments())

    def play():
        for seed in range(20):
            _, info = env.reset(seed=seed)
            env.step(int(info["action_mask"].argmax()))

    with pytest.raises(AgentError, match="wrong answered with the illegal action"):
        play()


def test_row_10_an_illegal_action_ends_the_episode_and_is_no_no_op(case):
    env = SeatEnv(case.spec, **case.arguments())
    _, info = env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, terminated, truncated, info["reason"]) == (-1.0, True, False, 3)
    aec = AECGame(case.spec, **case.arguments())
    aec.reset(seed=1)
    with pytest.warns(IllegalActionWarning, match="this ends the game"):
        aec.step(int(aec.last()[0]["action_mask"].argmin()))
    assert all(aec.terminations.values())


def test_row_11_action_tables_are_small():
    assert all(spec.num_actions <= 1000 for spec in all_specs("kingmaker"))


def test_row_12_check_env_passes_by_default_and_strict_mode_raises(case):
    check_gymnasium(case)
    env = gymnasium.make(f"{case.spec.module}:{case.spec.gym_id}", illegal_action="raise", **case.arguments())
    _, info = env.reset(seed=0)
    with pytest.raises(IllegalAction, match="is illegal"):
        env.step(int(info["action_mask"].argmin()))


def test_row_13_masks_come_from_the_env_class_itself():
    assert "action_masks" in vars(SeatEnv)
    assert "action_masks" in vars(SeatVectorEnv)


def test_row_14_the_vector_env_hands_out_masks_of_every_step(case):
    env = SeatVectorEnv(case.spec, 4, autoreset_mode="SameStep", **case.arguments())
    env.reset(seed=0)
    for _ in range(50):
        masks = env.action_masks()
        *_, infos = env.step(masks.argmax(axis=1))
        assert np.array_equal(env.action_masks(), infos["action_mask"].astype(bool))
        assert not (infos["reason"] == 3).any()


def test_row_15_no_policy_is_called_with_an_empty_mask(case):
    batch = BatchGames(case.spec, 16, case.num_players, seed=0, options=case.options)
    vectors = [
        SeatVectorEnv(case.spec, 16, autoreset_mode=m, **case.arguments()) for m in ("NextStep", "SameStep")
    ]
    for env in vectors:
        env.reset(seed=0)
    for _ in range(200):
        assert batch.masks.any(axis=1).all()
        assert (batch.actors != NOBODY).all()
        batch.step(batch.random_actions())
        for env in vectors:
            masks = env.action_masks()
            assert masks.any(axis=1).all()
            env.step(masks.argmax(axis=1))
    check_seat_games(case)  # compares the masks that outside opponents meet, move by move


@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_row_16_agents_explore_and_maximise_within_the_mask(case, name):
    agent = load_agent(name, case.spec, case.num_players)
    game = case.game(0)
    chosen = {agent.act(game.observe(), game.mask(), game.actor) for _ in range(200)}
    assert chosen <= set(game.legal_actions())
    if name == "random":
        assert chosen == set(game.legal_actions())


def test_row_17_an_agent_without_its_mask_is_an_error(case):
    agent, game = load_agent("random", case.spec, case.num_players), case.game(0)
    with pytest.raises(AgentError, match="needs the action mask"):
        agent.act_batch(game.observe()[None], None)
    with pytest.raises(AgentError, match="without a legal action"):
        agent.act(game.observe(), np.zeros_like(game.mask()))


def test_row_18_masks_agree_with_brute_force(case):
    check_masks(case)


def test_row_19_ended_games_list_nothing_and_adapters_a_harmless_mask(case):
    game, rng = case.game(0), case.rng(0)
    while not game.over:
        game.apply(int(rng.choice(game.legal_actions())))
    assert game.legal_actions() == []
    check_batch_stops(case)
    env = SeatEnv(case.spec, **case.arguments())
    _, info = env.reset(seed=0)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        ended = terminated or truncated
    assert info["action_mask"].all()


def test_names_are_legal_input_too():
    game = Game("krig", seed=0)
    game.apply("attack")
    with pytest.raises(IllegalAction, match="'no-such' is not an action"):
        game.apply("no-such")
