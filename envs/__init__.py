"""The environments. Importing this package registers every game with PettingZoo and Gymnasium."""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType

from kingmaker.envs.clockwork_kingdom import CLOCKWORK_KINGDOM
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import OptionError, UnknownGame, UnknownGameImport
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import GameLog
from kingmaker.envs.core.registry import all_specs, get_spec, register_game
from kingmaker.envs.kingsburg import KINGSBURG
from kingmaker.envs.krig import KRIG, KRIG_INTERVENTION

__all__ = [
    "CLOCKWORK_KINGDOM",
    "KINGSBURG",
    "KRIG",
    "KRIG_INTERVENTION",
    "BatchGames",
    "Game",
    "GameLog",
    "all_specs",
    "get_spec",
    "register_game",
]


def __getattr__(name: str) -> ModuleType:
    """Find ``krig_v0`` and its like on use; a version that is gone names its successor."""
    if re.fullmatch(r"\w+_v\d+", name):
        try:
            spec = get_spec(name)
        except OptionError as error:
            # `from kingmaker.envs import krig_v9` would drop the text of an AttributeError.
            importing = sys._getframe(1).f_code.co_name == "_handle_fromlist"
            raise (UnknownGameImport if importing else UnknownGame)(str(error)) from None
        return importlib.import_module(f"{__name__}.{spec.name}_v{spec.version}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
