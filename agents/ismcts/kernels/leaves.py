"""Search with a network: down to leaves by priors, and back up with the network's values.

``descend`` brings a simulation of every tree, or several, to a leaf; the caller asks the network about all of
them at once; ``absorb`` makes nodes of the leaves and backs their values up. In between a visit counts at
once and its result only later, so that the next simulation of the tree looks elsewhere (virtual loss;
Chaslot, Winands and van den Herik, 2008).
"""

from __future__ import annotations

import math

import numpy as np

from kingmaker.agents.ismcts.kernels.choice import best_by_prior
from kingmaker.agents.ismcts.kernels.records import MAX_DEPTH, NONE
from kingmaker.agents.ismcts.kernels.simulate import deal
from kingmaker.agents.ismcts.kernels.tree import add_edge, add_node, back_up, find_node, follow, key_of
from kingmaker.envs.core.contract import RUNNING, legal, observe
from kingmaker.envs.core.kernel import borrow, generic, large_kernel
from kingmaker.envs.core.loops import move, write_returns
from kingmaker.envs.core.record import record_dtype

# What is at the end of a simulation: a decision to ask the network about, or the end of the game.
LEAF_DECISION, LEAF_END = range(2)

LEAF = record_dtype(
    [
        ("node", "i4"),  # the node at the leaf, NONE if the arena is full
        ("seat", "i4"),  # the seat that chooses
        ("length", "i4"),  # of the path
        ("kind", "i4"),
    ]
)


@generic
def descend_once(
    state, tables, settings, nodes, edges, table, path, counts, leaf, words, observation, mask
):  # fmt: skip
    """Play ``state`` down to a node that has no edges yet, which is added if it is new, or to the end.

    Leaves there the position, its mask and the observation of the seat that chooses.
    """
    leaf.length = 0
    leaf.kind = LEAF_END
    while state.over == RUNNING:
        mask[:] = 0
        legal(state, tables, mask)
        actor = state.actor
        observe(state, tables, actor, observation)
        key = key_of(words, actor)
        slot = find_node(nodes, table, key)
        node = np.int64(table[slot])
        if node == NONE:
            node = add_node(nodes, table, counts, slot, key)
        if node == NONE or nodes[node].first == NONE or leaf.length >= MAX_DEPTH - 1:
            leaf.kind = LEAF_DECISION
            leaf.node = node
            leaf.seat = actor
            return
        nodes[node].visits += 1
        edge = best_by_prior(edges, nodes[node], settings.exploration)
        leaf.length = follow(edges, path, leaf.length, edge, actor)
        move(state, tables, edges[edge].action)
        counts.decisions += 1


def descend(
    roots, works, tables, seats, each, settings, nodes, edges, table, paths, counts,
    leaves, words, observation, observations, masks, returns, ranks, scores,
):  # fmt: skip
    """Bring ``each`` simulations of every tree to their leaves.

    Leaf ``each * b + l`` is the ``l``-th of tree ``b``. Views of all seats are written where there are more
    than two, the choosing seat's in its place; with two only the choosing one's is.

    * ``roots``: the games, ``(B,)``; ``works``: a record for the simulations; ``tables``: their tables.
    * ``seats``: int64 ``(B,)``, the seats searched for; ``each``: leaves a tree; ``settings``: ``(1,)``.
    * ``nodes``, ``edges``, ``table``, ``counts``: arenas with a leading axis ``B``.
    * ``paths``: ``STEP (K, MAX_DEPTH)`` and ``leaves``: ``LEAF (K,)``, for ``K = B * each`` leaves.
    * ``words``, ``observation``: uint32 and float32 ``(F,)`` in the same memory.
    * ``observations``: float32 ``(K, P, F)``, or ``(K, 1, F)`` for two seats; ``masks``: int8 ``(K, A)``.
    * ``returns``: float32 ``(K, P)``, written for games that have ended.
    * ``ranks``, ``scores``: int64 and float32 ``(P,)``.
    """
    observations = borrow(observations)
    masks = borrow(masks)
    returns = borrow(returns)
    table = borrow(table)
    for k in range(leaves.shape[0]):
        b = k // each
        works[0] = roots[b]
        state = works[0]
        deal(state, tables[0], seats[b], settings[0].open, counts[b].stream)
        descend_once(
            state, tables[0], settings[0], nodes[b], edges[b], table[b], paths[k], counts[b],
            leaves[k], words, observation, masks[k],
        )  # fmt: skip
        counts[b].simulations += 1
        if leaves[k].kind == LEAF_END:
            write_returns(state, tables[0], settings[0].mode, settings[0].scale, ranks, scores, returns[k])
            continue
        for place in range(observations.shape[1]):
            seat = place if observations.shape[1] > 1 else leaves[k].seat
            observe(state, tables[0], seat, observations[k, place])


@large_kernel
def grow_leaf(nodes, edges, counts, node, mask, logits, value):
    """Give a node an edge for each legal action, with the softmax of its logit, if they all fit."""
    count, highest = 0, -math.inf
    for action in range(mask.shape[0]):
        if mask[action]:
            count += 1
            highest = max(highest, logits[action])
    if counts.edges + count > edges.shape[0]:
        return
    total = 0.0
    for action in range(mask.shape[0]):
        if mask[action]:
            total += math.exp(logits[action] - highest)
    for action in range(mask.shape[0]):
        if mask[action]:
            add_edge(nodes, edges, counts, node, action, math.exp(logits[action] - highest) / total)
    nodes[node].value = 0.5 * (value + 1.0)
    nodes[node].visits = 1


def absorb(nodes, edges, paths, counts, leaves, each, masks, logits, values):
    """Make nodes of the leaves of ``descend`` and back up what they are worth.

    ``logits`` are those of the choosing seats, float32 ``(K, A)``; ``values`` the expected return of each
    seat, float32 ``(K, P)``, in [-1, 1]; the rest is as in ``descend``.
    """
    for k in range(leaves.shape[0]):
        b, node = k // each, np.int64(leaves[k].node)
        if leaves[k].kind == LEAF_DECISION and node != NONE and nodes[b, node].first == NONE:
            seat = leaves[k].seat
            grow_leaf(nodes[b], edges[b], counts[b], node, masks[k], logits[k], values[k, seat])
        back_up(edges[b], paths[k], leaves[k].length, values[k])
