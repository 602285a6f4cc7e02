"""The searching agent on whole games: strength, honesty, determinism, interfaces."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from kingmaker.agents.base import Agent
from kingmaker.agents.exact.agent import ExactAgent
from kingmaker.agents.ismcts.agent import ISMCTSAgent
from kingmaker.agents.ismcts.driver import Advice
from kingmaker.agents.loader import load_agent
from kingmaker.benchmarks.playing import play_out
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.seat_games import SeatGames
from kingmaker.envs.core.spec import GameSpec

SMALL = {"hit_points": 4}
compiled_only = pytest.mark.compiled_only


def searcher(name: str, game: str, num_players: int | None = None, seed: int = 1) -> ISMCTSAgent:
    agent = load_agent(f"ismcts:{name}", game, num_players, seed=seed)
    assert isinstance(agent, ISMCTSAgent)
    return agent


def same(one: Advice, other: Advice) -> bool:
    return one.visits.tolist() == other.visits.tolist()


def middle(game: str, num_players: int, moves: int, seed: int = 3) -> Game:
    """Return a game after so many random moves."""
    found = Game(game, num_players, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        found.apply(int(rng.choice(found.legal_actions())))
    return found


# --- strength -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def positions() -> tuple[list[Game], np.ndarray]:
    """Positions of a small game of Krig, and the exact return of every action in them."""
    spec = get_spec("krig")
    batch = BatchGames(spec, 100, seed=5, options=SMALL)
    for _ in range(5):
        batch.step(batch.random_actions())
    exact = ExactAgent(spec, 2, tables=spec.configure(SMALL)[0])
    return [batch.game(i) for i in range(100)], 2 * exact.values(batch.observations) - 1


@compiled_only
@pytest.mark.parametrize("settings", ["", ",playout=heuristic", ",widening=1", ",threads=2"])
def test_it_comes_closer_to_perfect_play_with_more_simulations(positions: Any, settings: str) -> None:
    games, values = positions
    lost = []
    for budget in (10, 200, 4000):
        advice = searcher(f"{budget}{settings}", "krig").advise(games)
        chosen = [row.action for row in advice]
        lost.append((np.nanmax(values, axis=1) - values[np.arange(100), chosen]).mean())
    assert lost[0] > lost[1] > lost[2]
    assert lost[2] < 0.01


@compiled_only
def test_action_values_converge_to_the_exact_ones(positions: Any) -> None:
    games, values = positions
    for game, exact in zip(games[:20], values, strict=False):
        advice = searcher("30000", "krig").advise([game])[0]
        assert advice.values[advice.action] == pytest.approx(exact[advice.action], abs=0.04)


def wins(agents: list[Agent], game: str, games: int, **options: int) -> float:
    """Return the first agent's share of wins, half of the games in each of two seats."""
    batch = BatchGames(game, games, seed=6, options=options, autoreset=False)
    seats = np.array([[0, 1], [1, 0]] * (games // 2))
    play_out(batch, agents, seats, np.random.default_rng(0))
    won = (batch.ranks == 0) / (batch.ranks == 0).sum(axis=1, keepdims=True)
    return float((won * (seats == 0)).sum(axis=1).mean())


@compiled_only
@pytest.mark.parametrize("other", ["random", "heuristic"])
def test_it_beats_the_others_at_krig(other: str) -> None:
    """Perfect play wins 65 % against the heuristic in games as small as this."""
    assert wins([searcher("500", "krig"), load_agent(other, "krig")], "krig", 1000, **SMALL) > 0.6


@compiled_only
def test_it_beats_random_at_kingsburg() -> None:
    pair = [searcher("50", "kingsburg"), load_agent("random", "kingsburg")]
    assert wins(pair, "kingsburg", 30) > 0.9


# --- honesty ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", ["", ",playout=heuristic,cut=8", ",observer=actor"])
@pytest.mark.parametrize(("name", "seats", "moves"), [("krig", 2, 4), ("kingsburg", 2, 9)])
def test_it_sees_neither_the_future_nor_what_is_hidden(
    name: str, seats: int, moves: int, settings: str
) -> None:
    """Its advice is the same, simulation by simulation, whatever the real game has in store."""
    game = middle(name, seats, moves)
    advice = [
        searcher(f"12{settings}", name, seats).advise([other])[0]
        for other in (game, *(game.redealt(game.actor, seed) for seed in (1, 2, 3)))
    ]
    assert all(same(one, advice[0]) for one in advice[1:])


def test_another_seed_gives_another_search() -> None:
    game = middle("krig", 2, 4)
    first, second = (searcher("60", "krig", seed=seed).advise([game])[0] for seed in (1, 2))
    assert not same(first, second)


def test_the_game_and_its_journal_stay_as_they_are() -> None:
    game = middle("kingsburg", 2, 5)
    game.record()
    game.apply(game.legal_actions()[0])
    before, events = game.save(), game.journal()
    searcher("5", "kingsburg").advise([game])
    assert (game.save(), game.journal()) == (before, events)


# --- determinism --------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", ["", ",threads=3"])
def test_equal_seeds_give_equal_advice(settings: str) -> None:
    game = middle("krig", 2, 3)
    agents = [searcher(f"31{settings}", "krig") for _ in range(2)]
    assert same(*(agent.advise([game])[0] for agent in agents))
    assert agents[0].advise([game])[0].simulations == 31
    again = [agents[0], agents[1]]
    for agent in again:
        agent.seed(9)
    assert same(*(agent.advise([game])[0] for agent in again))


def test_rows_of_a_batch_do_not_influence_each_other() -> None:
    games = [middle("krig", 2, moves) for moves in (1, 3, 5)]
    together = searcher("20", "krig").advise(games)
    other = searcher("20", "krig").advise([games[0], games[0], games[2]])
    assert [same(*pair) for pair in zip(together, other, strict=True)] == [True, False, True]


@compiled_only
def test_a_budget_in_seconds() -> None:
    agent = searcher("0.1s,threads=2", "krig")
    agent.advise([Game("krig", seed=1)])
    begin = time.perf_counter()
    advice = agent.advise([Game("krig", seed=1)])[0]
    assert 0.1 <= time.perf_counter() - begin < 5  # other work on the machine may delay it
    assert advice.simulations > 100


def test_a_small_arena_is_enough() -> None:
    advice = searcher("50,nodes=3", "krig").advise([middle("krig", 2, 2)])[0]
    assert advice.nodes == 3
    assert advice.simulations == 50


# --- interfaces ---------------------------------------------------------------------------------------


def test_it_needs_a_game_of_its_own_kind() -> None:
    agent, game = searcher("4", "krig"), Game("krig", seed=0)
    with pytest.raises(AgentError, match="it needs the game beside the observation"):
        agent.act(game.observe(), game.mask())
    with pytest.raises(AgentError, match="searches games of kingmaker/krig-v0 for 2 seats"):
        agent.advise([Game("kingsburg", seed=0)])
    game = middle("krig", 2, 1)
    while not game.over:
        game.apply(game.legal_actions()[0])
    with pytest.raises(AgentError, match="a game that is over"):
        agent.advise([game])


def test_it_answers_like_every_agent() -> None:
    agent, game = searcher("8", "krig"), Game("krig", seed=0)
    action = agent.act(game.observe(), game.mask(), game.actor, game.redealt(game.actor, 5))
    assert action in game.legal_actions()


def test_it_plays_as_an_opponent() -> None:
    games = SeatGames("krig", 2, opponents=["ismcts:4"], seed=0, options=SMALL)
    games.reset()
    for _ in range(3):
        running = np.flatnonzero(games.reasons == 0)
        games.step(games.masks[running].argmax(axis=1), running)


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("settings", ["", ",playout=heuristic,cut=6", ",reward=placement", ",reward=score"])
def test_more_seats(seats: int, settings: str) -> None:
    game = middle("kingsburg", seats, 12)
    advice = searcher(f"3{settings}", "kingsburg", seats).advise([game])[0]
    assert advice.action in game.legal_actions()
    assert np.nanmax(np.abs(advice.values)) <= 1


@pytest.mark.parametrize("spec", all_specs("kingmaker"), ids=lambda spec: spec.name)
def test_every_game(spec: GameSpec) -> None:
    for num_players in spec.seats:
        game = middle(spec.name, num_players, 4)
        advice = searcher("3,playout=heuristic,cut=5", spec.name, num_players).advise([game])[0]
        assert advice.action in game.legal_actions()
        assert advice.visits.sum() >= 3
