"""The plan: who plays what, how much, as data.

``[defaults]`` holds for every game and seat count; each ``[[override]]`` names a game, seat counts or both
and replaces what it mentions. Of several that fit, a later one wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from kingmaker.benchmarks.leaderboard.errors import LeaderboardError
from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.spec import GameSpec

PLAN = Path(__file__).with_name("plan.toml")

Agents = Annotated[list[str], Field(min_length=1)]
AtLeastOne = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]


class Settings(Table):
    """What one table of the leaderboard needs.

    Attributes:
        agents: as in a tournament, ``name`` or ``label=name``; ``{game}`` and ``{seats}`` in it stand for the
            game's name and the seat count.
        seeds: game seeds; each is played by all line-ups in all rotations.
        seed: everything that is drawn depends on it.
        chunk_games: games played and kept together; a killed run loses at most so many a process.
        max_lineups: with more possible line-ups than this, a balanced part of them plays.
        resamples: bootstrap resamples for the intervals.
        options: rule options by name.
    """

    agents: Agents
    seeds: AtLeastOne
    seed: Seed
    chunk_games: AtLeastOne
    max_lineups: AtLeastOne = 100
    resamples: AtLeastOne
    options: dict[str, bool | int] = Field(default_factory=dict)


class Override(Table):
    """Other settings for some games, some seat counts, or both."""

    game: str | None = None
    seats: Annotated[list[int], Field(min_length=1)] | None = None
    agents: Agents | None = None
    seeds: AtLeastOne | None = None
    seed: Seed | None = None
    chunk_games: AtLeastOne | None = None
    max_lineups: AtLeastOne | None = None
    resamples: AtLeastOne | None = None
    options: dict[str, bool | int] | None = None

    def fits(self, spec: GameSpec, num_players: int) -> bool:
        """Return whether it is about a game at a seat count."""
        game = self.game is None or get_spec(self.game).id == spec.id
        return game and (self.seats is None or num_players in self.seats)

    def changes(self) -> dict[str, Any]:
        """Return what it replaces."""
        return self.model_dump(exclude={"game", "seats"}, exclude_none=True)


class Plan(Table):
    """Settings for every game and seat count."""

    defaults: Settings
    override: list[Override] = Field(default_factory=list)

    def settings(self, spec: GameSpec, num_players: int) -> Settings:
        """Return the settings of a game at a seat count."""
        found = self.defaults.model_dump()
        for override in self.override:
            if override.fits(spec, num_players):
                found |= override.changes()
        return Settings.model_validate(found)


def read_plan(path: Path) -> Plan:
    """Read a plan and hold it against the games.

    Raises:
        TableError: if the file cannot be read or is no plan; says where.
        LeaderboardError: if it is about a game or a seat count that does not exist.
    """
    plan = read_table(Plan, path)
    for number, override in enumerate(plan.override):
        known = all_specs() if override.game is None else (_spec(override.game, path, number),)
        seats = {count for spec in known for count in spec.seats}
        wrong = sorted(set(override.seats or ()) - seats)
        if wrong:
            raise LeaderboardError(
                f"{path.name}: override.{number}.seats: {wrong[0]} is no seat count of "
                f"{override.game or 'any game'}"
            )
    return plan


def _spec(game: str, path: Path, number: int) -> GameSpec:
    try:
        return get_spec(game)
    except ValueError as error:
        raise LeaderboardError(f"{path.name}: override.{number}.game: {error}") from None
