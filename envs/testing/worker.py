"""What ``kingmaker.envs.testing.processes`` runs in another process: games as hashes, one a decision."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec


def fingerprint(game: Game) -> str:
    """Return a hash of the state, the mask, every seat's view, and the result if there is one."""
    digest = hashlib.sha256(game.save() + game.mask().tobytes())
    for seat in range(game.num_players):
        digest.update(game.observe(seat).tobytes())
        digest.update(game.redealt(seat, game.moves).save())
    if game.over:
        for part in game.results("score"):
            digest.update(part.tobytes())
    return digest.hexdigest()[:16]


def trajectory(
    module: str, game: str, num_players: int, options: Mapping[str, Any], seed: int, games: int
) -> list[list[str]]:
    """Play random games; return a hash for every position of each."""
    spec = get_spec(f"{module}:{game}")
    rows = []
    for number in range(games):
        one, rng = (
            Game(spec, num_players, seed=seed + number, options=options),
            np.random.default_rng([seed, number]),
        )
        row = [fingerprint(one)]
        while not one.over:
            one.apply(int(rng.choice(one.legal_actions())))
            row.append(fingerprint(one))
        rows.append(row)
    return rows


def main() -> None:
    """Answer the task on standard input with a line of JSON."""
    print(json.dumps(trajectory(**json.load(sys.stdin))))
