"""Words for the rule tests of Kingsburg: set up a position, script dice, place them, look at the boards.

Two positions are set up field by field; everything else is reached from them by play. In ``placing`` seats
have their dice before them, and in ``recruiting`` the last seat is about to end the recruiting of a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from figures_kingsburg import BUILDINGS, CARDS, Goods, points

from kingmaker.envs.core.errors import ScriptError
from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg import state as fields
from kingmaker.envs.kingsburg.actions import CHANGES, MARKET_STEPS, PLACE_FIRST, WHITE_SETS
from kingmaker.envs.kingsburg.state import COLOURED_DICE, NO_SEAT, NUM_DICE, SPRING

NAMES = tuple(building.name for building in BUILDINGS)
SIDES = 6
# Answers that change nothing, for questions on the way.
IDLE = (
    "keep-roll", "pass", "decline-offer", "decline-trade", "build-nothing", "pay-nothing", "stop-recruiting",
)  # fmt: skip
# What dice show when a test does not care: no Statue and no Chapel follows.
FILLER = (3, 1, 5)
MOST_DICE = 40  # a move rolls fewer


class Board(NamedTuple):
    """What lies before a seat."""

    goods: Goods = Goods()
    tokens: int = 0
    vp: int = 0
    soldiers: int = 0
    buildings: frozenset[str] = frozenset()


class Placement(NamedTuple):
    """A placement by faces: the dice used, the "+2" token or not, and the Market's step."""

    coloured: tuple[int, ...]
    white: tuple[int, ...] = ()
    token: int = 0
    market: int = 0

    @property
    def advisor(self) -> int:
        """The advisor whom it reaches, if there is one of that number."""
        return sum(self.coloured) + sum(self.white) + 2 * self.token + self.market


# --- positions ----------------------------------------------------------------------------------------


def kingsburg(num_players: int = 3, *, seed: int = 0, **options: Any) -> Game:
    """Return a new game with its journal on."""
    game = _template(num_players, None, tuple(options.items())).clone()
    game.reset(seed)
    return game


@cache
def _template(num_players: int, tables: Path | None, options: tuple[tuple[str, Any], ...]) -> Game:
    game = Game("kingsburg", num_players, seed=0, options=dict(options), tables=tables)
    game.record()
    return game


