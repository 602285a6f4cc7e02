"""The journal of Krig: what a person following the game would want to read."""

from __future__ import annotations

from kingmaker.envs.core.spec import Event

EVENTS = (
    Event("game-begins", "game {a} begins; seat {seat} has the first turn"),
    Event("turn-begins", "turn {a}: seat {seat}"),
    Event("rolls", "seat {seat} rolls"),
    Event("token-spent", "seat {seat} spends a token and has {b} left"),
    Event("missed", "seat {seat}'s attack misses"),
    Event("defends", "seat {seat}'s defence stands at {a}"),
    Event("charges", "seat {seat} charges"),
    Event("parried", "seat {seat} parries"),
    Event("parry-failed", "seat {seat}'s parry fails"),
    Event("guard-broken", "seat {seat}'s guard is broken"),
    Event("absorbed", "seat {seat}'s defence absorbs {a} and stands at {b}"),
    Event("hit-points-lost", "seat {seat} loses {a} hit points and has {b}"),
    Event("game-won", "seat {seat} wins the game with {b} hit points left"),
    Event("limit-reached", "the game is stopped after {a} turns"),
)

# Journal kinds, in the order of the table; kind 0 is a chance draw.
(
    GAME_BEGINS,
    TURN_BEGINS,
    ROLLS,
    TOKEN_SPENT,
    MISSED,
    DEFENDS,
    CHARGES,
    PARRIED,
    PARRY_FAILED,
    GUARD_BROKEN,
    ABSORBED,
    HIT_POINTS_LOST,
    GAME_WON,
    LIMIT_REACHED,
) = range(1, len(EVENTS) + 1)
