"""Tournaments: who is stronger, by how much, and how sure that is.

Any number of agents, any game, any number of seats. Seats and line-ups are balanced and play the same seeds
(``schedule``), results are kept game by game so that a killed run resumes and ends with the same tables
(``store``), ratings are of the Plackett-Luce family (``ratings``) with intervals from resampled seeds
(``analysis``), and the cross-table always stands beside them (``report``).

    from pathlib import Path
    from kingmaker.benchmarks.tournament import TournamentConfig, run_tournament

    config = TournamentConfig(game="krig", agents=["random", "heuristic"], games=2000)
    report = run_tournament(config, Path("runs/krig"))
    rich.print(report.table(), report.cross_table(), report.seat_table())
"""

from __future__ import annotations

import kingmaker.envs  # noqa: F401 - registers the games, in worker processes too
from kingmaker.benchmarks.tournament.config import TournamentConfig
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.report import TournamentReport
from kingmaker.benchmarks.tournament.run import run_tournament

__all__ = ["TournamentConfig", "TournamentError", "TournamentReport", "run_tournament"]
