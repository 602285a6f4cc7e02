from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from kingmaker.benchmarks.training_speed import DEFAULTS, Case, cases, markdown, measure


@pytest.mark.parametrize("trainer", ["torch PPO", "MaskablePPO", DEFAULTS])
def test_a_case_counts_the_decisions_of_its_run(trainer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = ["rollout.games=64", "update.minibatch=512", "network.hidden=[8]"]
    settings = Case.settings
    monkeypatch.setattr(Case, "settings", lambda case, seconds: settings(case, seconds) + small)
    case = Case("krig", trainer, 1)
    found = measure([case], 1.0, 2)
    assert len(found[case]) == 2
    assert all(rate > 0 for rate in found[case])
    assert "| krig |" in markdown(found, {"seconds": 1.0})


def test_every_game_meets_every_trainer() -> None:
    assert len(set(cases())) == 12
