"""The memory of a search: one preallocated arena a tree, and the settings that kernels read.

A node is an information set: everything that its observer knows when a certain seat chooses. Nodes are found
by a 62-bit key of that knowledge in an open hash table, so the same position reached in two ways is one node
and a position is found whichever way chance and hidden moves led there. A node's edges, one for each action
that has been tried, form a linked list, since which actions exist can differ between deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.record import record_dtype

NONE = -1  # no node, no edge
# Longest way from the root that a simulation keeps in memory; what lies beyond is playout.
MAX_DEPTH = 256
# Edges for each node that an arena has room for. A simulation of plain search adds one node and at most a few
# edges; with a network a node gets an edge for each legal action at once.
EDGES_A_NODE = 4

# Who plays a playout, and whose knowledge tells nodes apart.
PLAY_RANDOM, PLAY_HEURISTIC = range(2)
OBSERVER_ROOT, OBSERVER_ACTOR = range(2)

NODE = record_dtype(
    [
        ("key", "i8"),
        ("value", "f8"),  # with a network: its estimate for the seat that chooses, in [0, 1]
        ("visits", "i4"),
        ("first", "i4"),  # the first edge of its list
    ]
)

EDGE = record_dtype(
    [
        ("total", "f8"),  # of the choosing seat's results, each in [0, 1]
        ("prior", "f8"),  # with a network: the probability it gives the action; else 1 for a playout's first
        ("visits", "i4"),
        ("available", "i4"),  # visits of the node at which the action was legal
        ("following", "i4"),  # the next edge of the list
        ("action", "i4"),
    ]
)

STEP = record_dtype([("edge", "i4"), ("seat", "i4")])

COUNTS = record_dtype(
    [
        ("stream", CHANCE),  # all chance of the search: deals, dice and choices
        ("nodes", "i8"),
        ("edges", "i8"),
        ("simulations", "i8"),
        ("decisions", "i8"),  # simulated, in the tree and in playouts
    ]
)

SETTINGS = record_dtype(
    [
        ("exploration", "f8"),
        ("widening", "f8"),
        ("trust", "f8"),  # prior of the heuristic's action; 0 for UCB1 in place of PUCT
        ("scale", "f8"),  # divisor of scores (``GameSpec.score_scale``)
        ("cut", "i8"),
        ("playout", "i4"),
        ("observer", "i4"),
        ("mode", "i4"),  # of the returns: ``WIN``, ``PLACEMENT`` or ``SCORE``
        ("open", "i4"),  # whether nothing is hidden, so that only chance is drawn anew
    ]
)


class Arena(NamedTuple):
    """The memory of one tree, or of several with a leading axis.

    Attributes:
        nodes: ``NODE (N,)``.
        edges: ``EDGE (E,)``.
        table: int32 ``(H,)``, ``H`` a power of 2 above ``N``; numbers of nodes by key.
        path: ``STEP (MAX_DEPTH,)``, the edges of the simulation under way.
        counts: ``COUNTS (1,)``.
    """

    nodes: np.ndarray
    edges: np.ndarray
    table: np.ndarray
    path: np.ndarray
    counts: np.ndarray


def new_arena(nodes: int, edges: int) -> Arena:
    """Return an empty arena with room for so many nodes and edges."""
    slots = 1 << max(4, (2 * nodes - 1).bit_length())
    return Arena(
        np.zeros(nodes, NODE),
        np.zeros(edges, EDGE),
        np.full(slots, NONE, np.int32),
        np.zeros(MAX_DEPTH, STEP),
        np.zeros(1, COUNTS),
    )


def empty(arena: Arena) -> None:
    """Forget a tree; its memory stays."""
    arena.table[:] = NONE
    arena.counts[:] = 0
