"""What balance reports tell of ended games of Kingsburg."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.spec import Tally
from kingmaker.envs.kingsburg.state import NUM_BUILDINGS, SOURCES
from kingmaker.envs.kingsburg.tables import BUILDING_TITLES


def tallies(states: np.ndarray, num_players: int, tables: np.ndarray) -> tuple[Tally, ...]:
    """Return where the victory points come from and what stands at the end, by game and seat."""
    seats = states["seats"][:, :num_players]
    standing = seats["buildings"][..., None] >> np.arange(NUM_BUILDINGS) & 1
    return (
        Tally("victory points by source", SOURCES, seats["sources"], parts=True),
        Tally("buildings at the end", BUILDING_TITLES, standing),
    )
