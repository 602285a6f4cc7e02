"""The environments. Importing this package registers every game with PettingZoo and Gymnasium."""

from __future__ import annotations

import importlib
import re
from types import ModuleType

from kingmaker.envs.core.registry import all_specs, get_spec, register_game
from kingmaker.envs.krig import KRIG, KRIG_INTERVENTION

__all__ = ["KRIG", "KRIG_INTERVENTION", "all_specs", "get_spec", "register_game"]


def __getattr__(name: str) -> ModuleType:
    """Find ``krig_v0`` and its like on use; a version that is gone names its successor."""
    if re.fullmatch(r"\w+_v\d+", name):
        spec = get_spec(name)
        return importlib.import_module(f"{__name__}.{spec.name}_v{spec.version}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
