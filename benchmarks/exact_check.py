"""Holds the solution of Krig against the game's own kernels; ``python -m kingmaker.benchmarks.exact_check``.

Two checks, neither of which uses the solver's telling of the rules:

* *one step*: at decisions met in random play, every action's chance outcomes are enumerated by scripts and
  run through the compiled rules; the mean of the values of the decisions they lead to must be the action's
  value, and the best action's value the decision's;
* *play*: games between two exact agents are won by the seat that goes first as often as was computed.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.agents.exact.agent import ExactAgent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.contract import RUNNING
from kingmaker.envs.core.kernel import large_kernel
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.tape import FAULT_EXHAUSTED, FAULT_NONE
from kingmaker.envs.krig.observation import observe
from kingmaker.envs.krig.rules import apply

MAX_DRAWS = 4  # dice of one action: agility, attack, defence


@large_kernel
def enumerate_action(state, tables, action, branches, chances, observations, winners):
    """Run every chance outcome of an action through the rules.

    Scripts grow by trial: one that ends too early tells the sides of the die it lacks, and the next longer
    scripts take its place.

    Args:
        state: records ``(1,)``, the game before.
        tables: records ``(1,)``.
        action: legal for the seat to move.
        branches: records ``(n,)``, filled with the games after.
        chances: float64 ``(n,)``, filled with their probabilities.
        observations: float32 ``(n, F)``, filled with what the seats to move then see.
        winners: int64 ``(n,)``, filled with the winner of the single game, or -1.

    Returns:
        The number of outcomes; -1 if ``n`` is too small.
    """
    scripts = np.zeros((branches.shape[0], MAX_DRAWS), np.int64)
    lengths = np.zeros(branches.shape[0], np.int64)
    shares = np.ones(branches.shape[0])
    tape = tables[0].tape
    waiting = 1
    count = 0
    while waiting > 0:
        waiting -= 1
        script = scripts[waiting].copy()
        length = lengths[waiting]
        share = shares[waiting]
        if count >= branches.shape[0]:
            return -1
        branches[count] = state[0]
        tape.on = 1
        tape.scripted = 1
        tape.fault = FAULT_NONE
        tape.script_position = 0
        tape.script_length = length
        for i in range(length):
            tape.script[i] = script[i]
        apply(branches[count], tables[0], action)
        tape.on = 0
        tape.scripted = 0
        if tape.fault == FAULT_EXHAUSTED:
            sides = tape.fault_sides
            if waiting + sides > branches.shape[0]:
                return -1
            for face in range(sides):
                scripts[waiting] = script
                scripts[waiting, length] = face
                lengths[waiting] = length + 1
                shares[waiting] = share / sides
                waiting += 1
            continue
        chances[count] = share
        winners[count] = -1
        if branches[count].over == RUNNING:
            observe(branches[count], tables[0], branches[count].actor, observations[count])
        else:
            winners[count] = 0 if branches[count].seats[0].wins > 0 else 1
        count += 1
    return count


@dataclass(frozen=True)
class OneStep:
    """What the check of single steps found."""

    decisions: int
    actions: int
    outcomes: int
    phases: dict[str, int]
    largest: float  # difference between an action's value and the mean over its outcomes


def check_steps(
    name: str, decisions: int, *, options: Mapping[str, Any] | None = None, seed: int = 0, games: int = 64
) -> OneStep:
    """Check the values of actions at decisions drawn from random play.

    Args:
        name: ``krig`` or ``krig_intervention``; the expansion is played as a single game.
        decisions: how many decisions to check.
        options: rule options.
        seed: of the random play and of the choice of decisions.
        games: games played side by side.
    """
    spec = get_spec(name)
    given = dict(options or {})
    if any(option.name == "games" for option in spec.options):
        given["games"] = 1
    batch = BatchGames(spec, games, seed=seed, options=given)
    agent = ExactAgent(spec, 2, "exact", batch.tables)
    dice = batch.tables["dice"][0]
    room = 1 + int(dice["agility"]) * int(dice["attack"]) * int(dice["defence"])
    branches = np.zeros(room, spec.state_dtype)
    chances, winners = np.zeros(room), np.zeros(room, np.int64)
    observations = np.zeros((room, agent.observation_size), np.float32)
    rng = np.random.default_rng(seed)
    phases = {phase.name: 0 for phase in spec.phases}
    checked = actions = outcomes = 0
    largest = 0.0
    while checked < decisions:
        for i in np.flatnonzero(rng.random(games) < 0.2)[: decisions - checked]:
            values = agent.values(batch.observations[i : i + 1])[0]
            if not np.array_equal(~np.isnan(values), batch.masks[i] != 0):
                raise AssertionError(f"legal actions differ: {values} and {batch.masks[i]}")
            seat = int(batch.actors[i])
            phases[spec.phases[int(batch.states["phase"][i])].name] += 1
            for action in np.flatnonzero(batch.masks[i]):
                count = enumerate_action(
                    batch.states[i : i + 1], batch.tables, int(action), branches, chances, observations, winners
                )
                mean = _mean(agent, branches[:count], chances, observations, winners, seat)
                largest = max(largest, abs(mean - float(values[action])))
                outcomes += count
                actions += 1
            checked += 1
        batch.step(batch.random_actions())
    return OneStep(checked, actions, outcomes, phases, largest)


def _mean(agent: ExactAgent, branches: Any, chances: Any, observations: Any, winners: Any, seat: int) -> float:
    """Return the mean value of enumerated outcomes for ``seat``."""
    count = len(branches)
    running = winners[:count] < 0
    worth = (winners[:count] == seat).astype(float)
    if running.any():
        best = np.nanmax(agent.values(observations[:count][running]), axis=1)
        mine = branches["actor"][running] == seat
        worth[running] = np.where(mine, best, 1.0 - best)
    return math.fsum(chances[:count] * worth)


@dataclass(frozen=True)
class Played:
    """How often the seat that goes first won."""

    games: int
    rate: float
    computed: float
    error: float  # standard error of ``rate``
    by_seat: dict[int, tuple[int, float]]  # seat that went first: games, rate

    @property
    def deviation(self) -> float:
        """Return the difference from the computed value in standard errors."""
        return (self.rate - self.computed) / self.error


def check_play(
    name: str, games: int, *, options: Mapping[str, Any] | None = None, seed: int = 0, width: int = 4096
) -> Played:
    """Play single games between exact agents.

    Args:
        name: ``krig`` or ``krig_intervention``.
        games: games in which each seat goes first.
        options: rule options.
        seed: of the games.
        width: games played side by side.
    """
    spec = get_spec(name)
    given = dict(options or {})
    if any(option.name == "games" for option in spec.options):
        given["games"] = 1
    wins, played = np.zeros(2, np.int64), np.zeros(2, np.int64)
    batch = BatchGames(spec, width, seed=seed, options=given, autoreset=False)
    agent = ExactAgent(spec, 2, "exact", batch.tables)
    actions = np.zeros(width, np.int64)
    while played.min() < games:
        while True:
            running = np.flatnonzero(batch.actors >= 0)
            if not len(running):
                break
            actions[running] = agent.act_batch(batch.observations[running], batch.masks[running])
            batch.step(actions)
        if batch.truncated.any():
            raise AssertionError("a game reached the limit of turns")
        first = batch.states["first"].astype(np.int64)
        won = batch.ranks[np.arange(width), first] == 0
        for seat in range(2):
            take = np.flatnonzero(first == seat)[: games - played[seat]]
            played[seat] += len(take)
            wins[seat] += won[take].sum()
        batch.reset()
    record = batch.tables[0]
    start = int(record["hit_points"])
    computed = agent.solution.start(start - int(record["handicap"]), start)
    total, rate = int(played.sum()), float(wins.sum() / played.sum())
    by_seat = {seat: (int(played[seat]), float(wins[seat] / played[seat])) for seat in range(2)}
    return Played(total, rate, computed, math.sqrt(computed * (1 - computed) / total), by_seat)


def main() -> None:
    """Run both checks and print what they found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=int, default=20_000, help="decisions to check by enumeration")
    parser.add_argument("--games", type=int, default=200_000, help="games in which each seat goes first")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    for name in ("krig", "krig_intervention"):
        step = check_steps(name, chosen.decisions, seed=chosen.seed)
        print(
            f"{name}: {step.decisions} decisions {step.phases}, {step.actions} actions, {step.outcomes} "
            f"outcomes: largest difference {step.largest:.1e}",
            flush=True,
        )
        play = check_play(name, chosen.games, seed=chosen.seed)
        print(
            f"{name}: {play.games} games, first seat won {play.rate:.5f}, computed {play.computed:.5f}, "
            f"95% interval +-{1.96 * play.error:.5f}, {play.deviation:+.2f} standard errors; "
            f"by seat going first {play.by_seat}",
            flush=True,
        )


if __name__ == "__main__":
    import kingmaker.envs  # noqa: F401 - registers the games

    main()
