"""Simulations over any game's rules: through the tree, on by playout, and back.

``GameSpec.entry(search)`` compiles the search for a game. Each of the rules is called at one place in its
loop, since they are compiled into it whole.
"""

from __future__ import annotations

import math

from kingmaker.agents.ismcts.kernels.choice import choose_edge
from kingmaker.agents.ismcts.kernels.records import (
    MAX_DEPTH,
    NONE,
    OBSERVER_ROOT,
    PLAY_HEURISTIC,
)
from kingmaker.agents.ismcts.kernels.tree import add_edge, add_node, back_up, find_node, follow, key_of
from kingmaker.envs.core.chance import next_seed, pick_legal, seed_stream
from kingmaker.envs.core.contract import RUNNING, heuristic, legal, observe, outcome, redeal
from kingmaker.envs.core.kernel import generic
from kingmaker.envs.core.loops import PURPOSE_GAME, move, write_returns

# A lead of this share of the score's scale multiplies the odds of winning a game that was cut off by e.
SPREAD = 0.05


@generic
def deal(state, tables, seat, everything_open, stream):
    """Draw again, from the search's own stream, all chance to come and all that ``seat`` cannot know."""
    seed = next_seed(stream)
    if everything_open:
        seed_stream(state.chance, seed, PURPOSE_GAME)
    else:
        redeal(state, tables, seat, seed)


@generic
def estimate_returns(state, tables, scale, ranks, scores, out):
    """Write what a game that was cut off is worth to each seat, by the scores so far.

    Each seat's chance to win is a softmax of the scores; the returns are the expected ones of ``WIN``.
    """
    n = state.num_players
    outcome(state, tables, ranks, scores)
    highest = scores[0]
    for seat in range(1, n):
        highest = max(highest, scores[seat])
    total = 0.0
    for seat in range(n):
        out[seat] = math.exp((scores[seat] - highest) / (SPREAD * scale))
        total += out[seat]
    for seat in range(n):
        out[seat] = (n * out[seat] / total - 1.0) / (n - 1)


@generic
def simulate(
    state, tables, seat, settings, nodes, edges, table, path, counts,
    words, observation, mask, ranks, scores, returns,
):  # fmt: skip
    """Play one simulation from ``state``, a copy of the root that has been dealt anew, and back it up.

    It goes through nodes met before, adds the first that is new, and plays on from there.
    """
    length, fresh, in_tree, played = 0, NONE, True, 0
    while state.over == RUNNING and (settings.cut == 0 or played < settings.cut):
        mask[:] = 0
        legal(state, tables, mask)
        actor = state.actor
        if in_tree or settings.playout == PLAY_HEURISTIC:
            viewer = seat if in_tree and settings.observer == OBSERVER_ROOT else actor
            observe(state, tables, viewer, observation)
        if in_tree:
            key = key_of(words, actor)
            slot = find_node(nodes, table, key)
            edge = NONE
            if table[slot] != NONE and length < MAX_DEPTH - 1:
                edge = choose_edge(nodes, edges, counts, table[slot], mask, settings)
            if edge == NONE:  # the tree ends here
                in_tree = False
                if table[slot] == NONE:
                    fresh = add_node(nodes, table, counts, slot, key)
                continue
            length = follow(edges, path, length, edge, actor)
            action = edges[edge].action
        else:
            if settings.playout == PLAY_HEURISTIC:
                action = heuristic(state, tables, observation, mask, counts.stream)
            else:
                action = pick_legal(mask, counts.stream)
            played += 1
            if fresh != NONE:  # the playout's first move is the new node's first edge: trusted
                nodes[fresh].visits = 1
                edge = add_edge(nodes, edges, counts, fresh, action, 1.0)
                if edge != NONE:
                    length = follow(edges, path, length, edge, actor)
                fresh = NONE
        move(state, tables, action)
        counts.decisions += 1
    if state.over == RUNNING:
        estimate_returns(state, tables, settings.scale, ranks, scores, returns)
    else:
        write_returns(state, tables, settings.mode, settings.scale, ranks, scores, returns)
    back_up(edges, path, length, returns)
    counts.simulations += 1


def search(
    roots, works, tables, seat, simulations, settings,
    nodes, edges, table, path, counts,
    words, observation, mask, ranks, scores, returns,
):  # fmt: skip
    """Run so many simulations for ``seat``, from game 0 of ``roots``; the tree grows on from what it is.

    * ``roots``: the game, ``(1,)``, which stays as it is; ``works``: a record for the simulations.
    * ``tables``: its tables; ``seat``: the seat to move, which is searched for; ``settings``: ``(1,)``.
    * ``nodes``, ``edges``, ``table``, ``path``, ``counts``: an ``Arena``.
    * ``words``, ``observation``: uint32 and float32 ``(F,)`` in the same memory; ``mask``: int8 ``(A,)``.
    * ``ranks``, ``scores``, ``returns``: int64, float32 and float32 ``(P,)``.
    """
    for _ in range(simulations):
        works[0] = roots[0]
        deal(works[0], tables[0], seat, settings[0].open, counts[0].stream)
        simulate(
            works[0], tables[0], seat, settings[0], nodes, edges, table, path, counts[0],
            words, observation, mask, ranks, scores, returns,
        )  # fmt: skip
