"""Tournaments end to end: the same tables whatever happens on the way, and no harm to what is there."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from kingmaker.agents import loader
from kingmaker.agents.base import Agent
from kingmaker.agents.basic import RandomAgent
from kingmaker.benchmarks.tournament import TournamentConfig, TournamentError, run_tournament
from kingmaker.benchmarks.tournament.config import resolve
from kingmaker.benchmarks.tournament.play import ChunkPlayer
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.game import Game

TABLES = ("report.md", "report.json", "report.png", "ratings.csv", "cross_table.csv", "seats.csv")


@pytest.fixture(scope="module")
def sealed_bids():
    """A game of two to four seats with hidden choices, written outside the package."""
    sys.path.insert(0, str(Path(__file__).parent / "stranger"))
    try:
        yield __import__("sealed_bids").SEALED_BIDS
    finally:
        sys.path.pop(0)


def krig(**settings):
    defaults = {"game": "krig", "agents": ["random", "heuristic"], "games": 200, "chunk_games": 30}
    return TournamentConfig(**{**defaults, "seed": 3, "resamples": 50, **settings})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished tournament's directory and report; tests copy what they change."""
    directory = tmp_path_factory.mktemp("finished")
    return directory, run_tournament(krig(), directory)


def lines_of(directory):
    return [json.loads(line) for line in (directory / "results.jsonl").read_text().splitlines()]


def assert_same_tables(one, other):
    for name in TABLES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def add_agent(monkeypatch, name, cls):
    def make(spec, num_players, name, path, seed, tables):
        return cls(spec, num_players, name)

    monkeypatch.setitem(loader.PLAIN, name, make)


# --- games and seeds ----------------------------------------------------------------------------------


def test_results_hold_every_game_with_seats_and_common_seeds(finished):
    header, *games = lines_of(finished[0])
    assert header["game"] == "kingmaker/krig-v0"
    assert sorted(game["game"] for game in games) == list(range(200))
    by_seed = defaultdict(list)
    for game in games:
        assert sorted(game["seats"]) == sorted(header["lineups"][game["lineup"]])
        assert sorted(game["ranks"])[0] == 0
        assert game["decisions"] > 0
        by_seed[game["seed"]].append(tuple(game["seats"]))
    assert len(by_seed) == 100
    both = {("random", "heuristic"), ("heuristic", "random")}
    assert all(set(seats) == both and len(seats) == 2 for seats in by_seed.values())


def test_a_games_seed_starts_that_game():
    player = ChunkPlayer(resolve(krig()))
    seeds = np.array([5, 7, 7])
    batch = player.batch(seeds)
    for row, seed in enumerate(seeds.tolist()):
        game = Game("krig", seed=seed)
        assert game.save() == batch.game(row).save()
        assert game.actor == batch.actors[row]
        np.testing.assert_array_equal(game.observe(), batch.observations[row])
        np.testing.assert_array_equal(game.mask(), batch.masks[row])


def test_options_reach_the_games(tmp_path):
    directory = tmp_path / "options"
    report = run_tournament(krig(options={"max_turns": 1}, games=20), directory)
    assert report.truncated == 20
    assert all(game["truncated"] for game in lines_of(directory)[1:])


def test_data_file_reaches_the_games(tmp_path):
    import kingmaker.envs.krig as krig_module

    text = (Path(krig_module.__file__).parent / "krig.toml").read_text()
    path = tmp_path / "weak.toml"
    assert "hit_points = 20" in text
    path.write_text(text.replace("hit_points = 20", "hit_points = 3"))
    report = run_tournament(krig(tables=str(path), games=20), tmp_path / "out")
    assert report.analysis.value.score.max() <= 3
    assert report.setup.header()["tables"] != resolve(krig()).header()["tables"]


# --- the same tables however it is run ----------------------------------------------------------------


def test_two_processes_give_the_tables_of_one(tmp_path, sealed_bids):
    config = krig(game=sealed_bids.id, num_players=3, agents=["random", "heuristic"], games=120)
    run_tournament(config, tmp_path / "one")
    run_tournament(config, tmp_path / "two", processes=2)
    assert_same_tables(tmp_path / "one", tmp_path / "two")
    assert sorted(map(str, lines_of(tmp_path / "one"))) == sorted(map(str, lines_of(tmp_path / "two")))


