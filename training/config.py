"""What a training run can be told: validated settings, read from a TOML file and overridden one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, model_validator

from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.errors import KingmakerError, TableError
from kingmaker.envs.core.spec import RewardMode

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Config = TypeVar("Config", bound=Table)
Width = Annotated[int, Field(ge=1, le=4096)]
Count = Annotated[int, Field(ge=2, le=256)]
MAX_DEPTH = 8  # with ``Width``: a stranger's file must not fill the memory
CONFIGS = Path(__file__).parent / "configs"


class TrainingError(KingmakerError, ValueError):
    """A configuration that does not fit, or a run directory that cannot be used."""


class StopConfig(Table):
    """When training ends: at whichever comes first.

    Learning rate and entropy bonus are annealed up to there.
    """

    decisions: int | None = Field(None, ge=1, description="decisions played in all, by every seat")
    minutes: float | None = Field(
        None, gt=0, description="wall time; a run that this ends depends on the machine's speed"
    )

    @model_validator(mode="after")
    def _some(self) -> StopConfig:
        if self.decisions is None and self.minutes is None:
            raise ValueError("give decisions, minutes or both")
        return self


class NetworkConfig(Table):
    """The network from an observation to action logits and a value."""

    hidden: list[Width] = Field(
        [64, 64], min_length=1, max_length=MAX_DEPTH, description="width of each hidden layer"
    )
    activation: Literal["relu", "tanh"] = Field("relu", description="between the layers")
    shared: bool = Field(False, description="one trunk for both heads, or one each")
    steps: dict[str, Count] = Field(
        {},
        description="features that come in steps, by name: how many; each is then an input of its own, too",
    )
    references: bool = Field(
        True, description="score the things that actions refer to, in games that tell (`GameSpec.references`)"
    )


class RolloutConfig(Table):
    """How much is played between two updates."""

    games: int = Field(2048, ge=1, description="games played side by side")
    steps: int = Field(32, ge=1, description="decisions in each of them before an update")


class UpdateConfig(Table):
    """Proximal policy optimisation (Schulman et al. 2017)."""

    epochs: int = Field(2, ge=1, description="passes over the decisions of a rollout")
    minibatch: int = Field(16_384, ge=1, description="decisions in a gradient step, about")
    learning_rate: float = Field(1e-3, gt=0, description="of Adam, at the start")
    learning_rate_end: float = Field(0.0, ge=0, description="of Adam, at the end; linear in between")
    entropy: float = Field(0.01, ge=0, description="weight of the entropy bonus at the start")
    entropy_end: float = Field(0.0, ge=0, description="weight of the entropy bonus at the end")
    clip: float = Field(0.2, gt=0, lt=1, description="how far a probability ratio may leave 1 and gain by it")
    value_weight: float = Field(0.5, ge=0, description="weight of the value loss")
    max_gradient: float = Field(0.5, gt=0, description="norm to which gradients are clipped")
    discount: float = Field(1.0, gt=0, le=1, description="of a reward, for each own decision before it")
    trace: float = Field(0.95, ge=0, le=1, description="lambda of the generalised advantage estimate")


class OpponentsConfig(Table):
    """Who plays the other seats; ``kingmaker.training.league`` states the sampling rule."""

    share: float = Field(
        0.2, ge=0, le=1, description="share of games with other opponents than the latest policy"
    )
    slots: int = Field(2, ge=1, description="different opponents in play at a time")
    prefer: Literal["any", "close"] = Field(
        "any", description="whether opponents of about the same strength are drawn more often"
    )
    hold: int = Field(1, ge=1, description="rollouts for which a slot keeps its opponent")
    pool: int = Field(16, ge=2, description="snapshots kept, evenly spread over the run")
    every: int = Field(10, ge=1, description="updates between two snapshots, at first")
    bots: list[str] = Field([], description="agents by name that may take a slot, such as 'heuristic'")
    bot_share: float = Field(0.0, ge=0, le=1, description="share of slots that a bot takes")

    @model_validator(mode="after")
    def _bots(self) -> OpponentsConfig:
        if bool(self.bots) != (self.bot_share > 0):
            raise ValueError("bots and bot_share go together")
        return self


class EvaluationConfig(Table):
    """The regular games against fixed agents, on the same seeds each time, every seat equally often."""

    every: int = Field(25, ge=1, description="updates between two evaluations; the end has one anyway")
    games: int = Field(1000, ge=1, description="games against each agent")
    baselines: list[str] = Field(["random", "heuristic"], description="agents by name")


class PPOConfig(Table):
    """One run of self-play training."""

    game: str = Field(description="name or id of the game")
    num_players: int | None = Field(None, description="seats; the game's smallest count by default")
    options: dict[str, int | bool] = Field({}, description="rule options by name")
    reward: RewardMode = Field("win", description="win, placement or score")
    seed: int = Field(0, ge=0, lt=2**63, description="start of all chance: games, choices, first weights")
    # With two threads an idle machine with two cores trains about 1.5 times as fast, but one that does other
    # work too trains many times slower, since each waits for the other at every layer.
    threads: int = Field(1, ge=1, description="threads of torch; the last bits of the weights depend on it")
    checkpoint_every: int = Field(50, ge=1, description="updates between two checkpoints")
    tensorboard: bool = Field(True, description="also log for TensorBoard, if it is installed")
    stop: StopConfig
    network: NetworkConfig = NetworkConfig()
    rollout: RolloutConfig = RolloutConfig()
    update: UpdateConfig = UpdateConfig()
    opponents: OpponentsConfig = OpponentsConfig()
    evaluation: EvaluationConfig = EvaluationConfig()


def load_config(source: str | Path, settings: Iterable[str] = ()) -> PPOConfig:
    """Read the configuration of a PPO run.

    Args:
        source: path of a TOML file, or the name of a game that has one in ``training/configs``.
        settings: entries to replace, as ``"key=value"`` with dots for sections: ``"update.clip=0.1"``.

    Raises:
        TrainingError: if the file or a setting does not fit; one line that says where.
    """
    return read_config(PPOConfig, source, settings)


def read_config(model: type[Config], source: str | Path, settings: Iterable[str], ending: str = "") -> Config:
    """Read a configuration of any kind; as ``load_config``.

    Args:
        model: what the file must look like.
        source: path of a TOML file, or the name of a game; a ``Path`` is always a file.
        settings: entries to replace.
        ending: what follows the game's name in the names of this kind's files in ``training/configs``.
    """
    path = Path(source)
    if isinstance(source, Path) or path.suffix == ".toml":
        if not path.is_file():
            raise TrainingError(f"there is no file {path}")
    else:
        path = CONFIGS / f"{source}{ending}.toml"
        if not path.is_file():
            raise TrainingError(f"no training configuration for {source!r}; name a game or a .toml file")
    try:
        return read_table(model, path, dict(map(parse_setting, settings)))
    except TableError as error:
        raise TrainingError(str(error)) from None


def parse_setting(text: str) -> tuple[str, Any]:
    """Split ``key=value``; the value is TOML, or else a plain string.

    Raises:
        TrainingError: if there is no key.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise TrainingError(f"a setting has the form key=value, not {text!r}")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()
