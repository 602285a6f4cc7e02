"""Krig told a second time, straight from the rulebook: the oracle that the compiled rules are compared with.

It shares nothing with ``kingmaker.envs.krig``: a match is one story told by generators, which yield the seat
that chooses with its legal actions and are sent the action's name. There is no phase, no pending record and
no bit set here, so that a slip in those cannot be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

# A question: who chooses, among which actions.
Question = tuple[int, frozenset[str]]
Story = Generator[Question, str, None]


@dataclass(frozen=True)
class Figures:
    """The printed figures; those of the base game by default."""

    agility: int = 10
    attack: int = 6
    defence: int = 8
    parry: int = 4
    hit_points: int = 20
    handicap: int = 0
    tokens: int = 0
    perfect_parry: bool = False
    guard_break: bool = False
    games: int = 1
    max_turns: int = 500


class Blow(NamedTuple):
    """An attack on its way."""

    face: int
    damage: int
    critical: bool
    charge: bool


@dataclass
class Seat:
    """What lies on one seat's board."""

    hit_points: int
    tokens: int
    shield: int = 0
    charging: bool = False
    barred: bool = False  # from defend, by a guard break


@dataclass
class Reference:
    """A match; run ``story`` and look at the fields."""

    figures: Figures
    dice: Callable[[int], int]  # sides -> face
    seats: list[Seat] = field(default_factory=list)
    wins: list[int] = field(default_factory=lambda: [0, 0])
    first: int = -1
    games: int = 0
    turns: int = 0
    truncated: bool = False

    def story(self) -> Story:
        """Play the match (KR-202, KR-203, KR-53, KR-54)."""
        while 2 * max(self.wins) < self.figures.games and not self.truncated:
            self.games += 1
            self.first = 1 - self.first if self.games == 2 else self._roll_off()
            yield from self._game()

    def _roll_off(self) -> int:
        mine, yours = self.dice(self.figures.agility), self.dice(self.figures.agility)
        return self._roll_off() if mine == yours else int(yours > mine)

    def _game(self) -> Story:
        full, tokens = self.figures.hit_points, self.figures.tokens
        self.seats = [Seat(full, tokens), Seat(full, tokens)]
        self.seats[self.first].hit_points -= self.figures.handicap
        self.turns, seat, blow = 0, self.first, None
        while self.turns < self.figures.max_turns:
            self.turns += 1
            blow = yield from self._turn(seat, blow)
            if self.seats[seat].hit_points == 0:
                self.wins[1 - seat] += 1
                return
            seat = 1 - seat
        self.truncated = True

    def _turn(self, seat: int, blow: Blow | None) -> Generator[Question, str, Blow | None]:
        """Play a turn that opens with ``blow`` on its way; return the blow it sends back, if any."""
        me, bonus = self.seats[seat], 0
        parryable = blow and not blow.critical and not blow.charge and blow.face <= self.figures.parry
        if blow and parryable and not me.charging and (yield seat, frozenset({"accept", "parry"})) == "parry":
            me.barred = False
            rolled = yield from self._throw(seat, "parry")
            if rolled["parry"] < blow.face:
                self._hit(me, blow)
                return None
            bonus = int(self.figures.perfect_parry and rolled["parry"] == blow.face)
        elif blow:
            self._hit(me, blow)
        if me.hit_points == 0:
            return None
        action = "charge attack"
        if not me.charging:
            barred = me.barred or me.shield > 0
            action = yield seat, frozenset({"attack", "charge"} | (set() if barred else {"defend"}))
        me.barred = False
        if action == "defend":
            me.shield = (yield from self._throw(seat, "defence"))["defence"]
        elif action == "charge":
            me.charging = True
        elif action == "attack":
            rolled = yield from self._throw(seat, "agility", "attack")
            return self._blow(rolled, rolled["attack"] + bonus, charge=False)
        else:
            rolled = yield from self._throw(seat, "agility", "attack", "defence")
            me.charging, me.shield = False, 0
            return self._blow(rolled, rolled["attack"] + rolled["defence"], charge=True)
        return None

    def _blow(self, rolled: dict[str, int], damage: int, charge: bool) -> Blow | None:
        if rolled["agility"] == 1:
            return None
        return Blow(rolled["attack"], damage, rolled["agility"] == self.figures.agility, charge)

    def _throw(self, roller: int, *names: str) -> Generator[Question, str, dict[str, int]]:
        """Roll dice and hold their window: roller, then the other seat, anew after each reroll (KR-46)."""
        rolled = {name: self.dice(getattr(self.figures, name)) for name in names}
        choices: dict[str, tuple[str, ...]] = {"pass": ()}
        for count in range(1, len(names) + 1):
            for dice in combinations(names, count):
                choices["reroll-" + ("all" if count == 3 else "-".join(dice))] = dice
        asked = [roller, 1 - roller]
        while asked:
            seat = asked.pop(0)
            if self.seats[seat].tokens == 0:
                continue
            dice = choices[(yield seat, frozenset(choices))]
            if dice:
                self.seats[seat].tokens -= 1
                rolled |= {name: self.dice(getattr(self.figures, name)) for name in dice}
                asked = [roller, 1 - roller]
        return rolled

    def _hit(self, victim: Seat, blow: Blow) -> None:
        damage = blow.damage
        if not blow.critical and victim.shield:
            victim.barred |= self.figures.guard_break and damage == victim.shield
            damage, victim.shield = max(damage - victim.shield, 0), max(victim.shield - damage, 0)
        victim.hit_points = max(victim.hit_points - damage, 0)
