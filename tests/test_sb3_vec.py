"""The SB3 ``VecEnv``: what SB3 relies on, and what users have tripped over."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.agents import load_agent
from kingmaker.envs.core.errors import IllegalAction, OptionError
from kingmaker.envs.core.seat_games import SeatGames

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import DQN, PPO  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor  # noqa: E402

from kingmaker.training.sb3_vec import SeatVecEnv  # noqa: E402

GAMES = ("krig", "krig_intervention")


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def choose(env, rng):
    """Return random legal actions."""
    masks = np.stack(env.env_method("action_masks"))
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("game", GAMES)
def test_shapes_and_masks(game):
    env = SeatVecEnv(game, 5, seed=1)
    rng = np.random.default_rng(0)
    observations = env.reset()
    assert observations.shape == (5, *env.observation_space.shape)
    assert observations.dtype == np.float32
    for _ in range(60):
        masks = env.env_method("action_masks")
        assert len(masks) == 5
        assert all(m.dtype == np.bool_ and m.shape == (env.action_space.n,) and m.any() for m in masks)
        np.testing.assert_array_equal(masks, env.groups[0].masks != 0)
        assert all(env.observation_space.contains(o) for o in observations)
        observations, rewards, dones, infos = env.step(choose(env, rng))
        assert (rewards.shape, rewards.dtype) == ((5,), np.float32)
        assert (dones.shape, dones.dtype) == ((5,), np.bool_)
        assert isinstance(infos, list)
        assert all(isinstance(info, dict) for info in infos)
        assert len({id(info) for info in infos}) == 5


def test_episodes_are_those_of_the_games_below():
    """Rewards, ends, last observations and statistics belong to the step and the episode that they claim."""
    env = SeatVecEnv("krig", 16, seed=3)
    below = SeatGames("krig", 16)
    below.seed(int(np.random.SeedSequence(3).generate_state(1, np.uint64)[0] >> 1))
    np.testing.assert_array_equal(env.reset(), (below.reset(), below.observations)[1])
    rng = np.random.default_rng(0)
    lengths, counted, total = np.zeros(16, int), 0, 0
    for _ in range(200):
        actions = choose(env, rng)
        observations, rewards, dones, infos = env.step(actions)
        below.step(actions)
        lengths += 1
        total += 16
        np.testing.assert_array_equal(rewards, below.rewards)
        np.testing.assert_array_equal(dones, below.reasons != 0)
        assert (rewards[~dones] == 0).all()
        ended = np.flatnonzero(dones)
        for i in ended:
            info = infos[i]
            np.testing.assert_array_equal(info["terminal_observation"], below.observations[i])
            assert info["episode"]["r"] == rewards[i]
            assert info["episode"]["l"] == lengths[i]
            assert info["seat"] == below.learners[i]
            assert info["TimeLimit.truncated"] is False
            counted += info["episode"]["l"]
        lengths[ended] = 0
        assert all(infos[i] == {} for i in np.flatnonzero(~dones))
        if len(ended):
            below.reset(ended)
        np.testing.assert_array_equal(observations, below.observations)
    assert counted + lengths.sum() == total


def test_a_limit_is_a_truncation():
    env = SeatVecEnv("krig", 8, seed=1, max_turns=2)
    env.reset()
    rng = np.random.default_rng(0)
    ends = [info for _ in range(20) for info in env.step(choose(env, rng))[3] if info]
    assert ends
    assert {info["TimeLimit.truncated"] for info in ends} == {True}


def test_arrays_and_infos_are_fresh():
    env = SeatVecEnv("krig", (8, 8), seed=1)
    rng = np.random.default_rng(0)
    kept = [env.reset()]
    copies = [kept[0].copy()]
    for _ in range(40):
        masks = env.action_masks()
        observations, rewards, dones, infos = env.step(choose(env, rng))
        last = [info["terminal_observation"] for info in infos if info]
        for array in (masks, observations, rewards, dones, *last):
            kept.append(array)
            copies.append(array.copy())
        for info in infos:
            info["mine"] = True  # as a wrapper might
    for array, copy in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert all("mine" not in info for info in env.step(choose(env, rng))[3])


def test_seed_decides_everything():
    def play(env):
        rng = np.random.default_rng(0)
        env.reset()
        return np.stack([env.step(choose(env, rng))[0] for _ in range(50)])

    def seeded(seed):
        env = SeatVecEnv("krig", (3, 3))
        assert len(env.seed(seed)) == 6
        return play(env)

    np.testing.assert_array_equal(seeded(5), seeded(5))
    assert (seeded(5) != seeded(6)).any()
    both = seeded(5)
    assert (both[:, :3] != both[:, 3:]).any()  # groups do not play the same games


def test_illegal_actions():
    env = SeatVecEnv("krig", 4, seed=1)
    env.reset()
    bad = np.where(env.action_masks(), -1.0, 1.0).argmax(axis=1)
    _, rewards, dones, infos = env.step(bad)
    assert (rewards == -1).all()
    assert dones.all()
    assert [info["reason"] for info in infos] == [3] * 4
    strict = SeatVecEnv("krig", 4, seed=1, illegal_action="raise")
    strict.reset()
    with pytest.raises(IllegalAction, match="game 0"):
        strict.step(bad)


def test_questions_about_single_environments():
    env = SeatVecEnv("krig", (2, 3), seed=1, render_mode="ansi", seat=(0, 1))
    env.reset()
    assert is_masking_supported(env)
    assert env.get_attr("render_mode") == ["ansi"] * 5
    assert env.get_attr("num_players", indices=[1, 3]) == [2, 2]
    np.testing.assert_array_equal(env.get_attr("action_masks")[3](), env.action_masks()[3])
    np.testing.assert_array_equal(env.env_method("action_masks", indices=4)[0], env.action_masks()[4])
    assert [int(k) for g in env.groups for k in g.learners] == [0, 0, 1, 1, 1]
    assert len(env.render()) == 5
    assert env.env_method("game", indices=[4])[0].position() == env.render()[4]
    assert env.env_is_wrapped(Monitor) == [True] * 5
    assert env.env_is_wrapped(VecMonitor, indices=0) == [False]
    assert not env.has_attr("nonsense")
    with pytest.raises(AttributeError, match="nonsense"):
        env.get_attr("nonsense")
    with pytest.raises(AttributeError, match="nonsense"):
        env.env_method("nonsense")
    with pytest.raises(AttributeError, match="set_opponents"):
        env.set_attr("opponents", "heuristic")
    for wrong in ({"num_envs": ()}, {"num_envs": (2, 2), "seat": (0,)}, {"num_envs": 0}):
        with pytest.raises(OptionError):
            SeatVecEnv("krig", **wrong)
    env.close()
    env.close()


def test_no_such_group():
    env = SeatVecEnv("krig", [2, 3])
    for group in (-1, 2, "first", True):
        with pytest.raises(OptionError, match=r"groups are 0\.\.1"):
            env.set_opponents("random", group=group)


def test_opponents_by_group():
    class Spy(type(load_agent("random", "krig"))):
        compiled = None
        asked = 0

        def _choose(self, *arguments):
            self.asked += len(arguments[0])
            return super()._choose(*arguments)

    env = SeatVecEnv("krig", (4, 4), seed=1)
    spy = Spy(env.game_spec, 2, "spy")
    env.set_opponents(spy, group=1)
    rng = np.random.default_rng(0)
    env.reset()
    for _ in range(20):
        env.step(choose(env, rng))
    assert spy.asked > 0
    assert [games.opponents[0] is spy for games in env.groups] == [False, True]
    env.set_opponents("heuristic")
    asked = spy.asked
    env.step(choose(env, rng))
    assert spy.asked == asked


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("wrap", [False, True])
def test_maskable_ppo_never_plays_an_illegal_action(game, wrap):
    inner = SeatVecEnv(game, 8, illegal_action="raise")
    env = VecCheckNan(inner) if wrap else inner
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(8 * 32 * 3)  # an illegal action would raise
    assert model.num_timesteps == 8 * 32 * 3
    assert len(model.ep_info_buffer) > 5
    assert get_action_masks(env).shape == (8, inner.action_space.n)
    judge = SeatVecEnv(game, 4, seed=1, illegal_action="raise")
    rewards, lengths = evaluate_policy(model, judge, n_eval_episodes=8, return_episode_rewards=True)
    assert len(rewards) == 8
    assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert min(lengths) > 0


@pytest.mark.parametrize("algorithm", [PPO, DQN])
def test_plain_algorithms_train(algorithm):
    settings = {"n_steps": 16} if algorithm is PPO else {"learning_starts": 8, "buffer_size": 200}
    model = algorithm("MlpPolicy", SeatVecEnv("krig", 4), seed=1, device="cpu", **settings)
    model.learn(128)
    assert len(model.ep_info_buffer) > 0
