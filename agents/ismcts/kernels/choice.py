"""Which action a simulation tries at a node that it has met before."""

from __future__ import annotations

import math

from kingmaker.agents.ismcts.kernels.records import NONE
from kingmaker.agents.ismcts.kernels.tree import add_edge
from kingmaker.envs.core.chance import pick_legal
from kingmaker.envs.core.kernel import kernel, large_kernel


@kernel
def best_by_bound(edges, first, mask, exploration):
    """Return the tried edge with the highest upper confidence bound, and how many tried ones are legal.

    The bound is UCB1 with availability counts: ``mean + c * sqrt(ln(available) / visits)``, where an action
    counts as available whenever it was legal in the deal (Cowling, Powley and Whitehouse, IEEE TCIAIG 4(2),
    2012). Every legal one's count goes up, and its place in ``mask`` becomes 0: what stays is untried.
    """
    best, highest, tried = NONE, -1.0, 0
    last, logarithm = 0, 0.0
    edge = first
    while edge != NONE:
        one = edges[edge]
        if mask[one.action]:
            mask[one.action] = 0
            tried += 1
            one.available += 1
            if one.available != last:
                last = one.available
                logarithm = math.log(last)
            bound = one.total / one.visits + exploration * math.sqrt(logarithm / one.visits)
            if bound > highest:
                best, highest = edge, bound
        edge = one.following
    return best, tried


@kernel
def best_by_trust(edges, first, mask, exploration, trust):
    """Return the edge that PUCT takes if it trusts the heuristic, ``NONE`` for an untried action.

    The heuristic's action has the prior ``trust``; what is left is shared equally among all legal actions, it
    included. An untried action counts as good as the tried ones on average. The places of tried actions in
    ``mask`` become 0.
    """
    legal, tried, visits, total = 0, 0, 0, 0.0
    for action in range(mask.shape[0]):
        legal += mask[action]
    edge = first
    while edge != NONE:
        one = edges[edge]
        if mask[one.action]:
            tried += 1
            visits += one.visits
            total += one.total
        edge = one.following
    share = (1.0 - trust) / legal
    root = exploration * math.sqrt(visits)
    best, highest = NONE, -1.0
    if tried < legal and visits > 0:
        highest = total / visits + root * share
    edge = first
    while edge != NONE:
        one = edges[edge]
        if mask[one.action]:
            mask[one.action] = 0
            bound = one.total / one.visits + root * (share + trust * one.prior) / (1 + one.visits)
            if bound > highest:
                best, highest = edge, bound
        edge = one.following
    return best


@large_kernel
def choose_edge(nodes, edges, counts, node, mask, settings):
    """Return the edge to take from a node met before, a new one for an action that is untried.

    Without trust in the heuristic an untried action comes first, else the best bound decides. With widening
    ``w`` a node that has been visited ``n`` times tries at most ``w * sqrt(n)`` actions, and never fewer than
    one (progressive widening, Coulom 2007). ``NONE`` if the arena is full.
    """
    here = nodes[node]
    here.visits += 1
    if settings.trust > 0.0:
        best = best_by_trust(edges, here.first, mask, settings.exploration, settings.trust)
        if best != NONE:
            return best
    else:
        best, tried = best_by_bound(edges, here.first, mask, settings.exploration)
        if best != NONE and settings.widening > 0.0 and tried >= settings.widening * math.sqrt(here.visits):
            return best
    for action in range(mask.shape[0]):
        if mask[action]:  # something is untried
            return add_edge(nodes, edges, counts, node, pick_legal(mask, counts.stream), 0.0)
    return best


@large_kernel
def best_by_prior(edges, node, exploration):
    """Return the edge of a ``NODE`` record that PUCT takes.

    ``mean + c * prior * sqrt(visits of the node) / (1 + visits)`` (Silver et al., Nature 550, 2017); an
    action that nobody has tried counts as good as the network holds the node to be.
    """
    best, highest = NONE, -1.0
    root = exploration * math.sqrt(node.visits)
    edge = node.first
    while edge != NONE:
        one = edges[edge]
        mean = one.total / one.visits if one.visits > 0 else node.value
        bound = mean + root * one.prior / (1 + one.visits)
        if bound > highest:
            best, highest = edge, bound
        edge = one.following
    return best
