"""One table of the leaderboard as data, kept beside its tournament; the leaderboard is made from these."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.benchmarks.leaderboard.choose import Entry
from kingmaker.benchmarks.leaderboard.errors import LeaderboardError
from kingmaker.benchmarks.leaderboard.shares import PARTS, Shares, outcome_shares, outcome_tables
from kingmaker.benchmarks.tournament.files import write_text
from kingmaker.benchmarks.tournament.report import TournamentReport
from kingmaker.envs.core.registry import all_specs

FORMAT = 1
RECORD = "table.json"
EVERYBODY, WITHOUT_RANDOM = "all agents", "without random"
_DIGITS = 6


def make_record(entry: Entry, report: TournamentReport, ranks: np.ndarray) -> dict[str, Any]:
    """Return a finished table as JSON types.

    Args:
        entry: the table.
        report: its tournament, with the columns to show.
        ranks: int64 ``(G, n)``, the places in its games by seat.
    """
    return {
        "kingmaker_leaderboard": FORMAT,
        "title": entry.title,
        "folder": entry.folder,
        "left_out": entry.left_out,
        "shares": _shares(report, ranks),
        "cpu_seconds_per_decision": {
            label: times["cpu_seconds_per_decision"] for label, times in report.timing.items()
        },
        "result": report.to_dict(),
    }


def _shares(report: TournamentReport, ranks: np.ndarray) -> dict[str, dict[str, Any]]:
    """Return what decides the games of all line-ups, and of those in which nobody plays at random."""
    setup = report.setup
    config, lineups = setup.config, setup.schedule.lineups
    tables = outcome_tables(ranks, setup.schedule)
    names = [entrant.name for entrant in setup.entrants]
    strong = [i for i, lineup in enumerate(lineups) if all(names[agent] != "random" for agent in lineup)]
    fields = {EVERYBODY: list(range(len(lineups)))}
    if 0 < len(strong) < len(lineups):
        fields[WITHOUT_RANDOM] = strong
    found = {}
    for name, chosen in fields.items():
        played = [lineups[i] for i in chosen]
        shares = outcome_shares(tables[:, chosen], played, config.seed, config.resamples, config.confidence)
        found[name] = _content(shares)
    return found


def _content(shares: Shares) -> dict[str, Any]:
    ends = {"share": shares.value, "low": shares.low, "high": shares.high}
    parts = {
        part: {name: _number(values[i]) for name, values in ends.items()} for i, part in enumerate(PARTS)
    }
    return {"variance": _number(shares.variance), **parts}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), _DIGITS)


def write_record(folder: Path, record: dict[str, Any]) -> None:
    """Keep a table in its folder."""
    write_text(folder / RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def read_records(out_dir: Path) -> list[dict[str, Any]]:
    """Return all finished tables under a folder, games as registered and then by seats.

    Raises:
        LeaderboardError: if a file there is not a table of this format.
    """
    records = [_read(path) for path in sorted(out_dir.glob(f"*/{RECORD}"))]
    order = {spec.id: place for place, spec in enumerate(all_specs())}

    def place(record: dict[str, Any]) -> tuple[int, str, int]:
        header = record["result"]["tournament"]
        return order.get(header["game"], len(order)), header["game"], header["num_players"]

    return sorted(records, key=place)


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"))
    except ValueError:
        record = None
    if not isinstance(record, dict) or record.get("kingmaker_leaderboard") != FORMAT:
        raise LeaderboardError(f"{path} is not a leaderboard's table; move it away")
    return record
