"""The agents that come with the package: how they are made, found and loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from kingmaker.agents import baselines, load_agent
from kingmaker.agents.baselines import FOLDER, baseline_path, find_baseline
from kingmaker.envs.core.errors import AgentError, TableError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.training.baselines import Baseline, main, make, read_plan
from kingmaker.training.policy_file import load_policy

pytestmark = pytest.mark.compiled_only

QUICK = [
    "stop={decisions=4000}",
    "rollout.games=32",
    "update.minibatch=512",
    "evaluation.games=20",
    "network.hidden=[16]",
    "tensorboard=false",
]


def test_a_baseline_is_trained_halved_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Baseline(game="krig", num_players=2, settings=QUICK)
    facts = make(entry, tmp_path / "runs", tmp_path, games=20)
    spec = get_spec("krig")
    path = baseline_path(spec, 2, tmp_path)
    assert facts["file"] == path.name
    assert facts["bytes"] == path.stat().st_size < (tmp_path / "runs" / "krig-2" / "policy.pt").stat().st_size
    assert set(facts["against_heuristic"]) == {"float32", "float16"}
    weights = torch.load(path, weights_only=True)["weights"]
    assert {value.dtype for value in weights.values()} == {torch.float16}
    whole, _ = load_policy(tmp_path / "runs" / "krig-2" / "policy.pt", spec, 2)
    halved, _ = load_policy(path, spec, 2)
    for name, value in halved.state_dict().items():
        assert value.dtype == torch.float32
        torch.testing.assert_close(value, whole.state_dict()[name], atol=1e-3, rtol=1e-3)
    monkeypatch.setattr(baselines, "FOLDER", tmp_path)
    assert load_agent("baseline", spec).name == "baseline"
    assert make(entry, tmp_path / "runs", tmp_path, games=20)["decisions"] == facts["decisions"]  # goes on


def test_a_plan_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("[[baseline]]\ngame = 'krig'\nseats = 2\n")
    with pytest.raises(TableError, match="num_players"):
        read_plan(tmp_path / "plan.toml")
    with pytest.raises(SystemExit):
        main(["chess"])


def test_every_planned_baseline_has_a_configuration_that_fits() -> None:
    for entry in read_plan():
        config = entry.config
        assert config.stop.decisions
        assert config.stop.minutes is None
        assert get_spec(config.game).check_seats(entry.num_players) == entry.num_players


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.pt")), ids=lambda path: path.stem)
def test_every_baseline_that_is_there_plays(path: Path) -> None:
    name, _, seats = path.stem.rpartition("-")
    spec = get_spec(name.rpartition("-v")[0])
    assert path == find_baseline(spec, int(seats))
    game = Game(spec, int(seats), seed=1)
    agent = load_agent("baseline", spec, int(seats))
    action = agent.act_batch(game.observe()[None], game.mask()[None], np.array([game.actor]))
    assert game.mask()[int(action[0])]


def test_a_missing_baseline_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "FOLDER", tmp_path)
    spec = get_spec("kingsburg")
    (tmp_path / "kingsburg-v0-3.pt").touch()
    with pytest.raises(AgentError, match="no trained baseline for 2 seats; there is one for 3 seats"):
        load_agent("baseline", spec, 2)
