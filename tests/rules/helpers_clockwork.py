"""Words for the rule tests of Clockwork Kingdom: set up a position, place workers, look at the boards.

Positions are set up at the start of a round's placement; everything else is reached from them by play. Unless
told otherwise they are bare: no schematic in row and deck, no facility, no Ruins card. So nothing is drawn by
chance and nobody is asked but for what a test is about. Cards are those of ``bench_clockwork.toml``, in
which each card does one thing; ``OWN`` stands for the game's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from figures_clockwork import AREAS, PAIRS, RESOURCES, WORKERS

from kingmaker.envs.clockwork_kingdom import state as fields
from kingmaker.envs.clockwork_kingdom.tables import name_of
from kingmaker.envs.core.game import Game

BENCH = Path(__file__).with_name("bench_clockwork.toml")
OWN = None
CARDS = ("schematics", "ruins", "facilities")
COUNTS = {"schematics": "designs", "ruins": "ruins_kinds", "facilities": "facility_kinds"}
# Answers that change nothing, for questions on the way.
IDLE = ("pass", "done", "keep")
AMOUNT = tuple[int, ...]


# --- games and positions ------------------------------------------------------------------------------


def kingdom(num_players: int = 3, *, seed: int = 0, cards: Any = BENCH, **options: Any) -> Game:
    """Return a new game with its journal on."""
    game = _template(num_players, cards, tuple(options.items())).clone()
    game.reset(seed)
    return game


@cache
def _template(num_players: int, cards: Any, options: tuple[tuple[str, Any], ...]) -> Game:
    game = Game("clockwork_kingdom", num_players, seed=0, options=dict(options), tables=cards)
    game.record()
    return game


def seat(
    *places: str,
    pool: Sequence[str] = (),
    store: Sequence[int] = (0, 0, 0, 0),
    slots: Sequence[str] = (),
    yard: Sequence[str] = (),
    built: Sequence[str] = (),
    facilities: Sequence[str] = (),
    hand: Sequence[str] = (),
    forces: Sequence[int] = (0, 0, 0, 0),
    **others: Any,
) -> dict[str, Any]:
    """Describe a seat's board.

    Args:
        *places: what ``resolve`` has it place, as in ``"lab"`` or ``"alchemist-lab"``; the workers are in its
            pool.
        pool: other workers in its pool.
        store: its resources.
        slots: filled slots, as in ``"steel-copper"``.
        yard: incomplete schematics.
        built: completed ones.
        facilities: names.
        hand: Ruins cards.
        forces: military tokens on each battlefield; the others lie beside the board.
        **others: fields of the seat's record.
    """
    actions = tuple(place if place.split("-")[0] in WORKERS else f"automaton-{place}" for place in places)
    workers = [*(action.split("-")[0] for action in actions), *pool]
    return {
        "places": actions, "pool": workers, "store": store, "slots": slots, "yard": yard, "built": built,
        "facilities": facilities, "hand": hand, "forces": forces, "others": others,
    }  # fmt: skip


def position(
    *seats: dict[str, Any],
    number: int = 1,
    order: Sequence[int] | None = None,
    row: Sequence[str] = (),
    deck: Sequence[str] = (),
    discards: Sequence[str] = (),
    facility: str | None = None,
    stack: Sequence[str] = (),
    ruins: Sequence[str] = (),
    ruins_discards: Sequence[str] = (),
    supply: Sequence[int] | None = None,
    cards: Any = BENCH,
    costs: dict[str, AMOUNT] | None = None,
    fields_of_state: dict[str, Any] | None = None,
    **options: Any,
) -> Game:
    """Return a game in which round ``number`` begins with these boards and decks.

    ``supply`` is by default what the stores leave of ten each. The four Warehouses are there. ``costs`` are
    other costs of schematics.
    """
    game = _template(len(seats), cards, tuple(options.items())).clone()
    state = game.state
    names = {kind: all_names(game, kind) for kind in CARDS}
    state.rounds = number
    state.order[: len(seats)] = order or range(len(seats))
    for name, given in (("row", row), ("deck", deck), ("discards", discards)):
        state[name][:] = 0
        if name == "row":
            state.row[:] = fields.NONE
            state.row[: len(row)] = [names["schematics"].index(card) for card in row]
        else:
            _count(state[name], names["schematics"], given)
    state.deck[fields.WAREHOUSE] = 4
    state.facility = fields.NONE if facility is None else names["facilities"].index(facility)
    for array, kind, given in (
        (state.stack, "facilities", stack),
        (state.ruins, "ruins", ruins),
        (state.ruins_discards, "ruins", ruins_discards),
    ):
        array[:] = 0
        _count(array, names[kind], given)
    for card, cost in (costs or {}).items():
        game.tables["schematics"]["cost"][0, names["schematics"].index(card)] = cost
    for row_of_seat, board in zip(state.seats, seats, strict=False):
        _write_seat(game, row_of_seat, board, names)
    stored = np.sum([board["store"] for board in seats], axis=0)
    state.supply[:] = 10 - stored if supply is None else supply
    state.stones -= sum(len(board["slots"]) for board in seats)
    for name, value in (fields_of_state or {}).items():
        state[name] = value
    first = next(place for place, who in enumerate(state.order[: len(seats)]) if seats[who]["pool"])
    state.turn = first
    state.actor = state.order[first]
    state.choosing = 1 << int(state.actor)
    game.refresh()
    return game


def _count(array: Any, names: Sequence[str], cards: Iterable[str]) -> None:
    for card in cards:
        array[names.index(card)] += 1


def _write_seat(game: Game, row: Any, board: dict[str, Any], names: dict[str, list[str]]) -> None:
    row.pool[:] = [board["pool"].count(worker) for worker in WORKERS]
    row.store[:] = board["store"]
    row.slots[:] = [f"{RESOURCES[a]}-{RESOURCES[b]}" in board["slots"] for a, b in PAIRS]
    row.yard[: len(board["yard"])] = [names["schematics"].index(card) for card in board["yard"]]
    for card in board["built"]:
        design = names["schematics"].index(card)
        printed = game.tables.view(np.recarray)[0].schematics[design]
        row.built[design] += 1
        row.types[printed.kind] += 1
        row.capacity += printed.capacity
        row.points[fields.FROM_SCHEMATICS] += printed.points
        _add(row.income, printed.income)
        _add(row.lasting, printed.lasting)
    for card in board["facilities"]:
        design = names["facilities"].index(card)
        row.facilities[design] += 1
        _add(row.income, game.tables.view(np.recarray)[0].facilities[design].income)
    _count(row.hand, names["ruins"], board["hand"])
    row.cards = len(board["hand"])
    row.forces[:] = board["forces"]
    row.tokens -= sum(board["forces"])
    for name, value in board["others"].items():
        row[name] = value


def _add(total: Any, more: Any) -> None:
    for name in total.dtype.names:
        total[name] += more[name]


def all_names(game: Game, kind: str) -> list[str]:
    """Return the names of the cards of a kind, in their order in the data file; Warehouse is schematic 0."""
    record = game.tables[0]
    return [name_of(row) for row in record[kind][: record[COUNTS[kind]]]]


def printed(game: Game, kind: str, name: str) -> Any:
    """Return the row of a card in the tables."""
    return getattr(game.tables.view(np.recarray)[0], kind)[all_names(game, kind).index(name)]


# --- play ---------------------------------------------------------------------------------------------


def play(game: Game, *line: str) -> Game:
    """Play actions; chance is left to the game's stream."""
    for action in line:
        game.apply(action)
    return game


