"""Agents from files that Stable-Baselines3 or sb3-contrib saved, read as data and never run as code.

SB3's own ``load`` unpickles what the file holds under ``":serialized:"``, so a stranger's file could run
anything. Here only weights are read (``torch.load(weights_only=True)``), and the network is built anew from
their shapes. What shapes cannot tell stands in plain text in the file: the policy's class and the activation
function, which must be among those known here. Where no activation is named, SB3's default holds: tanh for
MaskablePPO, PPO and A2C, ReLU for DQN. Files of ``kingmaker.training.sb3`` also hold ``kingmaker.json``, which
names the game.
"""

from __future__ import annotations

import io
import json
import pickle
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from kingmaker.agents.base import Agent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec

SIDECAR = "kingmaker.json"
_LARGEST_MEMBER = 512 * 2**20  # bytes unpacked; far above any network here, far below a zip bomb

ACTIVATIONS: dict[str, type[nn.Module]] = {
    cls.__name__: cls for cls in (nn.Tanh, nn.ReLU, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU)
}


@dataclass(frozen=True)
class _Family:
    """Policies of one module of SB3: how their networks are laid out and used."""

    hidden: str  # regular expression of the hidden layers' numbers
    last: str | None  # name of the last layer, where it is not one of those
    ignored: str  # regular expression of weights that no decision needs
    activation: str
    masked: bool  # whether the algorithm knows action masks
    samples: bool  # whether outputs are logits of a distribution, or values to take the best of


_ACTOR = (r"mlp_extractor\.policy_net\.(\d+)", "action_net", r"(mlp_extractor\.value_net\.\d+|value_net)\.\w+", "Tanh")
_FAMILIES = {
    "sb3_contrib.common.maskable.policies": _Family(*_ACTOR, masked=True, samples=True),
    "stable_baselines3.common.policies": _Family(*_ACTOR, masked=False, samples=True),
    "stable_baselines3.dqn.policies": _Family(
        r"q_net\.q_net\.(\d+)", None, r"q_net_target\.q_net\.\d+\.\w+", "ReLU", masked=False, samples=False
    ),
}


