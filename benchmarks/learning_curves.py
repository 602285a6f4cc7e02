"""How fast training comes near to perfect play on Krig: exploitability against decisions and time.

``python -m kingmaker.benchmarks.learning_curves krig --out docs/results/krig`` trains one run per seed with
the configuration that comes with the game and measures the policy's exploitability, exactly, at decision
counts that double. Each run is a file ``curve-GAME-SEED.jsonl``; a complete one is not trained again.
A plot and a table over all runs found there are written at the end.

The expansion is trained and measured on single games, for which perfect play is known.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any

import typer
from rich.console import Console

from kingmaker.agents.exact.report import measure
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.envs.core.registry import get_spec
from kingmaker.training.ppo import load_config, torch_threads
from kingmaker.training.trainer import Trainer

SETTINGS = {"krig": [], "krig_intervention": ["options.games=1"]}
GIVEN_AWAY_GAMES = 2_000


def marks(decisions: int, points: int) -> list[int]:
    """Return ``points`` decision counts that double up to ``decisions``."""
    return [decisions >> shift for shift in reversed(range(points))]


def train(game: str, seed: int, decisions: int, points: int, settings: list[str]) -> Iterator[dict[str, Any]]:
    """Train one run and yield a line at each mark.

    ``seconds`` is the wall time and ``cpu_seconds`` the processor time of training alone, measurements left
    out.
    """
    own = [f"seed={seed}", f"stop={{decisions={decisions}}}", "tensorboard=false"]
    config = load_config(game, [*SETTINGS[game], *own, *settings])
    with torch_threads(config.threads):
        trainer = Trainer(config)
        seconds = cpu_seconds = 0.0
        left = marks(decisions, points)
        while left:
            wall, processor = perf_counter(), process_time()
            trainer.step()
            seconds += perf_counter() - wall
            cpu_seconds += process_time() - processor
            if trainer.decisions >= left[0]:
                left.pop(0)
                yield {
                    "game": game,
                    "seed": seed,
                    "decisions": trainer.decisions,
                    "seconds": seconds,
                    "cpu_seconds": cpu_seconds,
                    **_measured(game, trainer),
                }


def _measured(game: str, trainer: Trainer) -> dict[str, float]:
    found = measure(get_spec(game), {}, None, trainer.agent(), games=GIVEN_AWAY_GAMES).content()
    return {name: found[name] for name in ("exploitability", "given_away_per_decision")}


def read_curve(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's file; none if it is missing."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def table(curves: dict[str, list[list[dict[str, Any]]]]) -> str:
    """Return a Markdown table: each game's points, median and range over seeds."""
    header = ("game", "decisions", "CPU seconds", "exploitability, median", "lowest", "highest", "seeds")
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    for game, runs in curves.items():
        for points in zip(*runs, strict=True):
            values = [point["exploitability"] for point in points]
            cpu = statistics.median(point["cpu_seconds"] for point in points)
            row = (
                game,
                f"{points[0]['decisions']:,}",
                f"{cpu:,.0f}",
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
        for number, (game, runs) in enumerate(curves.items()):
            for run in runs:
                first = run is runs[0]
                axis.plot(
                    [point[key] for point in run],
                    [point["exploitability"] for point in run],
                    marker="o",
                    color=f"C{number}",
                    label=f"{game}, {len(runs)} seeds" if first else None,
                )
        axis.set(xscale="log", yscale="log", xlabel=label)
        axis.grid(True, which="both", alpha=0.3)
    axes[0].set_ylabel("exploitability (win probability)")
    axes[0].legend()
    write_with(path, lambda partial: figure.savefig(partial, format="png", dpi=110))
    plt.close(figure)


def found_curves(out: Path) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the runs in a folder by game; those with fewer points than others are left out."""
    curves = {}
    for game in SETTINGS:
        runs = [read_curve(path) for path in sorted(out.glob(f"curve-{game}-[0-9]*.jsonl"))]
        whole = max(map(len, runs), default=0)
        if whole:
            curves[game] = [run for run in runs if len(run) == whole]
    return curves


def main(
    game: Annotated[str, typer.Argument(help="krig or krig_intervention.")],
    out: Annotated[Path, typer.Option(help="Where runs, table and plot go.")],
    decisions: Annotated[int, typer.Option(help="Length of each run.", min=2**16)] = 60_000_000,
    points: Annotated[int, typer.Option(help="Measurements of each run.", min=1)] = 7,
    seeds: Annotated[str, typer.Option(help="Seeds, separated by commas.")] = "0,1,2",
    settings: Annotated[list[str] | None, typer.Option("--set", help="Replace a setting.")] = None,
) -> None:
    """Train runs and measure their distance from perfect play."""
    out.mkdir(parents=True, exist_ok=True)
    console = Console()
    for seed in map(int, seeds.split(",")):
        path = out / f"curve-{game}-{seed}.jsonl"
        if len(read_curve(path)) >= points:
            continue
        lines = []
        for line in train(game, seed, decisions, points, settings or []):
            lines.append(json.dumps(line))
            console.print(
                f"{game}, seed {seed}: {line['decisions']:,} decisions, {line['seconds']:.0f} s: "
                f"exploitability {line['exploitability']:.4f}"
            )
            write_text(path, "\n".join(lines) + "\n")
    curves = found_curves(out)
    write_text(out / "curves.md", table(curves))
    plot(curves, out / "curves.png")


if __name__ == "__main__":
    typer.run(main)
