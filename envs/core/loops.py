"""Loops over any game's rules, compiled once per game: what the environments call.

Functions marked ``generic`` are building blocks; those in ``ENTRIES`` are called from Python. Python calls
pass whole arrays (a single game is an array of one): Numba unpacks those four times faster than records.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.chance import next_seed, pick_legal, seed_stream
from kingmaker.envs.core.contract import (
    NOBODY,
    RUNNING,
    TRUNCATED,
    apply,
    heuristic,
    legal,
    observe,
    outcome,
    redeal,
    reset,
)
from kingmaker.envs.core.kernel import borrow, clear, generic

# Reward modes.
WIN, PLACEMENT, SCORE = range(3)
# Who plays a seat in ``SeatGames``: the learner, an agent outside the kernels, or a compiled one.
LEARNER, EXTERNAL, RANDOM, HEURISTIC = range(4)
# What a seat game waits for.
WAIT_LEARNER, WAIT_EXTERNAL, WAIT_NOTHING = range(3)
# Answers of ``take_turn`` that are not the next seat to move.
TURN_OVER, TURN_ILLEGAL = -1, -2
# Purposes of chance streams, so that equal seeds give unrelated draws.
PURPOSE_GAME, PURPOSE_EPISODES, PURPOSE_AGENTS, PURPOSE_SEARCH = range(4)
# Reasons of an end, as environments report them in ``info``.
REASON_RUNNING, REASON_RULES, REASON_LIMIT, REASON_ILLEGAL = range(4)


@generic
def begin(state, tables, options, num_players, seed):
    """Start a game in a record of zeros, so that equal seeds give equal bytes whatever was there before."""
    clear(state)
    reset(state, tables, options, num_players, seed)


@generic
def write_view(state, tables, observation, mask):
    """Write mask and observation of the seat to move; an ended game has an empty mask and keeps its view."""
    mask[:] = 0
    if state.over == RUNNING:
        legal(state, tables, mask)
        observe(state, tables, state.actor, observation)


@generic
def write_returns(state, tables, mode, scale, ranks, scores, out):
    """Write the zero-sum return of each seat of an ended game, its rank and its score.

    ``WIN``: the winner gets +1 and the others -1/(n-1); k tied winners share what k such places hold.
    ``PLACEMENT``: +1 for the first down to -1 for the last in equal steps, ties averaged.
    ``SCORE``: own score less the mean score, divided by ``scale``.
    """
    n = np.int64(state.num_players)
    outcome(state, tables, ranks, scores)
    total = 0.0
    for seat in range(n):
        total += scores[seat]
    for seat in range(n):
        tied = 0
        for other in range(n):
            tied += ranks[other] == ranks[seat]
        if mode == WIN:
            out[seat] = -1.0 / (n - 1) if ranks[seat] > 0 else (1.0 - (tied - 1) / (n - 1)) / tied
        elif mode == PLACEMENT:
            out[seat] = 1.0 - 2.0 * (ranks[seat] + 0.5 * (tied - 1)) / (n - 1)
        else:
            out[seat] = (scores[seat] - total / n) / scale


@generic
def move(state, tables, action):
    """Apply a legal action, count it, and mark an ended game as nobody's turn."""
    apply(state, tables, action)
    state.moves += 1
    if state.over != RUNNING:
        state.actor = NOBODY
        state.choosing = 0


# --- one game -----------------------------------------------------------------------------------------


def start_game(states, tables, options, num_players, seed, observation, mask):
    """Reset game 0, write the first view, and return the seat to move."""
    state = states[0]
    begin(state, tables[0], options[0], num_players, seed)
    write_view(state, tables[0], observation, mask)
    return np.int64(state.actor)


