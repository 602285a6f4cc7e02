"""``kingmaker bench``: how fast the games run, beside other libraries' games in the same run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kingmaker.cli.common import console, examples, say


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="A short run, within 60 seconds.")] = False,
    games: Annotated[
        list[str] | None,
        typer.Option("--games", metavar="GAME,...", help="Games to measure; all by default."),
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers/--no-peers", help="Also measure the other libraries that are installed.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where table, JSON and plot go; none are written without it."),
    ] = None,
) -> None:
    """Measure decisions per second of every interface of the games."""
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.benchmarks.throughput import ThroughputConfig, run_throughput

    names = tuple(name for entry in games or () for name in entry.split(","))
    config = ThroughputConfig.of(quick=quick, games=names, peers=peers)
    report = run_throughput(config, out, console=console(stderr=True))
    shown = console()
    shown.print(report.table())
    if out is not None:
        say(shown, f"Report: {out / 'throughput.md'}")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker bench --quick",
        "kingmaker bench --games krig,krig_intervention --no-peers --out results",
    )
    app.command("bench", epilog=epilog)(bench)
