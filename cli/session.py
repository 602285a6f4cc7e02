"""A game between persons and agents: who moves, what happened, the log, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.agents.base import Agent
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.checks import seated
from kingmaker.envs.core.errors import LogError, OptionError
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.log import Decision, GameLog, Result, Start
from kingmaker.envs.core.spec import GameSpec
from kingmaker.envs.core.words import Happening


@dataclass(frozen=True)
class Move:
    """One decision and what it led to."""

    seat: int
    action: str
    secret: bool  # whether the others may not know it yet: an answer in a simultaneous phase
    happenings: tuple[Happening, ...]


class Session:
    """One game in play.

    Agents are seeded anew for every decision, from the game's seed and the number of the decision. So taking
    back changes no luck, and a resumed game goes on as it would have: the same actions meet the same dice and
    the same answers.

    Args:
        game: a game at its start, its journal on.
        start: how it started.
        persons: the seats that people play.
        opponents: agents by name for the other seats in ascending order; one alone plays all of them.

    Attributes:
        log: the game so far.
        opening: what happened before the first decision.

    Raises:
        OptionError: if a seat does not exist or the number of opponents does not fit.
        AgentError: if an agent cannot be loaded.
    """

    def __init__(self, game: Game, start: Start, persons: Sequence[int], opponents: Sequence[str]) -> None:
        self.game = game
        self.persons = _check_persons(game, persons)
        self.opening = tuple(game.journal())
        self.log = GameLog.of_play(game, start, [])
        self._seed = start.seed or 0
        self._agents = self._seat_agents(opponents)
        self._before: list[Game] = []  # the game before each decision

    @classmethod
    def begin(
        cls,
        spec: GameSpec,
        num_players: int | None,
        seed: int,
        options: Mapping[str, Any],
        tables: Path | None,
        persons: Sequence[int],
        opponents: Sequence[str],
    ) -> Session:
        """Return a new game."""
        game = Game(spec, num_players, seed=seed, options=options, tables=tables)
        game.record()
        game.reset(seed)
        return cls(game, Start(seed=seed), persons, opponents)

    @classmethod
    def resume(
        cls, log: GameLog, tables: Path | None, persons: Sequence[int], opponents: Sequence[str]
    ) -> Session:
        """Return the game of a log, at its end, chance going on from where it stood.

        Raises:
            LogError: if the log's chance is not what its start gives; such a log can only be replayed.
        """
        _, game = next(log.replay(tables))
        if log.header.state is None:
            start = Start(seed=log.header.seed)
            game.reset(start.seed)
        else:
            start = Start(state=game.save())
        session = cls(game, start, persons, opponents)
        for decision in log.decisions:
            session.take(decision.action)
        if (session.log.header, session.log.decisions) != (log.header, log.decisions):
            raise LogError("the log's chance does not come from its seed; it can be replayed but not resumed")
        return session

    def _seat_agents(self, names: Sequence[str]) -> dict[int, Agent]:
        others = [seat for seat in range(self.game.num_players) if seat not in self.persons]
        return {seat: self.agent(name) for seat, name in zip(others, seated(names, len(others)), strict=True)}

    def agent(self, name: str) -> Agent:
        """Load an agent for this game."""
        return load_agent(name, self.game.spec, self.game.num_players, tables=self.game.tables)

    def name_of(self, seat: int) -> str:
        """Return who plays a seat."""
        if seat in self._agents:
            return self._agents[seat].name
        return "you" if len(self.persons) == 1 else "person"

    # --- moves ----------------------------------------------------------------------------------------

    @property
    def person_to_move(self) -> bool:
        """Whether a person is to decide."""
        return self.game.actor in self.persons

    def take(self, action: int | str) -> Move:
        """Take an action for the seat to move.

        Raises:
            IllegalAction: if the rules forbid it; nothing has changed.
        """
        game, before = self.game, self.game.clone()
        secret = len(game.choosing) > 1
        game.apply(action)
        happenings = tuple(game.journal())
        name = action if isinstance(action, str) else game.spec.actions[action].name
        draws = [happening.values[0] for happening in happenings if happening.name == "chance"]
        self._before.append(before)
        self.log.decisions.append(Decision(seat=before.actor, action=name, chance=draws))
        if game.over:
            ranks, scores, _ = game.results()
            self.log.result = Result(ranks=ranks.tolist(), scores=scores.tolist(), truncated=game.truncated)
        return Move(before.actor, name, secret, happenings)

    def run_agents(self) -> Iterator[Move]:
        """Yield the agents' moves up to a person's choice or the end."""
        while not self.game.over and not self.person_to_move:
            yield self.take(self.ask(self._agents[self.game.actor]))

    def ask(self, agent: Agent) -> int:
        """Return what an agent would do for the seat to move."""
        game = self.game
        seed = self._decision_seed()
        agent.seed(seed)
        redealt = game.redealt(game.actor, seed) if agent.uses_games else None
        return agent.act(game.observe(), game.mask(), game.actor, redealt)

    def _decision_seed(self) -> int:
        words = np.random.SeedSequence([self._seed, self.game.moves]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))

    def undo(self) -> bool:
        """Go back to the previous decision of the person to move; return whether there was one.

        The dice stay what they were: the state holds its chance stream.
        """
        actor = self.game.actor
        own = [n for n, before in enumerate(self._before) if before.actor == actor]
        if not own:
            return False
        self.game = self._before[own[-1]]
        del self._before[own[-1] :], self.log.decisions[own[-1] :]
        self.log.result = None
        return True


def _check_persons(game: Game, persons: Sequence[int]) -> frozenset[int]:
    wrong = [seat for seat in persons if not 0 <= seat < game.num_players]
    if wrong:
        raise OptionError(f"seats are 0..{game.num_players - 1}, not {wrong[0]}")
    return frozenset(persons)
