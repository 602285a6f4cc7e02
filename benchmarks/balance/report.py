"""A balance report and the files it is written to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kingmaker.benchmarks.balance import grids
from kingmaker.benchmarks.balance.config import BalanceConfig
from kingmaker.benchmarks.tournament.config import Entrant
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.envs.core.datafile import tables_hash
from kingmaker.envs.core.spec import GameSpec

FORMAT = 1
REPORT, DATA, PLOT = "balance.md", "balance.json", "balance.png"


@dataclass(frozen=True)
class BalanceReport:
    """Figures of the games of each agent.

    Attributes:
        config: the settings.
        spec: the game.
        num_players: seats in play.
        options: all rule options as they were in force.
        tables: the tables array.
        entrants: the agents.
        summaries: ``kingmaker.benchmarks.balance.figures.summarise`` by agent.
    """

    config: BalanceConfig
    spec: GameSpec
    num_players: int
    options: dict[str, Any]
    tables: Any
    entrants: tuple[Entrant, ...]
    summaries: dict[str, dict[str, Any]]

    def grids(self) -> list[grids.Grid]:
        """Return the tables, in order."""
        return grids.all_grids(self.summaries)

    def write(self, folder: Path) -> None:
        """Write ``balance.json``, ``.md`` and ``.png`` into a folder, each whole or not at all."""
        from kingmaker.benchmarks.balance.plot import save_plot

        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / DATA, json.dumps(self.content(), indent=1, ensure_ascii=False) + "\n")
        write_with(folder / PLOT, lambda path: save_plot(self, path))
        write_text(folder / REPORT, self.markdown())

    def content(self) -> dict[str, Any]:
        """Return the report as JSON types."""
        return {
            "kingmaker_balance": FORMAT,
            "game": self.spec.id,
            "num_players": self.num_players,
            "options": self.options,
            "tables": tables_hash(self.tables),
            "agents": [vars(entrant) for entrant in self.entrants],
            "games": self.config.games,
            "seed": self.config.seed,
            "chunk_games": self.config.chunk_games,
            "figures": self.summaries,
        }

    def markdown(self) -> str:
        """Return the report for people."""
        command = self.config.command
        made = [f"Made by\n\n```sh\n{command}\n```"] if command else []
        facts = (
            f"`{self.spec.id}`, {self.num_players} seats, options `{json.dumps(self.options)}`, tables "
            f"`{tables_hash(self.tables)}`; {self.config.games} games an agent, which plays all seats, on "
            f"the same seeds, drawn from {self.config.seed}."
        )
        parts = [f"# Balance: {self.spec.title}, {self.num_players} seats", *made, facts]
        for grid in self.grids():
            parts += [f"## {grid.title}", grid.markdown()]
        parts.append(
            "Intervals are 95 %, normal. A shared win counts as a share for each winner. The win share with "
            "a figure that is not 0, beside that without, tells what goes with winning, not what causes it."
        )
        return "\n\n".join(parts) + "\n"
