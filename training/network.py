"""The policy and value network: a small multilayer perceptron with two heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.spec import GameSpec, Reference
from kingmaker.training.config import NetworkConfig
from kingmaker.training.steps import Ladder, Steps, ladders_of

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


class PolicyValueNet(nn.Module):
    """Action logits and a value from an observation.

    Args:
        observation_size: length ``F`` of an observation.
        num_actions: size ``A`` of the action table.
        hidden: width of each hidden layer.
        activation: ``"relu"`` or ``"tanh"``.
        shared: one trunk for both heads, or one each.
        generator: source of the first weights.
        references: what actions refer to. The policy scores each thing, and an action's logit gets the score
            of the thing that it refers to: what is learned about a thing is then learned for all actions
            that may mean it.
        ladders: inputs to add to the observation (``kingmaker.training.steps``).
    """

    def __init__(
        self,
        observation_size: int,
        num_actions: int,
        hidden: Sequence[int] = (64, 64),
        activation: str = "relu",
        shared: bool = False,
        generator: torch.Generator | None = None,
        references: Sequence[Reference] = (),
        ladders: Sequence[Ladder] = (),
    ) -> None:
        super().__init__()
        self.steps = Steps(ladders) if ladders else nn.Identity()
        observation_size += len(ladders)
        self.policy_trunk = _trunk(observation_size, hidden, ACTIVATIONS[activation])
        self.value_trunk = (
            self.policy_trunk if shared else _trunk(observation_size, hidden, ACTIVATIONS[activation])
        )
        self.policy_head = nn.Linear(hidden[-1], num_actions)
        self.value_head = nn.Linear(hidden[-1], 1)
        self.reference_heads = nn.ModuleList(ReferenceHead(hidden[-1], each) for each in references)
        self._initialise(generator)

    def _initialise(self, generator: torch.Generator | None) -> None:
        """Orthogonal weights; a policy head near zero, so that play starts out near uniform."""
        gains: dict[nn.Module, float] = {self.policy_head: 0.01, self.value_head: 1.0}
        gains |= {head.scores: 0.01 for head in self.reference_heads}  # type: ignore[misc]
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                gain = gains.get(layer, 2**0.5)
                nn.init.orthogonal_(layer.weight, gain, generator=generator)
                nn.init.zeros_(layer.bias)

    def logits(self, observations: torch.Tensor) -> torch.Tensor:
        """Return unmasked logits, float32 ``(n, A)``, for float32 ``(n, F)``."""
        return self._heads(self.policy_trunk(self.steps(observations)), observations)

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the expected return of the viewing seat at its own decision, float32 ``(n,)``."""
        return self.value_head(self.value_trunk(self.steps(observations))).squeeze(-1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values; a shared trunk runs once."""
        inputs = self.steps(observations)
        features = self.policy_trunk(inputs)
        other = features if self.value_trunk is self.policy_trunk else self.value_trunk(inputs)
        return self._heads(features, observations), self.value_head(other).squeeze(-1)

    def _heads(self, features: torch.Tensor, observations: torch.Tensor) -> torch.Tensor:
        logits = self.policy_head(features)
        for head in self.reference_heads:
            logits = head(logits, features, observations)
        return logits


class ReferenceHead(nn.Module):
    """Scores of things, added to the logits of the actions that refer to them.

    Args:
        width: of the features.
        reference: what the actions refer to.
    """

    def __init__(self, width: int, reference: Reference) -> None:
        super().__init__()
        self.scores = nn.Linear(width, reference.size)
        self.scale = reference.scale
        self.actions, self.columns, self.offsets = (
            np.array(part, np.int64) for part in (reference.actions, reference.features, reference.offsets)
        )

    def forward(
        self, logits: torch.Tensor, features: torch.Tensor, observations: torch.Tensor
    ) -> torch.Tensor:
        """Return float32 ``(n, A)`` logits with the scores added."""
        return _AddScores.apply(logits, self.scores(features), observations, self)


class _AddScores(torch.autograd.Function):
    """``ReferenceHead.forward``; tensor operations for it took a sixth of an update (profiled)."""

    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, scores: torch.Tensor, observations: torch.Tensor, head: ReferenceHead
    ) -> torch.Tensor:
        ctx.head, ctx.observations, ctx.size = head, observations, scores.shape[1]
        total = logits.clone()
        tables = head.actions, head.columns, head.offsets, head.scale
        add_scores(_array(scores), _array(observations), *tables, _array(total))
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        gradient = gradients[0].contiguous()
        by_score = gradient.new_zeros(len(gradient), ctx.size)
        tables = ctx.head.actions, ctx.head.columns, ctx.head.offsets, ctx.head.scale
        collect_scores(_array(gradient), _array(ctx.observations), *tables, _array(by_score))
        return gradient, by_score, None, None


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


@kernel
def thing_of(entry, offset, scale, size):
    """Return the number of the thing that an action refers to, -1 for none."""
    base = np.int64(np.round(entry * scale))
    number = base + offset
    return number if base != 0 and 0 <= number < size else -1


@kernel
def add_scores(scores, observations, actions, columns, offsets, scale, logits):
    """Add to each action's logit the score of the thing that it refers to."""
    for i in range(logits.shape[0]):
        for k in range(actions.shape[0]):
            thing = thing_of(observations[i, columns[k]], offsets[k], scale, scores.shape[1])
            if thing >= 0:
                logits[i, actions[k]] += scores[i, thing]


@kernel
def collect_scores(gradient, observations, actions, columns, offsets, scale, by_score):
    """Add up the gradient of each thing's score in zeroed ``by_score``."""
    for i in range(gradient.shape[0]):
        for k in range(actions.shape[0]):
            thing = thing_of(observations[i, columns[k]], offsets[k], scale, by_score.shape[1])
            if thing >= 0:
                by_score[i, thing] += gradient[i, actions[k]]


def build_network(
    config: NetworkConfig, spec: GameSpec, num_players: int, generator: torch.Generator | None = None
) -> PolicyValueNet:
    """Return the untrained network that ``config`` describes, for a game and seat count.

    Raises:
        TrainingError: if the game lacks a feature that ``config`` names.
    """
    return PolicyValueNet(
        spec.observation_size(num_players),
        spec.num_actions,
        config.hidden,
        config.activation,
        config.shared,
        generator,
        spec.references(num_players) if config.references else (),
        ladders_of(config.steps, spec, num_players),
    )


def _trunk(size: int, hidden: Sequence[int], activation: type[nn.Module]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in hidden:
        layers += [nn.Linear(size, width), activation()]
        size = width
    return nn.Sequential(*layers)
