"""A balance report's picture: seats, and what the points come from. Loads matplotlib on import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from kingmaker.benchmarks.balance.report import BalanceReport


def save_plot(report: BalanceReport, path: Path) -> None:
    """Draw the report into a PNG file."""
    summaries = report.summaries
    scored = [content["title"] for content in _parts(next(iter(summaries.values())))]
    figure = Figure(figsize=(6 * (1 + len(scored)), 4.5), layout="constrained")
    FigureCanvasAgg(figure)  # no display, and pyplot's global state stays the caller's
    axes = figure.subplots(1, 1 + len(scored), squeeze=False)[0]
    _draw_seats(summaries, axes[0])
    for title, place in zip(scored, axes[1:], strict=True):
        _draw_parts(summaries, title, place)
    figure.suptitle(f"{report.spec.title}, {report.num_players} seats, {report.config.games} games an agent")
    figure.savefig(path, format="png", dpi=120)


def _parts(summary: dict[str, Any]) -> list[dict[str, Any]]:
    return [content for content in summary["tallies"] if content["parts"]]


def _draw_seats(summaries: dict[str, dict[str, Any]], axes: Any) -> None:
    count = max(len(summary["seats"]) for summary in summaries.values())
    for k, (label, summary) in enumerate(summaries.items()):
        shares = np.array([seat["win share"] for seat in summary["seats"]])
        reach = np.array([seat["high"] - seat["win share"] for seat in summary["seats"]])
        places = np.arange(count) + 0.8 * ((k + 0.5) / len(summaries) - 0.5)
        axes.errorbar(places, 100 * shares, yerr=100 * reach, fmt="o", capsize=3, label=label)
    axes.axhline(100 / count, color="grey", linewidth=0.8)
    axes.set_xticks(range(count), [f"seat {seat}" for seat in range(count)])
    axes.set_ylabel("win share, %")
    axes.set_title("Seats, 95 % intervals")
    axes.legend()


def _draw_parts(summaries: dict[str, dict[str, Any]], title: str, axes: Any) -> None:
    width = 0.8 / len(summaries)
    for k, (label, summary) in enumerate(summaries.items()):
        rows = next(content for content in summary["tallies"] if content["title"] == title)["rows"]
        places = np.arange(len(rows)) + width * (k + 0.5) - 0.4
        axes.barh(places, [row["mean"] for row in rows], width, label=label)
        axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("mean a seat")
    axes.set_title(title.capitalize())
    axes.legend()
