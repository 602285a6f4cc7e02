"""Kingsburg told a second time, straight from the rulebook: the oracle that compiled rules are compared with.

It shares nothing with ``kingmaker.envs.kingsburg``: a game is one story told by generators, which yield the
seat that chooses with its choices and are sent one of them. There is no phase, no step and no bit set here,
so that a slip in those cannot be repeated. Dice are multisets of faces, not slots.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any

from figures_kingsburg import (
    ADVISOR,
    ANY,
    BUILDING,
    COLUMN,
    ENEMIES,
    GOODS,
    ROWS,
    STRENGTHS,
    Advisor,
    Enemy,
    Goods,
    combat_bonus,
)

# A choice is an action's name, or a placement: coloured faces, white faces, token, Market step.
Choice = Any
# A question: who chooses, among which choices.
Question = tuple[int, frozenset[Choice]]
Story = Generator[Question, Choice, None]
Answer = Generator[Question, Choice, Choice]

YEARS = sorted(STRENGTHS)


def multisets(verb: str, count: int, kinds: Iterable[str] = ANY) -> set[str]:
    """Return the names of the choices of ``count`` goods."""
    ordered = [kind for kind in GOODS if kind in kinds]
    return {"-".join((verb, *chosen)) for chosen in combinations_with_replacement(ordered, count)}


def amounts(choice: str) -> dict[str, int]:
    """Return how many goods of each kind a choice names."""
    return {kind: choice.split("-")[1:].count(kind) for kind in GOODS}


def subsets(dice: list[int]) -> set[tuple[int, ...]]:
    """Return the multisets of faces that some of the dice show."""
    return {tuple(sorted(chosen)) for count in range(len(dice) + 1) for chosen in combinations(dice, count)}


@dataclass
class Seat:
    """What lies before a seat."""

    goods: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    tokens: int = 0
    vp: int = 0
    soldiers: int = 0
    owned: set[str] = field(default_factory=set)
    coloured: list[int] = field(default_factory=list)  # free dice
    white: list[int] = field(default_factory=list)
    aid_die: bool = False
    used: set[str] = field(default_factory=set)  # what serves once a season and has served

    def held(self) -> int:
        """Return the number of goods."""
        return sum(self.goods.values())

    def gain(self, goods: Goods | dict[str, int], times: int = 1) -> None:
        """Take goods, or give them with ``times=-1``."""
        for kind, count in goods._asdict().items() if isinstance(goods, Goods) else goods.items():
            self.goods[kind] += times * count

    def can_pay(self, cost: dict[str, int]) -> bool:
        """Return whether the seat has these goods."""
        return all(self.goods[kind] >= cost[kind] for kind in GOODS)

    def payable(self, verb: str, count: int) -> set[str]:
        """Return the choices of ``count`` goods that the seat has."""
        return {choice for choice in multisets(verb, count) if self.can_pay(amounts(choice))}

    def price(self, name: str) -> dict[str, int]:
        """Return what a building costs this seat (KB-28)."""
        cost = BUILDING[name].cost._asdict()
        cost["gold"] -= "crane" in self.owned and COLUMN[name] >= 2
        return cost

    def buildable(self) -> set[str]:
        """Return what the seat can build now (KB-140, KB-141)."""
        following = (next((name for name in row if name not in self.owned), None) for row in ROWS)
        return {name for name in following if name and self.can_pay(self.price(name))}


def placements(seat: Seat, closed: set[int], envoy: bool) -> set[Choice]:
    """Return every placement that a seat may make, by brute force over free dice (KB-6 to KB-13, KB-22)."""
    found = set()
    for coloured in subsets(seat.coloured) - {()}:
        for white in subsets(seat.white):
            for token in range(1 + (seat.tokens > 0 and "token" not in seat.used)):
                shift = "market" in seat.owned and "market" not in seat.used
                for step in (-1, 0, 1) if shift else (0,):
                    target = sum(coloured) + sum(white) + 2 * token + step
                    if 1 <= target <= 18 and (envoy or target not in closed):
                        found.add((coloured, white, token, step))
    return found


def combat_value(soldiers: int, reinforcements: int, owned: set[str], enemy: Enemy) -> int:
    """Return a seat's combat value (KB-45, KB-46)."""
    return soldiers + reinforcements + combat_bonus(frozenset(owned), enemy.kind)


def wins(value: int, owned: set[str], enemy: Enemy) -> bool:
    """Return whether a combat value wins (KB-171, KB-47)."""
    return value > enemy.strength or (value == enemy.strength and "stone-wall" in owned)


def falling(owned: set[str]) -> str | None:
    """Return the building that a lost battle takes (KB-51)."""
    inverse = [row[column] for column in (3, 2, 1, 0) for row in ROWS]
    return next((name for name in inverse if name in owned), None)


