"""Running a tournament from settings to report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kingmaker.benchmarks.tournament.config import TournamentConfig, resolve
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.parallel import play_chunks
from kingmaker.benchmarks.tournament.play import ChunkPlayer
from kingmaker.benchmarks.tournament.report import TournamentReport
from kingmaker.benchmarks.tournament.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console


def run_tournament(
    config: TournamentConfig,
    out_dir: Path,
    *,
    resume: bool = True,
    processes: int = 1,
    console: Console | None = None,
) -> TournamentReport:
    """Play a tournament, or what is missing of it, and write its report.

    The report depends on ``config`` alone: not on ``processes``, nor on how often the run was interrupted.

    Args:
        config: what is played.
        out_dir: gets the results, game by game, and the report's files; made if missing.
        resume: continue results that lie in ``out_dir``; otherwise they are an error.
        processes: interpreters to play in; with more than one, a script needs the usual
            ``if __name__ == "__main__":`` round its call.
        console: where a progress bar is shown; none by default.

    Raises:
        TournamentError: for wrong settings, or an ``out_dir`` that holds other results.
        AgentError: if an agent cannot be loaded, fails or answers with an illegal action; the games played
            until then are kept.
        KingmakerError: for a game, option or data file that does not exist or fit.
    """
    if processes < 1:
        raise TournamentError(f"processes is at least 1, not {processes}")
    out_dir = Path(out_dir)
    setup = resolve(config)
    player = ChunkPlayer(setup)  # also where several processes play: errors show before anything starts
    with Store(setup, out_dir, resume=resume) as store:
        with _progress(console, setup.schedule.num_games, store.num_done) as advance:
            for result in play_chunks(setup, player, store.missing, processes):
                store.add(result)
                advance(len(result.seeds))
        report = TournamentReport.of(setup, store.results, store.timing())
        report.write(out_dir)
    return report


@contextmanager
def _progress(console: Console | None, total: int, done: int) -> Iterator[Callable[[int], Any]]:
    """Yield a function that counts games onto a progress bar."""
    if console is None:
        yield lambda games: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Speed(TextColumn):
        def render(self, task: Any) -> Any:
            self.text_format = f"{task.speed:,.0f} games/s" if task.speed else ""
            return super().render(task)

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), Speed(""), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("games", total=total, completed=done)
        yield lambda games: progress.advance(task, games)
