"""Decisions per second of the two trainers, from the first rollout to the last update.

``python -m kingmaker.benchmarks.training_speed --out docs/results`` trains each game with each trainer for a
while, several times in turn, with the configurations that come with the games (64x64 networks), and writes
``training_speed.md`` and ``.json``. For the torch trainer all decisions count, those of opponents among them;
for SB3 only the learner's do. Evaluation against the baselines is left out.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import gymnasium
import typer
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO

from kingmaker.benchmarks.command import command_line
from kingmaker.benchmarks.tournament.files import write_text
from kingmaker.envs.core.registry import get_spec
from kingmaker.training.ppo import load_config, torch_threads, train_ppo
from kingmaker.training.report import read_progress
from kingmaker.training.sb3 import load_sb3_config, train_sb3

GAMES = ("krig", "krig_intervention")
DEFAULTS = "MaskablePPO, SB3's defaults"
HEADER = ("game", "trainer", "torch threads", "decisions/s, median", "lowest", "highest", "runs")


@dataclass(frozen=True)
class Case:
    """A game, a trainer and its number of torch threads."""

    game: str
    trainer: str
    threads: int

    def settings(self, seconds: float) -> list[str]:
        """Return what differs from the configuration that comes with the game."""
        never = 10**9
        return [
            f"stop={{minutes={seconds / 60}}}",
            f"threads={self.threads}",
            f"evaluation.every={never}",
            "evaluation.games=2",
            f"checkpoint_every={never}",
            "tensorboard=false",
        ]

    def run(self, seconds: float) -> float:
        """Train for ``seconds`` and return decisions per second."""
        if self.trainer == DEFAULTS:
            return _run_defaults(self.game, self.threads, seconds)
        load, train = _TRAINERS[self.trainer]
        with tempfile.TemporaryDirectory() as folder:
            run_dir = Path(folder) / "run"
            train(load(self.game, self.settings(seconds)), run_dir)
            last = read_progress(run_dir)[-1]
        return last["decisions"] / last["seconds"]


def _run_defaults(game: str, threads: int, seconds: float) -> float:
    """Train MaskablePPO as a tutorial would: SB3's settings on one environment of ``gymnasium.make``."""
    env = gymnasium.make(get_spec(game).gym_id, opponents=["random"])
    with torch_threads(threads):
        model = MaskablePPO("MlpPolicy", env, device="cpu", seed=0)
        start = perf_counter()
        while perf_counter() - start < seconds:
            model.learn(model.n_steps, reset_num_timesteps=False)
        return model.num_timesteps / (perf_counter() - start)


_TRAINERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "torch PPO": (load_config, train_ppo),
    "MaskablePPO": (load_sb3_config, train_sb3),
}


def cases(games: tuple[str, ...] = GAMES) -> Iterator[Case]:
    """Yield what is measured."""
    for game in games:
        for trainer in (*_TRAINERS, DEFAULTS):
            for threads in (1, 2):
                yield Case(game, trainer, threads)


def measure(wanted: list[Case], seconds: float, rounds: int) -> dict[Case, list[float]]:
    """Return decisions per second of every case in every round, the cases in turn within a round."""
    for case in wanted:
        case.run(1.0)  # compiles, and imports what is imported late
    found: dict[Case, list[float]] = {case: [] for case in wanted}
    for _ in range(rounds):
        for case in wanted:
            found[case].append(case.run(seconds))
    return found


def rows(found: dict[Case, list[float]]) -> list[tuple[str, ...]]:
    """Return the table's rows."""
    return [
        (
            case.game,
            case.trainer,
            str(case.threads),
            *(f"{value:,.0f}" for value in (statistics.median(rates), min(rates), max(rates))),
            str(len(rates)),
        )
        for case, rates in found.items()
    ]


def markdown(found: dict[Case, list[float]], facts: dict[str, Any]) -> str:
    """Return the report."""
    lines = ["# Training speed", "", *(f"* {name}: {value}" for name, value in facts.items()), ""]
    lines += [f"| {' | '.join(HEADER)} |", "|" + "---|" * len(HEADER)]
    lines += [f"| {' | '.join(row)} |" for row in rows(found)]
    return "\n".join(lines) + "\n"


def main(
    out: Annotated[Path | None, typer.Option(help="Where the report goes.")] = None,
    seconds: Annotated[float, typer.Option(help="Length of each run.", min=1)] = 15.0,
    rounds: Annotated[int, typer.Option(help="Runs of each case.", min=1)] = 3,
) -> None:
    """Measure both trainers on both games."""
    facts = {
        "command": command_line(),
        "machine": f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start",
        "python": platform.python_version(),
        "seconds": seconds,
    }
    found = measure(list(cases()), seconds, rounds)
    table = Table(*HEADER)
    for row in rows(found):
        table.add_row(*row)
    Console().print(table)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        plain = [{**asdict(case), "decisions_per_second": rates} for case, rates in found.items()]
        write_text(out / "training_speed.json", json.dumps({"facts": facts, "cases": plain}, indent=1) + "\n")
        write_text(out / "training_speed.md", markdown(found, facts))


if __name__ == "__main__":
    typer.run(main)
