"""What the data file of Clockwork Kingdom looks like, checked on load.

Bounds keep figures within the records and the game within its declared length; see ``tables.py`` for what the
entries mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import pydantic

from kingmaker.envs.clockwork_kingdom.state import (
    MAX_BATTLEFIELDS,
    MAX_DESIGNS,
    MAX_FACILITIES,
    MAX_HAND,
    MAX_ORDERED,
    MAX_PLAYERS,
    MAX_RUINS,
    MAX_SPECIALISTS,
    MIN_PLAYERS,
    NUM_WARS,
    RESOURCES,
    ROW,
    SCHEMATIC_TYPES,
    WINDOWS,
    WORKERS,
)
from kingmaker.envs.core.datafile import Table

NAME_BYTES = 32
MAX_COPIES = 12
MAX_AMOUNT = 9  # pieces that a card costs, or gives at a time

Amount = Annotated[int, pydantic.Field(ge=0, le=MAX_AMOUNT)]
Copies = Annotated[int, pydantic.Field(ge=1, le=MAX_COPIES)]
Seats = Annotated[int, pydantic.Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
Specialists = Annotated[int, pydantic.Field(ge=0, le=MAX_SPECIALISTS)]
Points = Annotated[int, pydantic.Field(ge=0, le=30)]
Window = Literal[WINDOWS]  # type: ignore[valid-type]


def _fits(name: str) -> str:
    if not name.strip() or len(name.encode()) > NAME_BYTES:
        raise ValueError(f"a name has 1 to {NAME_BYTES} bytes, not {name!r}")
    return name


Name = Annotated[str, pydantic.AfterValidator(_fits)]


def _check_pieces(amounts: Sequence[int]) -> None:
    """Raise ``ValueError`` for more pieces at a time than the longest game reckons with."""
    if sum(amounts) > MAX_AMOUNT:
        raise ValueError(f"{sum(amounts)} pieces at a time; at most {MAX_AMOUNT} are possible")


class Resources(Table):
    """An amount of each resource."""

    steel: Amount = 0
    copper: Amount = 0
    lumber: Amount = 0
    canvas: Amount = 0


class Pieces(Table):
    """The workers that a seat has in play."""

    automaton: Annotated[int, pydantic.Field(ge=1, le=MAX_AMOUNT)]
    professor: Specialists
    alchemist: Specialists
    artificer: Specialists


class Workers(Table):
    """An amount of each worker type."""

    automaton: Amount = 0
    professor: Amount = 0
    alchemist: Amount = 0
    artificer: Amount = 0


class Income(Workers, Resources):
    """What a card gives at the end of each round; see ``INCOME``."""

    random: Amount = 0
    refine: Resources = Resources()

    @pydantic.model_validator(mode="after")
    def _few(self) -> Income:
        refined = [getattr(self.refine, name) for name in RESOURCES]
        _check_pieces([getattr(self, name) for name in (*WORKERS, *RESOURCES, "random")] + refined)
        return self


class Reward(Workers, Resources):
    """What is given once; see ``REWARD``."""

    random: Amount = 0
    choice: Amount = 0
    stones: Amount = 0
    tokens: Amount = 0
    cards: Annotated[int, pydantic.Field(ge=0, le=MAX_HAND)] = 0
    points: Amount = 0

    @pydantic.model_validator(mode="after")
    def _few(self) -> Reward:
        names = (*WORKERS, *RESOURCES, "random", "choice", "stones", "tokens", "cards")
        _check_pieces([getattr(self, name) for name in names])
        return self


class Help(Table):
    """Resources off each build, influence in the Lab and the Factory."""

    discount: Amount = 0
    lab: Amount = 0
    factory: Amount = 0


class Scoring(Table):
    """Points at the end for each thing that a seat has."""

    plain: Amount = 0
    military: Amount = 0
    academy: Amount = 0
    facilities: Amount = 0
    stones: Amount = 0
    battles: Amount = 0
    specialists: Amount = 0


class Schematic(Table):
    """A schematic."""

    name: Name
    copies: Copies = 1
    seats: Seats = MIN_PLAYERS
    type: Literal[SCHEMATIC_TYPES] = SCHEMATIC_TYPES[0]  # type: ignore[valid-type]
    points: Points
    cost: Resources
    each_round: Income = Income()
    at_once: Reward = Reward()
    lasting: Help = Help()
    capacity: Amount = 0
    at_end: Scoring = Scoring()


class RuinsCard(Table):
    """A kind of Ruins card."""

    name: Name
    copies: Copies = 1
    windows: Annotated[list[Window], pydantic.Field(min_length=1)]
    at_once: Reward = Reward()
    this_round: Help = Help()


class Facility(Table):
    """A production facility."""

    name: Name
    copies: Copies = 1
    each_round: Income


class Section(Table):
    """A part of the file; ``reconstructed`` if no source prints what it holds."""

    reconstructed: bool = False


class Schematics(Section):
    """The schematics but for the Warehouse."""

    cards: Annotated[list[Schematic], pydantic.Field(min_length=1, max_length=MAX_DESIGNS - 1)]


class Warehouse(Section):
    """The Warehouse."""

    card: Schematic


class Ruins(Section):
    """The Ruins deck."""

    cards: Annotated[list[RuinsCard], pydantic.Field(min_length=1, max_length=MAX_RUINS)]


class Facilities(Section):
    """The facilities."""

    cards: Annotated[list[Facility], pydantic.Field(min_length=1, max_length=MAX_FACILITIES)]


class Park(Section):
    """The bonuses of King's Park, lowest space first."""

    spaces: Annotated[list[Reward], pydantic.Field(min_length=MAX_PLAYERS, max_length=MAX_PLAYERS)]


