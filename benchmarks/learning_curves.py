"""How fast training comes near to perfect play on Krig: exploitability against decisions and time.

``python -m kingmaker.benchmarks.learning_curves krig --out docs/results/krig`` trains one run per seed with
the configuration that comes with the game and measures the policy's exploitability, exactly, at decision
counts that double; ``krig_sb3`` does the same with MaskablePPO. Each run is a file ``curve-NAME-SEED.jsonl``;
a complete one is not trained again. A plot and a table over all runs found there are written at the end.

The expansion is trained and measured on single games, for which perfect play is known. MaskablePPO counts the
learner's own decisions, those of its opponents come on top.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any

import typer
from rich.console import Console

from kingmaker.agents.base import Agent
from kingmaker.agents.exact.report import measure
from kingmaker.agents.loader import load_agent
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.envs.core.registry import get_spec
from kingmaker.training.evaluate import Score
from kingmaker.training.ppo import load_config, torch_threads
from kingmaker.training.report import Report
from kingmaker.training.trainer import Trainer

SB3 = "_sb3"  # ends the names of MaskablePPO's runs, as those of its configurations
NAMES = ("krig", "krig_intervention", f"krig{SB3}", f"krig_intervention{SB3}")
GIVEN_AWAY_GAMES = 2_000


def marks(decisions: int, points: int) -> list[int]:
    """Return ``points`` decision counts that double up to ``decisions``."""
    return [decisions >> shift for shift in reversed(range(points))]


class Watch:
    """Measures a run at its marks, and keeps the time that training takes, measurements left out.

    Args:
        name: of the run's kind, one of ``NAMES``.
        seed: of the run.
        left: decision counts to measure at.
        tell: called with each line.
    """

    def __init__(self, name: str, seed: int, left: list[int], tell: Callable[[dict[str, Any]], None]) -> None:
        self.name, self.seed, self.left, self.tell = name, seed, list(left), tell
        self._seconds = self._cpu_seconds = 0.0
        self._start = perf_counter(), process_time()

    def look(self, decisions: int, agent: Callable[[], Agent]) -> None:
        """Measure the policy if a mark is reached; called after every update."""
        self._seconds += perf_counter() - self._start[0]
        self._cpu_seconds += process_time() - self._start[1]
        if self.left and decisions >= self.left[0]:
            self.left.pop(0)
            spec = get_spec(game_of(self.name))
            found = measure(spec, {}, None, agent(), games=GIVEN_AWAY_GAMES).content()
            self.tell(
                {
                    "run": self.name,
                    "seed": self.seed,
                    "decisions": decisions,
                    "seconds": self._seconds,
                    "cpu_seconds": self._cpu_seconds,
                    "exploitability": found["exploitability"],
                    "given_away_per_decision": found["given_away_per_decision"],
                }
            )
        self._start = perf_counter(), process_time()


def game_of(name: str) -> str:
    """Return the game of a kind of run."""
    return name.removesuffix(SB3)


def settings_of(name: str, seed: int, decisions: int, given: list[str]) -> list[str]:
    """Return what a run changes in the configuration that comes with the game."""
    single = [] if game_of(name) == "krig" else ["options.games=1"]
    return [*single, f"seed={seed}", f"stop={{decisions={decisions}}}", "tensorboard=false", *given]


def train_ppo(watch: Watch, settings: list[str]) -> None:
    """Train with our own PPO up to the last mark."""
    config = load_config(watch.name, settings)
    with torch_threads(config.threads):
        trainer = Trainer(config)
        while watch.left:
            trainer.step()
            watch.look(trainer.decisions, trainer.agent)


def train_maskable_ppo(watch: Watch, settings: list[str]) -> None:
    """Train with MaskablePPO up to the last mark."""
    from kingmaker.training.sb3 import load_sb3_config
    from kingmaker.training.sb3_run import MODEL, SB3Run

    game = game_of(watch.name)
    config = load_sb3_config(game, ["evaluation.baselines=[]", "checkpoint_every=1000000", *settings])
    with torch_threads(config.threads), tempfile.TemporaryDirectory() as folder:
        run = SB3Run(config, Path(folder))

        def agent() -> Agent:
            run.save()
            return load_agent(f"sb3:{Path(folder) / MODEL}", game)

        class Log(Report):
            def write(self, line: dict[str, Any], progress: float, scores: list[Score]) -> None:
                super().write(line, progress, scores)
                watch.look(line["decisions"], agent)

        with Log(Path(folder), 0, watch.name, None, tensorboard=False) as log:
            run.learn(log)


def read_curve(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's file; none if it is missing."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def table(curves: dict[str, list[list[dict[str, Any]]]]) -> str:
    """Return a Markdown table: each kind of run's points, median and range over seeds."""
    header = (
        "run",
        "decisions",
        "seconds",
        "CPU seconds",
        "exploitability, median",
        "lowest",
        "highest",
        "seeds",
    )
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    for name, runs in curves.items():
        for points in zip(*runs, strict=True):
            values = [point["exploitability"] for point in points]
            times = [statistics.median(point[key] for point in points) for key in ("seconds", "cpu_seconds")]
            row = (
                name,
                f"{points[0]['decisions']:,}",
                *(f"{time:,.0f}" for time in times),
                *(f"{value:.4f}" for value in (statistics.median(values), min(values), max(values))),
                str(len(points)),
            )
            lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


