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
from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.tape import FAULT_EXHAUSTED, FAULT_NONE
from kingmaker.envs.krig.observation import observe
from kingmaker.envs.krig.rules import apply

MAX_DRAWS = 16  # of one action: a charge may be followed by two charge attacks that nobody is asked about
STACK = 1024  # scripts waiting to be tried: draws times sides, with room to spare
SLOTS = 1 << 14  # distinct decisions that one action may lead to, with room to spare


@kernel
def slot_of(table, used, owners, seen, owner):
    """Return the slot of a view in a hash table, a new one if it is not there; -1 if the table is full."""
    mixed = owner + 1
    for i in range(seen.shape[0]):
        mixed = (mixed * 31 + int(seen[i] * 5040.0)) % 2147483629
    for step in range(table.shape[0]):
        at = (mixed + step) % table.shape[0]
        if used[at] == 0:
            table[at] = seen
            owners[at] = owner
            return at
        if owners[at] == owner and (table[at] == seen).all():
            return at
    return -1


@large_kernel
def enumerate_action(state, tables, action, branch, table, owners, chances, after):
    """Run every chance outcome of an action through the rules and add up what they lead to.

    Scripts grow by trial: one that ends too early tells the sides of the die it lacks, and the next longer
    scripts take its place.

    Args:
        state: records ``(1,)``, the game before.
        tables: records ``(1,)``.
        action: legal for the seat to move.
        branch: records ``(1,)``, scratch.
        table: float32 ``(SLOTS, F)``, filled with the views of the seats to move; zeros if the game is over.
        owners: int64 ``(SLOTS,)``, filled with the seats to move, or with -1 - winner.
        chances: float64 ``(SLOTS,)``, filled with the probability of each, 0 in unused slots.
        after: records ``(n,)``, filled with a game of each if there are ``SLOTS`` of them.

    Returns:
        The number of outcomes; -1 if there is no room for them.
    """
    scripts = np.zeros((STACK, MAX_DRAWS), np.int64)
    lengths = np.zeros(STACK, np.int64)
    shares = np.ones(STACK)
    seen = np.zeros(table.shape[1], np.float32)
    chances[:] = 0.0
    tape = tables[0].tape
    waiting = 1
    count = 0
    while waiting > 0:
        waiting -= 1
        length = lengths[waiting]
        share = shares[waiting]
        branch[0] = state[0]
        tape.on = 1
        tape.scripted = 1
        tape.fault = FAULT_NONE
        tape.script_position = 0
        tape.script_length = length
        for i in range(length):
            tape.script[i] = scripts[waiting, i]
        apply(branch[0], tables[0], action)
        tape.on = 0
        tape.scripted = 0
        if tape.fault == FAULT_EXHAUSTED:
            sides = tape.fault_sides
            if waiting + sides > STACK or length == MAX_DRAWS:
                return -1
            for face in range(sides):
                for i in range(length):
                    scripts[waiting, i] = tape.script[i]
                scripts[waiting, length] = face
                lengths[waiting] = length + 1
                shares[waiting] = share / sides
                waiting += 1
            continue
        seen[:] = 0.0
        if branch[0].over == RUNNING:
            owner = np.int64(branch[0].actor)
            observe(branch[0], tables[0], branch[0].actor, seen)
        else:
            owner = np.int64(-1 if branch[0].seats[0].wins > 0 else -2)
        at = slot_of(table, chances, owners, seen, owner)
        if at < 0:
            return -1
        chances[at] += share
        if after.shape[0] > at:
            after[at] = branch[0]
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
    branch = np.zeros(1, spec.state_dtype)
    table = np.zeros((SLOTS, agent.observation_size), np.float32)
    owners, chances = np.zeros(SLOTS, np.int64), np.zeros(SLOTS)
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
                    batch.states[i : i + 1],
                    batch.tables,
                    int(action),
                    branch,
                    table,
                    owners,
                    chances,
                    branch[:0],
                )
                if count < 0:
                    raise AssertionError("an action has more outcomes than there is room for")
                mean = _mean(agent, table, owners, chances, seat)
                largest = max(largest, abs(mean - float(values[action])))
                outcomes += count
                actions += 1
            checked += 1
        batch.step(batch.random_actions())
    return OneStep(checked, actions, outcomes, phases, largest)


def _mean(agent: ExactAgent, table: Any, owners: Any, chances: Any, seat: int) -> float:
    """Return the mean value of enumerated outcomes for ``seat``."""
    used = np.flatnonzero(chances)
    worth = (owners[used] == -1 - seat).astype(float)
    running = owners[used] >= 0
    if running.any():
        best = np.nanmax(agent.values(table[used[running]]), axis=1)
        worth[running] = np.where(owners[used[running]] == seat, best, 1.0 - best)
    return math.fsum(chances[used] * worth)


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
