"""A stranger's game passes the conformance suite, and each fault put into it is found by it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from findings import FINDINGS
from sealed_bids import SEALED_BIDS, nobody_owes

from kingmaker.envs import testing

HERE = Path(__file__).parent


@pytest.mark.parametrize("num_players", SEALED_BIDS.seats)
@pytest.mark.parametrize("options", [{}, {"max_rounds": 2}, {"target": 1}], ids=str)
def test_sound(num_players, options):
    testing.check_game(SEALED_BIDS, num_players, options, games=10, invariant=nobody_owes)


@pytest.fixture(scope="session")
def complaints():
    """What each check of ``FINDINGS`` says, found in one interpreted process."""
    paths = os.pathsep.join([str(HERE), *sys.path])
    run = subprocess.run(
        [sys.executable, "-c", "import faulty_bids; faulty_bids.main()"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("number", range(len(FINDINGS)), ids=lambda number: "-".join(FINDINGS[number][:2]))
def test_faults_are_found(complaints, number):
    fault, check, words = FINDINGS[number]
    assert complaints[number] is not None, f"{check} finds nothing wrong with {fault}"
    assert words in complaints[number]
    assert f"stranger/bids_{fault}-v0" in complaints[number]


def test_every_check_can_fail():
    assert {check for _, check, _ in FINDINGS} == {check.__name__ for check in testing.CHECKS}
