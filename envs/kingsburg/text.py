"""Kingsburg in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kingmaker.envs.core.contract import NOBODY
from kingmaker.envs.kingsburg.actions import GOODS_NAMES
from kingmaker.envs.kingsburg.forbidden import forbidden
from kingmaker.envs.kingsburg.state import (
    CARDS_A_YEAR,
    COLOURED_DICE,
    FIGHTING,
    GAIN,
    HELPING,
    LOSE,
    NUM_ADVISORS,
    NUM_DICE,
    PLACING,
    REROLLING,
    WINTER,
)
from kingmaker.envs.kingsburg.tables import (
    ADVISOR_TITLES,
    BUILDING_TITLES,
    ENEMY_NAMES,
    ENEMY_TYPES,
)

__all__ = ["forbidden", "position"]

_CALENDAR = ("setup", "the King's aid", "Spring", "the King's reward", "Summer", "the King's Envoy", "Autumn",
             "recruiting", "Winter")  # fmt: skip
# What the acting seat is asked, by phase.
_QUESTIONS = (
    "may reroll dice",
    "places dice on an advisor, or passes",
    "takes {}",
    "may trade a good",
    "may build",
    "may sell at the Town Hall",
    "may recruit a soldier",
    "loses {}",
)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts) or "nothing"


def _goods(amounts: Iterable[int]) -> list[str]:
    """Return the goods that are there, one kind an entry."""
    return [f"{count} {name}" for count, name in zip(amounts, GOODS_NAMES, strict=True) if count]


def _members(bits: int, titles: Sequence[str]) -> list[str]:
    return [title for number, title in enumerate(titles) if bits >> number & 1]


def _advisor(number: int) -> str:
    return f"{ADVISOR_TITLES[number - 1]} ({number})"


def _dice_are_out(state: Any) -> bool:
    return state.step in (REROLLING, PLACING)


# --- the seats ----------------------------------------------------------------------------------------


def _battle(board: Any, tables: Any) -> int:
    """Return what a seat's buildings add in every battle."""
    return sum(int(tables.buildings[number].battle) for number in range(len(BUILDING_TITLES))
               if board.buildings >> number & 1)  # fmt: skip


def _faces(board: Any, slots: range, advisor: int) -> str:
    """Return the faces of the dice in ``slots`` that lie on an advisor, 0 for free ones."""
    lying = [slot for slot in slots if board.faces[slot] and board.placed[slot] == advisor]
    return " ".join(str(board.faces[slot]) for slot in lying)


def _dice(board: Any, advisor: int) -> str:
    coloured = _faces(board, range(COLOURED_DICE), advisor)
    white = _faces(board, range(COLOURED_DICE, NUM_DICE), advisor)
    return f"{coloured} and white {white}".strip() if white else coloured


def _table(board: Any) -> list[str]:
    """Return a seat's dice in words: the free ones, then those on advisors."""
    parts = [f"free dice {free}" if (free := _dice(board, 0)) else "no free dice"]
    influenced = sorted({int(advisor) for advisor in board.placed if advisor})
    parts += [f"{_dice(board, advisor)} on the {_advisor(advisor)}" for advisor in influenced]
    return [*parts, "has passed"] if board.passed else parts


def _board(state: Any, tables: Any, seat: int) -> list[str]:
    """Return what lies before a seat, in lines."""
    board = state.seats[seat]
    facts = [_plural(board.vp, "point"), *_goods(board.goods), _plural(board.soldiers, "soldier")]
    if battle := _battle(board, tables):
        facts.append(f"{battle:+d} in battle")
    if board.tokens:
        facts.append(_plural(board.tokens, '"+2" token'))
    if state.envoy == seat:
        facts.append("the King's Envoy")
    if board.aid_die:
        facts.append("the die of the King's aid")
    if board.peeked:
        facts.append("has looked at the enemy")
    if state.step == FIGHTING:
        facts.append(f"combat value {board.combat}")
    mark = "*" if state.actor == seat else " "
    built = _listed(_members(board.buildings, BUILDING_TITLES))
    lines = [f"{mark} seat {seat}: {', '.join(facts)}", f"    built: {built}"]
    if _dice_are_out(state):
        lines.append(f"    {', '.join(_table(board))}")
    return lines


# --- the rest -----------------------------------------------------------------------------------------


def _card(tables: Any, card: int) -> str:
    """Return an enemy card in words."""
    enemy = tables.enemies[card]
    loss = [*_goods(enemy.lose_goods), *([f"{enemy.lose_choice} of any goods"] if enemy.lose_choice else [])]
    loss += ["a building"] * int(enemy.lose_building)
    loss += [_plural(enemy.lose_vp, "point")] if enemy.lose_vp else []
    reward = [*_goods(enemy.win_goods), *([f"{enemy.win_choice} of any goods"] if enemy.win_choice else [])]
    reward += [_plural(enemy.win_vp, "point")] if enemy.win_vp else []
    title = f"{ENEMY_NAMES[card]}, {ENEMY_TYPES[enemy.type].capitalize()} of strength {enemy.strength}"
    return f"{title}; defeat costs {_listed(loss)}, victory brings {_listed(reward)}"


def _enemy(state: Any, tables: Any, viewer: int) -> str:
    """Return what a viewer knows of this year's enemy (KB-18, KB-107)."""
    first = CARDS_A_YEAR * (state.year - 1)
    strengths = sorted(int(tables.enemies[card].strength) for card in range(first, first + CARDS_A_YEAR))
    known = state.calendar == WINTER or viewer == NOBODY or state.seats[viewer].peeked
    words = _card(tables, int(state.deck[state.year - 1])) if known else "unknown"
    return f"enemy (strengths {', '.join(map(str, strengths))}): {words}"


def _question(state: Any) -> str:
    pending = state.pending
    goods = _plural(pending.count, "good")
    if state.phase == GAIN:
        goods += f" ({' or '.join(_members(pending.kinds, GOODS_NAMES))})"
        if pending.price:
            goods += f" for {_plural(pending.price, 'point')}, or nothing"
    elif state.phase == LOSE:
        goods += " of its choice"
    helper = f", helped by the {_advisor(state.advisor)}" if state.step == HELPING else ""
    return f"seat {state.actor} {_QUESTIONS[state.phase].format(goods)}{helper}"


def position(state: Any, tables: Any, viewer: int) -> str:
    """Return the position in words; the enemy shows to those who have looked, and to all in Winter."""
    order = ", ".join(str(seat) for seat in state.order[: state.num_players])
    title = f"year {state.year}, {_CALENDAR[state.calendar]}; turn order {order}"
    lines = [title, _enemy(state, tables, viewer)]
    if viewer == NOBODY:
        lines.append(f"later enemies: {_listed([ENEMY_NAMES[card] for card in state.deck[state.year :]])}")
    if state.blocked and _dice_are_out(state):
        blocked = [number for number in range(1, NUM_ADVISORS + 1) if state.blocked >> number & 1]
        lines.append(f"blocked by neutral dice: {', '.join(map(_advisor, blocked))}")
    for seat in range(state.num_players):
        lines += _board(state, tables, seat)
    lines.append("the game is over" if state.over else _question(state))
    return "\n".join(lines)
