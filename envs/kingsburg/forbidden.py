"""Which rule forbids an action of Kingsburg, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingmaker.envs.kingsburg.actions import (
    ACTIONS,
    BUILD_FIRST,
    CHANGES,
    DECLINE_OFFER,
    LOSE_FIRST,
    MARKET_STEPS,
    MULTISETS,
    PLACE_FIRST,
    RECRUIT_FIRST,
    REROLL_ALL,
    REROLL_WHITE,
    TAKE_FIRST,
    WHITE_SETS,
)
from kingmaker.envs.kingsburg.rules.recruiting import CHEAP_PRICE, SOLDIER_PRICE
from kingmaker.envs.kingsburg.state import (
    AID,
    COLOURED_DICE,
    COLUMNS,
    HELPING,
    NUM_ADVISORS,
    NUM_DICE,
    NUM_GOODS,
    TOKEN_BONUS,
)
from kingmaker.envs.kingsburg.tables import (
    ADVISOR_TITLES,
    BUILDING_TITLES,
    CHEAP_BUILDINGS,
    CHEAP_SOLDIERS,
    REROLL_EVERY,
    REROLL_ONE,
    SHIFT,
)

Reason = tuple[str, str]  # rule id, sentence

# By phase: the rule that says when its actions are asked for, and when that is.
_PHASES = ("reroll", "place", "gain", "trade", "build", "town-hall", "recruit", "lose")
_TIMES: tuple[Reason, ...] = (
    ("KB-2", "dice are rerolled after all seats have rolled, before any are placed"),
    ("KB-117", "dice are placed when a productive season asks for influence"),
    ("KB-104", "goods are taken when the King, an advisor or a victory gives some of one's choice"),
    ("KB-126", "goods are traded when the Alchemist helps"),
    ("KB-140", "building comes after the advisors' help"),
    ("KB-31", "the Town Hall acts at the end of a productive season"),
    ("KB-42", "soldiers are recruited before Winter"),
    ("KB-50", "goods are lost to an enemy that wins in Winter"),
)
_FIRST_ADVISOR_RULE = 120  # KB-121 is the Jester's
_FIRST_BUILDING_RULE = 142  # the Statue's


def forbidden(state: Any, tables: Any, action: int) -> Reason:
    """Return the id of the rule that forbids an illegal action, and why."""
    phase = _PHASES.index(ACTIONS[action].phase)
    if phase != state.phase:
        return _TIMES[phase]
    return _REASONS[phase](state, tables, action, state.seats[state.actor])


def _owns(board: Any, tables: Any, effect: int) -> bool:
    return bool(board.buildings & tables.owners[effect])


def _lacks(board: Any, multiset: int) -> bool:
    return any(MULTISETS[multiset][good] > board.goods[good] for good in range(NUM_GOODS))


# --- dice ---------------------------------------------------------------------------------------------


def _reroll(state: Any, tables: Any, action: int, board: Any) -> Reason:
    if action == REROLL_ALL:
        if not _owns(board, tables, REROLL_EVERY):
            return "KB-3", "the seat does not have the Chapel"
        if board.chapel_used:
            return "KB-4", "the Chapel has been used this season"
        return "KB-3", "the dice total more than the Chapel allows"
    if not _owns(board, tables, REROLL_ONE):
        return "KB-3", "the seat does not have the Statue"
    if board.statue_used:
        return "KB-4", "the Statue has been used this season"
    if action == REROLL_WHITE and not board.faces[COLOURED_DICE]:
        return "KB-5", "the seat has no white die"
    return "KB-3", "the dice do not all show the same face"


def _place(state: Any, tables: Any, action: int, board: Any) -> Reason:
    group, change = divmod(action - PLACE_FIRST, CHANGES)
    coloured, white = group // WHITE_SETS + 1, group % WHITE_SETS
    dice = coloured | white << COLOURED_DICE
    slots = [slot for slot in range(NUM_DICE) if dice >> slot & 1]
    if not all(board.faces[slot] for slot in slots):
        return "KB-115", "the seat did not roll that die"
    if any(board.placed[slot] for slot in slots):
        return "KB-117", "a die of that group has been placed"
    if any(_has_equal_below(board, slot, dice) for slot in slots):
        return "KB-117", "equal dice make the same group; name the lowest free ones"
    token, market = divmod(change, MARKET_STEPS)
    if reason := _wrong_change(board, tables, token > 0, market != 1):
        return reason
    total = int(sum(board.faces[slot] for slot in slots)) + TOKEN_BONUS * token + market - 1
    return _closed(state, total)


def _has_equal_below(board: Any, slot: int, dice: int) -> bool:
    """Return whether the die below is free, shows the same face, and is not in the group."""
    if slot in (0, COLOURED_DICE) or dice >> slot - 1 & 1 or board.placed[slot - 1]:
        return False
    return bool(board.faces[slot] == board.faces[slot - 1])


def _wrong_change(board: Any, tables: Any, token: bool, market: bool) -> Reason | None:
    """Return why the seat cannot change a sum that way, if it cannot."""
    if token and not board.tokens:
        return "KB-8", 'the seat has no "+2" token'
    if token and board.token_used:
        return "KB-8", 'a "+2" token has been used this season'
    if market and not _owns(board, tables, SHIFT):
        return "KB-10", "the seat does not have the Market"
    if market and board.market_used:
        return "KB-10", "the Market has been used this season"
    return None


def _closed(state: Any, total: int) -> Reason:
    if not 1 <= total <= NUM_ADVISORS:
        return "KB-6", f"no advisor has the number {total}"
    name = f"advisor {total}, the {ADVISOR_TITLES[total - 1]},"
    if state.blocked >> total & 1:
        return "KB-14", f"{name} is blocked by neutral dice"
    return "KB-13", f"{name} has been influenced this season"


# --- goods --------------------------------------------------------------------------------------------


def _source_of_goods(state: Any) -> str:
    """Return the rule that gives the goods which may be taken."""
    if state.step == HELPING:
        return f"KB-{_FIRST_ADVISOR_RULE + state.advisor}"
    return "KB-38" if state.calendar == AID else "KB-172"


def _gain(state: Any, tables: Any, action: int, board: Any) -> Reason:
    if action == DECLINE_OFFER:
        return "KB-17", "these goods cost nothing and are not declined"
    if MULTISETS[action - TAKE_FIRST].sum() != state.pending.count:
        return _source_of_goods(state), f"the number of goods to take is {state.pending.count}"
    return _source_of_goods(state), "not all of these kinds are offered"


def _trade(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return "KB-126", "the seat has no such good to give"


def _sell(state: Any, tables: Any, action: int, board: Any) -> Reason:
    return "KB-31", f"the seat has no {ACTIONS[action].name.removeprefix('pay-')} to pay"


def _recruit(state: Any, tables: Any, action: int, board: Any) -> Reason:
    price = CHEAP_PRICE if _owns(board, tables, CHEAP_SOLDIERS) else SOLDIER_PRICE
    if MULTISETS[action - RECRUIT_FIRST].sum() != price:
        return "KB-42", f"a soldier costs {price} good{'s' * (price > 1)}"
    return "KB-42", "the seat does not have these goods"


def _lose(state: Any, tables: Any, action: int, board: Any) -> Reason:
    if MULTISETS[action - LOSE_FIRST].sum() != state.pending.count:
        return "KB-50", f"the number of goods to lose is {state.pending.count}"
    return "KB-50", "the seat does not have these goods"


# --- buildings ----------------------------------------------------------------------------------------


def _build(state: Any, tables: Any, action: int, board: Any) -> Reason:
    building = action - BUILD_FIRST
    title = BUILDING_TITLES[building]
    if board.buildings >> building & 1:
        return "KB-141", f"the {title} stands already"
    if building % COLUMNS and not board.buildings >> building - 1 & 1:
        return "KB-141", f"the {BUILDING_TITLES[building - 1]} comes before the {title}"
    if building % COLUMNS >= 2 and _owns(board, tables, CHEAP_BUILDINGS):
        return "KB-28", f"the goods do not pay for the {title}, even with the Crane"
    return f"KB-{_FIRST_BUILDING_RULE + building}", f"the goods do not pay for the {title}"


_REASONS: tuple[Callable[[Any, Any, int, Any], Reason], ...] = (
    _reroll,
    _place,
    _gain,
    _trade,
    _build,
    _sell,
    _recruit,
    _lose,
)
