"""What the King gives by the number of buildings: his aid, his reward and his Envoy."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.events import AID_DIE, ENVOY_GAINED, ENVOY_IDLE
from kingmaker.envs.kingsburg.rules.board import count_buildings, neediest, score
from kingmaker.envs.kingsburg.rules.goods import offer_goods
from kingmaker.envs.kingsburg.state import (
    AIDING,
    ANY_KIND,
    FROM_KINGS_REWARD,
    NO_SEAT,
    PHASE_OVER,
    RUN,
)


@kernel
def only_seat(seats):
    """Return the seat in a set of one, NO_SEAT for larger sets."""
    if seats & (seats - 1):
        return NO_SEAT
    seat = 0
    while seats >> seat & 1 == 0:
        seat += 1
    return seat


@kernel
def begin_aid(state, tables):
    """Give the white die to the neediest seat, or have all the neediest take a good (KB-112, KB-38)."""
    seats = neediest(state)
    seat = only_seat(seats)
    if seat != NO_SEAT:
        state.seats[seat].aid_die = 1
        note(tables, AID_DIE, seat, 0, 0, 0)
        state.step = PHASE_OVER
    else:
        state.waiting = seats
        state.position = 0
        state.step = AIDING


@kernel
def go_on_aiding(state, tables):
    """Ask the next of the tied seats for a good, in turn order (KB-41)."""
    while state.position < state.num_players:
        seat = state.order[state.position]
        state.position += 1
        if state.waiting >> seat & 1:
            state.waiting &= ~(1 << seat)
            offer_goods(state, tables, seat, 1, ANY_KIND, 0)
            if state.phase != RUN:
                return
    state.step = PHASE_OVER


@kernel
def reward_builders(state, tables):
    """Give a point to each seat with the most buildings, even if that is none (KB-113, KB-40)."""
    most = 0
    for seat in range(state.num_players):
        most = max(most, count_buildings(state.seats[seat]))
    for seat in range(state.num_players):
        if count_buildings(state.seats[seat]) == most:
            score(state, tables, seat, FROM_KINGS_REWARD, 1)
    state.step = PHASE_OVER


@kernel
def send_envoy(state, tables):
    """Take the Envoy back and give it to the neediest seat, to nobody if seats tie (KB-21, KB-24)."""
    state.envoy = only_seat(neediest(state))
    if state.envoy == NO_SEAT:
        note(tables, ENVOY_IDLE, -1, 0, 0, 0)
    else:
        note(tables, ENVOY_GAINED, state.envoy, 0, 0, 0)
    state.step = PHASE_OVER
