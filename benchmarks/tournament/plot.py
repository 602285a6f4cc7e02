"""The report's picture: ratings with intervals beside the cross-table. Loads matplotlib on import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from kingmaker.benchmarks.tournament.report import TournamentReport

_MAX_LABEL = 28


def save_plot(report: TournamentReport, path: Path) -> None:
    """Draw the report into a PNG file."""
    count = len(report.labels)
    figure = Figure(figsize=(7 + 0.9 * count, 2.2 + 0.55 * count), layout="constrained")
    FigureCanvasAgg(figure)  # no display, and pyplot's global state stays the caller's
    left, right = figure.subplots(1, 2, width_ratios=(1, 1))
    _draw_ratings(report, left)
    _draw_cross_table(report, right)
    setup = report.setup
    figure.suptitle(f"{setup.spec.title}, {setup.num_players} seats, {setup.schedule.num_games} games")
    figure.savefig(path, format="png", dpi=120)


def _short(label: str) -> str:
    return label if len(label) <= _MAX_LABEL else "…" + label[1 - _MAX_LABEL :]


def _draw_ratings(report: TournamentReport, axes: Any) -> None:
    order, a = report.order, report.analysis
    value = a.value.ratings[order]
    reach = np.abs(np.stack([value - a.low.ratings[order], a.high.ratings[order] - value]))
    places = np.arange(len(order))
    axes.errorbar(value, places, xerr=np.nan_to_num(reach), fmt="o", capsize=3)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(places, [_short(report.labels[agent]) for agent in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.set_xlabel(f"rating, {_short(report.labels[report.setup.anchor])} = 0")
    axes.set_title(f"Ratings, {100 * report.setup.config.confidence:g} % intervals")


def _draw_cross_table(report: TournamentReport, axes: Any) -> None:
    order = report.order
    share = report.analysis.value.cross[np.ix_(order, order)]
    axes.imshow(share, vmin=0, vmax=1, cmap="RdBu")
    for i, j in np.argwhere(~np.isnan(share)):
        shade = "white" if abs(share[i, j] - 0.5) > 0.3 else "black"
        axes.text(j, i, f"{100 * share[i, j]:.0f}", ha="center", va="center", color=shade)
    names = [_short(report.labels[agent]) for agent in order]
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.set_title("Row above column, %")
