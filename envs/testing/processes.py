"""Checks over processes: the same game elsewhere, and compiled as interpreted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.testing.case import Case
from kingmaker.envs.testing.worker import trajectory

WORKER = "from kingmaker.envs.testing.worker import main; main()"
TIMEOUT_S = 600


def check_processes(case: Case) -> None:
    """Another process, with another hash seed, plays the same games from the same seeds."""
    _compare(case, "another process", interpreted=not JIT, PYTHONHASHSEED="12345")


def check_interpreted(case: Case) -> None:
    """Compiled and interpreted rules play the same games (whichever of them this process runs)."""
    _compare(case, "compiled and interpreted: the other one", interpreted=JIT)


def _compare(case: Case, who: str, *, interpreted: bool, **environment: str) -> None:
    task: dict[str, Any] = {
        "module": case.spec.module,
        "game": case.spec.id,
        "num_players": case.num_players,
        "options": dict(case.options),
        "seed": case.seed,
        "games": case.few if interpreted or not JIT else case.games,  # interpreted games are slow
    }
    answer = _elsewhere(case, json.dumps(task), {"NUMBA_DISABLE_JIT": str(int(interpreted)), **environment})
    here = trajectory(**task)
    for number, (ours, theirs) in enumerate(zip(here, answer, strict=True)):
        for decision, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            place = f", game seed {case.seed + number}, decision {decision}"
            case.expect(one == other, f"{who} plays another game{place}")
        case.expect(len(ours) == len(theirs), f"{who} plays a longer or shorter game")


def _elsewhere(case: Case, task: str, environment: dict[str, str]) -> list[list[str]]:
    paths = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run(
        [sys.executable, "-c", WORKER],
        input=task,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    case.expect(run.returncode == 0, f"the game does not run in another process:\n{run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])
