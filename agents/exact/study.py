"""What perfect play looks like, and what other play gives away: figures over all decisions and over play.

``win probability given away`` at a decision is the value of the best action less the mean value of the
actions that the agent plays there, both with perfect play of both seats from then on. Its mean is taken
over the decisions of games that the agent plays against itself from the usual start. It measures the
quality of single decisions, where exploitability measures what a patient opponent makes of the worst of
them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.agents.exact.behaviour import Behaviour
from kingmaker.agents.exact.decisions import TIE
from kingmaker.agents.exact.layout import attack_positions
from kingmaker.agents.exact.solver import Progress, Solution
from kingmaker.agents.exact.views import Views, show_all
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.kernel import large_kernel
from kingmaker.envs.core.spec import GameSpec

_WIDTH = 2048  # games played side by side


def single_game(spec: GameSpec, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options under which a match is a single game."""
    has_match = any(option.name == "games" for option in spec.options)
    return {**options, "games": 1} if has_match else dict(options)


@dataclass(frozen=True)
class GivenAway:
    """Win probability given away in self-play.

    Attributes:
        mean: per decision.
        error: standard error of ``mean``, from games as independent units.
        per_game: per game, both seats together.
        decisions: decisions seen.
        games: games played.
    """

    mean: float
    error: float
    per_game: float
    decisions: int
    games: int


def given_away(
    spec: GameSpec,
    options: dict[str, Any],
    behaviour: Behaviour,
    solution: Solution,
    *,
    games: int = 20_000,
    seed: int = 0,
    tables: Any = None,
) -> GivenAway:
    """Let an agent play itself and add up what its decisions give away.

    Args:
        spec: ``krig`` or ``krig_intervention``; the expansion is played as a single game.
        options: rule options.
        behaviour: of the agent; its actions are drawn from it.
        solution: of the same game.
        games: games to play.
        seed: of the games.
        tables: path of a data file in place of the game's own.
    """
    totals, counts = [], []
    rng = np.random.default_rng(seed)
    for batch, running, lost, count in _self_play(spec, options, games, seed, tables):
        observations, masks = batch.observations[running], batch.masks[running]
        chances = behaviour.chances(observations, masks)
        values = solution.action_values(observations, spec.num_actions)
        lost[running] += np.nanmax(values, axis=1) - np.nansum(chances * values, axis=1)
        count[running] += 1
        batch.step(_drawn(chances, running, rng, batch.num_games))
        if (batch.actors < 0).all():
            totals.append(lost.copy())
            counts.append(count.copy())
    total, count = np.concatenate(totals), np.concatenate(counts)
    mean = float(total.sum() / count.sum())
    spread = total - mean * count
    error = math.sqrt(float((spread**2).sum())) / float(count.sum())
    return GivenAway(mean, error, float(total.mean()), int(count.sum()), len(total))


def _self_play(spec: GameSpec, options: dict[str, Any], games: int, seed: int, tables: Any) -> Iterator[Any]:
    """Yield the batch, its running games and two arrays to add to, before every step of all games."""
    width = min(games, _WIDTH)
    batch = BatchGames(
        spec, width, seed=seed, options=single_game(spec, options), tables=tables, autoreset=False
    )
    for start in range(0, games, width):
        if start:
            batch.reset()
        lost, count = np.zeros(width), np.zeros(width, np.int64)
        while True:
            running = np.flatnonzero(batch.actors >= 0)
            if not len(running):
                break
            yield batch, running, lost, count


def _drawn(chances: np.ndarray, running: np.ndarray, rng: Any, width: int) -> np.ndarray:
    """Return an action for every game of a batch, drawn from its probabilities where the game is running."""
    actions = np.zeros(width, np.int64)
    edges = chances.cumsum(axis=1)
    draws = rng.random((len(running), 1)) * edges[:, -1:]
    actions[running] = (draws >= edges).sum(axis=1)
    return actions


