"""Row 52 of ``user-needs.md``: autoreset modes, compared with Gymnasium's own vector environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from kingmaker.envs.core.errors import IllegalAction, OptionError
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.vector import SeatVectorEnv

N = 5
SEEDS = [11, 12, 13, 14, 15]
STEPS = 120


def pair(case, mode, **arguments):
    """Return our vector environment and Gymnasium's over one-seat environments, for the same game."""
    ours = SeatVectorEnv(case.spec, N, autoreset_mode=mode, **case.arguments(), **arguments)
    theirs = SyncVectorEnv(
        [lambda: SeatEnv(case.spec, **case.arguments(), **arguments)] * N, autoreset_mode=mode
    )
    return ours, theirs


def legal(rng, masks):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def same(ours, theirs):
    """Compare two answers, infos included; arrays of objects element by element."""
    return data_equivalence(_plain(ours), _plain(theirs))


def _plain(thing):
    if isinstance(thing, dict):
        return {key: _plain(value) for key, value in sorted(thing.items())}
    if isinstance(thing, tuple | list):
        return tuple(_plain(value) for value in thing)
    if isinstance(thing, np.ndarray) and thing.dtype == object:
        return tuple(_plain(value) for value in thing)
    return thing.astype(np.float64) if isinstance(thing, np.ndarray) and thing.dtype.kind in "iuf" else thing


