"""Leaderboards end to end: the same whatever happens on the way, and everything on the page."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

import pytest
from cli_run import run

from kingmaker.agents import loader
from kingmaker.agents.basic import RandomAgent
from kingmaker.benchmarks.leaderboard import LeaderboardError, choose, read_plan, run_leaderboard
from kingmaker.benchmarks.leaderboard.run import forecast, write_page
from kingmaker.benchmarks.tournament import TournamentError
from kingmaker.benchmarks.tournament.config import resolve
from kingmaker.benchmarks.tournament.estimate import _positions
from kingmaker.benchmarks.tournament.play import ChunkPlayer
from kingmaker.cli.errors import EXIT_ERROR

pytestmark = pytest.mark.compiled_only  # exact values of Krig are computed by compiled rules alone

GAMES = 48  # 4 seeds of Krig, 6 line-ups, 2 rotations
TEXT = """
[defaults]
agents = ["random", "heuristic", "ismcts:4", "sb3=sb3:nowhere/{game}.zip"]
seeds = 4
seed = 5
chunk_games = 10
max_lineups = 10
resamples = 20

[[override]]
seats = [3]
seeds = 16

[[override]]
game = "krig"
agents = ["random", "exact", "heuristic", "ismcts:4"]
options = {hit_points = 4}
"""


@pytest.fixture(scope="module")
def sealed_bids():
    """A game of two to four seats with hidden choices, written outside the package."""
    sys.path.insert(0, str(Path(__file__).parent / "stranger"))
    try:
        yield __import__("sealed_bids").SEALED_BIDS
    finally:
        sys.path.pop(0)


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "plan.toml"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture(scope="module")
def entries(plan, sealed_bids):
    chosen = read_plan(plan)
    return [*choose(chosen, ["krig"], command="the command"), *choose(chosen, [sealed_bids.id], [3])]


@pytest.fixture(scope="module")
def finished(entries, tmp_path_factory):
    """A finished leaderboard's folder and records; tests copy what they change."""
    folder = tmp_path_factory.mktemp("finished")
    return folder, run_leaderboard(entries, folder)


def untimed(folder):
    """Return what a leaderboard's data say but for times, which no two runs share."""
    records = json.loads((folder / "leaderboard" / "leaderboard.json").read_text("utf-8"))
    return [{key: value for key, value in r.items() if not key.startswith("cpu")} for r in records]


