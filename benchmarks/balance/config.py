"""What a balance report is made of."""

from __future__ import annotations

from typing import Annotated, Any

import pydantic

from kingmaker.envs.core.datafile import problems
from kingmaker.envs.core.errors import KingmakerError


class BalanceError(KingmakerError, ValueError):
    """Settings that do not fit, or a directory that cannot take the report."""


class BalanceConfig(pydantic.BaseModel):
    """The settings of a balance report; the figures depend on nothing else.

    Attributes:
        game: a game's name or id.
        agents: names that ``load_agent`` understands, optionally ``label=name``; each plays all seats of its
            own games.
        num_players: seats; the game's smallest count by default.
        options: rule options by name.
        tables: path of a data file in place of the game's own.
        games: games an agent; all agents play the same seeds.
        seed: everything that is drawn depends on it; in ``[0, 2**63)``.
        chunk_games: games played side by side; agents are seeded per chunk.
        command: the command line that makes the report, shown in it.

    Raises:
        BalanceError: for a setting that is missing, unknown or out of range.
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    game: str
    agents: Annotated[tuple[str, ...], pydantic.Field(min_length=1)]
    num_players: int | None = None
    options: dict[str, bool | int] = {}
    tables: str | None = None
    games: Annotated[int, pydantic.Field(ge=2)] = 10_000
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] = 0
    chunk_games: Annotated[int, pydantic.Field(ge=1)] = 2_000
    command: str | None = None

    def __init__(self, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except pydantic.ValidationError as error:
            raise BalanceError(f"balance settings: {problems(error)}") from None
