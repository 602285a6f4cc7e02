"""Plain PPO, which knows no masks, on one seat of a game.

Run with ``python -m kingmaker.training.examples.plain_sb3``. With ``illegal_action="end"`` (the default) an
illegal action ends the episode with a reward of -1, so the algorithm can learn what is legal as it learns
everything else; ``info["reason"]`` tells such ends from others. MaskablePPO (``maskable_sb3.py``) need not
learn it, and should be preferred.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3 import PPO

import kingmaker.envs  # noqa: F401 - registers the games
from kingmaker.envs.core.loops import REASON_ILLEGAL


def illegal_share(model: PPO, env: gymnasium.Env, episodes: int = 200) -> float:
    """Return the share of episodes that end by an illegal action."""
    illegal = 0
    for seed in range(episodes):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            action, _ = model.predict(observation, deterministic=True)
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        illegal += info["reason"] == REASON_ILLEGAL
    return illegal / episodes


def repaired(model: PPO, observation: np.ndarray, action_mask: np.ndarray) -> int:
    """Return the most probable legal action, for playing with a model that has not learned them all."""
    distribution: Any = model.policy.get_distribution(model.policy.obs_to_tensor(observation)[0])
    probabilities = distribution.distribution.probs[0].detach().numpy()
    return int(np.where(action_mask, probabilities, -1.0).argmax())


def main(decisions: int = 20_000, episodes: int = 200) -> tuple[float, float]:
    """Train for ``decisions``; return the shares of episodes ended illegally before and after."""
    env = gymnasium.make("kingmaker/Krig-v0", opponents="random")
    model = PPO("MlpPolicy", env, n_steps=256, seed=1, device="cpu")
    before = illegal_share(model, env, episodes)
    model.learn(decisions)
    after = illegal_share(model, env, episodes)

    # Played so, no episode ends illegally.
    observation, info = env.reset(seed=1)
    over = False
    while not over:
        action = repaired(model, observation, info["action_mask"])
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert info["reason"] != REASON_ILLEGAL
    return before, after


if __name__ == "__main__":
    first, last = main()
    print(f"episodes ended by an illegal action: {first:.0%} untrained, {last:.0%} trained")
