"""The rules of Sealed Bids; ``SB-n`` are the clauses of ``rulebook.md``."""

from __future__ import annotations

from kingmaker.envs.core.chance import draw, roll, seed_stream
from kingmaker.envs.core.contract import RUNNING, TERMINATED, TRUNCATED
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.loops import PURPOSE_GAME
from sealed_bids.actions import MAX_BID, PUSH_ON, STOP
from sealed_bids.state import BID, MAX_PLAYERS, NO_BID, PUSH

MAX_PUSHES = 2


@kernel
def deal(state, tables, known):
    """Deal a secret to every seat but ``known`` (-1 for none), each number once (SB-1)."""
    for seat in range(state.num_players):
        if seat == known:
            continue
        while True:
            secret = roll(state, tables, tables.secrets)
            free = known < 0 or state.seats[known].secret != secret
            for other in range(seat):
                if state.seats[other].secret == secret:
                    free = False
            if free:
                break
        state.seats[seat].secret = secret


@kernel
def begin_round(state, tables):
    """Show a prize and ask every seat that has a coin for a bid (SB-2, SB-3)."""
    state.rounds += 1
    state.phase = BID
    state.prize = roll(state, tables, tables.prizes)
    state.pushes = 0
    state.choosing = 0
    for seat in range(state.num_players):
        state.seats[seat].coins += 1
        state.seats[seat].bid = NO_BID
        state.choosing |= 1 << seat
    state.actor = 0


@kernel
def reveal(state, tables):
    """Pay the bids; the highest bid wins the prize, if nobody else made the same (SB-4)."""
    best, winner = NO_BID, -1
    for seat in range(state.num_players):
        board = state.seats[seat]
        board.coins -= board.bid
        if board.bid > best:
            best, winner = board.bid, seat
        elif board.bid == best:
            winner = -1
    if winner < 0:
        end_round(state, tables)
        return
    state.seats[winner].points += state.prize
    state.phase = PUSH
    state.actor = winner
    state.choosing = 1 << winner


@kernel
def end_round(state, tables):
    """End the game at the target or the limit (SB-6, SB-7), or begin the next round."""
    for seat in range(state.num_players):
        if state.seats[seat].points >= tables.target:
            state.over = TERMINATED
    if state.over == RUNNING and state.rounds >= state.max_rounds:
        state.over = TRUNCATED
    if state.over == RUNNING:
        begin_round(state, tables)


@kernel
def reset(state, tables, options, num_players, seed):
    """Start a game."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    state.moves = 0
    state.over = RUNNING
    state.num_players = num_players
    state.max_rounds = options.max_rounds
    state.rounds = 0
    for seat in range(MAX_PLAYERS):
        board = state.seats[seat]
        board.secret = 0
        board.coins = tables.coins if seat < num_players else 0
        board.points = 0
        board.bid = NO_BID
    deal(state, tables, -1)
    begin_round(state, tables)


@kernel
def legal(state, tables, mask):
    """Mark the legal actions: bids that one can pay (SB-3), or to push one's luck (SB-5)."""
    if state.phase == BID:
        for coins in range(min(MAX_BID, state.seats[state.actor].coins) + 1):
            mask[coins] = 1
    else:
        mask[STOP] = 1
        mask[PUSH_ON] = 1


@kernel
def apply(state, tables, action):
    """Apply a legal action and run on to the next choice."""
    board = state.seats[state.actor]
    if state.phase == BID:
        board.bid = action
        state.choosing &= ~(1 << state.actor)
        state.actor += 1
        if state.choosing == 0:
            reveal(state, tables)
    elif action == STOP:
        end_round(state, tables)
    else:
        state.pushes += 1
        board.points += 2 * draw(state, tables, 2) - 1  # SB-5
        if state.pushes == MAX_PUSHES or board.points == 0:
            end_round(state, tables)


@kernel
def redeal(state, tables, seat, seed):
    """Draw again what ``seat`` cannot know: the others' secrets, and their bids while these are hidden."""
    seed_stream(state.chance, seed, PURPOSE_GAME)
    deal(state, tables, seat)
    if state.phase != BID or state.over != RUNNING:
        return
    for other in range(state.num_players):
        board = state.seats[other]
        if other != seat and board.bid != NO_BID:
            board.bid = draw(state, tables, min(MAX_BID, board.coins) + 1)


@kernel
def outcome(state, tables, ranks, scores):
    """Rank by points and secret (SB-8)."""
    for seat in range(state.num_players):
        scores[seat] = state.seats[seat].points + state.seats[seat].secret
    for seat in range(state.num_players):
        ranks[seat] = 0
        for other in range(state.num_players):
            ranks[seat] += scores[other] > scores[seat]
