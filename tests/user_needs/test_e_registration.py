"""Section E of ``user-needs.md``: registration, processes, platforms (rows 47 to 51 and 53 to 57)."""

from __future__ import annotations

import builtins
import importlib
import json
import multiprocessing
import os
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AsyncVectorEnv

import kingmaker.envs
from kingmaker.envs.core import registry
from kingmaker.envs.core.aec import AECGame
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.registry import all_specs, get_spec, register_game
from kingmaker.envs.core.vector import SeatVectorEnv
from kingmaker.envs.testing import Case, check_options, check_registration

IDS = [spec.id for spec in all_specs("kingmaker")]
# Packages that importing the environments must not load.
HEAVY = (
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "pygame",
    "PIL",
    "matplotlib",
    "pandas",
    "typer",
    "rich",
)


def python(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter, warnings as errors; return what it prints."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("game", IDS)
def test_row_47_multi_agent_ids_are_pettingzoos_and_one_seat_ids_gymnasiums(game):
    spec = get_spec(game)
    assert isinstance(pettingzoo.make("aec", spec.id).unwrapped, AECGame)
    assert isinstance(gymnasium.make(spec.gym_id).unwrapped, SeatEnv)
    one_seat = spec.gym_id.split("/")[1].split("-")[0]
    with pytest.raises(gymnasium.error.NameNotFound, match=f"Did you mean: `{one_seat}`"):
        gymnasium.make(spec.id)


def test_row_48_module_and_id_in_one_string():
    answer = python('import gymnasium; print(gymnasium.make("kingmaker.envs:kingmaker/Krig-v0").spec.id)')
    assert answer.strip() == "kingmaker/Krig-v0"
    python('import gymnasium, kingmaker.envs; gymnasium.register_envs(kingmaker.envs); '
           'gymnasium.make("kingmaker/Krig-v0").reset(seed=0)')  # fmt: skip


def test_row_49_registering_twice_changes_nothing_and_does_not_warn():
    before = (dict(gymnasium.registry), all_specs("kingmaker"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for spec in all_specs("kingmaker"):
            assert register_game(spec) is spec
        importlib.import_module("kingmaker.envs.krig_v0")
    assert (dict(gymnasium.registry), all_specs("kingmaker")) == before


@pytest.mark.parametrize("game", IDS)
def test_row_50_environments_work_in_spawned_workers(game):
    spec = gymnasium.spec(get_spec(game).gym_id)
    assert gymnasium.envs.registration.EnvSpec.from_json(spec.to_json()) == spec
    env = AsyncVectorEnv([lambda: gymnasium.make(f"{get_spec(game).module}:{spec.id}")] * 2, context="spawn")
    try:
        seen, infos = env.reset(seed=[3, 4])
        here = [gymnasium.make(spec.id).reset(seed=seed) for seed in (3, 4)]
        assert np.array_equal(seen, np.stack([one[0] for one in here]))
        assert infos["action_mask"].shape == (2, get_spec(game).num_actions)
        env.step(infos["action_mask"].argmax(axis=1))
    finally:
        env.close()


def _first_observation(env_spec: gymnasium.envs.registration.EnvSpec, seed: int) -> list[float]:
    return env_spec.make().reset(seed=seed)[0].tolist()


@pytest.mark.parametrize("game", IDS)
def test_row_50_a_spec_carries_its_module_to_a_spawned_worker(game):
    spec = gymnasium.spec(get_spec(game).gym_id)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(_first_observation, (spec, 7))
    assert there == spec.make().reset(seed=7)[0].tolist()


def test_row_51_a_pettingzoo_without_a_registry_is_no_trouble(monkeypatch):
    real = builtins.__import__

    def without_registry(name, *arguments, **keywords):
        if name.startswith("pettingzoo.env_registry"):
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_registry)
    registry._register_aec(get_spec("krig"))
    code = (
        "import builtins; real = builtins.__import__\n"
        "def old(name, *a, **k):\n"
        "    if name == 'pettingzoo' and a and a[2] and 'register' in a[2]: raise ImportError('register')\n"
        "    return real(name, *a, **k)\n"
        "builtins.__import__ = old\n"
        "from kingmaker.envs import krig_v0\n"
        "env = krig_v0.env(); env.reset(seed=0); print(env.agent_selection)\n"
    )
    assert python(code).startswith("player_")


def test_rows_53_54_importing_loads_no_drawing_library_and_nothing_heavy():
    code = (
        "import json, sys, kingmaker.envs; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    )
    loaded = json.loads(python(code))
    assert not set(HEAVY) & set(loaded)


def test_rows_53_54_frames_are_text_and_tell_moves_apart():
    code = (
        "from kingmaker.envs import krig_v0; env = krig_v0.env(render_mode='ansi'); env.reset(seed=0)\n"
        "first = env.render(); env.step(int(env.last()[0]['action_mask'].argmax())); second = env.render()\n"
        "import sys; print(isinstance(first, str) and first != second, 'pygame' in sys.modules)\n"
    )
    assert python(code, DISPLAY="").split() == ["True", "False"]
    for env in (gymnasium.make("kingmaker/Krig-v0", render_mode="ansi"),
                gymnasium.make_vec("kingmaker/Krig-v0", num_envs=2, render_mode="ansi")):  # fmt: skip
        env.reset(seed=0)
        frames = env.render()
        assert all(isinstance(frame, str) for frame in ([frames] if isinstance(frames, str) else frames))
    assert AECGame("krig").metadata["render_modes"] == ["ansi"]


def test_row_55_paths_and_processes_are_portable(tmp_path):
    folder = tmp_path / "with space and ü"
    folder.mkdir()
    python(
        "import os; from kingmaker.envs.core.game import Game\n"
        "from kingmaker.envs.core.log import GameLog, Start\n"
        "game = Game('krig', seed=1); log = GameLog.of_play(game, Start(seed=1), game.legal_actions()[:1])\n"
        "log.save(os.environ['LOG']); assert GameLog.load(os.environ['LOG']) == log",
        LOG=str(folder / "game.jsonl"),
    )
    assert b"\r" not in (folder / "game.jsonl").read_bytes()


def test_rows_56_57_seat_counts_are_arguments_and_part_of_errors(case):
    check_registration(case)
    check_options(case)
    with pytest.raises(OptionError, match="num_players=9"):
        AECGame(case.spec, 9)


def test_rows_56_57_spaces_are_stable_for_every_seat_count(bids):
    for count in bids.spec.seats:
        env = AECGame(bids.spec, count)
        spaces = [env.observation_space(agent) for agent in env.possible_agents]
        for seed in range(3):
            env.reset(seed=seed)
            assert env.possible_agents == [f"player_{seat}" for seat in range(count)]
            assert all(
                env.observation_space(a) is s for a, s in zip(env.possible_agents, spaces, strict=True)
            )
        assert SeatEnv(bids.spec, num_players=count).observation_space == spaces[0]["observation"]
        assert (
            SeatVectorEnv(bids.spec, 2, num_players=count).single_observation_space
            == spaces[0]["observation"]
        )


def test_helpful_answers_to_wrong_names():
    for wrong, hint in (
        ("kirg", "did you mean 'krig'"),
        ("krig-v7", "use kingmaker/krig-v0"),
        ("", "the games are"),
    ):
        with pytest.raises(OptionError, match=hint):
            get_spec(wrong)
    for right in ("krig", "Krig", "krig_v0", "kingmaker/krig-v0", "kingmaker/Krig-v0", "kingmaker.envs:krig"):
        assert get_spec(right) is kingmaker.envs.KRIG
    assert Case(get_spec("krig_intervention"), 2).spec is get_spec("kingmaker/KrigIntervention-v0")
