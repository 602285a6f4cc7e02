"""Solved games on disk: solved once, kept in the user's cache directory, mapped into memory afterwards.

A solution is an ``.npy`` file and a ``.json`` file beside it, named by a hash of the rules, of the solver and
of the figures that matter. Both are written under another name first, and a file that does not agree with its
sidecar is solved anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.agents.exact.layout import Figures, figures_of
from kingmaker.agents.exact.solver import MEMORY_LIMIT, THREADS, TOLERANCE, Progress, Solution, solve
from kingmaker.envs.core.cache import CACHE_VARIABLE, ENVS, KEEP_DAYS, cache_root

# Whatever a value can depend on; comments included, since telling them apart is not worth a mistake.
_SHOWN = ("observation.py", "events.py", "text.py")  # what rules look like, not what they do
_RULES = tuple(path for path in sorted((ENVS / "krig").glob("*.py")) if path.name not in _SHOWN)
_SOLVER = tuple(
    Path(__file__).parent / name for name in ("layout.py", "rolls.py", "turns.py", "layer.py", "solver.py")
)


def solutions_folder() -> Path:
    """Return where solutions are kept: beside the compiled kernels, or in ``KINGMAKER_CACHE_DIR``."""
    root = cache_root()
    return (root if os.environ.get(CACHE_VARIABLE) else root.parent) / "solutions"


def solution_key(fig: Figures) -> str:
    """Return the hash that names the solution of a game."""
    digest = hashlib.sha256(repr((tuple(fig), TOLERANCE)).encode())
    for path in (*_RULES, *_SOLVER):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _facts(solution: Solution, data: str) -> dict[str, Any]:
    return {
        "figures": solution.figures._asdict(),
        "seconds": solution.seconds,
        "sweeps": solution.sweeps,
        "memory": solution.memory,
        "sha256": data,
    }


def save_solution(solution: Solution, folder: Path) -> Path:
    """Write a solution into ``folder``, atomically; return the path of the values."""
    folder.mkdir(parents=True, exist_ok=True)
    values = folder / f"krig-{solution_key(solution.figures)}.npy"
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as file:
        np.save(file, solution.values, allow_pickle=False)
    try:
        facts = _facts(solution, _hash_of(Path(file.name)))
        Path(file.name).replace(values)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as file:
        file.write(json.dumps(facts, indent=1).encode())
    Path(file.name).replace(values.with_suffix(".json"))
    _remove_unused(folder)
    return values


def _remove_unused(folder: Path) -> None:
    """Delete solutions that nobody has loaded for ``KEEP_DAYS`` days."""
    oldest = time.time() - KEEP_DAYS * 86400
    for path in folder.glob("krig-*.npy"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.with_suffix(".json").unlink(missing_ok=True)
                path.unlink()


def load_solution(fig: Figures, folder: Path) -> Solution | None:
    """Return the solution kept in ``folder``, its values mapped read-only, or ``None``.

    Whatever does not fit counts as not being there: a missing or unreadable file, other figures, another
    shape or type, or content that differs from what was written.
    """
    path = folder / f"krig-{solution_key(fig)}.npy"
    try:
        facts = json.loads(path.with_suffix(".json").read_text("utf-8"))
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        fits = (
            facts["figures"] == fig._asdict()
            and values.shape == fig.value_shape()
            and values.dtype == np.float64
            and values.flags.c_contiguous
            and facts["sha256"] == _hash_of(path)
        )
        if not fits:
            return None
        with suppress(OSError):  # a cache that is only readable serves as well
            os.utime(path)
            os.utime(folder)
        return Solution(fig, values, float(facts["seconds"]), int(facts["sweeps"]), int(facts["memory"]))
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


@lru_cache(maxsize=4)
def _loaded(fig: Figures, folder: Path) -> Solution | None:
    return load_solution(fig, folder)


def find_solution(
    tables: Any,
    *,
    folder: Path | None = None,
    threads: int = THREADS,
    limit: int = MEMORY_LIMIT,
    progress: Callable[[], Progress] | None = None,
) -> Solution:
    """Return the solution of a game, from the cache if it is there, or else solve it and keep it.

    Args:
        tables: the game's tables array, of ``krig`` or ``krig_intervention``.
        folder: where solutions are kept; ``solutions_folder()`` by default.
        threads: threads to solve with.
        limit: bytes that solving may use.
        progress: called if the game has to be solved; returns what to call with the share done.

    Raises:
        AgentError: if the game takes too much memory.
    """
    fig = figures_of(tables)
    folder = solutions_folder() if folder is None else folder
    kept = _loaded(fig, folder)
    if kept is not None:
        return kept
    solution = solve(fig, threads=threads, limit=limit, progress=progress() if progress else None)
    try:
        save_solution(solution, folder)
    except OSError:  # a read-only or full disk: solve again next time
        return solution
    _loaded.cache_clear()
    return _loaded(fig, folder) or solution
