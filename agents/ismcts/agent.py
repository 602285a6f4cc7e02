"""The searching agent: ``ismcts:BUDGET[,key=value...]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kingmaker.agents.basic import StreamedAgent
from kingmaker.agents.ismcts.driver import Advice, PlayoutSearch
from kingmaker.agents.ismcts.options import SearchOptions, parse_options
from kingmaker.agents.ismcts.policy import PolicySearch
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.spec import GameSpec


class ISMCTSAgent(StreamedAgent):
    """Plays the action that a search over the rules has tried most.

    It needs, beside the observation, a game in which what its seat cannot know has been drawn anew, and
    draws all of that again for every simulation. A decision depends on the agent's seed, the row of the
    batch and how often that row was asked before; with a budget in seconds also on the machine's speed.

    Args:
        spec: the game it plays.
        num_players: seats in play.
        name: how tables and logs call it.
        options: the settings, or what stands behind ``ismcts:`` in a name.
        seed: start of its random numbers, in ``[0, 2**63)``.

    Raises:
        AgentError: for settings that do not exist or fit, or a policy that cannot be loaded.
    """

    uses_games = True

    def __init__(
        self, spec: GameSpec, num_players: int, name: str, options: SearchOptions | str, seed: int = 0
    ) -> None:
        super().__init__(spec, num_players, name, seed)
        self.options = parse_options(name, options) if isinstance(options, str) else options
        self._search = _searcher(spec, num_players, self.options, name)

    def advise(self, games: Sequence[Game]) -> list[Advice]:
        """Return what a search finds out about each game, for the seat to move in it.

        Raises:
            AgentError: if a game is over, or is not this agent's.
        """
        if not games:
            return []
        actors = np.array([self._checked(game).actor for game in games], np.int64)
        seeds = np.zeros(len(games), np.int64)
        self.spec.entry("draw_seeds")(self._rows(len(games)), seeds)
        return self._search.advise(list(games), actors, seeds)

    def _checked(self, game: Any) -> Game:
        if not isinstance(game, Game) or game.spec is not self.spec or game.num_players != self.num_players:
            raise AgentError(f"{self.name} searches games of {self.spec.id} for {self.num_players} seats")
        if game.over:
            raise AgentError(f"{self.name} was asked about a game that is over")
        return game

    def _choose(self, observations: Any, action_masks: Any, seats: Any, games: Any) -> np.ndarray:
        if games is None:
            raise AgentError(
                f"{self.name} searches, so it needs the game beside the observation: "
                "agent.act(..., game=game.redealt(seat, seed))"
            )
        return np.array([advice.action for advice in self.advise(games)], np.int64)


def _searcher(
    spec: GameSpec, num_players: int, options: SearchOptions, name: str
) -> PlayoutSearch | PolicySearch:
    if options.policy is None:
        return PlayoutSearch(spec, num_players, options)
    return PolicySearch(spec, num_players, options, name)
