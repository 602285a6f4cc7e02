"""The collection's own list of games, and their entries in PettingZoo's and Gymnasium's registries."""

from __future__ import annotations

import difflib
import re

import gymnasium

from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.spec import GameSpec

_games: dict[str, GameSpec] = {}


def register_game(spec: GameSpec) -> GameSpec:
    """Make a game known here, to PettingZoo (AEC) and to Gymnasium (one seat, and its vector form).

    Registering the same game again changes nothing, so a module may be imported twice.

    Raises:
        ValueError: if another game has the same id.
    """
    if _games.setdefault(spec.id, spec).module != spec.module:
        raise ValueError(f"{spec.id} is already registered by {_games[spec.id].module}")
    if spec.gym_id not in gymnasium.registry:
        gymnasium.register(
            spec.gym_id,
            entry_point="kingmaker.envs.core.one_seat:make_seat_env",
            vector_entry_point="kingmaker.envs.core.vector:make_vector_env",
            kwargs={"game": f"{spec.module}:{spec.id}"},
        )
    _register_aec(spec)
    return spec


def _register_aec(spec: GameSpec) -> None:
    try:
        from pettingzoo import register  # since PettingZoo 1.27
        from pettingzoo.env_registry.registration import aec_registry
    except ImportError:
        return
    if spec.id not in aec_registry:
        register(
            "aec",
            spec.id,
            entry_point="kingmaker.envs.core.aec:make_aec_env",
            kwargs={"game": f"{spec.module}:{spec.id}"},
        )


def all_specs(namespace: str | None = None) -> tuple[GameSpec, ...]:
    """Return all registered games, or those of one namespace, in the order of registration."""
    return tuple(spec for spec in _games.values() if namespace in (None, spec.namespace))


def get_spec(name: str) -> GameSpec:
    """Return a game by name (``krig``), id (``kingmaker/krig-v0``) or ``module:id``.

    A name without a version means the newest.

    Raises:
        OptionError: if there is no such game; names the nearest ones, and for an old version its successor.
    """
    if ":" in name:
        import importlib

        module, name = name.split(":", 1)
        importlib.import_module(module)
    if name in _games:
        return _games[name]
    match = re.fullmatch(r"(?:(?P<space>[\w.]+)/)?(?P<name>\w+?)(?:[-_]v(?P<version>\d+))?", name)
    wanted = match["name"].lower() if match else name
    found = [spec for spec in _games.values() if wanted in (spec.name, spec.name.replace("_", ""))]
    if match and match["version"] and found:
        same = [spec for spec in found if spec.version == int(match["version"])]
        if not same:
            newest = max(found, key=lambda spec: spec.version)
            changes = "; ".join(f"v{v}: {what}" for v, what in newest.history)
            raise OptionError(f"{name} is not available; use {newest.id} ({changes})")
        found = same
    if found:
        return max(found, key=lambda spec: spec.version)
    known = [spec.name for spec in _games.values()]
    near = difflib.get_close_matches(wanted, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise OptionError(f"there is no game {name!r}; the games are {', '.join(known)}{hint}")
