"""The rules of thumb for Kingsburg: how strong they are, and that they see what matters."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kingmaker.agents import load_agent
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT
from kingmaker.envs.core.loops import PURPOSE_AGENTS
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.testing.case import stream
from kingmaker.training.evaluate import evaluate

sys.path.append(str(Path(__file__).parent / "rules"))
from helpers_kingsburg import name_of, placement_of, placing, recruiting, seat

SPEC = get_spec("kingsburg")
GAMES = 400


def advice(game: Game) -> str:
    """Return the name of the heuristic's action for the seat to move."""
    own = stream(SPEC, 0, 0, PURPOSE_AGENTS)
    action = SPEC.entry("game_heuristic")(game.states, game.tables, game.observe(), game.mask(), own)
    return name_of(game, int(action))


@pytest.mark.skipif(not JIT, reason="whole games by the hundred")
@pytest.mark.parametrize(("num_players", "least"), [(2, 0.9), (3, 0.8), (4, 0.75), (5, 0.7)])
def test_it_beats_random_play(num_players, least):
    heuristic = load_agent("heuristic", SPEC, num_players)
    assert evaluate(heuristic, "random", GAMES, seed=1).low > least


def test_it_places_rather_than_passes():
    game = placing(seat(dice=(2, 4, 6)), seat(dice=(1, 1, 3)), seat(dice=(1, 2, 2)))
    action = advice(game)
    assert action.startswith("place-")
    assert placement_of(game, SPEC.action_ids[action]).advisor in range(1, 19)


def test_it_hires_where_buildings_are_at_stake_and_not_without_need():
    goods, owned = (6, 6, 6), ("statue", "chapel", "church", "inn", "guard-tower")
    weak = recruiting(seat(goods, owned), seat(goods, owned), year=4)
    assert advice(weak).startswith("recruit-")
    strong = recruiting(seat(goods, owned, soldiers=30), seat(goods, owned, soldiers=30), year=4)
    assert advice(strong) == "stop-recruiting"


def test_goods_are_worth_nothing_after_the_last_winter():
    game = recruiting(seat((2, 2, 0), soldiers=6), seat((2, 2, 0), soldiers=6), year=5)
    assert advice(game).startswith("recruit-")  # the strongest victor's point is worth more
