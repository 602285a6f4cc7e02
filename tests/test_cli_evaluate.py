"""``kingmaker evaluate``: one agent against the same in all other seats."""

from __future__ import annotations

import json

import pytest
from cli_run import run


def test_an_agent_against_itself_wins_its_share():
    content = json.loads(
        run("evaluate", "krig", "heuristic", "--against", "heuristic", "--games", "400", "--json")
    )
    assert content["par"] == 0.5
    (score,) = content["scores"]
    assert score["games"] == 400
    assert score["low"] < 0.5 < score["high"]


def test_table_and_file(tmp_path):
    out = tmp_path / "scores.json"
    text = run("evaluate", "krig", "heuristic", "random", "--games", "40", "--out", str(out))
    assert "par 50.0 %" in text
    content = json.loads(out.read_text("utf-8"))
    pairs = [(score["agent"], score["opponent"]) for score in content["scores"]]
    assert pairs == [(a, b) for a in ("heuristic", "random") for b in ("random", "heuristic")]
    assert content["command"].startswith("kingmaker evaluate krig heuristic random --games 40")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nobody",), "nobody"),
        (("random", "--seats", "3"), "3"),
        (("random", "--seed", "-1"), "seed"),
        (("random", "--option", "luck=1"), "luck"),
        (("random", "--out", "nowhere/scores.json"), "no folder"),
    ],
)
def test_bad_input(words, message):
    assert message in run("evaluate", "krig", *words, exit_code=2)
