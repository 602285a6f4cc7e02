"""What several commands share: their common parameters, rule options, and output."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingmaker.cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.cli.facts import Sheet
    from kingmaker.envs.core.spec import GameSpec

PIPE_WIDTH = 120  # columns of output that goes to a file or another program

# --- parameters -------------------------------------------------------------------------------------------

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name or id of a game; see `kingmaker list`.")]
Seats = Annotated[
    int | None, typer.Option("--seats", metavar="N", help="Seats in play; the game's fewest by default.")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="A rule option; repeatable; see `kingmaker describe`."
    ),
]
Tables = Annotated[
    Path | None, typer.Option("--tables", metavar="FILE", help="A data file in place of the game's own.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def examples(*lines: str) -> str:
    """Return the epilog that shows example calls, one a line."""
    return "\n\n".join(["[bold]Examples[/bold]", *(f"$ {line}" for line in lines)])


# --- games and their options ------------------------------------------------------------------------------


def find_game(name: str) -> GameSpec:
    """Return the spec of a game by name or id.

    Raises:
        OptionError: if there is no such game.
    """
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.envs.core.registry import get_spec

    return get_spec(name)


_BOOLS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_options(spec: GameSpec, pairs: Iterable[str] | None) -> dict[str, Any]:
    """Return the rule options in ``name=value`` pairs, typed and checked by the spec.

    Raises:
        OptionError: for a pair of another form, an unknown name, or a value that the option does not have.
    """
    from kingmaker.envs.core.errors import OptionError

    known = {option.name: option for option in spec.options}
    given: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise OptionError(f"an option has the form name=value, not {pair!r}")
        value = _typed(text.strip(), known[name].type) if name in known else text
        if name in known:
            known[name].check(value)
        given[name] = value
    spec.check_options(given)
    return given


def _typed(text: str, kind: type) -> Any:
    """Return ``text`` as a bool or integer where it reads as one; the option's own check refuses the rest."""
    if kind is bool:
        return _BOOLS.get(text.lower(), text)
    try:
        return int(text)
    except ValueError:
        return text


# --- results ----------------------------------------------------------------------------------------------

RUNS = Path("runs")


def run_folder(stem: str, *, latest: bool) -> Path:
    """Return ``runs/STEM-N``: the latest that exists, or else the next one.

    Raises:
        CommandError: if the latest is asked for and there is none.
    """
    found = [path.name.removeprefix(f"{stem}-") for path in RUNS.glob(f"{stem}-*")]
    last = max((int(number) for number in found if number.isdecimal()), default=0)
    if latest and not last:
        raise CommandError(f"there is no {RUNS / stem}-N to go on with; name the directory")
    return RUNS / f"{stem}-{last if latest else last + 1}"


def check_target(path: Path) -> None:
    """Check that a file can be written.

    Raises:
        CommandError: if its folder is missing or closed, or it is itself a folder.
    """
    folder = path.parent
    if path.is_dir():
        raise CommandError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise CommandError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise CommandError(f"cannot write {path}: its folder is closed to you")


# --- output -----------------------------------------------------------------------------------------------


def console(*, stderr: bool = False) -> Console:
    """Return a console on the present stdout (or stderr); wide enough for tables where it is no terminal."""
    import sys

    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(file=stream, highlight=False, width=width)


def say(out: Console, text: str, style: str | None = None) -> None:
    """Print text as it is: no markup, and long lines left to the terminal."""
    out.print(text, markup=False, soft_wrap=True, style=style)


def show_sheet(out: Console, sheet: Sheet) -> None:
    """Print a sheet as a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=sheet.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for column, name in enumerate(sheet.header):
        numbers = all(isinstance(row[column], int | float) for row in sheet.rows) and bool(sheet.rows)
        justify: Any = "right" if numbers else "left"
        whole = column == 0 or name == "name"  # what people copy: never broken, however narrow the terminal
        table.add_column(name, justify=justify, overflow="fold", no_wrap=whole)
    for row in sheet.rows:
        table.add_row(*(Text(cell_text(cell)) for cell in row))
    out.print(table)


def cell_text(cell: Any) -> str:
    """Return a sheet's cell as people read it."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def print_json(content: Any) -> None:
    """Print data as JSON on stdout."""
    print(json.dumps(content, indent=2, ensure_ascii=False))