def take_turn(states, tables, action, observation, mask):
    """Apply one action to game 0 and write the next view.

    Returns:
        The seat to move next, ``TURN_OVER``, or ``TURN_ILLEGAL`` if the mask forbids the action (then
        nothing has changed). ``mask`` must hold the present mask, as the call before left it.
    """
    if action < 0 or action >= mask.shape[0] or mask[action] == 0:
        return np.int64(TURN_ILLEGAL)
    state = states[0]
    move(state, tables[0], action)
    write_view(state, tables[0], observation, mask)
    return np.int64(state.actor)


def write_observation(states, tables, seat, observation):
    """Write what ``seat`` of game 0 may know."""
    observe(states[0], tables[0], seat, observation)


def write_mask(states, tables, mask):
    """Write the mask of the seat to move in game 0."""
    mask[:] = 0
    if states[0].over == RUNNING:
        legal(states[0], tables[0], mask)


def redeal_game(states, tables, seat, seed):
    """Redeal game 0 for ``seat``."""
    redeal(states[0], tables[0], seat, seed)


def game_returns(states, tables, mode, scale, ranks, scores, out):
    """Write ranks, scores and returns of game 0."""
    write_returns(states[0], tables[0], mode, scale, ranks, scores, out)


def game_heuristic(states, tables, observation, mask, streams):
    """Return the heuristic agent's action for one observation and mask."""
    return np.int64(heuristic(states[0], tables[0], observation, mask, streams[0]))


# --- many games ---------------------------------------------------------------------------------------


def batch_reset(states, tables, options, num_players, seeds, observations, masks, actors):
    """Start every game from its seed."""
    observations = borrow(observations)
    masks = borrow(masks)
    for i in range(states.shape[0]):
        begin(states[i], tables[0], options[0], num_players, seeds[i])
        write_view(states[i], tables[0], observations[i], masks[i])
        actors[i] = states[i].actor


def first_illegal(actions, masks, actors):
    """Return the first game whose action its mask forbids (ended games accept any action), or -1."""
    for i in range(actions.shape[0]):
        action = actions[i]
        if actors[i] != NOBODY and (action < 0 or action >= masks.shape[1] or masks[i, action] == 0):
            return np.int64(i)
    return np.int64(-1)


def batch_step(
    states, tables, options, episodes, actions, autoreset, mode, scale,
    observations, masks, actors, rewards, ranks, scores, over,
):  # fmt: skip
    """Apply one legal action to every game; with ``autoreset`` an ended game starts anew in the same call."""
    observations = borrow(observations)
    masks = borrow(masks)
    rewards = borrow(rewards)
    ranks = borrow(ranks)
    scores = borrow(scores)
    for i in range(states.shape[0]):
        state = states[i]
        rewards[i, :] = 0.0
        if state.over != RUNNING:
            continue
        move(state, tables[0], actions[i])
        over[i] = state.over
        if state.over != RUNNING:
            write_returns(state, tables[0], mode, scale, ranks[i], scores[i], rewards[i])
            if autoreset:
                begin(state, tables[0], options[0], state.num_players, next_seed(episodes[i]))
        write_view(state, tables[0], observations[i], masks[i])
        actors[i] = state.actor


def batch_random(masks, actors, streams, actions):
    """Draw a uniform legal action for every running game from its own stream."""
    masks = borrow(masks)
    for i in range(masks.shape[0]):
        actions[i] = pick_legal(masks[i], streams[i]) if actors[i] != NOBODY else 0


def batch_heuristic(states, tables, observations, masks, actors, streams, actions):
    """Ask the heuristic agent for every running game."""
    observations = borrow(observations)
    masks = borrow(masks)
    for i in range(masks.shape[0]):
        actions[i] = 0
        if actors[i] != NOBODY:
            actions[i] = heuristic(states[0], tables[0], observations[i], masks[i], streams[i])


def batch_redeal(states, tables, seats, seeds):
    """Redeal every game for its seat in ``seats``."""
    for i in range(states.shape[0]):
        redeal(states[i], tables[0], seats[i], seeds[i])


