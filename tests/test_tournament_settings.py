"""Wrong tournament settings are told in one line, before anything is made."""

from __future__ import annotations

import pytest

from kingmaker.benchmarks.tournament import TournamentConfig, run_tournament
from kingmaker.envs.core.errors import KingmakerError

PLAIN = {"game": "krig", "agents": ["random", "heuristic"], "games": 10}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agents": []}, "agents"),
        ({"games": 0}, "games"),
        ({"seed": -1}, "seed"),
        ({"confidence": 1}, "confidence"),
        ({"gamez": 3}, "gamez"),
        ({"agents": ["random", "random"]}, "'random' is entered twice"),
        ({"agents": ["nobody"]}, "there is no agent 'nobody'"),
        ({"agents": ["policy:missing.pt"]}, r"'policy:missing\.pt': there is no file"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"num_players": 9}, "num_players=9"),
        ({"options": {"nonsense": 1}}, "no option 'nonsense'"),
        ({"options": {"hit_points": 0}}, "'hit_points' lies in"),
        ({"tables": "missing.toml"}, "cannot read missing.toml"),
    ],
)
def test_wrong_settings_are_one_clear_line_and_make_nothing(tmp_path, settings, message):
    with pytest.raises(KingmakerError, match=message) as caught:
        run_tournament(TournamentConfig(**{**PLAIN, **settings}), tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_processes_are_at_least_one(tmp_path):
    with pytest.raises(KingmakerError, match="processes is at least 1, not 0"):
        run_tournament(TournamentConfig(**PLAIN), tmp_path / "out", processes=0)
    assert not (tmp_path / "out").exists()
