"""Krig in words."""

from __future__ import annotations

from typing import Any

from kingmaker.envs.krig.actions import ACCEPT, DEFEND, PARRY, PASS
from kingmaker.envs.krig.rolls import agility_result
from kingmaker.envs.krig.state import (
    ACT,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    MISS,
    NUM_PLAYERS,
    PARRY_ROLL,
    REACT,
    WINDOW,
)

_RESULTS = {MISS: "a miss", CRITICAL: "a critical hit"}


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _board(state: Any, tables: Any, seat: int) -> str:
    board = state.seats[seat]
    parts = [f"{board.hit_points}/{tables.hit_points} hit points"]
    parts.append(f"defence {board.defence}" if board.defence else "no defence")
    if board.charging:
        parts.append("charging")
    if board.broken:
        parts.append("guard broken")
    if tables.tokens:
        parts.append(_plural(board.tokens, "token"))
    if tables.games > 1:
        parts.append(_plural(board.wins, "win"))
    mark = "*" if state.actor == seat else " "
    return f"{mark} seat {seat}: {', '.join(parts)}"


def _attack(agility: str, face: int, defence: int, bonus: int, missed: bool = False) -> str:
    total = 0 if missed else face + defence + bonus  # KR-116
    terms = [f"attack die {face}"]
    if defence:
        terms.append(f"defence die {defence}")
    if bonus:
        terms.append("+1 for the perfect parry")
    return f"{' and '.join(terms)}{agility}: {total or 'no'} damage"


def _roll(state: Any, tables: Any) -> str:
    thrown = state.roll
    if thrown.kind == DEFENCE_ROLL:
        what = f"defence die {thrown.defence}"
    elif thrown.kind == PARRY_ROLL:
        what = f"parry die {thrown.parry} against attack die {state.pending.face}"
    else:
        result = agility_result(tables, thrown.agility)
        agility = f", agility die {thrown.agility}"
        if result in _RESULTS:
            agility += f" ({_RESULTS[result]})"
        what = _attack(agility, thrown.attack, thrown.defence, thrown.bonus, result == MISS)
        if thrown.kind == CHARGE_ROLL:
            what = "charge attack, " + what
    return f"seat {thrown.roller} has rolled: {what}"


def _situation(state: Any, tables: Any) -> str:
    if state.phase == REACT:
        bonus = state.pending.total - state.pending.face
        attack = _attack("", state.pending.face, 0, bonus)
        return f"pending on seat {state.actor}: {attack}"
    if state.phase == WINDOW:
        return _roll(state, tables)
    if state.phase == ACT and state.bonus:
        return f"seat {state.actor} has parried perfectly: an attack now gains +1"
    return f"seat {state.actor} is to act"


def position(state: Any, tables: Any, viewer: int) -> str:
    """Return the position in words, one board a line; nothing is hidden, so every viewer sees the same."""
    title = f"turn {state.turn}"
    if tables.games > 1:
        title = f"game {state.game} of at most {tables.games}, {title}"
    lines = [title, *(_board(state, tables, seat) for seat in range(NUM_PLAYERS))]
    lines.append("the game is over" if state.over else _situation(state, tables))
    return "\n".join(lines)


def forbidden(state: Any, tables: Any, action: int) -> tuple[str, str]:
    """Return the id of the rule that forbids an illegal action, and why."""
    if action >= PASS:
        if state.phase == WINDOW:
            return "KR-45", "only dice of the roll on the table may be rerolled"
        return "KR-44", "there is no roll to spend a token on"
    if state.phase == WINDOW:
        return "KR-44", "a token may be spent or kept first; the roll does not count before that"
    if action in (ACCEPT, PARRY):
        return "KR-6", "no attack is pending that could be parried"
    if state.phase == REACT:
        return "KR-1", "accept or parry the pending attack first"
    if action == DEFEND and state.seats[state.actor].defence:
        return "KR-27", "the defence die is active and may not be rolled anew"
    return "KR-43", "the guard is broken, so this turn cannot be used to defend"
