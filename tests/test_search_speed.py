"""The report of the search's speed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kingmaker.benchmarks.search_speed import Case, cases, main, measure


def test_cases_cover_the_fewest_and_the_most_seats() -> None:
    assert cases(["krig", "kingsburg"]) == [
        Case("krig", 2, "random"),
        Case("krig", 2, "heuristic"),
        *(Case("kingsburg", seats, playout) for seats in (2, 5) for playout in ("random", "heuristic")),
    ]


def test_the_report(tmp_path: Path) -> None:
    main(["krig"], out=tmp_path, simulations=5, rounds=2)
    told = json.loads((tmp_path / "search_speed.json").read_text())
    assert [len(case["rounds"]) for case in told["cases"]] == [2, 2]
    assert told["cases"][0]["rounds"][0]["simulations"] == 25
    assert "| krig | 2 | random |" in (tmp_path / "search_speed.md").read_text()


@pytest.mark.compiled_only
def test_a_core_simulates_150_000_decisions_a_second_of_kingsburg() -> None:
    rounds = measure(Case("kingsburg", 2, "random"), simulations=200, rounds=3)
    assert max(each.decisions / each.seconds for each in rounds) > 150_000
