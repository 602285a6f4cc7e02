"""How the command line fails: one line on stderr and exit code 2; with ``--debug`` after a traceback."""

from __future__ import annotations

import sys
import traceback
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

EXIT_ERROR = 2
EXIT_SIGNAL = 128  # and the signal's number, as shells report it
EXIT_INTERRUPTED = EXIT_SIGNAL + 2

# Third-party modules that only some commands need, and the extra that brings them.
EXTRAS = {
    "torch": "train",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "tensorboard": "train",
    "scipy": "benchmarks",
    "matplotlib": "benchmarks",
    "choix": "benchmarks",
}

# The base of wrong-usage errors, from whichever click this typer brings along.
_ClickException: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")


class CommandError(Exception):
    """Arguments that do not go together."""


def _fail(message: str, *, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    print(f"kingmaker: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(EXIT_ERROR)


def _explain(error: Exception) -> str | None:
    """Return the line that tells a user about ``error``, or ``None`` for a bug of ours."""
    from kingmaker.envs.core.errors import KingmakerError

    if isinstance(error, CommandError | KingmakerError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return f"this needs {error.name}: pip install 'kingmaker[{EXTRAS[error.name]}]'"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return None


class CommandGroup(TyperGroup):
    """The top-level command: turns whatever a command raises into a message and an exit code."""

    def main(self, args: Any = None, *more: Any, **extra: Any) -> NoReturn:
        """Run the command line; ``--debug`` may stand anywhere before a ``--``."""
        given = list(sys.argv[1:] if args is None else args)
        end = given.index("--") if "--" in given else len(given)
        debug = "--debug" in given[:end]
        rest = [word for word in given[:end] if word != "--debug"] + given[end:]
        extra |= {"standalone_mode": False, "obj": ["kingmaker", *given]}  # ``obj``: for commands' records
        try:
            answer = super().main(rest, *more, **extra)
        except _ClickException as error:
            _fail(f"{error.format_message()} (see {_help_of(error)})", debug=debug)
        except (KeyboardInterrupt, typer.Abort):
            answer = EXIT_INTERRUPTED
        except Exception as error:
            message = _explain(error)
            if message is None:
                raise
            _fail(message, debug=debug)
        if answer == EXIT_INTERRUPTED:
            print("kingmaker: interrupted", file=sys.stderr)
        sys.exit(answer if isinstance(answer, int) else 0)


def _help_of(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'kingmaker'} --help"
