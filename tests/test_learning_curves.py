from __future__ import annotations

import pytest

pytest.importorskip("torch")

from kingmaker.benchmarks.learning_curves import found_curves, main, marks, read_curve, table


def test_marks_double_up_to_the_end() -> None:
    assert marks(64, 4) == [8, 16, 32, 64]


def test_a_run_is_measured_at_its_marks_and_not_repeated(tmp_path) -> None:
    small = ["rollout.games=64", "update.minibatch=512", "network.hidden=[8]", "options.hit_points=20"]
    arguments = {"out": tmp_path, "decisions": 2**16, "points": 2, "seeds": "3", "settings": small}
    main("krig", **arguments)
    path = tmp_path / "curve-krig-3.jsonl"
    first = read_curve(path)
    assert [line["decisions"] for line in first] == [2**15, 2**16]
    assert all(0 < line["exploitability"] < 0.5 for line in first)
    assert all(line["cpu_seconds"] > 0 for line in first)
    before = path.stat().st_mtime_ns
    main("krig", **arguments)
    assert path.stat().st_mtime_ns == before
    assert (tmp_path / "curves.png").stat().st_size > 1000
    assert "| krig | 65,536 |" in table(found_curves(tmp_path))
