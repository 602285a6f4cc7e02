"""OpenSpiel: its C++ games, through the state interface with an observer, and through `rl_environment`.

Chance is played here too, as the interface leaves it to the caller: an outcome is drawn from
`chance_outcomes()`. Outcomes take time and are not counted, nor is a reset.
"""

from __future__ import annotations

from functools import partial
from random import Random

from .workload import BURST, Peer, Run, Workload, repeat

GAMES = {
    "catch, 1 player": "catch",
    "tic_tac_toe": "tic_tac_toe",
    "backgammon": "backgammon",
    "leduc_poker": "leduc_poker",
    "kuhn_poker, 3 players": "kuhn_poker(players=3)",
    "pig, 4 players": "pig(players=4)",
}
STEPPED_GAMES = {"tic_tac_toe": "tic_tac_toe", "backgammon": "backgammon"}


def draw_outcome(outcomes: list[tuple[int, float]], point: float) -> int:
    """Draws a chance outcome.

    Args:
        outcomes: The outcomes and their probabilities, which sum to 1.
        point: A number in [0, 1).

    Returns:
        The outcome at that point of the cumulated probabilities.
    """
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]


def make_state(game_string: str, seed: int) -> Run:
    """Builds one game for the state interface, with an observer that fills one array again and again.

    Args:
        game_string: The game and its parameters, as `pyspiel.load_game` takes them.
        seed: Seeds the chance outcomes and the moves.

    Returns:
        The function that plays.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(game_string)
    observe = make_observation(game).set_from
    draw = Random(seed).random
    state = game.new_initial_state()

    def burst() -> int:
        nonlocal state
        played = 0
        while played < BURST:
            player = state.current_player()
            if player >= 0:
                observe(state, player)
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                played += 1
            elif player == pyspiel.PlayerId.CHANCE:
                state.apply_action(draw_outcome(state.chance_outcomes(), draw()))
            else:
                state = game.new_initial_state()
        return played

    return partial(repeat, burst)


def make_stepped(game_string: str, seed: int) -> Run:
    """Builds one game for `rl_environment`, which plays chance itself and observes for every player.

    Args:
        game_string: The game and its parameters, as `pyspiel.load_game` takes them.
        seed: Seeds the chance outcomes and the moves.

    Returns:
        The function that plays.
    """
    import pyspiel
    from open_spiel.python import rl_environment

    sampler = rl_environment.ChanceEventSampler(seed=seed)
    environment = rl_environment.Environment(pyspiel.load_game(game_string), chance_event_sampler=sampler)
    draw = Random(seed).random
    step = environment.reset()

    def burst() -> int:
        nonlocal step
        played = 0
        while played < BURST:
            if step.last():
                step = environment.reset()
                continue
            observations = step.observations
            legal = observations["legal_actions"][observations["current_player"]]
            step = environment.step([legal[int(draw() * len(legal))]])
            played += 1
        return played

    return partial(repeat, burst)


def workloads() -> list[Workload]:
    """Lists the games through the state interface, and a few through `rl_environment`.

    Returns:
        One workload a game and interface.
    """
    stated = [
        Workload("OpenSpiel", name, "State + Observer", "open_spiel", partial(make_state, game))
        for name, game in GAMES.items()
    ]
    stepped = [
        Workload("OpenSpiel", name, "rl_environment", "open_spiel", partial(make_stepped, game))
        for name, game in STEPPED_GAMES.items()
    ]
    return stated + stepped


PEER = Peer("OpenSpiel", "open_spiel", ("pyspiel", "open_spiel"), workloads)
