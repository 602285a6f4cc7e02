"""The agent that plays a policy of the torch trainer: ``policy:PATH``."""

from __future__ import annotations

from pathlib import Path

from kingmaker.agents.network import NetworkAgent, needs_torch
from kingmaker.envs.core.spec import GameSpec


class PolicyAgent(NetworkAgent):
    """Plays the policy head of a ``kingmaker.training.network.PolicyValueNet``."""

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
            raise needs_torch(name, error) from error
        network, _ = load_policy(path, spec, num_players)
        return cls(spec, num_players, name, network.logits, seed, sample=sample)
