"""Checkpoints: all that a run needs to go on as if it had never stopped, as data only."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from kingmaker.training.config import PPOConfig, TrainingError
from kingmaker.training.policy_file import is_finite, load_data, save_atomically
from kingmaker.training.trainer import Trainer

CHECKPOINT_FORMAT = "kingmaker-run-2"
KEYS = ("format", "config", "counters", "network", "optimiser", "random", "league", "arrays")
COUNTERS = ("updates", "decisions", "trained", "games_ended", "seconds")
# What a resumed run may change: when it ends and what it reports, nothing that it has already learned by.
FREE_ON_RESUME = frozenset({"stop", "evaluation", "checkpoint_every", "tensorboard", "threads"})


def save_checkpoint(trainer: Trainer, path: Path) -> None:
    """Write the whole state of a run; ``path`` never holds half of one."""
    content = {
        "format": CHECKPOINT_FORMAT,
        "config": trainer.config.model_dump(),
        "counters": {name: getattr(trainer, name) for name in COUNTERS},
        "network": trainer.network.state_dict(),
        "optimiser": trainer.optimiser.state_dict(),
        "random": json.dumps(trainer.rng.bit_generator.state),  # its 128-bit integers are no torch data
        "league": trainer.league.state(),
        "arrays": {name: _pack(array) for name, array in _arrays(trainer).items()},
    }
    save_atomically(content, path)


def load_checkpoint(path: Path, config: PPOConfig) -> Trainer:
    """Return the run that a checkpoint holds, ready for its next update.

    Args:
        path: the file.
        config: settings; those outside ``FREE_ON_RESUME`` must be those of the run.

    Raises:
        TrainingError: if the file is not a checkpoint, or one of other settings or another version.
    """
    content = load_data(path, "checkpoint", TrainingError)
    if content.get("format") != CHECKPOINT_FORMAT:
        raise TrainingError(f"{path} is no checkpoint of this version ({CHECKPOINT_FORMAT})")
    missing = [name for name in KEYS if name not in content]
    if missing:
        raise TrainingError(f"{path} is no checkpoint: it has no {', '.join(missing)}")
    if not isinstance(content["config"], dict):
        raise TrainingError(f"{path} is no checkpoint: its config is no table")
    _check_settings(path, content["config"], config.model_dump())
    trainer = Trainer(config)
    try:
        for name in COUNTERS:
            setattr(trainer, name, _count(name, content["counters"][name]))
        trainer.network.load_state_dict(content["network"])
        trainer.optimiser.load_state_dict(content["optimiser"])
        trainer.rng.bit_generator.state = json.loads(content["random"])
        trainer.league.load_state(content["league"])
        for name, array in _arrays(trainer).items():
            _unpack(content["arrays"][name], array)
    except Exception as error:  # whatever damage or another version put there
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise TrainingError(f"{path} does not fit this version of the game or trainer: {reason}") from None
    if not is_finite(trainer.network):
        raise TrainingError(f"{path}: its weights are not all finite")
    return trainer


def _count(name: str, value: Any) -> Any:
    kind = float if name == "seconds" else int
    if type(value) is not kind or not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value!r}")
    return value


def _check_settings(path: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    changed = [name for name in now if name not in FREE_ON_RESUME and before.get(name) != now[name]]
    if changed:
        differences = "; ".join(f"{name} was {before.get(name)!r}, is {now[name]!r}" for name in changed)
        raise TrainingError(f"{path.parent} holds a run with other settings: {differences}")


def _arrays(trainer: Trainer) -> dict[str, np.ndarray]:
    """Return the arrays that outlive an update: all games, their streams, seating and carried rows."""
    games = {f"games.{k}": v for k, v in trainer.games.__getstate__().items() if isinstance(v, np.ndarray)}
    carried = {f"carried.{name}": array for name, array in trainer.rollout.carried().items()}
    return {**games, **carried, "seating": trainer.league.seating, "whole": trainer.league.whole}


def _pack(array: np.ndarray) -> torch.Tensor:
    """Return an array's bytes, since torch has no records."""
    return torch.frombuffer(bytearray(array.tobytes()), dtype=torch.uint8)


def _unpack(packed: torch.Tensor, array: np.ndarray) -> None:
    array[...] = np.frombuffer(packed.numpy().tobytes(), array.dtype).reshape(array.shape)
