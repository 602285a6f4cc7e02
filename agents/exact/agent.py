"""The agent that plays Krig perfectly: ``exact``."""

from __future__ import annotations

from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.agents.exact.decisions import decision_work, first_best
from kingmaker.agents.exact.solver import Solution
from kingmaker.agents.exact.store import find_solution
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec

SOLVED = ("krig", "krig_intervention")


class ExactAgent(Agent):
    """Plays the action with the highest probability of winning the game against perfect play.

    Of actions that are equally good (within ``decisions.TIE``) it takes the first of the action table, so it
    always answers alike. It needs nothing but the observation.

    In a match it plays each game to win that game, which is perfect play of the match too. Nothing carries
    over between games (KR-50), and who goes first in the next one depends on a roll-off or on who went first
    before, never on who won or how (KR-53). So a game touches the rest of the match by its winner alone, and
    from any score the seat that wins it stands at least as well as if it had lost it: the chance of the match
    rises with the chance of the game.

    Args:
        spec: ``krig`` or ``krig_intervention``.
        num_players: seats in play.
        name: how tables and logs call it.
        tables: the game's tables array; the game's own by default.
        solution: a solution to play by; found in the cache, or solved now, by default.

    Raises:
        AgentError: for another game, or one that takes too much memory to solve.
    """

    def __init__(
        self,
        spec: GameSpec,
        num_players: int,
        name: str = "exact",
        tables: Any = None,
        solution: Solution | None = None,
    ) -> None:
        super().__init__(spec, num_players, name)
        check_solvable(spec)
        self.solution = solution or find_solution(spec.configure({})[0] if tables is None else tables)
        self._work = decision_work(self.solution.figures)

    def values(self, observations: np.ndarray) -> np.ndarray:
        """Return each action's win probability, float64 ``(n, A)``, NaN where illegal."""
        return self.solution.action_values(observations, self.spec.num_actions, self._work)

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        actions = np.zeros(len(observations), np.int64)
        first_best(self.values(observations), actions, np.empty(len(observations)))
        return actions

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """Return 1 for the action it takes and 0 for the others, float64 ``(n, A)``."""
        actions = self._choose(observations, action_masks, None, None)
        return np.eye(self.spec.num_actions)[actions]


def check_solvable(spec: GameSpec) -> None:
    """Raise ``AgentError`` if ``spec`` is no game that is solved here."""
    if spec.name not in SOLVED:
        raise AgentError(f"exact plays {' and '.join(SOLVED)}; {spec.name} is not solved")
