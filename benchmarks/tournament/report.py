"""A tournament's outcome, and the files it is written to."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kingmaker.benchmarks.tournament import grids
from kingmaker.benchmarks.tournament.analysis import Analysis, analyse
from kingmaker.benchmarks.tournament.config import Setup
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.benchmarks.tournament.markdown import markdown
from kingmaker.benchmarks.tournament.ratings import comparable_groups
from kingmaker.benchmarks.tournament.store import Results
from kingmaker.benchmarks.tournament.tally import tally

if TYPE_CHECKING:
    from rich.table import Table

REPORT, DATA, PLOT = "report.md", "report.json", "report.png"
RATINGS_CSV, CROSS_CSV, SEATS_CSV = "ratings.csv", "cross_table.csv", "seats.csv"
_DIGITS = 6  # in JSON and CSV


@dataclass(frozen=True)
class Column:
    """A further figure for each agent, shown beside its rating."""

    name: str
    meaning: str
    values: dict[str, float | str]  # by label; agents without one are left blank


@dataclass
class TournamentReport:
    """A tournament's outcome.

    Attributes:
        setup: what was played.
        analysis: estimates, intervals and counts; agents by index in ``labels``.
        decisions: all decisions of all games.
        truncated: games that a limit ended.
        timing: each agent's decisions and CPU seconds; part of no table, since no two runs take the same.
        columns: further figures an agent.
    """

    setup: Setup
    analysis: Analysis
    decisions: int
    truncated: int
    timing: dict[str, dict[str, Any]]
    columns: list[Column] = field(default_factory=list)

    @classmethod
    def of(cls, setup: Setup, results: Results, timing: dict[str, dict[str, Any]]) -> TournamentReport:
        """Return the report on a finished tournament's games."""
        config = setup.config
        blocks = setup.schedule.blocks(np.arange(setup.schedule.num_games))
        counts = tally(results, blocks, len(setup.entrants))
        analysis = analyse(counts, setup.anchor, config.seed, config.resamples, config.confidence)
        return cls(setup, analysis, int(results.decisions.sum()), int(results.truncated.sum()), timing)

    @property
    def labels(self) -> tuple[str, ...]:
        """The agents, in the order they were entered."""
        return self.setup.labels

    @property
    def order(self) -> list[int]:
        """The agents by rating, best first."""
        return np.argsort(-self.analysis.value.ratings, kind="stable").tolist()

    @property
    def groups(self) -> list[list[str]]:
        """Groups of agents between which the games bound no rating difference; one group is the rule."""
        groups = comparable_groups(self.analysis.totals.points)
        return [[self.labels[agent] for agent in group] for group in groups]

    def add_column(self, name: str, values: Mapping[str, float | str], meaning: str = "") -> None:
        """Show a further figure beside the ratings (``write`` again to have it in the files).

        Args:
            name: head of the column.
            values: the figure by agent.
            meaning: a sentence for the report's notes.

        Raises:
            ValueError: if an agent did not take part.
        """
        unknown = sorted(set(values) - set(self.labels))
        if unknown:
            raise ValueError(f"agent {unknown[0]!r} did not take part; agents are {', '.join(self.labels)}")
        self.columns.append(Column(name, meaning, dict(values)))

    # --- tables for a terminal ------------------------------------------------------------------------

    def table(self) -> Table:
        """Return the ratings as a rich table."""
        return grids.ratings(self).rich()

    def cross_table(self) -> Table:
        """Return the cross-table as a rich table."""
        return grids.cross_table(self).rich()

    def seat_table(self) -> Table:
        """Return the win share by seat as a rich table."""
        return grids.seats(self).rich()

    # --- files ----------------------------------------------------------------------------------------

    def write(self, directory: Path) -> None:
        """Write Markdown, JSON, CSV and the plot into ``directory``, each whole or not at all."""
        from kingmaker.benchmarks.tournament.plot import save_plot

        write_text(directory / DATA, json.dumps(self.to_dict(), indent=2) + "\n")
        write_text(directory / RATINGS_CSV, _csv(self._rating_rows()))
        write_text(directory / CROSS_CSV, _csv(self._cross_rows()))
        write_text(directory / SEATS_CSV, _csv(self._seat_rows()))
        write_with(directory / PLOT, lambda path: save_plot(self, path))
        write_text(directory / REPORT, markdown(self))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the timing as JSON types; figures that do not exist are ``None``."""
        return {
            "tournament": self.setup.header(),
            "command": self.setup.config.command,
            "config": self.setup.config.model_dump(exclude={"command"}),
            "counts": self.counts(),
            "anchor": self.labels[self.setup.anchor],
            "groups": self.groups,
            "agents": self._rating_rows(),
            "cross_table": self._cross_rows(),
            "seats": self._seat_rows(),
            "columns": [{"name": c.name, "meaning": c.meaning} for c in self.columns],
        }

    def counts(self) -> dict[str, int]:
        """Return how much was played."""
        schedule = self.setup.schedule
        return {
            "games": schedule.num_games,
            "seeds": schedule.num_blocks,
            "games_a_seed": schedule.block_games,
            "lineups": len(schedule.lineups),
            "decisions": self.decisions,
            "truncated": self.truncated,
        }

    def _interval(self, name: str, index: Any) -> list[float | None]:
        """Return estimate, low and high end of one figure."""
        a = self.analysis
        return [_number(getattr(part, name)[index]) for part in (a.value, a.low, a.high)]

    def _rating_rows(self) -> list[dict[str, Any]]:
        rows = []
        for agent in self.order:
            row = {
                "agent": self.labels[agent],
                "seats_played": round(self.analysis.totals.games[agent].sum()),
            }
            for name in ("ratings", "win_share", "score"):
                head = "rating" if name == "ratings" else name
                row |= dict(
                    zip([head, f"{head}_low", f"{head}_high"], self._interval(name, agent), strict=True)
                )
            rows.append(row | {c.name: c.values.get(self.labels[agent]) for c in self.columns})
        return rows

    def _cross_rows(self) -> list[dict[str, Any]]:
        rows = []
        for a in self.order:
            for b in self.order:
                met = round(self.analysis.totals.met[a, b])
                if a != b and met:
                    share, low, high = self._interval("cross", (a, b))
                    names = {"agent": self.labels[a], "against": self.labels[b]}
                    rows.append({**names, "comparisons": met, "share": share, "low": low, "high": high})
        return rows

    def _seat_rows(self) -> list[dict[str, Any]]:
        n, games = self.setup.num_players, self.analysis.totals.games
        rows = []
        for seat in range(n):
            share, low, high = self._interval("seat_share", seat)
            played = round(games[:, seat].sum())
            shares = {"win_share": share, "low": low, "high": high}
            rows.append({"agent": "all", "seat": seat, "games": played, **shares, "par": _number(1 / n)})
        for agent in self.order:
            for seat in range(n):
                share, low, high = self._interval("agent_seat_share", (agent, seat))
                shares = {"win_share": share, "low": low, "high": high}
                played = round(games[agent, seat])
                row = {"agent": self.labels[agent], "seat": seat, "games": played}
                rows.append({**row, **shares, "par": _number(1 / n)})
        return rows


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), _DIGITS)


def _csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    heads = list(dict.fromkeys(head for row in rows for head in row))
    writer = csv.DictWriter(out, heads, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
