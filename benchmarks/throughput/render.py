"""The report for the terminal, as Markdown, and as a plot."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group
from rich.table import Table
from rich.text import Text

from kingmaker.benchmarks.throughput.report import Rate, ThroughputReport
from kingmaker.benchmarks.throughput.sections import Section, figure, header, sections


def as_rich(report: ThroughputReport) -> Group:
    """Return the report for rich to print."""
    head = [Text(line, style="dim") for line in header(report)]
    return Group(*head, *map(_rich_table, sections(report)))


def _rich_table(section: Section) -> Table:
    table = Table(title=section.title, caption=section.note or None, title_justify="left")
    for number, column in enumerate(section.columns):
        table.add_column(column, justify="left" if number < section.words else "right")
    for row in section.rows:
        table.add_row(*map(Text, row))  # Text, since a reason may hold what rich takes for markup
    return table


def as_markdown(report: ThroughputReport) -> str:
    """Return the report as Markdown."""
    lines = ["# Throughput", "", *(f"- {line}" for line in header(report)), ""]
    for section in sections(report):
        lines += [f"## {section.title}", "", *_markdown_table(section), ""]
        if section.note:
            lines += [section.note, ""]
    return "\n".join(lines)


def _markdown_table(section: Section) -> list[str]:
    rule = ["---" if number < section.words else "---:" for number in range(len(section.columns))]
    rows = [section.columns, rule, *section.rows]
    return [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]


def draw_plot(report: ThroughputReport, path: Path) -> None:
    """Write a bar chart of all rates on a log scale to ``path``, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rates = sorted((rate for rate in report.rates if rate.unit != "copies"), key=lambda rate: rate.median)
    picture = Figure(figsize=(11, 1.5 + 0.24 * len(rates)), layout="constrained")
    axes = picture.subplots()
    middle = [rate.median for rate in rates]
    spread = [
        [rate.median - min(rate.rates) for rate in rates],
        [max(rate.rates) - rate.median for rate in rates],
    ]
    colours = ["tab:blue" if rate.game is not None else "tab:grey" for rate in rates]
    bars = axes.barh(range(len(rates)), middle, xerr=spread, color=colours, error_kw={"elinewidth": 0.8})
    axes.bar_label(bars, [figure(value) for value in middle], padding=4, fontsize=7)
    axes.set_yticks(range(len(rates)), [_label(rate) for rate in rates], fontsize=7)
    axes.set_xscale("log")
    axes.margins(x=0.12, y=0.01)
    axes.set_xlabel("decisions or learner's steps a second (median, range), log scale")
    axes.set_title(f"kingmaker (blue) and other libraries (grey): {report.machine.cpu}", fontsize=9)
    FigureCanvasAgg(picture).print_png(str(path))


def _label(rate: Rate) -> str:
    return f"{rate.library} {rate.name}: {rate.api}"
