"""Exact values beside the ratings, in games that are solved: single games of Krig."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kingmaker.agents.exact.agent import SOLVED
from kingmaker.agents.exact.behaviour import Behaviour
from kingmaker.agents.exact.exploit import Outcome, best_response, value_against
from kingmaker.agents.exact.store import find_solution
from kingmaker.agents.loader import load_agent
from kingmaker.benchmarks.tournament.config import Setup
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.report import TournamentReport
from kingmaker.envs.core.errors import AgentError

SHARE, EXPLOITABILITY = "exact win share, %", "exploitability"
_DIGITS = 6


def why_unknown(setup: Setup) -> str | None:
    """Return why a tournament's exact values are not known, or ``None`` if they are."""
    if setup.spec.name not in SOLVED:
        return f"{setup.spec.name} is not solved; {' and '.join(SOLVED)} are"
    if int(setup.tables[0]["games"]) > 1:
        return "only single games are solved, not matches: add the option games=1"
    usual = next(option.default for option in setup.spec.options if option.name == "max_turns")
    if setup.options.get("max_turns", usual) < usual:
        return f"games are solved without a limit on turns, and fewer than {usual} may cut some off"
    if len(setup.entrants) == 1:
        return "one agent that plays itself has no share of its own"
    return None


def is_quick(setup: Setup) -> bool:
    """Return whether exact values take seconds: without tokens, whose windows take minutes an agent."""
    return int(setup.tables[0]["tokens"]) == 0


def add_exact_values(report: TournamentReport, progress: Callable[[float], None] | None = None) -> None:
    """Add each agent's exact win share against the field of its tournament, and its exploitability.

    Agents must be deterministic or state their action probabilities. Others have no exact values, and with
    one of them in the field nobody's share is known.

    Args:
        report: of a tournament of single games of Krig; gets the columns.
        progress: called with the share done, now and then.

    Raises:
        TournamentError: if the values are not known.
    """
    setup = report.setup
    reason = why_unknown(setup)
    if reason:
        raise TournamentError(f"no exact values: {reason}")
    full = int(setup.tables[0]["hit_points"])
    value = find_solution(setup.tables).start(full - int(setup.tables[0]["handicap"]), full)
    count = len(setup.entrants)
    steps = _Steps(count * (count + 1) // 2, progress)
    told = _told(setup, steps)
    if len(told) == count:
        report.add_column(
            SHARE,
            {setup.labels[a]: _rounded(100 * share) for a, share in enumerate(_shares(report, told, steps))},
            "what the win share would be after endless games, computed from the agents' probabilities.",
        )
    report.add_column(
        EXPLOITABILITY,
        {setup.labels[a]: _rounded(best.exploitability(value)) for a, (_, best) in told.items()},
        "by how much a best response wins more often against the agent than against perfect play, on average "
        "over who goes first; blank where an agent does not tell its probabilities.",
    )


class _Steps:
    """Counts values computed, of a known number."""

    def __init__(self, total: int, progress: Callable[[float], None] | None) -> None:
        self.total, self.progress, self.done = total, progress, 0

    def within(self, share: float) -> None:
        """Show the share done of the value being computed."""
        if self.progress is not None:
            self.progress((self.done + share) / self.total)

    def finish(self) -> None:
        """Count a value."""
        self.done += 1


def _told(setup: Setup, steps: _Steps) -> dict[int, tuple[Behaviour, Outcome]]:
    """Return the agents whose behaviour can be told, with best responses to them."""
    told = {}
    for agent, entrant in enumerate(setup.entrants):
        behaviour = Behaviour(load_agent(entrant.name, setup.spec, 2, tables=setup.tables))
        try:
            told[agent] = behaviour, best_response(setup.spec, setup.tables, behaviour, progress=steps.within)
        except AgentError:  # it plays at random without telling how, or needs more than it sees
            continue
        finally:
            steps.finish()
    return told


def _shares(report: TournamentReport, told: Any, steps: _Steps) -> list[float]:
    """Return each agent's win share against the opponents that it met, as often as it met them."""
    setup, count = report.setup, len(told)
    wins = np.zeros((count, count))
    for a in range(count):
        for b in range(a + 1, count):
            sides = told[a][0], told[b][0]
            wins[a, b] = value_against(setup.spec, setup.tables, *sides, progress=steps.within).mean
            wins[b, a] = 1.0 - wins[a, b]
            steps.finish()
    met = report.analysis.totals.met
    return ((met * wins).sum(axis=1) / met.sum(axis=1)).tolist()


def _rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # no minus before a zero
