"""Scripted chance and the journal: what goes into and comes out of a game besides actions.

Each tables record carries one ``tape``. It is off unless somebody asks for it, and a batch of games never
does. With a script on, chance draws are read from it; with the journal on, draws and rule events are
written down as rows of five integers ``(kind, seat, a, b, c)``.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.kernel import kernel, large_kernel

SCRIPT_CAPACITY = 1024
JOURNAL_CAPACITY = 1024
EVENT_WIDTH = 5

# Faults of a script, left in ``tape.fault`` for the caller in Python to raise.
FAULT_NONE, FAULT_EXHAUSTED, FAULT_RANGE = range(3)

# Event kind 0 is a chance draw (seat -1, a = outcome, b = sides); a game's own kinds start at 1.
EVENT_CHANCE = 0

TAPE = np.dtype(
    [
        ("on", "i4"),  # scripted or recording: all that a draw asks for when both are off
        ("scripted", "i4"),
        ("script_length", "i4"),
        ("script_position", "i4"),
        ("fault", "i4"),
        ("fault_sides", "i4"),
        ("recording", "i4"),
        ("count", "i4"),
        ("script", "i4", (SCRIPT_CAPACITY,)),
        ("events", "i4", (JOURNAL_CAPACITY, EVENT_WIDTH)),
    ],
    align=True,
)


@kernel
def note(tables, kind, seat, a, b, c):
    """Write an event to the journal if it is on."""
    if tables.tape.on:
        write_event(tables.tape, kind, seat, a, b, c)


@large_kernel
def write_event(tape, kind, seat, a, b, c):
    """Write an event; ``count`` goes on past the capacity so that loss shows."""
    if tape.recording:
        if tape.count < JOURNAL_CAPACITY:
            row = tape.events[tape.count]
            row[0] = kind
            row[1] = seat
            row[2] = a
            row[3] = b
            row[4] = c
        tape.count += 1


@large_kernel
def scripted_draw(tape, sides):
    """Return the script's next outcome; a missing or impossible one sets a fault and yields 0.

    A fault switches the script off: rules that draw until something comes up then end by the generator's
    draws, and the caller puts the game back.
    """
    if tape.script_position >= tape.script_length:
        tape.scripted = 0
        tape.fault = FAULT_EXHAUSTED
        tape.fault_sides = sides
        return 0
    outcome = tape.script[tape.script_position]
    tape.script_position += 1
    if outcome < 0 or outcome >= sides:
        tape.scripted = 0
        tape.fault = FAULT_RANGE
        tape.fault_sides = sides
        return 0
    return np.int64(outcome)


def switch_journal(tables: np.ndarray, on: bool) -> None:
    """Switch the journal of a tables array on or off."""
    tables["tape"]["recording"] = int(on)
    tables["tape"]["on"] = tables["tape"]["recording"] | tables["tape"]["scripted"]
