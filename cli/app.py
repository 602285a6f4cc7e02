"""The typer application: every command under one name."""

from __future__ import annotations

from typing import Annotated

import typer

from kingmaker.cli import (
    balance,
    bench,
    describe,
    evaluate,
    exploitability,
    leaderboard,
    play,
    replay,
    rules,
    solve,
    tournament,
    train,
)
from kingmaker.cli import compile as compile_rules
from kingmaker.cli import list as list_games
from kingmaker.cli.common import examples
from kingmaker.cli.errors import CommandGroup

app = typer.Typer(
    name="kingmaker",
    cls=CommandGroup,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"kingmaker {version('kingmaker')}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog=examples(
        "kingmaker list",
        "kingmaker train krig --minutes 2",
        "kingmaker tournament krig random heuristic policy:runs/krig-ppo-1/policy.pt",
        "kingmaker play krig --opponents heuristic",
    ),
)
def kingmaker(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and leave.", callback=_show_version, is_eager=True),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; may stand anywhere.")
    ] = False,
) -> None:
    """Board games for reinforcement learning: play them, train agents, rate agents, measure speed."""
    if context.invoked_subcommand is None:
        print(context.get_help())


list_games.add_to(app)
describe.add_to(app)
rules.add_to(app)
play.add_to(app)
replay.add_to(app)
train.add_to(app)
tournament.add_to(app)
leaderboard.add_to(app)
evaluate.add_to(app)
balance.add_to(app)
solve.add_to(app)
exploitability.add_to(app)
bench.add_to(app)
compile_rules.add_to(app)
