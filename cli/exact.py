"""What the commands about perfect play of Krig share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingmaker.cli.common import find_game, parse_options

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.envs.core.spec import GameSpec

Threads = Annotated[int, typer.Option(metavar="N", help="Threads to compute with.", min=1)]
Memory = Annotated[
    float, typer.Option("--memory", metavar="GIB", help="Memory that computing may take, in GiB.")
]
SelfPlaySeed = Annotated[int, typer.Option(metavar="S", help="Of the games of self-play.")]


def find_solvable(game: str, option: Iterable[str] | None) -> tuple[GameSpec, dict[str, Any]]:
    """Return a game that can be solved, and its rule options.

    Raises:
        OptionError: if there is no such game, or an option does not fit.
        AgentError: if the game cannot be solved.
    """
    spec = find_game(game)
    from kingmaker.agents.exact.agent import check_solvable

    check_solvable(spec)
    return spec, parse_options(spec, option)


def gib(memory: float) -> int:
    """Return a size in GiB in bytes."""
    return int(memory * 2**30)


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


def percent(share: float) -> str:
    """Return a probability in per cent."""
    return f"{100 * share:.2f}%"
