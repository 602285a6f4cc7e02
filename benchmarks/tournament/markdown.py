"""The report as Markdown: first what made it, then the tables, then how to read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kingmaker.benchmarks.tournament import grids

if TYPE_CHECKING:
    from kingmaker.benchmarks.tournament.report import TournamentReport

# With fewer blocks, percentiles of a bootstrap come out too narrow.
FEW_BLOCKS = 30


def markdown(report: TournamentReport) -> str:
    """Return the report."""
    parts = [
        f"# Tournament: {report.setup.spec.title}, {report.setup.num_players} seats",
        *_origin(report),
        "## Ratings",
        grids.ratings(report).markdown(),
        "![Ratings and cross-table](report.png)",
        "## Cross-table",
        grids.cross_table(report).title + "; `n` comparisons.",
        grids.cross_table(report).markdown(),
        "## Seats",
        grids.seats(report).title + ".",
        grids.seats(report).markdown(),
        "## How to read this",
        "\n".join(f"- {note}" for note in _notes(report)),
    ]
    return "\n\n".join(parts) + "\n"


def _origin(report: TournamentReport) -> list[str]:
    setup, counts = report.setup, report.counts()
    config = setup.config
    shown = config.model_dump_json(indent=2, exclude={"command"}, exclude_none=True)
    files = [f"`{e.label}` sha256 `{e.sha256}`" for e in setup.entrants if e.sha256]
    header = setup.header()
    facts = [
        f"`{setup.spec.id}`, kingmaker {header['kingmaker']}, tables `{header['tables']}`, "
        f"options `{json.dumps(setup.options)}`",
        f"{counts['games']} games: {counts['seeds']} seeds drawn from {config.seed}, each played in "
        f"{counts['games_a_seed']} seatings of {counts['lineups']} line-ups; "
        f"{counts['decisions']} decisions; {counts['truncated']} games cut off by a limit",
        *files,
    ]
    made = [f"Made by\n\n```sh\n{config.command}\n```"] if config.command else []
    return [*made, f"Settings\n\n```json\n{shown}\n```", "\n".join(f"- {fact}" for fact in facts)]


def _notes(report: TournamentReport) -> list[str]:
    setup = report.setup
    percent = f"{100 * setup.config.confidence:g} %"
    notes = [
        f"Ratings are Plackett-Luce worths on Elo's scale, `{report.labels[setup.anchor]}` = 0: 400 points "
        "are odds of ten to one of being placed above. They sum up the cross-table; where the two disagree, "
        "believe the cross-table.",
        f"Intervals ({percent}) are percentiles of {setup.config.resamples} bootstrap resamples of seeds, "
        "since games on one seed share their luck.",
        "A shared win counts as a share for each winner, the same place as half a point for each.",
        "All agents of a line-up play every seed from every seat; thinking times are in `timing.json`.",
        *(f"{column.name}: {column.meaning}" for column in report.columns if column.meaning),
    ]
    if len(report.labels) < setup.num_players:
        notes.append("Agents take several seats of a game; each of them counts as a game of the agent.")
    if report.analysis.num_blocks < FEW_BLOCKS:
        notes.append(
            f"Only {report.analysis.num_blocks} seeds: the intervals are too narrow. Play more games."
        )
    if len(report.groups) > 1:
        groups = "; ".join(", ".join(group) for group in report.groups)
        notes.append(
            "Between these groups all games went one way, so that only the prior keeps the rating difference "
            f"finite: {groups}."
        )
    return notes
