"""``kingmaker tournament``: rate agents against each other."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import (
    Game,
    Options,
    Seats,
    Tables,
    console,
    examples,
    find_game,
    parse_options,
    run_folder,
    say,
)
from kingmaker.cli.errors import CommandError
from kingmaker.cli.exact import progress_bar

if TYPE_CHECKING:
    from kingmaker.benchmarks.tournament import TournamentConfig, TournamentReport


def tournament(
    context: typer.Context,
    game: Game,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="An agent, see `kingmaker list`; LABEL=AGENT gives it a short name."
        ),
    ],
    seats: Seats = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="At least so many games. [1000]")] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="All that is drawn depends on it.")] = 0,
    processes: Annotated[
        int, typer.Option(metavar="N", help="Processes to play in; results do not depend on it.")
    ] = 1,
    option: Options = None,
    tables: Tables = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where the report goes; runs/GAME-tournament-N by default, the next N."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the results in --out, or with the latest.")
    ] = False,
    exact: Annotated[
        bool | None,
        typer.Option(
            "--exact/--no-exact",
            help="Show exact values beside the ratings, in single games of Krig, which are solved. By "
            "default only without tokens: it then takes seconds, and with them minutes an agent.",
        ),
    ] = None,
) -> None:
    """Let agents play each other from every seat, and rate them with intervals."""
    spec = find_game(game)
    from kingmaker.benchmarks.command import command_line
    from kingmaker.benchmarks.tournament import TournamentConfig, run_tournament
    from kingmaker.benchmarks.tournament.store import RESULTS

    config = TournamentConfig(
        game=spec.id,
        agents=tuple(agents),
        num_players=seats,
        options=parse_options(spec, option),
        tables=None if tables is None else str(tables),
        seed=seed,
        command=command_line(context.obj),
        **({} if games is None else {"games": games}),
    )
    folder = out or run_folder(f"{spec.name}-tournament", latest=resume)
    if resume and not (folder / RESULTS).is_file():
        raise CommandError(f"{folder} holds no results to resume")
    wanted = _wants_exact(config, exact)
    progress = console(stderr=True)
    if len(agents) == 1:
        say(progress, "One agent plays against itself: that tells what a seat is worth, and rates nobody.")
    try:
        report = run_tournament(config, folder, resume=resume, processes=processes, console=progress)
    except KeyboardInterrupt:
        place = shlex.quote(str(folder))
        say(progress, f"The games so far are kept; repeat the command with --out {place} --resume to go on")
        raise
    if wanted:
        _add_exact(report, folder)
    shown = console()
    for table in (report.table(), report.cross_table(), report.seat_table()):
        shown.print(table)
    say(shown, f"Report: {folder / 'report.md'}")


def _wants_exact(config: TournamentConfig, exact: bool | None) -> bool:
    """Return whether exact values are to be shown.

    Raises:
        CommandError: if they are asked for and not known.
    """
    from kingmaker.benchmarks.tournament.config import resolve
    from kingmaker.benchmarks.tournament.exact import is_quick, why_unknown

    if exact is False:
        return False
    setup = resolve(config)
    reason = why_unknown(setup)
    if exact and reason:
        raise CommandError(f"--exact: {reason}")
    return reason is None and (exact or is_quick(setup))


def _add_exact(report: TournamentReport, folder: Path) -> None:
    """Add the columns and write the report again."""
    from kingmaker.benchmarks.tournament.exact import add_exact_values

    with progress_bar(console(stderr=True)) as bar:
        add_exact_values(report, bar("Exact values")())
    report.write(folder)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker tournament krig random heuristic",
        "kingmaker tournament krig random heuristic me=policy:me.pt --processes 2",
        "kingmaker tournament krig random heuristic --out runs/base --resume",
        "kingmaker tournament krig_intervention random heuristic -o games=1 --exact",
    )
    app.command("tournament", epilog=epilog)(tournament)
