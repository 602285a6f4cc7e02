"""The file of a trained policy: weights and the facts it takes to use them, as data only."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import torch
from pydantic import Field, ValidationError

from kingmaker.envs.core.datafile import Table, problems
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec
from kingmaker.training.config import NetworkConfig
from kingmaker.training.network import PolicyValueNet, build_network

POLICY_FORMAT = "kingmaker-policy-1"


class PolicyFacts(Table):
    """What a policy file says about itself, beside its weights."""

    format: str
    game: str
    num_players: int
    observation_size: int
    num_actions: int
    options: dict[str, int | bool] = Field(description="rule options it was trained with")
    network: NetworkConfig
    decisions: int = Field(description="decisions played in its training")


def save_atomically(content: Any, path: Path) -> None:
    """Write with ``torch.save`` so that ``path`` holds either its old content or all of the new."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            torch.save(content, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def load_data(path: Path, what: str, error: type[Exception]) -> dict[str, Any]:
    """Read a dictionary of tensors and plain data; nothing in the file is executed.

    Raises:
        error: if the file cannot be read as such; says that it is no ``what``.
    """
    try:
        if not path.stat().st_size:
            raise error(f"{path} is no {what}: it is empty")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of files by others; here that is an error anyway
            content = torch.load(path, map_location="cpu", weights_only=True)
    except error:
        raise
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror or problem}") from None
    except Exception as problem:  # torch meets damage with errors of any kind
        reason = str(problem).strip().partition("\n")[0].partition(". ")[0] or type(problem).__name__
        raise error(f"{path} is no {what}: {reason}") from None
    if not isinstance(content, dict):
        raise error(f"{path} is no {what}: it holds a {type(content).__name__}")
    return content


def is_finite(network: torch.nn.Module) -> bool:
    """Return whether all weights are numbers."""
    return all(bool(torch.isfinite(weights).all()) for weights in network.state_dict().values())


def save_policy(
    path: Path,
    network: PolicyValueNet,
    config: NetworkConfig,
    spec: GameSpec,
    num_players: int,
    options: dict[str, Any],
    decisions: int,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a file that ``policy:PATH`` loads; weights are kept as ``dtype`` and used as float32."""
    facts = PolicyFacts(
        format=POLICY_FORMAT,
        game=spec.id,
        num_players=num_players,
        observation_size=spec.observation_size(num_players),
        num_actions=spec.num_actions,
        options=options,
        network=config,
        decisions=decisions,
    )
    weights = {name: value.to(dtype) for name, value in network.state_dict().items()}
    save_atomically({"facts": facts.model_dump(), "weights": weights}, path)


def load_policy(path: Path, spec: GameSpec, num_players: int) -> tuple[PolicyValueNet, PolicyFacts]:
    """Read a policy for a game.

    Raises:
        AgentError: if the file is not a policy, or is one for something else.
    """
    content = load_data(path, "policy file", AgentError)
    if set(content) != {"facts", "weights"}:
        raise AgentError(f"{path} is no policy file: it should hold facts and weights")
    try:
        facts = PolicyFacts.model_validate(content["facts"])
    except ValidationError as problem:
        raise AgentError(f"{path} is no policy file: {problems(problem)}") from None
    have = (facts.format, facts.game, facts.num_players, facts.observation_size, facts.num_actions)
    size = spec.observation_size(num_players)
    want = (POLICY_FORMAT, spec.id, num_players, size, spec.num_actions)
    names = ("format", "game", "number of seats", "observation size", "number of actions")
    for name, mine, wanted in zip(names, have, want, strict=True):
        if mine != wanted:
            raise AgentError(f"{path}: its {name} is {mine}, not {wanted}")
    try:
        network = build_network(facts.network, spec, num_players)
        network.load_state_dict(content["weights"])
    except Exception:  # whatever a stranger put there
        raise AgentError(f"{path}: its weights do not fit the network it describes") from None
    if not is_finite(network):
        raise AgentError(f"{path}: its weights are not all finite")
    return network, facts
