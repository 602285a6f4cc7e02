"""The Battle for the Kingdom: military tokens each round, points every third."""

from __future__ import annotations

from kingmaker.envs.clockwork_kingdom.events import WAR_ENDS, WAR_SCORED
from kingmaker.envs.clockwork_kingdom.rules.gains import put_token
from kingmaker.envs.clockwork_kingdom.state import FROM_BATTLES, MAX_BATTLEFIELDS
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note


@kernel
def resolve_battle(state, tables):
    """Put a token on each battlefield for a seat with workers there (CK-140, CK-36, CK-192)."""
    for place in range(state.num_players):
        seat = state.order[place]
        battle = state.seats[seat].battle
        for battlefield in range(MAX_BATTLEFIELDS):
            count = battle[battlefield] if state.per_worker else min(battle[battlefield], 1)
            for _ in range(count):
                put_token(state, tables, seat, battlefield)
            battle[battlefield] = 0


@kernel
def score(state, tables, seat, battlefield, points):
    """Give points for a battlefield."""
    board = state.seats[seat]
    board.points[FROM_BATTLES] += points
    note(tables, WAR_SCORED, seat, points, battlefield + 1, board.forces[battlefield])


@large_kernel
def score_battlefield(state, tables, war, battlefield):
    """Score one battlefield for first and second place (CK-38 to CK-40, CK-144)."""
    best, second = 0, 0
    for seat in range(state.num_players):
        force = state.seats[seat].forces[battlefield]
        if force > best:
            best, second = force, best
        elif second < force < best:
            second = force
    firsts, seconds = 0, 0
    for seat in range(state.num_players):
        firsts += state.seats[seat].forces[battlefield] == best
        seconds += state.seats[seat].forces[battlefield] == second
    for seat in range(state.num_players):
        force = state.seats[seat].forces[battlefield]
        if force > 0 and force == best:
            state.seats[seat].won += 1
            score(state, tables, seat, battlefield, war.first if firsts == 1 else war.shared[firsts - 2])
        elif force > 0 and force == second and firsts == 1 and seconds == 1:
            score(state, tables, seat, battlefield, war.second)


@large_kernel
def end_war(state, tables, war):
    """Score all battlefields and take the tokens back (CK-141 to CK-145)."""
    for battlefield in range(MAX_BATTLEFIELDS):
        score_battlefield(state, tables, war, battlefield)
    for seat in range(state.num_players):
        board = state.seats[seat]
        for battlefield in range(MAX_BATTLEFIELDS):
            board.tokens += board.forces[battlefield]
            board.forces[battlefield] = 0
    note(tables, WAR_ENDS, -1, war.after, 0, 0)
