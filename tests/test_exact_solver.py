"""The solution of Krig: known values, symmetry, the match, limits."""

from __future__ import annotations

import time

import numpy as np
import pytest

from kingmaker.agents.exact.layout import Figures, figures_of, memory_needed
from kingmaker.agents.exact.solver import Solution, diagonals, match_value, solve
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.registry import get_spec

pytestmark = pytest.mark.compiled_only


def figures(game: str, **options: int | bool) -> Figures:
    return figures_of(get_spec(game).configure(options)[0])


@pytest.fixture(scope="module")
def base() -> Solution:
    return solve(figures("krig"))


def processor_time(fig: Figures) -> float:
    """Return what solving takes once compiled; wall time would be at the mercy of what else runs."""
    begin = time.process_time()
    solve(fig)
    return time.process_time() - begin


@pytest.mark.parametrize(("first", "wins"), [(20, 0.567), (19, 0.526), (18, 0.483)])
def test_values_of_the_base_game(base: Solution, first: int, wins: float) -> None:
    assert base.start(first, 20) == pytest.approx(wins, abs=5e-4)


def test_the_base_game_takes_at_most_five_seconds(base: Solution) -> None:
    assert processor_time(base.figures) <= 5
    assert base.memory <= 2**30


@pytest.mark.parametrize(("first", "wins"), [(20, 0.566), (18, 0.483)])
def test_values_with_perfect_parry_and_guard_break_alone(first: int, wins: float) -> None:
    solution = _duel()
    assert solution.start(first, 20) == pytest.approx(wins, abs=6e-4)


def test_a_single_game_of_the_expansion() -> None:
    solution = solve(figures("krig_intervention"))
    assert solution.seconds <= 300
    assert solution.memory <= 2**30
    assert [solution.start(18, 20, tokens) for tokens in range(4)] == pytest.approx(
        [0.482854, 0.483164, 0.483374, 0.483667], abs=1e-6
    )


_kept: list[Solution] = []


def _duel() -> Solution:
    if not _kept:
        _kept.append(solve(figures("krig_intervention", tokens=0)))
    return _kept[0]


def test_seats_are_alike() -> None:
    values = solve(figures("krig_intervention", hit_points=3, tokens=1)).values
    np.testing.assert_allclose(values[1], 1 - values[0].transpose(1, 0, 3, 2, 4), atol=1e-10)
    assert ((values >= 0) & (values <= 1)).all()


def test_threads_do_not_change_a_value() -> None:
    fig = figures("krig_intervention", hit_points=4, tokens=1)
    np.testing.assert_array_equal(solve(fig, threads=1).values, solve(fig, threads=3).values)


def test_more_hit_points_and_tokens_never_hurt() -> None:
    fig = figures("krig_intervention", hit_points=4, tokens=2)
    values = solve(fig).values[0]
    assert (np.diff(values, axis=0) >= -1e-9).all()
    assert (np.diff(values, axis=1) <= 1e-9).all()
    assert (np.diff(values, axis=2) >= -1e-9).all()
    assert (np.diff(values, axis=3) <= 1e-9).all()


def test_fewer_tokens_are_part_of_a_solution() -> None:
    few = solve(figures("krig_intervention", hit_points=3, tokens=1)).values
    many = solve(figures("krig_intervention", hit_points=3, tokens=2)).values
    np.testing.assert_array_equal(few, many[:, :, :, :2, :2])


def test_a_game_too_large_is_refused_with_its_size() -> None:
    fig = figures("krig_intervention", hit_points=100, tokens=20)
    with pytest.raises(AgentError, match=r"100 hit points, 20 tokens .* takes [\d.]+ GiB, and the limit is"):
        solve(fig)
    small = figures("krig", hit_points=3)
    with pytest.raises(AgentError, match="limit"):
        solve(small, limit=memory_needed(small, 2) - 1)


def test_progress_goes_from_nothing_to_all() -> None:
    seen: list[float] = []
    solve(figures("krig", hit_points=3), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("symmetric", [True, False])
def test_pairs_come_after_those_they_need(symmetric: bool) -> None:
    order = list(diagonals(4, symmetric=symmetric))
    assert [h0 + h1 for pairs in order for h0, h1 in pairs] == sorted(h0 + h1 for p in order for h0, h1 in p)
    expected = {(a, b) for a in range(1, 5) for b in range(1, 5) if a >= b or not symmetric}
    assert {pair for pairs in order for pair in pairs} == expected


@pytest.mark.parametrize("game", [0.0, 0.3, 0.48, 1.0])
def test_value_of_a_match(game: float) -> None:
    assert match_value(game, 1) == game
    # Best of three: both seats go first once, and the third game is even, so neither is ahead.
    assert match_value(game, 3) == pytest.approx(0.5)
    assert match_value(game, 5) == pytest.approx(0.5)


def test_value_of_a_match_by_all_lines_of_play() -> None:
    game, lines = 0.7, 0.0
    for results in np.ndindex(2, 2, 2):
        chances = [game if results[0] else 1 - game, 1 - game if results[1] else game, 0.5]
        lines += (sum(results) >= 2) * np.prod(chances)
    assert match_value(game, 3) == pytest.approx(lines)
