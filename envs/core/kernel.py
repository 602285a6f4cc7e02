"""Decorators that turn plain Python rules into compiled kernels.

With ``NUMBA_DISABLE_JIT=1`` all of them return the function unchanged: the same rules then run as Python,
for debugging, coverage and as an oracle against the compiled ones.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

from kingmaker.envs.core.cache import cache_folder, cached_in

JIT = not numba.config.DISABLE_JIT
Function = TypeVar("Function", bound=Callable[..., Any])
_ours: weakref.WeakSet[Any] = weakref.WeakSet()


class _CompileNotice(event.Listener):
    """Says once per process, on stderr, that rules are being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: event.Event) -> None:  # noqa: D102
        if not self.said and event.data["dispatcher"] in _ours:
            self.said = True
            print(
                "kingmaker: compiling rules for this machine; this happens once "
                "(`kingmaker compile` does it for all games at one go)",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: event.Event) -> None:  # noqa: D102
        pass


if JIT:
    event.register("numba:compile", _CompileNotice())


def _compile(function: Callable[..., Any], *, keep_in: Any) -> Any:
    if not JIT:
        return function
    if keep_in is None:
        compiled = numba.njit(function, nogil=True, error_model="numpy")
    else:
        with cached_in(keep_in):
            compiled = numba.njit(function, nogil=True, error_model="numpy", cache=True)
    _ours.add(compiled)
    return compiled


def kernel(function: Function) -> Function:
    """Compile a function that calls no generic function (see ``generic``); the result is kept on disk."""
    return _compile(function, keep_in=cache_folder(function.__code__.co_filename))


def generic(function: Function) -> Function:
    """Compile a loop over the game contract (``apply``, ``legal``, ...), for use inside an ``entry``.

    It is compiled into each entry that calls it and not kept by itself: its own file says nothing about the
    game it runs, so a copy on disk could be stale.
    """
    return _compile(function, keep_in=None)


def entry(function: Function, game_file: str) -> Function:
    """Compile a generic loop that Python calls, for the game whose rules lie beside ``game_file``.

    Every game gets its own dispatcher of the same function, kept in the folder of that game's sources.
    """
    return _compile(function, keep_in=cache_folder(game_file))
