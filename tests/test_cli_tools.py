"""``kingmaker train``, ``tournament``, ``bench`` and ``compile``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli_run import run
from typer.testing import CliRunner

from kingmaker.agents.exact.agent import SOLVED
from kingmaker.agents.exact.decisions import action_values, first_best
from kingmaker.agents.exact.layer import solve_pair
from kingmaker.agents.exact.report import measure
from kingmaker.agents.exact.study import count_best
from kingmaker.agents.exact.views import show_all
from kingmaker.cli import compile as compile_command
from kingmaker.cli.app import app
from kingmaker.cli.warm import warm, warm_solver, warm_trainer
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.core.loops import ENTRIES
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.vector import make_vector_env

pytestmark = pytest.mark.skipif(not JIT, reason="trains and rates on compiled rules")

TINY = [
    "--set=rollout.games=32",
    "--set=rollout.steps=8",
    "--set=update.minibatch=128",
    "--set=evaluation.games=20",
    "--set=tensorboard=false",
    "--set=threads=1",
]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- train and tournament ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("trainer", "agent"), [("ppo", "policy"), ("sb3", "sb3")])
def test_train_resume_rate_and_play(trainer: str, agent: str) -> None:
    pytest.importorskip("torch")
    if trainer == "sb3":
        pytest.importorskip("sb3_contrib")
    text = run("train", "krig", "--trainer", trainer, "--decisions", "600", "--seats", "2", *TINY)
    folder = Path("runs") / f"krig-{trainer}-1"
    trained = next(word for word in text.split() if word.startswith(f"{agent}:"))
    assert Path(trained.partition(":")[2]).is_file()
    assert json.loads((folder / "config.json").read_text("utf-8"))["stop"] == {
        "decisions": 600,
        "minutes": None,
    }

    again = run("train", "krig", "--trainer", trainer, "--resume", "--decisions", "1200")
    assert trained in again

    text = run("tournament", "krig", "random", f"mine={trained}", "--games", "8", "--out", "rated")
    assert "mine" in text
    report = (Path("rated") / "report.md").read_text("utf-8")
    assert f"\nkingmaker tournament krig random mine={trained} --games 8\n" in report
    shown = CliRunner().invoke(app, ["play", "krig", "--seed", "1", "--hints", trained], input="hint\n")
    assert "would play" in shown.stdout
    assert "%" in shown.stdout


def test_train_from_a_file(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "own.toml").write_text('game = "krig"\nseed = 4\n[stop]\nminutes = 60.0\n', "utf-8")
    run("train", "krig", "--config", "own.toml", "--run-dir", "own", "--decisions", "300", *TINY)
    saved = json.loads(Path("own/config.json").read_text("utf-8"))
    assert (saved["seed"], saved["stop"]["minutes"], saved["game"]) == (4, None, "kingmaker/krig-v0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "nonsense=1"], "nonsense"),
        (["--set", "nonsense"], "key=value"),
        (["--decisions", "0"], "stop.decisions"),
        (["--config", "nowhere.toml"], "there is no file nowhere.toml"),
        (["--config", "/nope"], "there is no file /nope"),
        (["--run-dir", "rated"], "holds a tournament"),
        (["--resume"], "no runs/krig-ppo-N"),
        (["--resume", "--run-dir", "nowhere"], "holds no run"),
        (["--resume", "--run-dir", "nowhere", "--set", "seed=1"], "keeps its settings"),
        (["--trainer", "magic"], "--trainer"),
    ],
)
def test_train_errors(arguments: list[str], message: str) -> None:
    pytest.importorskip("torch")
    Path("rated").mkdir()
    Path("rated/results.jsonl").touch()
    text = run("train", "krig", *arguments, exit_code=2)
    assert message in text
    assert text.count("\n") == 1


def test_a_finished_run_says_so() -> None:
    pytest.importorskip("torch")
    arguments = ["train", "krig", "--run-dir", "my run"]
    assert "'policy:my run/policy.pt'" in run(*arguments, "--decisions", "300", *TINY)
    again = CliRunner().invoke(app, [*arguments, "--resume"])
    assert again.exit_code == 0
    assert "my run is already at its limit of 300 decisions" in again.stderr
    assert "%" not in again.stderr


def test_tournament_resumes() -> None:
    pytest.importorskip("choix")
    first = run("tournament", "krig", "random", "heuristic", "--games", "20", "--seed", "3")
    assert (Path("runs") / "krig-tournament-1" / "report.json").is_file()
    again = run("tournament", "krig", "random", "heuristic", "--games", "20", "--seed", "3", "--resume")
    assert again == first
    assert "heuristic" in first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "wizard"], "no agent 'wizard'"),
        (["random", "random"], "twice"),
        (["random", "heuristic", "--games", "0"], "games"),
        (["random", "heuristic", "--option", "x=1"], "no option 'x'"),
        (["random", "heuristic", "--processes", "0"], "processes"),
        (["random", "heuristic", "--resume", "--out", "nowhere"], "nowhere holds no results to resume"),
        (["random", "heuristic", "--out", "trained"], "holds a training run (config.json)"),
    ],
)
def test_tournament_errors(arguments: list[str], message: str) -> None:
    pytest.importorskip("choix")
    Path("trained").mkdir()
    Path("trained/config.json").touch()
    text = run("tournament", "krig", *arguments, exit_code=2)
    assert message in text
    assert text.count("\n") == 1
    assert not Path("nowhere").exists()


def test_one_agent_is_told_what_that_is_good_for() -> None:
    pytest.importorskip("choix")
    result = CliRunner().invoke(app, ["tournament", "krig", "random", "--games", "4"])
    assert "One agent plays against itself" in result.stderr


# --- bench ------------------------------------------------------------------------------------------------


def test_bench_passes_its_settings_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def measure(config: Any, out_dir: Path | None, *, console: Any) -> Any:
        seen.append((config, out_dir))
        return SimpleNamespace(table=lambda: "the table")

    monkeypatch.setattr("kingmaker.benchmarks.throughput.run_throughput", measure)
    text = run("bench", "--quick", "--games", "krig,krig_intervention", "--no-peers", "--out", "here")
    config, folder = seen[0]
    assert (config.games, config.peers, folder) == (("krig", "krig_intervention"), False, Path("here"))
    assert config.seconds < 0.5
    assert "the table" in text
    assert "no game 'chess'" in run("bench", "--games", "chess", exit_code=2)


# --- compile ----------------------------------------------------------------------------------------------


def test_compile_tells_time_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[str] = []
    solved: list[str] = []
    monkeypatch.setattr("kingmaker.cli.warm.warm", lambda spec: warmed.append(spec.name) or 3)
    monkeypatch.setattr("kingmaker.cli.warm.warm_solver", lambda spec: solved.append(spec.name))
    monkeypatch.setattr("kingmaker.cli.warm.warm_trainer", lambda: warmed.append("trainer") or False)
    text = run("compile")
    assert warmed.pop() == "trainer"
    assert warmed == [spec.name for spec in all_specs()]
    assert solved == ["krig", "krig_intervention"]
    assert "3 loops compiled" in text
    assert "trainer" not in text
    run("compile", "krig")
    assert warmed[-2:] == ["krig", "trainer"]


def test_games_are_compiled_side_by_side() -> None:
    text = run("compile", "krig", "krig_intervention", "--processes", "2")
    names = [line.partition(":")[0] for line in text.splitlines()]
    assert names[:4] == ["krig", "krig, solver", "krig_intervention", "krig_intervention, solver"]


@pytest.mark.parametrize("spec", all_specs("kingmaker"), ids=lambda spec: spec.name)
def test_warm_compiles_every_loop_as_users_call_it(spec: Any) -> None:
    warm(spec)
    signatures = {loop.__name__: list(spec.entry(loop.__name__).signatures) for loop in ENTRIES}
    assert all(signatures.values())
    env = make_vector_env(spec, 3, opponents="heuristic")
    env.reset(seed=1)
    env.step(env.action_masks().argmax(axis=1))
    assert {name: list(spec.entry(name).signatures) for name in signatures} == signatures


@pytest.mark.parametrize("name", SOLVED)
def test_warm_compiles_the_solver_as_users_call_it(name: str) -> None:
    spec = get_spec(name)
    warm_solver(spec)
    kernels = (solve_pair, show_all, action_values, first_best, count_best)
    before = [list(kernel.signatures) for kernel in kernels]
    small = {"hit_points": 3} if name == "krig" else {"hit_points": 2, "handicap": 1, "tokens": 2}
    for agent in ("exact", "heuristic"):
        measure(spec, small, None, agent, games=4)
    assert [list(kernel.signatures) for kernel in kernels] == before


def test_warm_trainer() -> None:
    pytest.importorskip("torch")
    assert warm_trainer()


def test_clear_removes_only_its_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "kernels"
    ours, other = root / ("0123456789" * 2), root / "photos"
    for folder in (ours, other):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x", "utf-8")
    (root / ("a" * 20)).symlink_to(other)
    monkeypatch.setenv("KINGMAKER_CACHE_DIR", str(root))
    assert "Removed 1 " in run("compile", "--clear")
    assert not ours.exists()
    assert (other / "file").exists()


def test_clear_leaves_nothing_behind(tmp_path: Path) -> None:
    root = tmp_path / "kernels"
    (root / ("f" * 20)).mkdir(parents=True)
    assert compile_command.clear_cache(root) == 1
    assert not root.exists()
    assert compile_command.clear_cache(root) == 0


def test_clear_makes_nothing_to_remove(tmp_path: Path) -> None:
    root = tmp_path / "kernels"
    (root / ("f" * 20)).mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-c", "from kingmaker.cli import main; main()", "compile", "--clear"],
        env={**os.environ, "KINGMAKER_CACHE_DIR": str(root)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Removed 1 " in done.stdout, done.stderr
    assert not root.exists()
