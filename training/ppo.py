"""Self-play PPO over the batch environment: ``train_ppo(load_config("krig"), Path("runs/krig"))``.

A run directory holds ``config.json`` (the settings, for people), ``checkpoint.pt`` (all it takes to go on),
``policy.pt`` (the latest policy, for ``policy:PATH``), ``progress.jsonl`` (a line an update) and
``tensorboard/``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from kingmaker.training.checkpoint import load_checkpoint, save_checkpoint
from kingmaker.training.config import PPOConfig, TrainingError, load_config
from kingmaker.training.policy_file import save_policy
from kingmaker.training.report import PROGRESS, Report, tell_finished
from kingmaker.training.trainer import Trainer

__all__ = ["PPOConfig", "TrainingError", "load_config", "train_ppo"]

CONFIG, CHECKPOINT, POLICY = "config.json", "checkpoint.pt", "policy.pt"
TOURNAMENT = "results.jsonl"  # what tells a tournament's directory
MAX_THREADS = 4  # networks of this size gain nothing from more


def train_ppo(config: PPOConfig, run_dir: Path, *, resume: bool = False, console: Any = None) -> Path:
    """Train until the configuration's limit of decisions or minutes.

    Args:
        config: the settings.
        run_dir: directory of the run; made if missing.
        resume: go on with the run in ``run_dir`` from its last checkpoint. Unless it stops by minutes, it
            ends with the weights that it would have had without the interruption.
        console: a ``rich`` console for a progress bar; ``None`` trains silently.

    Returns:
        Path of the trained policy, for ``load_agent("policy:PATH", game)``.

    Raises:
        TrainingError: if ``run_dir`` holds a run and ``resume`` is off, or none and it is on, or if that run
            has other settings.
        OptionError, AgentError: if the game, an option, a bot or a baseline does not fit.
    """
    run_dir = Path(run_dir)
    with torch_threads(config.threads):
        trainer = _open_run(config, run_dir, resume)
        if trainer.progress >= 1.0:
            tell_finished(run_dir, config.stop, console)
            return run_dir / POLICY
        title = f"{trainer.spec.title}, {trainer.num_players} seats"
        with Report(run_dir, trainer.updates, title, console, config.tensorboard) as report:
            while trainer.progress < 1.0:
                _update(trainer, report, run_dir)
        _save(trainer, run_dir)
    return run_dir / POLICY


def _open_run(config: PPOConfig, run_dir: Path, resume: bool) -> Trainer:
    check_run_dir(run_dir, (CONFIG, CHECKPOINT, POLICY, PROGRESS), CHECKPOINT, resume)
    if resume:
        trainer = load_checkpoint(run_dir / CHECKPOINT, config)
    else:
        trainer = Trainer(config)
        run_dir.mkdir(parents=True, exist_ok=True)
        _save(trainer, run_dir)
    (run_dir / CONFIG).write_text(config.model_dump_json(indent=2) + "\n", "utf-8")
    return trainer


def check_run_dir(run_dir: Path, files: Sequence[str], checkpoint: str, resume: bool) -> None:
    """Check that a directory is fit for a new run, or holds one that can go on.

    Raises:
        TrainingError: if not.
    """
    used = [name for name in files if (run_dir / name).exists()]
    if resume and checkpoint not in used:
        raise TrainingError(f"{run_dir} holds no run to resume")
    if used and not resume:
        raise TrainingError(f"{run_dir} already holds a run ({', '.join(used)}); resume it or choose another")
    if (run_dir / TOURNAMENT).exists():
        raise TrainingError(f"{run_dir} holds a tournament ({TOURNAMENT}); choose another directory")


def _update(trainer: Trainer, report: Report, run_dir: Path) -> None:
    """Make one update, with the evaluation and the checkpoint that are due after it."""
    config = trainer.config
    line = trainer.step()
    ends = trainer.progress >= 1.0
    scores = trainer.evaluate() if ends or trainer.updates % config.evaluation.every == 0 else []
    report.write(line, trainer.progress, scores)
    if not ends and trainer.updates % config.checkpoint_every == 0:
        _save(trainer, run_dir)


def _save(trainer: Trainer, run_dir: Path) -> None:
    save_policy(
        run_dir / POLICY,
        trainer.network,
        trainer.config.network,
        trainer.spec,
        trainer.num_players,
        trainer.games.options,
        trainer.decisions,
    )
    save_checkpoint(trainer, run_dir / CHECKPOINT)


@contextmanager
def torch_threads(wanted: int | None) -> Iterator[None]:
    """Set torch's threads (``None``: the cores it may use, at most 4), and put them back afterwards."""
    before = torch.get_num_threads()
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    torch.set_num_threads(wanted or min(available, MAX_THREADS))
    try:
        yield
    finally:
        torch.set_num_threads(before)
