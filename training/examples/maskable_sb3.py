"""MaskablePPO on one seat of a game, with nothing of kingmaker but the environment.

Run with ``python -m kingmaker.training.examples.maskable_sb3``. sb3-contrib finds the environment's
``action_masks()`` through Gymnasium's wrappers by itself. For speed and self-play see
``kingmaker.training.sb3``.
"""

from __future__ import annotations

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor

import kingmaker.envs  # noqa: F401 - registers the games


def main(decisions: int = 20_000, games: int = 200) -> float:
    """Train for ``decisions``; return the mean reward (win 1, loss -1) over ``games`` games."""
    env = gymnasium.make("kingmaker/Krig-v0", opponents="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=1, device="cpu")
    model.learn(decisions)

    # The evaluation of sb3-contrib, since SB3's own never passes masks.
    judge = Monitor(gymnasium.make("kingmaker/Krig-v0", opponents="random", illegal_action="raise"))
    rewards, _ = evaluate_policy(model, judge, n_eval_episodes=games, return_episode_rewards=True)

    # The same by hand: without ``action_masks``, predict() may answer with an illegal action.
    observation, info = judge.reset(seed=1)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
        observation, _, terminated, truncated, info = judge.step(action)
        over = terminated or truncated
    return float(np.mean(rewards))


if __name__ == "__main__":
    print(f"mean reward against random: {main():+.3f}")
