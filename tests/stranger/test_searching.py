"""A search of a stranger's game, with secrets and simultaneous bids."""

from __future__ import annotations

import numpy as np
import pytest
from sealed_bids import SEALED_BIDS

from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.game import Game


@pytest.mark.parametrize("num_players", SEALED_BIDS.seats)
@pytest.mark.parametrize("settings", ["", ",observer=actor", ",cut=3"])
def test_it_sees_no_secret_and_no_bid(num_players, settings):
    """In the middle of simultaneous bids, with what others hold and have bid drawn anew."""
    rng = np.random.default_rng(num_players)
    game = Game(SEALED_BIDS, num_players, seed=1)
    checked = 0
    while not game.over and checked < 4:
        game.apply(int(rng.choice(game.legal_actions())))
        if game.over:
            break
        agents = [load_agent(f"ismcts:25{settings}", SEALED_BIDS, num_players, seed=3) for _ in range(3)]
        deals = [game, *(game.redealt(game.actor, seed) for seed in (1, 2))]
        visits = [agent.advise([deal])[0].visits.tolist() for agent, deal in zip(agents, deals, strict=True)]
        assert visits[0] == visits[1] == visits[2]
        checked += 1
    assert checked
