"""What balance reports count in games of Clockwork Kingdom."""

from __future__ import annotations

import numpy as np
import pytest

from kingmaker.envs.clockwork_kingdom.tables import load
from kingmaker.envs.clockwork_kingdom.tallies import action_tallies, tallies
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec

SPEC = get_spec("clockwork_kingdom")
TABLES = load(None, {})
ACTIONS = {action.name: number for number, action in enumerate(SPEC.actions)}


def played(*actions: str) -> dict[str, dict[str, int]]:
    """Return what the tallies tell of seat 1 of the first game, which has taken these actions."""
    taken = np.zeros((2, 3, SPEC.num_actions), np.int16)
    for action in actions:
        taken[0, 1, ACTIONS[action]] += 1
    found = {}
    for tally in action_tallies(taken, 3, TABLES):
        assert tally.values.shape == (2, 3, len(tally.names))
        assert tally.values.sum() == tally.values[0, 1].sum()
        counts = zip(tally.names, tally.values[0, 1].tolist(), strict=True)
        found[tally.title] = {name: count for name, count in counts if count}
    return found


def test_workers_by_area_space_and_type() -> None:
    found = played(
        "automaton-market-steel",
        "alchemist-market-random",
        "alchemist-market-overflow",
        "professor-workshop-2",
        "automaton-workshop-2",
        "artificer-park",
    )
    assert found["workers placed by area"] == {"market": 3, "workshop": 2, "park": 1}
    assert found["workers placed by space"] == {
        "market-steel": 1,
        "market-random": 1,
        "market-overflow": 1,
        "workshop-2": 2,
        "park": 1,
    }
    assert found["workers placed by type"] == {"automaton": 2, "professor": 1, "alchemist": 2, "artificer": 1}
    assert found["Ruins cards played"] == {}


def test_cards_count_in_both_kinds_of_window() -> None:
    found = played("use-5", "play-5", "play-12", "pass", "drop-5")
    assert found["Ruins cards played"] == {"Hidden Cache": 2, "Relic of the First King": 1}
    assert found["workers placed by area"] == {}


@pytest.mark.parametrize("num_players", SPEC.seats)
def test_points_add_up_and_what_is_built_was_taken(num_players: int) -> None:
    game, chooser = Game("clockwork_kingdom", num_players, seed=1), np.random.default_rng(1)
    while not game.over:
        game.apply(int(chooser.choice(game.legal_actions())))
    found = {tally.title: tally for tally in tallies(game.states, num_players, game.tables)}
    points = found["victory points by source"]
    assert points.parts
    assert points.values[0].sum(axis=1).tolist() == game.results()[1].tolist()
    taken, built = (found[f"schematics {what}"].values for what in ("taken", "completed"))
    assert (taken >= built).all()
    assert built.sum() == found["things at the end"].values[..., :3].sum()
    assert found["facilities won"].values.sum() == found["things at the end"].values[..., 3].sum()
