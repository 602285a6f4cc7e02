"""The University: a worker for a worker."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.rules.pieces import FINISHED, ask, gain_workers, spare
from kingmaker.envs.clockwork_kingdom.state import ASK_UNIVERSITY, MAX_ORDERED, NONE, NUM_TYPES, PROFESSOR
from kingmaker.envs.core.kernel import kernel, large_kernel


@kernel
def last_in_line(state):
    """Return whether nobody waits after the worker whose turn it is."""
    waiting = 0
    for later in range(state.at + 1, MAX_ORDERED):
        waiting += state.university[later].seat != NONE
    return waiting == 0


@large_kernel
def studies(state, tables, worker):
    """Return the bit set of ``NUM_TYPES * space + gained`` open to a worker (CK-149, CK-151, CK-44, CK-7)."""
    board = state.seats[worker.seat]
    any_space = worker.kind == PROFESSOR
    one_space = any_space and last_in_line(state)
    gains = 0
    for gained in range(NUM_TYPES):
        if spare(tables, board, gained) > 0:
            gains |= 1 << gained
    choices = 0
    for space in range(NUM_TYPES):
        if state.rooms[space] > 0:
            allowed = gains if any_space else gains & 1 << space
            choices |= allowed << NUM_TYPES * space
            if one_space:
                return choices
    return choices


@kernel
def study(state, tables, choice):
    """Move the worker whose turn it is to a space and gain another."""
    worker = state.university[state.at]
    state.rooms[choice // NUM_TYPES] -= 1
    gain_workers(state, tables, worker.seat, choice % NUM_TYPES, 1)
    state.at += 1


@kernel
def resolve_university(state, tables):
    """Ask the next worker that has a choice, in the order of the waiting spaces (CK-149, CK-45)."""
    while state.at < MAX_ORDERED:
        worker = state.university[state.at]
        choices = 0
        if worker.seat != NONE:
            choices = studies(state, tables, worker)
        if choices == 0:
            state.at += 1  # CK-43: nothing that it could gain
        elif choices & (choices - 1) != 0:
            return ask(state, ASK_UNIVERSITY, worker.seat)
        else:
            only = 0
            while choices >> only & 1 == 0:
                only += 1
            study(state, tables, only)
    return FINISHED
