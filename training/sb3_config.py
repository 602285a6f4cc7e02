"""What a MaskablePPO run can be told: the settings of ``kingmaker.training.config`` that SB3 has."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import Field

from kingmaker.envs.core.datafile import Table
from kingmaker.envs.core.spec import RewardMode
from kingmaker.training.config import (
    MAX_DEPTH,
    EvaluationConfig,
    OpponentsConfig,
    RolloutConfig,
    StopConfig,
    UpdateConfig,
    Width,
    read_config,
)


class SB3NetworkConfig(Table):
    """SB3's ``MlpPolicy``: one network for the actions and one of the same shape for the value."""

    hidden: list[Width] = Field(
        [64, 64], min_length=1, max_length=MAX_DEPTH, description="width of each hidden layer"
    )
    activation: Literal["relu", "tanh"] = Field("relu", description="between the layers")


class SB3Config(Table):
    """One run of MaskablePPO with self-play.

    Decisions are the learner's own, which SB3 calls timesteps; its opponents' come on top.
    """

    game: str = Field(description="name or id of the game")
    num_players: int | None = Field(None, description="seats; the game's smallest count by default")
    options: dict[str, int | bool] = Field({}, description="rule options by name")
    reward: RewardMode = Field("win", description="win, placement or score")
    seed: int = Field(0, ge=0, lt=2**63, description="start of all chance")
    threads: int | None = Field(None, ge=1, description="threads of torch; by default at most 4")
    checkpoint_every: int = Field(50, ge=1, description="updates between two checkpoints")
    tensorboard: bool = Field(True, description="also log for TensorBoard, if it is installed")
    stop: StopConfig
    network: SB3NetworkConfig = SB3NetworkConfig()
    rollout: RolloutConfig = RolloutConfig()
    update: UpdateConfig = UpdateConfig()
    opponents: OpponentsConfig = OpponentsConfig()
    evaluation: EvaluationConfig = EvaluationConfig()


def load_sb3_config(source: str | Path, settings: Iterable[str] = ()) -> SB3Config:
    """Read a training configuration.

    Args:
        source: path of a TOML file, or the name of a game that has a ``<name>_sb3.toml`` in
            ``training/configs``.
        settings: entries to replace, as ``"key=value"`` with dots for sections: ``"update.clip=0.1"``.

    Raises:
        TrainingError: if the file or a setting does not fit; one line that says where.
    """
    return read_config(SB3Config, source, settings, "_sb3")
