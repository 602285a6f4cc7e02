"""How a search is named: budgets, options, and what is said about wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingmaker.agents.ismcts.options import SearchOptions, parse_options
from kingmaker.agents.loader import agent_file, agent_names, load_agent, split_names
from kingmaker.envs.core.errors import AgentError


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1000", SearchOptions(simulations=1000)),
        ("0.5s", SearchOptions(seconds=0.5)),
        (".25s", SearchOptions(seconds=0.25)),
        ("2s,threads=2", SearchOptions(seconds=2.0, threads=2)),
        (
            "10,playout=heuristic,cut=20,trust=0.7,c=1.5,nodes=99,reward=score,observer=actor,widening=2",
            SearchOptions(
                simulations=10,
                playout="heuristic",
                cut=20,
                trust=0.7,
                exploration=1.5,
                nodes=99,
                reward="score",
                observer="actor",
                widening=2.0,
            ),
        ),
        ("10,policy=a=b/c.pt,leaves=2", SearchOptions(simulations=10, policy="a=b/c.pt", leaves=2)),
    ],
)
def test_names(text: str, options: SearchOptions) -> None:
    assert parse_options(f"ismcts:{text}", text) == options


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "budget"),
        ("0", "budget"),
        ("-5", "budget"),
        ("0s", "budget"),
        ("1e3", "budget"),
        ("5m", "budget"),
        ("99999999999", "budget"),
        ("10,", "'' is no option; they are c=..., playout=..."),
        ("10,speed=3", "'speed=3' is no option"),
        ("10,cut", "'cut' is no option"),
        ("10,cut=", "'cut=' is no option"),
        ("10,cut=-1", "cut is an integer of at least 0, not '-1'"),
        ("10,cut=1,cut=2", "cut is given twice"),
        ("10,c=x", "c is a number of at least 0, not 'x'"),
        ("10,c=nan", "c is a number"),
        ("10,trust=1", "trust is a number below 1"),
        ("10,playout=clever", "playout is random or heuristic, not 'clever'"),
        ("10,threads=0", "threads is an integer of at least 1"),
        ("2,threads=3", "2 simulations are fewer than 3 threads"),
        ("10,leaves=3", "leaves has no meaning without policy"),
        ("10,policy=x.pt,cut=3", "cut has no meaning with policy"),
    ],
)
def test_wrong_names(text: str, complaint: str) -> None:
    name = f"ismcts:{text}"
    with pytest.raises(AgentError) as raised:
        load_agent(name, "krig")
    assert complaint in str(raised.value)
    assert repr(name) in str(raised.value)


def test_the_loader_knows_the_form() -> None:
    assert "ismcts:BUDGET[,key=value...]" in agent_names()
    with pytest.raises(AgentError, match=r"agents are .*ismcts:BUDGET"):
        load_agent("ismct:10", "krig")


def test_a_missing_policy() -> None:
    with pytest.raises(AgentError, match=r"there is no file 'none\.pt'"):
        load_agent("ismcts:10,policy=none.pt", "krig")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("heuristic", ["heuristic"]),
        ("random,ismcts:9,c=2,cut=3,heuristic", ["random", "ismcts:9,c=2,cut=3", "heuristic"]),
        ("policy:a=b.pt,sb3:x", ["policy:a=b.pt", "sb3:x"]),
    ],
)
def test_lists_of_agents(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("random", None),
        ("ismcts:9,cut=1", None),
        ("ismcts:9,policy=a/b.pt,leaves=2", "a/b.pt"),
        ("policy:a,b.pt", "a,b.pt"),
    ],
)
def test_files_of_agents(name: str, file: str | None) -> None:
    assert agent_file(name) == (None if file is None else Path(file))
