"""Whole PPO runs on Krig: configuration, resuming, run directories, and the policy files they leave."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import kingmaker.envs.krig  # noqa: F401  (registers the games)
from kingmaker.agents.loader import load_agent
from kingmaker.agents.policy import PolicyAgent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import AgentError, OptionError
from kingmaker.envs.core.registry import get_spec
from kingmaker.training import ppo
from kingmaker.training.config import CONFIGS, PPOConfig, TrainingError, load_config
from kingmaker.training.evaluate import evaluate
from kingmaker.training.ppo import train_ppo
from kingmaker.training.report import read_progress, short
from kingmaker.training.trainer import Trainer

GAMES, STEPS = 64, 8
SMALL = {
    "game": "krig",
    "seed": 3,
    "threads": 1,
    "tensorboard": False,
    "stop": {"decisions": 6 * GAMES * STEPS},
    "rollout": {"games": GAMES, "steps": STEPS},
    "update": {"minibatch": 200},
    "opponents": {"share": 0.5, "every": 1, "pool": 3, "hold": 3, "bots": ["random"], "bot_share": 0.3},
    "evaluation": {"every": 4, "games": 20},
    "checkpoint_every": 3,
}


def small(**changes):
    return PPOConfig.model_validate({**SMALL, **changes})


def weights(path):
    return torch.load(path, weights_only=True)["weights"]


class Killed(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def killed_run(tmp_path, monkeypatch):
    """Return the directory of a run that died in the middle of its fifth update."""
    run_dir = tmp_path / "killed"
    update = ppo._update

    def dying(trainer, report, folder):
        if trainer.updates == 4:
            trainer.rollout.play(trainer.network, trainer.league, trainer.rng)
            raise Killed
        update(trainer, report, folder)

    with monkeypatch.context() as patch:
        patch.setattr(ppo, "_update", dying)
        with pytest.raises(Killed):
            train_ppo(small(), run_dir)
    return run_dir


# --- resuming -----------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("game", ["krig", "krig_intervention"])
def test_the_same_seed_gives_the_same_weights_whatever_the_global_generators_do(tmp_path, game):
    first = train_ppo(small(game=game), tmp_path / "a")
    np.random.seed(1)
    np.random.random(5)
    torch.manual_seed(5)
    second = train_ppo(small(game=game), tmp_path / "b")
    third = train_ppo(small(game=game, seed=4), tmp_path / "c")
    assert all(torch.equal(value, weights(second)[name]) for name, value in weights(first).items())
    assert not all(torch.equal(value, weights(third)[name]) for name, value in weights(first).items())


def test_a_killed_run_ends_bit_for_bit_like_one_that_was_not(tmp_path, killed_run):
    straight = train_ppo(small(), tmp_path / "straight")
    resumed = train_ppo(small(), killed_run, resume=True)
    assert all(torch.equal(value, weights(resumed)[name]) for name, value in weights(straight).items())
    a, b = (torch.load(p.parent / "checkpoint.pt", weights_only=True) for p in (straight, resumed))
    assert a["random"] == b["random"]
    assert all(torch.equal(value, b["arrays"][name]) for name, value in a["arrays"].items())
    for one, other in zip(a["league"]["snapshots"], b["league"]["snapshots"], strict=True):
        assert one[0] == other[0]
        assert all(torch.equal(value, other[1][name]) for name, value in one[1].items())
    for one, other in zip(read_progress(straight.parent), read_progress(killed_run), strict=True):
        assert {k: v for k, v in one.items() if "second" not in k} == {
            k: v for k, v in other.items() if "second" not in k
        }


def test_a_finished_run_can_be_resumed_and_lengthened(tmp_path):
    train_ppo(small(), tmp_path)
    before = (tmp_path / "policy.pt").read_bytes()
    train_ppo(small(), tmp_path, resume=True)
    assert (tmp_path / "policy.pt").read_bytes() == before
    train_ppo(small(stop={"decisions": 8 * GAMES * STEPS}), tmp_path, resume=True)
    assert [line["update"] for line in read_progress(tmp_path)] == list(range(1, 9))


def test_minutes_end_a_run(tmp_path):
    train_ppo(small(stop={"minutes": 0.01}), tmp_path)
    last = read_progress(tmp_path)[-1]
    assert last["seconds"] >= 0.6
    assert last["scores"]


# --- run directories ----------------------------------------------------------------------------------


def test_a_directory_with_a_run_is_never_overwritten(killed_run):
    before = {path.name: path.read_bytes() for path in killed_run.iterdir()}
    with pytest.raises(TrainingError, match="already holds a run"):
        train_ppo(small(), killed_run)
    with pytest.raises(TrainingError, match=r"other settings: seed was 3, is 4"):
        train_ppo(small(seed=4), killed_run, resume=True)
    assert {path.name: path.read_bytes() for path in killed_run.iterdir()} == before


def test_nothing_to_resume_is_an_error_and_leaves_nothing_behind(tmp_path):
    with pytest.raises(TrainingError, match="no run to resume"):
        train_ppo(small(), tmp_path / "new", resume=True)
    with pytest.raises(OptionError, match="did you mean 'krig'"):
        train_ppo(small(game="krik"), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_write_that_fails_leaves_the_old_checkpoint(killed_run, monkeypatch):
    before = (killed_run / "checkpoint.pt").read_bytes()

    def half(content, file):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(OSError, match="disk full"):
        train_ppo(small(), killed_run, resume=True)
    assert (killed_run / "checkpoint.pt").read_bytes() == before
    assert not list(killed_run.glob("*.partial")) + list(killed_run.glob(".*.partial"))


@pytest.mark.parametrize("content", [b"", b"half", None])
def test_a_broken_checkpoint_is_one_clear_line(killed_run, content):
    path = killed_run / "checkpoint.pt"
    path.write_bytes(path.read_bytes()[:-500] if content is None else content)
    with pytest.raises(TrainingError, match="is no checkpoint") as caught:
        train_ppo(small(), killed_run, resume=True)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"config": None}, "its config is no table"),
        ({"network": None}, "does not fit"),
        ({"counters": {}}, "does not fit"),
        ({"arrays": 3}, "does not fit"),
        ({}, "it has no league"),
    ],
)
def test_a_checkpoint_with_other_content_is_one_clear_line(killed_run, changes, message):
    path = killed_run / "checkpoint.pt"
    content = {**torch.load(path, weights_only=True), **changes}
    if not changes:
        del content["league"]
    torch.save(content, path)
    with pytest.raises(TrainingError, match=message) as caught:
        train_ppo(small(), killed_run, resume=True)
    assert "\n" not in str(caught.value)


def test_whatever_torch_raises_is_one_clear_line(killed_run, monkeypatch):
    def fail(*_, **__):
        raise AssertionError

    monkeypatch.setattr(torch, "load", fail)
    with pytest.raises(TrainingError, match="is no checkpoint: AssertionError"):
        train_ppo(small(), killed_run, resume=True)


def test_counts_are_short():
    assert [short(count) for count in (512, 8192, 3_400_000)] == ["512", "8.2k", "3.4M"]


def test_the_log_holds_a_line_an_update_and_the_scores(tmp_path):
    train_ppo(small(), tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    assert [line["update"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert [line["update"] for line in lines if "scores" in line] == [4, 6]
    assert lines[-1]["decisions"] == 6 * GAMES * STEPS
    assert lines[-1]["learning_rate"] == pytest.approx(lines[0]["learning_rate"] / 6)
    assert {score["opponent"] for score in lines[3]["scores"]} == {"random", "heuristic"}
    assert all(score["low"] <= score["win_rate"] <= score["high"] for score in lines[3]["scores"])
    assert all(np.isfinite(value) for line in lines for value in line.values() if not isinstance(value, list))


def test_the_bar_and_tensorboard_show_the_scores(tmp_path):
    console = pytest.importorskip("rich.console").Console(width=160, record=True, force_terminal=True)
    train_ppo(small(tensorboard=True), tmp_path, console=console)
    shown = console.export_text()
    assert "heuristic" in shown
    assert "decisions" in shown
    if (tmp_path / "tensorboard").exists():
        assert list((tmp_path / "tensorboard").iterdir())
    else:
        assert "TensorBoard is not installed" in shown


# --- learning -----------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_a_few_seconds_of_training_beat_random_play(tmp_path):
    settings = ["stop={decisions=400_000}", "rollout.games=256", "update.minibatch=2048", "threads=1"]
    path = train_ppo(load_config("krig", [*settings, "tensorboard=false"]), tmp_path)
    score = evaluate(load_agent(f"policy:{path}", "krig"), "random", 4000, seed=1)
    assert score.low > 0.53


# --- configuration ------------------------------------------------------------------------------------


def test_every_packaged_configuration_is_valid_and_names_its_game():
    for path in CONFIGS.glob("*.toml"):
        if not path.stem.endswith("_sb3"):
            assert get_spec(load_config(path).game).name == path.stem


def test_every_setting_is_described():
    def undescribed(model):
        for name, field in model.model_fields.items():
            if isinstance(field.annotation, type) and hasattr(field.annotation, "model_fields"):
                yield from undescribed(field.annotation)
            elif not field.description:
                yield name

    assert list(undescribed(PPOConfig)) == []


def test_settings_replace_entries():
    config = load_config("krig", ["update.clip=0.1", "stop={decisions=5}", "evaluation.baselines=['random']"])
    assert config.update.clip == 0.1
    assert config.stop.minutes is None
    assert config.evaluation.baselines == ["random"]
    assert load_config("krig", ["game=krig_intervention"]).game == "krig_intervention"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("update.clipp=0.1", "update.clipp: unknown setting"),
        ("update.clip=2", "update.clip: input should be less than 1"),
        ("rollout.games=many", "rollout.games: input should be a valid integer"),
        ("game.name=krig", "game is no table"),
        ("stop={}", "stop: give decisions, minutes or both"),
        ("network.hidden=[0]", "network.hidden.0"),
        ("network.hidden=[5000]", "network.hidden.0"),
        ("network.hidden=[8, 8, 8, 8, 8, 8, 8, 8, 8]", "network.hidden"),
        ("opponents.bots=['random']", "bots and bot_share go together"),
        ("clip", "form key=value"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(setting, message):
    with pytest.raises(TrainingError, match=message) as caught:
        load_config("krig", [setting])
    assert "\n" not in str(caught.value)


def test_an_unknown_configuration_is_an_error():
    with pytest.raises(TrainingError, match="no training configuration"):
        load_config("chess")


# --- policy files -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    return train_ppo(small(stop={"decisions": GAMES * STEPS}), tmp_path_factory.mktemp("run"))


def test_a_policy_plays_the_likeliest_action_or_draws_from_its_distribution(policy):
    agent = load_agent(f"policy:{policy}", "krig")
    games = BatchGames("krig", 500, seed=1)
    shares = agent.probabilities(games.observations, games.masks)
    assert np.allclose(shares.sum(1), 1)
    assert (shares[games.masks == 0] == 0).all()
    likeliest = agent.act_batch(games.observations, games.masks)
    assert np.array_equal(likeliest, shares.argmax(1))
    assert agent.act(games.observations[0], games.masks[0]) == likeliest[0]
    drawing = PolicyAgent.load(policy, get_spec("krig"), 2, "drawing", 3, sample=True)
    drawn = drawing.act_batch(games.observations, games.masks)
    assert len(set(drawn)) > 1
    drawing.seed(3)
    assert np.array_equal(drawing.act_batch(games.observations, games.masks), drawn)


def test_a_policy_for_another_game_is_refused(policy):
    with pytest.raises(AgentError, match="its game is kingmaker/krig-v0, not kingmaker/krig_intervention-v0"):
        load_agent(f"policy:{policy}", "krig_intervention")


class Malicious:
    def __reduce__(self):
        return os.mkdir, ("executed",)


@pytest.mark.parametrize(
    "kind",
    ["empty", "text", "pickle", "malicious", "list", "other", "cut", "weights", "facts", "infinite", "wide",
     "names"],
)  # fmt: skip
def test_a_foreign_or_broken_file_is_one_clear_line_and_never_executed(policy, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "policy.pt"
    good = torch.load(policy, weights_only=True)
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("not a policy")
    elif kind == "pickle":
        path.write_bytes(pickle.dumps({"facts": {}, "weights": {}}))
    elif kind == "malicious":
        torch.save({"facts": Malicious(), "weights": {}}, path)
    elif kind == "list":
        torch.save([1, 2], path)
    elif kind == "other":
        torch.save({"weights": good["weights"]}, path)
    elif kind == "cut":
        path.write_bytes(policy.read_bytes()[:2000])
    elif kind == "weights":
        torch.save({**good, "weights": {"x": torch.zeros(1)}}, path)
    elif kind == "names":
        torch.save({**good, "weights": {1: 2}}, path)
    elif kind == "infinite":
        next(iter(good["weights"].values())).fill_(float("nan"))
        torch.save(good, path)
    elif kind == "wide":
        facts = good["facts"]
        network = {**facts["network"], "hidden": [10**9]}
        torch.save({**good, "facts": {**facts, "network": network}}, path)
    else:
        torch.save({**good, "facts": {**good["facts"], "num_actions": "five"}}, path)
    with pytest.raises(AgentError) as caught:
        load_agent(f"policy:{path}", "krig")
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert not (tmp_path / "executed").exists()


def test_agents_and_games_load_without_torch():
    code = (
        "import sys, kingmaker.agents, kingmaker.agents.loader, kingmaker.agents.policy, kingmaker.envs; "
        "assert 'torch' not in sys.modules and 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.compiled_only
def test_evaluating_does_not_touch_training():
    measured, plain = Trainer(small()), Trainer(small())
    for _ in range(3):
        measured.step()
        measured.evaluate()
        plain.step()
    for one, other in zip(measured.network.parameters(), plain.network.parameters(), strict=True):
        assert torch.equal(one, other)
