"""The machine, and the sizes of the games."""

from __future__ import annotations

import os
import platform
from datetime import datetime, timezone
from pathlib import Path

import numba
import numpy as np

from kingmaker.benchmarks.command import command_line
from kingmaker.benchmarks.throughput.report import Machine, Size
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.core.spec import GameSpec


def seat_counts(spec: GameSpec) -> list[int]:
    """Return the game's smallest and largest seat count."""
    return sorted({min(spec.seats), max(spec.seats)})


def machine_facts() -> Machine:
    """Return the facts of this machine now."""
    return Machine(
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        numba=numba.__version__,
        numpy=np.__version__,
        load=os.getloadavg() if hasattr(os, "getloadavg") else None,
        compiled=JIT,
        command=command_line(),
    )


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def game_size(spec: GameSpec, players: int) -> Size:
    """Return what a game takes."""
    return Size(
        game=spec.id,
        players=players,
        state=spec.state_dtype.itemsize,
        tables=spec.tables_dtype.itemsize,
        tape=spec.tables_dtype["tape"].itemsize,
        observation=spec.observation_size(players),
        actions=spec.num_actions,
    )
