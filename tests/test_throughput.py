"""The throughput benchmark: what it counts is what was played, and its reports hold what they say."""

from __future__ import annotations

import io
import json
import platform
import sys
from random import Random
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest

import kingmaker.envs  # noqa: F401
from kingmaker.benchmarks.command import command_line
from kingmaker.benchmarks.throughput import (
    ThroughputConfig,
    compare,
    copies,
    ours,
    peers,
    read_report,
    run,
    run_throughput,
    tape_child,
)
from kingmaker.benchmarks.throughput.facts import machine_facts, seat_counts
from kingmaker.benchmarks.throughput.measure import play_rounds, set_up
from kingmaker.benchmarks.throughput.peers.workload import Workload, choose_one
from kingmaker.benchmarks.throughput.report import ReportError, ThroughputReport
from kingmaker.benchmarks.throughput.sections import sections
from kingmaker.benchmarks.throughput.startup import run_start
from kingmaker.envs.core.aec import make_aec_env
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import KingmakerError, OptionError
from kingmaker.envs.core.one_seat import SeatEnv
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.vector import SeatVectorEnv

CASES = [(spec, players) for spec in all_specs("kingmaker") for players in seat_counts(spec)]
cases = pytest.mark.parametrize(
    ("spec", "players"), CASES, ids=lambda value: getattr(value, "name", str(value))
)


def quiet(_: str) -> None:
    pass


# --- counts ---------------------------------------------------------------------------------------------


@cases
def test_aec_count_is_the_number_of_turns_in_the_histories(spec, players, monkeypatch):
    env = make_aec_env(spec, players)
    finished = []
    reset = env.reset
    env.reset(seed=3)
    monkeypatch.setattr(env, "reset", lambda: (finished.append(env.game().moves), reset()))
    burst = ours.play_aec(env, Random(0).random)
    counted = burst() + burst()
    assert counted == sum(finished) + env.game().moves == sum(finished) + len(env._history)
    assert finished or spec.longest(players, env.options) > counted


@cases
def test_batch_count_is_the_number_of_moves(spec, players):
    batch = BatchGames(spec, 8, players, seed=1)
    applied = 0
    step = batch.step

    def counting_step(actions):
        nonlocal applied
        before = batch.states["moves"].copy()
        step(actions)
        applied += int(np.where(batch.dones, 1, batch.states["moves"] - before).sum())
        assert not batch.states["moves"][batch.dones].any()

    batch.step = counting_step
    assert ours.play_batch(batch)() == applied


@cases
@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "gymnasium.make"])
def test_one_seat_count_is_the_number_of_steps(spec, players, wrapped):
    env = gymnasium.make(spec.gym_id, num_players=players) if wrapped else SeatEnv(spec, num_players=players)
    burst = ours.play_seat(env, 5)
    applied = 0
    step = env.step

    def counting_step(action):
        nonlocal applied
        applied += 1
        assert env.unwrapped.games.masks[0, action]
        return step(action)

    env.step = counting_step
    assert burst() == applied


@cases
def test_vector_count_leaves_out_steps_that_only_start_a_game(spec, players):
    env = SeatVectorEnv(spec, 32, num_players=players)
    burst = ours.play_vector(env, 5)
    games, applied, ignored = env.games, 0, 0
    step = games.step

    def counting_step(actions, chosen=None):
        nonlocal applied, ignored
        applied += len(actions)
        ignored += 32 - len(actions)
        step(actions, chosen)

    games.step = counting_step
    assert burst() + burst() + burst() == applied
    assert applied + ignored == 3 * ours.STEPS * 32


@cases
def test_sb3_count_is_the_number_of_steps(spec, players):
    pytest.importorskip("stable_baselines3")
    from kingmaker.training.sb3_vec import SeatVecEnv

    env = SeatVecEnv(spec, 32, num_players=players)
    burst = ours.play_sb3(env, 5)
    applied = 0
    step = env.step_wait

    def counting_step():
        nonlocal applied
        applied += int(env.action_masks()[np.arange(32), env._actions].sum())  # legal ones only
        return step()

    env.step_wait = counting_step
    assert burst() == applied == ours.STEPS * 32


@cases
def test_copies_are_made_of_running_games_and_counted_once_each(spec, players, monkeypatch):
    games = copies.positions(spec, players, 1)
    assert not any(game.over for game in games)
    made = []
    monkeypatch.setattr(type(games[0]), "clone", lambda game: made.append(game))
    assert copies.clone_all(games)() == len(made) == copies.POSITIONS
    monkeypatch.undo()
    batch = copies.played_batch(spec, players, 16, 1)
    before = batch.states.copy()
    assert copies.redeal_batch(batch, 0)() == 16
    assert (batch.states["chance"] != before["chance"]).all()


