"""Running a leaderboard from plan to page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kingmaker.benchmarks.leaderboard.choose import Entry
from kingmaker.benchmarks.leaderboard.markdown import PLOT, markdown, plot_of
from kingmaker.benchmarks.leaderboard.record import make_record, read_records, write_record
from kingmaker.benchmarks.tournament.config import resolve
from kingmaker.benchmarks.tournament.estimate import games_left, seconds_a_game
from kingmaker.benchmarks.tournament.exact import add_exact_values, is_quick, why_unknown
from kingmaker.benchmarks.tournament.files import write_text, write_with
from kingmaker.benchmarks.tournament.play import ChunkPlayer
from kingmaker.benchmarks.tournament.report import PLOT as TABLE_PLOT
from kingmaker.benchmarks.tournament.run import run_tournament
from kingmaker.benchmarks.tournament.store import Store

if TYPE_CHECKING:
    from rich.console import Console

PAGE, DATA = "leaderboard.md", "leaderboard.json"


@dataclass(frozen=True)
class Forecast:
    """What a table still takes.

    Attributes:
        games: that are not yet played.
        seconds: about so much processor time for them.
    """

    games: int
    seconds: float


def forecast(entry: Entry, out_dir: Path) -> Forecast:
    """Return what a table still takes; asks each agent a few times.

    Raises:
        KingmakerError: if an agent cannot be loaded or fails, or the folder holds other results.
    """
    setup = resolve(entry.config)
    games = games_left(setup, out_dir / entry.folder)
    return Forecast(games, games * seconds_a_game(ChunkPlayer(setup)) if games else 0.0)


def run_leaderboard(
    entries: Iterable[Entry],
    out_dir: Path,
    *,
    page: Path | None = None,
    processes: int = 1,
    console: Console | None = None,
    tell: Callable[[str], object] = lambda text: None,
) -> list[dict[str, Any]]:
    """Play tables, or what is missing of them, and write the leaderboard of all that lie in a folder.

    The page is written anew after each table, from the finished ones.

    Args:
        entries: the tables, see ``choose``.
        out_dir: gets a folder a table; tables that were played there before stay in the leaderboard.
        page: the Markdown file to write; ``leaderboard.md`` in ``out_dir`` by default. Pictures and data go
            to a folder beside it that is called like it.
        processes: interpreters to play in; results do not depend on it.
        console: where progress bars are shown; none by default.
        tell: called with the name of each table before it is played.

    Returns:
        The records of ``entries``, see ``make_record``.

    Raises:
        KingmakerError: as ``run_tournament`` does; tables finished until then are kept.
    """
    records = []
    read_records(out_dir)  # a file that cannot be shown is found before anything is played
    for entry in entries:
        tell(f"{entry.title}: {', '.join(entry.config.agents)}")
        records.append(_play(entry, out_dir / entry.folder, processes, console))
        write_page(out_dir, out_dir / PAGE if page is None else page)
    return records


def _play(entry: Entry, folder: Path, processes: int, console: Console | None) -> dict[str, Any]:
    report = run_tournament(entry.config, folder, processes=processes, console=console)
    if why_unknown(report.setup) is None and is_quick(report.setup):
        add_exact_values(report)
        report.write(folder)
    with Store(report.setup, folder, resume=True) as store:
        record = make_record(entry, report, store.results.ranks)
    write_record(folder, record)
    return record


def write_page(out_dir: Path, page: Path) -> None:
    """Write the leaderboard of all finished tables under a folder.

    Raises:
        LeaderboardError: if a file there is not a table of this format.
    """
    from kingmaker.benchmarks.leaderboard.plot import save_plot

    records, beside = read_records(out_dir), page.with_suffix("")
    beside.mkdir(parents=True, exist_ok=True)
    write_with(beside / PLOT, lambda path: save_plot(records, path))
    for record in records:
        shutil.copyfile(out_dir / record["folder"] / TABLE_PLOT, beside / plot_of(record))
    write_text(beside / DATA, json.dumps(records, indent=1, ensure_ascii=False) + "\n")
    write_text(page, markdown(records, beside.name))
