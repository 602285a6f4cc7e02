"""What a seat of Krig sees: named features, its own board first.

The base game's vector is a prefix of the expansion's. Counts are divided by the figure they start from or
by the sides of their die, so that other dice and hit points keep the same range.
"""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.spec import Feature, feature_slices
from kingmaker.envs.krig.rolls import agility_result
from kingmaker.envs.krig.state import (
    ACT,
    ATTACK_ROLL,
    CHARGE_ROLL,
    CRITICAL,
    DEFENCE_ROLL,
    MISS,
    NUM_PLAYERS,
    PARRY_ROLL,
    REACT,
    WINDOW,
)

_BOARD = (
    ("hit_points", "hit points / hit points at the start"),
    ("defence", "value of the active defence die / its sides"),
    ("charging", "1 if charging"),
)
_EXPANSION_BOARD = (
    ("tokens", "tokens left / tokens at the start of a game"),
    ("wins", "games won / games needed"),
    ("broken", "1 if the guard is broken: no defend on the next turn"),
)


def _boards(parts: tuple[tuple[str, str], ...]) -> tuple[Feature, ...]:
    return tuple(
        Feature(f"{whose}.{name}", f"{words}: {meaning}")
        for whose, words in (("own", "own board"), ("other", "the other seat's board"))
        for name, meaning in parts
    )


BASE_FEATURES = (
    *_boards(_BOARD),
    Feature("phase.react", "1 if the choice is accept or parry"),
    Feature("phase.act", "1 if the choice is an action"),
    Feature("pending.face", "attack die of the pending attack / its sides, 0 if none"),
    Feature("pending.parry_chance", "share of parry-die faces that parry it"),
    Feature("pending.loss", "hit points it would take if it landed / hit points at the start"),
    Feature("pending.lethal", "1 if it would end the game if it landed"),
    Feature("own.to_move", "1 if this seat has the choice"),
)

EXPANSION_FEATURES = (
    *_boards(_EXPANSION_BOARD),
    Feature("phase.window", "1 if the choice is to spend a token on the roll"),
    Feature(
        "bonus", "1 in the additional turn after a perfect parry, and while its attack with +1 is pending"
    ),
    Feature("pending.breaks_guard", "1 if the pending attack would break the guard if it landed"),
    Feature("roll.attack", "1 if the roll on the table is an attack"),
    Feature("roll.charge", "1 if it is a charge attack"),
    Feature("roll.defence", "1 if it is a defence roll"),
    Feature("roll.parry", "1 if it is a parry"),
    Feature("roll.own", "1 if this seat rolled it"),
    Feature("roll.passed", "1 if the roller has passed, so that this choice may close the window"),
    Feature("roll.miss", "1 if the agility die is a miss"),
    Feature("roll.critical", "1 if the agility die is a critical hit"),
    Feature("roll.attack_face", "attack die / its sides"),
    Feature("roll.defence_face", "defence die / its sides"),
    Feature("roll.parry_face", "parry die / its sides"),
    Feature("roll.parries", "1 if the parry die parries as it lies"),
    Feature("roll.perfect", "1 if it parries perfectly"),
    Feature("roll.loss", "hit points the roll takes as it lies, unless parried / hit points at the start"),
    Feature("roll.lethal", "1 if that would end the game"),
    Feature("roll.breaks_guard", "1 if the attack would break the guard as it lies"),
    Feature("roll.parry_chance", "share of parry-die faces that would parry the attack as it lies"),
)

NUM_BASE = len(BASE_FEATURES)

# Positions in the vector, read by the kernels below and by the heuristic agent.
_at = {name: part.start for name, part in feature_slices(BASE_FEATURES + EXPANSION_FEATURES).items()}
OWN_BOARD, OTHER_BOARD = _at["own.hit_points"], _at["other.hit_points"]
OWN_EXPANSION, OTHER_EXPANSION = _at["own.tokens"], _at["other.tokens"]
PHASE_REACT, PHASE_ACT, PHASE_WINDOW = _at["phase.react"], _at["phase.act"], _at["phase.window"]
PENDING_FACE, PENDING_CHANCE = _at["pending.face"], _at["pending.parry_chance"]
PENDING_LOSS, PENDING_LETHAL = _at["pending.loss"], _at["pending.lethal"]
PENDING_BREAKS, BONUS, TO_MOVE = _at["pending.breaks_guard"], _at["bonus"], _at["own.to_move"]
ROLL_KIND, ROLL_OWN, ROLL_PASSED = _at["roll.attack"], _at["roll.own"], _at["roll.passed"]
ROLL_MISS, ROLL_CRITICAL = _at["roll.miss"], _at["roll.critical"]
ROLL_ATTACK, ROLL_DEFENCE, ROLL_PARRY = (
    _at["roll.attack_face"],
    _at["roll.defence_face"],
    _at["roll.parry_face"],
)
ROLL_PARRIES, ROLL_PERFECT = _at["roll.parries"], _at["roll.perfect"]
ROLL_LOSS, ROLL_LETHAL = _at["roll.loss"], _at["roll.lethal"]
ROLL_BREAKS, ROLL_CHANCE = _at["roll.breaks_guard"], _at["roll.parry_chance"]
ROLL_END = ROLL_CHANCE + 1


