"""What a run tells while it runs: ``progress.jsonl``, TensorBoard, and a progress bar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kingmaker.training.config import StopConfig
from kingmaker.training.evaluate import Score

PROGRESS = "progress.jsonl"


def short(count: float) -> str:
    """Return a count in few characters: 512, 8.2k, 3.4M."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if count >= unit:
            return f"{count / unit:.1f}{letter}"
    return f"{count:.0f}"


def tell_finished(run_dir: Path, stop: StopConfig, console: Any) -> None:
    """Say that a resumed run has nothing left to do."""
    if console is None:
        return
    limits = [f"{value:g} {name}" for name, value in stop.model_dump(exclude_none=True).items()]
    console.print(
        f"{run_dir} is already at its limit of {' or '.join(limits)}; "
        "raise it to go on (--decisions, --minutes)",
        markup=False,
        soft_wrap=True,
    )


def read_progress(run_dir: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's ``progress.jsonl``; a last line cut short by a kill is left out."""
    lines = []
    path = run_dir / PROGRESS
    for text in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            break
    return lines


class Report:
    """Writes a run's progress; a context manager.

    Args:
        run_dir: the run's directory.
        updates: updates made so far; lines of later ones, left by a killed process, are dropped.
        title: what the bar is called.
        console: a ``rich`` console for the bar, or ``None`` for silence.
        tensorboard: whether to log for TensorBoard too, if it is installed.
    """

    def __init__(self, run_dir: Path, updates: int, title: str, console: Any, tensorboard: bool) -> None:
        path = run_dir / PROGRESS
        kept = [line for line in read_progress(run_dir) if line["update"] <= updates]
        partial = path.with_suffix(".partial")
        partial.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
        partial.replace(path)
        self._file = path.open("a", encoding="utf-8")
        self._board = _open_tensorboard(run_dir, updates, console) if tensorboard else None
        self._bar = None if console is None else _Bar(console, title)

    def __enter__(self) -> Report:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()
        if self._board:
            self._board.close()
        if self._bar:
            self._bar.stop()

    def write(self, line: dict[str, Any], progress: float, scores: list[Score]) -> None:
        """Report one update.

        Args:
            line: its figures, as ``Trainer.step`` returns them.
            progress: how much of the run is done, 0 to 1.
            scores: results of an evaluation after this update, if there was one.
        """
        if scores:
            line = {**line, "scores": [vars(score) for score in scores]}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        if self._board:
            for name, value in line.items():
                if name not in ("update", "decisions", "scores"):
                    self._board.add_scalar(name, value, line["decisions"])
            for score in scores:
                self._board.add_scalar(f"win_rate/{score.opponent}", score.win_rate, line["decisions"])
        if self._bar:
            self._bar.show(line, progress, scores)


def _open_tensorboard(run_dir: Path, updates: int, console: Any) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        if console is not None:
            console.print("TensorBoard is not installed; the run is logged in progress.jsonl alone")
        return None
    decisions = max((line["decisions"] for line in read_progress(run_dir)), default=0)
    return SummaryWriter(str(run_dir / "tensorboard"), purge_step=decisions + 1 if updates else None)


class _Bar:
    """A rich progress bar: decisions, decisions a second, and the score against each baseline."""

    def __init__(self, console: Any, title: str) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[figures]}"),
            console=console,
        )
        self._task = self._progress.add_task(title, total=1.0, figures="")
        self._scores = ""

    def start(self) -> None:
        self._progress.start()

    def stop(self) -> None:
        self._progress.stop()

    def show(self, line: dict[str, Any], progress: float, scores: list[Score]) -> None:
        if scores:
            self._scores = "".join(f"  {s.opponent} {s.win_rate:.1%}" for s in scores)
        rate = line["decisions_per_second"]
        figures = f"{short(line['decisions'])} decisions  {short(rate)}/s{self._scores}"
        self._progress.update(self._task, completed=progress, figures=figures)