def before_last(*seats: dict[str, Any], **setting: Any) -> tuple[Game, str]:
    """Return a game in which the ``places`` are taken in turn, all but the last one, and that placement."""
    game = position(*seats, **setting)
    left = {number: list(board["places"]) for number, board in enumerate(seats)}
    while sum(map(len, left.values())) > 1:
        game.apply(left[game.actor].pop(0))
    return game, left[game.actor][0]


def resolve(*seats: dict[str, Any], script: Sequence[int] | None = None, **setting: Any) -> Game:
    """Return a game in which the ``places`` have been taken in turn; it stands at the next question.

    ``script`` dictates the draws that follow the last placement.
    """
    game, last = before_last(*seats, **setting)
    game.apply(last, script=script)
    return game


def idle(game: Game, *phases: str) -> Game:
    """Answer with what changes nothing, else with the first thing, until such a question comes or the end."""
    while not game.over and game.phase not in phases:
        game.apply(next((action for action in IDLE if action in legal(game)), sorted(legal(game))[0]))
    return game


def distribution(game: Game, action: str, look: Any) -> dict[Any, float]:
    """Return the exact probability of each thing that ``look`` sees after an action."""
    seen: dict[Any, float] = {}
    for probability, after in game.outcomes(action):
        what = look(after)
        seen[what] = seen.get(what, 0.0) + probability
    return seen


