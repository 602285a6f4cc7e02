"""Two reports of one machine side by side: has anything become slower between two commits?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median

from kingmaker.benchmarks.throughput.report import Rate, ThroughputReport, read_report
from kingmaker.envs.core.errors import OptionError

ALARM = 0.8
"""A rate below this part of the old one is an alarm; short runs on a shared machine differ by a tenth."""


@dataclass(frozen=True)
class Change:
    """One of our workloads in both reports."""

    name: str
    api: str
    old: float
    new: float
    ratio: float  # new over old, the machine's own drift taken out
    alarm: bool


@dataclass(frozen=True)
class Comparison:
    """All workloads of ours that both reports have.

    Attributes:
        same_machine: whether processor, core count and Python are the same; otherwise ratios say little.
        drift: median of new over old among peers of unchanged version, 1.0 where there are none: their code
            is the same in both runs, so it is the machine that changed.
        changes: slowest first.
    """

    same_machine: bool
    drift: float
    changes: tuple[Change, ...]

    @property
    def alarms(self) -> tuple[Change, ...]:
        """Workloads that have become slower than the alarm allows."""
        return tuple(change for change in self.changes if change.alarm)


def compare(old: Path | ThroughputReport, new: Path | ThroughputReport, alarm: float = ALARM) -> Comparison:
    """Compare two reports.

    Args:
        old: the earlier report, or its JSON file.
        new: the later one.
        alarm: the smallest ratio that is not an alarm, between 0 and 1.

    Raises:
        OptionError: if ``alarm`` is no such ratio.
        ReportError: if a file cannot be read or is no report.
    """
    if not 0 < alarm <= 1:
        raise OptionError(f"alarm is a ratio above 0 and at most 1, not {alarm!r}")
    before, after = (
        report if isinstance(report, ThroughputReport) else read_report(Path(report)) for report in (old, new)
    )
    known = {rate.key: rate for rate in before.rates}
    pairs = [(known[rate.key], rate) for rate in after.rates if rate.key in known]
    drift = _drift(pairs)
    changes = [_change(a, b, drift, alarm) for a, b in pairs if b.game is not None]
    return Comparison(
        same_machine=_machine(before) == _machine(after),
        drift=drift,
        changes=tuple(sorted(changes, key=lambda change: change.ratio)),
    )


def _machine(report: ThroughputReport) -> tuple[str, int, str]:
    machine = report.machine
    return machine.cpu, machine.cores, machine.python


def _drift(pairs: list[tuple[Rate, Rate]]) -> float:
    same = [b.median / a.median for a, b in pairs if b.game is None and a.version == b.version]
    return median(same) if same else 1.0


def _change(old: Rate, new: Rate, drift: float, alarm: float) -> Change:
    ratio = new.median / old.median / drift
    return Change(new.name, new.api, old.median, new.median, ratio, ratio < alarm)