class Battlefield(Section):
    """A battlefield."""

    name: Name


class War(Table):
    """The scoring of a war; ``shared[k]`` is for each of ``k + 2`` seats tied for first."""

    after: Annotated[int, pydantic.Field(ge=1, le=9)]
    first: Points
    second: Points
    shared: Annotated[list[Points], pydantic.Field(min_length=MAX_PLAYERS - 1, max_length=MAX_PLAYERS - 1)]


class Setup(Table):
    """What is open with a number of seats; ``battlefields`` are numbers from 1."""

    seats: Seats
    market_random: Annotated[int, pydantic.Field(ge=0, le=1)]
    workshop: Annotated[int, pydantic.Field(ge=1, le=MAX_ORDERED)]
    university: Annotated[int, pydantic.Field(ge=1, le=MAX_ORDERED)]
    battlefields: Annotated[
        list[Annotated[int, pydantic.Field(ge=1, le=MAX_BATTLEFIELDS)]], pydantic.Field(min_length=1)
    ]
    battle_spaces: Annotated[int, pydantic.Field(ge=1, le=MAX_AMOUNT)]
    park: Seats


class ClockworkTable(Table):
    """What ``clockwork_kingdom.toml`` looks like."""

    rounds: Annotated[int, pydantic.Field(ge=1, le=9)]
    automatons: Annotated[int, pydantic.Field(ge=1, le=7)]
    supply: Annotated[int, pydantic.Field(ge=1, le=20)]
    stones: Annotated[int, pydantic.Field(ge=0, le=24)]
    tokens: Annotated[int, pydantic.Field(ge=0, le=20)]
    store: Annotated[int, pydantic.Field(ge=1, le=MAX_AMOUNT)]
    hand: Annotated[int, pydantic.Field(ge=1, le=MAX_HAND)]
    influence: Annotated[int, pydantic.Field(ge=1, le=MAX_AMOUNT)]
    leftovers: Annotated[int, pydantic.Field(ge=1, le=MAX_AMOUNT)]
    workers: Pieces
    university: Workers
    wars: Annotated[list[War], pydantic.Field(min_length=NUM_WARS, max_length=NUM_WARS)]
    setups: list[Setup]
    battlefields: Annotated[
        list[Battlefield], pydantic.Field(min_length=MAX_BATTLEFIELDS, max_length=MAX_BATTLEFIELDS)
    ]
    warehouse: Warehouse
    schematics: Schematics
    ruins: Ruins
    facilities: Facilities
    park: Park

    @pydantic.model_validator(mode="after")
    def _playable(self) -> ClockworkTable:
        _check_costs([self.warehouse.card, *self.schematics.cards], self.store, self.supply)
        for what, cards in (
            ("schematic", [self.warehouse.card, *self.schematics.cards]),
            ("Ruins card", self.ruins.cards),
            ("facility", self.facilities.cards),
        ):
            _check_names(what, [card.name for card in cards])
        _check_hands(self.ruins.cards, self.hand)
        fewest = sum(card.copies for card in self.schematics.cards if card.seats == MIN_PLAYERS)
        if fewest < ROW:
            raise ValueError(f"{MIN_PLAYERS} seats need at least {ROW} schematics, not {fewest}")
        wars = [war.after for war in self.wars]
        if wars != sorted(set(wars)) or wars[-1] > self.rounds:
            raise ValueError(
                f"wars are scored after rounds in ascending order up to {self.rounds}, not {wars}"
            )
        counts = [setup.seats for setup in self.setups]
        if counts != list(range(MIN_PLAYERS, MAX_PLAYERS + 1)):
            raise ValueError(f"setups are for 2, 3 and 4 seats in this order, not for {counts}")
        if self.workers.automaton < self.automatons:
            raise ValueError(
                f"a seat has {self.workers.automaton} automatons, fewer than the {self.automatons} of a round"
            )
        return self


def _check_costs(cards: Sequence[Schematic], store: int, supply: int) -> None:
    for card in cards:
        cost = [getattr(card.cost, name) for name in RESOURCES]
        if not 1 <= sum(cost) <= store:
            raise ValueError(
                f"the cost of {card.name} is {sum(cost)} resources; it has to be 1 to {store}, a full store"
            )
        if max(cost) > supply:
            raise ValueError(f"the cost of {card.name} has {max(cost)} of one resource; there are {supply}")


def _check_hands(cards: Sequence[RuinsCard], hand: int) -> None:
    for card in cards:
        if card.copies > hand:  # else a hand of one kind would show itself by a discard without a choice
            raise ValueError(
                f"there are {card.copies} copies of {card.name}; at most {hand} are possible, a full hand"
            )


def _check_names(what: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} {twice[0]!r} is listed twice; raise its copies instead")
