"""The agent ``exact``: what it decodes, what it plays, how it answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kingmaker.agents.exact.agent import ExactAgent, check_solvable
from kingmaker.agents.exact.decisions import TIE
from kingmaker.agents.exact.decode import FIELDS, decode
from kingmaker.agents.loader import agent_names, load_agent
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.krig.state import ATTACK_ROLL, CHARGE_ROLL, CRITICAL, DEFENCE_ROLL, HIT, MISS, WINDOW

pytestmark = pytest.mark.compiled_only

ODD = {"hit_points": 7, "agility_die": 7, "attack_die": 9, "defence_die": 11, "parry_die": 5}


def decisions(name: str, steps: int = 40, games: int = 64, **options: Any) -> BatchGames:
    """Yield a batch of random games before each of its steps."""
    batch = BatchGames(name, games, seed=4, options=options)
    for _ in range(steps):
        yield batch
        batch.step(batch.random_actions())


def told(state: Any, tables: Any) -> dict[str, int]:
    """Return what ``decode`` should find, read from the state."""
    own, other = state["seats"][state["actor"]], state["seats"][1 - state["actor"]]
    names = ("hit_points", "tokens", "defence", "charging", "broken")
    row = {f"{who}_{n}": int(b[n]) for who, b in (("own", own), ("other", other)) for n in names}
    pending, roll, window = state["pending"], state["roll"], state["phase"] == WINDOW
    row |= dict.fromkeys(FIELDS[FIELDS.index("kind") :], 0) | {"phase": int(state["phase"])}
    row["face"] = int(pending["face"]) if pending["active"] else 0
    row["bonus"] = int(pending["total"] - pending["face"] if pending["active"] else state["bonus"])
    if window:
        kind = int(roll["kind"])
        row |= {"kind": kind, "roll_own": int(roll["roller"] == state["actor"]), "result": HIT}
        row["passed"] = int(roll["passes"] > 0)
        if kind in (ATTACK_ROLL, CHARGE_ROLL):
            row["attack"] = int(roll["attack"])
            crit = roll["agility"] == tables["dice"]["agility"]
            row["result"] = MISS if roll["agility"] == 1 else CRITICAL if crit else HIT
        row["defence"] = int(roll["defence"]) if kind in (CHARGE_ROLL, DEFENCE_ROLL) else 0
        row["parry"] = int(roll["parry"])
    return row


@pytest.mark.parametrize("options", [{}, ODD])
@pytest.mark.parametrize("name", ["krig", "krig_intervention"])
def test_observations_tell_everything(name: str, options: dict[str, int]) -> None:
    from kingmaker.agents.exact.layout import figures_of

    bonus = False
    for batch in decisions(name, **options):
        fig = figures_of(batch.tables)
        row = np.zeros(len(FIELDS), np.int64)
        for i in range(batch.num_games):
            decode(fig, batch.observations[i], row)
            found = dict(zip(FIELDS, row.tolist(), strict=True))
            assert found == told(batch.states[i], batch.tables[0])
            bonus |= bool(found["bonus"] and found["face"])
    assert bonus or name == "krig"  # an attack with +1 was pending at least once


@pytest.fixture(scope="module")
def agent() -> ExactAgent:
    spec = get_spec("krig_intervention")
    return ExactAgent(spec, 2, tables=spec.configure({"hit_points": 4})[0])


def test_it_takes_the_first_of_the_best_actions(agent: ExactAgent) -> None:
    ties = 0
    for batch in decisions("krig_intervention", steps=20, hit_points=4, handicap=0):
        values = agent.values(batch.observations)
        best = values >= np.nanmax(values, axis=1, keepdims=True) - TIE
        actions = agent.act_batch(batch.observations, batch.masks)
        np.testing.assert_array_equal(actions, best.argmax(axis=1))
        ties += int((best.sum(axis=1) > 1).sum())
    assert ties


def test_rows_of_a_batch_do_not_influence_each_other(agent: ExactAgent) -> None:
    for batch in decisions("krig_intervention", steps=6, games=32, hit_points=4):
        seen = np.repeat(batch.observations, 2, axis=0)
        together = agent.values(seen)
        alone = np.concatenate([agent.values(row[None]) for row in seen])
        np.testing.assert_array_equal(together, alone)


def test_probabilities_name_the_action(agent: ExactAgent) -> None:
    for batch in decisions("krig_intervention", steps=3, hit_points=4):
        chances = agent.probabilities(batch.observations, batch.masks)
        assert (chances.sum(axis=1) == 1).all()
        np.testing.assert_array_equal(
            chances.argmax(axis=1), agent.act_batch(batch.observations, batch.masks)
        )


def test_it_beats_the_others_by_name() -> None:
    assert "exact" in agent_names()
    rates = {}
    for other in ("random", "heuristic"):
        batch = BatchGames("krig", 4000, seed=1, autoreset=False)
        agents = [load_agent("exact", "krig"), load_agent(other, "krig")]
        actions = np.zeros(4000, np.int64)
        while (batch.actors >= 0).any():
            for seat in range(2):
                rows = np.flatnonzero(batch.actors == seat)
                if len(rows):
                    actions[rows] = agents[seat].act_batch(batch.observations[rows], batch.masks[rows])
            batch.step(actions)
        rates[other] = (batch.ranks[:, 0] == 0).mean()
    assert rates["random"] == pytest.approx(0.687, abs=0.04)  # (73.5% + 63.9%) / 2, krig-facts
    assert rates["heuristic"] > 0.5


def test_it_plays_a_match_with_other_options(agent: ExactAgent) -> None:
    batch = BatchGames("krig_intervention", 200, seed=2, options={"hit_points": 4}, autoreset=False)
    while (batch.actors >= 0).any():
        rows = np.flatnonzero(batch.actors >= 0)
        actions = np.zeros(200, np.int64)
        actions[rows] = agent.act_batch(batch.observations[rows], batch.masks[rows])
        batch.step(actions)
    assert set(batch.states["seats"]["wins"].max(axis=1)) == {2}


@pytest.mark.parametrize(
    ("feature", "value"),
    [
        ("own.hit_points", 0),
        ("own.hit_points", 2),
        ("other.defence", np.nan),
        ("own.tokens", 0),
        ("roll.attack", -1),
    ],
)
def test_what_is_no_decision_is_refused(agent: ExactAgent, feature: str, value: float) -> None:
    for batch in decisions("krig_intervention", steps=2, hit_points=4):
        windows = batch.observations[batch.states["phase"] == WINDOW]
        if len(windows):
            seen = windows[:1].copy()
            seen[0, agent.spec.slices(2)[feature].start] = value
            if feature == "roll.attack":
                seen[0, agent.spec.slices(2)["roll.attack_face"].start] = 7
            with pytest.raises(AgentError, match="observation 0 shows no decision"):
                agent.values(seen)


def test_other_games_are_refused() -> None:
    with pytest.raises(AgentError, match="kingsburg is not solved"):
        check_solvable(SimpleNamespace(name="kingsburg"))
