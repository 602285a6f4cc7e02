"""Setting workloads up and timing them in rotated rounds; one that fails is reported and left out."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from kingmaker.benchmarks.throughput.ours import OurWorkload
from kingmaker.benchmarks.throughput.peers.workload import Run, Workload
from kingmaker.benchmarks.throughput.report import Failure, Rate

WARM_UP_SECONDS = 0.02
Tell = Callable[[str], None]


@dataclass
class Contender:
    """A workload that is set up, and what was counted and timed of it so far."""

    workload: Workload
    run: Run
    counts: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Play for about so long and keep what came of it."""
        count, elapsed = self.run(seconds)
        self.counts.append(count)
        self.seconds.append(elapsed)

    def rate(self) -> Rate:
        """Return the result in the report's form."""
        work = self.workload
        ours = work if isinstance(work, OurWorkload) else None
        return Rate(
            library=work.library,
            version=distribution_version(work.distribution),
            name=work.name,
            api=work.api,
            unit=ours.unit if ours else "decisions",
            game=ours.game if ours else None,
            counts=self.counts,
            seconds=self.seconds,
        )


def distribution_version(name: str) -> str:
    """Return the installed version of a distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def _failure(workload: Workload, reason: str) -> Failure:
    return Failure(library=workload.library, name=workload.name, api=workload.api, reason=reason)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def set_up(
    workloads: Sequence[Workload], seed: int, peer_seconds: float, tell: Tell
) -> tuple[list[Contender], list[Failure]]:
    """Make each workload and let it play a moment, so that nothing compiles or loads while timed.

    Args:
        workloads: what to measure; ours come first, so that a peer never keeps them out.
        seed: for games and actions.
        peer_seconds: once this time is up, peers are left out.
        tell: is told what is being set up.
    """
    ready, failures = [], []
    begin = time.perf_counter()
    for work in workloads:
        if not isinstance(work, OurWorkload) and time.perf_counter() - begin > peer_seconds:
            failures.append(_failure(work, "left out: no time left to set it up in this short run"))
            continue
        tell(f"setting up {work.library} {work.name} {work.api}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other libraries' advice on their own games
                run = work.make(seed)
                run(WARM_UP_SECONDS)
        except Exception as error:  # a broken peer is a finding of the run and no reason to end it
            failures.append(_failure(work, _describe(error)))
        else:
            ready.append(Contender(work, run))
    return ready, failures


def play_rounds(
    contenders: Sequence[Contender], rounds: int, seconds: float, tell: Tell
) -> tuple[list[Rate], list[Failure]]:
    """Measure every contender once a round; each round begins at another place of the list."""
    playing, failures = list(contenders), []
    for number in range(rounds):
        start = number * len(playing) // rounds
        for contender in playing[start:] + playing[:start]:
            work = contender.workload
            tell(f"round {number + 1} of {rounds}: {work.library} {work.name} {work.api}")
            try:
                contender.measure(seconds)
            except Exception as error:  # as in set_up
                failures.append(_failure(work, _describe(error)))
                playing.remove(contender)
    return [contender.rate() for contender in playing], failures
