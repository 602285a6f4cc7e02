"""The command line: facts, rules, errors, and the script itself."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import pytest
from cli_run import run
from typer.testing import CliRunner

from kingmaker.cli import facts
from kingmaker.cli.app import app
from kingmaker.cli.common import RUNS, parse_options, run_folder
from kingmaker.cli.errors import CommandError, CommandGroup
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.rulebook import read_rulebook, rulebook_path
from kingmaker.envs.core.spec import REWARD_MODES

SPECS = all_specs("kingmaker")
COMMANDS = (
    "list",
    "describe",
    "rules",
    "play",
    "replay",
    "train",
    "tournament",
    "bench",
    "compile",
    "solve",
    "exploitability",
)
SCRIPT = Path(sysconfig.get_path("scripts")) / "kingmaker"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- help and version -------------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    text = run("--help")
    assert all(command in text for command in COMMANDS)
    assert run() == text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str) -> None:
    text = run(command, "--help")
    assert "Examples" in text
    assert f"$ kingmaker {command}" in text


def test_version() -> None:
    assert run("--version").split() == ["kingmaker", version("kingmaker")]


# --- list and describe ------------------------------------------------------------------------------------


def test_list_shows_every_game_and_agent() -> None:
    text = run("list")
    assert all(spec.id in text and spec.gym_id in text for spec in SPECS)
    assert "policy:PATH" in text


def test_list_as_json() -> None:
    content = json.loads(run("list", "--json"))
    row = next(game for game in content["games"] if game["game"] == "krig")
    assert (row["id"], row["actions"], row["seats"]) == ("kingmaker/krig-v0", 5, "2")
    assert "heuristic" in content["agents"]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_describe(spec: object) -> None:
    text = run("describe", spec.name)
    assert all(action.name in text for action in spec.actions)
    assert all(option.name in text for option in spec.options)
    content = json.loads(run("describe", spec.id, "--json"))
    assert [row["name"] for row in content["actions"]] == [action.name for action in spec.actions]
    assert {row["fact"]: row["value"] for row in content["facts"]}["Gymnasium id"] == spec.gym_id


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_observation_indices_cover_the_vector(spec: object) -> None:
    for seats in spec.seats:
        covered: list[int] = []
        for index, *_ in facts.observation(spec, seats).rows:
            first, _, last = index.partition("..")
            covered += range(int(first), int(last or first) + 1)
        assert covered == list(range(spec.observation_size(seats)))


def test_every_reward_mode_is_explained() -> None:
    assert tuple(facts.REWARD_MEANINGS) == REWARD_MODES


def test_figures_that_depend_on_the_seats_name_them() -> None:
    class Spec:
        seats = (2, 3)

    assert facts._by_seats(Spec, lambda seats: 7) == "7"
    assert facts._by_seats(Spec, lambda seats: 10 * seats) == "20 (2 seats), 30 (3 seats)"


# --- rules ------------------------------------------------------------------------------------------------


def test_rules_prints_the_book() -> None:
    assert run("rules", "krig") == rulebook_path(get_spec("krig")).read_text("utf-8")


def test_rules_by_id() -> None:
    first, second = read_rulebook(get_spec("krig"))[3:5]
    text = run("rules", "krig", first.id.lower(), second.id)
    assert first.text in text
    assert second.text in text
    assert text.count("(rulebook)") + text.count("(ruling)") == 2


def test_rules_by_words() -> None:
    text = run("rules", "krig", "perfect", "PARRY")
    shown = [line for line in text.splitlines() if line.startswith("KR-")]
    book = read_rulebook(get_spec("krig"))
    wanted = [r for r in book if all(w in f"{r.section} {r.text}".lower() for w in ("perfect", "parry"))]
    assert [line.split()[0] for line in shown] == [rule.id for rule in wanted]


# --- options of games -------------------------------------------------------------------------------------


def test_options_get_their_types() -> None:
    spec = get_spec("krig_intervention")
    given = parse_options(spec, ["hit-points=12", "perfect_parry=No", "guard_break=true"])
    assert given == {"hit_points": 12, "perfect_parry": False, "guard_break": True}


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("hit_points", "name=value"),
        ("=3", "name=value"),
        ("hitpoints=3", "no option 'hitpoints'"),
        ("hit_points=many", "is an integer"),
        ("hit_points=1000", "lies in 1..100"),
        ("perfect_parry=1", "true or false"),
    ],
)
def test_wrong_options(pair: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_options(get_spec("krig_intervention"), [pair])


def test_run_folders_are_counted() -> None:
    assert run_folder("krig-ppo", latest=False) == RUNS / "krig-ppo-1"
    for name in ("krig-ppo-2", "krig-ppo-11", "krig-ppo-old", "krig-sb3-30"):
        (RUNS / name).mkdir(parents=True)
    assert run_folder("krig-ppo", latest=False) == RUNS / "krig-ppo-12"
    assert run_folder("krig-ppo", latest=True) == RUNS / "krig-ppo-11"
    with pytest.raises(CommandError, match="no runs/chess-N"):
        run_folder("chess", latest=True)


# --- errors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["--nonsense"], "No such option: --nonsense"),
        (["train"], "Missing argument 'GAME'"),
        (["describe", "krik"], "did you mean 'krig'?"),
        (["describe", "krig", "--seats", "3"], "is for 2 seats"),
        (["describe", "kingmaker/krig-v9"], "kingmaker/krig-v0"),
        (["rules", "krig", "KR-9999"], "no rule KR-9999"),
        (["rules", "krig", "xyzzy"], "contains 'xyzzy'"),
        (["play"], "name a GAME"),
        (["play", "krig", "--seat", "2"], "seats are 0..1, not 2"),
        (["play", "krig", "--seed", "x"], "--seed"),
        (["play", "krig", "--seed", "-1"], "a seed is"),
        (["play", "krig", "--opponents", "policy:nowhere.pt"], "no file 'nowhere.pt'"),
        (["play", "krig", "--opponents", "random,random"], "opponents are 1 agent, not 2"),
        (["play", "krig", "--hints", "oracle"], "no agent 'oracle'"),
        (["play", "krig", "--tables", "nowhere.toml"], "cannot read nowhere.toml"),
        (["play", "--resume", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["replay", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["play", "krig", "--log", "no/where.jsonl"], "cannot write no/where.jsonl: there is no folder no"),
        (["play", "krig", "--seat", "0", "--seat", "1", "--opponents", "random"], "leave out --opponents"),
        (["compile", "krig", "--clear"], "leave out the game"),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str) -> None:
    text = run(*arguments, exit_code=2)
    assert text.count("\n") == 1
    assert text.startswith("kingmaker: ")
    assert message in text


def test_debug_shows_the_traceback_and_keeps_the_exit_code() -> None:
    for arguments in (["--debug", "describe", "krik"], ["describe", "krik", "--debug"], ["train", "--debug"]):
        text = run(*arguments, exit_code=2)
        assert text.startswith("Traceback")
        assert text.splitlines()[-1].startswith("kingmaker: ")


@pytest.mark.parametrize(
    ("error", "exit_code", "message"),
    [
        (KeyboardInterrupt(), 130, "kingmaker: interrupted\n"),
        (ModuleNotFoundError("no", name="torch"), 2, "this needs torch: pip install 'kingmaker[train]'"),
        (PermissionError(13, "Permission denied", "/file"), 2, "/file: Permission denied"),
    ],
)
def test_other_failures(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, exit_code: int, message: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(CommandGroup, "invoke", fail)
    assert message in run("list", exit_code=exit_code)


def test_a_bug_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(CommandGroup, "invoke", fail)
    with pytest.raises(ZeroDivisionError):
        CliRunner().invoke(app, ["list"], catch_exceptions=False)


# --- the script -------------------------------------------------------------------------------------------


def test_script_lists_the_games() -> None:
    done = subprocess.run([SCRIPT, "list"], capture_output=True, text=True, timeout=60, check=True)
    assert "kingmaker/krig-v0" in done.stdout
    assert not done.stderr


def test_script_fails_in_one_line() -> None:
    done = subprocess.run([SCRIPT, "describe", "krik"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_light_commands_load_nothing_heavy() -> None:
    code = """
import sys
import kingmaker.cli
before = [name for name in ("typer", "numba", "gymnasium") if name in sys.modules]
from kingmaker.cli.app import app
between = [name for name in ("numba", "gymnasium", "numpy") if name in sys.modules]
try:
    app(["list"])
except SystemExit as leave:
    assert leave.code == 0
after = [name for name in ("torch", "stable_baselines3", "matplotlib") if name in sys.modules]
sys.exit(f"{before} {between} {after}" if before or between or after else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
