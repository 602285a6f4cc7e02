"""The policy and value network: a small multilayer perceptron with two heads."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from kingmaker.envs.core.spec import GameSpec, Reference
from kingmaker.training.config import NetworkConfig

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
    ) -> None:
        super().__init__()
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
        return self._heads(self.policy_trunk(observations), observations)

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the expected return of the viewing seat at its own decision, float32 ``(n,)``."""
        return self.value_head(self.value_trunk(observations)).squeeze(-1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values; a shared trunk runs once."""
        features = self.policy_trunk(observations)
        other = features if self.value_trunk is self.policy_trunk else self.value_trunk(observations)
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

    actions: torch.Tensor
    columns: torch.Tensor
    offsets: torch.Tensor

    def __init__(self, width: int, reference: Reference) -> None:
        super().__init__()
        self.size, self.scale = reference.size, reference.scale
        self.scores = nn.Linear(width, reference.size)
        for name in ("actions", "offsets"):
            self.register_buffer(name, torch.tensor(getattr(reference, name)), persistent=False)
        self.register_buffer("columns", torch.tensor(reference.features), persistent=False)

    def forward(
        self, logits: torch.Tensor, features: torch.Tensor, observations: torch.Tensor
    ) -> torch.Tensor:
        """Return float32 ``(n, A)`` logits with the scores added."""
        base = (observations[:, self.columns] * self.scale).round().long()
        number = base + self.offsets
        refers = (base != 0) & (number >= 0) & (number < self.size)
        scores = self.scores(features).gather(1, number.clamp(0, self.size - 1))
        return logits.index_add(1, self.actions, torch.where(refers, scores, 0.0))


def build_network(
    config: NetworkConfig, spec: GameSpec, num_players: int, generator: torch.Generator | None = None
) -> PolicyValueNet:
    """Return the untrained network that ``config`` describes, for a game and seat count."""
    return PolicyValueNet(
        spec.observation_size(num_players),
        spec.num_actions,
        config.hidden,
        config.activation,
        config.shared,
        generator,
        spec.references(num_players) if config.references else (),
    )


def _trunk(size: int, hidden: Sequence[int], activation: type[nn.Module]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in hidden:
        layers += [nn.Linear(size, width), activation()]
        size = width
    return nn.Sequential(*layers)
