"""What a search does, and how its name says so: ``ismcts:BUDGET[,key=value...]``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import REWARD_MODES

FORM = "ismcts:BUDGET[,key=value...]"
PLAYOUTS = ("random", "heuristic")
OBSERVERS = ("root", "actor")
MOST = 2**31 - 1

_SIMULATIONS = re.compile(r"[0-9]+")
_SECONDS = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)s")
_PLAIN_SEARCH = ("playout", "cut", "widening", "trust", "observer")
_WITH_POLICY = ("leaves",)


@dataclass(frozen=True)
class SearchOptions:
    """The settings of a search; ``docs/agents.md`` has the table of them.

    Attributes:
        simulations: simulations a decision, over all trees together; ``None`` if time is the budget.
        seconds: seconds a decision; ``None`` if simulations are the budget.
        exploration: the constant ``c`` of UCB1, or of PUCT with a policy; results lie in [0, 1].
        playout: who plays on from the tree: ``"random"`` or ``"heuristic"``.
        cut: decisions after which a playout is cut off and judged by the scores so far; 0 for never.
        widening: ``w``: a node visited ``n`` times tries at most ``w * sqrt(n)`` actions; 0 for all of them.
        trust: prior of the heuristic's action, for PUCT in place of UCB1; 0 for UCB1.
        observer: whose knowledge tells nodes apart, ``"root"`` (the seat that searches) or ``"actor"``.
        reward: what seats strive for, ``"win"``, ``"placement"`` or ``"score"``.
        threads: trees grown side by side, each on a thread of its own with its share of the simulations; with
            a policy, threads of the network.
        nodes: most nodes of a tree.
        policy: file of a policy whose network gives priors and values in place of playouts.
        leaves: simulations of a tree that wait for the network together.
    """

    simulations: int | None = None
    seconds: float | None = None
    exploration: float | None = None
    playout: str = "random"
    cut: int = 0
    widening: float = 0.0
    trust: float | None = None
    observer: str = "root"
    reward: str = "win"
    threads: int = 1
    nodes: int = 2**17
    policy: str | None = None
    leaves: int = 8


def _integer(low: int) -> Callable[[str, str], int]:
    def read(key: str, text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= MOST:
            raise AgentError(f"{key} is an integer of at least {low}, not {text!r}")
        return int(text)

    return read


def _number(key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise AgentError(f"{key} is a number of at least 0, not {text!r}")
    return value


def _share(key: str, text: str) -> float:
    value = _number(key, text)
    if value >= 1:
        raise AgentError(f"{key} is a number below 1, not {text!r}")
    return value


def _one_of(choices: tuple[str, ...]) -> Callable[[str, str], str]:
    def read(key: str, text: str) -> str:
        if text not in choices:
            raise AgentError(f"{key} is {' or '.join(choices)}, not {text!r}")
        return text

    return read


def _path(key: str, text: str) -> str:
    return text


# Key in an agent's name -> field and how its value is read.
_KEYS: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "c": ("exploration", _number),
    "playout": ("playout", _one_of(PLAYOUTS)),
    "cut": ("cut", _integer(0)),
    "widening": ("widening", _number),
    "trust": ("trust", _share),
    "observer": ("observer", _one_of(OBSERVERS)),
    "reward": ("reward", _one_of(tuple(REWARD_MODES))),
    "threads": ("threads", _integer(1)),
    "nodes": ("nodes", _integer(1)),
    "policy": ("policy", _path),
    "leaves": ("leaves", _integer(1)),
}
assert {name for name, _ in _KEYS.values()} < {field.name for field in fields(SearchOptions)}


def parse_options(name: str, text: str) -> SearchOptions:
    """Return the options that stand behind ``ismcts:``.

    Args:
        name: the agent's whole name, for messages.
        text: what follows the colon.

    Raises:
        AgentError: for a budget, key or value that does not exist or fit.
    """
    budget, *pairs = text.split(",")
    try:
        values = _read_budget(budget)
        for pair in pairs:
            key, equals, value = pair.partition("=")
            if key not in _KEYS or not equals or not value:
                raise AgentError(f"{pair!r} is no option; they are {', '.join(f'{k}=...' for k in _KEYS)}")
            field, read = _KEYS[key]
            if field in values:
                raise AgentError(f"{key} is given twice")
            values[field] = read(key, value)
        _check_together(values)
    except AgentError as error:
        raise AgentError(f"agent {name!r}: {error}") from None
    return SearchOptions(**values)


def _read_budget(text: str) -> dict[str, Any]:
    if _SIMULATIONS.fullmatch(text) and 1 <= int(text) <= MOST:
        return {"simulations": int(text)}
    seconds = _SECONDS.fullmatch(text)
    if seconds and float(seconds[1]) > 0:
        return {"seconds": float(seconds[1])}
    raise AgentError(
        f"the budget of a decision is a number of simulations (1000) or of seconds (0.5s), not {text!r}; "
        f"the form is {FORM}"
    )


def _check_together(values: dict[str, Any]) -> None:
    idle = _PLAIN_SEARCH if "policy" in values else _WITH_POLICY
    for field in idle:
        if field in values:
            state = "with" if "policy" in values else "without"
            raise AgentError(f"{field} has no meaning {state} policy=...")
    simulations, threads = values.get("simulations"), values.get("threads", 1)
    if "policy" not in values and simulations is not None and simulations < threads:
        raise AgentError(f"{simulations} simulations are fewer than {threads} threads")
