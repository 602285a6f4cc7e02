"""Catanatron: Catan with two and four players, each move drawn from the list of playable actions.

The distribution `catanatron` has no observation vector. `catanatron-gym` adds one, and action numbers; where
it is installed, a second workload reads both for the player to move. It asks for an old Gymnasium that
PettingZoo refuses, and works with the new one: install it with `pip install --no-deps catanatron-gym`.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from random import Random

from .workload import BURST, Peer, Run, Workload, repeat

PLAYERS = (2, 4)


def make(players: int, observed: bool, seed: int) -> Run:
    """Builds one game on the usual map; later games have maps of their own.

    Args:
        players: 2 or 4.
        observed: Whether the features and the numbers of the playable actions are read before each move.
        seed: Seeds the maps, the dice and the moves.

    Returns:
        The function that plays.
    """
    from catanatron.game import TURNS_LIMIT, Game
    from catanatron.models.player import Color, Player

    seats = [Player(color) for color in list(Color)[:players]]
    if observed:
        from catanatron_gym.envs.catanatron_env import to_action_space
        from catanatron_gym.features import create_sample_vector, get_feature_ordering

        features = get_feature_ordering(players)
    draw = Random(seed).random
    # Catanatron draws dice from the global generator, which a seed here sets; 0 counts as no seed.
    game = Game(seats, seed=seed + 1)

    def burst() -> int:
        nonlocal game
        for _ in range(BURST):
            state = game.state
            playable = state.playable_actions
            if observed:
                create_sample_vector(game, state.current_color(), features)
                list(map(to_action_space, playable))
            game.execute(playable[int(draw() * len(playable))], validate_action=False)
            if game.winning_color() is not None or state.num_turns >= TURNS_LIMIT:
                game = Game(seats)
        return BURST

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the game at two and four players, with observations where `catanatron-gym` is installed.

    Returns:
        Two or four workloads.
    """
    apis = {"Game.execute, no observation": False}
    if find_spec("catanatron_gym") is not None:
        apis["Game.execute + catanatron_gym features"] = True
    return [
        Workload(
            "Catanatron", f"Catan, {players} players", api, "catanatron", partial(make, players, observed)
        )
        for api, observed in apis.items()
        for players in PLAYERS
    ]


PEER = Peer("Catanatron", "catanatron", ("catanatron",), workloads)