@pytest.mark.parametrize("kept", [0.0, 0.02, 0.4, 0.75, 0.999])
def test_a_killed_run_resumes_to_the_same_tables(finished, tmp_path, kept):
    content = (finished[0] / "results.jsonl").read_bytes()
    cut = int(len(content) * kept)
    assert not content[:cut].endswith(b"\n")
    (tmp_path / "results.jsonl").write_bytes(content[:cut])
    run_tournament(krig(), tmp_path)
    assert_same_tables(finished[0], tmp_path)
    assert (tmp_path / "results.jsonl").read_bytes() == content


def test_a_run_cut_between_two_games_of_a_chunk_resumes_to_the_same_tables(finished, tmp_path):
    lines = (finished[0] / "results.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:40]))
    run_tournament(krig(), tmp_path)
    assert_same_tables(finished[0], tmp_path)


def test_a_finished_tournament_is_not_played_again(finished, tmp_path, monkeypatch):
    shutil.copytree(finished[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(ChunkPlayer, "play", lambda self, chunk: pytest.fail("played again"))
    run_tournament(krig(), tmp_path)
    assert_same_tables(finished[0], tmp_path)


def test_global_random_numbers_make_no_difference(finished, tmp_path):
    np.random.seed(1)
    run_tournament(krig(), tmp_path)
    assert_same_tables(finished[0], tmp_path)


def test_another_seed_gives_other_games(finished, tmp_path):
    run_tournament(krig(seed=4), tmp_path)
    seeds = [{game["seed"] for game in lines_of(d)[1:]} for d in (finished[0], tmp_path)]
    assert not seeds[0] & seeds[1]


# --- other results are left alone ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seed": 4}, "seed"),
        ({"games": 400}, "games"),
        ({"agents": ["random", "x=heuristic"]}, "agents"),
        ({"options": {"hit_points": 15}}, "option hit_points was 20"),
        ({"agents": ["random", "heuristic", "x=random"]}, "agents were random, heuristic"),
        ({"chunk_games": 31}, "chunk_games"),
        ({"game": "krig_intervention"}, "game"),
    ],
)
def test_another_tournaments_directory_is_refused_and_kept(finished, change, word):
    before = (finished[0] / "results.jsonl").read_bytes()
    with pytest.raises(TournamentError, match=rf"another tournament's results: {word}.* and (is|are) now"):
        run_tournament(krig(**change), finished[0])
    assert (finished[0] / "results.jsonl").read_bytes() == before


def test_intervals_may_be_computed_anew(finished, tmp_path):
    shutil.copytree(finished[0], tmp_path, dirs_exist_ok=True)
    report = run_tournament(krig(confidence=0.5, resamples=20, command="kingmaker tournament krig"), tmp_path)
    narrow, wide = (a.high.win_share - a.low.win_share for a in (report.analysis, finished[1].analysis))
    assert (narrow < wide).all()
    assert "kingmaker tournament krig" in (tmp_path / "report.md").read_text().splitlines()[:6]


def test_without_resume_results_are_refused_and_kept(finished):
    before = (finished[0] / "results.jsonl").read_bytes()
    with pytest.raises(TournamentError, match="resume it, or use another directory"):
        run_tournament(krig(), finished[0], resume=False)
    assert (finished[0] / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize("content", [b"precious\n", b'{"some": "json"}\n', b"[1]\n"])
def test_a_strange_file_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    with pytest.raises(TournamentError, match="not a tournament's results"):
        run_tournament(krig(), tmp_path)
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_an_error_that_names_the_line(finished, tmp_path):
    lines = (finished[0] / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[10] = b"damaged\n"
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(TournamentError, match="line 11 is damaged"):
        run_tournament(krig(), tmp_path)
    assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranks": [0]}, "ranks and scores are 2 each"),
        ({"ranks": [1, 2]}, "no ranking"),
        ({"ranks": [0, 2]}, "no ranking"),
        ({"ranks": [-1, 0]}, "no ranking"),
        ({"scores": [float("inf"), 0.0]}, "not finite"),
        ({"decisions": 0}, "decisions: input should be greater"),
        ({"seed": 5}, "seed is not the schedule's"),
        ({"block": 7}, "block and line-up are not the schedule's"),
        ({"lineup": 1}, "block and line-up are not the schedule's"),
        ({"seats": ["random", "random"]}, "seats are not the schedule's"),
    ],
)
def test_impossible_lines_are_refused_and_kept(finished, tmp_path, change, message):
    lines = (finished[0] / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[41] = json.dumps({**json.loads(lines[41]), **change}).encode() + b"\n"
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(lines) + b"{")
    with pytest.raises(TournamentError, match=f"line 42 is damaged: .*{message}") as caught:
        run_tournament(krig(), tmp_path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"".join(lines) + b"{"


# --- agents -------------------------------------------------------------------------------------------


class Cheat(RandomAgent):
    """Plays on until game 90 or so, then answers with an action that is not legal."""

    answers = 0

    def _choose(self, observations, action_masks, seats, games):
        actions = super()._choose(observations, action_masks, seats, games)
        Cheat.answers += 1
        return actions if Cheat.answers < 60 else np.argmin(action_masks, axis=1)


class Crash(RandomAgent):
    def _choose(self, observations, action_masks, seats, games):
        raise ZeroDivisionError("no luck")


def test_an_illegal_answer_names_the_agent_and_keeps_finished_games(tmp_path, monkeypatch):
    add_agent(monkeypatch, "cheat", Cheat)
    config = krig(agents=["cheat", "random"])
    with pytest.raises(AgentError, match="cheat answered with the illegal action"):
        run_tournament(config, tmp_path)
    kept = lines_of(tmp_path)[1:]
    assert 0 < len(kept) < 200
    assert len(kept) % 30 == 0
    add_agent(monkeypatch, "cheat", RandomAgent)  # the model is mended: the rest is played
    run_tournament(config, tmp_path)
    assert lines_of(tmp_path)[1 : 1 + len(kept)] == kept
    assert len(lines_of(tmp_path)) == 201


def test_an_agent_that_raises_is_named(tmp_path, monkeypatch):
    add_agent(monkeypatch, "crash", Crash)
    with pytest.raises(AgentError, match="agent 'crash' failed: ZeroDivisionError: no luck"):
        run_tournament(krig(agents=["crash", "random"]), tmp_path)


def test_an_error_in_another_process_arrives_here(tmp_path, monkeypatch):
    add_agent(monkeypatch, "local", RandomAgent)  # in this process alone
    with pytest.raises(AgentError, match="there is no agent 'local'"):
        run_tournament(krig(agents=["local", "random"]), tmp_path, processes=2)
    assert len(lines_of(tmp_path)) == 1


def test_a_changed_file_is_another_agent(tmp_path, monkeypatch):
    path = tmp_path / "policy.pt"
    path.write_bytes(b"1")

    def make(spec, num_players, name, path, seed, tables):
        return RandomAgent(spec, num_players, name)

    monkeypatch.setitem(loader.FROM_FILE, "policy", make)
    config = krig(agents=["random", f"new=policy:{path}"], games=10)
    report = run_tournament(config, tmp_path / "out")
    assert report.labels == ("random", "new")
    path.write_bytes(b"2")
    with pytest.raises(TournamentError, match="agent 'new' has changed"):
        run_tournament(config, tmp_path / "out")


class Looker(Agent):
    """Searches, or so it says: wants games, and checks that they are redealt copies for its seat."""

    uses_games = True
    seen: list[tuple[np.ndarray, ...]] = []  # noqa: RUF012 - emptied by the test

    def _choose(self, observations, action_masks, seats, games):
        assert len(games) == len(observations)
        for row, game in enumerate(games):
            seat = int(seats[row])
            assert game.actor == seat
            np.testing.assert_array_equal(game.observe(seat), observations[row])
            np.testing.assert_array_equal(game.mask(), action_masks[row])
            self.seen.append((observations[row], game.states["chance"].copy()))
            while not game.over:  # playing it on must leave the tournament's game alone
                game.apply(game.legal_actions()[-1])
        return np.argmax(action_masks, axis=1)


def test_searching_agents_get_games_with_other_chance(tmp_path, monkeypatch, sealed_bids):
    add_agent(monkeypatch, "looker", Looker)
    Looker.seen = []
    real = []
    step = BatchGames.step

    def watch(self, actions):
        real.extend(self.states["chance"].tolist())
        step(self, actions)

    monkeypatch.setattr(BatchGames, "step", watch)
    config = krig(game=sealed_bids.id, num_players=3, agents=["looker", "random"], games=18)
    run_tournament(config, tmp_path / "a")
    chances = [tuple(chance[0]) for _, chance in Looker.seen]
    assert len(chances) > 50
    assert not set(chances) & set(real)
    assert len(set(chances)) > 0.9 * len(chances)
    run_tournament(config, tmp_path / "b")
    assert_same_tables(tmp_path / "a", tmp_path / "b")


# --- more seats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "agents"), [(3, 4), (4, 2), (2, 1)])
def test_games_of_more_seats(tmp_path, sealed_bids, seats, agents):
    names = ["random", "a=random", "heuristic", "b=heuristic"][:agents]
    config = krig(game=sealed_bids.id, num_players=seats, agents=names, games=240)
    report = run_tournament(config, tmp_path)
    _, *games = lines_of(tmp_path)
    counts = Counter((agent, seat) for game in games for seat, agent in enumerate(game["seats"]))
    assert len(counts) == agents * seats
    assert len(set(counts.values())) == 1
    a = report.analysis
    assert a.totals.wins.sum() == pytest.approx(len(games))
    if agents > 1:
        assert np.nanmean(a.value.cross) == pytest.approx(0.5)
        assert np.abs(a.value.ratings).max() < 60  # all of them play at random


# --- the report ---------------------------------------------------------------------------------------


def test_heuristic_beats_random_and_random_is_the_anchor(finished):
    a = finished[1].analysis
    assert finished[1].labels == ("random", "heuristic")
    assert a.value.ratings[0] == 0
    assert a.low.ratings[1] > 0
    assert a.value.win_share.sum() == pytest.approx(1)
    assert a.value.cross[1, 0] == a.value.win_share[1]


def test_markdown_begins_with_what_made_it(finished):
    text = (finished[0] / "report.md").read_text()
    start = text[: text.index("## Ratings")]
    for fact in ('"seed": 3', '"games": 200', "kingmaker/krig-v0", "100 seeds", "200 games", "tables `"):
        assert fact in start, fact
    for part in ("## Cross-table", "## Seats", "par 50.0", "report.png"):
        assert part in text, part


def test_files_agree(finished):
    data = json.loads((finished[0] / "report.json").read_text())
    rows = list(csv.DictReader((finished[0] / "ratings.csv").read_text().splitlines()))
    assert [row["agent"] for row in rows] == ["heuristic", "random"]
    assert [float(row["rating"]) for row in rows] == [agent["rating"] for agent in data["agents"]]
    assert data["counts"]["games"] == 200
    assert data["cross_table"][0]["comparisons"] == 200
    assert {row["par"] for row in data["seats"]} == {0.5}
    assert TournamentConfig(**data["config"]) == krig()
    assert (finished[0] / "report.png").read_bytes().startswith(b"\x89PNG")
    assert not list(finished[0].glob("*.part"))


def test_terminal_tables_fit_eighty_columns(finished):
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(finished[1].table(), finished[1].cross_table(), finished[1].seat_table())
    text = console.export_text()
    assert "heuristic" in text
    assert "0 (anchor)" in text


def test_figures_can_be_added(finished, tmp_path):
    shutil.copytree(finished[0], tmp_path, dirs_exist_ok=True)
    report = run_tournament(krig(), tmp_path)
    report.add_column("exploitability", {"random": 0.5}, "what a perfect opponent wins more than its share")
    report.write(tmp_path)
    assert "exploitability" in (tmp_path / "report.md").read_text()
    agents = json.loads((tmp_path / "report.json").read_text())["agents"]
    assert {row["agent"]: row["exploitability"] for row in agents} == {"random": 0.5, "heuristic": None}
    assert "exploitability" in (tmp_path / "ratings.csv").read_text().splitlines()[0]
    with pytest.raises(ValueError, match="'perfect' did not take part"):
        report.add_column("exploitability", {"perfect": 0})


def test_thinking_time_is_kept_apart(finished):
    timing = json.loads((finished[0] / "timing.json").read_text())
    decisions = sum(game["decisions"] for game in lines_of(finished[0])[1:])
    assert sum(row["decisions"] for row in timing.values()) == decisions == finished[1].decisions
    assert all(0 < row["cpu_seconds_per_decision"] < 1 for row in timing.values())


def test_progress_is_shown_on_request(tmp_path):
    console = Console(record=True, force_terminal=True, width=100, file=io.StringIO())
    run_tournament(krig(games=10), tmp_path, console=console)
    assert "10/10" in console.export_text()
