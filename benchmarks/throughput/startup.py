"""How long a user waits for the first step: with nothing compiled, and from the cache.

Python's own byte code is there in both cases, as it is after any installation.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from kingmaker.benchmarks.throughput.report import ReportError, Start
from kingmaker.envs.core.cache import CACHE_VARIABLE
from kingmaker.envs.core.spec import GameSpec

PROGRAM = (Path(__file__).parent / "first_step.py").read_text()
TIME_LIMIT = 600
Api = Literal["aec", "batch"]
APIS: tuple[Api, ...] = ("aec", "batch")


def run_start(spec: GameSpec, players: int, api: Api, cache: str | None = None) -> tuple[float, float]:
    """Start a process that takes one step.

    Args:
        spec: the game.
        players: seats in play.
        api: which interface takes the step.
        cache: folder for compiled rules in place of the user's.

    Returns:
        Seconds from the import to the step, and from the start of the process to its end.

    Raises:
        ReportError: if the process fails; holds the end of what it said.
    """
    environment = {**os.environ, **({CACHE_VARIABLE: cache} if cache else {})}
    # By `-c`, so that the folder of this file does not become the first place to import from.
    command = [sys.executable, "-c", PROGRAM, f"{spec.module}:{spec.id}", str(players), api]
    begin = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT)
    wall = time.perf_counter() - begin
    if done.returncode:
        raise ReportError(f"the start of {spec.id} ({api}) failed: {done.stderr[-500:]}")
    return float(done.stdout), wall


def measure_start(
    spec: GameSpec, players: int, api: Api, repeats: int, cold: bool, tell: Callable[[str], None]
) -> Start:
    """Measure one game's start through one interface.

    Args:
        spec: the game.
        players: seats in play.
        api: which interface takes the step.
        repeats: cached starts; this process must have played the game, which fills the cache.
        cold: whether to measure a start with nothing compiled as well.
        tell: is told what is being measured.
    """
    compiling = None
    if cold:
        tell(f"first start of {spec.name}, {players} players, {api}: compiling")
        with TemporaryDirectory(prefix="kingmaker-cold-") as folder:
            compiling = run_start(spec, players, api, folder)[1]
    tell(f"cached starts of {spec.name}, {players} players, {api}")
    runs = [run_start(spec, players, api) for _ in range(repeats)]
    return Start(
        game=spec.id,
        players=players,
        api=api,
        cold=compiling,
        cached=[inside for inside, _ in runs],
        process=[wall for _, wall in runs],
    )
