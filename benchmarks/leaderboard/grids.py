"""The leaderboard's tables, from its records."""

from __future__ import annotations

from typing import Any

from kingmaker.benchmarks.grid import Grid
from kingmaker.benchmarks.leaderboard.record import WITHOUT_RANDOM
from kingmaker.benchmarks.leaderboard.shares import PARTS

_NONE = "–"


def overview(records: list[dict[str, Any]]) -> Grid:
    """Return the rating of every agent in every table."""
    found = [{row["agent"]: row for row in record["result"]["agents"]} for record in records]
    labels = list(dict.fromkeys(agent["label"] for record in records for agent in _agents(record)))
    rows = []
    for label in labels:
        ratings = [rows_by[label]["rating"] if label in rows_by else None for rows_by in found]
        rows.append([label, *("" if rating is None else f"{rating:.0f}" for rating in ratings)])
    return Grid("Ratings", ["agent", *(record["title"] for record in records)], rows)


def _agents(record: dict[str, Any]) -> list[dict[str, Any]]:
    return list(record["result"]["tournament"]["agents"])


def shares(records: list[dict[str, Any]]) -> Grid:
    """Return what decides the games of every table."""
    rows = []
    for record in records:
        for field, found in record["shares"].items():
            name = record["title"] + (f", {WITHOUT_RANDOM}" if field == WITHOUT_RANDOM else "")
            cells = [_interval(found[part], ("share", "low", "high"), ".1f", 100) for part in PARTS]
            rows.append([name, *cells])
    return Grid("Share of the variance of winning, %", ["game", *PARTS], rows)


def ratings(record: dict[str, Any]) -> Grid:
    """Return the agents of a table by rating, with further figures and the time that they think."""
    result, times = record["result"], record["cpu_seconds_per_decision"]
    columns = [column["name"] for column in result["columns"]]
    rows = []
    for row in result["agents"]:
        anchor = row["agent"] == result["anchor"]
        seconds = times.get(row["agent"])
        rows.append(
            [
                row["agent"],
                "0 (anchor)" if anchor else _interval(row, _ends("rating"), "+.0f"),
                _interval(row, _ends("win_share"), ".1f", 100),
                _NONE if seconds is None else f"{1000 * seconds:.3g}",
                *("" if row[name] is None else _figure(row[name]) for name in columns),
            ]
        )
    heads = ["agent", "rating", "win share, %", "CPU ms a move", *columns]
    return Grid(f"{record['title']}: ratings, {result['anchor']} = 0", heads, rows)


def cross_table(record: dict[str, Any]) -> Grid:
    """Return each row's share of points against each column."""
    result = record["result"]
    order = [row["agent"] for row in result["agents"]]
    met = {(row["agent"], row["against"]): row for row in result["cross_table"]}

    def cell(a: str, b: str) -> str:
        if a == b:
            return ""
        return _interval(met[a, b], ("share", "low", "high"), ".1f", 100) if (a, b) in met else _NONE

    rows = [[a, *(cell(a, b) for b in order)] for a in order]
    return Grid("Row placed above column, %; the same place is half", ["above", *order], rows)


def seats(record: dict[str, Any]) -> Grid:
    """Return the win share of each seat."""
    found = [row for row in record["result"]["seats"] if row["agent"] == "all"]
    cells = [_interval(row, _ends("win_share", plain=True), ".1f", 100) for row in found]
    heads = ["", *(f"seat {row['seat']}" for row in found)]
    return Grid("Win share by seat, %", heads, [["all", *cells]])


def _ends(name: str, *, plain: bool = False) -> tuple[str, str, str]:
    return (name, "low", "high") if plain else (name, f"{name}_low", f"{name}_high")


def _interval(row: dict[str, Any], names: tuple[str, str, str], form: str, scale: float = 1) -> str:
    """Return ``estimate [low, high]``; dashes for what the games do not tell."""
    value, low, high = (row[name] for name in names)
    if value is None:
        return _NONE
    ends = _NONE if low is None else f"{_show(low * scale, form)}, {_show(high * scale, form)}"
    return f"{_show(value * scale, form)} [{ends}]"


def _show(value: float, form: str) -> str:
    text = f"{value:{form}}"
    return text.lstrip("+-") if float(text) == 0 else text


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"
