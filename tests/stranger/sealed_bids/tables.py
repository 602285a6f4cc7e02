"""The printed figures of Sealed Bids."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pydantic

from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.record import record_dtype
from kingmaker.envs.core.tape import TAPE

FILE = Path(__file__).with_name("sealed_bids.toml")
FIGURES = ("coins", "target", "secrets", "prizes")
TABLES = record_dtype([("tape", TAPE), *((name, "i2") for name in FIGURES)])

Figure = Annotated[int, pydantic.Field(ge=1, le=100)]


class Figures(Table):
    """What ``sealed_bids.toml`` looks like."""

    coins: Figure
    target: Figure
    secrets: Annotated[int, pydantic.Field(ge=4, le=9)]
    prizes: Figure


def load(path: Any, overrides: Mapping[str, Any]) -> np.ndarray:
    """Return a tables array of length 1 from a data file."""
    figures = read_table(Figures, FILE if path is None else Path(path), overrides)
    record = np.zeros(1, TABLES)
    for name in FIGURES:
        record[name] = getattr(figures, name)
    return record
