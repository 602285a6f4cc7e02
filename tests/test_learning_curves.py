from __future__ import annotations

import pytest
import typer

pytest.importorskip("torch")

from kingmaker.benchmarks.learning_curves import found_curves, main, marks, read_curve, table


def test_marks_double_up_to_the_end() -> None:
    assert marks(64, 4) == [8, 16, 32, 64]


@pytest.mark.parametrize("name", ["krig", "krig_sb3"])
def test_a_run_is_measured_at_its_marks_and_not_repeated(name: str, tmp_path) -> None:
    if name == "krig_sb3":
        pytest.importorskip("sb3_contrib")
    small = ["rollout={games=64, steps=32}", "update.minibatch=512", "network.hidden=[8]"]
    arguments = {"out": tmp_path, "decisions": 2**16, "points": 2, "seeds": "3", "settings": small}
    main(name, **arguments)
    path = tmp_path / f"curve-{name}-3.jsonl"
    first = read_curve(path)
    assert [line["decisions"] for line in first] == [2**15, 2**16]
    assert all(0 < line["exploitability"] < 0.5 for line in first)
    assert all(line["cpu_seconds"] > 0 for line in first)
    assert [line["run"] for line in first] == [name, name]
    before = path.stat().st_mtime_ns
    main(name, **arguments)
    assert path.stat().st_mtime_ns == before
    assert (tmp_path / "curves.png").stat().st_size > 1000
    curves = found_curves(tmp_path)
    assert list(curves) == [name]
    assert f"| {name} | 65,536 |" in table(curves)


def test_only_runs_that_are_known_are_trained(tmp_path) -> None:
    with pytest.raises(typer.BadParameter, match="krig_intervention_sb3"):
        main("chess", out=tmp_path)
