"""Solutions on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from kingmaker.agents.exact import store
from kingmaker.agents.exact.layout import figures_of
from kingmaker.agents.exact.solver import Solution, solve
from kingmaker.envs.core.cache import CACHE_VARIABLE
from kingmaker.envs.core.registry import get_spec

pytestmark = pytest.mark.compiled_only


def tables(**options: int) -> np.ndarray:
    return get_spec("krig_intervention").configure({"hit_points": 2, "tokens": 1, "handicap": 1, **options})[
        0
    ]


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(figures_of(tables()))


def test_what_was_kept_is_mapped_and_alike(solution: Solution, tmp_path: Path) -> None:
    path = store.save_solution(solution, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"{path.stem}.json", path.name]
    again = store.load_solution(solution.figures, tmp_path)
    assert isinstance(again.values, np.memmap)
    assert not again.values.flags.writeable
    np.testing.assert_array_equal(again.values, solution.values)
    assert (again.seconds, again.sweeps, again.memory) == (
        solution.seconds, solution.sweeps, solution.memory,
    )  # fmt: skip


@pytest.mark.parametrize("damage", ["values", "cut", "sidecar", "figures", "shape", "missing", "pickle"])
def test_what_does_not_fit_is_not_loaded(solution: Solution, tmp_path: Path, damage: str) -> None:
    path = store.save_solution(solution, tmp_path)
    sidecar = path.with_suffix(".json")
    facts = json.loads(sidecar.read_text())
    if damage == "values":
        content = bytearray(path.read_bytes())
        content[-3] ^= 1
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-8])
    elif damage == "sidecar":
        sidecar.write_text("{")
    elif damage == "figures":
        sidecar.write_text(json.dumps(facts | {"figures": facts["figures"] | {"tokens": 9}}))
    elif damage == "shape":
        np.save(path, solution.values[:, :1])
        sidecar.write_text(json.dumps(facts | {"sha256": store._hash_of(path)}))
    elif damage == "missing":
        sidecar.unlink()
    else:
        np.save(path, np.array([{}], object), allow_pickle=True)
    assert store.load_solution(solution.figures, tmp_path) is None


def test_it_is_solved_once(tmp_path: Path) -> None:
    started: list[str] = []

    def progress():
        started.append("solving")
        return lambda share: None

    first = store.find_solution(tables(), folder=tmp_path, progress=progress)
    store._loaded.cache_clear()
    second = store.find_solution(tables(), folder=tmp_path, progress=progress)
    assert started == ["solving"]
    np.testing.assert_array_equal(first.values, second.values)


def test_what_does_not_matter_is_not_solved_again() -> None:
    key = store.solution_key(figures_of(tables()))
    assert store.solution_key(figures_of(tables(games=5, handicap=0))) == key
    assert store.solution_key(figures_of(tables(tokens=2))) != key
    assert store.solution_key(figures_of(tables(parry_die=5))) != key


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert store.find_solution(tables(), folder=blocked / "solutions").sweeps > 0


def test_solutions_out_of_use_are_removed(solution: Solution, tmp_path: Path) -> None:
    old = store.save_solution(solution, tmp_path)
    for path in (old, old.with_suffix(".json")):
        path.rename(path.with_stem("krig-old"))
        os.utime(path.with_stem("krig-old"), (0, 0))
    new = store.save_solution(solution, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {new.name, f"{new.stem}.json"}


def test_where_solutions_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    assert store.solutions_folder() == tmp_path / "solutions"
    monkeypatch.delenv(CACHE_VARIABLE)
    assert store.solutions_folder().name == "solutions"
    assert store.solutions_folder().parent.name != "kernels"
