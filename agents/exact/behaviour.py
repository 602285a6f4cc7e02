"""Asking an agent what it does at every decision that it can meet."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.agents.exact.layout import Figures, attack_positions
from kingmaker.agents.exact.turns import Policy
from kingmaker.agents.exact.views import Views, show_all
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.spec import GameSpec

_AT_ONCE = 2048  # decisions asked together: what a network computes on them stays in the processor's cache
_TRIALS = 4  # batches that an agent without probabilities answers twice, to see that it is deterministic


class Behaviour:
    """What an agent does at many decisions: its probabilities, or 1 for the one action it takes.

    An agent that *can* state probabilities and nevertheless plays its most likely action (``sample`` false on
    learned policies) is taken as it plays, unless ``sample`` asks for the distribution.

    Args:
        agent: the agent.
        sample: whether to take a learned policy's distribution in place of its most likely action.

    Attributes:
        lock: to be held while the agent is asked: agents answer one question at a time, and the two sides of
            a game may share one.
    """

    def __init__(self, agent: Agent, *, sample: bool = False) -> None:
        self.agent = agent
        self.lock = Lock()
        self.stated = sample or getattr(agent, "sample", True)
        self._trials = _TRIALS

    def chances(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return each action's probability, float64 ``(n, A)``.

        Raises:
            AgentError: if the agent states none and does not answer twice alike, or states probabilities that
                are not 1 in total over legal actions.
        """
        found = np.empty(masks.shape)
        for start in range(0, len(masks), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found[part] = self._chances(observations[part], masks[part])
        return found

    def _chances(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        stated = self.agent.probabilities(observations, masks) if self.stated else None
        if stated is None:
            return np.eye(masks.shape[1])[self._answers(observations, masks)]
        legal = np.where(masks != 0, stated, 0.0)
        total = legal.sum(axis=1)
        if not np.allclose(total, 1.0, atol=1e-5) or (legal < 0).any():
            raise AgentError(f"{self.agent.name} states probabilities that are not 1 over the legal actions")
        return legal / total[:, None]

    def _answers(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        answers = self.agent.act_batch(observations, masks)
        if self._trials > 0:
            self._trials -= 1
            if (answers != self.agent.act_batch(observations, masks)).any():
                raise AgentError(
                    f"{self.agent.name} plays at random and does not state its probabilities: "
                    "a best response to it cannot be computed"
                )
        return answers


class Asked:
    """An agent, asked at every decision of a pair of hit points and tokens.

    Args:
        spec: ``krig`` or ``krig_intervention``.
        tables: the game's tables array, which is this object's to use.
        fig: its figures.
        behaviour: of the agent.

    Attributes:
        count: decisions asked for.
        memory: bytes of the arrays that a question takes.
    """

    def __init__(self, spec: GameSpec, tables: Any, fig: Figures, behaviour: Behaviour) -> None:
        self.tables, self.fig, self.behaviour = tables, fig, behaviour
        self.count = 0
        self._rows = attack_positions(fig)
        self._views = Views(fig, self._rows)
        self._states = np.zeros(1, spec.state_dtype)
        most = self._views.count(fig.tokens)
        self._seen = np.zeros((most, spec.observation_size(2)), np.float32)
        self._masks = np.zeros((most, spec.num_actions), np.int8)
        # Views, and probabilities twice: as stated, and scaled.
        self.memory = self._seen.nbytes + self._masks.nbytes + 2 * 8 * self._masks.size

    def fill(self, policy: Policy, seat: int, h0: int, h1: int, t0: int, t1: int) -> None:
        """Write what the agent does as ``seat`` into ``policy``, at so many hit points and tokens.

        It sees its own board first and is not told its seat, so that of seat 0 is asked as seat 1's with the
        boards swapped.
        """
        boards = (h0, h1, t0, t1) if seat else (h1, h0, t1, t0)
        with self.behaviour.lock:
            n = show_all(self._states, self.tables, self.fig, self._rows, *boards, self._seen, self._masks)
            self.count += n
            chances = self.behaviour.chances(self._seen[:n], self._masks[:n])
            self._views.fill(policy, seat, chances)
