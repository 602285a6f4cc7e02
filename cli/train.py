"""``kingmaker train``: self-play training from a configuration."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from kingmaker.cli.common import Game, Seats, console, examples, find_game, run_folder, say
from kingmaker.cli.errors import CommandError


class TrainerName(str, Enum):
    """The trainers."""

    PPO = "ppo"
    SB3 = "sb3"


@dataclass(frozen=True)
class _Trainer:
    config: Any  # the pydantic model of its settings
    load: Callable[..., Any]  # (source, settings) -> config
    train: Callable[..., Path]  # (config, run_dir, *, resume, console) -> file
    agent: str  # how ``load_agent`` calls its result


def _load_trainer(name: TrainerName) -> _Trainer:
    """Import a trainer; torch and SB3 take seconds."""
    if name is TrainerName.SB3:
        from kingmaker.training.sb3 import SB3Config, load_sb3_config, train_sb3

        return _Trainer(SB3Config, load_sb3_config, train_sb3, "sb3")
    from kingmaker.training.ppo import PPOConfig, load_config, train_ppo

    return _Trainer(PPOConfig, load_config, train_ppo, "policy")


def train(
    game: Game,
    seats: Seats = None,
    trainer: Annotated[
        TrainerName, typer.Option(help="ppo: our own, in torch. sb3: MaskablePPO of sb3-contrib.")
    ] = TrainerName.PPO,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Settings in TOML; those that come with the game by default."),
    ] = None,
    run_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Directory of the run; runs/GAME-TRAINER-N by default, the next N."),
    ] = None,
    minutes: Annotated[float | None, typer.Option(metavar="M", help="Stop after so many minutes.")] = None,
    decisions: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many decisions.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --run-dir, or with the latest.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Replace a setting, as in update.clip=0.1; repeatable."
        ),
    ] = None,
) -> None:
    """Train an agent by self-play and say how to use it.

    --minutes and --decisions replace the stop of the configuration; with both,
    whichever comes first ends the run. A resumed run keeps its settings; only
    its stop can be changed.
    """
    spec = find_game(game)
    chosen = _load_trainer(trainer)
    limits = {"minutes": minutes, "decisions": decisions}
    stop = {name: value for name, value in limits.items() if value is not None}
    folder = run_dir or run_folder(f"{spec.name}-{trainer.value}", latest=resume)
    if resume:
        if config or settings or seats:
            raise CommandError("a resumed run keeps its settings; leave out --config, --set and --seats")
        values = _saved_config(chosen, folder, spec.id, stop)
    else:
        given = [*_settings(spec.id if config else None, seats, stop), *(settings or ())]
        values = chosen.load(config or spec.name, given)
    command = f"kingmaker train {spec.name} --trainer {trainer.value} --run-dir {shlex.quote(str(folder))}"
    _run(chosen, values, folder, resume, command)


def _settings(game: str | None, seats: int | None, stop: dict[str, Any]) -> list[str]:
    """Return the parameters that have options of their own as ``key=value`` settings in TOML."""
    given = []
    if game is not None:
        given.append(f'game="{game}"')
    if seats is not None:
        given.append(f"num_players={seats}")
    if stop:
        given.append(f"stop={{{', '.join(f'{name}={value}' for name, value in stop.items())}}}")
    return given


def _saved_config(trainer: _Trainer, folder: Path, game: str, stop: dict[str, Any]) -> Any:
    """Return the settings that a run was started with, and ``stop`` in place of its own if not empty.

    Raises:
        TrainingError: if there is no run in the folder, or one of another game or trainer.
    """
    import pydantic

    from kingmaker.envs.core.registry import get_spec
    from kingmaker.training.config import TrainingError
    from kingmaker.training.ppo import CONFIG

    file = folder / CONFIG
    if not file.is_file():
        raise TrainingError(f"{folder} holds no run to resume")
    try:
        saved = json.loads(file.read_text("utf-8"))
        values = trainer.config.model_validate({**saved, "stop": stop or saved["stop"]})
    except (ValueError, KeyError, TypeError, pydantic.ValidationError):
        raise TrainingError(f"{file} does not hold the settings of a run by this trainer") from None
    if get_spec(values.game).id != game:
        raise TrainingError(f"{folder} holds a run of {values.game}, not of {game}")
    return values


def _run(trainer: _Trainer, values: Any, folder: Path, resume: bool, command: str) -> None:
    try:
        result = trainer.train(values, folder, resume=resume, console=console(stderr=True))
    except KeyboardInterrupt:
        say(console(stderr=True), f"Go on from the last checkpoint: {command} --resume")
        raise
    game = find_game(values.game).name
    agent = shlex.quote(f"{trainer.agent}:{result}")
    out = console()
    say(out, f"Trained: {result}")
    say(out, f"  rate it:       kingmaker tournament {game} random heuristic {agent}")
    say(out, f"  play it:       kingmaker play {game} --opponents {agent}")
    say(out, f"  train it more: {command} --resume --minutes M   (M counts from the start of the run)")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker train krig --minutes 2",
        "kingmaker train krig --trainer sb3 --run-dir runs/mine",
        "kingmaker train krig --config my.toml --set update.clip=0.1 --set options.hit_points=12",
        "kingmaker train krig --run-dir runs/mine --resume",
    )
    app.command("train", epilog=epilog)(train)
