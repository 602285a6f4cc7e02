"""Compiling a game ahead of need: every compiled loop runs once, through the interfaces that call it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from kingmaker.agents.basic import HeuristicAgent
from kingmaker.agents.exact.agent import ExactAgent
from kingmaker.agents.exact.behaviour import Behaviour
from kingmaker.agents.exact.exploit import value_against
from kingmaker.agents.exact.layout import figures_of
from kingmaker.agents.exact.solver import solve
from kingmaker.agents.exact.study import shares
from kingmaker.agents.ismcts.agent import ISMCTSAgent
from kingmaker.agents.ismcts.kernels.simulate import search
from kingmaker.envs.core.aec import make_aec_env
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.chance import CHANCE
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import ENTRIES, PURPOSE_AGENTS
from kingmaker.envs.core.one_seat import make_seat_env
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import GameSpec

_GAMES = 2
_TINY_RUN = (
    "stop={decisions=64}",
    "rollout={games=4, steps=8}",
    "evaluation.games=2",
    "tensorboard=false",
    "threads=1",
)


def warm(spec: GameSpec) -> int:
    """Compile all of a game's loops, or load them from the cache; return how many had to be compiled."""
    _run_batch(spec)
    _run_game(spec)
    _run_environments(spec)
    _run_search(spec)
    return sum(
        sum(dispatcher.stats.cache_misses.values())
        for dispatcher in (*(spec.entry(loop.__name__) for loop in ENTRIES), spec.entry(search))
        if hasattr(dispatcher, "stats")
    )


def _run_batch(spec: GameSpec) -> None:
    batch = BatchGames(spec, _GAMES, seed=0)
    agent = HeuristicAgent(spec, batch.num_players, "heuristic")
    batch.step(batch.random_actions())
    batch.step(agent.act_batch(batch.observations, batch.masks, batch.actors))
    batch.redeal(np.zeros(_GAMES, np.int64), np.zeros(_GAMES, np.int64))


def _run_game(spec: GameSpec) -> None:
    game = Game(spec, seed=0)
    game.apply(game.legal_actions()[0])
    game.observe()
    game = game.redealt(0, 0)
    streams = np.zeros(1, CHANCE)
    spec.entry("seed_streams")(streams, 0, 0, PURPOSE_AGENTS)
    spec.entry("game_heuristic")(game.states, game.tables, game.observe(), game.mask(), streams)
    while not game.over:
        game.apply(game.legal_actions()[0])
    game.results()


def _run_environments(spec: GameSpec) -> None:
    env = make_aec_env(spec)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    seat = make_seat_env(spec)
    _, info = seat.reset(seed=0)
    seat.step(int(np.flatnonzero(info["action_mask"])[0]))
    games = SeatGames(spec, _GAMES, seed=0)
    games.reset()
    while not games.reasons.all():
        running = np.flatnonzero(games.reasons == 0)
        games.step(games.masks[running].argmax(axis=1), running)


def _run_search(spec: GameSpec) -> None:
    ISMCTSAgent(spec, spec.seats[0], "ismcts", "1").advise([Game(spec, seed=0)])


def warm_solver(spec: GameSpec) -> None:
    """Compile what solves a game of Krig and measures agents against perfect play, on a tiny game."""
    options = {"hit_points": 2} if spec.name == "krig" else {"hit_points": 2, "handicap": 1, "tokens": 1}
    tables = spec.configure(options)[0]
    solution = solve(figures_of(tables), threads=1)
    perfect = ExactAgent(spec, 2, solution=solution, tables=tables)
    value_against(spec, tables, None, Behaviour(perfect), threads=1)
    shares(spec, options, tables, solution, games=_GAMES)


def warm_trainer() -> bool:
    """Compile the trainer's own loops, which serve all games; return whether the trainer is installed."""
    try:
        from kingmaker.training.ppo import load_config, train_ppo
    except ModuleNotFoundError:
        return False
    with TemporaryDirectory() as folder:
        train_ppo(load_config("krig", _TINY_RUN), Path(folder))
    return True
