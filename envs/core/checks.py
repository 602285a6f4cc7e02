"""Checks of arguments that several interfaces share; compiled code checks no bounds of its own."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from kingmaker.envs.core.errors import IllegalAction, KingmakerError, OptionError


def is_integer(value: Any) -> bool:
    """Return whether ``value`` is an integer; truth values are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_count(name: str, value: Any, low: int = 1, high: int = 2**63 - 1) -> int:
    """Return ``value`` as an int; raise ``OptionError`` unless it is an integer in ``low..high``."""
    if not is_integer(value) or not low <= value <= high:
        raise OptionError(f"{name} is an integer in {low}..{high}, not {value!r}")
    return int(value)


def check_render_mode(mode: Any) -> str | None:
    """Return ``mode`` if environments can render that way; raise ``OptionError`` otherwise."""
    if mode not in (None, "ansi"):
        raise OptionError(f"render_mode is 'ansi' or None, not {mode!r}")
    return mode


def check_integers(
    name: str,
    values: Any,
    count: int,
    *,
    high: int | None = None,
    error: type[KingmakerError] = OptionError,
) -> np.ndarray:
    """Return ``values`` as int64 ``(count,)``.

    Raises:
        KingmakerError: of the type ``error``, unless they are so many integers, and with ``high`` in
            ``0..high``.
    """
    array = np.asarray(values)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise error(f"{name} are {count} integers, not {array.dtype} of shape {array.shape}")
    if high is not None and count and not 0 <= int(array.min()) <= int(array.max()) <= high:
        raise error(f"{name} are {count} integers in 0..{high}, not {array!r}")
    return np.ascontiguousarray(array, np.int64)


def check_actions(actions: Any, count: int) -> np.ndarray:
    """Return one action a game as int64 ``(count,)``; raise ``IllegalAction`` for anything else."""
    return check_integers("actions", actions, count, error=IllegalAction)


def check_index(index: Any, count: int) -> int:
    """Return the index of one of ``count`` games; raise ``IndexError`` if there is no such game."""
    number = operator.index(index)
    if not 0 <= number < count:
        raise IndexError(f"games are 0..{count - 1}, not {number}")
    return number


def seated(opponents: Sequence[Any], others: int) -> list[Any]:
    """Return one opponent for each of ``others`` seats: those given, or the only one in every seat."""
    if len(opponents) not in (1, others):
        counts = "1 agent" if others == 1 else f"1 or {others} agents"
        raise OptionError(f"opponents are {counts}, not {len(opponents)}")
    return list(opponents) * others if len(opponents) == 1 else list(opponents)