def copy_of(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


# --- the page ---------------------------------------------------------------------------------------------


def test_the_page_has_all_tables_and_pictures(finished):
    folder, records = finished
    page = (folder / "leaderboard.md").read_text("utf-8")
    heads = [line for line in page.splitlines() if line.startswith("#")]
    assert heads == [
        "# Leaderboard",
        "## Skill, seat and luck",
        *(f"## {record['title']}" for record in records),
        "## How to read this",
    ]
    assert page.count("| agent | rating | win share, % | CPU ms a move |") == 2
    assert "| above | " in page
    assert "|  | seat 0 | seat 1 | seat 2 |" in page
    assert "| game | skill | seat | seat by agent | deal | chance |" in page
    assert "Made by `the command`." in page
    assert 'options `{"hit_points": 4}`' in page
    assert "Not in the field: `sb3` (there is no file nowhere/sealed_bids.zip)." in page
    pictures = [part.partition(")")[0] for part in page.split("](")[1:]]
    assert pictures == ["leaderboard/shares.png", "leaderboard/krig-2.png", "leaderboard/sealed_bids-3.png"]
    assert all((folder / picture).read_bytes().startswith(b"\x89PNG") for picture in pictures)


def test_the_overview_is_blank_where_an_agent_does_not_play(finished):
    page = (finished[0] / "leaderboard.md").read_text("utf-8")
    rows = {line.split(" | ")[0].strip("| "): line for line in page.splitlines()[4:10]}
    assert rows["random"] == "| random | 0 | 0 |"
    assert rows["exact"].endswith("|  |")


def test_krig_tells_exact_exploitability(finished):
    krig, other = finished[1]
    found = {row["agent"]: row["exploitability"] for row in krig["result"]["agents"]}
    assert found["exact"] == 0
    assert found["random"] > 0
    assert found["heuristic"] > 0
    assert found["ismcts:4"] is None
    page = (finished[0] / "leaderboard.md").read_text("utf-8")
    assert f"{found['random']:.4g} |" in page
    assert other["result"]["columns"] == []


def test_every_lineup_plays_every_seed_from_every_seat(finished):
    for name in ("krig-2", "sealed_bids-3"):
        header, *games = map(json.loads, (finished[0] / name / "results.jsonl").read_text().splitlines())
        seats = header["num_players"]
        turns = {(g["seed"], g["lineup"], seat, g["seats"][seat]) for g in games for seat in range(seats)}
        assert len({g["seed"] for g in games}) * len(header["lineups"]) * seats**2 == len(turns)


def test_shares_and_times_are_there_for_every_table(finished):
    krig, other = finished[1]
    assert list(krig["shares"]) == ["all agents", "without random"]
    assert list(other["shares"]) == ["all agents"]  # three agents at three seats: random always plays
    for record in finished[1]:
        for shares in record["shares"].values():
            parts = [shares[part]["share"] for part in ("skill", "seat", "seat by agent", "deal", "chance")]
            assert sum(parts) == pytest.approx(1, abs=1e-5)
        assert all(seconds > 0 for seconds in record["cpu_seconds_per_decision"].values())


def test_a_page_may_lie_elsewhere_with_all_it_needs(finished, tmp_path):
    page = tmp_path / "results.md"
    write_page(finished[0], page)
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [
        "krig-2.png",
        "leaderboard.json",
        "sealed_bids-3.png",
        "shares.png",
    ]
    own = (finished[0] / "leaderboard.md").read_text("utf-8")
    assert page.read_text("utf-8") == own.replace("(leaderboard/", "(results/")


# --- the same however it is run ---------------------------------------------------------------------------


def test_two_processes_give_the_leaderboard_of_one(finished, entries, tmp_path):
    run_leaderboard(entries[:1], tmp_path, processes=2)
    assert untimed(tmp_path) == untimed(finished[0])[:1]


def test_a_killed_run_goes_on_to_the_same_leaderboard(finished, entries, tmp_path, monkeypatch):
    """Killed in the second table: neither the first nor what there is of the second is played again."""
    play, played = ChunkPlayer.play, []

    def until_killed(self, chunk):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append((self.setup.spec.name, chunk))
        return play(self, chunk)

    monkeypatch.setattr(ChunkPlayer, "play", until_killed)
    with pytest.raises(KeyboardInterrupt):
        run_leaderboard(entries, tmp_path)
    assert [record["title"] for record in untimed(tmp_path)] == ["Krig, 2 seats"]
    before, played[:] = list(played), []
    monkeypatch.setattr(ChunkPlayer, "play", lambda self, chunk: played.append(chunk) or play(self, chunk))
    run_leaderboard(entries, tmp_path)
    assert [game for game, _ in before] == ["krig"] * 5 + ["sealed_bids"] * 2
    assert played == [2, 3, 4]
    assert untimed(tmp_path) == untimed(finished[0])


def test_another_seed_gives_another_leaderboard(finished, plan, tmp_path):
    other = plan.with_name("other.toml")
    other.write_text(plan.read_text("utf-8").replace("seed = 5", "seed = 6"), "utf-8")
    run_leaderboard(choose(read_plan(other), ["krig"]), tmp_path)
    one, two = (untimed(folder)[0]["result"]["cross_table"] for folder in (finished[0], tmp_path))
    assert one != two


def test_another_plans_folder_is_refused_and_kept(finished, plan, tmp_path):
    folder = copy_of(finished[0], tmp_path)
    before = (folder / "krig-2" / "results.jsonl").read_bytes()
    for call in (lambda e: run_leaderboard([e], folder), lambda e: forecast(e, folder)):
        with pytest.raises(TournamentError, match="games was 48 and is now 96"):
            call(choose(read_plan(plan), ["krig"], num_seeds=8)[0])
    assert (folder / "krig-2" / "results.jsonl").read_bytes() == before


def test_tables_played_before_stay_on_the_page(finished, entries, tmp_path):
    run_leaderboard(entries[1:], tmp_path)
    run_leaderboard(entries[:1], tmp_path)
    assert untimed(tmp_path) == untimed(finished[0])


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"kingmaker_leaderboard": 0}'])
def test_a_strange_table_is_an_error_before_anything_is_played(entries, tmp_path, content):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "table.json").write_text(content)
    with pytest.raises(LeaderboardError, match="not a leaderboard's table"):
        run_leaderboard(entries, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]


