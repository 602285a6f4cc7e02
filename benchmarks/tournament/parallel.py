"""Playing chunks over processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.connection import wait as wait_for

from kingmaker.benchmarks.tournament.config import Setup, TournamentConfig, resolve
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.play import ChunkPlayer, ChunkResult, one_torch_thread
from kingmaker.envs.core.spec import GameSpec


def play_chunks(
    setup: Setup, player: ChunkPlayer, chunks: Iterable[int], processes: int
) -> Iterator[ChunkResult]:
    """Yield the results of ``chunks`` as they come in.

    Args:
        setup: the tournament.
        player: plays them if they are to be played in this process.
        chunks: their numbers.
        processes: 1 plays here; more starts so many fresh interpreters, which import the caller's main
            module, so a script needs ``if __name__ == "__main__":`` round its call.

    Raises:
        KingmakerError: from a chunk; what other processes had begun is yielded before.
    """
    if processes == 1:
        with one_torch_thread():
            yield from map(player.play, chunks)
        return
    executor = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(setup.config, setup.spec),
    )
    try:
        yield from _results(executor, iter(chunks), processes + 1)
    except BrokenProcessPool:
        raise TournamentError(
            "a worker process died (out of memory?); the results so far are kept, run again to go on"
        ) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _results(executor: ProcessPoolExecutor, chunks: Iterator[int], ahead: int) -> Iterator[ChunkResult]:
    """Yield results with at most ``ahead`` chunks begun, so that an error wastes little."""
    pending: set[Future[ChunkResult]] = {executor.submit(_play, chunk) for chunk in islice(chunks, ahead)}
    failure: BaseException | None = None
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            error = future.exception()
            if error is None:
                yield future.result()
            failure = failure or error
        if failure is None:
            pending |= {executor.submit(_play, chunk) for chunk in islice(chunks, len(done))}
    if failure is not None:
        raise failure


# --- inside a worker ----------------------------------------------------------------------------------

_given: tuple[TournamentConfig, GameSpec]
_player: ChunkPlayer | None = None


def _start(config: TournamentConfig, spec: GameSpec) -> None:
    global _given
    _given = (config, spec)
    os.environ["OMP_NUM_THREADS"] = "1"  # before an agent loads torch
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends workers at once and without a traceback
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End this process when the parent is gone, which a killed parent cannot ask for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def _play(chunk: int) -> ChunkResult:
    global _player
    if _player is None:  # here and not in ``_start``, whose errors would not reach the parent
        _player = ChunkPlayer(resolve(*_given))
    with one_torch_thread():
        return _player.play(chunk)
