"""One PPO update: clipped surrogate, value loss and entropy bonus over minibatches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from kingmaker.training.config import UpdateConfig
from kingmaker.training.masking import legal_distribution
from kingmaker.training.network import PolicyValueNet
from kingmaker.training.rollout import Batch

SMALL = 1e-8  # keeps the division by a standard deviation finite


@dataclass(frozen=True)
class Losses:
    """Means over the gradient steps of an update.

    Attributes:
        policy: clipped surrogate loss.
        value: mean squared error of the value head, halved.
        entropy: of the policy over legal actions, in nats.
        kl: estimate of how far the policy moved from the one that played, in nats.
        clipped: share of decisions whose probability ratio left the clip range.
        explained: share of the returns' variance that the value head explained before the update.
    """

    policy: float
    value: float
    entropy: float
    kl: float
    clipped: float
    explained: float


def ppo_update(
    network: PolicyValueNet,
    optimiser: torch.optim.Optimizer,
    batch: Batch,
    config: UpdateConfig,
    entropy_weight: float,
    rng: np.random.Generator,
) -> Losses:
    """Improve the network on a rollout's decisions.

    Args:
        network: changed in place.
        optimiser: over its parameters, with the learning rate already set.
        batch: the decisions; advantages are normalised over all of them.
        config: epochs, minibatch and weights.
        entropy_weight: of the entropy bonus now.
        rng: source of the order of minibatches.

    Returns:
        What was minimised, for the log.
    """
    rows = torch.from_numpy(batch.rows)
    advantages = batch.advantages[rows]
    deviation, mean = torch.std_mean(advantages)
    scale, shift = 1.0 / (float(deviation) + SMALL), float(mean)
    returns = batch.returns[rows]
    explained = 1.0 - float(advantages.var() / (returns.var() + SMALL))
    pieces = max(1, round(len(batch.rows) / config.minibatch))
    totals = torch.zeros(5)
    for _ in range(config.epochs):
        for part in np.array_split(rng.permutation(batch.rows), pieces):
            loss, parts = _loss(network, batch, torch.from_numpy(part), shift, scale, config, entropy_weight)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), config.max_gradient)
            optimiser.step()
            totals += parts
    policy, value, entropy, kl, clipped = (totals / (config.epochs * pieces)).tolist()
    return Losses(policy, value, entropy, kl, clipped, explained)


def _loss(
    network: PolicyValueNet,
    batch: Batch,
    rows: torch.Tensor,
    shift: float,
    scale: float,
    config: UpdateConfig,
    entropy_weight: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of a minibatch, and its parts as a float32 ``(5,)`` in the order of ``Losses``."""
    logits, values = network(batch.observations[rows])
    log_probs, entropies = legal_distribution(logits, batch.masks[rows], batch.actions[rows])
    log_ratio = log_probs - batch.log_probs[rows]
    ratio = log_ratio.exp()
    advantages = (batch.advantages[rows] - shift) * scale
    clipped = ratio.clamp(1.0 - config.clip, 1.0 + config.clip)
    policy = -torch.minimum(ratio * advantages, clipped * advantages).mean()
    value = 0.5 * (values - batch.returns[rows]).square().mean()
    entropy = entropies.mean()
    loss = policy + config.value_weight * value - entropy_weight * entropy
    with torch.no_grad():
        kl = (ratio - 1.0 - log_ratio).mean()
        outside = ((ratio - 1.0).abs() > config.clip).float().mean()
        parts = torch.stack([policy.detach(), value.detach(), entropy.detach(), kl, outside])
    return loss, parts
