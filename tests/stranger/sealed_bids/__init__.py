"""Sealed Bids: a small game for two to four seats, with secrets, simultaneous bids and pushed luck.

It is written as anybody outside ``kingmaker`` would write a game, and serves as the example of how to do so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingmaker.envs.core.contract import Rules
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import register_game
from kingmaker.envs.core.spec import GameSpec, GameText, Option, Phase
from sealed_bids import rules, tables, text
from sealed_bids.actions import ACTIONS
from sealed_bids.observation import features, observe
from sealed_bids.state import OPTIONS, STATE


def longest(num_players: int, options: Mapping[str, Any]) -> int:
    """Return the most decisions of a game: in each round one bid a seat and two pushes."""
    return options["max_rounds"] * (num_players + rules.MAX_PUSHES)


def nobody_owes(game: Game) -> None:
    """Hold what no move may change: nobody has debts or negative points, and secrets are dealt once."""
    seats = game.states["seats"][0][: game.num_players]
    assert (seats["coins"] >= 0).all(), "a seat has paid what it does not have"
    assert (seats["points"] >= 0).all(), "a seat has fewer than 0 points"
    assert len(set(seats["secret"].tolist())) == game.num_players, "two seats have the same secret"


SEALED_BIDS = register_game(
    GameSpec(
        namespace="stranger",
        name="sealed_bids",
        title="Sealed Bids",
        version=0,
        module=__name__,
        seats=(2, 3, 4),
        options=(
            Option("max_rounds", "rounds after which the game is stopped", int, 12, 1, 100),
            Option("target", "points that end the game", int, 10, 1, 100, table="target"),
        ),
        actions=ACTIONS,
        phases=(
            Phase("bid", "all seats at once", "bid for the prize", simultaneous=True),
            Phase("push", "the seat that won the prize", "stop, or push on for a point"),
        ),
        events=(),
        hidden="secrets, and bids until all are in",
        perfect_information=False,
        state_dtype=STATE,
        tables_dtype=tables.TABLES,
        options_dtype=OPTIONS,
        rules=Rules(rules.reset, rules.legal, rules.apply, observe, rules.redeal, rules.outcome),
        text=GameText(text.position, text.forbidden),
        features=features,
        load_tables=tables.load,
        longest=longest,
        score_scale=lambda record: float(record["target"]),
        history=((0, "first version"),),
    )
)
