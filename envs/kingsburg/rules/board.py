"""What every phase does to the board of a seat: count, own, score, gain, lose."""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.tape import note
from kingmaker.envs.kingsburg.events import GAINS_GOODS, LOSES_GOODS, SCORES
from kingmaker.envs.kingsburg.state import GOLD, STONE, WOOD


@kernel
def ask(state, seat, phase):
    """Put a question to a seat."""
    state.actor = seat
    state.phase = phase


@kernel
def count_goods(board):
    """Return how many goods a seat has; tokens are none (KB-104)."""
    return board.goods[GOLD] + board.goods[WOOD] + board.goods[STONE]


@kernel
def count_bits(bits):
    """Return how many members a set has."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def count_buildings(board):
    """Return how many buildings a seat has."""
    return count_bits(board.buildings)


@kernel
def has_effect(board, tables, effect):
    """Return whether a seat owns the building with this effect."""
    return board.buildings & tables.owners[effect] != 0


@large_kernel
def neediest(state):
    """Return the seats with the fewest buildings, and among these the fewest goods (KB-112, KB-114)."""
    seats, buildings, goods = 0, 0, 0
    for seat in range(state.num_players):
        built = count_buildings(state.seats[seat])
        held = count_goods(state.seats[seat])
        if seats == 0 or built < buildings or (built == buildings and held < goods):
            seats, buildings, goods = 1 << seat, built, held
        elif built == buildings and held == goods:
            seats |= 1 << seat
    return seats


@large_kernel
def score(state, tables, seat, source, points):
    """Give or take victory points; they may fall below 0 (KB-52)."""
    if points != 0:
        board = state.seats[seat]
        board.vp += points
        board.sources[source] += points
        note(tables, SCORES, seat, points, board.vp, source)


@large_kernel
def gain_goods(state, tables, seat, gold, wood, stone):
    """Give goods to a seat; the supply has no end (KB-105)."""
    if gold + wood + stone > 0:
        goods = state.seats[seat].goods
        goods[GOLD] += gold
        goods[WOOD] += wood
        goods[STONE] += stone
        note(tables, GAINS_GOODS, seat, gold, wood, stone)


@large_kernel
def lose_goods(state, tables, seat, gold, wood, stone):
    """Take goods that a seat has."""
    if gold + wood + stone > 0:
        goods = state.seats[seat].goods
        goods[GOLD] -= gold
        goods[WOOD] -= wood
        goods[STONE] -= stone
        note(tables, LOSES_GOODS, seat, gold, wood, stone)