# --- how long it takes ------------------------------------------------------------------------------------

BURN = 0.005


class Slow(RandomAgent):
    """Thinks for ``BURN`` seconds a decision."""

    def _choose(self, observations, action_masks, seats, games):
        end = time.process_time() + BURN * len(observations)
        while time.process_time() < end:
            pass
        return super()._choose(observations, action_masks, seats, games)


class SlowSearch(Slow):
    uses_games = True


@pytest.mark.parametrize("cls", [Slow, SlowSearch])
def test_the_forecast_is_about_the_time_it_takes(tmp_path, monkeypatch, cls):
    def make(spec, num_players, name, path, seed, tables):
        return cls(spec, num_players, name)

    monkeypatch.setitem(loader.PLAIN, "slow", make)
    text = TEXT.replace('"ismcts:4", "sb3=sb3:nowhere/{game}.zip"', '"slow"').partition("[[override]]")[0]
    text += "options = {hit_points = 6}\n"
    (tmp_path / "plan.toml").write_text(text, "utf-8")
    [entry] = choose(read_plan(tmp_path / "plan.toml"), ["krig"])
    found = forecast(entry, tmp_path)
    assert found.games == 24  # 4 seeds, 3 line-ups, 2 rotations
    assert not (tmp_path / "krig-2").exists()
    run_leaderboard([entry], tmp_path)
    timing = json.loads((tmp_path / "krig-2" / "timing.json").read_text())
    taken = sum(times["cpu_seconds"] for times in timing.values())
    assert taken / 2 < found.seconds < 2 * taken
    assert forecast(entry, tmp_path).games == 0


def test_a_forecast_counts_what_was_played(finished, entries, tmp_path):
    folder = copy_of(finished[0], tmp_path)
    results = folder / "krig-2" / "results.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:21]))  # the header and two chunks
    found = forecast(entries[0], folder)
    assert found.games == GAMES - 20
    assert found.seconds > 0


def test_a_forecast_finds_positions_where_games_are_over_early(plan, tmp_path):
    """Random games may end long before half the moves of the games that tell the length."""
    [entry] = choose(read_plan(plan), ["krig"])
    batch, rows = _positions(ChunkPlayer(resolve(entry.config)), 1000)
    assert len(rows)
    assert (batch.actors[rows] >= 0).all()


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_estimates_and_plays(plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ["leaderboard", "krig", "--plan", str(plan), "--seeds", "2"]
    assert run(*given, "--estimate") == ""
    assert list(tmp_path.iterdir()) == []
    text = run(*given, "--page", "board.md")
    assert "Krig, 2 seats: ratings, random = 0" in text
    assert "Share of the variance of winning, %" in text
    assert text.rstrip().endswith("Leaderboard: board.md")
    page = Path("board.md").read_text("utf-8")
    assert "24 games" in page
    assert f"kingmaker leaderboard krig --plan {plan} --seeds 2 --page board.md" in page
    assert (tmp_path / "runs" / "leaderboard" / "krig-2" / "results.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--page", "board.txt"], "--page is a Markdown file"),
        (["--page", "nowhere/board.md"], "there is no folder nowhere"),
        (["--plan", "none.toml"], "cannot read none.toml"),
        (["--seats", "9"], "krig is for 2 seats"),
    ],
)
def test_the_command_says_what_is_wrong(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert words in run("leaderboard", "krig", *arguments, exit_code=EXIT_ERROR)
    assert list(tmp_path.iterdir()) == []
