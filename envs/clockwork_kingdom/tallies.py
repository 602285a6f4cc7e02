"""What balance reports tell of ended games of Clockwork Kingdom, and of the actions taken in them."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.clockwork_kingdom.actions import OVERFLOW, PLACE, PLAY, SPACES, USE
from kingmaker.envs.clockwork_kingdom.state import (
    AREAS,
    MAX_RUINS,
    NUM_SPACES,
    NUM_TYPES,
    SCHEMATIC_TYPES,
    SOURCES,
    WORKERS,
)
from kingmaker.envs.clockwork_kingdom.tables import name_of
from kingmaker.envs.core.spec import Tally

_THINGS = (
    *(f"{name} schematics" for name in SCHEMATIC_TYPES),
    "facilities",
    "alchemy stones",
    "battlefields scored as first",
    "Ruins cards in hand",
)


def tallies(states: np.ndarray, num_players: int, tables: np.ndarray) -> tuple[Tally, ...]:
    """Return where the victory points come from and what was gained, by game and seat."""
    seats = states["seats"][:, :num_players]
    schematics = _names(tables["schematics"][0], tables["designs"][0])
    facilities = _names(tables["facilities"][0], tables["facility_kinds"][0])
    designs = np.arange(len(schematics))
    built = seats["built"][..., : len(schematics)]
    waiting = (seats["yard"][..., None] == designs).sum(axis=2)  # a schematic never leaves a yard unbuilt
    counts = (seats["facilities"].sum(axis=2), seats["slots"].sum(axis=2), seats["won"], seats["cards"])
    things = np.concatenate([seats["types"], np.stack(counts, axis=2)], axis=2)
    return (
        Tally("victory points by source", SOURCES, seats["points"], parts=True),
        Tally("things at the end", _THINGS, things),
        Tally("schematics taken", schematics, built + waiting),
        Tally("schematics completed", schematics, built),
        Tally("facilities won", facilities, seats["facilities"][..., : len(facilities)]),
    )


def action_tallies(taken: np.ndarray, num_players: int, tables: np.ndarray) -> tuple[Tally, ...]:
    """Return where workers were placed and what Ruins cards were played, by game and seat."""
    placed = taken[..., PLACE:OVERFLOW].reshape(*taken.shape[:2], NUM_TYPES, NUM_SPACES)
    overflow = taken[..., OVERFLOW, None]
    spaces = placed.sum(axis=2)
    names = tuple(name for name, _ in SPACES)
    in_area = np.array([[name.split("-")[0] == area for area in AREAS] for name in names])
    areas = spaces @ in_area
    areas[..., 0] += overflow[..., 0]
    workers = placed.sum(axis=3)
    workers[..., WORKERS.index("alchemist")] += overflow[..., 0]
    ruins = _names(tables["ruins"][0], tables["ruins_kinds"][0])
    played = taken[..., USE : USE + MAX_RUINS] + taken[..., PLAY : PLAY + MAX_RUINS]
    return (
        Tally("workers placed by area", AREAS, areas),
        Tally(
            "workers placed by space",
            (*names, "market-overflow"),
            np.concatenate([spaces, overflow], axis=2),
        ),
        Tally("workers placed by type", WORKERS, workers),
        Tally("Ruins cards played", ruins, played[..., : len(ruins)]),
    )


def _names(rows: np.ndarray, count: int) -> tuple[str, ...]:
    return tuple(name_of(row) for row in rows[:count])
