"""Choosing among legal actions: a compiled sampler for play, and log-probabilities with gradients.

Most actions of a table are illegal in any position. Compiled loops look at the legal ones alone; tensor
operations over the whole table took a third of an update of Kingsburg, with 267 actions (profiled).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from kingmaker.envs.core.kernel import kernel


class _LegalDistribution(torch.autograd.Function):
    """Log-probabilities of chosen actions and entropies; see ``legal_distribution``."""

    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor) -> Any:
        probabilities = torch.zeros_like(logits)
        log_probs, entropies = logits.new_empty(len(logits)), logits.new_empty(len(logits))
        write_distribution(*map(_array, (logits, masks, actions, probabilities, log_probs, entropies)))
        ctx.save_for_backward(probabilities, masks, actions, entropies)
        return log_probs, entropies

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        probabilities, masks, actions, entropies = ctx.saved_tensors
        towards = torch.zeros_like(probabilities)
        by_log_prob, by_entropy = (gradient.contiguous() for gradient in gradients)
        given = (probabilities, masks, actions, entropies, by_log_prob, by_entropy, towards)
        write_gradient(*map(_array, given))
        return towards, None, None


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def legal_distribution(
    logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the log-probabilities of actions and the entropies over legal actions, each float32 ``(n,)``.

    Both have gradients with respect to the logits.

    Args:
        logits: float32 ``(n, A)``; those of illegal actions are not read.
        masks: bool ``(n, A)``, at least one legal action in each row.
        actions: int64 ``(n,)``, legal.
    """
    return _LegalDistribution.apply(logits.contiguous(), masks, actions)


@kernel
def write_distribution(logits, masks, actions, probabilities, log_probs, entropies):
    """Write the softmax over legal actions into zeroed ``probabilities``, and what follows from it."""
    for i in range(logits.shape[0]):
        highest = -np.inf
        for a in range(logits.shape[1]):
            if masks[i, a]:
                highest = max(highest, np.float64(logits[i, a]))
        total = 0.0
        mean = 0.0  # of the logits above the highest
        for a in range(logits.shape[1]):
            if masks[i, a]:
                weight = np.exp(np.float64(logits[i, a]) - highest)
                probabilities[i, a] = weight
                total += weight
                mean += weight * (np.float64(logits[i, a]) - highest)
        for a in range(logits.shape[1]):
            if masks[i, a]:
                probabilities[i, a] /= total
        log_probs[i] = np.float64(logits[i, actions[i]]) - highest - np.log(total)
        entropies[i] = np.log(total) - mean / total


@kernel
def write_gradient(probabilities, masks, actions, entropies, by_log_prob, by_entropy, gradient):
    """Write the gradient with respect to legal logits into zeroed ``gradient``."""
    for i in range(probabilities.shape[0]):
        for a in range(probabilities.shape[1]):
            if masks[i, a]:
                p = np.float64(probabilities[i, a])
                surprise = np.log(p) + entropies[i] if p > 0.0 else 0.0
                gradient[i, a] = -p * (by_log_prob[i] + by_entropy[i] * surprise)
        gradient[i, actions[i]] += by_log_prob[i]


@kernel
def sample_legal(logits, masks, uniforms, actions, log_probs):
    """Sample one legal action a row by inverting the distribution function.

    This takes one uniform number a row; Gumbel-max takes one, and two logarithms, for every action.

    Args:
        logits: float32 ``(n, A)``; those of illegal actions are not read.
        masks: int8 ``(n, A)``, at least one legal action in each row.
        uniforms: float64 ``(n,)`` in ``[0, 1)``.
        actions: int64 ``(n,)``, written.
        log_probs: float32 ``(n,)``, written.
    """
    weights = np.empty(logits.shape[1], np.float64)
    for i in range(logits.shape[0]):
        highest = -np.inf
        for a in range(logits.shape[1]):
            if masks[i, a]:
                highest = max(highest, logits[i, a])
        total = 0.0
        for a in range(logits.shape[1]):
            weights[a] = 0.0
            if masks[i, a]:
                weights[a] = np.exp(np.float64(logits[i, a]) - highest)
                total += weights[a]
        left = uniforms[i] * total
        chosen = 0
        for a in range(logits.shape[1]):
            if weights[a] > 0.0:
                chosen = a  # rounding may leave a remainder after the last one: then that one it is
                left -= weights[a]
                if left < 0.0:
                    break
        actions[i] = chosen
        log_probs[i] = np.log(weights[chosen] / total)
