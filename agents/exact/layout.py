"""How the positions of a game of Krig are numbered, and what solving them takes.

A *position* is a point at which a seat's turn has come to its action with nothing pending. It is given by
the seat to act, both seats' hit points and tokens, and a *configuration* that holds the rest. Only what
play can reach is numbered:

* a broken guard stands above a defence die of 0, and at most one guard is broken when a seat acts;
* the other seat's guard is broken only after its failed parry, so that seat is not charging;
* the bonus of a perfect parry meets a seat that has just attacked: not charging, guard whole;
* a charging seat has no action to choose: its position is the roll of its charge attack. Its own defence
  die, which that attack clears, no longer matters to perfect play; but others see it, and may act on it, so
  it can be kept apart (``kept``).

Everything else (pending attacks, windows) leads to a position within one turn and is worked out from there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.krig.state import NUM_PLAYERS

CLASSES = 3  # what the agility die makes of an attack: miss, hit, critical
BYTES = 8  # of a float64


class Figures(NamedTuple):
    """What a game is played with, and where each kind of configuration begins."""

    hit_points: int
    tokens: int
    agility: int
    attack: int
    defence: int
    parry: int
    perfect: int  # 1 if a perfect parry gives +1
    guard: int  # 1 if attacks can break the guard
    size: int  # values of a defence die, 0 included
    kept: int  # values told apart of a charging seat's own defence die: 1, or ``size``
    bonus_at: int
    other_broken_at: int
    own_broken_at: int
    forced_at: int
    configs: int

    @property
    def parried(self) -> int:
        """Number of attack faces that a parry die can reach."""
        return min(self.attack, self.parry)

    @property
    def charges(self) -> int:
        """Number of configurations of a charging seat."""
        return 2 * self.kept * self.size

    @property
    def shields(self) -> int:
        """Number of surroundings of a defend action (``shield_row``)."""
        return 3 * self.size + 1

    @property
    def marginals(self) -> int:
        """Number of partial means of a charge roll that rerolls of it need."""
        a, d = self.attack, self.defence
        return a * d + CLASSES * (a + d) + a + d + CLASSES + 1

    def value_shape(self) -> tuple[int, ...]:
        """Shape of the values: seat to act, hit points of both, tokens of both, configuration."""
        h, t = self.hit_points, self.tokens + 1
        return (NUM_PLAYERS, h, h, t, t, self.configs)


def figures_of(tables: Any, *, keep_all: bool = False) -> Figures:
    """Return the figures of a game's tables array (length 1).

    ``keep_all`` tells positions apart that look different although perfect play treats them alike.
    """
    record = tables[0]
    dice = record["dice"]
    size = int(dice["defence"]) + 1
    perfect, guard = int(record["perfect_parry"] != 0), int(record["guard_break"] != 0)
    bonus_at = 2 * size * size
    other_broken_at = bonus_at + perfect * size * size
    own_broken_at = other_broken_at + guard * size
    forced_at = own_broken_at + guard * 2 * size
    return Figures(
        int(record["hit_points"]),
        int(record["tokens"]),
        int(dice["agility"]),
        int(dice["attack"]),
        int(dice["defence"]),
        int(dice["parry"]),
        perfect,
        guard,
        size,
        size if keep_all else 1,
        bonus_at,
        other_broken_at,
        own_broken_at,
        forced_at,
        forced_at + 2 * size * (size if keep_all else 1),
    )


@kernel
def configuration(fig, own, other, own_charging, other_charging, own_broken, other_broken):
    """Return the configuration of the seat to act: defence dice, charges, broken guards; no bonus."""
    if own_charging:
        kept = own if fig.kept > 1 else 0
        return fig.forced_at + (other_charging * fig.kept + kept) * fig.size + other
    if own_broken and fig.guard:
        return fig.own_broken_at + other_charging * fig.size + other
    if other_broken and fig.guard:
        return fig.other_broken_at + own
    return (other_charging * fig.size + own) * fig.size + other


@kernel
def bonus_configuration(fig, own, other):
    """Return the configuration of a seat in the additional turn after a perfect parry."""
    return fig.bonus_at + own * fig.size + other


def attack_positions(fig: Figures) -> np.ndarray:
    """Return what each configuration before ``own_broken_at`` stands for, int64 ``(n, 5)``.

    Columns: own defence, other defence, other charging, other's guard broken, bonus. Attacks are worked out
    for these; a seat whose own guard is broken attacks as one without a defence die.
    """
    rows = np.zeros((fig.own_broken_at, 5), np.int64)
    square = fig.size * fig.size
    for k in range(fig.other_broken_at):
        kind, rest = divmod(k, square)
        rows[k] = rest // fig.size, rest % fig.size, kind == 1, 0, kind == 2
    for own in range(fig.own_broken_at - fig.other_broken_at):
        rows[fig.other_broken_at + own] = own, 0, 0, 1, 0
    return rows


@kernel
def shield_row(fig, other, other_charging, other_broken, bonus):
    """Return the number of a defend action's surroundings, of ``Figures.shields``."""
    if other_broken:
        return 2 * fig.size
    if bonus:  # lost by defending (KR-33), but still in sight
        return 2 * fig.size + 1 + other
    return other_charging * fig.size + other


class Work(NamedTuple):
    """Scratch space of one thread; ``T`` = tokens + 1, ``x`` = the seat that rolls.

    The first four keep, for every pair of token counts, the means of the rolls over all faces of some of
    their dice: what a reroll of these dice is worth. The others hold, for the present pair, what each window
    stage does with the value of passing (``bounds``, ``keeps``; stage 0 is the roller, 1 the other seat).
    """

    attack_means: np.ndarray  # (T, T, x, positions, attack + 4)
    parry_means: np.ndarray  # (T, T, x, positions, parried faces); x attacks, the other seat parries
    defence_means: np.ndarray  # (T, T, x, shields)
    charge_means: np.ndarray  # (T, T, x, charges, marginals)
    attack_bounds: np.ndarray  # (stage, x, positions, class, attack)
    attack_keeps: np.ndarray
    charge_bounds: np.ndarray  # (stage, x, charges, class, attack, defence)
    charge_keeps: np.ndarray
    defence_now: np.ndarray  # (x, shields)
    hits: np.ndarray  # (class, attack + defence + 1)
    attacks: np.ndarray  # (class, attack)
    charges: np.ndarray  # (class, attack, defence)


def work_shapes(fig: Figures, positions: int, charges: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the arrays of ``Work``."""
    t, n, a, d = fig.tokens + 1, NUM_PLAYERS, fig.attack, fig.defence
    return (
        (t, t, n, positions, a + 4),
        (t, t, n, positions, fig.parried),
        (t, t, n, fig.shields),
        (t, t, n, charges, fig.marginals),
        (2, n, positions, CLASSES, a),
        (2, n, positions, CLASSES, a),
        (2, n, charges, CLASSES, a, d),
        (2, n, charges, CLASSES, a, d),
        (n, fig.shields),
        (CLASSES, a + d + 1),
        (CLASSES, a),
        (CLASSES, a, d),
    )


def new_work(fig: Figures) -> Work:
    """Return scratch space for solving."""
    shapes = work_shapes(fig, fig.own_broken_at, fig.charges)
    return Work(*(np.zeros(shape) for shape in shapes))


def memory_needed(fig: Figures, threads: int) -> int:
    """Return the bytes that solving takes beside the interpreter itself."""
    count = sum(int(np.prod(s, dtype=object)) for s in work_shapes(fig, fig.own_broken_at, fig.charges))
    values = int(np.prod(fig.value_shape(), dtype=object))
    return BYTES * (values + threads * count)
