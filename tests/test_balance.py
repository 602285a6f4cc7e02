"""``kingmaker balance``: what it counts, and what it refuses."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from cli_run import run

from kingmaker.benchmarks.balance import BalanceConfig, BalanceError, run_balance
from kingmaker.benchmarks.balance.figures import summarise
from kingmaker.benchmarks.balance.sample import Sample, play_sample
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import Tally

# Three games of two seats: a win of each seat and a shared one; seat 0 builds in the first two.
WINS = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
SCORES = np.array([[10.0, 4.0], [6.0, 8.0], [5.0, 5.0]])
HALL = np.array([[[3.0, 7.0], [1.0, 3.0]], [[2.0, 4.0], [0.0, 8.0]], [[0.0, 5.0], [0.0, 5.0]]])


def sample(*tallies: Tally) -> Sample:
    return Sample(WINS, SCORES, np.array([20, 30, 40]), np.array([False, False, False]), tallies)


def test_length_scores_and_seats():
    figures = summarise(sample())
    assert figures["decisions"] == {"mean": 30, "sd": 8.165, "5 %": 21, "median": 30, "95 %": 39}
    assert figures["score"]["mean"] == pytest.approx(38 / 6, abs=1e-4)
    assert figures["winning score"]["mean"] == (10 + 8 + 5 + 5) / 4
    assert [seat["win share"] for seat in figures["seats"]] == [0.5, 0.5]
    assert figures["seats"][0]["low"] < 0.5 < figures["seats"][0]["high"]


def test_parts_of_the_score():
    table = summarise(sample(Tally("points", ("hall", "rest"), HALL, parts=True)))["tallies"][0]
    hall, rest = table["rows"]
    assert hall["mean"] == 1
    assert rest["mean"] == pytest.approx(32 / 6, abs=1e-4)
    assert hall["share"] == pytest.approx(6 / 38, abs=1e-4)
    assert hall["winners' mean"] == 1  # (3 + 0 + a shared win without) / 3
    assert hall["seats with it"] == 0.5
    assert hall["win share with"] == pytest.approx(1 / 3, abs=1e-4)
    assert hall["win share without"] == pytest.approx(2 / 3, abs=1e-4)
    assert rest["win share without"] is None


def test_parts_that_do_not_add_up_are_an_error():
    with pytest.raises(BalanceError, match="points: the parts of a score do not add up"):
        summarise(sample(Tally("points", ("hall", "rest"), HALL + 1, parts=True)))


def test_the_figures_depend_on_seeds_alone():
    config = BalanceConfig(game="krig", agents=("random",), games=60, chunk_games=25)
    one, two = (play_sample(config, get_spec("krig"), 2, "random") for _ in range(2))
    assert (one.scores == two.scores).all()
    assert (one.decisions == two.decisions).all()
    other = play_sample(config.model_copy(update={"seed": 1}), get_spec("krig"), 2, "random")
    assert (one.decisions != other.decisions).any()


def test_truncated_games_have_no_winner():
    config = BalanceConfig(game="krig", agents=("random",), games=20, options={"max_turns": 1})
    figures = run_balance(config).summaries["random"]
    assert figures["truncated"] == 1
    assert figures["winning score"] is None
    assert [seat["win share"] for seat in figures["seats"]] == [0, 0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 1}, "games"),
        ({"agents": ()}, "agents"),
        ({"agents": ("random", "random")}, "given twice"),
        ({"wins": 3}, "wins"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(BalanceError, match=message):
        run_balance(BalanceConfig(**{"game": "krig", "agents": ("random",), "games": 4, **settings}))


def test_command_writes_the_report_and_overwrites_none(tmp_path):
    out = str(tmp_path / "balance")
    words = ["balance", "krig", "random", "--games", "30", "--out", out]
    assert "Win share by seat" in run(*words)
    content = json.loads((tmp_path / "balance" / "balance.json").read_text("utf-8"))
    assert content["figures"]["random"]["games"] == 30
    assert content["agents"][0]["label"] == "random"
    report = (tmp_path / "balance" / "balance.md").read_text("utf-8")
    assert "kingmaker balance krig random --games 30" in report
    assert str(tmp_path) not in report
    assert (tmp_path / "balance" / "balance.png").stat().st_size > 1000
    assert "exists; name another directory" in run(*words, exit_code=2)


def test_tallies_reach_the_report(monkeypatch):
    krig = get_spec("krig")

    def wins(states, num_players, tables):
        return (Tally("games won", ("won",), states["seats"]["wins"][:, :num_players, None]),)

    spec = dataclasses.replace(krig, tallies=wins)
    config = BalanceConfig(game="krig", agents=("random",), games=40, chunk_games=15)
    rows = summarise(play_sample(config, spec, 2, "random"))["tallies"][0]["rows"]
    assert rows[0]["mean"] == 0.5
    assert rows[0]["win share with"] == 1
    assert rows[0]["win share without"] == 0
