"""Zero-sum returns for any ranks, ties, scores and seat counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingmaker.envs.core.contract import HEADER, Rules, bind_rules
from kingmaker.envs.core.kernel import entry, kernel
from kingmaker.envs.core.loops import PLACEMENT, SCORE, WIN, game_returns
from kingmaker.envs.core.record import record_dtype

# A game that is nothing but its result.
RESULT = record_dtype([*HEADER, ("places", "i8", (6,)), ("totals", "f4", (6,))])
TABLES = record_dtype([("nothing", "i4")])


@kernel
def outcome(state, tables, ranks, scores):
    for seat in range(state.num_players):
        ranks[seat] = state.places[seat]
        scores[seat] = state.totals[seat]


@kernel
def nothing(state, tables, mask):
    pass


bind_rules(Rules(nothing, nothing, nothing, nothing, nothing, outcome), RESULT, RESULT, RESULT)
run = entry(game_returns, __file__)


def returns(totals, mode, scale=1.0):
    n = len(totals)
    states = np.zeros(1, RESULT)
    states["num_players"] = n
    states["totals"][0, :n] = totals
    states["places"][0, :n] = [sum(other > own for other in totals) for own in totals]
    ranks, scores, out = np.zeros(n, np.int64), np.zeros(n, np.float32), np.zeros(n, np.float32)
    run(states, np.zeros(1, TABLES), mode, scale, ranks, scores, out)
    return out, ranks


results = st.integers(2, 6).flatmap(lambda n: st.lists(st.integers(0, 6), min_size=n, max_size=n))


@settings(deadline=None, max_examples=300)
@given(results, st.sampled_from([WIN, PLACEMENT, SCORE]), st.sampled_from([1.0, 20.0]))
def test_returns_sum_to_zero_and_follow_the_ranks(totals, mode, scale):
    out, ranks = returns(totals, mode, scale)
    assert abs(out.sum()) < 1e-5
    for one in range(len(totals)):
        for other in range(len(totals)):
            if ranks[one] == ranks[other]:
                assert out[one] == pytest.approx(out[other])
            elif mode != WIN or ranks[one] == 0:
                assert (out[one] > out[other]) == (ranks[one] < ranks[other])
    if mode == WIN:
        assert out.max() <= 1
        assert np.allclose(out[ranks > 0], -1 / (len(totals) - 1))
    if mode == PLACEMENT:
        assert np.abs(out).max() <= 1 + 1e-6


@pytest.mark.parametrize(
    ("totals", "mode", "wanted"),
    [
        ([5, 3], WIN, [1, -1]),
        ([5, 5], WIN, [0, 0]),
        ([1, 4, 2, 3], WIN, [-1 / 3, 1, -1 / 3, -1 / 3]),
        ([4, 4, 1], WIN, [1 / 4, 1 / 4, -1 / 2]),
        ([9, 5, 1], PLACEMENT, [1, 0, -1]),
        ([9, 5, 5], PLACEMENT, [1, -1 / 2, -1 / 2]),
        ([9, 5, 1], SCORE, [4 / 20, 0, -4 / 20]),
    ],
)
def test_returns_are_what_the_docs_say(totals, mode, wanted):
    assert returns(totals, mode, 20.0)[0] == pytest.approx(wanted)
