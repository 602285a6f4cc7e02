"""Decorators that turn plain Python rules into compiled kernels.

With ``NUMBA_DISABLE_JIT=1`` all of them return the function unchanged: the same rules then run as Python,
for debugging, coverage and as an oracle against the compiled ones.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import cgutils, event
from numba.extending import intrinsic

from kingmaker.envs.core.cache import cache_folder, cached_in

JIT = not numba.config.DISABLE_JIT
Function = TypeVar("Function", bound=Callable[..., Any])
_ours: weakref.WeakSet[Any] = weakref.WeakSet()


class _CompileNotice(event.Listener):
    """Says once per process, on stderr, that rules are being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: event.Event) -> None:
        if not self.said and event.data["dispatcher"] in _ours:
            self.said = True
            print(
                "kingmaker: compiling rules for this machine; kept for the next time "
                "(`kingmaker compile` does all of it at one go)",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: event.Event) -> None:
        pass


if JIT:
    event.register("numba:compile", _CompileNotice())


def _widen(given: types.Type) -> types.Type:
    plain = types.unliteral(given)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def _share_versions(dispatcher: Any) -> None:
    """Let calls from compiled code share one version of a kernel, whatever signed integers they pass.

    Numba would compile a version for each literal and each width of a field. In Kingsburg, whose rules
    journal much, these versions took half of the compile time (39 s of processor time against 21 s).
    """
    find = dispatcher.get_call_template

    def find_shared(args: Any, kws: Mapping[str, Any]) -> Any:
        return find(tuple(map(_widen, args)), {name: _widen(given) for name, given in kws.items()})

    dispatcher.get_call_template = find_shared


def _compile(function: Callable[..., Any], *, keep_in: Any, inline: bool) -> Any:
    if not JIT:
        return function
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": inline,
        "no_cfunc_wrapper": True,  # for callers in C, which there are none of
    }
    if keep_in is None:
        compiled = numba.njit(function, **options)
    else:
        with cached_in(keep_in):
            compiled = numba.njit(function, cache=True, **options)
    _share_versions(compiled)
    _ours.add(compiled)
    return compiled


def kernel(function: Function) -> Function:
    """Compile a function that calls no generic function (see ``generic``); the result is kept on disk.

    It is inlined into its callers, which makes small rules up to six times faster (measured on Krig's
    ``observe``) and costs compile time; see ``large_kernel``.
    """
    return _compile(function, keep_in=cache_folder(function.__code__.co_filename), inline=True)


def large_kernel(function: Function) -> Function:
    """Compile like ``kernel``, but call the result instead of inlining it: for long, much used code."""
    return _compile(function, keep_in=cache_folder(function.__code__.co_filename), inline=False)


def generic(function: Function) -> Function:
    """Compile a loop over the game contract (``apply``, ``legal``, ...), for use inside an ``entry``.

    It is compiled into each entry that calls it and not kept by itself: its own file says nothing about the
    game it runs, so a copy on disk could be stale.
    """
    return _compile(function, keep_in=None, inline=True)


def _with_records(function: Callable[..., Any]) -> Any:
    """Hand structured arrays over as record arrays, whose fields Python code reaches as attributes."""

    def run(*arguments: Any) -> Any:
        return function(
            *(a.view(np.recarray) if isinstance(a, np.ndarray) and a.dtype.names else a for a in arguments)
        )

    return run


def entry(function: Function, game_file: str) -> Function:
    """Compile a generic loop that Python calls, for the game whose rules lie beside ``game_file``.

    Every game gets its own dispatcher of the same function, kept in the folder of that game's sources.
    """
    if not JIT:
        return _with_records(function)
    folder = cache_folder(game_file, function.__code__.co_filename)
    return _compile(function, keep_in=folder, inline=False)


def _without_count(typing_context, array):
    """Type and generate code for ``borrow``."""

    def generate(context, builder, signature, args):
        view = context.make_array(signature.args[0])(context, builder, value=args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


def _unchanged(array):
    return array


def _zero(typing_context, record):
    """Type and generate code for ``clear``."""

    def generate(context, builder, signature, args):
        cgutils.memset(builder, args[0], context.get_constant(types.intp, record.size), 0)
        return context.get_dummy_value()

    return types.none(record), generate


def _zero_fields(record):
    for name in record.dtype.names:
        record[name] = np.zeros(record.dtype[name].shape, record.dtype[name].base)


# ``borrow(array)`` is the array without its reference count, for entries that slice it row by row; the caller
# in Python keeps it alive for the length of the call. Without this every row costs two atomic operations,
# together three times as much as writing an observation of Krig (measured).
borrow: Any = intrinsic(_without_count) if JIT else _unchanged

# ``clear(record)`` sets every byte of a record to 0.
clear: Any = intrinsic(_zero) if JIT else _zero_fields