# --- boards -------------------------------------------------------------------------------------------


def row_of(game: Game, number: int) -> Any:
    """Return a seat's record."""
    return game.states["seats"][0, number]


def numbers(array: Any) -> AMOUNT:
    """Return an array as a tuple."""
    return tuple(int(value) for value in array)


def store(game: Game, number: int = 0) -> AMOUNT:
    """Return a seat's steel, copper, lumber and canvas."""
    return numbers(row_of(game, number)["store"])


def supply(game: Game) -> AMOUNT:
    """Return the resources in the supply."""
    return numbers(game.states["supply"][0])


def pool(game: Game, number: int = 0) -> AMOUNT:
    """Return a seat's Automatons, Professors, Alchemists and Artificers in the pool."""
    return numbers(row_of(game, number)["pool"])


def forces(game: Game, number: int = 0) -> AMOUNT:
    """Return a seat's military tokens on each battlefield."""
    return numbers(row_of(game, number)["forces"])


def field(game: Game, name: str, number: int = 0) -> int:
    """Return a field of a seat's record."""
    return int(row_of(game, number)[name])


def slots(game: Game, number: int = 0) -> set[str]:
    """Return a seat's filled slots."""
    filled = row_of(game, number)["slots"]
    return {f"{RESOURCES[a]}-{RESOURCES[b]}" for (a, b), stone in zip(PAIRS, filled, strict=True) if stone}


def points(game: Game, number: int = 0) -> dict[str, int]:
    """Return a seat's victory points by source, zeros left out."""
    row = row_of(game, number)["points"]
    return {name: int(row[at]) for at, name in enumerate(fields.SOURCES) if row[at]}


def total(game: Game, number: int = 0) -> int:
    """Return a seat's victory points."""
    return int(row_of(game, number)["points"].sum())


def order(game: Game) -> list[int]:
    """Return the seats in turn order."""
    return [int(number) for number in game.states["order"][0, : game.num_players]]


def counted(game: Game, kind: str, array: Any) -> list[str]:
    """Return the cards of a deck that is given as counts by design."""
    return [name for name, count in zip(all_names(game, kind), array, strict=False) for _ in range(count)]


def hand(game: Game, number: int = 0) -> list[str]:
    """Return a seat's Ruins cards."""
    return counted(game, "ruins", row_of(game, number)["hand"])


def built(game: Game, number: int = 0) -> list[str]:
    """Return a seat's completed schematics."""
    return counted(game, "schematics", row_of(game, number)["built"])


def facilities(game: Game, number: int = 0) -> list[str]:
    """Return a seat's facilities."""
    return counted(game, "facilities", row_of(game, number)["facilities"])


def named(game: Game, designs: Iterable[Any]) -> list[str | None]:
    """Return schematics by name, ``None`` where there is none."""
    names = all_names(game, "schematics")
    return [None if design == fields.NONE else names[int(design)] for design in designs]


