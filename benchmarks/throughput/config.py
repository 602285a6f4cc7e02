"""What a throughput run measures, and for how long."""

from __future__ import annotations

from typing import Any

import pydantic

from kingmaker.envs.core.datafile import problems
from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.spec import GameSpec

# What ``quick`` changes: everything together ends within 60 seconds. Pgx compiles for half a minute, so a
# quick run leaves out the peers that it has not set up in time.
QUICK = {
    "rounds": 3,
    "seconds": 0.1,
    "play_seconds": 10.0,
    "setup_seconds": 8.0,
    "starts": 1,
    "cold": False,
    "tape": False,
}


class ThroughputConfig(pydantic.BaseModel):
    """The settings of a run; ``of`` is the constructor for people.

    Attributes:
        games: names or ids; empty for all registered games.
        peers: whether the other libraries that are installed are measured too.
        rounds: measurements of each workload.
        seconds: the longest that one measurement lasts.
        play_seconds: what all measurements together may take; they are shortened to fit.
        setup_seconds: once this time is up, no further peer is set up; it is reported as left out.
        seed: seeds games and actions.
        starts: fresh processes for each cached start; 0 leaves starts out.
        cold: whether to measure the first start of all, which compiles (10 to 20 seconds each).
        tape: whether to measure what scripts and journal cost while off (compiles each game twice).
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    games: tuple[str, ...] = ()
    peers: bool = True
    rounds: int = pydantic.Field(7, ge=1, le=1000)
    seconds: float = pydantic.Field(0.8, gt=0, le=3600)
    play_seconds: float = pydantic.Field(320.0, gt=0)
    setup_seconds: float = pydantic.Field(600.0, ge=0)
    seed: int = pydantic.Field(0, ge=0, lt=2**31)
    starts: int = pydantic.Field(5, ge=0, le=100)
    cold: bool = True
    tape: bool = True

    @classmethod
    def of(cls, *, quick: bool = False, **settings: Any) -> ThroughputConfig:
        """Return a configuration.

        Args:
            quick: start from the settings of a run that ends within 60 seconds.
            **settings: fields to set.

        Raises:
            OptionError: on an unknown field, an impossible value or an unknown game.
        """
        try:
            config = cls(**{**(QUICK if quick else {}), **settings})
        except pydantic.ValidationError as error:
            raise OptionError(f"throughput settings: {problems(error)}") from None
        config.specs()
        return config

    def specs(self) -> tuple[GameSpec, ...]:
        """Return the games to measure.

        Raises:
            OptionError: if one is unknown.
        """
        return tuple(dict.fromkeys(map(get_spec, self.games))) if self.games else all_specs()

    def measurement_seconds(self, workloads: int) -> float:
        """Return how long one measurement lasts with so many workloads."""
        return min(self.seconds, self.play_seconds / max(1, workloads * self.rounds))
