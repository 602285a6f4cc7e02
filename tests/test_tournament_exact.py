"""Exact values in tournaments of Krig: the columns, and that what is played agrees with what is computed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from kingmaker.agents import loader
from kingmaker.agents.base import Agent
from kingmaker.benchmarks.tournament import TournamentConfig, TournamentError, run_tournament
from kingmaker.benchmarks.tournament.exact import EXPLOITABILITY, SHARE, add_exact_values
from kingmaker.cli.app import app
from kingmaker.cli.errors import EXIT_ERROR

pytestmark = pytest.mark.compiled_only

GAMES = 4000
FIELDS = {
    "krig": {"options": {"hit_points": 12}, "agents": ["random", "heuristic", "exact"]},
    "krig_intervention": {
        "options": {"games": 1, "hit_points": 3, "tokens": 1, "handicap": 1},
        "agents": ["random", "heuristic"],
    },
}


def finished(directory, game, **settings):
    config = TournamentConfig(
        game=game, seed=1, resamples=100, **{"games": GAMES, **FIELDS[game], **settings}
    )
    report = run_tournament(config, directory)
    add_exact_values(report)
    return report


@pytest.fixture(scope="module", params=FIELDS)
def report(request, tmp_path_factory):
    """A tournament of a game, with its exact values."""
    return finished(tmp_path_factory.mktemp("exact"), request.param)


def column(report, name):
    values = next(column.values for column in report.columns if column.name == name)
    return np.array([values[label] for label in report.labels])


def test_win_shares_agree_with_the_exact_ones(report):
    exact = column(report, SHARE) / 100
    # The two games on a seed, seats swapped, share their luck: at worst they count as one.
    games = report.analysis.totals.games.sum(axis=1) / 2
    errors = np.sqrt(exact * (1 - exact) / games)
    assert (np.abs(report.analysis.value.win_share - exact) < 4 * errors).all()
    assert exact.mean() == pytest.approx(0.5)


def test_ratings_tell_the_exact_win_shares(report):
    """What ratings predict against the whole field is the share that was won, close to the exact one."""
    odds = 10 ** (report.analysis.value.ratings / 400)
    count = len(odds)
    predicted = ((odds[:, None] / (odds[:, None] + odds)).sum(axis=1) - 0.5) / (count - 1)
    games = report.analysis.totals.games.sum(axis=1).min() / 2
    assert np.abs(predicted - column(report, SHARE) / 100).max() < 4 * math.sqrt(0.25 / games)


def test_exploitability_is_that_of_the_command(report):
    found = dict(zip(report.labels, column(report, EXPLOITABILITY), strict=True))
    options = [part for name, value in report.setup.options.items() for part in ("-o", f"{name}={value}")]
    command = ["exploitability", report.setup.spec.name, "heuristic", *options, "--games", "10", "--json"]
    told = json.loads(CliRunner().invoke(app, command).stdout)
    assert found["heuristic"] == pytest.approx(told["exploitability"], abs=1e-6)
    assert found.get("exact", 0) == 0


class Silent(Agent):
    """Plays at random and does not say how."""

    def seed(self, seed):
        self.rng = np.random.default_rng(seed)

    def _choose(self, observations, action_masks, seats, games):
        return (action_masks * self.rng.random(action_masks.shape)).argmax(axis=1)


def test_an_agent_that_tells_nothing_leaves_blanks(monkeypatch, tmp_path):
    def make(spec, num_players, name, path, seed, tables):
        agent = Silent(spec, num_players, name)
        agent.seed(seed or 0)
        return agent

    monkeypatch.setitem(loader.PLAIN, "silent", make)
    report = finished(tmp_path, "krig", agents=["random", "silent"], games=20)
    assert [column.name for column in report.columns] == [EXPLOITABILITY]
    assert set(report.columns[0].values) == {"random"}


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [("krig_intervention", {"hit_points": 3}, "not matches"), ("krig", {"max_turns": 3}, "limit on turns")],
)
def test_values_that_are_not_known_are_refused(tmp_path, game, options, words):
    with pytest.raises(TournamentError, match=words):
        finished(tmp_path, game, options=options, agents=["random", "heuristic"], games=10)


# --- command ----------------------------------------------------------------------------------------------


def run(*arguments, exit_code=0):
    result = CliRunner().invoke(app, ["tournament", *arguments])
    assert result.exit_code == exit_code, result.output
    return result.stdout if exit_code == 0 else result.stderr


def test_the_command_shows_them_where_they_are_quick(tmp_path):
    played = ("random", "heuristic", "-o", "hit_points=4", "--games", "20", "--out")
    assert EXPLOITABILITY in run("krig", *played, str(tmp_path / "one"))
    assert f"| {SHARE} | {EXPLOITABILITY} |" in (tmp_path / "one" / "report.md").read_text()
    assert EXPLOITABILITY not in run("krig", *played, str(tmp_path / "two"), "--no-exact")


def test_the_command_says_why_they_are_not_known(tmp_path):
    text = run("krig_intervention", "random", "--exact", "--out", str(tmp_path / "out"), exit_code=EXIT_ERROR)
    assert "only single games are solved" in text
    assert not (tmp_path / "out").exists()