def test_choice_is_the_same_rule_for_one_game_and_for_rows():
    mask = np.array([0, 1, 0, 1, 1], np.int8)
    assert [choose_one(mask, u) for u in (0.0, 0.34, 0.99)] == [1, 3, 4]
    rows = peers.workload.choose_rows(np.array([mask] * 3), np.array([0.0, 0.34, 0.99], np.float32))
    assert rows.tolist() == [1, 3, 4]


# --- measuring ------------------------------------------------------------------------------------------


def fake(name, make):
    return Workload("Other", name, "api", "no-such-distribution", make)


def test_rounds_are_rotated_and_rates_are_counts_over_seconds():
    order = []

    def make(name):
        def play(seconds):
            order.append(name)
            return 10, 0.5

        return lambda seed: play

    ready, failures = set_up([fake(n, make(n)) for n in "abc"], 0, 60, quiet)
    order.clear()
    rates, more = play_rounds(ready, 3, 0.1, quiet)
    assert "".join(order) == "abcbcacab"
    assert not failures + more
    assert all(rate.rates == [20.0] * 3 and rate.median == 20.0 for rate in rates)


def test_a_broken_peer_is_reported_and_the_rest_goes_on():
    def broken_make(seed):
        raise ImportError("no module\nnamed x")

    def make_that_breaks_later(seed):
        calls = iter([(1, 1.0), (1, 1.0)])
        return lambda seconds: next(calls)

    works = [fake("broken", broken_make), fake("later", make_that_breaks_later)]
    works.append(fake("fine", lambda seed: lambda seconds: (1, 1.0)))
    ready, failures = set_up(works, 0, 60, quiet)
    rates, more = play_rounds(ready, 2, 0.1, quiet)
    assert [(f.name, f.reason) for f in failures] == [("broken", "ImportError: no module named x")]
    assert [f.name for f in more] == ["later"]
    assert [rate.name for rate in rates] == ["fine"]


def test_peers_are_left_out_when_time_is_up_and_ours_never():
    work = run.our_workloads([get_spec("krig")])[0]
    other = fake("late", lambda seed: lambda seconds: (1, 1.0))
    ready, failures = set_up([work, other], 0, 0, quiet)
    assert [c.workload for c in ready] == [work]
    assert "no time left" in failures[0].reason


def test_every_game_is_measured_through_every_interface():
    found = run.our_workloads(all_specs("kingmaker"))
    assert len({(w.name, w.api) for w in found}) == len(found)
    for spec, players in CASES:
        apis = {w.api for w in found if (w.game, w.players) == (spec.id, players)}
        assert {ours.AEC_ENV, ours.AEC_RAW, ours.SEAT_DIRECT, ours.SEAT_GYMNASIUM, ours.VECTOR} <= apis
        assert {ours.batch_api(t, n) for t in (1, 2) for n in (ours.BATCH, ours.LARGE_BATCH)} <= apis
        assert {copies.CLONE, copies.REDEALT, copies.BATCH_REDEAL} <= apis


# --- a whole run ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("throughput")
    config = ThroughputConfig.of(
        quick=True, games=("krig",), peers=False, rounds=2, seconds=0.002, starts=0, seed=7
    )
    peer = fake("toy", lambda seed: lambda seconds: (1000, 0.01))
    patch = pytest.MonkeyPatch()
    patch.setattr(run.peers, "installed", lambda: [peer])
    try:
        report = run_throughput(config.model_copy(update={"peers": True}), folder)
    finally:
        patch.undo()
    return report, folder


def test_report_is_written_whole_and_read_back(small_run):
    report, folder = small_run
    assert sorted(path.name for path in folder.iterdir()) == sorted(run.FILES)
    assert read_report(folder / "throughput.json") == report
    assert (folder / "throughput.png").read_bytes().startswith(b"\x89PNG")
    markdown = (folder / "throughput.md").read_text("utf-8")
    assert report.machine.cpu in markdown
    for rate in report.rates:
        assert f"| {rate.library} | {rate.name} | {rate.api} |" in markdown


def test_report_says_what_was_measured(small_run):
    report, _ = small_run
    assert not report.failures
    spec = get_spec("krig")
    size = report.sizes[0]
    assert (size.state, size.tables) == (spec.state_dtype.itemsize, spec.tables_dtype.itemsize)
    assert size.tape < size.tables
    titles = [section.title for section in sections(report)]
    assert titles[:2] == ["Rates a second", "Ours over theirs"]
    assert all(len(row) == len(section.columns) for section in sections(report) for row in section.rows)
    batch = next(r for r in report.ratios if r.api == ours.batch_api(1, ours.BATCH))
    rate = next(r for r in report.rates if r.api == batch.api)
    assert batch.rounds == pytest.approx([r / 100_000 for r in rate.rates])


