"""PettingZoo classic: the agent-environment-cycle interface, bare and in its three usual wrappers.

A game is dropped as soon as the agent to move is finished. The steps with `None` that empty the list of
agents after the end are thus neither played nor counted, which favours PettingZoo by up to a tenth.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from random import Random

from .workload import BURST, Peer, Run, Workload, choose_one, repeat

GAMES = {
    "tictactoe": "tictactoe_v3",
    "connect_four": "connect_four_v3",
    "leduc_holdem": "leduc_holdem_v4",
    "texas_holdem": "texas_holdem_v4",
}
APIS = {"raw_env": "AEC, raw_env()", "env": "AEC, env(), 3 wrappers"}


def make(module: str, factory: str, seed: int) -> Run:
    """Builds one environment of `pettingzoo.classic`.

    Args:
        module: The game's module, such as `tictactoe_v3`.
        factory: `raw_env` or `env`.
        seed: Seeds the environment's chance and the moves.

    Returns:
        The function that plays.
    """
    env = getattr(import_module(f"pettingzoo.classic.{module}"), factory)()
    env.reset(seed=seed)
    draw = Random(seed).random

    def burst() -> int:
        played = 0
        while played < BURST:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(choose_one(observation["action_mask"], draw()))
            played += 1
        return played

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the games, each through both interfaces.

    Returns:
        Two workloads a game.
    """
    return [
        Workload("PettingZoo", game, api, "pettingzoo", partial(make, module, factory))
        for game, module in GAMES.items()
        for factory, api in APIS.items()
    ]


PEER = Peer("PettingZoo", "pettingzoo[classic]", ("pettingzoo", "pygame", "rlcard"), workloads)
