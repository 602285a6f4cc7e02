"""The tables of a tournament's report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kingmaker.benchmarks.grid import Grid

if TYPE_CHECKING:
    from kingmaker.benchmarks.tournament.analysis import Analysis
    from kingmaker.benchmarks.tournament.report import TournamentReport


def ratings(report: TournamentReport) -> Grid:
    """Return the agents by rating."""
    a, setup = report.analysis, report.setup
    rows = []
    for agent in report.order:
        label = report.labels[agent]
        rows.append(
            [
                label,
                "0 (anchor)" if agent == setup.anchor else _cell(a, "ratings", agent, "+.0f"),
                _cell(a, "win_share", agent, ".1f", 100),
                _cell(a, "score", agent, ".2f"),
                str(round(a.totals.games[agent].sum())),
                *(_text(column.values.get(label)) for column in report.columns),
            ]
        )
    title = f"{setup.spec.title}, {setup.num_players} seats: ratings, {report.labels[setup.anchor]} = 0"
    heads = ["agent", "rating", "win share, %", "mean score", "games"]
    return Grid(title, [*heads, *(column.name for column in report.columns)], rows)


def cross_table(report: TournamentReport) -> Grid:
    """Return each row's share of points against each column."""
    a, order = report.analysis, report.order

    def cell(i: int, j: int) -> str:
        met = round(a.totals.met[i, j])
        return f"{_cell(a, 'cross', (i, j), '.1f', 100)} n={met}" if met else "–"

    rows = [[report.labels[i], *(cell(i, j) if i != j else "" for j in order)] for i in order]
    heads = ["above", *(report.labels[j] for j in order)]
    return Grid("Row placed above column, %; the same place is half", heads, rows)


def seats(report: TournamentReport) -> Grid:
    """Return the win share by seat, of everybody and of each agent."""
    a, n = report.analysis, report.setup.num_players
    everybody = ["all", *(_cell(a, "seat_share", seat, ".1f", 100) for seat in range(n))]
    rows = [
        [report.labels[i], *(_cell(a, "agent_seat_share", (i, seat), ".1f", 100) for seat in range(n))]
        for i in report.order
    ]
    heads = ["agent", *(f"seat {seat}" for seat in range(n))]
    return Grid(f"Win share by seat, %; par {100 / n:.1f}", heads, [everybody, *rows])


def _cell(analysis: Analysis, name: str, index: int | tuple[int, int], form: str, scale: float = 1) -> str:
    """Return ``estimate [low, high]``; a dash for what the games do not tell."""
    value, low, high = (
        float(getattr(part, name)[index]) * scale for part in (analysis.value, analysis.low, analysis.high)
    )
    if np.isnan(value):
        return "–"
    interval = "–" if np.isnan(low) else f"{_show(low, form)}, {_show(high, form)}"
    return f"{_show(value, form)} [{interval}]"


def _show(value: float, form: str) -> str:
    text = f"{value:{form}}"
    return text.lstrip("+-") if float(text) == 0 else text


def _text(value: float | str | None) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.4g}"
