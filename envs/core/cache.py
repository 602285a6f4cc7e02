"""Where compiled kernels are kept: one folder per content of the sources they were compiled from.

Numba's own cache notices an edit in the file of the function it compiled, not in a file that function
calls into, so a stale binary can run. Here the folder's name is a hash of every source that compiled code
can come from, so any edit means a new folder and never a wrong one.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numba
import platformdirs

CORE = Path(__file__).resolve().parent
ENVS = CORE.parent
HEURISTICS = ENVS.parent / "agents" / "heuristics"
# Numba's cache key ignores these settings, although each changes the machine code.
NUMBA_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT")
KEEP_DAYS = 30
CACHE_VARIABLE = "KINGMAKER_CACHE_DIR"


def cache_root() -> Path:
    """Return the folder that holds all compiled kernels (``KINGMAKER_CACHE_DIR`` overrides the default)."""
    given = os.environ.get(CACHE_VARIABLE)
    return Path(given) if given else platformdirs.user_cache_path("kingmaker", appauthor=False) / "kernels"


def _sources(folders: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path.relative_to(folder).as_posix(), path.read_bytes()


@cache
def _folder_for(folders: tuple[Path, ...]) -> Path:
    digest = hashlib.sha256()
    settings = [str(getattr(numba.config, name)) for name in NUMBA_SETTINGS]
    for fact in (numba.__version__, platform.python_version(), *settings):
        digest.update(fact.encode() + b"\0")
    for name, content in _sources(folders):
        digest.update(name.encode() + b"\0" + content + b"\0")
    folder = cache_root() / digest.hexdigest()[:20]
    with suppress(OSError):  # a read-only home still runs: Numba then falls back on compiling in memory
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _remove_unused(folder)
    return folder


def _remove_unused(current: Path) -> None:
    """Delete cache folders that no process has opened for ``KEEP_DAYS`` days."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _sources_of(own: Path) -> tuple[Path, ...]:
    """Return the folders that kernels written in the folder ``own`` may take code or constants from."""
    if own.is_relative_to(CORE):
        return (CORE,)
    if own.is_relative_to(ENVS):  # games use the core and their own rules, never each other's
        return (CORE, ENVS / own.relative_to(ENVS).parts[0], HEURISTICS)
    return (ENVS, HEURISTICS, own)  # the heuristics themselves, and games from outside this package


def cache_folder(source_file: str, loop_file: str | None = None) -> Path:
    """Return the cache folder for kernels written in ``source_file``.

    Args:
        source_file: the kernel's own file, or the file of the game that a loop runs.
        loop_file: the loop's file, if it lies outside the core; its whole folder counts as source.
    """
    folders = _sources_of(Path(source_file).resolve().parent)
    if loop_file is not None:
        own = Path(loop_file).resolve().parent
        if not any(own.is_relative_to(folder) for folder in folders):
            folders += (own,)
    return _folder_for(folders)


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Let Numba functions decorated inside the block keep their binaries in ``folder``."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
