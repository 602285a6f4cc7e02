"""Agents: random, heuristic and learned ones, behind one interface and one loader.

``load_agent`` and ``Agent`` are found here on use, since the games import their heuristics from below this
package and must not load it whole.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Agent", "agent_names", "load_agent"]


def __getattr__(name: str) -> Any:
    if name == "Agent":
        from kingmaker.agents.base import Agent

        return Agent
    if name in __all__:
        from kingmaker.agents import loader

        return getattr(loader, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
