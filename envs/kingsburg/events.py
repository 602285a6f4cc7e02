"""The journal of Kingsburg: what a person following the game would want to read."""

from __future__ import annotations

from kingmaker.envs.core.spec import Event
from kingmaker.envs.kingsburg.state import SOURCES
from kingmaker.envs.kingsburg.tables import ADVISOR_TITLES, BUILDING_TITLES, ENEMY_NAMES

_PHASES = ("", "the King's aid", "Spring", "the King's reward", "Summer", "the King's Envoy", "Autumn",
           "recruiting", "Winter")  # fmt: skip
_ADVISOR = ("", *ADVISOR_TITLES)
_RESULTS = ("is defeated", "holds its ground", "wins")

EVENTS = (
    Event("year-begins", "year {a} begins"),
    Event("phase-begins", "year {b}: {a}", names={"a": _PHASES}),
    Event("turn-order", "seat {seat} is number {a} in turn order"),
    Event("aid-die", "seat {seat} gets the white die of the King's aid"),
    Event("blocked", "neutral dice block advisor {b}, the {a}", names={"a": _ADVISOR}),
    Event("rolls", "seat {seat} rolls {a}, {b}, {c}"),
    Event("rolls-white", "seat {seat} rolls {a} with a white die"),
    Event("rerolls-one", "seat {seat} rerolls a {a} by the Statue: {b}"),
    Event("rerolls-all", "seat {seat} rerolls all dice by the Chapel"),
    Event("influences", "seat {seat} influences advisor {b}, the {a}", names={"a": _ADVISOR}),
    Event("token-used", 'seat {seat} spends a "+2" token and has {a} left'),
    Event("market-used", "seat {seat} moves the sum by {a} at the Market"),
    Event("passes", "seat {seat} places no more dice"),
    Event("helped", "seat {seat} receives the help of the {a}", names={"a": _ADVISOR}),
    Event("gains-goods", "seat {seat} gains {a} gold, {b} wood, {c} stone"),
    Event("loses-goods", "seat {seat} gives {a} gold, {b} wood, {c} stone"),
    Event("gains-tokens", 'seat {seat} gains {a} "+2" tokens and has {b}'),
    Event("gains-soldiers", "seat {seat} gains {a} soldiers and has {b}"),
    Event("scores", "seat {seat}: {a:+d} victory points ({c}), now {b}", names={"c": SOURCES}),
    Event("looks", "seat {seat} looks at the enemy card of the year"),
    Event("sees", "seat {seat} sees enemy {a}, strength {b}", private=True, names={"a": ENEMY_NAMES}),
    Event("builds", "seat {seat} builds the {a}", names={"a": BUILDING_TITLES}),
    Event("envoy-gained", "seat {seat} receives the King's Envoy"),
    Event("envoy-used", "seat {seat} uses the King's Envoy"),
    Event("envoy-idle", "nobody receives the King's Envoy"),
    Event("enemy", "the enemy is {a}, strength {b}", names={"a": ENEMY_NAMES}),
    Event("reinforcements", "the King sends {a} soldiers to every seat"),
    Event("fights", "seat {seat} {c} with {a} against {b}", names={"c": _RESULTS}),
    Event("building-lost", "seat {seat} loses the {a}", names={"a": BUILDING_TITLES}),
)

# Journal kinds, in the order of the table; kind 0 is a chance draw.
(
    YEAR_BEGINS,
    PHASE_BEGINS,
    TURN_ORDER,
    AID_DIE,
    BLOCKED,
    ROLLS,
    ROLLS_WHITE,
    REROLLS_ONE,
    REROLLS_ALL,
    INFLUENCES,
    TOKEN_USED,
    MARKET_USED,
    PASSES,
    HELPED,
    GAINS_GOODS,
    LOSES_GOODS,
    GAINS_TOKENS,
    GAINS_SOLDIERS,
    SCORES,
    LOOKS,
    SEES,
    BUILDS,
    ENVOY_GAINED,
    ENVOY_USED,
    ENVOY_IDLE,
    ENEMY,
    REINFORCEMENTS,
    FIGHTS,
    BUILDING_LOST,
) = range(1, len(EVENTS) + 1)
