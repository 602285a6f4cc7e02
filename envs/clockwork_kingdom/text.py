"""Clockwork Kingdom in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kingmaker.envs.clockwork_kingdom.actions import SPACES
from kingmaker.envs.clockwork_kingdom.forbidden import forbidden
from kingmaker.envs.clockwork_kingdom.rules.contests import influence
from kingmaker.envs.clockwork_kingdom.rules.gains import refined
from kingmaker.envs.clockwork_kingdom.rules.payment import unpaid
from kingmaker.envs.clockwork_kingdom.rules.pieces import workers_in
from kingmaker.envs.clockwork_kingdom.rules.scoring import total_points
from kingmaker.envs.clockwork_kingdom.state import (
    ASK_PAY,
    ASK_REFINE,
    ASK_WINDOW,
    FACTORY,
    LAB,
    MARKET,
    MAX_BATTLEFIELDS,
    NONE,
    NUM_MARKET_SPACES,
    RESOURCES,
    RUINS,
    SCHEMATIC_TYPES,
    SCORED,
    SLOTS,
    STEP_INCOME,
    STEP_PLACE,
    WAREHOUSE,
    WORKERS,
)
from kingmaker.envs.clockwork_kingdom.tables import MIN_PLAYERS, WINDOWS, name_of
from kingmaker.envs.core.contract import NOBODY

__all__ = ["forbidden", "position"]

_AREA_NAMES = ("the Market", "the Alchemy Lab", "the Workshop", "the Ruins", "the Battle for the Kingdom",
               "the University", "the Factory", "King's Park")  # fmt: skip
# What the acting seat is asked, by phase.
_QUESTIONS = (
    "places a worker",
    "may play a Ruins card as {area} starts to resolve",
    "chooses a resource to receive",
    "discards a resource, its store being too full",
    "chooses a slot for an alchemy stone",
    "chooses a battlefield for a military token",
    "discards a Ruins card, its hand being too large",
    "pays for {design}, {left} to go",
    "takes or completes a schematic",
    "moves on in the University",
    "may refine a resource into {made}",
)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "nothing"


def _resources(amounts: Iterable[int]) -> list[str]:
    """Return the resources that are there, one kind an entry."""
    return [f"{count} {name}" for count, name in zip(amounts, RESOURCES, strict=True) if count]


def _workers(amounts: Iterable[int]) -> list[str]:
    return [_plural(count, name) for count, name in zip(amounts, WORKERS, strict=True) if count]


# --- cards --------------------------------------------------------------------------------------------


def _income(income: Any) -> list[str]:
    parts = [*_workers(income.workers), *_resources(income.resources)]
    if income.random:
        parts.append(_plural(income.random, "random resource"))
    parts += [
        f"refines {count} into {name}" for count, name in zip(income.refine, RESOURCES, strict=True) if count
    ]
    return parts


def _reward(reward: Any) -> list[str]:
    parts = [*_workers(reward.workers), *_resources(reward.resources)]
    for field, word in (
        ("random", "random resource"),
        ("choice", "resource"),
        ("stones", "alchemy stone"),
        ("tokens", "military token"),
        ("cards", "Ruins card"),
        ("points", "point"),
    ):
        if reward[field]:
            parts.append(_plural(reward[field], word) + (" of choice" if field == "choice" else ""))
    return parts


def _help(help: Any) -> list[str]:
    parts = [f"{help.discount} off each build"] if help.discount else []
    return parts + [f"{help[area]:+d} influence in the {area}" for area in ("lab", "factory") if help[area]]


def _schematic(tables: Any, design: int) -> str:
    """Return a schematic in words: type, cost, points, what it does."""
    card = tables.schematics[design]
    facts = [f"costs {_listed(_resources(card.cost))}", _plural(card.points, "point")]
    if each_round := _income(card.income):
        facts.append(f"each round {_listed(each_round)}")
    if at_once := _reward(card.reward):
        facts.append(f"at once {_listed(at_once)}")
    facts += _help(card.lasting)
    if card.capacity:
        facts.append(f"room for {card.capacity} more resources")
    facts += [
        f"at the end {_plural(points, 'point')} for each of {what}"
        for what, points in zip(SCORED, card.scoring, strict=True)
        if points
    ]
    return f"{name_of(card)} ({SCHEMATIC_TYPES[card.kind]}): {'; '.join(facts)}"


def _ruins_card(tables: Any, kind: int) -> str:
    card = tables.ruins[kind]
    windows = [name for bit, name in enumerate(WINDOWS) if card.windows >> bit & 1]
    what = [*_reward(card.reward), *_help(card.passing)]
    return f"{name_of(card)} ({kind + 1}; {'/'.join(windows)}): {_listed(what)}"


# --- the board ----------------------------------------------------------------------------------------


def _standing(worker: Any) -> str:
    return f"seat {worker.seat}'s {WORKERS[worker.kind]}"


def _queue(workers: Sequence[Any], count: int) -> str:
    taken = [
        f"{number + 1} {_standing(workers[number])}"
        for number in range(count)
        if workers[number].seat != NONE
    ]
    return f"{_listed(taken)} on {_plural(count, 'space')}"


def _market(state: Any) -> str:
    parts = [
        f"{SPACES[space][0].removeprefix('market-')} {_standing(state.market[space])}"
        for space in range(NUM_MARKET_SPACES)
        if state.market[space].seat != NONE
    ]
    parts += [f"beside it seat {seat}'s alchemist" for seat in state.overflow[: state.overflowed]]
    return _listed(parts)


def _contest(state: Any, tables: Any, area: int) -> str:
    parts = [
        f"seat {seat} has influence {strength}"
        for seat in range(state.num_players)
        if (strength := influence(tables, state.seats[seat], area))
    ]
    return _listed(parts)


def _battlefield(state: Any, tables: Any, number: int) -> str:
    parts = []
    for seat in range(state.num_players):
        board = state.seats[seat]
        if board.forces[number] or board.battle[number]:
            workers = f" and {_plural(board.battle[number], 'worker')}" if board.battle[number] else ""
            parts.append(f"seat {seat} {_plural(board.forces[number], 'token')}{workers}")
    return f"  battlefield {number + 1}, {name_of(tables.battlefields[number])}: {_listed(parts)}"


def _park(state: Any) -> str:
    parts = [f"{number + 1} seat {state.park[number]}" for number in range(state.parked)]
    carried = _resources(state.carried)
    return _listed(parts) + (f"; {_listed(carried)} lying there" if carried else "")


def _board(state: Any, tables: Any) -> Iterator[str]:
    """Yield the lines of the board."""
    setup = tables.setups[state.num_players - MIN_PLAYERS]
    facility = "none"
    if state.facility != NONE:
        card = tables.facilities[state.facility]
        facility = f"{name_of(card)} ({_listed(_income(card.income))} each round)"
    yield f"supply: {_listed(_resources(state.supply))}, {_plural(state.stones, 'alchemy stone')}"
    yield "schematics:"
    for place, design in enumerate(state.row):
        if design != NONE:
            yield f"  {place + 1} {_schematic(tables, design)}"
    if state.deck[WAREHOUSE]:
        yield f"  {state.deck[WAREHOUSE]} x {_schematic(tables, WAREHOUSE)}"
    yield f"Market: {_market(state)}"
    yield f"Lab: {_contest(state, tables, LAB)}"
    yield f"Workshop: {_queue(state.workshop, setup.workshop)}"
    for number in range(MAX_BATTLEFIELDS):
        if setup.battlefields[number]:
            yield _battlefield(state, tables, number)
    yield f"University: {_queue(state.university, setup.university)}"
    yield f"Factory, {facility}: {_contest(state, tables, FACTORY)}"
    yield f"King's Park: {_park(state)}"


# --- the seats ----------------------------------------------------------------------------------------


def _hand(board: Any, tables: Any, shown: bool) -> str:
    if not shown or not board.cards:
        return _plural(board.cards, "card")
    kinds = [kind for kind in range(tables.ruins_kinds) for _ in range(board.hand[kind])]
    return "; ".join(_ruins_card(tables, kind) for kind in kinds)


def _seat(state: Any, tables: Any, seat: int, shown: bool) -> Iterator[str]:
    """Yield what lies before a seat, its hand in full if ``shown``."""
    board = state.seats[seat]
    facts = [
        _plural(total_points(board), "point"),
        f"store {_listed(_resources(board.store))} of {board.capacity}",
        _plural(board.tokens, "military token"),
    ]
    stones = [f"{RESOURCES[a]}/{RESOURCES[b]}" for slot, (a, b) in enumerate(SLOTS) if board.slots[slot]]
    if stones:
        facts.append(f"stones {_listed(stones)}")
    mark = "*" if state.actor == seat else " "
    yield f"{mark} seat {seat}: {', '.join(facts)}"
    places = [
        f"{workers_in(board, area)} in {_AREA_NAMES[area]}"
        for area in (MARKET, RUINS)
        if workers_in(board, area)
    ]
    yield f"    pool: {_listed(_workers(board.pool))}" + (f"; {', '.join(places)}" if places else "")
    for slot, design in enumerate(board.yard):
        if design != NONE:
            yield f"    yard {slot + 1}: {_schematic(tables, design)}"
    built = [
        name_of(tables.schematics[design]) + (f" x {count}" if count > 1 else "")
        for design, count in enumerate(board.built)
        if count
    ]
    yield f"    completed: {_listed(built)}"
    if income := _income(board.income):
        yield f"    each round: {_listed(income)}"
    if board.cards:
        yield f"    hand: {_hand(board, tables, shown)}"


# --- the whole ----------------------------------------------------------------------------------------


def _question(state: Any, tables: Any) -> str:
    words = {}
    if state.phase == ASK_WINDOW:
        words["area"] = _AREA_NAMES[state.area]
    elif state.phase == ASK_PAY:
        words["design"] = name_of(tables.schematics[state.seats[state.actor].yard[state.bill.slot]])
        words["left"] = _plural(unpaid(state.bill), "unit")
    elif state.phase == ASK_REFINE:
        words["made"] = RESOURCES[refined(state)]
    return f"seat {state.actor} {_QUESTIONS[state.phase].format(**words)}"


def _time(state: Any, tables: Any) -> str:
    if state.step == STEP_PLACE:
        return "placement"
    return "income" if state.step == STEP_INCOME else f"{_AREA_NAMES[state.area]} resolves"


def position(state: Any, tables: Any, viewer: int) -> str:
    """Return the position in words; of the hands only the viewer's shows, all of them if it is nobody."""
    order = ", ".join(str(seat) for seat in state.order[: state.num_players])
    lines = [f"round {state.rounds} of {tables.rounds}, {_time(state, tables)}; turn order {order}"]
    lines += _board(state, tables)
    for seat in range(state.num_players):
        lines += _seat(state, tables, seat, viewer in (seat, NOBODY))
    lines.append("the game is over" if state.over else _question(state, tables))
    return "\n".join(lines)
