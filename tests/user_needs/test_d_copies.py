"""Section D of ``user-needs.md``: copying, pickling, seeding (rows 40 to 46)."""

from __future__ import annotations

import time

import numpy as np
import pytest
from gymnasium.utils import EzPickle

from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.vector import SeatVectorEnv
from kingmaker.envs.testing import (
    check_aec_copies,
    check_batch_copies,
    check_chance,
    check_future,
    check_game_copies,
    check_processes,
    check_seat_env_copies,
    check_seeds,
)


def test_row_40_copies_taken_mid_game_go_on_as_the_original(case):
    assert not issubclass(AECGame, EzPickle)
    for check in (check_game_copies, check_aec_copies, check_seat_env_copies, check_batch_copies):
        check(case)


def test_row_40_a_clone_is_independent(case):
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    before = env.game().save()
    clone = env.clone()
    while clone.agents:
        mask = clone.last()[0]["action_mask"]
        clone.step(int(mask.argmax()) if mask.any() else None)
    clone.reset(seed=9)
    assert env.game().save() == before
    assert not any(env.terminations.values())
    assert env.agents == env.possible_agents
    assert env.log().decisions == []


def test_row_40_a_saved_state_that_does_not_fit_is_refused(case):
    env = AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    saved = env.save_state()
    wrong = [
        {},
        {**saved, "game": "kingmaker/other-v0"},
        {**saved, "state": saved["state"][:-1]},
        {**saved, "state": None},
        {**saved, "episodes": b""},
        {**saved, "agents": ["player_0"]},
        {**saved, "agent_selection": "nobody"},
        {**saved, "reason": 17},
        {**saved, "rewards": {}},
    ]
    for one in wrong:
        before = env.save_state()
        with pytest.raises(OptionError, match="not a saved state"):
            env.load_state(one)
        assert env.save_state() == before


def test_row_41_clones_are_cheap(case):
    game, env = case.game(0), AECGame(case.spec, **case.arguments())
    env.reset(seed=0)
    for make, bound in ((game.clone, 50e-6), (env.clone, 200e-6)):
        best = min(_seconds(make) for _ in range(5))
        assert best < bound, f"{best * 1e6:.0f} microseconds a clone"


def _seconds(make, repeats: int = 200) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        make()
    return (time.perf_counter() - start) / repeats


def test_rows_42_44_seeds_fix_everything(case):
    check_seeds(case)
    check_chance(case)
    check_processes(case)


def test_row_43_a_seeded_reset_keeps_the_configuration(bids):
    env = AECGame(bids.spec, num_players=3, reward="score", target=4, illegal_action="raise")
    settings = [env.options, env.possible_agents, env._mode, env._raises, env._tables["target"].tolist()]
    for seed in (None, 0, 5):
        env.reset(seed=seed)
        assert settings == [
            env.options,
            env.possible_agents,
            env._mode,
            env._raises,
            env._tables["target"].tolist(),
        ]
    seat = SeatEnv(
        bids.spec, num_players=3, reward="score", target=4, seat=2, opponents=["random", "heuristic"]
    )
    for seed in (None, 0, 5):
        _, info = seat.reset(seed=seed)
        assert info["seat"] == 2
        assert [agent.name for agent in seat.games.opponents] == ["random", "heuristic"]
        assert seat.games.options["target"] == 4


def arrays(thing):
    """Yield all arrays in an environment's answer."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from arrays(value)
    elif isinstance(thing, tuple | list):
        for value in thing:
            yield from arrays(value)


def answers(case):
    """Yield what each environment returns, call by call."""
    rng = case.rng(0)
    aec = AECGame(case.spec, **case.arguments())
    aec.reset(seed=0)
    for _ in range(30):
        if not aec.agents:
            aec.reset()
        yield aec.last(), [aec.observe(agent) for agent in aec.possible_agents], aec.state()
        mask = aec.observe(aec.agent_selection)["action_mask"]
        aec.step(int(mask.argmax()) if mask.any() else None)
    seat = SeatEnv(case.spec, **case.arguments())
    answer = seat.reset(seed=0)
    for _ in range(30):
        yield answer, seat.action_masks()
        answer = seat.step(int(rng.choice(np.flatnonzero(seat.action_masks()))))
        if answer[2] or answer[3]:
            yield answer
            answer = seat.reset()
    for mode in ("NextStep", "SameStep"):
        vector = SeatVectorEnv(case.spec, 4, autoreset_mode=mode, **case.arguments())
        answer = vector.reset(seed=0)
        for _ in range(40):
            yield answer, vector.action_masks()
            answer = vector.step(vector.action_masks().argmax(axis=1))


def test_row_45_returned_arrays_never_change_and_share_nothing(case):
    kept, copies = [], []
    for answer in answers(case):
        for array in arrays(answer):
            kept.append(array)
            copies.append(array.copy())
    for array, copied in zip(kept, copies, strict=True):
        assert array.dtype == object or np.array_equal(array, copied)
    numeric = [array for array in kept if array.dtype != object]
    addresses = {array.__array_interface__["data"][0] for array in numeric if array.nbytes}
    assert len(addresses) == sum(array.nbytes > 0 for array in numeric), "two answers share memory"


def test_row_46_a_search_cannot_see_the_real_future(case):
    check_future(case)