@pytest.mark.parametrize("opponents", ["random", "heuristic"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_row_52_answers_are_gymnasiums_own(case, mode, opponents):
    ours, theirs = pair(case, mode, opponents=opponents)
    answers = ours.reset(seed=SEEDS), theirs.reset(seed=SEEDS)
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        assert same(*answers)
        actions = legal(rng, ours.action_masks())
        answers = ours.step(actions), theirs.step(actions)
    assert same(*answers)


def test_row_52_disabled_mode_is_gymnasiums_own(case):
    ours, theirs = pair(case, AutoresetMode.DISABLED)
    answers = ours.reset(seed=SEEDS), theirs.reset(seed=SEEDS)
    rng, resets = np.random.default_rng(0), 0
    for _ in range(STEPS):
        actions = legal(rng, ours.action_masks())
        answers = ours.step(actions), theirs.step(actions)
        assert same(*answers)
        ended = answers[0][2] | answers[0][3]
        if ended.any():
            with pytest.raises(ResetNeeded, match="reset_mask"):
                ours.step(actions)
            seen, infos = ours.reset(options={"reset_mask": ended.copy()})
            seen_there, infos_there = theirs.reset(options={"reset_mask": ended.copy()})
            assert np.array_equal(seen, seen_there)
            assert np.array_equal(infos["action_mask"][ended], infos_there["action_mask"][ended])
            resets += ended.sum()
    assert resets > N


def transitions(case, mode):
    """Count real transitions, ends and rewards of an environment, as a trainer that knows the mode does."""
    env = SeatVectorEnv(case.spec, N, autoreset_mode=mode, **case.arguments())
    env.reset(seed=SEEDS)
    rngs = [np.random.default_rng(seed) for seed in SEEDS]
    real, ends, total = np.zeros(N, int), np.zeros(N, int), np.zeros(N)
    fake = np.zeros(N, bool)
    while ends.min() < 4:
        masks = env.action_masks()
        actions = [0 if fake[i] else rngs[i].choice(np.flatnonzero(masks[i])) for i in range(N)]
        _, rewards, terminated, truncated, _ = env.step(np.array(actions))
        counted = ~fake & (ends < 4)
        assert (rewards[fake] == 0).all()
        real += counted
        total += np.where(counted, rewards, 0)
        ended = terminated | truncated
        ends += ended & counted
        fake = ended & (mode == AutoresetMode.NEXT_STEP)
        if mode == AutoresetMode.DISABLED and ended.any():
            env.reset(options={"reset_mask": ended})
    return real.tolist(), total.tolist()


def ground_truth(case):
    """Return the same counts from one-seat environments that play one after the other."""
    counts, totals = [], []
    for seed in SEEDS:
        env, rng = SeatEnv(case.spec, **case.arguments()), np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        count, total, ends = 0, 0.0, 0
        while ends < 4:
            _, reward, terminated, truncated, info = env.step(
                int(rng.choice(np.flatnonzero(info["action_mask"])))
            )
            count, total = count + 1, total + reward
            if terminated or truncated:
                ends += 1
                _, info = env.reset()
        counts.append(count)
        totals.append(total)
    return counts, totals


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_row_52_transitions_are_counted_as_they_were_played(case, mode):
    counts, totals = transitions(case, mode)
    wanted = ground_truth(case)
    assert counts == wanted[0]
    assert totals == pytest.approx(wanted[1])


def test_row_52_an_illegal_action_ends_one_episode_in_every_mode(case):
    for mode in AutoresetMode:
        env = SeatVectorEnv(case.spec, N, autoreset_mode=mode, **case.arguments())
        _, infos = env.reset(seed=0)
        actions = infos["action_mask"].argmax(axis=1)
        actions[2] = case.spec.num_actions + 5
        _, rewards, terminated, _, infos = env.step(actions)
        assert rewards[2] == -1
        assert terminated[2]
        facts = infos["final_info"] if mode == AutoresetMode.SAME_STEP else infos
        assert facts["reason"][2] == 3
    strict = SeatVectorEnv(case.spec, N, illegal_action="raise", **case.arguments())
    strict.reset(seed=0)
    before = strict.games.states.tobytes()
    with pytest.raises(IllegalAction, match="game 2"):
        strict.step(actions)
    assert strict.games.states.tobytes() == before


# --- making, seeding and arguments ---------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [{}, {"opponents": "heuristic"}, {"opponents": ["random"], "seat": 1}])
def test_make_vec_gives_the_native_environment(arguments):
    env = gymnasium.make_vec("kingmaker/Krig-v0", num_envs=N, **arguments)
    assert isinstance(env, VectorEnv)
    assert isinstance(env.unwrapped, SeatVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    plain = gymnasium.make_vec("kingmaker/Krig-v0", num_envs=2, vectorization_mode="sync", **arguments)
    assert plain.reset(seed=0)[0].shape == (2, *env.single_observation_space.shape)


def test_the_class_metadata_stays_as_it_is(case):
    modes = [
        SeatVectorEnv(case.spec, 1, autoreset_mode=m, **case.arguments()).metadata for m in AutoresetMode
    ]
    assert [metadata["autoreset_mode"] for metadata in modes] == list(AutoresetMode)
    with pytest.raises(ValueError, match="Sometimes"):
        SeatVectorEnv(case.spec, 1, autoreset_mode="Sometimes", **case.arguments())


def test_seeds(case):
    one, two = (SeatVectorEnv(case.spec, N, **case.arguments()) for _ in range(2))
    first = one.reset(seed=5)
    assert same(first, two.reset(seed=5))
    assert same(one.reset(), two.reset())
    assert not same(one.reset(seed=6), two.reset(seed=5))
    assert same(one.reset(seed=SEEDS), two.reset(seed=np.array(SEEDS)))
    mixed = [None, 12, None, 14, None]
    assert same(one.reset(seed=mixed), two.reset(seed=mixed))
    for wrong in ([1, 2], [1] * (N + 1)):
        with pytest.raises(OptionError, match="one per game"):
            one.reset(seed=wrong)


def test_seeding_some_games_leaves_the_others_alone(case):
    envs = [SeatVectorEnv(case.spec, N, autoreset_mode="Disabled", **case.arguments()) for _ in range(2)]
    chosen = np.array([False, True, False, False, True])
    for env, seed in zip(envs, (1, 2), strict=True):
        env.reset(seed=0)
        env.reset(seed=seed, options={"reset_mask": chosen.copy()})
    for _ in range(3):
        answers = [env.step(np.zeros(N, int) + env.action_masks().argmax(axis=1)) for env in envs]
        assert np.array_equal(answers[0][0][~chosen], answers[1][0][~chosen])
        if (answers[0][2] | answers[0][3] | answers[1][2] | answers[1][3]).any():
            break


def test_reset_masks_are_checked(case):
    env = SeatVectorEnv(case.spec, N, autoreset_mode="Disabled", **case.arguments())
    with pytest.raises(ResetNeeded, match="first reset"):
        env.reset(options={"reset_mask": np.ones(N, bool)})
    env.reset(seed=0)
    for wrong in ([True] * N, np.ones(N, int), np.ones(N + 1, bool), np.ones((N, 1), bool)):
        with pytest.raises(TypeError, match="reset_mask is a bool array"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="no game"):
        env.reset(options={"reset_mask": np.zeros(N, bool)})
    given = {"reset_mask": np.ones(N, bool)}
    env.reset(options=given)
    assert given == {}, "as Gymnasium, the mask is taken out of the dict"


@pytest.mark.parametrize(
    "actions", [np.zeros(N), np.zeros(N + 1, int), 0, [None] * N, np.zeros((N, 1), int)], ids=str
)
def test_actions_are_checked(case, actions):
    env = SeatVectorEnv(case.spec, N, **case.arguments())
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(N, int))
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match=f"actions are {N} integers"):
        env.step(actions)
