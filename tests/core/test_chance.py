"""The chance stream: its numbers, its uniformity, scripts, and compiled against interpreted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from kingmaker.envs.core import chance
from kingmaker.envs.core.chance import CHANCE, below, next_seed, next_word, pick_legal, seed_stream
from kingmaker.envs.core.errors import ScriptError
from kingmaker.envs.core.game import Game

seeds = st.integers(0, 2**63 - 1)
purposes = st.integers(0, 2**32 - 1)


def stream(seed: int, purpose: int = 0):
    one = np.zeros(1, CHANCE).view(np.recarray)[0]
    seed_stream(one, seed, purpose)
    return one


class Sfc32:
    """The generator as its author writes it, on big integers."""

    def __init__(self, seed: int, purpose: int) -> None:
        self.a, self.b, self.c, self.counter = purpose, seed % 2**32, seed >> 32, 1
        for _ in range(12):
            self.word()

    def word(self) -> int:
        word = (self.a + self.b + self.counter) % 2**32
        self.counter = (self.counter + 1) % 2**32
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) % 2**32
        self.c = (((self.c << 21) | (self.c >> 11)) % 2**32 + word) % 2**32
        return word


@settings(deadline=None)
@given(seeds, purposes)
def test_words_are_sfc32s(seed, purpose):
    ours, reference = stream(seed, purpose), Sfc32(seed, purpose)
    assert [next_word(ours) for _ in range(20)] == [reference.word() for _ in range(20)]


@settings(deadline=None)
@given(seeds, st.integers(1, 2**31 - 1))
def test_draws_are_in_range_and_lemires(seed, sides):
    ours, reference = stream(seed), Sfc32(seed, 0)
    for _ in range(20):
        while True:
            product = reference.word() * sides
            if product % 2**32 >= 2**32 % sides:
                break
        drawn = below(ours, sides)
        assert 0 <= drawn < sides
        assert drawn == product >> 32


@settings(deadline=None)
@given(seeds)
def test_seeds_are_in_range(seed):
    assert 0 <= next_seed(stream(seed)) < 2**63


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 97, 3 * 2**29])
def test_draws_are_uniform(sides):
    one = stream(2026, 5)
    bins = min(sides, 6)
    counts = np.bincount([below(one, sides) * bins // sides for _ in range(30_000)], minlength=bins)
    edges = [-(-sides * k // bins) for k in range(bins + 1)]
    wanted = np.diff(edges) / sides * 30_000
    assert chisquare(counts, wanted).pvalue > 1e-5


def test_streams_of_other_seeds_and_purposes_are_unrelated():
    words = {next_word(stream(seed, purpose)) for seed in range(100) for purpose in range(8)}
    assert len(words) > 795


@settings(deadline=None)
@given(seeds, st.lists(st.booleans(), min_size=1, max_size=50).filter(any))
def test_picks_are_legal(seed, legal):
    mask = np.array(legal, np.int8)
    assert mask[pick_legal(mask, stream(seed))] == 1


def test_picks_are_uniform():
    mask, one = np.array([0, 1, 0, 1, 1, 0, 1], np.int8), stream(3)
    counts = np.bincount([pick_legal(mask, one) for _ in range(20_000)], minlength=7)
    assert not counts[mask == 0].any()
    assert chisquare(counts[mask == 1]).pvalue > 1e-5


def test_interpreted_draws_are_the_compiled_ones():
    def draws() -> list[int]:
        one = stream(2**62 + 12345, 2**31)
        return [f(one, *a) for _ in range(50) for f, a in ((next_word, ()), (below, (7,)), (next_seed, ()))]

    code = (
        "import numpy as np, json\n"
        "from kingmaker.envs.core.chance import CHANCE, below, next_seed, next_word, seed_stream\n"
        "one = np.zeros(1, CHANCE).view(np.recarray)[0]; seed_stream(one, 2**62 + 12345, 2**31)\n"
        "print(json.dumps([int(f(one, *a)) for _ in range(50) "
        "for f, a in ((next_word, ()), (below, (7,)), (next_seed, ()))]))"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == [int(draw) for draw in draws()]


def test_shuffles_are_uniform():
    counts: dict[tuple[int, ...], int] = {}
    game = Game("krig", seed=1)
    state, tables = game.states.view(np.recarray)[0], game.tables.view(np.recarray)[0]
    for _ in range(1_500):
        cards = np.arange(3)
        chance.shuffle(state, tables, cards, 3)
        counts[tuple(cards.tolist())] = counts.get(tuple(cards.tolist()), 0) + 1
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-5


# --- scripts ------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.integers(-3, 12), max_size=5))
def test_a_script_either_fits_exactly_or_changes_nothing(script):
    game = Game("krig", seed=1)
    before, mask = game.save(), game.mask()
    fits = len(script) == 2 and 0 <= script[0] < 10 and 0 <= script[1] < 6
    try:
        game.apply("attack", script=script)
    except ScriptError:
        assert not fits
        assert game.save() == before
        assert np.array_equal(game.mask(), mask)
        game.apply("attack", script=[4, 3])
    else:
        assert fits


@pytest.mark.parametrize(
    ("script", "words"),
    [([], "ends after 0 draws"), ([4], "ends after 1 draws"), ([4, 6], "draw 2 of the script is 6"),
     ([-1, 0], "-1 in the script"), ([4, 3, 1], "only 2 were made"), ([0] * 2000, "at most 1024")],
)  # fmt: skip
def test_script_errors_say_what_is_wrong(script, words):
    with pytest.raises(ScriptError, match=words):
        Game("krig", seed=1).apply("attack", script=script)


def test_a_script_that_ends_within_a_loop_of_the_rules_is_an_error():
    game = Game("krig", seed=1)
    with pytest.raises(ScriptError, match="ends after 2 draws"):
        game.reset(1, script=[5, 5])  # the roll-off repeats ties, and a missing draw would be another 0


def test_a_failed_script_leaves_reset_as_it_was():
    game = Game("krig", seed=1)
    before = game.save()
    with pytest.raises(ScriptError):
        game.reset(5, script=[3])
    assert game.save() == before
    assert game.seed == 1


def test_outcomes_are_exact_and_match_play():
    game = Game("krig", seed=1, options={"agility_die": 3, "attack_die": 4})
    exact: dict[bytes, float] = {}
    for probability, after in game.outcomes("attack"):
        key = after.observe(0).tobytes() + after.observe(1).tobytes()
        exact[key] = exact.get(key, 0.0) + probability
    assert sum(exact.values()) == pytest.approx(1, abs=1e-12)
    counts = dict.fromkeys(exact, 0)
    for seed in range(6_000):
        after = game.redealt(0, seed)
        after.apply("attack")
        counts[after.observe(0).tobytes() + after.observe(1).tobytes()] += 1
    assert chisquare(list(counts.values()), [exact[key] * 6_000 for key in counts]).pvalue > 1e-5
