"""What ``kingmaker solve`` and ``kingmaker exploitability`` tell, as plain data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.agents.exact.behaviour import Behaviour
from kingmaker.agents.exact.exploit import Outcome, best_response
from kingmaker.agents.exact.solver import MEMORY_LIMIT, THREADS, Progress, Solution, match_value
from kingmaker.agents.exact.store import find_solution
from kingmaker.agents.exact.study import GivenAway, Shares, given_away, shares, single_game
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.spec import GameSpec

_SHORT_OF = (0, 1, 2)  # hit points that the seat that goes first starts short of, in the usual starts


@dataclass(frozen=True)
class Start:
    """A way to start a game: what it is worth to the seat that goes first, and how it opens."""

    first: int  # hit points of the seat that goes first
    second: int
    tokens: int
    value: float
    openings: dict[str, float]  # action name to win probability

    @property
    def best(self) -> str:
        """Name of the best opening."""
        return max(self.openings, key=lambda name: self.openings[name])


@dataclass(frozen=True)
class Report:
    """All that ``kingmaker solve`` prints."""

    spec: GameSpec
    options: dict[str, Any]
    starts: tuple[Start, ...]
    match: float | None  # value of the match to the seat that goes first in its first game
    shares: Shares
    solution: Solution
    peak_memory: int  # of this process, in bytes

    def content(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        return {
            "game": self.spec.id,
            "options": self.options,
            "starts": [
                {
                    "hit_points": [s.first, s.second],
                    "tokens": s.tokens,
                    "first_seat_wins": s.value,
                    "best_opening": s.best,
                    "openings": s.openings,
                }
                for s in self.starts
            ],
            "match_first_seat_wins": self.match,
            "right_action_share": {"everywhere": self.shares.everywhere, "in_play": self.shares.in_play},
            "decisions": {"everywhere": self.shares.decisions, "in_play": self.shares.met},
            "games": self.shares.games,
            "mean_turns": self.shares.length,
            "seconds": self.solution.seconds,
            "sweeps": self.solution.sweeps,
            "memory_bytes": self.solution.memory,
            "peak_memory_bytes": self.peak_memory,
        }


def make_report(
    spec: GameSpec,
    options: dict[str, Any],
    tables: Any,
    solution: Solution,
    *,
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> Report:
    """Return what there is to tell of a solved game.

    Args:
        spec: ``krig`` or ``krig_intervention``.
        options: rule options.
        tables: path of a data file in place of the game's own.
        solution: of the same game.
        games: games of perfect self-play.
        seed: of those games.
        progress: called with the share of the counting done.
    """
    record = spec.configure(options, tables)[0]
    full, handicap = solution.figures.hit_points, int(record[0]["handicap"])
    firsts = sorted({full - short for short in (*_SHORT_OF, handicap) if short < full}, reverse=True)
    starts = tuple(
        _start(spec, options, tables, solution, first, full, t)
        for t in range(solution.figures.tokens + 1)
        for first in firsts
    )
    count = int(record[0]["games"])
    match = match_value(solution.start(full - handicap, full), count) if count > 1 else None
    counted = shares(spec, options, record, solution, games=games, seed=seed, path=tables, progress=progress)
    return Report(spec, options, starts, match, counted, solution, peak_memory())


def _start(
    spec: GameSpec, options: dict[str, Any], tables: Any, solution: Solution, first: int, second: int, t: int
) -> Start:
    game = Game(spec, seed=0, options=single_game(spec, options), tables=tables)
    seat = game.actor
    for who, points in ((seat, first), (1 - seat, second)):
        game.state.seats[who].hit_points = points
        game.state.seats[who].tokens = t
    values = solution.action_values(game.observe()[None], spec.num_actions)[0]
    openings = {spec.actions[a].name: float(values[a]) for a in np.flatnonzero(~np.isnan(values))}
    return Start(first, second, t, solution.start(first, second, t), openings)


@dataclass(frozen=True)
class Measure:
    """All that ``kingmaker exploitability`` prints."""

    spec: GameSpec
    options: dict[str, Any]
    agent: str
    value: float  # win probability of the seat that goes first under perfect play
    response: Outcome
    given: GivenAway

    @property
    def exploitability(self) -> float:
        """Win probability lost against a best response, on average over who goes first."""
        return self.response.exploitability(self.value)

    def content(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        return {
            "game": self.spec.id,
            "options": self.options,
            "agent": self.agent,
            "exploitability": self.exploitability,
            "agent_first": {
                "game_value": self.value,
                "against_best_response": 1.0 - self.response.second,
                "lost": self.value - (1.0 - self.response.second),
            },
            "agent_second": {
                "game_value": 1.0 - self.value,
                "against_best_response": 1.0 - self.response.first,
                "lost": self.response.first - self.value,
            },
            "given_away_per_decision": self.given.mean,
            "given_away_standard_error": self.given.error,
            "given_away_per_game": self.given.per_game,
            "self_play": {"games": self.given.games, "decisions": self.given.decisions},
            "decisions_asked": self.response.decisions,
            "seconds": self.response.seconds,
        }


def measure(
    spec: GameSpec,
    options: dict[str, Any],
    tables: Any,
    agent: str | Agent,
    *,
    sample: bool = False,
    games: int = 20_000,
    seed: int = 0,
    threads: int = THREADS,
    limit: int = MEMORY_LIMIT,
    progress: Callable[[str], Callable[[], Progress]] | None = None,
) -> Measure:
    """Measure an agent against perfect play, in a single game.

    Args:
        spec: ``krig`` or ``krig_intervention``.
        options: rule options.
        tables: path of a data file in place of the game's own.
        agent: an agent, or its name.
        sample: whether to take a learned policy's distribution in place of its most likely action.
        games: games of self-play.
        seed: of those games and of the agent.
        threads: threads to compute with.
        limit: bytes that may be used.
        progress: from the name of a job to what starts its bar.

    Raises:
        AgentError: if the agent cannot be loaded or told, or the game takes too much memory.
    """
    record = spec.configure(single_game(spec, options), tables)[0]
    player = load_agent(agent, spec, seed=seed, tables=record)
    solution = find_solution(
        record, threads=threads, limit=limit, progress=progress("Solving") if progress else None
    )
    behaviour = Behaviour(player, sample=sample)
    response = best_response(
        spec, record, behaviour, threads=threads, limit=limit,
        progress=progress("Best response")() if progress else None,
    )  # fmt: skip
    given = given_away(spec, options, behaviour, solution, games=games, seed=seed, tables=tables)
    full = solution.figures.hit_points
    value = solution.start(full - int(record[0]["handicap"]), full)
    return Measure(spec, options, player.name, value, response, given)


def peak_memory() -> int:
    """Return the most memory that this process has held, in bytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
