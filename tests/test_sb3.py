"""MaskablePPO with self-play, and the agents made of SB3's files."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest

from kingmaker.agents import load_agent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.registry import get_spec

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO, RecurrentPPO  # noqa: E402
from stable_baselines3 import A2C, DQN, PPO  # noqa: E402

from kingmaker.agents.sb3 import SB3Agent  # noqa: E402
from kingmaker.training.config import OpponentsConfig  # noqa: E402
from kingmaker.training.examples import maskable_sb3, plain_sb3  # noqa: E402
from kingmaker.training.sb3 import TrainingError, load_sb3_config, train_sb3  # noqa: E402
from kingmaker.training.sb3_file import save_sb3_model  # noqa: E402
from kingmaker.training.sb3_selfplay import SelfPlay, group_sizes  # noqa: E402
from kingmaker.training.sb3_vec import SeatVecEnv  # noqa: E402

SPEC = get_spec("krig")
TINY = (
    "stop.decisions=512", "stop.minutes=5", "threads=1", "rollout.games=16", "rollout.steps=8",
    "update.minibatch=64", "opponents.every=1", "opponents.share=0.5", "evaluation.every=2",
    "evaluation.games=10", "checkpoint_every=2", "tensorboard=false",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def views():
    """Observations and masks met in play."""
    env = SeatVecEnv("krig", 64, seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(5):
        masks = env.action_masks()
        observations = env.step((rng.random(masks.shape) * masks).argmax(axis=1))[0]
    return observations, env.action_masks()


@pytest.fixture
def model():
    return MaskablePPO("MlpPolicy", SeatVecEnv("krig", 2, seed=1), seed=3, device="cpu")


def lines(run_dir):
    return [json.loads(line) for line in (run_dir / "progress.jsonl").read_text().splitlines()]


# --- training -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["krig", "krig_intervention"])
def test_training_run(game, tmp_path):
    config = load_sb3_config(game, [*TINY, "tensorboard=true"])
    path = train_sb3(config, tmp_path / "run")
    agent = load_agent(f"sb3:{path}", game)
    assert agent.masked
    rows = lines(tmp_path / "run")
    assert [row["decisions"] for row in rows] == [128, 256, 384, 512]
    assert [bool(row.get("scores")) for row in rows] == [False, True, False, True]
    for score in rows[-1]["scores"]:
        assert score["games"] == 10
        assert 0 <= score["low"] <= score["win_rate"] <= score["high"] <= 1
        assert round(score["win_rate"] * 10, 9).is_integer()
    assert [score["opponent"] for score in rows[-1]["scores"]] == ["random", "heuristic"]
    assert rows[0]["train/learning_rate"] > rows[-1]["train/learning_rate"]
    assert {"seconds", "decisions_per_second", "rollout/ep_rew_mean", "train/loss"} <= set(rows[-1])
    assert list((tmp_path / "run" / "tensorboard").iterdir())
    assert not list((tmp_path / "run").glob(".*"))
    assert MaskablePPO.load(path, device="cpu").num_timesteps == 512  # SB3 itself reads the file too


def test_resume_goes_on(tmp_path):
    run = tmp_path / "run"
    train_sb3(load_sb3_config("krig", TINY), run)
    with pytest.raises(TrainingError, match="already holds a run"):
        train_sb3(load_sb3_config("krig", TINY), run)
    with pytest.raises(TrainingError, match=r"other settings: update was"):
        train_sb3(load_sb3_config("krig", [*TINY, "update.clip=0.3"]), run, resume=True)
    # As if it had been killed after its last checkpoint, with a line already written that is now undone.
    with (run / "progress.jsonl").open("a") as file:
        file.write(json.dumps({**lines(run)[-1], "update": 5}) + "\n" + '{"update": 6, "dec')
    before = load_agent(f"sb3:{run / 'model.zip'}", "krig").network[0].weight.clone()
    train_sb3(load_sb3_config("krig", [*TINY, "stop.decisions=1024"]), run, resume=True)
    rows = lines(run)
    assert [row["update"] for row in rows] == list(range(1, 9))
    assert [row["decisions"] for row in rows] == list(range(128, 1025, 128))
    assert rows[4]["seconds"] > rows[3]["seconds"]
    assert (load_agent(f"sb3:{run / 'model.zip'}", "krig").network[0].weight != before).any()
    with pytest.raises(TrainingError, match="no run to resume"):
        train_sb3(load_sb3_config("krig", TINY), tmp_path / "none", resume=True)
    (run / "checkpoint.zip").write_bytes(b"rubbish")
    with pytest.raises(TrainingError, match="no checkpoint"):
        train_sb3(load_sb3_config("krig", TINY), run, resume=True)


def test_resume_starts_from_the_checkpoint(tmp_path):
    """Nothing is left to do, so weights, optimiser and pool must come out as they went in."""
    run = tmp_path / "run"
    train_sb3(load_sb3_config("krig", TINY), run)
    kept = (run / "checkpoint.zip").read_bytes()
    train_sb3(load_sb3_config("krig", TINY), run, resume=True)
    with zipfile.ZipFile(io.BytesIO(kept)) as old, zipfile.ZipFile(run / "checkpoint.zip") as new:
        for name in ("policy.pth", "policy.optimizer.pth", "kingmaker-pool.pt"):
            before, after = (torch.load(io.BytesIO(z.read(name)), weights_only=True) for z in (old, new))
            torch.testing.assert_close(after, before, rtol=0, atol=0)


def test_a_run_ends_by_time(tmp_path):
    config = load_sb3_config("krig", [*TINY, "stop.decisions=1000000000", "stop.minutes=0.01"])
    train_sb3(config, tmp_path / "run")
    assert 0.6 <= lines(tmp_path / "run")[-1]["seconds"] < 30


@pytest.mark.parametrize(
    "setting", ["update.clip=2", "nonsense=1", "stop.minutes=-1", "network.activation=x"]
)
def test_wrong_settings_are_named(setting):
    with pytest.raises(TrainingError, match=setting.partition("=")[0]):
        load_sb3_config("krig", [setting])


def test_no_such_configuration():
    with pytest.raises(TrainingError, match="chess"):
        load_sb3_config("chess")


@pytest.mark.parametrize(
    ("share", "slots", "sizes"),
    [(0.0, 2, [10]), (0.25, 2, [8, 1, 1]), (0.5, 2, [5, 3, 2]), (1.0, 3, [4, 3, 3]), (0.1, 4, [9, 1])],
)
def test_group_sizes(share, slots, sizes):
    assert group_sizes(OpponentsConfig(share=share, slots=slots), 10) == sizes


def test_opponents_follow_the_snapshots(model, views):
    config = OpponentsConfig(share=0.5, slots=1, every=1, pool=2, bots=["heuristic"], bot_share=0.5)
    env = SeatVecEnv("krig", group_sizes(config, 8), seed=1)
    opponents = SelfPlay(config, env, "Tanh")
    opponents.remember(0, model.policy)

    def seated(seed):
        opponents.seat(model.policy.state_dict(), np.random.default_rng(seed))
        return [games.opponents[0] for games in env.groups]

    first = seated(0)[0].probabilities(*views)
    with torch.no_grad():
        model.policy.action_net.bias[0] += 3.0
    opponents.remember(1, model.policy)
    changed = seated(0)[0].probabilities(*views)
    assert (np.abs(changed - first).max(axis=1) > 0.01).any()
    drawn = {seated(seed)[1].name for seed in range(40)}
    assert drawn == {"heuristic", "snapshot-0", "snapshot-1"}
    for seed in range(40):
        agent = seated(seed)[1]
        if agent.name == "snapshot-0":
            np.testing.assert_array_equal(agent.probabilities(*views), first)
    assert all(agent.sample for agent in seated(1) if agent.name != "heuristic")


@pytest.mark.parametrize("example", [maskable_sb3, plain_sb3])
def test_examples(example):
    example.main(512, 10)


# --- agents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ["Tanh", "ReLU", "SiLU"])
@pytest.mark.parametrize("net_arch", [[8], {"pi": [16, 8], "vf": [4]}, []])
def test_agent_plays_as_sb3_does(activation, net_arch, views, tmp_path):
    kwargs = {"net_arch": net_arch, "activation_fn": getattr(torch.nn, activation), "ortho_init": False}
    model = MaskablePPO("MlpPolicy", SeatVecEnv("krig", 2), device="cpu", seed=3, policy_kwargs=kwargs)
    model.save(tmp_path / "model.zip")
    agent = load_agent(f"sb3:{tmp_path / 'model.zip'}", "krig")
    observations, masks = views
    wanted, _ = model.predict(observations, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(agent.act_batch(observations, masks), wanted)
    tensor = torch.from_numpy(observations)
    inner = model.policy.get_distribution(tensor, action_masks=masks).distribution.probs.detach().numpy()
    np.testing.assert_allclose(agent.probabilities(observations, masks), inner, atol=1e-6)
    assert agent.act(observations[0], masks[0]) == wanted[0]


def test_agent_draws_by_seed(model, views, tmp_path):
    save_sb3_model(tmp_path / "m.zip", model, SPEC, 2)
    agent = SB3Agent.load(tmp_path / "m.zip", SPEC, 2, "m", seed=5, sample=True)
    first = agent.act_batch(*views)
    assert (agent.act_batch(*views) != first).any()
    agent.seed(5)
    np.testing.assert_array_equal(agent.act_batch(*views), first)


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN])
def test_plain_algorithms_load_and_illegal_answers_are_errors(algorithm, views, tmp_path):
    settings = {"buffer_size": 100} if algorithm is DQN else {}
    model = algorithm("MlpPolicy", SeatVecEnv("krig", 2), device="cpu", seed=1, **settings)
    model.save(tmp_path / "m.zip")
    agent = load_agent(f"sb3:{tmp_path / 'm.zip'}", "krig")
    observations, masks = views
    wanted, _ = model.predict(observations, deterministic=True)
    everything = np.ones_like(masks)
    np.testing.assert_array_equal(agent.act_batch(observations, everything), wanted)
    assert agent.probabilities(observations, masks) is None
    forbidden = everything.copy()
    forbidden[0, wanted[0]] = False
    with pytest.raises(AgentError, match="illegal action"):
        agent.act_batch(observations, forbidden)


def rewrite(path, **members):
    """Replace members of a zip file, given by name with ``__`` for a dot; ``None`` leaves one out."""
    changed = {name.replace("__", "."): data for name, data in members.items()}
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**content, **changed}.items():
            if data is not None:
                archive.writestr(name, data)


def packed(content):
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


class Bomb:
    """Makes a folder when unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_nothing_in_a_file_is_executed(model, tmp_path, views):
    path, crater = tmp_path / "m.zip", tmp_path / "crater"
    model.save(path)
    facts = json.loads(zipfile.ZipFile(path).read("data"))
    bomb = base64.b64encode(pickle.dumps(Bomb(crater))).decode()
    for value in facts.values():
        if isinstance(value, dict) and ":serialized:" in value:
            value[":serialized:"] = bomb
    facts["extra"] = {":type:": "<class 'dict'>", ":serialized:": bomb}
    rewrite(path, data=json.dumps(facts))
    load_agent(f"sb3:{path}", "krig").act_batch(*views)
    assert not crater.exists()
    rewrite(path, policy__pth=pickle.dumps(Bomb(crater)))
    with pytest.raises(AgentError, match="more than data"):
        load_agent(f"sb3:{path}", "krig")
    rewrite(path, policy__pth=packed({"action_net.weight": Bomb(crater)}))
    with pytest.raises(AgentError, match="more than data"):
        load_agent(f"sb3:{path}", "krig")
    assert not crater.exists()
    pickle.loads(base64.b64decode(bomb))
    assert crater.exists()  # the bomb is a real one


