"""The report of the search's speed."""

from __future__ import annotations

import json
from pathlib import Path

from kingmaker.benchmarks import search_reuse
from kingmaker.benchmarks.search_speed import Case, cases, main


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


def test_the_report_of_what_a_kept_tree_would_hold(tmp_path: Path) -> None:
    search_reuse.main(["krig"], out=tmp_path, simulations=20, count=1)
    case = json.loads((tmp_path / "search_reuse.json").read_text())["cases"][0]
    mean, _, found = case["percent"]
    assert 0 < mean < found <= 100
    assert "| krig | 2 |" in (tmp_path / "search_reuse.md").read_text()
