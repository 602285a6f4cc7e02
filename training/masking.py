"""Choosing among legal actions: masked logits for gradients, and a compiled sampler for play."""

from __future__ import annotations

import numpy as np
import torch

from kingmaker.envs.core.kernel import kernel

# The logit of an illegal action. Finite, so that no loss or gradient can become inf - inf; its probability
# is exactly 0 in float32 as long as some legal logit is above about -1e9.
ILLEGAL_LOGIT = -1e9


def mask_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return float32 ``(n, A)`` logits with illegal actions (False in bool ``masks``) out of reach."""
    return torch.where(masks, logits, ILLEGAL_LOGIT)


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
