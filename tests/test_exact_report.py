"""The report on perfect play agrees with what was known of it (krig-facts, "Numbers")."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.benchmarks.krig_report import ACTIONS, Solved, best_actions, parried, parry_table, thresholds

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def krig() -> Solved:
    return Solved.of("krig")


@pytest.mark.parametrize(("own", "shield", "highest"), [(20, 0, 3), (20, 8, 2), (3, 0, 4)])
def test_what_is_rightly_parried(krig: Solved, own: int, shield: int, highest: int) -> None:
    right = parried(krig, {"defence": shield}, {})[own - 1, -1]
    assert right.tolist() == [face <= highest for face in range(1, 5)]


def test_charge_opens(krig: Solved) -> None:
    assert ACTIONS[best_actions(krig, {}, {})[-1, -1]] == "charge"


def test_an_active_shield_is_not_rolled_anew(krig: Solved) -> None:
    assert (best_actions(krig, {"defence": 5}, {}) != ACTIONS.index("defend")).all()


def test_thresholds_tell_gaps() -> None:
    faces = np.array([[0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 1, 1]], bool)
    assert thresholds(faces).tolist() == [0, 2, 4, 5]


def test_table_of_parries(krig: Solved) -> None:
    lines = parry_table(krig).splitlines()
    assert lines[2].startswith("| 20 | 1, 2, 3 |")
