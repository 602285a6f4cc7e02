"""Checks of hidden information: a seat's view, mask and advice depend on nothing that it cannot know."""

from __future__ import annotations

import numpy as np

from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import PURPOSE_AGENTS
from kingmaker.envs.testing.case import Case, stream

REDEALS = 3  # for each seat at each position
PUBLIC = ("moves", "actor", "choosing", "phase", "over", "num_players")


def check_leaks(case: Case) -> None:
    """Redealing for a seat leaves all that it sees, may do and is advised to do as it was."""
    varied = False
    for game, rng in case.positions(case.few):
        before = game.save()
        for seat in range(case.num_players):
            redealt = [game.redealt(seat, int(rng.integers(2**62))) for _ in range(REDEALS)]
            for other in redealt:
                _looks_alike(case, game, other, seat)
            varied = varied or len({_without_chance(other) for other in (game, *redealt)}) > 1
        case.expect(game.save() == before, "redealing a copy changes the game", game)
    open_game = case.spec.hidden.lower().startswith("nothing")
    case.expect(not (open_game and varied), "nothing is hidden, yet redealing changes more than chance")
    case.expect(
        open_game or varied, f"hidden is {case.spec.hidden!r}, yet redealing changes nothing but chance"
    )


def _looks_alike(case: Case, game: Game, other: Game, seat: int) -> None:
    for name in PUBLIC:
        case.expect(
            other.states[name] == game.states[name], f"redealing for seat {seat} changes {name!r}", game
        )
    case.holds(other)
    changed = np.flatnonzero(other.observe(seat) != game.observe(seat))
    slices = case.spec.slices(case.num_players).items()
    names = [name for name, at in slices if any(at.start <= i < at.stop for i in changed)]
    case.expect(not names, f"seat {seat} sees what it cannot know, in {', '.join(names)}", game)
    if seat != game.actor:
        return
    case.expect(
        np.array_equal(other.mask(), game.mask()), f"seat {seat}'s mask tells what it cannot know", game
    )
    advice = [heuristic_move(one, case.seed) for one in (game, other)]
    case.expect(advice[0] == advice[1], f"the heuristic knows more than seat {seat}", game)


def heuristic_move(game: Game, seed: int) -> int:
    """Return the heuristic agent's action for the seat to move, its ties broken from ``seed``."""
    own = stream(game.spec, seed, 0, PURPOSE_AGENTS)
    return int(game.spec.entry("game_heuristic")(game.states, game.tables, game.observe(), game.mask(), own))


def _without_chance(game: Game) -> bytes:
    states = game.states.copy()
    states["chance"] = np.zeros(1, CHANCE)
    return states.tobytes()


def check_future(case: Case) -> None:
    """A redealt game has another future, and the same one whatever the real future would have been."""
    for game, rng in case.positions(case.few):
        seed, other_seed = (int(s) for s in rng.integers(2**62, size=2))
        elsewhere = game.clone()
        elsewhere.states["chance"] = stream(case.spec, int(rng.integers(2**62)), 0, PURPOSE_AGENTS)
        for seat in range(case.num_players):
            redealt = game.redealt(seat, seed)
            chance = [
                one.states["chance"].tobytes() for one in (game, redealt, game.redealt(seat, other_seed))
            ]
            case.expect(chance[0] != chance[1], f"redealing for seat {seat} keeps the future", game)
            case.expect(chance[1] != chance[2], f"redealing for seat {seat} ignores its seed", game)
            same = elsewhere.redealt(seat, seed).save() == redealt.save()
            case.expect(same, f"what is redealt for seat {seat} depends on the real future", game)


def check_heuristic(case: Case) -> None:
    """The heuristic agent answers every choice with a legal action and plays games to their end."""
    for number in range(case.games):
        game = case.game(case.seed + number)
        while not game.over:
            action = heuristic_move(game, number + game.moves)
            legal = 0 <= action < case.spec.num_actions and game.mask()[action]
            case.expect(legal, f"the heuristic answers with the illegal action {action}", game)
            game.apply(action)
            case.expect(game.over or game.moves < case.longest, "the heuristic plays without end", game)
