"""The agent that plays a policy saved by Stable-Baselines3 or sb3-contrib: ``sb3:PATH``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec


class SB3Agent(Agent):
    """A policy with fully connected layers, trained by MaskablePPO, PPO, A2C or DQN.

    Only MaskablePPO knows masks. The others answer as they would anywhere, and an illegal answer is an
    ``AgentError`` as with every agent.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.
        network: a torch module from observations float32 ``(n, F)`` to logits or action values ``(n, A)``.
        masked: whether masks shape its distribution.
        seed: start of its random numbers, if it draws.
        sample: whether to draw from the distribution rather than play what is most likely.
    """

    def __init__(
        self,
        spec: GameSpec,
        num_players: int,
        name: str,
        network: Any,
        *,
        masked: bool = True,
        seed: int = 0,
        sample: bool = False,
    ) -> None:
        super().__init__(spec, num_players, name)
        self.network = network
        self.masked = masked
        self.sample = sample
        self.seed(seed)

    @classmethod
    def load(
        cls, path: Path, spec: GameSpec, num_players: int, name: str, seed: int = 0, *, sample: bool = False
    ) -> SB3Agent:
        """Return the agent in a file saved by ``model.save()`` or ``kingmaker.training.sb3``.

        The file is read as data, nothing in it is executed (``kingmaker.training.sb3_file``).

        Raises:
            AgentError: if torch is missing, or the file is damaged, holds another kind of policy or is for
                another game or seat count.
        """
        try:
            from kingmaker.training.sb3_file import load_sb3_policy
        except ImportError as error:
            raise AgentError(f"{name} needs torch: pip install 'kingmaker[train]' ({error})") from error
        policy = load_sb3_policy(Path(path), spec, num_players)
        # DQN's outputs are values, not logits: there is no distribution to draw from.
        sample = sample and policy.family.logits
        return cls(
            spec, num_players, name, policy.network, masked=policy.family.masked, seed=seed, sample=sample
        )

    def seed(self, seed: int) -> None:
        """Restart the draws; ``seed`` in ``[0, 2**63)``."""
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
        """Return the network's unmasked outputs, float32 ``(n, A)``."""
        import torch

        with torch.inference_mode():
            return self.network(torch.from_numpy(observations)).numpy()

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray | None:
        """Return MaskablePPO's action probabilities, float64 ``(n, A)``; ``None`` for other algorithms."""
        if not self.masked:
            return None
        logits = self._outputs(np.ascontiguousarray(observations, np.float32)).astype(np.float64)
        logits[np.asarray(action_masks) == 0] = -np.inf
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)
