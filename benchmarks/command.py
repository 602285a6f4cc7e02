"""The command line that made a report, as the report quotes it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

# What results do not depend on, so that equal results give equal reports; with the number of values it takes.
_LEFT_OUT = {"--out": 1, "--processes": 1, "--resume": 0, "--debug": 0}


def command_line(words: Sequence[str] | None = None) -> str:
    """Return a command line without places on this machine and without options that change no result.

    Args:
        words: the command and its arguments; those of this process by default.
    """
    kept: list[str] = []
    skip = 0
    for word in [*_program(), *sys.argv[1:]] if words is None else words:
        name, equals, _ = word.partition("=")
        if skip:
            skip -= 1
        elif name in _LEFT_OUT:
            skip = 0 if equals else _LEFT_OUT[name]
        else:
            kept.append(word)
    return shlex.join(kept)


def _program() -> list[str]:
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    if spec is not None:  # started with ``python -m``
        return ["python", "-m", spec.name.removesuffix(".__main__")]
    return [Path(sys.argv[0]).name]
