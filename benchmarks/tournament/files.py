"""Writing whole files: a reader, or a crash, never meets half of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def write_with(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, then put it in its place."""
    partial = path.with_name(path.name + ".part")
    write(partial)
    partial.replace(path)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8."""
    write_with(path, lambda partial: partial.write_text(text, "utf-8"))
