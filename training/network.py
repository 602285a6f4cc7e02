"""The policy and value network: a small multilayer perceptron with two heads."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

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
    """

    def __init__(
        self,
        observation_size: int,
        num_actions: int,
        hidden: Sequence[int] = (64, 64),
        activation: str = "relu",
        shared: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.policy_trunk = _trunk(observation_size, hidden, ACTIVATIONS[activation])
        self.value_trunk = (
            self.policy_trunk if shared else _trunk(observation_size, hidden, ACTIVATIONS[activation])
        )
        self.policy_head = nn.Linear(hidden[-1], num_actions)
        self.value_head = nn.Linear(hidden[-1], 1)
        self._initialise(generator)

    def _initialise(self, generator: torch.Generator | None) -> None:
        """Orthogonal weights; a policy head near zero, so that play starts out near uniform."""
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                gain = {self.policy_head: 0.01, self.value_head: 1.0}.get(layer, 2**0.5)
                nn.init.orthogonal_(layer.weight, gain, generator=generator)
                nn.init.zeros_(layer.bias)

    def logits(self, observations: torch.Tensor) -> torch.Tensor:
        """Return unmasked logits, float32 ``(n, A)``, for float32 ``(n, F)``."""
        return self.policy_head(self.policy_trunk(observations))

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the expected return of the viewing seat at its own decision, float32 ``(n,)``."""
        return self.value_head(self.value_trunk(observations)).squeeze(-1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values; a shared trunk runs once."""
        features = self.policy_trunk(observations)
        other = features if self.value_trunk is self.policy_trunk else self.value_trunk(observations)
        return self.policy_head(features), self.value_head(other).squeeze(-1)


def _trunk(size: int, hidden: Sequence[int], activation: type[nn.Module]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in hidden:
        layers += [nn.Linear(size, width), activation()]
        size = width
    return nn.Sequential(*layers)
