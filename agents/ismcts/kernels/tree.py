"""Nodes and edges in an arena: finding, adding, and writing results back."""

from __future__ import annotations

import numpy as np

from kingmaker.agents.ismcts.kernels.records import NONE
from kingmaker.envs.core.chance import WORD
from kingmaker.envs.core.kernel import kernel, large_kernel

# Odd multipliers below 2**31, so that the product with a 32-bit word fits in a signed 64-bit integer. They
# are digits of the golden ratio, the square root of 3, and a multiplier of MurmurHash2 (A. Appleby, 2008).
_FIRST, _SECOND, _LAST = 0x1E3779B1, 0x3B67AE85, 0x5BD1E995


@kernel
def _mix(lane, word, multiplier):
    """Fold a 32-bit word into a 32-bit lane: multiply, then lay the upper half over the lower."""
    product = (lane ^ word) * multiplier
    return (product ^ (product >> 32)) & WORD


@large_kernel
def key_of(words, seat):
    """Return the key, below 2**62, of what an observer knows when ``seat`` chooses.

    Args:
        words: uint32 ``(F,)``, the bytes of the observation.
        seat: the seat that chooses.
    """
    # Two lanes over the even and two over the odd words: four chains that the processor runs side by side.
    a, b, c, d = seat + 1, seat + 2, seat + 3, seat + 4
    size = words.shape[0]
    for k in range(0, size - 1, 2):
        even = np.int64(words[k])
        odd = np.int64(words[k + 1])
        a = _mix(a, even, _FIRST)
        b = _mix(b, even, _SECOND)
        c = _mix(c, odd, _FIRST)
        d = _mix(d, odd, _SECOND)
    if size % 2:
        a = _mix(a, np.int64(words[size - 1]), _FIRST)
        b = _mix(b, np.int64(words[size - 1]), _SECOND)
    low = _mix(_mix(a, c, _LAST), size, _FIRST)
    high = _mix(_mix(d, b, _LAST), size, _SECOND)
    return ((high & 0x3FFFFFFF) << 32) | low


@kernel
def find_node(nodes, table, key):
    """Return the slot of a key in the table: it holds the node, or ``NONE`` if there is none yet."""
    last = table.shape[0] - 1
    slot = key & last
    while table[slot] != NONE and nodes[table[slot]].key != key:
        slot = (slot + 1) & last
    return slot


@kernel
def add_node(nodes, table, counts, slot, key):
    """Put a new node into a free slot and return it; ``NONE`` if the arena is full."""
    node = counts.nodes
    if node >= nodes.shape[0]:
        return NONE
    counts.nodes += 1
    table[slot] = node
    fresh = nodes[node]
    fresh.key = key
    fresh.value = 0.0
    fresh.visits = 0
    fresh.first = NONE
    return node


@kernel
def add_edge(nodes, edges, counts, node, action, prior):
    """Add an edge for an action that has none and return it; ``NONE`` if the arena is full."""
    edge = counts.edges
    if edge >= edges.shape[0]:
        return NONE
    counts.edges += 1
    fresh = edges[edge]
    fresh.total = 0.0
    fresh.prior = prior
    fresh.visits = 0
    fresh.available = 1
    fresh.following = nodes[node].first
    fresh.action = action
    nodes[node].first = edge
    return edge


@kernel
def back_up(edges, path, length, returns):
    """Credit every edge of the path with the result of the seat that chose it, from [-1, 1] to [0, 1]."""
    for k in range(length):
        edges[path[k].edge].total += 0.5 * (returns[path[k].seat] + 1.0)


@kernel
def follow(edges, path, length, edge, seat):
    """Put an edge at the end of the path; its visit counts from now on, its result comes with ``back_up``."""
    edges[edge].visits += 1
    path[length].edge = edge
    path[length].seat = seat
    return length + 1