def seat(
    goods: Sequence[int] = (0, 0, 0),
    buildings: Iterable[str] = (),
    *,
    dice: Sequence[int] = (),
    white: Sequence[int] = (),
    vp: int | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Describe a seat's board.

    Args:
        goods: gold, wood and stone.
        buildings: names.
        dice: faces of the coloured dice; a seat without them has passed.
        white: faces of the white dice.
        vp: victory points, by default what the buildings are worth.
        **others: fields of the seat's record; ``influence`` is a list of advisors.
    """
    owned = frozenset(buildings)
    if vp is None:
        vp = points(owned)
    return {"goods": goods, "owned": owned, "dice": dice, "white": white, "vp": vp, "others": others}


def placing(
    *seats: dict[str, Any], calendar: int = SPRING, blocked: Sequence[int] = (), **setting: Any
) -> Game:
    """Return a game in which the seats with dice place them; the first of these in turn order is to act.

    Args:
        *seats: the boards, from ``seat``.
        calendar: the season.
        blocked: advisors under neutral dice.
        **setting: see ``_bare``.
    """
    game = _bare(seats, calendar, **setting)
    game.state.blocked = sum(1 << advisor for advisor in blocked)
    first = next(place for place, number in enumerate(order(game)) if seats[number]["dice"])
    return _at(game, fields.PLACE, fields.PLACING, first)


def closing(*seats: dict[str, Any], **setting: Any) -> Game:
    """Return a game in which all seats have passed but the last in turn order, whose pass ends the step."""
    last = (setting.get("order") or range(len(seats)))[-1]
    return placing(*seats[:last], {**seats[last], "dice": (1, 3, 5)}, *seats[last + 1 :], **setting)


def recruiting(*seats: dict[str, Any], **setting: Any) -> Game:
    """Return a game in which the last seat in turn order may recruit; when it stops, Winter comes."""
    game = _bare(seats, fields.RECRUITING, **setting)
    return _at(game, fields.RECRUIT, fields.HIRING, len(seats) - 1)


def _bare(
    seats: Sequence[dict[str, Any]],
    calendar: int,
    *,
    year: int = 1,
    order: Sequence[int] | None = None,
    envoy: int = NO_SEAT,
    enemy: str | None = None,
    tables: Path | None = None,
    **options: Any,
) -> Game:
    """Return a game with these boards, in which nobody has been asked anything yet.

    Args:
        seats: the boards.
        calendar: phase of the year.
        year: the year.
        order: seats in turn order, by default 0, 1, 2 ...
        envoy: the seat that holds the King's Envoy.
        enemy: this year's card; any of the 25 will do.
        tables: another data file.
        **options: rule options.
    """
    game = _template(len(seats), tables, tuple(options.items())).clone()
    state = game.state
    for name in ("waiting", "advisor", "group", "built", "blocked"):
        state[name] = 0
    for name in ("count", "kinds", "price"):
        state.pending[name] = 0
    state.year, state.calendar, state.envoy = year, calendar, envoy
    state.order[: len(seats)] = order or range(len(seats))
    if enemy is not None:
        state.deck[year - 1] = CARDS.index(enemy)
    for number, board in enumerate(seats):
        _write_seat(state.seats[number], board)
    return game


def _write_seat(row: Any, board: dict[str, Any]) -> None:
    row.goods[:] = board["goods"]
    row.buildings = sum(1 << NAMES.index(name) for name in board["owned"])
    row.vp = board["vp"]
    row.sources[:] = 0
    row.sources[fields.FROM_BUILDINGS] = points(board["owned"])
    row.sources[fields.FROM_ADVISORS] = board["vp"] - points(board["owned"])
    row.faces[:] = 0
    row.placed[:] = 0
    for slot, face in [*enumerate(sorted(board["dice"])), *enumerate(sorted(board["white"]), COLOURED_DICE)]:
        row.faces[slot] = face
    row.passed = int(not board["dice"])
    row.aid_die = int(len(board["white"]) > ("farms" in board["owned"]))
    for name, value in board["others"].items():
        row[name] = sum(1 << advisor for advisor in value) if name in ("influence", "twice") else value


def _at(game: Game, phase: int, step: int, place: int) -> Game:
    state = game.state
    state.phase, state.step, state.position = phase, step, place
    state.actor = state.order[place]
    state.choosing = 1 << int(state.actor)
    game.refresh()
    return game


# --- play ---------------------------------------------------------------------------------------------


def faces(*values: int) -> list[int]:
    """Return the script that makes dice show ``values``."""
    return [value - 1 for value in values]


def play(game: Game, *line: str) -> Game:
    """Play actions, each followed by the faces that the dice then show, as in ``"pass 4 4 1"``.

    The faces must be all that the rules roll, in order: with two seats the neutral dice, then by turn order
    each seat's coloured and white dice; rerolls; the King's die. A line that ends in ``...`` leaves the dice
    after those to show whatever they like.
    """
    for step in line:
        action, *dice = step.split()
        loose = dice[-1:] == ["..."]
        script = faces(*map(int, dice[: len(dice) - loose]))
        if loose:
            _apply_loosely(game, action, script)
        else:
            game.apply(action, script=script)
    return game


def _apply_loosely(game: Game, action: str, script: list[int]) -> None:
    """Apply an action with a script and as many more dice as it takes."""
    long = script + [face - 1 for face in islice(cycle(FILLER), MOST_DICE)]
    try:
        game.apply(action, script=long)
    except ScriptError as error:
        used = re.search(r"but only (\d+) were made", str(error))
        if used is None or int(used[1]) < len(script):
            raise
        game.apply(action, script=long[: int(used[1])])


def place(game: Game, advisor: int, **parts: Any) -> Game:
    """Place dice on an advisor by the one placement that reaches it; ``parts`` say which if several do."""
    found = [
        action
        for action, placement in placements(game)
        if placement.advisor == advisor and all(getattr(placement, name) == parts[name] for name in parts)
    ]
    assert len(found) == 1, f"{len(found)} placements reach advisor {advisor}"
    _apply_loosely(game, name_of(game, found[0]), [])
    return game


def idle(game: Game, *phases: str) -> Game:
    """Answer with what changes nothing, until a question of one of these phases comes, or the end."""
    while not game.over and game.phase not in phases:
        idle_once(game)
    return game


def idle_to(game: Game, season: int) -> Game:
    """Answer likewise until a phase of the year comes."""
    while calendar(game) != season:
        idle_once(game)
    return game


def idle_once(game: Game) -> Game:
    """Answer one question likewise; goods to take or lose are the first that may be named."""
    first = name_of(game, game.legal_actions()[0])
    _apply_loosely(game, next((action for action in IDLE if action in legal(game)), first), [])
    return game


# --- boards -------------------------------------------------------------------------------------------


def board(game: Game, number: int) -> Board:
    """Return what lies before a seat."""
    row = game.states["seats"][0, number]
    owned = frozenset(name for bit, name in enumerate(NAMES) if int(row["buildings"]) >> bit & 1)
    counts = (int(row[name]) for name in ("tokens", "vp", "soldiers"))
    return Board(Goods(*map(int, row["goods"])), *counts, owned)


def boards(game: Game) -> list[Board]:
    """Return what lies before each seat."""
    return [board(game, number) for number in range(game.num_players)]


def goods(game: Game, number: int = 0) -> tuple[int, int, int]:
    """Return a seat's gold, wood and stone."""
    return tuple(board(game, number).goods)


def vp(game: Game) -> list[int]:
    """Return every seat's victory points."""
    return [shown.vp for shown in boards(game)]


def sources(game: Game, number: int) -> dict[str, int]:
    """Return where a seat's victory points come from, zeros left out."""
    row = game.states["seats"][0, number]["sources"]
    return {name: int(row[at]) for at, name in enumerate(fields.SOURCES) if row[at]}


def field(game: Game, name: str, number: int) -> int:
    """Return a field of a seat's record."""
    return int(game.states["seats"][0, number][name])


def dice(game: Game, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the faces of all of a seat's coloured dice and of its white ones."""
    shown = [int(face) for face in game.states["seats"][0, number]["faces"]]
    return tuple(shown[:COLOURED_DICE]), tuple(face for face in shown[COLOURED_DICE:] if face)


def free_dice(game: Game, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the faces of a seat's coloured and white dice that it has not placed."""
    row = game.states["seats"][0, number]
    free = [int(row["faces"][slot]) if not row["placed"][slot] else 0 for slot in range(NUM_DICE)]
    coloured, white = free[:COLOURED_DICE], free[COLOURED_DICE:]
    return tuple(filter(None, coloured)), tuple(filter(None, white))


def order(game: Game) -> list[int]:
    """Return the seats in turn order."""
    return [int(number) for number in game.states["order"][0, : game.num_players]]


def envoy(game: Game) -> int:
    """Return the seat that holds the King's Envoy, or -1."""
    return int(game.states["envoy"][0])


def advisors(bits: int) -> set[int]:
    """Return the advisors in a set of bits."""
    return {number for number in range(32) if bits >> number & 1}


def influence(game: Game, number: int) -> set[int]:
    """Return the advisors whom a seat has influenced this season."""
    return advisors(field(game, "influence", number))


def blocked(game: Game) -> set[int]:
    """Return the advisors under neutral dice."""
    return advisors(int(game.states["blocked"][0]))


def card(game: Game) -> str:
    """Return this year's enemy card."""
    return CARDS[int(game.states["deck"][0, int(game.states["year"][0]) - 1])]


def calendar(game: Game) -> int:
    """Return the phase of the year."""
    return int(game.states["calendar"][0])


# --- choices ------------------------------------------------------------------------------------------


def name_of(game: Game, action: int) -> str:
    """Return an action's name."""
    return game.spec.actions[action].name


def legal(game: Game) -> set[str]:
    """Return the names of the legal actions."""
    return {name_of(game, action) for action in game.legal_actions()}


def placement_of(game: Game, action: int) -> Placement:
    """Return what the placement ``action`` uses of the acting seat's dice."""
    rest, change = divmod(action - PLACE_FIRST, CHANGES)
    coloured, white = 1 + rest // WHITE_SETS, rest % WHITE_SETS
    row = game.states["seats"][0, game.actor]
    slots = [slot for slot in range(COLOURED_DICE) if coloured >> slot & 1]
    whites = [slot for slot in range(COLOURED_DICE, NUM_DICE) if white >> slot - COLOURED_DICE & 1]
    assert all(row["faces"][slot] and not row["placed"][slot] for slot in slots + whites), "no such free die"
    token, market = divmod(change, MARKET_STEPS)
    return Placement(
        tuple(int(row["faces"][slot]) for slot in slots),
        tuple(int(row["faces"][slot]) for slot in whites),
        token,
        market - 1,
    )


def placements(game: Game) -> list[tuple[int, Placement]]:
    """Return the legal placements of the seat to act, each with its action."""
    first = game.spec.action_ids["pass"]
    return [(action, placement_of(game, action)) for action in game.legal_actions() if action < first]


def reach(game: Game) -> set[int]:
    """Return the advisors whom the seat to act can influence now."""
    return {placement.advisor for _, placement in placements(game)}


# --- what happened ------------------------------------------------------------------------------------


def events(game: Game, *names: str) -> list[tuple[Any, ...]]:
    """Return ``(name, seat, a, b, c)`` of what happened in the last move, of these kinds if any are named."""
    return [
        (happening.name, happening.seat, *happening.values)
        for happening in game.journal()
        if happening.name != "chance" and (not names or happening.name in names)
    ]


def rolled(game: Game) -> list[int]:
    """Return the faces that the last move rolled."""
    return [happening.values[0] + 1 for happening in game.journal() if happening.name == "chance"]


def random_positions(num_players: int, count: int, **options: Any) -> Iterator[Game]:
    """Yield the running game before each decision of ``count`` random games.

    It is one object that moves on: clone it to keep a position or to play from it.
    """
    chooser = np.random.default_rng(20 + num_players)
    for number in range(count):
        game = kingsburg(num_players, seed=number, **options)
        while not game.over:
            yield game
            game.apply(int(chooser.choice(game.legal_actions())))
