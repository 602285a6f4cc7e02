"""Every decision that seat 1 can stand before at one pair of hit points and tokens, as the game shows it.

The states are set up field by field; masks and observations are written by the game's own kernels, so an
agent is asked exactly what it would be asked in play. Decisions come in the order of the arrays of
``turns.Policy``.
"""

from __future__ import annotations

import numpy as np

from kingmaker.agents.exact.layout import CLASSES, Figures
from kingmaker.agents.exact.turns import Policy
from kingmaker.envs.core.kernel import clear, kernel, large_kernel
from kingmaker.envs.krig.actions import ATTACK, CHARGE, PARRY, PASS
from kingmaker.envs.krig.observation import observe
from kingmaker.envs.krig.rules import legal
from kingmaker.envs.krig.state import (
    ACT,
    ATTACK_ROLL,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    MISS,
    PARRY_ROLL,
    REACT,
    WINDOW,
)

VIEWER = 1


@kernel
def lay_out(state, x, h0, h1, t0, t1, dx, dy, cx, cy, bx, by):
    """Set both boards up; ``x`` is the seat that acts or acted, ``y`` the other."""
    clear(state)
    for seat in range(2):
        board = state.seats[seat]
        board.hit_points = h0 if seat == 0 else h1
        board.tokens = t0 if seat == 0 else t1
        board.defence = dx if seat == x else dy
        board.charging = cx if seat == x else cy
        board.broken = bx if seat == x else by
    state.actor = VIEWER
    state.num_players = 2


@kernel
def put_attack(state, x, face, bonus):
    """Leave an attack of ``x`` pending."""
    pending = state.pending
    pending.active = 1
    pending.target = 1 - x
    pending.face = face
    pending.total = face + bonus


@kernel
def put_roll(state, kind, x):
    """Put a roll of ``x`` on the table, which the viewer is asked about."""
    state.phase = WINDOW
    state.roll.kind = kind
    state.roll.roller = x
    state.roll.passes = 0 if x == VIEWER else 1


@kernel
def show(state, tables, n, observations, masks):
    """Write what the viewer sees as row ``n``; return the number of the next row."""
    masks[n, :] = 0
    legal(state, tables, masks[n])
    observe(state, tables, VIEWER, observations[n])
    return n + 1


@kernel
def agility_face(fig, result):
    """Return a face of the agility die that makes ``result`` of an attack."""
    return 1 if result == MISS else (fig.agility if result == CRITICAL else 2)