def test_terminal_shows_the_report(small_run):
    from rich.console import Console

    console = Console(width=200, file=io.StringIO())
    console.print(small_run[0].table())
    assert "BatchGames, 1 thread" in console.file.getvalue()


def test_compare_takes_the_machines_drift_out(small_run):
    _, folder = small_run
    slower = json.loads((folder / "throughput.json").read_text())
    for rate in slower["rates"]:
        factor = 2.0 if rate["game"] is None else 8.0 if rate["api"] == ours.AEC_ENV else 2.0
        rate["seconds"] = [s * factor for s in rate["seconds"]]
    found = compare(folder / "throughput.json", ThroughputReport.model_validate(slower))
    assert found.same_machine
    assert found.drift == pytest.approx(0.5)
    assert [change.api for change in found.alarms] == [ours.AEC_ENV]
    assert found.changes[0].ratio == pytest.approx(0.25)
    assert all(change.ratio == pytest.approx(1.0) for change in found.changes[1:])


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"format": 2}', "not json"],
)
def test_a_file_that_is_no_report_is_refused(tmp_path, content):
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(ReportError, match=r"report\.json is no throughput report"):
        read_report(path)


def test_impossible_reports_are_refused(small_run, tmp_path):
    data = small_run[0].model_dump(mode="json")
    data["rates"][0]["counts"].append(1)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ReportError, match="as many counts"):
        read_report(path)
    with pytest.raises(ReportError, match="cannot read"):
        read_report(tmp_path / "none.json")
    with pytest.raises(OptionError, match="alarm"):
        compare(small_run[0], small_run[0], alarm=1.5)


def test_command_names_no_places(monkeypatch):
    words = ["kingmaker", "bench", "--out", "/home/me", "--quick", "--out=x", "--processes", "2", "--resume"]
    assert command_line(words) == "kingmaker bench --quick"
    monkeypatch.setattr("sys.argv", ["/some/where/bin/kingmaker", "bench"])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    assert command_line() == "kingmaker bench"
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", SimpleNamespace(name="kingmaker.tool.__main__"))
    assert command_line() == "python -m kingmaker.tool bench"
    assert machine_facts().system == f"{platform.system()} {platform.machine()}"


# --- settings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": ["krigg"]}, "did you mean 'krig'"),
        ({"rounds": 0}, "rounds"),
        ({"secnds": 1}, "secnds"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_settings_are_explained(settings, message):
    with pytest.raises(KingmakerError, match=message):
        ThroughputConfig.of(**settings)


def test_quick_run_fits_into_its_minute():
    quick = ThroughputConfig.of(quick=True)
    assert not quick.cold
    assert not quick.tape
    for workloads in (20, 60, 200):
        assert workloads * quick.rounds * quick.measurement_seconds(workloads) <= quick.play_seconds + 1e-9
    assert quick.play_seconds + quick.setup_seconds <= 30
    assert ThroughputConfig.of(quick=True, rounds=5).rounds == 5


def test_games_named_twice_are_measured_once():
    assert ThroughputConfig.of(games=("krig", "kingmaker/krig-v0")).specs() == (get_spec("krig"),)


# --- processes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("api", ["aec", "batch"])
def test_start_is_timed_in_a_fresh_process(api):
    inside, wall = run_start(get_spec("krig"), 2, api)
    assert 0 < inside < wall


def test_start_that_fails_says_why(monkeypatch):
    from kingmaker.benchmarks.throughput import startup

    monkeypatch.setattr(startup, "PROGRAM", "raise SystemExit('broken')")
    with pytest.raises(ReportError, match="broken"):
        run_start(get_spec("krig"), 2, "aec")


def test_hooks_are_taken_out_wherever_rules_look_them_up(monkeypatch):
    import sys

    from kingmaker.envs.core import chance, tape

    note, draw = tape.note, chance.draw
    changed = []
    monkeypatch.setattr(tape_child, "setattr", lambda *change: changed.append(change), raising=False)
    tape_child.remove_hooks()
    names = {(module.__name__, name) for module, name, _ in changed}
    holders = {
        (module.__name__, name)
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("kingmaker.envs")
        for name, value in vars(module).items()
        if value is note or value is draw
    }
    assert holders <= names
    assert ("kingmaker.envs.core.chance", "draw") in names
    assert any(module == "kingmaker.envs.krig.rules" for module, _ in names)


def test_hook_processes_are_checked_before_they_are_timed():
    from kingmaker.benchmarks.throughput.tape_cost import check_portraits

    good = {"digest": "a", "journal": 5}
    check_portraits(good, {"digest": "a", "journal": 0})
    with pytest.raises(ReportError, match="different games"):
        check_portraits(good, {"digest": "b", "journal": 0})
    with pytest.raises(ReportError, match="hooks"):
        check_portraits(good, good)
