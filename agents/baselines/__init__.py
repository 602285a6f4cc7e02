"""Trained agents that come with the package, one for a game and a seat count: ``load_agent("baseline")``.

Each file is a policy of the torch trainer with its weights as float16. `kingmaker.training.baselines` makes
them; ``baselines.toml`` there says with which settings, and ``baselines.json`` here what came of it.
"""

from __future__ import annotations

from pathlib import Path

from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec

FOLDER = Path(__file__).parent


def baseline_path(spec: GameSpec, num_players: int, folder: Path | None = None) -> Path:
    """Return where the baseline of a game lies, or would lie; in the package by default."""
    return (folder or FOLDER) / f"{spec.name}-v{spec.version}-{num_players}.pt"


def find_baseline(spec: GameSpec, num_players: int) -> Path:
    """Return the file of a baseline.

    Raises:
        AgentError: if there is none; says for which seat counts there is.
    """
    path = baseline_path(spec, num_players)
    if not path.is_file():
        have = [str(seats) for seats in spec.seats if baseline_path(spec, seats).is_file()]
        known = f"there is one for {', '.join(have)} seats" if have else "there is none for any seat count"
        raise AgentError(f"{spec.id} has no trained baseline for {num_players} seats; {known}")
    return path
