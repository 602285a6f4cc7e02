"""A process that plays batches of one game with or without the hooks of scripts and journal compiled in.

`python -m kingmaker.benchmarks.throughput.tape_child VARIANT GAME PLAYERS GAMES SEED` answers on its first
line with what it found out about itself, and then each line `SECONDS` with the count and the time it took.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from kingmaker.benchmarks.throughput.ours import play_batch
from kingmaker.envs.core import chance, tape
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.kernel import kernel
from kingmaker.envs.core.registry import get_spec

CHECKED_STEPS = 64


@kernel
def silent_note(tables, kind, seat, a, b, c):
    """Write nothing."""


@kernel
def unscripted_draw(state, tables, sides):
    """Draw from the game's stream alone."""
    return chance.below(state.chance, sides)


def remove_hooks() -> None:
    """Put functions without hooks in place of the two that have them.

    Numba looks a global up when it compiles the caller. So this works after all modules are imported and
    before any rule is compiled, with an empty cache folder.
    """
    _replace_everywhere(tape.note, silent_note)
    _replace_everywhere(chance.draw, unscripted_draw)


def _replace_everywhere(old: Any, new: Any) -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("kingmaker.")]
    for module in modules:
        _replace_in(module, old, new)


def _replace_in(module: ModuleType, old: Any, new: Any) -> None:
    for name, value in list(vars(module).items()):
        if value is old:
            setattr(module, name, new)


def self_portrait(game: str, players: int, seed: int) -> dict[str, Any]:
    """Return a digest of states after some steps, and the journal rows that a step writes when asked to."""
    batch = BatchGames(game, CHECKED_STEPS, players, seed=seed)
    for _ in range(CHECKED_STEPS):
        batch.step(batch.random_actions())
    digest = hashlib.sha256(batch.states.tobytes()).hexdigest()
    tape.switch_journal(batch.tables, True)
    batch.step(batch.random_actions())
    return {"digest": digest, "journal": int(batch.tables["tape"]["count"][0])}


def processor_time(burst: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Call ``burst`` for so many seconds of this process's own processor time; return count and time.

    Unlike the wall clock it leaves out what other processes take, many times more than the hooks cost.
    """
    count, elapsed, begin = 0, 0.0, time.process_time()
    while elapsed < seconds:
        count += burst()
        elapsed = time.process_time() - begin
    return count, elapsed


def main() -> None:
    """Answer the lines of standard input."""
    variant, game, players, games, seed = sys.argv[1:]
    get_spec(game)  # imports the game, so that its rules are there to be changed
    if variant == "without":
        remove_hooks()
    batch = BatchGames(game, int(games), int(players), seed=int(seed))
    burst = play_batch(batch)
    burst()
    print(json.dumps(self_portrait(game, int(players), int(seed))), flush=True)
    for line in sys.stdin:
        print(json.dumps(processor_time(burst, float(line))), flush=True)


if __name__ == "__main__":
    main()
