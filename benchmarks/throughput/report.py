"""What a run found, as data: the JSON file is this model, and it is read back as data only."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Literal

import pydantic

from kingmaker.benchmarks.throughput.config import ThroughputConfig
from kingmaker.envs.core.datafile import problems
from kingmaker.envs.core.errors import KingmakerError

if TYPE_CHECKING:
    from rich.console import Group


class _Model(pydantic.BaseModel):
    # Medians are written for readers of the file and worked out anew on reading.
    model_config = pydantic.ConfigDict(extra="ignore", frozen=True)


class ReportError(KingmakerError, ValueError):
    """A throughput report that cannot be read."""


class Machine(_Model):
    """Where and when the run took place."""

    started: str  # ISO, UTC
    cpu: str
    cores: int  # that this process may use
    system: str
    python: str
    numba: str
    numpy: str
    load: tuple[float, float, float] | None  # at the start, over 1, 5 and 15 minutes
    compiled: bool  # False with NUMBA_DISABLE_JIT=1
    command: str


class Rate(_Model):
    """One workload's measurements, one a round."""

    library: str
    version: str
    name: str
    api: str
    unit: Literal["decisions", "steps", "copies"]
    game: str | None  # id, for ours
    counts: list[int] = pydantic.Field(min_length=1)
    seconds: list[pydantic.PositiveFloat] = pydantic.Field(min_length=1)

    @pydantic.model_validator(mode="after")
    def _same_length(self) -> Rate:
        if len(self.counts) != len(self.seconds):
            raise ValueError("as many counts as seconds are needed")
        return self

    @property
    def rates(self) -> list[float]:
        """Counted a second, by round."""
        return [count / seconds for count, seconds in zip(self.counts, self.seconds, strict=True)]

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def median(self) -> float:
        """The figure to quote."""
        return median(self.rates)

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the workload in any report."""
        return self.library, self.name, self.api


class Ratio(_Model):
    """Our rate over a peer's, round by round."""

    name: str  # our game, as in its rate
    api: str
    peer: str  # library, name and api
    like_for_like: bool  # the same kind of interface; otherwise our batch against a peer's only way
    rounds: list[float] = pydantic.Field(min_length=1)

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def median(self) -> float:
        """The figure to quote."""
        return median(self.rounds)


class Failure(_Model):
    """A workload that is installed and gave no figure."""

    library: str
    name: str
    api: str
    reason: str


class Start(_Model):
    """Seconds up to the first step of a game in a fresh process."""

    game: str
    players: int
    api: Literal["aec", "batch"]
    cold: float | None  # from the start of the process, with nothing compiled
    cached: list[float]  # from `import kingmaker.envs`, each in a process of its own
    process: list[float]  # the same runs from the start of the process


class Size(_Model):
    """Bytes and lengths of a game."""

    game: str
    players: int
    state: int
    tables: int
    tape: int  # the part of ``tables`` that scripts and journal take
    observation: int  # numbers
    actions: int


class TapeCost(_Model):
    """Batch rate without the hooks of scripts and journal, over the rate with them, round by round."""

    game: str
    players: int
    with_hooks: list[float]
    without_hooks: list[float]

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def cost(self) -> float:
        """Part of the batch throughput that the hooks cost while off; below 0 is noise."""
        pairs = zip(self.with_hooks, self.without_hooks, strict=True)
        return 1.0 - median(on / off for on, off in pairs)


class ThroughputReport(_Model):
    """Everything a run found."""

    format: Literal[1] = 1
    machine: Machine
    config: ThroughputConfig
    measurement_seconds: float
    rates: list[Rate]
    ratios: list[Ratio]
    failures: list[Failure]
    missing: dict[str, str]  # peers that are not installed, and what pip needs to be given
    starts: list[Start]
    sizes: list[Size]
    tape: list[TapeCost]

    def table(self) -> Group:
        """Return the report for rich to print."""
        from kingmaker.benchmarks.throughput.render import as_rich

        return as_rich(self)

    def markdown(self) -> str:
        """Return the report as Markdown."""
        from kingmaker.benchmarks.throughput.render import as_markdown

        return as_markdown(self)


def read_report(path: Path) -> ThroughputReport:
    """Read a report's JSON file.

    Raises:
        ReportError: if it cannot be read or is no such report.
    """
    try:
        return ThroughputReport.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from error
    except pydantic.ValidationError as error:
        raise ReportError(f"{path} is no throughput report: {problems(error)}") from None
