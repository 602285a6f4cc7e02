"""The interface of every agent, whatever decides inside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from kingmaker.envs.core.checks import check_integers
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec


class Agent(ABC):
    """Decides for a seat from what that seat sees.

    Subclasses write ``_choose``; the public methods check every answer against the mask, so an illegal
    action is an error here and never a silent loss.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.

    Attributes:
        compiled: number of the compiled agent that plays alike inside the kernels
            (``kingmaker.envs.core.loops``), or ``None``; environments use it to skip Python.
        uses_games: whether ``_choose`` wants ``games``; callers may leave them out otherwise.
    """

    compiled: int | None = None
    uses_games = False

    def __init__(self, spec: GameSpec, num_players: int, name: str) -> None:
        self.spec = spec
        self.num_players = num_players
        self.name = name
        self.observation_size = spec.observation_size(num_players)

    def seed(self, seed: int) -> None:  # noqa: B027 - a deterministic agent has nothing to seed
        """Restart the agent's own randomness; ``seed`` in ``[0, 2**63)``."""

    @abstractmethod
    def _choose(
        self, observations: np.ndarray, action_masks: np.ndarray, seats: np.ndarray, games: Any
    ) -> np.ndarray:
        """Return an action for each row; int64 ``(n,)``."""

    def act(self, observation: Any, action_mask: Any, seat: int = 0, game: Any = None) -> int:
        """Decide once.

        Args:
            observation: float32 ``(F,)``, as ``seat`` sees it.
            action_mask: int8 or bool ``(A,)``, at least one legal action.
            seat: the seat decided for.
            game: for searching agents, a ``Game`` redealt for ``seat``.

        Raises:
            AgentError: if an argument does not fit or the answer is illegal.
        """
        games = None if game is None else [game]
        masks = None if action_mask is None else np.asarray(action_mask)[None]
        return int(self.act_batch(np.asarray(observation)[None], masks, [seat], games)[0])

    def act_batch(
        self, observations: Any, action_masks: Any, seats: Any = None, games: Any = None
    ) -> np.ndarray:
        """Decide for many games at once.

        Args:
            observations: float32 ``(n, F)``.
            action_masks: int8 or bool ``(n, A)``, at least one legal action in each row.
            seats: integers ``(n,)``; all 0 by default.
            games: for searching agents, ``n`` redealt games.

        Returns:
            int64 ``(n,)`` legal actions.

        Raises:
            AgentError: if an argument does not fit or an answer is illegal.
        """
        observations = np.ascontiguousarray(observations, np.float32)
        if action_masks is None:
            raise AgentError(f"{self.name} needs the action mask beside the observation")
        masks = np.ascontiguousarray(action_masks, np.int8)
        n = len(observations)
        if observations.shape != (n, self.observation_size) or masks.shape != (n, self.spec.num_actions):
            raise AgentError(
                f"{self.name} plays {self.spec.id} with observations (n, {self.observation_size}) and masks "
                f"(n, {self.spec.num_actions}), not {observations.shape} and {masks.shape}"
            )
        if not masks.any(axis=1).all():
            raise AgentError(f"{self.name} was asked for a seat without a legal action")
        seats = (
            np.zeros(n, np.int64) if seats is None else check_integers("seats", seats, n, error=AgentError)
        )
        answers = self._choose(observations, masks, seats, games)
        actions = check_integers(f"the answers of {self.name}", answers, n, error=AgentError)
        self._check(actions, masks)
        return actions

    def _check(self, actions: np.ndarray, masks: np.ndarray) -> None:
        rows = np.arange(len(masks))
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[rows, np.where(inside, actions, 0)] != 0)
        if not legal.all():
            row = int(np.flatnonzero(~legal)[0])
            allowed = ", ".join(self.spec.actions[a].name for a in np.flatnonzero(masks[row]))
            raise AgentError(f"{self.name} answered with the illegal action {actions[row]}; legal: {allowed}")

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray | None:
        """Return each action's probability, float64 ``(n, A)``, or ``None`` if the agent cannot tell."""
        return None
