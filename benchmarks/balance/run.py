"""Making a balance report from settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from kingmaker.benchmarks.balance.config import BalanceConfig, BalanceError
from kingmaker.benchmarks.balance.figures import summarise
from kingmaker.benchmarks.balance.report import BalanceReport
from kingmaker.benchmarks.balance.sample import play_sample
from kingmaker.benchmarks.tournament.config import enter
from kingmaker.envs.core.registry import get_spec


def run_balance(config: BalanceConfig, tell: Callable[[str], object] = lambda text: None) -> BalanceReport:
    """Play the games of a balance report and return it.

    Args:
        config: what is played.
        tell: is told each agent's label before it plays.

    Raises:
        BalanceError: for settings that do not fit.
        AgentError: if an agent cannot be loaded, fails or answers with an illegal action.
        KingmakerError: for a game, option or data file that does not exist or fit.
    """
    spec = get_spec(config.game)
    num_players = spec.check_seats(config.num_players)
    tables, _, options = spec.configure(config.options, config.tables)
    entrants = tuple(enter(agent) for agent in config.agents)
    twice = [label for label, count in Counter(e.label for e in entrants).items() if count > 1]
    if twice:
        raise BalanceError(f"agent {twice[0]!r} is given twice; give one a label, as in 'other={twice[0]}'")
    summaries = {}
    for entrant in entrants:
        tell(entrant.label)
        summaries[entrant.label] = summarise(play_sample(config, spec, num_players, entrant.name))
    return BalanceReport(config, spec, num_players, options, tables, entrants, summaries)
