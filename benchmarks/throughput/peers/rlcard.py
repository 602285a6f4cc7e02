"""RLCard: card games in Python; `Env.reset` and `Env.step` return the observation and the legal moves."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from .workload import BURST, Peer, Run, Workload, repeat

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "leduc-holdem": ("leduc-holdem", {}),
    "limit-holdem, 4 players": ("limit-holdem", {"game_num_players": 4}),
    "uno": ("uno", {}),
    "doudizhu, 3 players": ("doudizhu", {}),
}


def make(game: str, config: dict[str, Any], seed: int) -> Run:
    """Builds one environment.

    Args:
        game: The game's name in RLCard.
        config: Settings besides the seed.
        seed: Seeds the deals and the moves.

    Returns:
        The function that plays.
    """
    import rlcard

    env = rlcard.make(game, config={**config, "seed": seed})
    draw = Random(seed).random
    state, _ = env.reset()

    def burst() -> int:
        nonlocal state
        for _ in range(BURST):
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            if env.is_over():
                state, _ = env.reset()
        return BURST

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the games.

    Returns:
        One workload a game.
    """
    return [
        Workload("RLCard", name, "Env.step", "rlcard", partial(make, game, config))
        for name, (game, config) in GAMES.items()
    ]


PEER = Peer("RLCard", "rlcard", ("rlcard",), workloads)
