"""The printed figures of Krig: the tables record and its data file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pydantic

from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.tape import TAPE

FOLDER = Path(__file__).parent

DICE = np.dtype([("agility", "i2"), ("attack", "i2"), ("defence", "i2"), ("parry", "i2")], align=True)

TABLES = np.dtype(
    [
        ("tape", TAPE),
        ("dice", DICE),
        ("hit_points", "i2"),
        ("handicap", "i2"),
        ("tokens", "i2"),
        ("perfect_parry", "i2"),
        ("guard_break", "i2"),
        ("games", "i2"),
    ],
    align=True,
)

# Bounds of the figures, for the data file and for the options that replace its entries.
MAX_HIT_POINTS = 100
MAX_SIDES = 20
MAX_TOKENS = 20
MAX_GAMES = 9


class Dice(Table):
    """Sides of each die."""

    # An agility die of two sides misses or crits and never plainly hits; three is the least with all three.
    agility: Annotated[int, pydantic.Field(ge=3, le=MAX_SIDES)]
    attack: Annotated[int, pydantic.Field(ge=1, le=MAX_SIDES)]
    defence: Annotated[int, pydantic.Field(ge=1, le=MAX_SIDES)]
    parry: Annotated[int, pydantic.Field(ge=1, le=MAX_SIDES)]


class KrigTable(Table):
    """What ``krig.toml`` and ``krig_intervention.toml`` look like."""

    intervention: bool
    hit_points: Annotated[int, pydantic.Field(ge=1, le=MAX_HIT_POINTS)]
    handicap: Annotated[int, pydantic.Field(ge=0, le=MAX_HIT_POINTS - 1)]
    tokens: Annotated[int, pydantic.Field(ge=0, le=MAX_TOKENS)]
    perfect_parry: bool
    guard_break: bool
    games: Annotated[int, pydantic.Field(ge=1, le=MAX_GAMES)]
    dice: Dice

    @pydantic.model_validator(mode="after")
    def _playable(self) -> KrigTable:
        if self.handicap >= self.hit_points:
            raise ValueError(
                f"handicap {self.handicap} leaves the first seat no hit points of {self.hit_points}"
            )
        if self.games % 2 == 0:
            raise ValueError(f"games must be odd, so that a match has a winner, not {self.games}")
        if not self.intervention and (self.tokens or self.perfect_parry or self.guard_break):
            raise ValueError("tokens, perfect_parry and guard_break need intervention = true")
        return self


def load(default: str, path: Any, overrides: Mapping[str, Any]) -> np.ndarray:
    """Return a tables array of length 1 from ``path``, or from ``default`` in this folder.

    Raises:
        TableError: if the file is unreadable or does not describe a playable game.
    """
    source = FOLDER / default if path is None else Path(path)
    table = read_table(KrigTable, source, overrides)
    record = np.zeros(1, TABLES)
    for name in ("hit_points", "handicap", "tokens", "perfect_parry", "guard_break", "games"):
        record[name] = getattr(table, name)
    for die in DICE.names or ():
        record["dice"][die] = getattr(table.dice, die)
    return record
