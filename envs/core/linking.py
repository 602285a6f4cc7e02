"""Calls of compiled rules by address: long rules are compiled once, not once more into every loop.

A function compiled by Numba holds a copy of every compiled function it calls, optimised once more in its new
place. For short rules that is what makes them fast. For long ones it only costs time: of the 94 s that all
loops of Clockwork Kingdom took to compile, most went into twenty copies of the same rules. A linked kernel is
given a name in the process's table of symbols instead, and loops hold calls of that name. Loops are kept on
disk like that, so the kernels that a loop calls must have been linked before it is loaded: see ``called_in``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any

from llvmlite import binding
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


class Link:
    """A kernel with one signature that compiled loops call by name.

    Args:
        kernel: a compiled function.
        signature: Numba types of its arguments.
        symbol: the name, the same in every process that keeps its binaries in the same folder.
    """

    def __init__(self, kernel: Any, signature: tuple[Any, ...], symbol: str) -> None:
        self.kernel = kernel
        self.signature = signature
        self.symbol = symbol
        self.result: Any = None  # Numba type; known once it is linked
        self.call = intrinsic(self._typed_call())

    def load(self) -> None:
        """Compile the kernel, or read it from disk, and make it known under its name."""
        if self.result is not None:
            return
        self.kernel.compile(self.signature)
        compiled = self.kernel.overloads[self.signature]
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
        binding.add_symbol(self.symbol, address)
        self.result = compiled.signature.return_type

    def _typed_call(self) -> Callable[..., Any]:
        def call(typing_context, arguments):
            """Call the kernel with a tuple of arguments."""
            if self.result is None:
                raise RuntimeError(f"{self.symbol} is called by a loop that does not say so; see called_in")
            return self.result(types.Tuple(self.signature)), self._generate

        return call

    def _generate(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Emit the call in Numba's own calling convention; an exception inside goes on to the caller."""
        convention = context.call_conv
        kind = convention.get_function_type(self.result, self.signature)
        function = cgutils.get_or_insert_function(builder.module, kind, self.symbol)
        given = cgutils.unpack_tuple(builder, arguments[0])
        status, result = convention.call_function(builder, function, self.result, self.signature, given)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result


def called_in(function: Callable[..., Any], wanted: Collection[Callable[..., Any]]) -> set[str]:
    """Return the names of those functions in ``wanted`` that ``function`` can reach through global names."""
    found: set[str] = set()
    seen: set[Any] = set()
    todo = [function]
    while todo:
        here = todo.pop()
        if here in wanted:
            found.add(here.__name__)
        elif here not in seen:
            seen.add(here)
            todo += _globals_of(here)
    return found


def _globals_of(function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Yield the Python functions that a function's code names."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        value = getattr(value, "py_func", value)
        if inspect.isfunction(value):
            yield value
