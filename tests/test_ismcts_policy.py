"""Search with a trained policy: what the network is asked, and what comes of its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from kingmaker.agents.exact.agent import ExactAgent  # noqa: E402
from kingmaker.agents.ismcts.agent import ISMCTSAgent  # noqa: E402
from kingmaker.agents.loader import load_agent  # noqa: E402
from kingmaker.envs.core.batch import BatchGames  # noqa: E402
from kingmaker.envs.core.errors import AgentError  # noqa: E402
from kingmaker.envs.core.game import Game  # noqa: E402
from kingmaker.envs.core.registry import get_spec  # noqa: E402
from kingmaker.training.config import NetworkConfig  # noqa: E402
from kingmaker.training.network import build_network  # noqa: E402
from kingmaker.training.policy_file import save_policy  # noqa: E402

SMALL = {"hit_points": 4}


def policy_file(path: Path, game: str, num_players: int) -> Path:
    """Write a network that has learnt nothing: near uniform priors, and values that mean nothing."""
    spec, config = get_spec(game), NetworkConfig(hidden=[16, 16])
    network = build_network(config, spec, num_players, torch.Generator().manual_seed(0))
    save_policy(path, network, config, spec, num_players, {}, 0)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Path]:
    folder = tmp_path_factory.mktemp("policies")
    wanted = [("krig", 2), ("kingsburg", 3)]
    return {(game, n): policy_file(folder / f"{game}-{n}.pt", game, n) for game, n in wanted}


def searcher(files: Any, settings: str, game: str = "krig", num_players: int = 2) -> ISMCTSAgent:
    budget, comma, more = settings.partition(",")
    name = f"ismcts:{budget},policy={files[game, num_players]}{comma}{more}"
    agent = load_agent(name, game, num_players, seed=1)
    assert isinstance(agent, ISMCTSAgent)
    return agent


@pytest.mark.compiled_only
def test_search_mends_a_policy_that_knows_nothing(files: Any) -> None:
    """Ends of the game are seen as they are, so with enough simulations even such a network plays well."""
    spec = get_spec("krig")
    batch = BatchGames(spec, 60, seed=5, options=SMALL)
    for _ in range(5):
        batch.step(batch.random_actions())
    values = 2 * ExactAgent(spec, 2, tables=spec.configure(SMALL)[0]).values(batch.observations) - 1
    games, lost = [batch.game(i) for i in range(60)], []
    for budget in (2, 200, 3000):
        chosen = [advice.action for advice in searcher(files, f"{budget},c=1").advise(games)]
        lost.append((np.nanmax(values, axis=1) - values[np.arange(60), chosen]).mean())
    assert lost[0] > lost[1] > lost[2]
    assert lost[2] < 0.02


def test_visits_follow_the_priors(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that is sure of one action makes the search try that one."""
    for favourite in Game("krig", seed=1).legal_actions():
        agent = searcher(files, "12")

        def sure(observations: Any, favourite: int = favourite) -> Any:
            logits = torch.zeros(len(observations), get_spec("krig").num_actions)
            logits[:, favourite] = 8.0
            return logits, torch.zeros(len(observations))

        monkeypatch.setattr(agent._search, "_network", sure)
        assert agent.advise([Game("krig", seed=1)])[0].action == favourite


@pytest.mark.parametrize(("game", "num_players", "views"), [("krig", 2, 1), ("kingsburg", 3, 3)])
def test_the_network_judges_many_leaves_together(
    files: Any, game: str, num_players: int, views: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = searcher(files, "17,leaves=4", game, num_players)
    asked: list[int] = []
    network = agent._search._network  # type: ignore[union-attr]

    def watched(observations: Any) -> Any:
        asked.append(len(observations))
        return network(observations)

    monkeypatch.setattr(agent._search, "_network", watched)
    found = agent.advise([Game(game, num_players, seed=seed) for seed in range(3)])
    assert asked == [3 * views, *[12 * views] * 4]
    for advice in found:
        assert advice.simulations == 17
        assert advice.visits.sum() >= 16  # the first ends at the root; at Krig it can come up again


def test_equal_seeds_give_equal_advice_whatever_is_hidden(files: Any) -> None:
    game = Game("kingsburg", 3, seed=4)
    games = [game, game.redealt(game.actor, 1), game.redealt(game.actor, 2)]
    visits = [searcher(files, "20", "kingsburg", 3).advise([deal])[0].visits.tolist() for deal in games]
    assert visits[0] == visits[1] == visits[2]


def test_rows_and_group_sizes_do_not_change_the_advice(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from kingmaker.agents.ismcts import policy

    games = [Game("krig", seed=seed) for seed in range(5)]
    together = searcher(files, "20").advise(games)
    monkeypatch.setattr(policy, "MOST_TREES", 2)
    apart = searcher(files, "20").advise(games)
    for one, other in zip(together, apart, strict=True):
        assert one.visits.tolist() == other.visits.tolist()


def test_a_budget_in_seconds_and_a_small_arena(files: Any) -> None:
    advice = searcher(files, "0.05s,nodes=5").advise([Game("krig", seed=1)])[0]
    assert advice.simulations > 1
    assert advice.nodes <= 6


def test_values_of_all_seats_add_up_to_nothing(files: Any) -> None:
    search = searcher(files, "5", "kingsburg", 3)._search
    search.advise([Game("kingsburg", 3, seed=0)], np.zeros(1, np.int64), np.zeros(1, np.int64))
    values = search._forest._values[:1]  # type: ignore[union-attr]
    np.testing.assert_allclose(values.sum(axis=1), 0, atol=1e-5)


def test_policies_for_something_else_are_refused(files: Any) -> None:
    name = f"ismcts:5,policy={files['krig', 2]}"
    with pytest.raises(AgentError, match="its game is kingmaker/krig-v0"):
        load_agent(name, "kingsburg", 2)


def test_games_of_different_tables_are_refused(files: Any) -> None:
    with pytest.raises(AgentError, match="the same tables"):
        searcher(files, "5").advise([Game("krig", seed=1), Game("krig", seed=1, options=SMALL)])
