"""MaskablePPO of sb3-contrib with self-play: ``train_sb3(load_sb3_config("krig"), Path("runs/krig-sb3"))``.

A run directory holds ``config.json`` (the settings, for people), ``checkpoint.zip`` (what it takes to go
on), ``model.zip`` (the latest policy, for ``sb3:PATH`` and for ``MaskablePPO.load``), ``progress.jsonl`` (a
line an update) and ``tensorboard/``.

A resumed run has its weights, optimiser, counters and pool of snapshots back. Games under way begin anew, and
chance starts from the seed and the number of updates made, so a run that was interrupted is as good as one
that was not, but not the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingmaker.training.config import TrainingError
from kingmaker.training.ppo import CONFIG, check_run_dir, torch_threads
from kingmaker.training.report import PROGRESS, Report, tell_finished
from kingmaker.training.sb3_config import SB3Config, load_sb3_config
from kingmaker.training.sb3_run import CHECKPOINT, MODEL, SB3Run

__all__ = ["SB3Config", "TrainingError", "load_sb3_config", "train_sb3"]


def train_sb3(config: SB3Config, run_dir: Path, *, resume: bool = False, console: Any = None) -> Path:
    """Train until the configuration's limit of decisions or minutes.

    Seeds NumPy's and torch's global generators, as SB3 does.

    Args:
        config: the settings.
        run_dir: directory of the run; made if missing.
        resume: go on with the run in ``run_dir`` from its last checkpoint.
        console: a ``rich`` console for a progress bar; ``None`` trains silently.

    Returns:
        Path of the trained model, for ``load_agent("sb3:PATH", game)``.

    Raises:
        TrainingError: if ``run_dir`` holds a run and ``resume`` is off, or none and it is on, or if that run
            has other settings.
        OptionError, AgentError: if the game, an option, a bot or a baseline does not fit.
    """
    run_dir = Path(run_dir)
    check_run_dir(run_dir, (CONFIG, CHECKPOINT, MODEL, PROGRESS), CHECKPOINT, resume)
    with torch_threads(config.threads):
        run = SB3Run(config, run_dir)
        if resume:
            run.restore()
        else:
            run_dir.mkdir(parents=True, exist_ok=True)
            run.save()
            (run_dir / CONFIG).write_text(config.model_dump_json(indent=2) + "\n", "utf-8")
        if run.progress >= 1.0:
            run.save()
            tell_finished(run_dir, config.stop, console)
            return run_dir / MODEL
        title = f"{run.env.game_spec.title}, {run.env.num_players} seats"
        with Report(run_dir, run.updates, title, console, tensorboard=False) as report:
            run.learn(report)
    return run_dir / MODEL
