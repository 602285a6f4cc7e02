"""``kingmaker compile``: compile the rules of all games now, so that nobody waits later."""

from __future__ import annotations

import io
import re
import runpy
import shutil
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import PIPE_WIDTH, console, examples, find_game, say
from kingmaker.cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.envs.core.spec import GameSpec

_FOLDER = re.compile(r"[0-9a-f]{20}")  # how ``kingmaker.envs.core.cache`` names its folders


def compile_rules(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; all by default.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all compiled rules instead.")] = False,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games compiled at a time, each in a process of its own.")
    ] = 1,
) -> None:
    """Compile the rules of games for this machine and keep the result, or remove it all.

    With Krig comes what solves it. Where the trainer is installed, its loops are compiled as well.
    """
    out = console()
    if clear:
        if games:
            raise CommandError("--clear removes the rules of all games; leave out the game")
        root = _cache_root()
        say(out, f"Removed {clear_cache(root)} folders of compiled rules from {root}")
        return
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.envs.core.cache import cache_root
    from kingmaker.envs.core.kernel import JIT
    from kingmaker.envs.core.registry import all_specs

    if not JIT:
        say(out, "NUMBA_DISABLE_JIT is set: rules run as plain Python, and there is nothing to compile")
        return
    specs = [find_game(name) for name in games] if games else list(all_specs())
    if processes > 1:
        _compile_apart(out, [spec.name for spec in specs], processes)
    else:
        for spec in specs:
            _compile(out, spec)
            _compile_solver(out, spec)
    _compile_trainer(out)
    say(out, f"Kept in {cache_root()}")


def _compile_apart(out: Console, games: list[str], processes: int) -> None:
    """Compile each game in a process of its own: Numba compiles one thing at a time in each."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for lines in pool.map(_compiled, games):
            say(out, lines)


def _compiled(game: str) -> str:
    """Compile a game; return what there is to say."""
    from rich.console import Console

    lines = io.StringIO()
    out, spec = Console(file=lines, highlight=False, width=PIPE_WIDTH), find_game(game)
    _compile(out, spec)
    _compile_solver(out, spec)
    return lines.getvalue().rstrip()


def _cache_root() -> Path:
    """Return where compiled rules lie, without importing the games: that would make new folders there."""
    code = Path(__file__).parents[1] / "envs" / "core" / "cache.py"
    return runpy.run_path(str(code))["cache_root"]()


def _compile(out: Console, spec: GameSpec) -> None:
    from kingmaker.cli.warm import warm

    begin = perf_counter()
    with out.status(f"{spec.name} ..."):
        compiled = warm(spec)
    done = f"{compiled} loops compiled" if compiled else "compiled before"
    say(out, f"{spec.name}: {done}, {perf_counter() - begin:.1f} s")


def _compile_solver(out: Console, spec: GameSpec) -> None:
    from kingmaker.agents.exact.agent import SOLVED
    from kingmaker.cli.warm import warm_solver

    if spec.name not in SOLVED:
        return
    begin = perf_counter()
    with out.status(f"{spec.name}, solver ..."):
        warm_solver(spec)
    say(out, f"{spec.name}, solver: {perf_counter() - begin:.1f} s")


def _compile_trainer(out: Console) -> None:
    from kingmaker.cli.warm import warm_trainer

    begin = perf_counter()
    with out.status("trainer ..."):
        installed = warm_trainer()
    if installed:
        say(out, f"trainer: {perf_counter() - begin:.1f} s")


def clear_cache(root: Path) -> int:
    """Remove the folders that the cache made under ``root``, and nothing else; return their number."""
    if not root.is_dir():
        return 0
    folders = [path for path in root.iterdir() if path.is_dir() and not path.is_symlink()]
    ours = [path for path in folders if _FOLDER.fullmatch(path.name)]
    for path in ours:
        shutil.rmtree(path)
    if not any(root.iterdir()):
        root.rmdir()
    return len(ours)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker compile --processes 2", "kingmaker compile krig", "kingmaker compile --clear"
    )
    app.command("compile", epilog=epilog)(compile_rules)