@kernel
def show_turns(state, tables, fig, rows, h0, h1, t0, t1, n, observations, masks):
    """Write the choices of an action and of a reaction."""
    for config in range(fig.forced_at):
        bx = config >= fig.own_broken_at
        if bx:
            rest = config - fig.own_broken_at
            lay_out(state, VIEWER, h0, h1, t0, t1, 0, rest % fig.size, 0, rest // fig.size, 1, 0)
        else:
            row = rows[config]
            lay_out(state, VIEWER, h0, h1, t0, t1, row[0], row[1], 0, row[2], 0, row[3])
            state.bonus = row[4]
        state.phase = ACT
        n = show(state, tables, n, observations, masks)
    for k in range(rows.shape[0]):
        row = rows[k]
        if row[2] == 0:
            for face in range(1, min(fig.attack, fig.parry) + 1):
                lay_out(state, 1 - VIEWER, h0, h1, t0, t1, row[0], row[1], 0, 0, 0, row[3])
                put_attack(state, 1 - VIEWER, face, row[4])
                state.phase = REACT
                n = show(state, tables, n, observations, masks)
    return n


@kernel
def show_attacks(state, tables, fig, rows, x, h0, h1, t0, t1, n, observations, masks):
    """Write the windows of attack rolls of ``x``."""
    for k in range(rows.shape[0]):
        row = rows[k]
        lay_out(state, x, h0, h1, t0, t1, row[0], row[1], 0, row[2], 0, row[3])
        put_roll(state, ATTACK_ROLL, x)
        state.bonus = row[4]
        state.roll.bonus = row[4]
        for result in range(3):
            state.roll.agility = agility_face(fig, result)
            for face in range(1, fig.attack + 1):
                state.roll.attack = face
                n = show(state, tables, n, observations, masks)
    return n


@kernel
def show_charges(state, tables, fig, x, h0, h1, t0, t1, n, observations, masks):
    """Write the windows of charge rolls of ``x``."""
    for cy in range(2):
        for dx in range(fig.kept):
            for dy in range(fig.size):
                lay_out(state, x, h0, h1, t0, t1, dx, dy, 1, cy, 0, 0)
                put_roll(state, CHARGE_ROLL, x)
                for result in range(3):
                    state.roll.agility = agility_face(fig, result)
                    for face in range(1, fig.attack + 1):
                        state.roll.attack = face
                        for shield in range(1, fig.defence + 1):
                            state.roll.defence = shield
                            n = show(state, tables, n, observations, masks)
    return n


@kernel
def show_shields(state, tables, fig, x, h0, h1, t0, t1, n, observations, masks):
    """Write the windows of defence rolls of ``x``, in the order of ``layout.shield_row``."""
    for j in range(3 * fig.size + 1):
        broken = j == 2 * fig.size
        bonus = j > 2 * fig.size
        dy = 0 if broken else (j - 2 * fig.size - 1 if bonus else j % fig.size)
        cy = 0 if broken or bonus else j // fig.size
        lay_out(state, x, h0, h1, t0, t1, 0, dy, 0, cy, 0, int(broken))
        put_roll(state, DEFENCE_ROLL, x)
        state.bonus = int(bonus)
        for shown in range(1, fig.defence + 1):
            state.roll.defence = shown
            n = show(state, tables, n, observations, masks)
    return n


@kernel
def show_parries(state, tables, fig, rows, x, h0, h1, t0, t1, n, observations, masks):
    """Write the windows of parries of attacks by ``x``."""
    for k in range(rows.shape[0]):
        row = rows[k]
        if row[2] == 0:
            for face in range(1, min(fig.attack, fig.parry) + 1):
                lay_out(state, x, h0, h1, t0, t1, row[0], row[1], 0, 0, 0, 0)
                put_attack(state, x, face, row[4])
                put_roll(state, PARRY_ROLL, 1 - x)
                for shown in range(1, fig.parry + 1):
                    state.roll.parry = shown
                    n = show(state, tables, n, observations, masks)
    return n


@large_kernel
def show_all(states, tables, fig, rows, h0, h1, t0, t1, observations, masks):
    """Write every decision of seat 1.

    Args:
        states: records ``(1,)``, scratch.
        tables: records ``(1,)``.
        fig: from ``figures_of(tables, keep_all=True)``.
        rows: ``layout.attack_positions(fig)``.
        h0: hit points of seat 0.
        h1: hit points of seat 1.
        t0: tokens of seat 0.
        t1: tokens of seat 1; without any it is asked nothing in windows.
        observations: float32 ``(n, F)``, filled in.
        masks: int8 ``(n, A)``, filled in.

    Returns:
        The number of rows written.
    """
    state = states[0]
    table = tables[0]
    n = show_turns(state, table, fig, rows, h0, h1, t0, t1, 0, observations, masks)
    if t1 > 0:
        for x in (1, 0):
            n = show_attacks(state, table, fig, rows, x, h0, h1, t0, t1, n, observations, masks)
            n = show_charges(state, table, fig, x, h0, h1, t0, t1, n, observations, masks)
            n = show_shields(state, table, fig, x, h0, h1, t0, t1, n, observations, masks)
            n = show_parries(state, table, fig, rows, 1 - x, h0, h1, t0, t1, n, observations, masks)
    return n


class Views:
    """The decisions of a seat and where ``Policy`` keeps them.

    Args:
        fig: the game, from ``figures_of(tables, keep_all=True)``.
        rows: ``layout.attack_positions(fig)``.
    """

    def __init__(self, fig: Figures, rows: np.ndarray) -> None:
        self.fig = fig
        self.parryable = np.flatnonzero(rows[:, 2] == 0)
        answers = len(self.parryable) * fig.parried
        self.turns = (fig.forced_at, answers)
        self.windows = (
            len(rows) * CLASSES * fig.attack,
            fig.charges * CLASSES * fig.attack * fig.defence,
            fig.shields * fig.defence,
            answers * fig.parry,
        )

    def count(self, tokens: int) -> int:
        """Return the number of decisions of a seat with so many tokens left."""
        return sum(self.turns) + (2 * sum(self.windows) if tokens else 0)

    def fill(self, policy: Policy, seat: int, chances: np.ndarray) -> None:
        """Write action probabilities ``(n, A)``, in the order of ``show_all``, as the policy of ``seat``.

        Without tokens a seat is asked nothing in windows, and what stands there is never read.
        """
        act, react, *rest = np.split(chances, np.cumsum([*self.turns, *self.windows, *self.windows])[:-1])
        policy.act[seat] = act[:, ATTACK : CHARGE + 1]
        policy.react[seat, self.parryable] = react[:, PARRY].reshape(-1, self.fig.parried)
        if not len(rest[0]):
            return
        own, other = rest[:4], rest[4:]
        for into, windows in ((policy.attack_own, own), (policy.attack_other, other)):
            into[seat] = _rerolls(windows[0], into[seat].shape)
        for into, windows in ((policy.charge_own, own), (policy.charge_other, other)):
            into[seat] = _rerolls(windows[1], into[seat].shape)
        for into, windows in ((policy.defence_own, own), (policy.defence_other, other)):
            into[seat] = windows[2][:, PASS].reshape(into[seat].shape)
        for into, windows in ((policy.parry_own, own), (policy.parry_other, other)):
            into[seat, self.parryable] = windows[3][:, PASS].reshape(-1, *into.shape[2:])


def _rerolls(chances: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the probabilities of passing and of rerolling each set of dice, by outcome of the roll."""
    return chances[:, PASS : PASS + shape[-1]].reshape(shape)
