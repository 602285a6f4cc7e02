"""The chance stream of a game: 16 bytes inside the state record.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): 32-bit words held in 64-bit integers, so compiled
and interpreted code compute the same numbers without overflow. A draw below ``sides`` uses Lemire's
multiplication with rejection (ACM TOMACS 29(1), 2019), which is exactly uniform.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import EVENT_CHANCE, scripted_draw, write_event

WORD = 0xFFFFFFFF
WARM_UP = 12  # rounds that PractRand runs after seeding

CHANCE = np.dtype([("a", "u4"), ("b", "u4"), ("c", "u4"), ("counter", "u4")], align=True)


@kernel
def next_word(stream):
    """Advance the stream; return an integer in ``[0, 2**32)``."""
    a = np.int64(stream.a)
    b = np.int64(stream.b)
    c = np.int64(stream.c)
    counter = np.int64(stream.counter)
    word = (a + b + counter) & WORD
    stream.a = b ^ (b >> 9)
    stream.b = (c + (c << 3)) & WORD
    stream.c = ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
    stream.counter = (counter + 1) & WORD
    return word


@kernel
def seed_stream(stream, seed, purpose):
    """Start the stream from ``seed`` in ``[0, 2**63)``; streams of different ``purpose`` are unrelated."""
    stream.a = purpose
    stream.b = seed & WORD
    stream.c = (seed >> 32) & WORD
    stream.counter = 1
    for _ in range(WARM_UP):
        next_word(stream)


@kernel
def next_seed(stream):
    """Draw a seed in ``[0, 2**63)`` for another stream."""
    high = next_word(stream) >> 1
    return (high << 32) | next_word(stream)


@kernel
def below(stream, sides):
    """Draw an integer uniformly from ``[0, sides)``, ``1 <= sides < 2**31``."""
    product = next_word(stream) * sides
    if (product & WORD) < sides:
        threshold = (WORD + 1 - sides) % sides
        while (product & WORD) < threshold:
            product = next_word(stream) * sides
    return product >> 32


@kernel
def draw(state, tables, sides):
    """Draw one of ``sides`` equally likely outcomes ``0 .. sides - 1``, from the script if there is one.

    Rules take all their chance through this function (or ``roll`` and ``shuffle``, which call it): that is
    what makes a game scriptable, and its log replayable without the generator.
    """
    if tables.tape.on:
        return taped_draw(state.chance, tables.tape, sides)
    return below(state.chance, sides)


@large_kernel
def taped_draw(stream, tape, sides):
    """Draw from the script if there is one, and write the outcome to the journal."""
    outcome = scripted_draw(tape, sides) if tape.scripted else below(stream, sides)
    write_event(tape, EVENT_CHANCE, -1, outcome, sides, 0)
    return outcome


@kernel
def roll(state, tables, sides):
    """Roll a die: a uniform face ``1 .. sides``."""
    return draw(state, tables, sides) + 1


@kernel
def shuffle(state, tables, cards, count):
    """Shuffle the first ``count`` entries of the 1-D array ``cards`` in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = draw(state, tables, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@kernel
def pick_legal(mask, stream):
    """Draw a legal action uniformly from a mask with at least one 1."""
    count = np.int64(0)
    for action in range(mask.shape[0]):
        count += mask[action]
    left = below(stream, count)
    # The chosen action comes after all prefixes of the mask that hold at most ``left`` ones; counting them
    # has no branch to mispredict.
    seen = np.int64(0)
    chosen = np.int64(0)
    for action in range(mask.shape[0]):
        seen += mask[action]
        chosen += seen <= left
    return chosen