def yard(game: Game, number: int = 0) -> list[str | None]:
    """Return what is in a seat's yard slots."""
    return named(game, row_of(game, number)["yard"])


def row(game: Game) -> list[str | None]:
    """Return the face-up schematics."""
    return named(game, game.states["row"][0])


def deck(game: Game, name: str = "deck") -> list[str]:
    """Return the schematics in the deck, or in another field of the state: ``discards``."""
    return counted(game, "schematics", game.states[name][0])


def ruins(game: Game, name: str = "ruins") -> list[str]:
    """Return the Ruins cards in the deck, or ``ruins_discards``."""
    return counted(game, "ruins", game.states[name][0])


def face_up(game: Game) -> str | None:
    """Return the facility that is turned up."""
    number = int(game.states["facility"][0])
    return None if number == fields.NONE else all_names(game, "facilities")[number]


def carried(game: Game) -> AMOUNT:
    """Return the resources that lie in King's Park."""
    return numbers(game.states["carried"][0])


# --- choices and what happened ------------------------------------------------------------------------


def name_of_action(game: Game, action: int) -> str:
    """Return an action's name."""
    return game.spec.actions[action].name


def legal(game: Game) -> set[str]:
    """Return the names of the legal actions."""
    return {name_of_action(game, action) for action in game.legal_actions()}


def spaces(game: Game, worker: str = "automaton") -> set[str]:
    """Return the spaces on which the seat to act may place a worker of a type."""
    first = f"{worker}-"
    return {action.removeprefix(first) for action in legal(game) if action.startswith(first)}


def card_action(game: Game, verb: str, card: str) -> str:
    """Return the action that does something with a Ruins card, such as ``use`` or ``play``."""
    return f"{verb}-{all_names(game, 'ruins').index(card) + 1}"


def asked(game: Game) -> tuple[int, str]:
    """Return who is asked what."""
    return game.actor, game.phase


def events(game: Game, *names: str) -> list[tuple[Any, ...]]:
    """Return ``(name, seat, a, b, c)`` of what happened in the last move, of these kinds if any are named."""
    return [
        (happening.name, happening.seat, *happening.values)
        for happening in game.journal()
        if happening.name != "chance" and (not names or happening.name in names)
    ]


def happened(game: Game, *names: str) -> list[tuple[str, int]]:
    """Return ``(name, seat)`` of what happened in the last move, of these kinds if any are named."""
    return [happening[:2] for happening in events(game, *names)]


def sides(game: Game) -> list[int]:
    """Return the numbers of outcomes of the draws that the last move made."""
    return [happening.values[1] for happening in game.journal() if happening.name == "chance"]


def resolved(game: Game) -> list[str]:
    """Return the areas that began to resolve in the last move."""
    return [happening.name.removesuffix("-resolves") for happening in game.journal()
            if happening.name.removesuffix("-resolves") in AREAS]  # fmt: skip


class Moment(NamedTuple):
    """A moment of a game: the state as a record, the legal actions, and what the move before it brought."""

    state: Any
    legal: frozenset[str]
    phase: str
    events: list[tuple[Any, ...]]


@cache
def chronicle(num_players: int, seed: int = 1, cards: Any = OWN) -> tuple[Game, list[Moment]]:
    """Return a random game, as it is at its end, and all its moments."""
    chooser = np.random.default_rng(seed)
    game, moments = kingdom(num_players, seed=seed, cards=cards), []
    while True:
        moments.append(Moment(game.states.copy()[0], frozenset(legal(game)), game.phase, events(game)))
        if game.over:
            return game, moments
        game.apply(int(chooser.choice(game.legal_actions())))


def at(game: Game, moment: Moment) -> Game:
    """Return a copy of a game at a moment."""
    copy = game.clone()
    copy.states[0] = moment.state
    copy.refresh()
    return copy
