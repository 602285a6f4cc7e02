"""``kingmaker replay``: read a log aloud and check that the rules give what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingmaker.cli.common import Tables, console, examples, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from kingmaker.envs.core.log import GameLog


def replay(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="A log that `kingmaker play` or an environment saved.")
    ],
    step: Annotated[bool, typer.Option("--step", help="Show every position and wait for Enter.")] = False,
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="N", min=0, help="Stop after N decisions and show the position."),
    ] = None,
    tables: Tables = None,
) -> None:
    """Replay a game log in words, with its dice, and verify its result."""
    loaded = load(log)
    out = console()
    head = loaded.header
    say(out, f"{head.game}, {head.num_players} seats, {len(loaded.decisions)} decisions", style="bold")
    say(out, ", ".join(f"{name}={value}" for name, value in head.options.items()))
    _tell(out, log, loaded, tables, step, to)


def _tell(out: Console, path: Path, log: GameLog, tables: Path | None, step: bool, to: int | None) -> None:
    from kingmaker.cli import words

    for number, (decision, game) in enumerate(verified(path, log, tables)):
        if decision is not None:
            say(out, f"{number}. seat {decision.seat}: {decision.action}")
        for line in words.journal(game.journal()):
            say(out, f"   {line}")
        if number == to:
            say(out, game.position())
            return
        if number == 0 or step:
            say(out, game.position())
        if step and not _go_on():
            return
    if not step:
        say(out, game.position())
    if not game.over:
        say(out, "The log ends before the game does; all its decisions agree with the rules.")
        return
    for line in words.result(game):
        say(out, line)
    verdict = f"Verified: {number} decisions give this result." if log.result else "No result to verify."
    say(out, verdict)


def _go_on() -> bool:
    """Wait for Enter; return False at the end of input."""
    try:
        input("-- Enter for the next decision, Ctrl-D to stop --")
    except EOFError:
        print()
        return False
    return True


def load(path: Path) -> GameLog:
    """Read a log.

    Raises:
        LogError: as ``GameLog.load`` does, with the file in front.
    """
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.envs.core.errors import LogError
    from kingmaker.envs.core.log import GameLog

    try:
        return GameLog.load(path)
    except LogError as error:
        if str(path) in str(error):
            raise
        raise LogError(f"{path}, {error}") from error


def verified(path: Path, log: GameLog, tables: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what ``GameLog.replay`` yields.

    Raises:
        LogError: as ``replay`` does, with the file and the line in front.
    """
    from kingmaker.envs.core.errors import LogError

    line = 1  # of the header; each decision has one line
    try:
        for step in log.replay(tables):
            yield step
            line += 1
    except LogError as error:
        raise LogError(f"{path}, line {line}: {error}") from error


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker replay krig-17.jsonl",
        "kingmaker replay krig-17.jsonl --step",
        "kingmaker replay game.jsonl --to 12",
    )
    app.command("replay", epilog=epilog)(replay)
