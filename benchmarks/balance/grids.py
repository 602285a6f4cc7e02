"""The tables of a balance report."""

from __future__ import annotations

from typing import Any

from kingmaker.benchmarks.grid import Grid

Summaries = dict[str, dict[str, Any]]  # by agent


def games(summaries: Summaries) -> Grid:
    """Return length and scores of each agent's games."""
    rows = []
    for label, summary in summaries.items():
        row = [label, str(summary["games"]), _percent(summary["truncated"])]
        for name in ("decisions", "score", "winning score"):
            row.append(_spread(summary[name]))
        rows.append(row)
    heads = ["agent", "games", "cut off, %", "decisions a game", "score", "winning score"]
    return Grid("Games: mean (5 % – median – 95 %)", heads, rows)


def seats(summaries: Summaries) -> Grid:
    """Return the win share of each seat, with 95 % intervals."""
    count = max(len(summary["seats"]) for summary in summaries.values())
    rows = [
        [
            label,
            *(
                f"{_percent(s['win share'])} [{_percent(s['low'])}, {_percent(s['high'])}]"
                for s in summary["seats"]
            ),
        ]
        for label, summary in summaries.items()
    ]
    heads = ["agent", *(f"seat {seat}" for seat in range(count))]
    return Grid(f"Win share by seat, %; par {100 / count:.1f}", heads, rows)


def tally(label: str, content: dict[str, Any]) -> Grid:
    """Return one kind of figures for one agent."""
    parts = content["parts"]
    heads = [content["title"], "mean", *(["share, %"] if parts else []), "winners' mean"]
    heads += ["seats with it, %", "win share with, %", "without, %"]
    rows = []
    for row in content["rows"]:
        cells = [row["name"], _decimal(row["mean"])]
        if parts:
            cells.append(_percent(row.get("share")))
        cells.append(_decimal(row["winners' mean"]))
        cells += [_percent(row[name]) for name in ("seats with it", "win share with", "win share without")]
        rows.append(cells)
    return Grid(f"{content['title'].capitalize()}: {label}", heads, rows)


def all_grids(summaries: Summaries) -> list[Grid]:
    """Return every table of the report, in order."""
    found = [games(summaries), seats(summaries)]
    for label, summary in summaries.items():
        found += [tally(label, content) for content in summary["tallies"]]
    return found


def _spread(spread: dict[str, float] | None) -> str:
    if spread is None:
        return "–"
    low, middle, high = (f"{spread[name]:.4g}" for name in ("5 %", "median", "95 %"))
    return f"{spread['mean']:.1f} ({low} – {middle} – {high})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
