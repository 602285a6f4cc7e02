"""Win rates over a training run, read from what the run left."""

from __future__ import annotations

import json
import sys

import pytest

from kingmaker.benchmarks import run_curves

CONFIG = {"game": "krig", "num_players": 2, "seed": 0}


def run(folder, evaluations):
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG), "utf-8")
    lines = [{"update": 1, "decisions": 10, "seconds": 1.0}]
    for number, rate in enumerate(evaluations, 2):
        score = {"opponent": "random", "games": 100, "win_rate": rate, "low": rate - 0.1, "high": rate + 0.1}
        lines.append(
            {"update": number, "decisions": 10**6 * number, "seconds": 60.0 * number, "scores": [score]}
        )
    (folder / "progress.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def test_table_data_and_plot(tmp_path, monkeypatch):
    folder = run(tmp_path / "run", [0.5, 0.6, 0.75])
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["run_curves", str(folder), "--out", str(out), "--name", "krig"])
    run_curves.main()
    assert "| 4.0 M | 4.0 | 75.0 [65.0, 85.0] |" in (out / "krig.md").read_text("utf-8")
    (content,) = json.loads((out / "krig.json").read_text("utf-8"))
    assert [point["decisions"] for point in content["points"]] == [2_000_000, 3_000_000, 4_000_000]
    assert (out / "krig.png").stat().st_size > 1000


def test_a_long_run_is_thinned_out_and_keeps_its_end(tmp_path):
    grid = run_curves.table(run_curves.read_run(run(tmp_path / "run", [0.5] * 99 + [0.9])))
    assert len(grid.rows) <= run_curves.ROWS + 1
    assert grid.rows[-1][-1] == "90.0 [80.0, 100.0]"


def test_a_directory_without_evaluations_is_refused(tmp_path, monkeypatch, capsys):
    folder = run(tmp_path / "run", [])
    monkeypatch.setattr(sys, "argv", ["run_curves", str(folder), "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit):
        run_curves.main()
    assert "no training run with evaluations" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
