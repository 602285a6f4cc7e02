"""What agents have in common that ask a torch network."""

from __future__ import annotations

from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec


def needs_torch(name: str, error: ImportError) -> AgentError:
    """Return the error of an agent that cannot be loaded without the training extra."""
    return AgentError(f"{name} needs torch: pip install 'kingmaker[train]' ({error})")


class NetworkAgent(Agent):
    """Plays the action that the network finds best, or one drawn from its distribution.

    The best action is the default since it measures stronger: it wins as much or more against the baselines,
    and it needs no random numbers.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.
        network: maps a tensor of observations, float32 ``(n, F)``, to logits or action values ``(n, A)``.
        seed: start of its random numbers, if it draws.
        masked: whether masks shape its choice; without them it may answer with an illegal action, which is
            an ``AgentError`` as with every agent.
        sample: whether to draw from the distribution.
    """

    def __init__(
        self,
        spec: GameSpec,
        num_players: int,
        name: str,
        network: Any,
        seed: int = 0,
        *,
        masked: bool = True,
        sample: bool = False,
    ) -> None:
        super().__init__(spec, num_players, name)
        self.network = network
        self.masked = masked
        self.sample = sample
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Restart the random numbers that choices are drawn with; ``seed`` in ``[0, 2**63)``."""
        self._rng = np.random.default_rng(seed)

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        outputs = self._outputs(observations)
        masks = action_masks if self.masked else np.ones_like(action_masks)
        if not self.sample:
            return np.where(masks != 0, outputs, -np.inf).argmax(axis=1)
        from kingmaker.training.masking import sample_legal

        actions, log_probs = np.empty(len(outputs), np.int64), np.empty(len(outputs), np.float32)
        sample_legal(outputs, masks, self._rng.random(len(outputs)), actions, log_probs)
        return actions

    def _outputs(self, observations: np.ndarray) -> np.ndarray:
        """Return unmasked outputs, float32 ``(n, A)``."""
        import torch

        with torch.inference_mode():
            return self.network(torch.from_numpy(observations)).numpy()

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray | None:
        """Return the policy's action probabilities, float64 ``(n, A)``, before any choice of the best one.

        ``None`` for a network that knows no masks.
        """
        if not self.masked:
            return None
        logits = self._outputs(np.ascontiguousarray(observations, np.float32)).astype(np.float64)
        logits[np.asarray(action_masks) == 0] = -np.inf
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)
