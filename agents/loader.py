"""Agents by name: ``random``, ``heuristic``, ``exact`` (Krig), ``policy:PATH``, ``sb3:PATH``."""

from __future__ import annotations

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


def _policy(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.policy import PolicyAgent

    return PolicyAgent.load(_existing(name, path), spec, num_players, name, seed)


def _sb3(spec: GameSpec, num_players: int, name: str, path: str, seed: int, tables: Any) -> Agent:
    from kingmaker.agents.sb3 import SB3Agent

    return SB3Agent.load(_existing(name, path), spec, num_players, name, seed)


# Agents without a path, and agents made from a file.
PLAIN: dict[str, Callable[..., Agent]] = {"random": _random, "heuristic": _heuristic, "exact": _exact}
FROM_FILE: dict[str, Callable[..., Agent]] = {"policy": _policy, "sb3": _sb3}


def agent_names() -> tuple[str, ...]:
    """Return the forms that ``load_agent`` understands."""
    return (*PLAIN, *(f"{kind}:PATH" for kind in FROM_FILE))


def _existing(name: str, path: str) -> Path:
    file = Path(path).expanduser()
    if not file.is_file():
        raise AgentError(f"agent {name!r}: there is no file {str(file)!r}")
    return file


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
    raise AgentError(f"there is no agent {name!r}; agents are {', '.join(agent_names())}")