class SB3Agent(Agent):
    """A policy with fully connected layers, trained by MaskablePPO, PPO, A2C or DQN.

    Only MaskablePPO knows masks. The others answer as they would anywhere, and an illegal answer is an
    ``AgentError`` as with every agent.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.
        network: observations float32 ``(n, F)`` to logits or action values ``(n, A)``.
        masked: whether masks shape the distribution.
        samples: whether the network's outputs are logits.
        deterministic: whether to play the most probable action rather than draw one.
        seed: start of its draws, in ``[0, 2**63)``.
    """

    def __init__(
        self,
        spec: GameSpec,
        num_players: int,
        name: str,
        network: nn.Module,
        *,
        masked: bool = True,
        samples: bool = True,
        deterministic: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(spec, num_players, name)
        self.network = network
        self.masked = masked
        self.deterministic = deterministic or not samples
        self.seed(seed)

    @classmethod
    def load(
        cls,
        path: str | Path,
        spec: GameSpec,
        num_players: int,
        name: str,
        seed: int = 0,
        *,
        deterministic: bool = True,
    ) -> SB3Agent:
        """Return the agent in a zip file saved by ``model.save()`` or by ``kingmaker.training.sb3``.

        Raises:
            AgentError: if the file is damaged, holds another kind of policy, or is of another game.
        """
        try:
            facts, weights = _read(Path(path))
            family = _family(facts)
            _check_game(facts, spec, num_players)
            layers = _layers(family, weights)
            _check_shapes(layers, spec, num_players)
            network = _network(layers, _activation(facts, family))
        except _Misfit as error:
            raise AgentError(f"agent {name!r}: {error}") from None
        return cls(
            spec,
            num_players,
            name,
            network,
            masked=family.masked,
            samples=family.samples,
            deterministic=deterministic,
            seed=seed,
        )

    def seed(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def _outputs(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            outputs = self.network(torch.from_numpy(np.ascontiguousarray(observations, np.float32))).numpy()
        return np.where(action_masks, outputs, -np.inf) if self.masked else outputs

    def _choose(
        self, observations: np.ndarray, action_masks: np.ndarray, seats: Any, games: Any
    ) -> np.ndarray:
        outputs = self._outputs(observations, action_masks)
        if not self.deterministic:
            # The largest of logits with Gumbel noise is a draw from their softmax.
            outputs = outputs + self._random.gumbel(size=outputs.shape)
        return outputs.argmax(axis=1)

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray | None:
        """Return MaskablePPO's action probabilities, float64 ``(n, A)``; ``None`` for other algorithms."""
        if not self.masked:
            return None
        logits = self._outputs(observations, np.asarray(action_masks) != 0).astype(np.float64)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)


class _Misfit(Exception):
    """Why a file is of no use here."""


def _read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Return a file's plain facts and its policy weights."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts = json.loads(_member(archive, "data"))
            if SIDECAR in archive.namelist():
                facts[SIDECAR] = json.loads(_member(archive, SIDECAR))
            packed = _member(archive, "policy.pth")
        weights = torch.load(io.BytesIO(packed), map_location="cpu", weights_only=True)
    except KeyError as error:
        raise _Misfit(f"{path} was not saved by SB3: {error.args[0]}") from None
    except (OSError, EOFError, zipfile.BadZipFile, NotImplementedError, RecursionError) as error:
        raise _Misfit(f"{path} is not a readable zip file: {error}") from None
    except (TypeError, ValueError) as error:
        raise _Misfit(f"the description in {path} is damaged: {error}") from None
    except (pickle.UnpicklingError, RuntimeError) as error:
        raise _Misfit(f"the weights in {path} are damaged or not plain data: {str(error).splitlines()[0]}") from None
    if not isinstance(weights, dict) or not all(
        isinstance(name, str) and isinstance(value, torch.Tensor) for name, value in weights.items()
    ):
        raise _Misfit(f"policy.pth in {path} is not a table of weights")
    return facts, weights


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST_MEMBER:
        raise _Misfit(f"{name} is larger than {_LARGEST_MEMBER >> 20} MiB")
    return archive.read(name)


def _entry(facts: Any, *keys: str) -> Any:
    """Return a nested entry, or ``None``."""
    for key in keys:
        facts = facts.get(key) if isinstance(facts, dict) else None
    return facts


def _family(facts: Any) -> _Family:
    module = _entry(facts, "policy_class", "__module__")
    if not isinstance(module, str) or module not in _FAMILIES:
        raise _Misfit(f"a policy from {module!r} is not supported; only MlpPolicy of MaskablePPO, PPO, A2C and DQN")
    return _FAMILIES[module]


def _activation(facts: Any, family: _Family) -> type[nn.Module]:
    extractor = _entry(facts, "policy_kwargs", "features_extractor_class")
    if extractor is not None and "FlattenExtractor" not in str(extractor):
        raise _Misfit(f"the features extractor {extractor} is not supported")
    text = _entry(facts, "policy_kwargs", "activation_fn")
    if text is None:
        return ACTIVATIONS[family.activation]
    found = re.fullmatch(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>", str(text))
    if not found or found[1] not in ACTIVATIONS:
        raise _Misfit(f"the activation function {text} is not one of {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[found[1]]


def _check_game(facts: Any, spec: GameSpec, num_players: int) -> None:
    game, seats = _entry(facts, SIDECAR, "game"), _entry(facts, SIDECAR, "num_players")
    if game is not None and (game, seats) != (spec.id, num_players):
        raise _Misfit(f"it was trained for {game} with {seats} seats, not for {spec.id} with {num_players}")


def _layers(family: _Family, weights: dict[str, torch.Tensor]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return weight and bias of each layer from the observation to the actions."""
    hidden: dict[int, dict[str, torch.Tensor]] = {}
    last: dict[str, torch.Tensor] = {}
    for name, value in weights.items():
        place, _, kind = name.rpartition(".")
        numbered = re.fullmatch(family.hidden, place)
        if kind in ("weight", "bias") and numbered:
            hidden.setdefault(int(numbered[1]), {})[kind] = value
        elif kind in ("weight", "bias") and place == family.last:
            last[kind] = value
        elif not re.fullmatch(family.ignored, name):
            raise _Misfit(f"weights {name!r} belong to no fully connected policy")
    ordered = [hidden[number] for number in sorted(hidden)] + ([last] if family.last else [])
    if not ordered or any(set(layer) != {"weight", "bias"} for layer in ordered):
        raise _Misfit("a layer of the policy is missing")
    return [(layer["weight"], layer["bias"]) for layer in ordered]


def _check_shapes(layers: list[tuple[torch.Tensor, torch.Tensor]], spec: GameSpec, num_players: int) -> None:
    for weight, bias in layers:
        plain = all(t.dtype.is_floating_point and t.layout is torch.strided for t in (weight, bias))
        if not plain or weight.dim() != 2 or bias.shape != weight.shape[:1]:
            raise _Misfit("a layer of the policy is not fully connected")
        if not (weight.isfinite().all() and bias.isfinite().all()):
            raise _Misfit("it holds weights that are not finite numbers")
    for (before, _), (after, _) in zip(layers, layers[1:], strict=False):
        if after.shape[1] != before.shape[0]:
            raise _Misfit("the layers of the policy do not fit together")
    inputs, outputs = layers[0][0].shape[1], layers[-1][0].shape[0]
    wanted = spec.observation_size(num_players), spec.num_actions
    if (inputs, outputs) != wanted:
        raise _Misfit(
            f"it is for observations of {inputs} numbers and {outputs} actions; "
            f"{spec.id} with {num_players} seats has {wanted[0]} and {wanted[1]}"
        )


def _network(layers: list[tuple[torch.Tensor, torch.Tensor]], activation: type[nn.Module]) -> nn.Module:
    modules: list[nn.Module] = []
    for weight, bias in layers:
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        linear.load_state_dict({"weight": weight.float(), "bias": bias.float()})
        modules += [linear, activation()]
    return nn.Sequential(*modules[:-1]).eval()