@dataclass
class Reference:
    """A game; run ``story`` and look at the fields.

    Attributes:
        num_players: seats in play.
        order: the first turn order.
        deck: the enemy card of each year.
        roll: rolls a die.
        stables_once: the option of that name.
    """

    num_players: int
    order: list[int]
    deck: list[str]
    roll: Callable[[], int]
    stables_once: bool = False
    seats: list[Seat] = field(default_factory=list)
    year: int = 0
    envoy: int = -1
    blocked: set[int] = field(default_factory=set)
    groups: dict[int, list[int]] = field(default_factory=dict)  # advisor -> seats with a group, in order
    peeked: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seats = [Seat() for _ in range(self.num_players)]

    def story(self) -> Story:
        """Play the game (KB-110, KB-173)."""
        for self.year in YEARS:
            yield from self._aid()
            yield from self._season("spring")
            most = max(len(seat.owned) for seat in self.seats)
            for seat in self.seats:
                seat.vp += len(seat.owned) == most
            yield from self._season("summer")
            self.envoy = self._neediest()[0] if len(self._neediest()) == 1 else -1
            yield from self._season("autumn")
            yield from self._recruiting()
            yield from self._winter()
        for seat in self.seats:
            seat.vp += seat.held() // 2 if "cathedral" in seat.owned else 0

    def ranks(self) -> list[int]:
        """Return each seat's rank at the end (KB-174, KB-55)."""
        worth = [(seat.vp, seat.held(), len(seat.owned)) for seat in self.seats]
        return [sum(other > mine for other in worth) for mine in worth]

    def _ask(self, number: int, choices: Iterable[Choice]) -> Answer:
        """Ask a seat; a choice of one is none."""
        only = frozenset(choices)
        if len(only) == 1:
            return next(iter(only))
        return (yield number, only)

    def _neediest(self) -> list[int]:
        """Return the seats with the fewest buildings, among them the fewest goods, in turn order."""
        need = {number: (len(self.seats[number].owned), self.seats[number].held()) for number in self.order}
        return [number for number in self.order if need[number] == min(need.values())]

    def _aid(self) -> Story:
        needy = self._neediest()
        for number in needy:
            if len(needy) == 1:
                self.seats[number].aid_die = True
            else:
                yield from self._take(number, 1, ANY)

    def _take(self, number: int, count: int, kinds: Iterable[str], price: int = 0) -> Story:
        offers = multisets("take", count, kinds) | ({"decline-offer"} if price else set())
        choice = yield from self._ask(number, offers)
        if choice != "decline-offer":
            self.seats[number].gain(amounts(choice))
            self.seats[number].vp -= price

    # --- a productive season --------------------------------------------------------------------------

    def _season(self, season: str) -> Story:
        self.blocked, self.groups = set(), {}
        if self.num_players == 2:
            self._block()
        for number in self.order:
            self.seats[number].gain(Goods(gold="merchants-guild" in self.seats[number].owned))
        for number in self.order:
            seat = self.seats[number]
            seat.used = set()
            self._throw(seat, seat.aid_die + ("farms" in seat.owned))
        for number in self.order:
            yield from self._rerolls(number)
        self.order.sort(key=lambda number: sum(self.seats[number].coloured) + sum(self.seats[number].white))
        yield from self._influence()
        for advisor in sorted(self.groups):
            for number in self.order:
                for _ in range(self.groups[advisor].count(number)):
                    yield from self._help(number, ADVISOR[advisor])
        for number in self.order:
            yield from self._build(number)
        for seat in self.seats:
            seat.aid_die = False
            seat.tokens += season == "summer" and "inn" in seat.owned
            seat.vp += "embassy" in seat.owned
        for number in self.order:
            if "town-hall" in self.seats[number].owned:
                yield from self._sell(self.seats[number], number)

    def _block(self) -> None:
        three = self.roll() + self.roll() + self.roll()
        pair = self.roll(), self.roll()
        self.blocked = {three, *(pair if sum(pair) == three else (sum(pair),))}

    def _throw(self, seat: Seat, white: int) -> None:
        seat.coloured = [self.roll() for _ in range(3)]
        seat.white = [self.roll() for _ in range(white)]

    def _rerolls(self, number: int) -> Story:
        seat = self.seats[number]
        while True:
            dice, choices = seat.coloured + seat.white, {"keep-roll"}
            if "statue" in seat.owned - seat.used and len(set(dice)) == 1:
                choices |= {"reroll-coloured"} | ({"reroll-white"} if seat.white else set())
            if "chapel" in seat.owned - seat.used and sum(dice) <= 7:
                choices |= {"reroll-all"}
            choice = yield from self._ask(number, choices)
            if choice == "keep-roll":
                return
            if choice == "reroll-all":
                seat.used.add("chapel")
                self._throw(seat, len(seat.white))
            else:
                seat.used.add("statue")
                colour = seat.coloured if choice == "reroll-coloured" else seat.white
                colour[0] = self.roll()

    def _influence(self) -> Story:
        placing = list(self.order)
        while placing:
            for number in list(placing):
                seat = self.seats[number]
                closed = self.blocked | set(self.groups)
                choice = yield from self._ask(
                    number, {"pass"} | placements(seat, closed, self.envoy == number)
                )
                if choice == "pass":
                    placing.remove(number)
                else:
                    self._place(number, closed, *choice)

    def _place(
        self,
        number: int,
        closed: set[int],
        coloured: tuple[int, ...],
        white: tuple[int, ...],
        token: int,
        step: int,
    ) -> None:
        seat = self.seats[number]
        for face in coloured:
            seat.coloured.remove(face)
        for face in white:
            seat.white.remove(face)
        seat.tokens -= token
        seat.used |= ({"token"} if token else set()) | ({"market"} if step else set())
        advisor = sum(coloured) + sum(white) + 2 * token + step
        if advisor in closed:
            self.envoy = -1
        self.groups.setdefault(advisor, []).append(number)

    def _help(self, number: int, advisor: Advisor) -> Story:
        seat = self.seats[number]
        seat.gain(advisor.given)
        seat.tokens += advisor.tokens
        seat.vp += advisor.vp
        if advisor.soldiers:
            seat.soldiers += advisor.soldiers
            if "stables" in seat.owned and not (self.stables_once and "stables" in seat.used):
                seat.used.add("stables")
                seat.soldiers += 1
        if advisor.peek:
            self.peeked.add(number)
        if advisor.trades:
            offers = {f"trade-{kind}" for kind in GOODS if seat.goods[kind]} | {"decline-trade"}
            choice = yield from self._ask(number, offers)
            if choice != "decline-trade":
                seat.gain({kind: -1 if choice == f"trade-{kind}" else 1 for kind in GOODS})
        if advisor.choice:
            yield from self._take(number, advisor.choice, advisor.kinds, advisor.price)

    def _build(self, number: int) -> Story:
        seat = self.seats[number]
        for building in (1, 2):
            if building == 2 and self.envoy != number:
                return
            offers = {f"build-{name}" for name in seat.buildable()} | {"build-nothing"}
            choice = yield from self._ask(number, offers)
            if choice == "build-nothing":
                return
            name = choice.removeprefix("build-")
            seat.gain(seat.price(name), -1)
            seat.vp += BUILDING[name].vp
            seat.owned.add(name)
            if building == 2:
                self.envoy = -1

    def _sell(self, seat: Seat, number: int) -> Story:
        offers = {f"pay-{kind}" for kind in GOODS if seat.goods[kind]} | {"pay-nothing"}
        choice = yield from self._ask(number, offers | ({"pay-token"} if seat.tokens else set()))
        if choice == "pay-nothing":
            return
        seat.vp += 1
        if choice == "pay-token":
            seat.tokens -= 1
        else:
            seat.goods[choice.removeprefix("pay-")] -= 1

    # --- recruiting and Winter ------------------------------------------------------------------------

    def _recruiting(self) -> Story:
        for number in self.order:
            seat, choice = self.seats[number], ""
            price = 1 if "barracks" in seat.owned else 2
            while choice != "stop-recruiting":
                choice = yield from self._ask(number, seat.payable("recruit", price) | {"stop-recruiting"})
                if choice != "stop-recruiting":
                    seat.gain(amounts(choice), -1)
                    seat.soldiers += 1

    def _winter(self) -> Story:
        enemy, die = ENEMIES[self.deck[self.year - 1]], self.roll()
        values = [combat_value(seat.soldiers, die, seat.owned, enemy) for seat in self.seats]
        won = [wins(value, seat.owned, enemy) for value, seat in zip(values, self.seats, strict=True)]
        best = max((value for value, victory in zip(values, won, strict=True) if victory), default=None)
        for seat, value, victory in zip(self.seats, values, won, strict=True):
            seat.vp += victory and value == best
        for number in self.order:
            if won[number]:
                yield from self._victory(number, enemy)
            elif values[number] < enemy.strength:
                yield from self._defeat(number, enemy)
        for seat in self.seats:
            seat.soldiers = 0
        self.peeked = set()

    def _victory(self, number: int, enemy: Enemy) -> Story:
        seat = self.seats[number]
        seat.gain(enemy.wins)
        seat.vp += enemy.vp_won + ("fortress" in seat.owned)
        if enemy.choice_won:
            yield from self._take(number, enemy.choice_won, ANY)

    def _defeat(self, number: int, enemy: Enemy) -> Story:
        seat = self.seats[number]
        seat.gain({kind: min(seat.goods[kind], count) for kind, count in enemy.loses._asdict().items()}, -1)
        due = min(enemy.choice_lost, seat.held())
        if due:
            choice = yield from self._ask(number, seat.payable("lose", due))
            seat.gain(amounts(choice), -1)
        name = falling(seat.owned) if enemy.building_lost else None
        if name:
            seat.owned.remove(name)
            seat.vp -= BUILDING[name].vp
        seat.vp -= enemy.vp_lost
