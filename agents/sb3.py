"""The agent that plays a policy saved by Stable-Baselines3 or sb3-contrib: ``sb3:PATH``."""

from __future__ import annotations

from pathlib import Path

from kingmaker.agents.network import NetworkAgent, needs_torch
from kingmaker.envs.core.spec import GameSpec


class SB3Agent(NetworkAgent):
    """Plays a policy with fully connected layers, trained by MaskablePPO, PPO, A2C or DQN.

    Only MaskablePPO knows masks; the others answer as they would anywhere.
    """

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
            raise needs_torch(name, error) from error
        policy = load_sb3_policy(Path(path), spec, num_players)
        # DQN's outputs are values, not logits: there is no distribution to draw from.
        sample = sample and policy.family.logits
        return cls(spec, num_players, name, policy.network, seed, masked=policy.family.masked, sample=sample)
