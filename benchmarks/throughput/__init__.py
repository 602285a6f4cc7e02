"""How fast the games run through each interface, and other libraries' games in the same run.

    report = run_throughput(ThroughputConfig.of(quick=True), Path("results"))
    print(report.table())

A rate is decisions a second: one decision applied, observation and mask written and read. Every workload is
measured several short times in rotated order, so that a slow spell of the machine falls on all of them; the
median is quoted, and ratios are taken round by round. Every action is drawn by the rule in
``kingmaker.benchmarks.throughput.peers.workload``.
"""

from __future__ import annotations

from kingmaker.benchmarks.throughput.compare import Comparison, compare
from kingmaker.benchmarks.throughput.config import ThroughputConfig
from kingmaker.benchmarks.throughput.report import ThroughputReport, read_report
from kingmaker.benchmarks.throughput.run import run_throughput

__all__ = [
    "Comparison",
    "ThroughputConfig",
    "ThroughputReport",
    "compare",
    "read_report",
    "run_throughput",
]
