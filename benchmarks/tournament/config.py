"""What defines a tournament, and the same resolved against the installed games and agents."""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pydantic

from kingmaker.agents.loader import agent_file
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.schedule import Schedule, make_schedule
from kingmaker.envs.core.datafile import problems, tables_hash
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import GameSpec

FORMAT = 1
# A short name before an agent's own: "old=policy:runs/3/policy.pt". A path may hold "=", a label no ":", "/".
_LABELLED = re.compile(r"(?P<label>[^=:/\\]+)=(?P<name>.+)")


class TournamentConfig(pydantic.BaseModel):
    """The settings of a tournament.

    All but ``resamples``, ``confidence`` and ``command`` decide which games are played; a directory with
    results is continued only if those agree.

    Attributes:
        game: a game's name or id.
        agents: names that ``load_agent`` understands, each at most once, optionally ``label=name``.
        num_players: seats; the game's smallest count by default.
        options: rule options by name.
        tables: path of a data file in place of the game's own.
        games: at least so many games; rounded up so that every seed is played in every seating.
        seed: everything that is drawn depends on it; in ``[0, 2**63)``.
        chunk_games: games played together and stored together. Agents are seeded per chunk, so it takes
            part in the results; a killed run loses at most one chunk a process.
        max_lineups: with more possible line-ups than this, a balanced part of them plays (``schedule``).
        resamples: bootstrap resamples for the intervals.
        confidence: coverage of the intervals.
        command: the command line that made the tournament, shown in the report.

    Raises:
        TournamentError: for a setting that is missing, unknown or out of range.
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    game: str
    agents: Annotated[tuple[str, ...], pydantic.Field(min_length=1)]
    num_players: int | None = None
    options: dict[str, bool | int] = {}
    tables: str | None = None
    games: Annotated[int, pydantic.Field(ge=1)] = 1000
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] = 0
    chunk_games: Annotated[int, pydantic.Field(ge=1)] = 500
    max_lineups: Annotated[int, pydantic.Field(ge=1)] = 100
    resamples: Annotated[int, pydantic.Field(ge=1)] = 1000
    confidence: Annotated[float, pydantic.Field(gt=0, lt=1)] = 0.95
    command: str | None = None

    def __init__(self, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except pydantic.ValidationError as error:
            raise TournamentError(f"tournament settings: {problems(error)}") from None


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part."""

    label: str  # in tables
    name: str  # for ``load_agent``
    sha256: str | None  # of its file, None for an agent without one


@dataclass(frozen=True)
class Setup:
    """A config resolved: everything that playing and reporting need."""

    config: TournamentConfig
    spec: GameSpec
    num_players: int
    options: dict[str, Any]
    tables: np.ndarray
    options_record: np.ndarray
    entrants: tuple[Entrant, ...]
    schedule: Schedule

    @property
    def labels(self) -> tuple[str, ...]:
        """The agents' names in tables."""
        return tuple(entrant.label for entrant in self.entrants)

    @property
    def anchor(self) -> int:
        """The agent whose rating is 0: ``random``, or the first where it does not play."""
        names = [entrant.name for entrant in self.entrants]
        return names.index("random") if "random" in names else 0

    def header(self) -> dict[str, Any]:
        """Return what tells this tournament's games from any other's; JSON types only."""
        return {
            "kingmaker_tournament": FORMAT,
            "kingmaker": importlib.metadata.version("kingmaker"),
            "game": self.spec.id,
            "num_players": self.num_players,
            "options": self.options,
            "tables": tables_hash(self.tables),
            "agents": [vars(entrant) for entrant in self.entrants],
            "seed": self.config.seed,
            "games": self.schedule.num_games,
            "chunk_games": self.config.chunk_games,
            "lineups": [[self.labels[agent] for agent in lineup] for lineup in self.schedule.lineups],
        }


def resolve(config: TournamentConfig, spec: GameSpec | None = None) -> Setup:
    """Return the setup of a config.

    Args:
        config: the settings.
        spec: the game, where it is already at hand (a worker process may not know it by name).

    Raises:
        KingmakerError: for a game, seat count, option, data file or agent that does not exist or fit.
    """
    spec = get_spec(config.game) if spec is None else spec
    num_players = spec.check_seats(config.num_players)
    tables, record, options = spec.configure(config.options, config.tables)
    entrants = tuple(enter(agent) for agent in config.agents)
    twice = [label for label, count in Counter(e.label for e in entrants).items() if count > 1]
    if twice:
        raise TournamentError(
            f"agent {twice[0]!r} is entered twice; give one a label, as in 'other={twice[0]}'"
        )
    schedule = make_schedule(len(entrants), num_players, config.games, config.chunk_games, config.max_lineups)
    return Setup(config, spec, num_players, options, tables, record, entrants, schedule)


def enter(agent: str) -> Entrant:
    """Return the entrant that ``agent`` or ``label=agent`` names."""
    match = _LABELLED.fullmatch(agent)
    label, name = (match["label"], match["name"]) if match else (agent, agent)
    path = agent_file(name)
    is_file = path is not None and path.is_file()  # a missing file is the loader's to complain about
    return Entrant(label, name, hashlib.sha256(path.read_bytes()).hexdigest() if path and is_file else None)
