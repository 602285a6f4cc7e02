"""Train the agents that come with the package: ``python -m kingmaker.training.baselines [GAME...]``.

Trains what ``baselines.toml`` plans, each in ``GAME-SEATS`` of the directory ``--runs``, goes on with runs
that were cut off, and puts the policies into ``agents/baselines`` with their weights as float16. Beside them,
``baselines.json`` tells how each was made and what its last evaluation found; what float16 costs is measured
there too, as the share of games that the float16 agent wins against the heuristic on the same seeds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from pydantic import Field
from rich.console import Console

from kingmaker.agents.baselines import FOLDER, baseline_path
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.datafile import Table, read_table
from kingmaker.envs.core.registry import get_spec
from kingmaker.training.config import PPOConfig, load_config
from kingmaker.training.evaluate import evaluate
from kingmaker.training.policy_file import load_policy, save_policy
from kingmaker.training.ppo import CHECKPOINT, train_ppo
from kingmaker.training.report import read_progress

PLAN = Path(__file__).with_name("baselines.toml")
FACTS = "baselines.json"
GAMES = 2000  # against the heuristic, for each precision
SEED = 1_000_003  # of those games; other than those of the run's own evaluations


class Baseline(Table):
    """One agent to train."""

    game: str
    num_players: int = Field(ge=1)
    settings: list[str] = Field([], description="entries that replace those of the game's configuration")

    @property
    def config(self) -> PPOConfig:
        """The settings of its run."""
        return load_config(self.game, [f"num_players={self.num_players}", *self.settings])


class Plan(Table):
    """All of them."""

    baseline: list[Baseline] = Field(min_length=1)


def read_plan(path: Path = PLAN) -> list[Baseline]:
    """Return what a plan asks for.

    Raises:
        TableError: if the file is no plan.
    """
    return read_table(Plan, path).baseline


def make(
    entry: Baseline,
    runs: Path,
    folder: Path = FOLDER,
    games: int = GAMES,
    console: Console | None = None,
) -> dict[str, Any]:
    """Train one agent, or go on with its run, and put it into a folder.

    Args:
        entry: of the plan.
        runs: directory of run directories.
        folder: where the agent goes.
        games: games against the heuristic that measure each precision.
        console: for a progress bar.

    Returns:
        What is worth knowing about it, as plain data.
    """
    config = entry.config
    spec = get_spec(config.game)
    run = runs / f"{spec.name}-{entry.num_players}"
    resume = (run / CHECKPOINT).is_file()
    trained = train_ppo(config, run, resume=resume, console=console)
    network, facts = load_policy(trained, spec, entry.num_players)
    path = baseline_path(spec, entry.num_players, folder)
    save_policy(
        path, network, facts.network, spec, entry.num_players, facts.options, facts.decisions, torch.float16
    )
    last = read_progress(run)[-1]
    scores = {
        name: vars(
            evaluate(load_agent(f"policy:{file}", spec, entry.num_players), "heuristic", games, seed=SEED)
        )
        for name, file in (("float32", trained), ("float16", path))
    }
    return {
        "file": path.name,
        "bytes": path.stat().st_size,
        "decisions": facts.decisions,
        "minutes": round(last["seconds"] / 60, 1),
        "against_heuristic": scores,
        "config": config.model_dump(),
    }


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m kingmaker.training.baselines", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="names of games, or GAME-SEATS; all by default"
    )
    parser.add_argument("--runs", type=Path, default=Path("runs/baselines"), metavar="DIR")
    given = parser.parse_args(arguments)
    plan = read_plan()
    names = {name for entry in plan for name in (entry.game, f"{entry.game}-{entry.num_players}")}
    if unknown := set(given.games) - names:
        parser.error(
            f"no baseline is planned for {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}"
        )
    for entry in plan:
        name = f"{entry.game}-{entry.num_players}"
        if given.games and not {entry.game, name} & set(given.games):
            continue
        facts = make(entry, given.runs, console=Console(stderr=True))
        _record(name, facts)


def _record(name: str, facts: dict[str, Any]) -> None:
    path = FOLDER / FACTS
    known = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    known[name] = facts
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n", "utf-8")
    partial.replace(path)


if __name__ == "__main__":
    main()