def changed_facts(path, **entries):
    facts = json.loads(zipfile.ZipFile(path).read("data"))
    return json.dumps({**facts, **entries})


def test_files_that_do_not_fit_are_named(model, tmp_path):
    path = tmp_path / "m.zip"
    weights = model.policy.state_dict()
    last = "action_net.weight"
    custom = {"activation_fn": "<class 'evil.Thing'>"}
    cases = [
        ({"data": None}, "not saved by SB3"),
        ({"policy__pth": None}, "not saved by SB3"),
        ({"data": "{"}, "description is damaged"),
        ({"data": "[1]"}, "description is damaged"),
        ({"data": "[1]", "kingmaker__json": None}, "description is damaged"),
        ({"data": b"\xff"}, "description is damaged"),
        ({"data": "[" * 100_000}, "zip file|damaged"),
        ({"policy__pth": b"rubbish"}, "weights are damaged"),
        ({"policy__pth": packed([1])}, "no table of weights"),
        ({"policy__pth": packed({**weights, "action_net.bias": torch.zeros(3)})}, "not fully connected"),
        ({"policy__pth": packed({**weights, "other.weight": torch.zeros(3)})}, "'other.weight'"),
        ({"policy__pth": packed({**weights, last: torch.full((5, 64), torch.nan)})}, "not finite"),
        ({"policy__pth": packed({**weights, last: torch.zeros(5, 63)})}, "fit together"),
        ({"policy__pth": packed({k: v for k, v in weights.items() if "action" not in k})}, "lacks one"),
        ({"data": lambda: changed_facts(path, policy_class={"__module__": "evil"})}, "evil is not supported"),
        ({"data": lambda: changed_facts(path, policy_class=None)}, "not supported"),
        ({"data": lambda: changed_facts(path, policy_kwargs=custom)}, "evil.Thing"),
        ({"data": lambda: changed_facts(path, policy_kwargs={"features_extractor_class": "CNN"})}, "CNN"),
        ({"kingmaker__json": '{"game": "kingmaker/other-v0", "num_players": 2}'}, "other-v0 with 2 seats"),
        ({"kingmaker__json": "[]"}, "for None"),
    ]
    for members, message in cases:
        save_sb3_model(path, model, SPEC, 2)
        rewrite(path, **{name: data() if callable(data) else data for name, data in members.items()})
        with pytest.raises(AgentError, match=message):
            load_agent(f"sb3:{path}", "krig")
    save_sb3_model(path, model, SPEC, 2)
    whole = path.read_bytes()
    for part in (b"", whole[:100], whole[: len(whole) // 2], whole[:-10]):
        path.write_bytes(part)
        with pytest.raises(AgentError, match=r"no readable zip file|not saved by SB3"):
            load_agent(f"sb3:{path}", "krig")


def test_damaged_bytes_never_surprise(model, tmp_path):
    model.save(tmp_path / "whole.zip")
    whole = np.frombuffer((tmp_path / "whole.zip").read_bytes(), np.uint8)
    rng = np.random.default_rng(0)
    for _ in range(100):
        damaged = whole.copy()
        damaged[rng.integers(len(whole), size=20)] = rng.integers(256, size=20)
        (tmp_path / "m.zip").write_bytes(damaged.tobytes())
        with contextlib.suppress(AgentError):
            load_agent(f"sb3:{tmp_path / 'm.zip'}", "krig")


def test_wrong_game(model, tmp_path):
    model.save(tmp_path / "m.zip")
    with pytest.raises(AgentError, match="observations of size 13 and 5 actions"):
        load_agent(f"sb3:{tmp_path / 'm.zip'}", "krig_intervention")
    save_sb3_model(tmp_path / "m.zip", model, SPEC, 2)
    with pytest.raises(AgentError, match="it is for kingmaker/krig-v0"):
        load_agent(f"sb3:{tmp_path / 'm.zip'}", "krig_intervention")


def test_other_policies_are_refused(tmp_path):
    model = RecurrentPPO("MlpLstmPolicy", SeatVecEnv("krig", 1), device="cpu")
    model.save(tmp_path / "m.zip")
    with pytest.raises(AgentError, match="not supported"):
        load_agent(f"sb3:{tmp_path / 'm.zip'}", "krig")