def seed_streams(streams, seed, first, purpose):
    """Seed ``streams[i]`` from ``seed``, ``purpose`` (below 8) and its index ``first + i`` (below 2**29)."""
    for i in range(streams.shape[0]):
        seed_stream(streams[i], seed, purpose + ((first + i) << 3))


def draw_seeds(streams, seeds):
    """Draw a seed from each stream."""
    for i in range(streams.shape[0]):
        seeds[i] = next_seed(streams[i])


# --- one learner among opponents ----------------------------------------------------------------------


@generic
def run_opponents(state, tables, learner, kinds, stream, observation, mask):
    """Play compiled opponents until the learner, an outside agent or nobody is to move; write that view.

    ``kinds[k]`` plays the seat ``k`` places after the learner (``kinds[0]`` is the learner itself).
    """
    while state.over == RUNNING:
        kind = kinds[(state.actor - learner) % state.num_players]
        write_view(state, tables, observation, mask)
        if kind == LEARNER:
            return WAIT_LEARNER
        if kind == EXTERNAL:
            return WAIT_EXTERNAL
        if kind == RANDOM:
            action = pick_legal(mask, stream)
        else:
            action = heuristic(state, tables, observation, mask, stream)
        move(state, tables, action)
    mask[:] = 1  # an ended episode: any action will do, and no policy meets an empty mask
    observe(state, tables, learner, observation)
    return WAIT_NOTHING


def seats_start(
    states, tables, options, num_players, chosen, episodes, streams, seat, kinds,
    learners, waits, observations, masks,
):  # fmt: skip
    """Start the games in ``chosen``; ``seat`` is the learner's, or -1 to draw it per episode."""
    observations = borrow(observations)
    masks = borrow(masks)
    for k in range(chosen.shape[0]):
        i = chosen[k]
        seed = next_seed(episodes[i])
        begin(states[i], tables[0], options[0], num_players, seed)
        drawn = next_seed(episodes[i]) % num_players
        learners[i] = drawn if seat < 0 else seat
        waits[i] = run_opponents(
            states[i], tables[0], learners[i], kinds, streams[i], observations[i], masks[i]
        )


def seat_turn(states, tables, action, streams, kinds, learners, observations, masks):
    """Play one learner's action in game 0 of ``SeatGames`` and then its compiled opponents.

    Returns:
        What the game waits for, or ``TURN_ILLEGAL`` (then nothing has changed).
    """
    if action < 0 or action >= masks.shape[1] or masks[0, action] == 0:
        return np.int64(TURN_ILLEGAL)
    move(states[0], tables[0], action)
    wait = run_opponents(states[0], tables[0], learners[0], kinds, streams[0], observations[0], masks[0])
    return np.int64(wait)


def seats_step(
    states, tables, chosen, actions, streams, kinds, learners, waits, observations, masks
):  # fmt: skip
    """Apply ``actions[k]``, legal for whoever is to move, to game ``chosen[k]``; then run opponents."""
    observations = borrow(observations)
    masks = borrow(masks)
    for k in range(chosen.shape[0]):
        i = chosen[k]
        move(states[i], tables[0], actions[k])
        waits[i] = run_opponents(
            states[i], tables[0], learners[i], kinds, streams[i], observations[i], masks[i]
        )


def seats_returns(states, tables, chosen, mode, scale, learners, ranks, scores, row, rewards, truncated):
    """Write the learner's return for each ended game in ``chosen`` and whether a limit ended it."""
    for k in range(chosen.shape[0]):
        i = chosen[k]
        write_returns(states[i], tables[0], mode, scale, ranks, scores, row)
        rewards[i] = row[learners[i]]
        truncated[i] = states[i].over == TRUNCATED


ENTRIES = (
    start_game,
    take_turn,
    write_observation,
    write_mask,
    redeal_game,
    game_returns,
    game_heuristic,
    batch_reset,
    first_illegal,
    batch_step,
    batch_random,
    batch_heuristic,
    batch_redeal,
    seed_streams,
    draw_seeds,
    seats_start,
    seat_turn,
    seats_step,
    seats_returns,
)
