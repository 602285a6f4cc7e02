"""Win rates over training runs: ``python -m kingmaker.benchmarks.run_curves RUN... --out DIR --name NAME``.

Reads ``progress.jsonl`` of each run directory and writes what its evaluations found, against decisions and
wall time: ``NAME.json`` (the figures and the settings of each run), ``NAME.md`` (a table) and ``NAME.png``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kingmaker.benchmarks.grid import Grid
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.training.config import TrainingError
from kingmaker.training.report import PROGRESS, read_progress

ROWS = 12  # of a run in the table; the data has all


def read_run(run_dir: Path) -> dict[str, Any]:
    """Return the settings of a run and the evaluations that it made.

    Raises:
        TrainingError: if the directory holds no run with evaluations.
    """
    points = [
        {"decisions": line["decisions"], "seconds": round(line["seconds"]), "scores": line["scores"]}
        for line in read_progress(run_dir)
        if "scores" in line
    ]
    settings = run_dir / "config.json"
    if not points or not settings.is_file():
        raise TrainingError(f"{run_dir} holds no training run with evaluations in {PROGRESS}")
    return {"config": json.loads(settings.read_text("utf-8")), "points": points}


def label(run: dict[str, Any]) -> str:
    """Return how tables and plots call a run."""
    config = run["config"]
    return f"{config['game']}, {config['num_players']} seats, seed {config['seed']}"


def table(run: dict[str, Any]) -> Grid:
    """Return a run's evaluations, thinned out."""
    points = run["points"]
    kept = points[:: max(1, -(-len(points) // ROWS))]
    kept += [] if kept[-1] is points[-1] else [points[-1]]
    opponents = [score["opponent"] for score in points[0]["scores"]]
    rows = [
        [
            f"{point['decisions'] / 1e6:.1f} M",
            f"{point['seconds'] / 60:.1f}",
            *(_cell(score) for score in point["scores"]),
        ]
        for point in kept
    ]
    heads = ["decisions", "minutes", *(f"win share against {name}, %" for name in opponents)]
    return Grid(label(run), heads, rows)


def _cell(score: dict[str, Any]) -> str:
    rate, low, high = (100 * score[name] for name in ("win_rate", "low", "high"))
    return f"{rate:.1f} [{low:.1f}, {high:.1f}]"


def save_plot(runs: list[dict[str, Any]], path: Path) -> None:
    """Draw win shares against decisions, with their intervals, into a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.5 * len(runs), 4), layout="constrained")
    FigureCanvasAgg(figure)  # no display, and pyplot's global state stays the caller's
    for run, axes in zip(runs, figure.subplots(1, len(runs), squeeze=False)[0], strict=True):
        decisions = [point["decisions"] / 1e6 for point in run["points"]]
        for k, score in enumerate(run["points"][0]["scores"]):
            scores = [point["scores"][k] for point in run["points"]]
            axes.plot(decisions, [100 * each["win_rate"] for each in scores], label=score["opponent"])
            low, high = ([100 * each[end] for each in scores] for end in ("low", "high"))
            axes.fill_between(decisions, low, high, alpha=0.2)
        axes.axhline(100 / run["config"]["num_players"], color="grey", linewidth=0.8)
        axes.set_ylim(0, 102)
        axes.set_xlabel("decisions played, millions")
        axes.set_ylabel("win share, %, all others of one kind")
        axes.set_title(label(run))
        axes.legend()
    figure.savefig(path, format="png", dpi=120)


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="run directories of the torch or the SB3 trainer")
    parser.add_argument("--out", type=Path, required=True, help="directory of the files; made if missing")
    parser.add_argument("--name", default="training", help="stem of the files' names")
    arguments = parser.parse_args()
    try:
        runs = [read_run(run_dir) for run_dir in arguments.runs]
    except TrainingError as error:
        parser.error(str(error))
    arguments.out.mkdir(parents=True, exist_ok=True)
    stem = arguments.out / arguments.name
    write_text(stem.with_suffix(".json"), json.dumps(runs, indent=1) + "\n")
    tables = [f"**{grid.title}**\n\n{grid.markdown()}" for grid in map(table, runs)]
    write_text(stem.with_suffix(".md"), "\n\n".join(tables) + "\n")
    write_with(stem.with_suffix(".png"), lambda path: save_plot(runs, path))


if __name__ == "__main__":
    main()
