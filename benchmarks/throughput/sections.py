"""The report cut into tables of words, which the terminal and the Markdown file both show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from kingmaker.benchmarks.throughput.report import Rate, Ratio, ThroughputReport


@dataclass(frozen=True)
class Section:
    """A table; the first ``words`` columns are text, the others figures."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int
    note: str = ""


def figure(value: float) -> str:
    """Return a rate or ratio with the digits it deserves."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def header(report: ThroughputReport) -> list[str]:
    """Return the facts that stand above the tables, a line each."""
    machine, config = report.machine, report.config
    load = "unknown" if machine.load is None else ", ".join(f"{value:.2f}" for value in machine.load)
    versions = {f"{rate.library} {rate.version}" for rate in report.rates if rate.game is None}
    lines = [
        f"{machine.cpu}, {machine.cores} cores, {machine.system}; {machine.started}",
        f"Python {machine.python}, Numba {machine.numba}, NumPy {machine.numpy}; load average before: {load}",
        f"Peers: {', '.join(sorted(versions, key=str.lower)) or 'none'}",
        f"Seed {config.seed}; each workload {config.rounds} times {report.measurement_seconds:.2f} s in "
        "rotated order, median quoted",
        "Actions: one uniform number u in [0, 1) each, then legal move floor(u * n) of n",
        f"Command: {machine.command}",
    ]
    if not machine.compiled:
        lines.insert(
            0, "INTERPRETED rules (NUMBA_DISABLE_JIT=1): these rates say nothing about compiled ones"
        )
    return lines


def sections(report: ThroughputReport) -> Iterator[Section]:
    """Yield the tables that have something in them."""
    for section in (_rates(report), _ratios(report), _starts(report), _tape(report), _sizes(report),
                    _absent(report)):  # fmt: skip
        if section.rows:
            yield section


def _rates(report: ThroughputReport) -> Section:
    def row(rate: Rate) -> tuple[str, ...]:
        return (
            rate.library,
            rate.name,
            rate.api,
            rate.unit,
            figure(rate.median),
            f"{figure(min(rate.rates))} to {figure(max(rate.rates))}",
        )

    return Section(
        "Rates a second",
        ("library", "game", "interface", "unit", "median", "range"),
        [row(rate) for rate in report.rates],
        words=4,
        note="Decisions are those of all seats. Steps are the learner's alone; its random opponents' moves "
        "take time and are not counted.",
    )


def _ratios(report: ThroughputReport) -> Section:
    games = list(dict.fromkeys(ratio.name for ratio in report.ratios))
    rows = []
    for peer in dict.fromkeys(ratio.peer for ratio in report.ratios):
        like = {ratio.name: ratio for ratio in report.ratios if ratio.peer == peer and ratio.like_for_like}
        batch = {
            ratio.name: ratio for ratio in report.ratios if ratio.peer == peer and not ratio.like_for_like
        }
        interface = next(iter(like.values())).api if like else "-"
        cells = [f"{_times(like.get(game))} / {_times(batch.get(game))}" for game in games]
        rows.append((peer, interface, *cells))
    return Section(
        "Ours over theirs",
        ("theirs", "ours of the same kind", *games),
        rows,
        words=2,
        note="First the interface of the same kind, then our batch on one thread; medians over rounds. Games "
        "differ: a ratio says what an experiment's inner loop gains, not whose code is better. Pgx and "
        "EnvPool may use every core.",
    )


def _times(ratio: Ratio | None) -> str:
    return "-" if ratio is None else f"{figure(ratio.median)}x"


def _starts(report: ThroughputReport) -> Section:
    rows = [
        (
            start.game,
            str(start.players),
            start.api,
            "-" if start.cold is None else f"{start.cold:.1f} s",
            f"{median(start.cached):.2f} s" if start.cached else "-",
            f"{median(start.process):.2f} s" if start.process else "-",
        )
        for start in report.starts
    ]
    return Section(
        "Time to the first step",
        ("game", "players", "interface", "nothing compiled", "cached, from import", "cached, whole process"),
        rows,
        words=3,
    )


def _tape(report: ThroughputReport) -> Section:
    rows = [
        (
            tape.game,
            figure(median(tape.with_hooks)),
            figure(median(tape.without_hooks)),
            f"{tape.cost:+.1%}",
        )
        for tape in report.tape
    ]
    return Section(
        "Cost of scripts and journal while off",
        ("game", "decisions/s with hooks", "without", "cost"),
        rows,
        words=1,
        note="By processor time, median over alternating rounds of several pairs of processes; at most 3 %.",
    )


def _sizes(report: ThroughputReport) -> Section:
    rows = [
        (
            size.game,
            *map(
                figure,
                (
                    size.players,
                    size.state,
                    size.tables - size.tape,
                    size.tape,
                    size.observation,
                    size.actions,
                ),
            ),
        )
        for size in report.sizes
    ]
    return Section(
        "Sizes",
        ("game", "players", "bytes a game", "bytes of tables", "bytes of tape", "observation", "actions"),
        rows,
        words=1,
        note="Tables and tape are shared by all games of a batch.",
    )


def _absent(report: ThroughputReport) -> Section:
    rows = [(f"{f.library} {f.name}: {f.api}", f.reason) for f in report.failures]
    rows += [(library, f"not installed: pip install {pip}") for library, pip in report.missing.items()]
    return Section("Not measured", ("workload", "reason"), rows, words=2)
