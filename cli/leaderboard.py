"""``kingmaker leaderboard``: every game and seat count, rated and taken apart."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import RUNS, check_target, console, examples, say
from kingmaker.cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.benchmarks.leaderboard.choose import Entry

OUT = RUNS / "leaderboard"


def leaderboard(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help="Names or ids of games; all of them by default.", show_default=False
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Seats in play, repeatable; all that a game has by default."),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Seeds a table, each played in all seatings; the plan's by default."
        ),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who plays and how much, in place of the package's own plan.toml."),
    ] = None,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Processes to play in; results do not depend on it.")
    ] = 1,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Gets the games; what was played there is gone on with.")
    ] = OUT,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The Markdown page, with a folder beside it; leaderboard.md in --out by default.",
        ),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say how long it would take, and play nothing.")
    ] = False,
) -> None:
    """Rate the collection's agents on every game and seat count, and tell skill from seat and luck."""
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.benchmarks.command import command_line
    from kingmaker.benchmarks.leaderboard import PLAN, choose, grids, read_plan, run_leaderboard
    from kingmaker.benchmarks.leaderboard.run import PAGE

    if page is not None:
        _check_page(page)
    entries = choose(
        read_plan(plan or PLAN),
        games or (),
        seats or (),
        num_seeds=seeds,
        command=command_line(context.obj),
    )
    progress = console(stderr=True)
    _forecast(entries, out, processes, progress)
    if estimate:
        return
    try:
        records = run_leaderboard(
            entries,
            out,
            page=page,
            processes=processes,
            console=progress,
            tell=lambda text: say(progress, text),
        )
    except KeyboardInterrupt:
        say(progress, f"The games so far are kept; repeat the command with --out {shlex.quote(str(out))}")
        raise
    shown = console()
    for record in records:
        shown.print(grids.ratings(record).rich())
    shown.print(grids.shares(records).rich())
    say(shown, f"Leaderboard: {page or out / PAGE}")


def _check_page(page: Path) -> None:
    """Check that a page can be written.

    Raises:
        CommandError: if not.
    """
    if page.suffix != ".md":
        raise CommandError(f"--page is a Markdown file, FILE.md, not {page}")
    check_target(page)


def _forecast(entries: list[Entry], out: Path, processes: int, shown: Console) -> None:
    """Say, table by table, how much is to be played and for about how long."""
    from kingmaker.benchmarks.leaderboard.run import forecast

    total = 0.0
    for entry in entries:
        found = forecast(entry, out)
        seconds = found.seconds / processes
        total += seconds
        say(shown, f"{entry.title}: {found.games} games to play, about {_duration(seconds)}")
        for label, reason in entry.left_out.items():
            say(shown, f"  without {label}: {reason}")
    say(shown, f"About {_duration(total)} in all")


def _duration(seconds: float) -> str:
    """Return a span of time, rounded as befits an estimate."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "a minute at most"
    return f"{minutes} min" if minutes < 120 else f"{seconds / 3600:.1f} h"


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker leaderboard --processes 2",
        "kingmaker leaderboard krig kingsburg --seats 2 --seeds 12 --out runs/small",
        "kingmaker leaderboard --plan my-plan.toml --out runs/mine --estimate",
    )
    app.command("leaderboard", epilog=epilog)(leaderboard)
