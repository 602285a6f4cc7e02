"""Training: self-play PPO in torch (``training.ppo``) and SB3's MaskablePPO (``training.sb3``).

Nothing is imported from here: torch and SB3 load with the module that needs them.
"""
