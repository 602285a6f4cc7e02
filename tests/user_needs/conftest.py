"""The games that the tests of ``user-needs.md`` run on: two seats in the open, three with secrets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "stranger"))

import sealed_bids

from kingmaker.envs import KRIG, KRIG_INTERVENTION
from kingmaker.envs.testing import Case

CASES = (
    Case(KRIG, 2),
    Case(KRIG_INTERVENTION, 2),
    Case(sealed_bids.SEALED_BIDS, 3, invariant=sealed_bids.nobody_owes),
)


@pytest.fixture(params=CASES, ids=str)
def case(request):
    return request.param


@pytest.fixture
def bids():
    """The case with three seats, secrets, simultaneous choices, double moves and a limit."""
    return CASES[-1]
