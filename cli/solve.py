"""``kingmaker solve``: perfect play of Krig, and what it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import Game, Json, Options, Tables, console, examples, print_json, say, show_sheet
from kingmaker.cli.exact import Memory, SelfPlaySeed, Threads, find_solvable, gib, percent, progress_bar

if TYPE_CHECKING:
    from kingmaker.agents.exact.report import Report
    from kingmaker.cli.facts import Sheet


def solve(
    game: Game,
    option: Options = None,
    tables: Tables = None,
    games: Annotated[
        int, typer.Option(metavar="N", help="Games of perfect self-play to count actions in.", min=1)
    ] = 20_000,
    seed: SelfPlaySeed = 0,
    threads: Threads = 2,
    memory: Memory = 1.0,
    as_json: Json = False,
) -> None:
    """Solve Krig: values of the usual starts, the best opening, and how often each action is right.

    The expansion is solved as a single game, and the value of the match follows. A solution is kept in the
    cache directory; the second call reads it from there.
    """
    spec, options = find_solvable(game, option)
    from kingmaker.agents.exact.report import make_report
    from kingmaker.agents.exact.store import find_solution

    record = spec.configure(options, tables)[0]
    with progress_bar(console(stderr=True)) as bar:
        solution = find_solution(
            record, threads=threads, limit=gib(memory), progress=bar(f"Solving {spec.title}")
        )
        counting = bar("Counting decisions")()
        report = make_report(spec, options, tables, solution, games=games, seed=seed, progress=counting)
    if as_json:
        print_json(report.content())
        return
    _show(report)


def _show(report: Report) -> None:
    out = console()
    show_sheet(out, _starts(report))
    show_sheet(out, _actions(report))
    for line in _lines(report):
        say(out, line)


def _starts(report: Report) -> Sheet:
    from kingmaker.cli.facts import Sheet

    rows = tuple(
        (
            f"{start.first} v {start.second}",
            start.tokens,
            percent(start.value),
            start.best,
            ", ".join(f"{name} {percent(value)}" for name, value in start.openings.items()),
        )
        for start in report.starts
    )
    title = f"{report.spec.title}: win probability of the seat that goes first"
    return Sheet(title, ("hit points", "tokens", "wins", "best opening", "openings"), rows)


def _actions(report: Report) -> Sheet:
    from kingmaker.cli.facts import Sheet

    shares = report.shares
    rows = tuple(
        (a.name, a.phase, percent(shares.everywhere[a.name]), percent(shares.in_play[a.name]))
        for a in report.spec.actions
    )
    header = ("action", "of the phase", "of all decisions", "of decisions in perfect play")
    return Sheet("How often each action is right", header, rows)


def _lines(report: Report) -> list[str]:
    shares, solution, mib = report.shares, report.solution, 2**20
    lines = [
        f"Decisions: {_counts(shares.decisions)}",
        f"In {shares.games:,} games of perfect play: {_counts(shares.met)}; {shares.length:.1f} turns a game",
        f"Solved in {solution.seconds:.1f} s with {solution.memory / mib:.0f} MiB of arrays "
        f"({solution.sweeps:,} sweeps); this process took {report.peak_memory / mib:.0f} MiB at most",
    ]
    if report.match is not None:
        lines.insert(0, f"Match: {percent(report.match)} for the seat that goes first in its first game")
    return lines


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {phase}" for phase, count in counts.items())


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker solve krig",
        "kingmaker solve krig_intervention --json",
        "kingmaker solve krig_intervention -o tokens=1 -o hit_points=10",
    )
    app.command("solve", epilog=epilog)(solve)
