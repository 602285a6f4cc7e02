"""What every game must bring: the fields at the head of its state, and the functions of its rules.

The functions here are generic. Calling ``apply(state, tables, action)`` runs the rules of whichever game
``state`` belongs to, found by the state's dtype: inside compiled loops at compile time, through
``numba.extending.overload``, and in interpreted mode by a look-up. Shared loops are written against them
once and compiled per game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload

from kingmaker.envs.core.chance import CHANCE, pick_legal
from kingmaker.envs.core.kernel import JIT, kernel
from kingmaker.envs.core.linking import Link, called_in

# Values of ``state.over``.
RUNNING, TERMINATED, TRUNCATED = range(3)
# ``state.actor`` of a game that has ended.
NOBODY = -1

# The first fields of every game's state record. ``moves`` counts decisions applied; ``choosing`` is a bit
# set of the seats that choose now: the actor alone, or in a simultaneous phase all that have yet to answer.
HEADER = [
    ("chance", CHANCE),
    ("moves", "i4"),
    ("actor", "i2"),
    ("choosing", "i2"),
    ("phase", "i2"),
    ("over", "i2"),
    ("num_players", "i2"),
]


def reset(state, tables, options, num_players, seed):
    """Start a new game in ``state`` and run to its first choice.

    Args:
        state: the game's state record, all zeros.
        tables: its tables record.
        options: its options record.
        num_players: seats in play.
        seed: integer in ``[0, 2**63)``.
    """
    _rules_of(state).reset(state, tables, options, num_players, seed)


def legal(state, tables, mask):
    """Write 1 into the zeroed int8 array ``mask`` at each action that ``state.actor`` may take."""
    _rules_of(state).legal(state, tables, mask)


def apply(state, tables, action):
    """Take a legal action for ``state.actor`` and run on to the next real choice or the end."""
    _rules_of(state).apply(state, tables, action)


def observe(state, tables, seat, out):
    """Write everything that ``seat`` may know into the float32 array ``out``."""
    _rules_of(state).observe(state, tables, seat, out)


def redeal(state, tables, seat, seed):
    """Draw again whatever ``seat`` cannot know, chance stream included, in keeping with what it knows."""
    _rules_of(state).redeal(state, tables, seat, seed)


def outcome(state, tables, ranks, scores):
    """Write each seat's rank (int64, 0 is best, ties share a rank) and score (float32, in game points)."""
    _rules_of(state).outcome(state, tables, ranks, scores)


def heuristic(state, tables, observation, mask, stream):
    """Return the action of the game's rule-based agent.

    ``state`` only selects the game: the agent sees the observation, the mask, the printed data in
    ``tables``, and a chance stream of its own to break ties with.
    """
    return _rules_of(state).heuristic(tables, observation, mask, stream)


@kernel
def random_choice(tables, observation, mask, stream):
    """Return a uniformly random legal action."""
    return pick_legal(mask, stream)


@dataclass(frozen=True)
class Rules:
    """The kernels of one game; signatures as the generic functions of the same names.

    ``heuristic`` alone differs: it is called as ``heuristic(tables, observation, mask, stream)``, and a game
    without rules of thumb plays at random.

    With ``linked`` every loop calls the same compiled kernels, else each holds a copy, which compiles longer
    and calls nothing: worth it for decisions of less than about 100 ns.
    """

    reset: Callable[..., None]
    legal: Callable[..., None]
    apply: Callable[..., None]
    observe: Callable[..., None]
    redeal: Callable[..., None]
    outcome: Callable[..., None]
    heuristic: Callable[..., int] = random_choice
    linked: bool = False


CONTRACT = (reset, legal, apply, observe, redeal, outcome, heuristic)
_by_dtype: dict[np.dtype, Rules] = {}
_by_type: dict[Any, Rules] = {}
_links: dict[Any, dict[str, Link]] = {}  # by type of the state


def _rules_of(state: Any) -> Rules:
    return _by_dtype[state.dtype]


def _field_names(dtype: np.dtype) -> set[str]:
    names = set(dtype.names or ())
    for name in dtype.names or ():
        names |= _field_names(dtype[name].base)
    return names


def check_field_names(dtype: np.dtype) -> None:
    """Raise ``ValueError`` if a field, nested ones included, is hidden by an attribute of NumPy's records."""
    taken = sorted(name for name in _field_names(dtype) if hasattr(np.record, name))
    if taken:
        raise ValueError(f"NumPy's records have attributes {taken}; name these fields otherwise")


def bind_rules(rules: Rules, state_dtype: np.dtype, tables_dtype: np.dtype, options_dtype: np.dtype) -> None:
    """Make the generic functions run ``rules`` for states of ``state_dtype``.

    Raises:
        ValueError: if the dtype lacks a header field, or another game already has an identical layout.
    """
    missing = [name for name, _ in HEADER if name not in (state_dtype.names or ())]
    if missing:
        raise ValueError(f"the state dtype lacks the header fields {missing}; start it with *HEADER")
    if _by_dtype.setdefault(state_dtype, rules) != rules:
        raise ValueError(
            "another game has a state of the same layout; give one of them a field of its own name, "
            "since the layout is what tells games apart"
        )
    if JIT:
        state, tables, options = map(numba.from_dtype, (state_dtype, tables_dtype, options_dtype))
        _by_type[state] = rules
        if rules.linked and state not in _links:
            _links[state] = _link(rules, state, tables, options)


def _link(rules: Rules, state: Any, tables: Any, options: Any) -> dict[str, Link]:
    """Return what links each kernel; the signatures are those with which the shared loops call them."""
    integer = types.int64
    floats, mask, ranks = (types.Array(kind, 1, "C") for kind in (types.float32, types.int8, integer))
    signatures = {
        "reset": (state, tables, options, integer, integer),
        "legal": (state, tables, mask),
        "apply": (state, tables, integer),
        "observe": (state, tables, integer, floats),
        "redeal": (state, tables, integer, integer),
        "outcome": (state, tables, ranks, floats),
        "heuristic": (tables, floats, mask, numba.from_dtype(CHANCE)),
    }
    home = rules.apply.__module__
    return {
        name: Link(getattr(rules, name), signature, f"{home}:{name}")
        for name, signature in signatures.items()
    }


def load_linked(state_dtype: np.dtype, loop: Callable[..., Any]) -> None:
    """Load the linked kernels that ``loop`` calls for a game, which it needs before it runs."""
    links = _links.get(numba.from_dtype(state_dtype), {}) if JIT else {}
    if links:
        for name in called_in(loop, CONTRACT):
            links[name].load()


def _overload(function: Callable[..., Any]) -> None:
    """Resolve a generic function at compile time, by the type of its first argument."""
    name = function.__name__

    def choose(state, *arguments):
        if state in _links:
            return _call_linked(_links[state][name].call, name)
        return _call(getattr(_by_type[state], name), name) if state in _by_type else None

    overload(function, jit_options={"forceinline": True})(choose)


def _call(kernel: Any, name: str) -> Callable[..., Any]:
    """Return what runs a kernel for the generic function ``name``."""
    if name == "heuristic":  # the state has told the game; the agent must not see it
        return lambda state, *arguments: kernel(*arguments)
    return lambda state, *arguments: kernel(state, *arguments)


def _call_linked(call: Any, name: str) -> Callable[..., Any]:
    """Return the same for a linked kernel, which takes its arguments as a tuple."""
    if name == "heuristic":
        return lambda state, *arguments: call(arguments)
    return lambda state, *arguments: call((state, *arguments))


if JIT:
    for _function in CONTRACT:
        _overload(_function)
