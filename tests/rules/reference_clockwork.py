"""Slow second opinions on Clockwork Kingdom, by trying everything: payments, and what hands may be.

They follow the rulebook and share nothing with the game's rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

from figures_clockwork import PAIRS

Amounts = tuple[int, ...]  # by resource
Hand = tuple[int, ...]  # kinds of Ruins cards, sorted

# --- payments -----------------------------------------------------------------------------------------


def payments(store: Amounts, cost: Amounts, slots: Sequence[int], discount: int = 0) -> set[Amounts]:
    """Return every way to pay, as the units given of each resource (CK-21, CK-29).

    Args:
        store: what the seat has.
        cost: what the schematic asks for.
        slots: 1 for each pair of resources with an alchemy stone.
        discount: units of the cost that fall away, whichever the owner likes.
    """
    stones = frozenset(pair for pair, filled in zip(PAIRS, slots, strict=True) if filled)
    due = max(0, sum(cost) - discount)
    ways = product(*(range(min(amount, due) + 1) for amount in store))
    return {given for given in ways if sum(given) == due and covers(given, cost, stones)}


@cache
def covers(given: Amounts, cost: Amounts, stones: frozenset[tuple[int, int]]) -> bool:
    """Return whether each unit given can stand for a unit of the cost of its own, with one stone at most."""
    unit = next((resource for resource in range(4) if given[resource]), None)
    if unit is None:
        return True
    rest = less(given, unit)
    return any(
        covers(rest, less(cost, asked), stones)
        for asked in range(4)
        if cost[asked] and (asked == unit or (min(unit, asked), max(unit, asked)) in stones)
    )


def less(amounts: Amounts, resource: int) -> Amounts:
    """Return the amounts with one unit fewer."""
    return tuple(amount - (number == resource) for number, amount in enumerate(amounts))


# --- hands --------------------------------------------------------------------------------------------


class Rumour:
    """All hands that a seat may have, as far as everybody can tell (CK-194).

    Args:
        kinds: how many kinds of Ruins cards there are.
        windows: for each window the kinds that may be played in it.
    """

    def __init__(self, kinds: int, windows: Sequence[Iterable[int]]) -> None:
        self.kinds = kinds
        self.windows = [frozenset(window) for window in windows]
        self.hands: set[Hand] = {()}

    def draw(self) -> None:
        """The seat has drawn a card that nobody else saw."""
        self.hands = {tuple(sorted((*hand, kind))) for hand in self.hands for kind in range(self.kinds)}

    def lose(self, kind: int) -> None:
        """The seat has played or discarded a card face up."""
        self.hands = {without(hand, kind) for hand in self.hands if kind in hand}

    def window(self, number: int, asked: bool) -> None:
        """The seat was asked in a window, or passed over."""
        kinds = self.windows[number]
        self.hands = {hand for hand in self.hands if kinds.isdisjoint(hand) != asked}

    def possible(self, unseen: Sequence[int]) -> set[Hand]:
        """Return the hands that the copies not seen elsewhere allow, given their number by kind."""
        return {hand for hand in self.hands if all(hand.count(k) <= unseen[k] for k in set(hand))}


def without(hand: Hand, kind: int) -> Hand:
    """Return a hand with one card fewer."""
    place = hand.index(kind)
    return hand[:place] + hand[place + 1 :]
