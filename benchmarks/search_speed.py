"""Simulated decisions per second of the tree search, on one core.

``python -m kingmaker.benchmarks.search_speed --out docs/results`` searches positions of random games and
writes ``search_speed.md`` and ``.json``. A simulated decision is one choice of any seat in a simulation, in
the tree or in a playout. Seconds are of processor time, so that other work on the machine counts little.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Annotated

import typer
from rich.console import Console

from kingmaker.agents.ismcts.agent import ISMCTSAgent
from kingmaker.benchmarks.command import command_line
from kingmaker.benchmarks.grid import Grid
from kingmaker.benchmarks.tournament.files import write_text
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.spec import GameSpec

PLAYOUTS = ("random", "heuristic")
HEADS = ["game", "seats", "playouts", "decisions/s", "lowest", "highest", "simulations/s", "ms a search"]
# Positions searched in a round, and random moves before the first and between two of them.
POSITIONS, APART = 5, 6


@dataclass(frozen=True)
class Case:
    """A game, a seat count and who plays the playouts."""

    game: str
    seats: int
    playout: str


@dataclass(frozen=True)
class Round:
    """What the searches of one round did."""

    decisions: int
    simulations: int
    seconds: float


def positions(spec: GameSpec, seats: int) -> list[Game]:
    """Return positions of random games, spread over their length, for every case and run the same."""
    batch = BatchGames(spec, 1, seats, seed=0)
    found = []
    for _ in range(POSITIONS):
        for _ in range(APART):
            batch.step(batch.random_actions())
        found.append(batch.game(0))
    return found


def cases(games: list[str]) -> list[Case]:
    """Return what is measured: every game at its fewest and its most seats, with each kind of playout."""
    return [
        Case(spec.name, seats, playout)
        for spec in map(get_spec, games)
        for seats in sorted({spec.seats[0], spec.seats[-1]})
        for playout in PLAYOUTS
    ]


def measure(case: Case, simulations: int, rounds: int) -> list[Round]:
    """Search the positions so many times, after a first time that compiles."""
    spec = get_spec(case.game)
    name = f"ismcts:{simulations},playout={case.playout}"
    agent = ISMCTSAgent(spec, case.seats, name, name.partition(":")[2])
    games, found = positions(spec, case.seats), []
    agent.advise(games[:1])
    for _ in range(rounds):
        start = process_time()
        advice = agent.advise(games)
        seconds = process_time() - start
        found.append(Round(sum(a.decisions for a in advice), sum(a.simulations for a in advice), seconds))
    return found


def grid(found: dict[Case, list[Round]]) -> Grid:
    """Return the results as a table."""
    rows = []
    for case, rounds in found.items():
        rates = [each.decisions / each.seconds for each in rounds]
        simulations = statistics.median(each.simulations / each.seconds for each in rounds)
        search = statistics.median(1000 * each.seconds / POSITIONS for each in rounds)
        figures = [
            f"{value:,.0f}" for value in (statistics.median(rates), min(rates), max(rates), simulations)
        ]
        rows.append([case.game, str(case.seats), case.playout, *figures, f"{search:.1f}"])
    return Grid("Search speed", HEADS, rows)


def main(
    games: Annotated[list[str] | None, typer.Argument(help="Games; all by default.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the report goes.")] = None,
    simulations: Annotated[int, typer.Option(help="Simulations a search.", min=1)] = 1000,
    rounds: Annotated[int, typer.Option(help="Times that each case is measured.", min=1)] = 3,
) -> None:
    """Measure the search on one core."""
    facts = {
        "command": command_line(),
        "machine": f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the start",
        "python": platform.python_version(),
        "simulations a search": simulations,
    }
    names = games or [spec.name for spec in all_specs("kingmaker")]
    found = {case: measure(case, simulations, rounds) for case in cases(names)}
    table = grid(found)
    Console().print(table.rich())
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        plain = [{**asdict(case), "rounds": [asdict(each) for each in runs]} for case, runs in found.items()]
        write_text(out / "search_speed.json", json.dumps({"facts": facts, "cases": plain}, indent=1) + "\n")
        lines = ["# Search speed", "", *(f"* {name}: {value}" for name, value in facts.items()), ""]
        write_text(out / "search_speed.md", "\n".join(lines) + "\n" + table.markdown() + "\n")


if __name__ == "__main__":
    typer.run(main)
