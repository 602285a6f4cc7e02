"""Kernels as compiled, and words in the journal."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from kingmaker.envs.core.kernel import JIT, large_kernel
from kingmaker.envs.core.spec import Event


@large_kernel
def half(number):
    return number / 2


@large_kernel
def halves(small, flag):
    return half(small[0]) + half(7) + half(np.int64(3)) + half(flag)


@pytest.mark.skipif(not JIT, reason="there are no versions of interpreted kernels")
def test_calls_with_integers_share_one_version():
    afresh = numba.njit(halves.py_func)  # what lies in the cache would not call for versions of ``half``
    assert afresh(np.array([5], np.int16), np.bool_(True)) == 8.0
    assert sorted(map(str, half.signatures)) == [f"({numba.types.boolean},)", f"({numba.types.int64},)"]


def test_words_stand_for_numbers():
    event = Event("grows", "seat {seat} grows {a} on {b}", names={"a": ("corn", "hops")})
    assert event.words(2, 1, 5, 0) == "seat 2 grows hops on 5"
