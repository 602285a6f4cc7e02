"""A whole throughput run: measure, report, write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from kingmaker.benchmarks.throughput import peers
from kingmaker.benchmarks.throughput.config import ThroughputConfig
from kingmaker.benchmarks.throughput.copies import copy_workloads
from kingmaker.benchmarks.throughput.facts import game_size, machine_facts, seat_counts
from kingmaker.benchmarks.throughput.measure import Tell, play_rounds, set_up
from kingmaker.benchmarks.throughput.ours import OurWorkload, play_workloads
from kingmaker.benchmarks.throughput.ratios import ratios
from kingmaker.benchmarks.throughput.report import Failure, Start, ThroughputReport
from kingmaker.benchmarks.throughput.startup import APIS, measure_start
from kingmaker.benchmarks.throughput.tape_cost import tape_cost
from kingmaker.envs.core.spec import GameSpec

if TYPE_CHECKING:
    from rich.console import Console

SLOW_TO_SET_UP = "Pgx"
"""It compiles each game for seconds, and so comes last where the time to set up is limited."""

FILES = ("throughput.json", "throughput.md", "throughput.png")


def run_throughput(
    config: ThroughputConfig, out_dir: Path | None = None, *, console: Console | None = None
) -> ThroughputReport:
    """Measure everything that the configuration asks for.

    Args:
        config: what to measure and for how long.
        out_dir: folder for ``throughput.json``, ``.md`` and ``.png``, made if need be; ``None`` writes none.
        console: shows what is being measured; ``None`` is silent.

    Raises:
        OptionError: if a game is unknown.
    """
    specs = config.specs()
    if out_dir is not None:
        out_dir.mkdir(parents=True, exist_ok=True)  # before the measurements: an unusable folder shows now
    with ExitStack() as stack:
        tell: Tell = _silent
        if console is not None:
            tell = stack.enter_context(console.status("throughput")).update
        report = _measure(config, specs, tell)
    if out_dir is not None:
        write_report(report, out_dir)
    return report


def _silent(_: str) -> None:
    pass


def our_workloads(specs: Sequence[GameSpec]) -> list[OurWorkload]:
    """List all workloads of our games, at the smallest and the largest seat count."""
    return [
        workload
        for spec in specs
        for players in seat_counts(spec)
        for workload in play_workloads(spec, players) + copy_workloads(spec, players)
    ]


def _measure(config: ThroughputConfig, specs: Sequence[GameSpec], tell: Tell) -> ThroughputReport:
    machine = machine_facts()
    others = peers.installed() if config.peers else []
    others.sort(key=lambda workload: workload.library == SLOW_TO_SET_UP)
    ready, failures = set_up([*our_workloads(specs), *others], config.seed, config.setup_seconds, tell)
    seconds = config.measurement_seconds(len(ready))
    rates, more = play_rounds(ready, config.rounds, seconds, tell)
    del ready  # frees the games, and with them the batches' threads, before processes are timed
    return ThroughputReport(
        machine=machine,
        config=config,
        measurement_seconds=seconds,
        rates=rates,
        ratios=ratios(rates),
        failures=_worst_first(failures + more),
        missing=peers.missing() if config.peers else {},
        starts=_starts(config, specs, tell),
        sizes=[game_size(spec, players) for spec in specs for players in seat_counts(spec)],
        tape=[tape_cost(spec, min(spec.seats), config.seed, tell) for spec in specs] if config.tape else [],
    )


def _worst_first(failures: list[Failure]) -> list[Failure]:
    """Put our own failures, which are bugs, before those of peers."""
    return sorted(failures, key=lambda failure: failure.library != "kingmaker")


def _starts(config: ThroughputConfig, specs: Sequence[GameSpec], tell: Tell) -> list[Start]:
    if not (config.starts or config.cold):
        return []
    return [
        measure_start(spec, min(spec.seats), api, config.starts, config.cold, tell)
        for spec in specs
        for api in APIS
    ]


def write_report(report: ThroughputReport, folder: Path) -> None:
    """Write JSON, Markdown and plot; each file appears whole or not at all."""
    from kingmaker.benchmarks.throughput.render import draw_plot

    json, markdown, plot = (folder / name for name in FILES)
    _write(json, lambda path: _text(path, report.model_dump_json(indent=1) + "\n"))
    _write(markdown, lambda path: _text(path, report.markdown()))
    _write(plot, lambda path: draw_plot(report, path))


def _text(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")


def _write(target: Path, fill: Callable[[Path], None]) -> None:
    with NamedTemporaryFile(dir=target.parent, prefix=target.name, delete=False) as file:
        draft = Path(file.name)
    try:
        fill(draft)
        draft.chmod(0o666 & ~_umask())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