def base_features(num_players: int) -> tuple[Feature, ...]:
    """Return the features of the base game."""
    return BASE_FEATURES


def intervention_features(num_players: int) -> tuple[Feature, ...]:
    """Return the features of the expansion."""
    return BASE_FEATURES + EXPANSION_FEATURES


@kernel
def loss(board, total, critical):
    """Return the hit points that an attack takes from ``board`` if it lands."""
    absorbed = 0 if critical else min(total, board.defence)
    return min(total - absorbed, board.hit_points)


@kernel
def breaks_guard(tables, board, total, critical):
    """Return whether an attack that lands breaks the guard of ``board`` (KR-37 to KR-40)."""
    return tables.guard_break != 0 and critical == 0 and board.defence > 0 and total == board.defence


@kernel
def parry_chance(tables, face):
    """Return the share of parry-die faces that are at least ``face``."""
    return max(tables.dice.parry + 1 - face, 0) / tables.dice.parry


@kernel
def write_board(tables, board, out, at):
    """Write one seat's board as the base game shows it."""
    out[at] = board.hit_points / tables.hit_points
    out[at + 1] = board.defence / tables.dice.defence
    out[at + 2] = board.charging


@kernel
def write_pending(state, tables, out):
    """Write the pending attack."""
    out[PENDING_FACE : PENDING_LETHAL + 1] = 0.0
    pending = state.pending
    if pending.active:
        target = state.seats[pending.target]
        lost = loss(target, pending.total, pending.critical)
        out[PENDING_FACE] = pending.face / tables.dice.attack
        out[PENDING_CHANCE] = parry_chance(tables, pending.face)
        out[PENDING_LOSS] = lost / tables.hit_points
        out[PENDING_LETHAL] = lost == target.hit_points


@kernel
def write_expansion_board(tables, board, out, at):
    """Write what the expansion adds to a seat's board."""
    out[at] = board.tokens / max(tables.tokens, 1)
    out[at + 1] = 2 * board.wins / (tables.games + 1)
    out[at + 2] = board.broken


@kernel
def write_attack_roll(state, tables, out):
    """Write an attack or charge roll as it lies."""
    thrown = state.roll
    target = state.seats[1 - thrown.roller]
    result = agility_result(tables, thrown.agility)
    out[ROLL_MISS] = result == MISS
    out[ROLL_CRITICAL] = result == CRITICAL
    out[ROLL_ATTACK] = thrown.attack / tables.dice.attack
    if result != MISS:
        total = thrown.attack + thrown.defence + thrown.bonus
        critical = result == CRITICAL
        lost = loss(target, total, critical)
        out[ROLL_LOSS] = lost / tables.hit_points
        out[ROLL_LETHAL] = lost == target.hit_points
        out[ROLL_BREAKS] = breaks_guard(tables, target, total, critical)
        if thrown.kind == ATTACK_ROLL and not critical and target.charging == 0:
            out[ROLL_CHANCE] = parry_chance(tables, thrown.attack)


@kernel
def write_roll(state, tables, seat, out):
    """Write the roll on the table, zeros outside a window."""
    out[ROLL_KIND:ROLL_END] = 0.0
    if state.phase != WINDOW:
        return
    thrown = state.roll
    out[ROLL_KIND + thrown.kind] = 1.0
    out[ROLL_OWN] = thrown.roller == seat
    out[ROLL_PASSED] = thrown.passes > 0
    if thrown.kind == ATTACK_ROLL or thrown.kind == CHARGE_ROLL:
        write_attack_roll(state, tables, out)
    if thrown.kind == CHARGE_ROLL or thrown.kind == DEFENCE_ROLL:
        out[ROLL_DEFENCE] = thrown.defence / tables.dice.defence
    if thrown.kind == PARRY_ROLL:
        out[ROLL_PARRY] = thrown.parry / tables.dice.parry
        out[ROLL_PARRIES] = thrown.parry >= state.pending.face
        out[ROLL_PERFECT] = tables.perfect_parry != 0 and thrown.parry == state.pending.face


@kernel
def observe(state, tables, seat, out):
    """Write the features in the order of the tables above."""
    other = NUM_PLAYERS - 1 - seat
    write_board(tables, state.seats[seat], out, OWN_BOARD)
    write_board(tables, state.seats[other], out, OTHER_BOARD)
    out[PHASE_REACT] = state.phase == REACT
    out[PHASE_ACT] = state.phase == ACT
    write_pending(state, tables, out)
    out[TO_MOVE] = state.actor == seat
    if out.shape[0] == NUM_BASE:
        return
    write_expansion_board(tables, state.seats[seat], out, OWN_EXPANSION)
    write_expansion_board(tables, state.seats[other], out, OTHER_EXPANSION)
    out[PHASE_WINDOW] = state.phase == WINDOW
    pending = state.pending
    out[BONUS] = state.bonus
    out[PENDING_BREAKS] = 0.0
    if pending.active:
        # A die that absorbs the attack whole would hide the +1 from ``pending.loss``.
        out[BONUS] = pending.charged == 0 and pending.total > pending.face
        target = state.seats[pending.target]
        out[PENDING_BREAKS] = breaks_guard(tables, target, pending.total, pending.critical)
    write_roll(state, tables, seat, out)
