"""Files of Stable-Baselines3 models, read as data and never run as code.

SB3's own ``load`` unpickles what a file holds under ``":serialized:"``, so a stranger's file could run
anything. Here only weights are read (``torch.load(weights_only=True)``), and the network is built anew from
their shapes. What shapes cannot tell stands in the file in plain text: the policy's class and the activation
function, each of which must be among those known here. Where no activation is named, SB3's default holds:
tanh for MaskablePPO, PPO and A2C, ReLU for DQN.

Files written here are SB3's, so ``MaskablePPO.load`` reads them too, and hold ``kingmaker.json`` besides: the
game and the seat count that the policy is for.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec

SIDECAR = "kingmaker.json"
_LARGEST_MEMBER = 512 * 2**20  # bytes unpacked: far above any network here, far below a zip bomb
# What ``model.save`` would store of the run rather than of the model; thousands of games make it large.
_RUN_STATE = (
    "_last_obs",
    "_last_episode_starts",
    "_last_original_obs",
    "ep_info_buffer",
    "ep_success_buffer",
    "learning_rate",  # a schedule bound to its run; what follows is rebuilt from the configuration
    "lr_schedule",
)

ACTIVATIONS: dict[str, type[nn.Module]] = {
    cls.__name__: cls for cls in (nn.Tanh, nn.ReLU, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU)
}

Layer = tuple[torch.Tensor, torch.Tensor]
Weights = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Family:
    """The policies of one of SB3's modules: how their networks are laid out and used.

    Attributes:
        hidden: regular expression of the numbered layers' names.
        last: name of the last layer, where it is not one of those.
        ignored: regular expression of the weights that no decision needs.
        activation: SB3's default.
        masked: whether the algorithm knows action masks.
        logits: whether outputs are logits of a distribution rather than values to take the best of.
    """

    hidden: str
    last: str | None
    ignored: str
    activation: str
    masked: bool
    logits: bool


_ACTOR = (
    r"mlp_extractor\.policy_net\.(\d+)",
    "action_net",
    r"(mlp_extractor\.value_net\.\d+|value_net)\.\w+",
    "Tanh",
)
MASKABLE = Family(*_ACTOR, masked=True, logits=True)
_FAMILIES = {
    "sb3_contrib.common.maskable.policies": MASKABLE,
    "stable_baselines3.common.policies": Family(*_ACTOR, masked=False, logits=True),
    "stable_baselines3.dqn.policies": Family(
        r"q_net\.q_net\.(\d+)", None, r"q_net_target\.q_net\.\d+\.\w+", "ReLU", masked=False, logits=False
    ),
}


@dataclass(frozen=True)
class SB3Policy:
    """A network from observations float32 ``(n, F)`` to outputs ``(n, A)``, and how to use it."""

    network: nn.Module
    family: Family


class _Misfit(Exception):
    """Why a file is of no use."""


# --- reading ------------------------------------------------------------------------------------------


def load_sb3_policy(path: Path, spec: GameSpec, num_players: int) -> SB3Policy:
    """Read the policy in a file for a game.

    Raises:
        AgentError: if the file is damaged, holds another kind of policy, or is for something else.
    """
    try:
        facts, weights = _read(path)
        family = _family(facts)
        _check_game(facts.get(SIDECAR), spec, num_players)
        layers = _layers(family, weights)
        _check_layers(layers, spec, num_players)
        return SB3Policy(_network(layers, _activation(facts.get("policy_kwargs"), family)), family)
    except _Misfit as reason:
        raise AgentError(f"{path}: {reason}") from None


def policy_network(weights: Weights, activation: str) -> nn.Module:
    """Return a copy of the actor of a MaskablePPO policy.

    Args:
        weights: the policy's ``state_dict()``.
        activation: a key of ``ACTIVATIONS``.
    """
    return _network(_layers(MASKABLE, weights), ACTIVATIONS[activation])


def _read(path: Path) -> tuple[dict[str, Any], Weights]:
    """Return a file's plain facts and its policy's weights."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts = dict(json.loads(_member(archive, "data")))
            if SIDECAR in archive.namelist():
                facts[SIDECAR] = json.loads(_member(archive, SIDECAR))
            packed = _member(archive, "policy.pth")
    except KeyError as error:
        raise _Misfit(f"it was not saved by SB3: {error.args[0]}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise _Misfit(f"its description is damaged: {error}") from None
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise _Misfit(f"it is no readable zip file: {error}") from None
    return facts, _read_weights(packed)


def _read_weights(packed: bytes) -> Weights:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on pickles that torch did not write, which fail in a moment
            weights = torch.load(io.BytesIO(packed), map_location="cpu", weights_only=True)
    except Exception as error:  # damaged bytes can make torch's reader stumble in any way
        reason = str(error).partition(".")[0]
        raise _Misfit(f"its weights are damaged or more than data: {reason}") from None
    if not isinstance(weights, dict) or not all(
        isinstance(name, str) and isinstance(value, torch.Tensor) for name, value in weights.items()
    ):
        raise _Misfit("policy.pth is no table of weights")
    return weights


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST_MEMBER:
        raise _Misfit(f"{name} is larger than {_LARGEST_MEMBER >> 20} MiB")
    return archive.read(name)


def _text(table: Any, key: str) -> str | None:
    """Return an entry of what may be a table, in text."""
    value = table.get(key) if isinstance(table, dict) else None
    return None if value is None else str(value)


def _family(facts: dict[str, Any]) -> Family:
    module = _text(facts.get("policy_class"), "__module__")
    if module not in _FAMILIES:
        raise _Misfit(
            f"a policy from {module} is not supported: only MlpPolicy of MaskablePPO, PPO, A2C and DQN"
        )
    return _FAMILIES[module]


def _activation(policy_kwargs: Any, family: Family) -> type[nn.Module]:
    extractor = _text(policy_kwargs, "features_extractor_class")
    if extractor is not None and not extractor.endswith(".FlattenExtractor'>"):
        raise _Misfit(f"the features extractor {extractor} is not supported")
    text = _text(policy_kwargs, "activation_fn")
    if text is None:
        return ACTIVATIONS[family.activation]
    found = re.fullmatch(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>", text)
    if not found or found[1] not in ACTIVATIONS:
        raise _Misfit(f"the activation {text} is not one of {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[found[1]]


def _check_game(sidecar: Any, spec: GameSpec, num_players: int) -> None:
    if sidecar is None:
        return
    game, seats = _text(sidecar, "game"), _text(sidecar, "num_players")
    if (game, seats) != (spec.id, str(num_players)):
        raise _Misfit(f"it is for {game} with {seats} seats, not for {spec.id} with {num_players}")


def _layers(family: Family, weights: Weights) -> list[Layer]:
    """Return weight and bias of each layer from the observation to the actions."""
    hidden: dict[int, Weights] = {}
    last: Weights = {}
    for name, value in weights.items():
        place, _, kind = name.rpartition(".")
        numbered = re.fullmatch(family.hidden, place)
        if numbered:
            hidden.setdefault(int(numbered[1]), {})[kind] = value
        elif place == family.last:
            last[kind] = value
        elif not re.fullmatch(family.ignored, name):
            raise _Misfit(f"weights {name!r} belong to no fully connected policy")
    ordered = [hidden[number] for number in sorted(hidden)] + ([last] if family.last else [])
    if not ordered or any(set(layer) != {"weight", "bias"} for layer in ordered):
        raise _Misfit("its policy has a layer that is not fully connected, or lacks one")
    return [(layer["weight"], layer["bias"]) for layer in ordered]


def _check_layers(layers: list[Layer], spec: GameSpec, num_players: int) -> None:
    for weight, bias in layers:
        plain = all(t.dtype.is_floating_point and t.layout is torch.strided for t in (weight, bias))
        if not plain or weight.dim() != 2 or bias.shape != weight.shape[:1]:
            raise _Misfit("its policy has a layer that is not fully connected")
        if not (weight.isfinite().all() and bias.isfinite().all()):
            raise _Misfit("it holds weights that are not finite")
    for (before, _), (after, _) in itertools.pairwise(layers):
        if after.shape[1] != before.shape[0]:
            raise _Misfit("its layers do not fit together")
    have = layers[0][0].shape[1], layers[-1][0].shape[0]
    want = spec.observation_size(num_players), spec.num_actions
    if have != want:
        raise _Misfit(
            f"it is for observations of size {have[0]} and {have[1]} actions; "
            f"{spec.id} with {num_players} seats has {want[0]} and {want[1]}"
        )


def _network(layers: list[Layer], activation: type[nn.Module]) -> nn.Module:
    modules: list[nn.Module] = []
    for weight, bias in layers:
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        linear.load_state_dict({"weight": weight.float(), "bias": bias.float()})
        modules += [linear, activation()]
    return nn.Sequential(*modules[:-1]).eval()


# --- writing ------------------------------------------------------------------------------------------


def save_sb3_model(
    path: Path, model: Any, spec: GameSpec, num_players: int, extra: dict[str, bytes] | None = None
) -> None:
    """Write an SB3 model so that ``path`` holds either its old content or all of the new.

    Args:
        path: the zip file.
        model: an SB3 algorithm.
        spec: the game it plays.
        num_players: seats in play.
        extra: further members of the zip file by name.
    """
    content = io.BytesIO()
    model.save(content, exclude=_RUN_STATE)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(SIDECAR, json.dumps({"game": spec.id, "num_players": num_players}))
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.write(content.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
