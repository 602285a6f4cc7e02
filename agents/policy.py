"""The agent that plays a trained policy: ``policy:PATH``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec


class PolicyAgent(Agent):
    """Plays the action that the network finds most likely, or one drawn from its distribution.

    The most likely action is the default since it measures stronger: it wins as much or more against the
    baselines, and it needs no random numbers.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.
        network: a ``kingmaker.training.network.PolicyValueNet``.
        seed: start of its random numbers, if it draws.
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
        sample: bool = False,
    ) -> None:
        super().__init__(spec, num_players, name)
        self.network = network
        self.sample = sample
        self.seed(seed)

    @classmethod
    def load(
        cls, path: Path, spec: GameSpec, num_players: int, name: str, seed: int = 0, *, sample: bool = False
    ) -> PolicyAgent:
        """Return the agent of a policy file; the file is read as data, nothing in it is executed.

        Raises:
            AgentError: if torch is missing, or the file is no policy or one for another game or seat count.
        """
        try:
            from kingmaker.training.policy_file import load_policy
        except ImportError as error:
            raise AgentError(f"{name} needs torch: pip install 'kingmaker[train]' ({error})") from error
        network, _ = load_policy(path, spec, num_players)
        return cls(spec, num_players, name, network, seed, sample=sample)

    def seed(self, seed: int) -> None:
        """Restart the random numbers that choices are drawn with; ``seed`` in ``[0, 2**63)``."""
        self._rng = np.random.default_rng(seed)

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        logits = self._logits(observations)
        if not self.sample:
            return np.where(action_masks != 0, logits, -np.inf).argmax(axis=1)
        from kingmaker.training.masking import sample_legal

        actions, log_probs = np.empty(len(logits), np.int64), np.empty(len(logits), np.float32)
        sample_legal(logits, action_masks, self._rng.random(len(logits)), actions, log_probs)
        return actions

    def _logits(self, observations: np.ndarray) -> np.ndarray:
        """Return unmasked logits, float32 ``(n, A)``."""
        import torch

        with torch.inference_mode():
            return self.network.logits(torch.from_numpy(observations)).numpy()

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return each action's probability under the policy, float64 ``(n, A)``, before any ``argmax``."""
        logits = self._logits(np.ascontiguousarray(observations, np.float32)).astype(np.float64)
        logits[np.asarray(action_masks) == 0] = -np.inf
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)
