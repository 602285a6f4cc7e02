"""Agents by name: ``random``, ``heuristic``, ``baseline``, ``exact`` (Krig), ``policy:PATH`` and others.

``baseline`` is a policy that comes with the package (``kingmaker.agents.baselines``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kingmaker.agents.base import Agent
from kingmaker.agents.basic import HeuristicAgent, RandomAgent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import GameSpec, check_seed


def _random(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    return RandomAgent(spec, num_players, name, seed)


def _heuristic(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    return HeuristicAgent(spec, num_players, name, seed, tables)


def _exact(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.exact.agent import ExactAgent

    return ExactAgent(spec, num_players, name, tables)


def _baseline(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.baselines import find_baseline
    from kingmaker.agents.policy import PolicyAgent

    return PolicyAgent.load(find_baseline(spec, num_players), spec, num_players, name, seed)


def _policy(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.policy import PolicyAgent

    return PolicyAgent.load(_existing(name, path), spec, num_players, name, seed)


def _sb3(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.sb3 import SB3Agent

    return SB3Agent.load(_existing(name, path), spec, num_players, name, seed)


def _ismcts(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.ismcts.agent import ISMCTSAgent

    return ISMCTSAgent(spec, num_players, name, path, seed)


# Agents without a path, agents made from a file, and those that settings follow.
PLAIN: dict[str, Callable[..., Agent]] = {
    "random": _random,
    "heuristic": _heuristic,
    "baseline": _baseline,
    "exact": _exact,
}
FROM_FILE: dict[str, Callable[..., Agent]] = {"policy": _policy, "sb3": _sb3}
WITH_SETTINGS: dict[str, Callable[..., Agent]] = {"ismcts": _ismcts}


def agent_names() -> tuple[str, ...]:
    """Return the forms that ``load_agent`` understands."""
    return (*PLAIN, *(f"{kind}:PATH" for kind in FROM_FILE), "ismcts:BUDGET[,key=value...]")


def _existing(name: str, path: str) -> Path:
    file = Path(path).expanduser()
    if not file.is_file():
        raise AgentError(f"agent {name!r}: there is no file {str(file)!r}")
    return file


def agent_file(name: str) -> Path | None:
    """Return the file that an agent's name refers to, whether it is there or not; ``None`` for no file."""
    kind, _, path = name.partition(":")
    if kind in WITH_SETTINGS:
        pairs = (pair.partition("=") for pair in path.split(","))
        path = next((value for key, _, value in pairs if key == "policy"), "")
    elif kind not in FROM_FILE:
        return None
    return Path(path).expanduser() if path else None


def split_names(text: str) -> list[str]:
    """Return the agents named in a list with commas, some of which belong to the settings of a search."""
    return re.split(r",(?![a-z]+=)", text)


def load_agent(
    name: str | Agent,
    game: GameSpec | str,
    num_players: int | None = None,
    *,
    seed: int = 0,
    tables: Any = None,
) -> Agent:
    """Return the agent called ``name`` for a game.

    Args:
        name: see ``agent_names``; an agent is returned as it is.
        game: a spec, or a game's name or id.
        num_players: seats in play; the game's smallest count by default.
        seed: start of the agent's own randomness, in ``[0, 2**63)``.
        tables: the tables record of the game it will play; the game's own by default.

    Raises:
        AgentError: if the name is unknown, its file is missing, or the file or agent does not fit the game.
        OptionError: if the seed or the seat count does not fit.
    """
    spec = game if isinstance(game, GameSpec) else get_spec(game)
    if isinstance(name, Agent):
        if name.spec.id != spec.id:
            raise AgentError(f"{name.name} plays {name.spec.id}, not {spec.id}")
        return name
    if not isinstance(name, str):
        raise AgentError(f"an agent is an Agent or one of {', '.join(agent_names())}, not {name!r}")
    seed = check_seed(seed)
    seats = spec.check_seats(num_players)
    kind, _, path = name.partition(":")
    if kind in PLAIN and not path:
        return PLAIN[kind](spec, seats, name, path, seed, tables)
    if kind in FROM_FILE and path:
        return FROM_FILE[kind](spec, seats, name, path, seed, tables)
    if kind in WITH_SETTINGS:
        return WITH_SETTINGS[kind](spec, seats, name, path, seed, tables)
    raise AgentError(f"there is no agent {name!r}; agents are {', '.join(agent_names())}")
