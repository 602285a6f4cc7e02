"""What the hooks of scripts and journal cost a batch while both are off.

The same games are played by two kinds of processes, which differ only in that one had the hooks taken out
before its rules were compiled. They are measured in turns, by processor time. Where a process happens to
place code and data moves its rate by a per cent or two, so several pairs of processes are taken.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kingmaker.benchmarks.throughput.ours import BATCH
from kingmaker.benchmarks.throughput.report import ReportError, TapeCost
from kingmaker.envs.core.cache import CACHE_VARIABLE
from kingmaker.envs.core.spec import GameSpec

PAIRS = 4
ROUNDS = 15
SECONDS = 0.1
VARIANTS = ("with", "without")


class Child:
    """A running ``tape_child``; a context manager that ends it.

    Args:
        variant: ``"with"`` or ``"without"`` hooks.
        spec: the game.
        players: seats in play.
        seed: for the games.
        cache: folder for the rules that it compiles.
    """

    def __init__(self, variant: str, spec: GameSpec, players: int, seed: int, cache: Path) -> None:
        self.variant = variant
        program = [sys.executable, "-m", "kingmaker.benchmarks.throughput.tape_child"]
        self.process = subprocess.Popen(
            [*program, variant, f"{spec.module}:{spec.id}", str(players), str(BATCH), str(seed)],
            env={**os.environ, CACHE_VARIABLE: str(cache)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        # Ends the child's loop over its input; one that is still compiling is not waited for.
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def answer(self) -> Any:
        """Return the child's next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise ReportError(f"the process {self.variant} hooks ended early")
        return json.loads(line)

    def rate(self, seconds: float) -> float:
        """Let the child play and return its decisions a second."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        count, elapsed = self.answer()
        return float(count / elapsed)


def check_portraits(with_hooks: dict[str, Any], without: dict[str, Any]) -> None:
    """Make sure that both processes play the same games, and that only one has hooks.

    Raises:
        ReportError: if not, since the two rates would then mean nothing.
    """
    if with_hooks["digest"] != without["digest"]:
        raise ReportError("rules with and without hooks played different games")
    if not with_hooks["journal"] or without["journal"]:
        raise ReportError(f"hooks are not as they should be: {with_hooks} and {without}")


def measure_pair(spec: GameSpec, players: int, seed: int, folder: Path) -> list[tuple[float, float]]:
    """Start one pair of processes; return rates with and without hooks, round by round."""
    with ExitStack() as stack:
        pair = [
            stack.enter_context(Child(variant, spec, players, seed, folder / variant)) for variant in VARIANTS
        ]
        check_portraits(*(child.answer() for child in pair))
        rounds = []
        for number in range(ROUNDS):
            order = pair if number % 2 else pair[::-1]
            rates = {child.variant: child.rate(SECONDS) for child in order}
            rounds.append((rates["with"], rates["without"]))
        return rounds


def tape_cost(spec: GameSpec, players: int, seed: int, tell: Callable[[str], None]) -> TapeCost:
    """Measure one game; both variants compile into folders of their own first."""
    rounds: list[tuple[float, float]] = []
    with TemporaryDirectory(prefix="kingmaker-tape-") as folder:
        for number in range(PAIRS):
            tell(f"scripts and journal off, {spec.name}: pair {number + 1} of {PAIRS}")
            rounds += measure_pair(spec, players, seed, Path(folder))
    return TapeCost(
        game=spec.id,
        players=players,
        with_hooks=[rate for rate, _ in rounds],
        without_hooks=[rate for _, rate in rounds],
    )
