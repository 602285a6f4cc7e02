"""The program of a start measurement: from the import to the first step of one game, in a fresh process.

It is run as a script (`python first_step.py GAME PLAYERS API`) and imports nothing of the benchmark, whose
imports would count. It prints the seconds since just before `import kingmaker.envs`.
"""

from __future__ import annotations

import sys
import time


def take_aec_step(game: str, players: int) -> None:
    """Make an AEC environment and take its first step."""
    from kingmaker.envs.core.aec import make_aec_env

    env = make_aec_env(game, players)
    env.reset(seed=0)
    observation, *_ = env.last()
    env.step(int(observation["action_mask"].argmax()))


def take_batch_step(game: str, players: int) -> None:
    """Make a batch and take its first step."""
    from kingmaker.envs.core.batch import BatchGames

    batch = BatchGames(game, 1024, players, seed=0)
    batch.step(batch.random_actions())


def main() -> None:
    """Take the step that the command line asks for and print how long it took."""
    game, players, api = sys.argv[1:]
    begin = time.perf_counter()
    import kingmaker.envs  # noqa: F401 - registers the games, as a user's first line does

    {"aec": take_aec_step, "batch": take_batch_step}[api](game, int(players))
    print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
