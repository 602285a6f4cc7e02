"""How games of a kind come out: length, scores, seats, and what the points come from."""

from kingmaker.benchmarks.balance.config import BalanceConfig, BalanceError
from kingmaker.benchmarks.balance.report import BalanceReport
from kingmaker.benchmarks.balance.run import run_balance

__all__ = ["BalanceConfig", "BalanceError", "BalanceReport", "run_balance"]
