"""``kingmaker balance``: what games are like when one agent plays all seats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kingmaker.cli.common import (
    Game,
    Json,
    Options,
    Seats,
    Tables,
    console,
    examples,
    find_game,
    parse_options,
    print_json,
    say,
)
from kingmaker.cli.errors import CommandError


def balance(
    context: typer.Context,
    game: Game,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="Agents, each of which plays all seats of its games; LABEL=AGENT gives one a short name. "
            "[random heuristic]",
            show_default=False,
        ),
    ] = None,
    seats: Seats = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games an agent.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="S", help="All that is drawn depends on it.")] = 0,
    option: Options = None,
    tables: Tables = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write the report, its data and a plot there.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Report length, scores, seats and what the points come from, in games of each agent with itself."""
    spec = find_game(game)
    from kingmaker.benchmarks.balance import BalanceConfig, run_balance
    from kingmaker.benchmarks.balance.report import DATA, REPORT
    from kingmaker.benchmarks.command import command_line

    if out is not None and (out / DATA).exists():
        raise CommandError(f"{out / DATA} exists; name another directory, or move it away")
    config = BalanceConfig(
        game=spec.id,
        agents=tuple(agents or ("random", "heuristic")),
        num_players=seats,
        options=parse_options(spec, option),
        tables=None if tables is None else str(tables),
        games=games,
        seed=seed,
        command=command_line(context.obj),
    )
    progress = console(stderr=True)
    report = run_balance(config, lambda label: say(progress, f"{games} games of {label}"))
    if out is not None:
        report.write(out)
        say(progress, f"Report: {out / REPORT}")
    if as_json:
        print_json(report.content())
        return
    shown = console()
    for grid in report.grids():
        shown.print(grid.rich())


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker balance kingsburg --seats 4",
        "kingmaker balance kingsburg random heuristic me=policy:me.pt --out runs/balance",
    )
    app.command("balance", epilog=epilog)(balance)