@dataclass(frozen=True)
class Shares:
    """How often each action is right.

    Attributes:
        everywhere: action name to the share of decisions of its phase at which it is the best action, over
            every decision that the rules allow; equally good actions share.
        in_play: action name to the share of decisions of its phase at which perfect play against itself
            takes it.
        decisions: phase to decisions everywhere.
        met: phase to decisions met in play.
        length: mean turns of a game.
        games: games played.
    """

    everywhere: dict[str, float]
    in_play: dict[str, float]
    decisions: dict[str, int]
    met: dict[str, int]
    length: float
    games: int


def shares(
    spec: GameSpec,
    options: dict[str, Any],
    tables: Any,
    solution: Solution,
    *,
    games: int = 20_000,
    seed: int = 0,
    path: Any = None,
    progress: Progress | None = None,
) -> Shares:
    """Count how often each action is right, over all decisions and in perfect play against itself.

    Args:
        spec: ``krig`` or ``krig_intervention``.
        options: rule options.
        tables: the game's tables array.
        solution: of the same game.
        games: games to play.
        seed: of the games.
        path: of the data file that ``tables`` came from, if it is not the game's own.
        progress: called with the share done, now and then.
    """
    best = np.zeros(spec.num_actions)
    for share, values in _all_values(spec, tables, solution):
        count_best(values, best)
        if progress is not None:
            progress(share)
    played: Counter[int] = Counter()
    turns = total = 0
    for batch, running, _, _ in _self_play(spec, options, games, seed, path):
        values = solution.action_values(batch.observations[running], spec.num_actions)
        actions = np.zeros(batch.num_games, np.int64)
        right = values >= np.nanmax(values, axis=1, keepdims=True) - TIE
        actions[running] = right.argmax(axis=1)
        played.update(actions[running].tolist())
        batch.step(actions)
        if (batch.actors < 0).all():
            turns += int(batch.states["turn"].sum())
            total += batch.num_games
    taken = np.array([played[action] for action in range(spec.num_actions)], float)
    phases = np.array([action.phase for action in spec.actions])
    names = [action.name for action in spec.actions]
    everywhere, in_play, decisions, met = {}, {}, {}, {}
    for phase in dict.fromkeys(phases.tolist()):
        rows = np.flatnonzero(phases == phase)
        decisions[phase], met[phase] = round(best[rows].sum()), int(taken[rows].sum())
        for row in rows:
            everywhere[names[row]] = float(best[row] / max(best[rows].sum(), 1))
            in_play[names[row]] = float(taken[row] / max(taken[rows].sum(), 1))
    return Shares(everywhere, in_play, decisions, met, turns / total, total)


@large_kernel
def count_best(values, best):
    """Add to ``best`` for every row 1, shared by the actions whose value is best."""
    for i in range(values.shape[0]):
        top = -1.0
        for action in range(values.shape[1]):
            if values[i, action] > top:
                top = values[i, action]
        ties = 0
        for action in range(values.shape[1]):
            ties += values[i, action] >= top - TIE
        for action in range(values.shape[1]):
            if values[i, action] >= top - TIE:
                best[action] += 1.0 / ties


def _all_values(spec: GameSpec, tables: Any, solution: Solution) -> Iterator[tuple[float, np.ndarray]]:
    """Yield the values of the actions at all decisions of a seat, with the share of positions done.

    Decisions that differ only in what perfect play never minds (``Figures.kept``) count as one.
    """
    fig = solution.figures
    rows = attack_positions(fig)
    most = Views(fig, rows).count(fig.tokens)
    seen = np.zeros((most, spec.observation_size(2)), np.float32)
    masks = np.zeros((most, spec.num_actions), np.int8)
    states = np.zeros(1, spec.state_dtype)
    full, t = fig.hit_points, fig.tokens + 1
    for done, (h0, h1, t0, t1) in enumerate(np.ndindex(full, full, t, t), 1):
        n = show_all(states, tables, fig, rows, h0 + 1, h1 + 1, t0, t1, seen, masks)
        yield done / (full * t) ** 2, solution.action_values(seen[:n], spec.num_actions)
