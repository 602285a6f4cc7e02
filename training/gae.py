"""Generalised advantage estimation with one trajectory a seat, and what is carried over a rollout's edge.

A seat's next state is its own next decision, or the end of its game; what others do in between belongs to
the environment. Rows of a rollout hold decisions of all seats as they fall, in any order.

**The edge.** The last decision of a seat in a rollout has no successor yet. It is not given a guess: it stays
out of this update and is *carried* into the next rollout as that seat's first row, together with the rewards
that have come in since; before it, its value closes the seat's trajectory, just as the value of the state at
the edge does in one-player PPO. The alternative, the value of the seat's view at the edge, would ask the
network about positions in which the seat is not to move, which it is never trained on, and cost another
forward pass. A carried decision was made by the policy of one update earlier; its stored log-probability
keeps the probability ratio right.

A game that a move limit cuts off counts as ended: the limit is a rule of the game, with returns of its own.
"""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.kernel import kernel

NO_SEAT = -1
NO_ROW = -1


@kernel
def seat_advantages(seats, values, rewards, dones, discount, trace, advantages, trained, last, owed):
    """Walk a rollout backwards and write each decision's advantage along its seat's own trajectory.

    ``R`` is rows, ``N`` games, ``P`` seats.

    Args:
        seats: int64 ``(R, N)``, the seat that decides, ``NO_SEAT`` where there is nothing to learn from.
        values: float32 ``(R, N)``, the value of the deciding seat's view.
        rewards: float32 ``(R, N, P)``, what each seat got for the step.
        dones: bool ``(R, N)``, whether the step ended the game; the next row then starts another.
        discount: of a reward, for each own decision before it.
        trace: lambda of the estimate.
        advantages: float32 ``(R, N)``, written where ``trained``.
        trained: bool ``(R, N)``, written: decisions of a seat whose successor is known.
        last: int64 ``(N, P)``, written: the row of the seat's decision to carry, or ``NO_ROW``.
        owed: float32 ``(N, P)``, written: rewards since that decision.
    """
    games, players = last.shape
    known = np.zeros((games, players), np.bool_)
    next_value = np.zeros((games, players), np.float32)
    next_advantage = np.zeros((games, players), np.float32)
    gained = np.zeros((games, players), np.float32)
    last[:] = NO_ROW
    owed[:] = 0.0
    for row in range(seats.shape[0] - 1, -1, -1):
        for i in range(games):
            if dones[row, i]:
                for p in range(players):
                    known[i, p] = True
                    next_value[i, p] = 0.0
                    next_advantage[i, p] = 0.0
                    gained[i, p] = 0.0
            for p in range(players):
                gained[i, p] += rewards[row, i, p]
            seat = seats[row, i]
            trained[row, i] = False
            if seat == NO_SEAT:
                continue
            if known[i, seat]:
                error = gained[i, seat] + discount * next_value[i, seat] - values[row, i]
                next_advantage[i, seat] = error + discount * trace * next_advantage[i, seat]
                advantages[row, i] = next_advantage[i, seat]
                trained[row, i] = True
            else:
                known[i, seat] = True
                last[i, seat] = row
                owed[i, seat] = gained[i, seat]
            next_value[i, seat] = values[row, i]
            gained[i, seat] = 0.0


@kernel
def carry_over(last, owed, seats, observations, masks, actions, log_probs, rewards, dones):
    """Move each seat's unfinished decision to its carry row: row ``p`` for seat ``p``, the first ``P`` rows.

    Args:
        last: int64 ``(N, P)``, from ``seat_advantages``.
        owed: float32 ``(N, P)``, from ``seat_advantages``.
        seats: int64 ``(R, N)``.
        observations: float32 ``(R, N, F)``.
        masks: int8 ``(R, N, A)``.
        actions: int64 ``(R, N)``.
        log_probs: float32 ``(R, N)``.
        rewards: float32 ``(R, N, P)``.
        dones: bool ``(R, N)``.
    """
    games, players = last.shape
    for p in range(players):
        for i in range(games):
            row = last[i, p]
            seats[p, i] = NO_SEAT
            dones[p, i] = False
            rewards[p, i, :] = 0.0
            if row == NO_ROW:
                continue
            # A row below P can only be seat p's own carry row, so nothing still needed is overwritten.
            seats[p, i] = p
            rewards[p, i, p] = owed[i, p]
            if row != p:
                observations[p, i] = observations[row, i]
                masks[p, i] = masks[row, i]
                actions[p, i] = actions[row, i]
                log_probs[p, i] = log_probs[row, i]