def plot(curves: dict[str, list[list[dict[str, Any]]]], path: Path) -> None:
    """Draw exploitability against decisions and against processor time, a line a run."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for axis, key, label in zip(
        axes, ("decisions", "cpu_seconds"), ("decisions", "processor time, s"), strict=True
    ):
        for number, (name, runs) in enumerate(curves.items()):
            for run in runs:
                first = run is runs[0]
                axis.plot(
                    [point[key] for point in run],
                    [point["exploitability"] for point in run],
                    marker="o",
                    color=f"C{number}",
                    label=f"{name}, {len(runs)} seeds" if first else None,
                )
        axis.set(xscale="log", yscale="log", xlabel=label)
        axis.grid(True, which="both", alpha=0.3)
    axes[0].set_ylabel("exploitability (win probability)")
    axes[0].legend()
    write_with(path, lambda partial: figure.savefig(partial, format="png", dpi=110))
    plt.close(figure)


def found_curves(out: Path) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the runs in a folder by kind; those with fewer points than others are left out."""
    curves = {}
    for name in NAMES:
        runs = [read_curve(path) for path in sorted(out.glob(f"curve-{name}-[0-9]*.jsonl"))]
        whole = max(map(len, runs), default=0)
        if whole:
            curves[name] = [run for run in runs if len(run) == whole]
    return curves


def main(
    name: Annotated[str, typer.Argument(help=f"What to train: {', '.join(NAMES)}.")],
    out: Annotated[Path, typer.Option(help="Where runs, table and plot go.")],
    decisions: Annotated[int, typer.Option(help="Length of each run.", min=2**16)] = 60_000_000,
    points: Annotated[int, typer.Option(help="Measurements of each run.", min=1)] = 7,
    seeds: Annotated[str, typer.Option(help="Seeds, separated by commas.")] = "0,1,2",
    settings: Annotated[list[str] | None, typer.Option("--set", help="Replace a setting.")] = None,
) -> None:
    """Train runs and measure their distance from perfect play."""
    if name not in NAMES:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(NAMES)}")
    out.mkdir(parents=True, exist_ok=True)
    console = Console()
    train = train_maskable_ppo if name.endswith(SB3) else train_ppo
    for seed in map(int, seeds.split(",")):
        path = out / f"curve-{name}-{seed}.jsonl"
        if len(read_curve(path)) >= points:
            continue
        lines: list[str] = []

        def tell(line: dict[str, Any], path: Path = path, lines: list[str] = lines) -> None:
            lines.append(json.dumps(line))
            write_text(path, "\n".join(lines) + "\n")
            console.print(
                f"{name}, seed {line['seed']}: {line['decisions']:,} decisions, {line['seconds']:.0f} s: "
                f"exploitability {line['exploitability']:.4f}"
            )

        watch = Watch(name, seed, marks(decisions, points), tell)
        train(watch, settings_of(name, seed, decisions, settings or []))
    curves = found_curves(out)
    write_text(out / "curves.md", table(curves))
    plot(curves, out / "curves.png")


if __name__ == "__main__":
    typer.run(main)
