"""The leaderboard as Markdown: at a glance, what decides games, then game by game."""

from __future__ import annotations

import json
from typing import Any

from kingmaker.benchmarks.leaderboard import grids
from kingmaker.benchmarks.tournament.markdown import FEW_BLOCKS

PLOT = "shares.png"
READING = (
    "Ratings are Plackett-Luce worths on Elo's scale: 400 points are odds of ten to one of being placed "
    "above. They compare within a game and a seat count, not across them, and sum up the cross-table; where "
    "the two disagree, believe the cross-table.",
    "Intervals are percentiles of bootstrap resamples of seeds, since games on one seed share their luck.",
    "Every line-up plays every seed from every seat. CPU time a move is processor time of one core on the "
    "machine that played, and the only figure that differs when the leaderboard is made again.",
    "`ismcts:N` searches with N simulations a move; `baseline` is the trained agent that comes with the "
    "package.",
)
SHARES = (
    "How much of the variance of winning goes back to what. *Skill*: who plays, wherever it sits and "
    "whatever the seed. *Seat*: where one sits. *Seat by agent*: agents that do better in some seats than in "
    "others. *Deal*: what a seed gives to a seat, whoever sits there. *Chance*: all the rest, luck that "
    "depends on how it was played. Skill is skill in this field: the farther apart the agents, the greater "
    "its share, so line-ups without the random agent are also shown. Estimates are unbiased: one that is in "
    "truth 0 may come out a little below. With two seats there is no seat by agent: skill and "
    "seat are all that means can tell."
)


def plot_of(record: dict[str, Any]) -> str:
    """Return the name of the picture of a table's ratings."""
    return f"{record['folder']}.png"


def markdown(records: list[dict[str, Any]], beside: str) -> str:
    """Return the leaderboard of some tables, whose pictures lie in the folder ``beside``."""
    parts = [
        "# Leaderboard",
        "Rating of each agent at each table; blank where it does not play.",
        grids.overview(records).markdown(),
        "## Skill, seat and luck",
        SHARES,
        grids.shares(records).markdown(),
        f"![Shares of skill, seat and luck]({beside}/{PLOT})",
        *(part for record in records for part in _table(record, beside)),
        "## How to read this",
        "\n".join(f"- {note}" for note in READING),
    ]
    return "\n\n".join(parts) + "\n"


def _table(record: dict[str, Any], beside: str) -> list[str]:
    result = record["result"]
    header, counts = result["tournament"], result["counts"]
    made = [f"Made by `{result['command']}`."] if result["command"] else []
    options = f", options `{json.dumps(result['config']['options'])}`" if result["config"]["options"] else ""
    facts = (
        f"`{header['game']}`, kingmaker {header['kingmaker']}{options}: {counts['games']} games, "
        f"{counts['seeds']} seeds drawn from {header['seed']} by {counts['games_a_seed']} seatings of "
        f"{counts['lineups']} line-ups; {counts['truncated']} games cut off by a limit."
    )
    cross = grids.cross_table(record)
    return [
        f"## {record['title']}",
        " ".join([facts, *made]),
        grids.ratings(record).markdown(),
        f"{cross.title}.",
        cross.markdown(),
        f"{grids.seats(record).title}.",
        grids.seats(record).markdown(),
        f"![Ratings and cross-table]({beside}/{plot_of(record)})",
        *_notes(record),
    ]


def _notes(record: dict[str, Any]) -> list[str]:
    result = record["result"]
    notes = [f"{column['name']}: {column['meaning']}" for column in result["columns"]]
    notes += [f"Not in the field: `{label}` ({reason})." for label, reason in record["left_out"].items()]
    if result["counts"]["seeds"] < FEW_BLOCKS:
        notes.append(f"Only {result['counts']['seeds']} seeds: the intervals are too narrow.")
    if len(result["groups"]) > 1:
        groups = "; ".join(", ".join(group) for group in result["groups"])
        notes.append(
            f"Between these groups all games went one way, so ratings bound no difference: {groups}."
        )
    return ["\n".join(f"- {note}" for note in notes)] if notes else []
