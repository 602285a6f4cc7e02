"""Linked kernels: loops call them by name, find them again in another process, and pass errors on."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numba
import pytest
from numba import types

from kingmaker.envs.core import loops
from kingmaker.envs.core.contract import CONTRACT
from kingmaker.envs.core.linking import Link, called_in

CALLS = {
    "take_turn": {"apply", "legal", "observe"},
    "batch_step": {"reset", "legal", "apply", "observe", "outcome"},
    "batch_heuristic": {"heuristic"},
    "seats_step": {"apply", "legal", "observe", "heuristic"},
    "redeal_game": {"redeal"},
    "batch_random": set(),
}
PLAY = """
from kingmaker.envs.core.game import Game
game = Game("kingsburg", seed=1)
while not game.over:
    game.apply(int(game.mask().nonzero()[0][0]))
print(game.returns("score"))
"""


@numba.njit
def halve(number):
    if number % 2:
        raise ValueError("odd")
    return number // 2


def linked(symbol: str) -> Link:
    """Return a link of ``halve``."""
    return Link(halve, (types.int64,), symbol)


def caller(link: Link) -> Any:
    """Return a compiled function that calls a linked kernel."""
    call = link.call

    @numba.njit
    def run(number):
        return call((number,)) + 1

    return run


@pytest.mark.parametrize("loop", CALLS)
def test_what_a_loop_calls_is_found(loop: str) -> None:
    assert called_in(getattr(loops, loop), CONTRACT) == CALLS[loop]


@pytest.mark.compiled_only
def test_a_linked_kernel_is_called_and_its_errors_reach_python() -> None:
    link = linked("test:halve")
    link.load()
    run = caller(link)
    assert run(8) == 5
    with pytest.raises(ValueError, match="odd"):
        run(7)


@pytest.mark.compiled_only
def test_a_loop_that_hides_a_call_is_refused() -> None:
    with pytest.raises(RuntimeError, match="test:unseen is called by a loop"):
        caller(linked("test:unseen"))(8)


@pytest.mark.compiled_only
def test_loops_on_disk_find_their_kernels_in_another_process() -> None:
    said = {subprocess.check_output([sys.executable, "-c", PLAY], text=True) for _ in range(2)}
    assert len(said) == 1
