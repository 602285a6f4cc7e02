"""``kingmaker solve``: perfect play of Krig, and what it looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import (
    Game,
    Json,
    Options,
    Tables,
    console,
    examples,
    find_game,
    parse_options,
    print_json,
    say,
    show_sheet,
)

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.agents.exact.report import Report
    from kingmaker.cli.facts import Sheet

Threads = Annotated[int, typer.Option(metavar="N", help="Threads to solve with.", min=1)]
Memory = Annotated[
    float, typer.Option("--memory", metavar="GIB", help="Memory that solving may take, in GiB.")
]


@contextmanager
def progress_bar(out: Console) -> Iterator[Callable[[str], Callable[[], Callable[[float], None]]]]:
    """Yield a function of a job's name; what it returns starts a bar and gives what moves it."""
    from rich.progress import Progress

    with Progress(console=out, transient=True) as bars:

        def of(words: str) -> Callable[[], Callable[[float], None]]:
            def start() -> Callable[[float], None]:
                task = bars.add_task(words, total=1.0)
                return lambda share: bars.update(task, completed=share)

            return start

        yield of


def solve(
    game: Game,
    option: Options = None,
    tables: Tables = None,
    games: Annotated[
        int, typer.Option(metavar="N", help="Games of perfect self-play to count actions in.", min=1)
    ] = 20_000,
    seed: Annotated[int, typer.Option(metavar="S", help="Of those games.")] = 0,
    threads: Threads = 2,
    memory: Memory = 1.0,
    as_json: Json = False,
) -> None:
    """Solve Krig: values of the usual starts, the best opening, and how often each action is right.

    The expansion is solved as a single game, and the value of the match follows. A solution is kept in the
    cache directory; the second call reads it from there.
    """
    spec = find_game(game)
    from kingmaker.agents.exact.agent import check_solvable
    from kingmaker.agents.exact.report import make_report
    from kingmaker.agents.exact.store import find_solution

    check_solvable(spec)
    options = parse_options(spec, option)
    record = spec.configure(options, tables)[0]
    with progress_bar(console(stderr=True)) as bar:
        solution = find_solution(
            record, threads=threads, limit=int(memory * 2**30), progress=bar(f"Solving {spec.title}")
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


def percent(share: float) -> str:
    """Return a probability in per cent."""
    return f"{100 * share:.2f}%"


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker solve krig",
        "kingmaker solve krig_intervention --json",
        "kingmaker solve krig_intervention -o tokens=1 -o hit_points=10",
    )
    app.command("solve", epilog=epilog)(solve)
