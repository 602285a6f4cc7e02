"""The leaderboard's picture: what decides the games of each table. Loads matplotlib on import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from kingmaker.benchmarks.leaderboard.record import EVERYBODY
from kingmaker.benchmarks.leaderboard.shares import PARTS


def save_plot(records: list[dict[str, Any]], path: Path) -> None:
    """Draw the shares of all agents' games, a bar a table, into a PNG file."""
    known = [record for record in records if record["shares"][EVERYBODY][PARTS[0]]["share"] is not None]
    figure = Figure(figsize=(9, 1.6 + 0.45 * max(1, len(known))), layout="constrained")
    FigureCanvasAgg(figure)  # no display, and pyplot's global state stays the caller's
    axes = figure.subplots()
    left = [0.0] * len(known)
    for part in PARTS:
        # An estimate below 0 stands for a share of 0.
        widths = [max(0.0, 100 * record["shares"][EVERYBODY][part]["share"]) for record in known]
        axes.barh(range(len(known)), widths, left=left, label=part)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(known)), [record["title"] for record in known])
    axes.invert_yaxis()
    axes.set_xlabel("share of the variance of winning, %")
    figure.legend(loc="outside upper center", ncols=len(PARTS), frameon=False)
    figure.savefig(path, format="png", dpi=120)
