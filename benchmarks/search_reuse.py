"""How much of a search tree would be of use at the seat's next decision, if it were kept.

``python -m kingmaker.benchmarks.search_reuse --out docs/results`` plays games in which every decision is
searched, goes on at random to the seat's next own decision, and looks that position up in the tree. Told is
the share of the simulations that went through it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from kingmaker.agents.ismcts.driver import PlayoutSearch
from kingmaker.agents.ismcts.kernels.tree import find_node, key_of
from kingmaker.agents.ismcts.options import parse_options
from kingmaker.benchmarks.command import command_line
from kingmaker.benchmarks.grid import Grid
from kingmaker.benchmarks.tournament.files import write_text
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import all_specs, get_spec

HEADS = ["game", "seats", "decisions", "share kept, mean %", "median %", "found again, %"]


def next_own_decision(game: Game, seat: int, rng: np.random.Generator) -> bool:
    """Play on at random until the seat is to move again; return whether it comes to that."""
    while not game.over and game.actor != seat:
        game.apply(int(rng.choice(game.legal_actions())))
    return not game.over


def shares(name: str, seats: int, simulations: int, games: int) -> np.ndarray:
    """Return the share of each search's simulations that a kept tree would hold, float64 ``(decisions,)``."""
    spec = get_spec(name)
    search = PlayoutSearch(spec, seats, parse_options("ismcts", str(simulations)))
    rng = np.random.default_rng(0)
    kept = []
    for seed in range(games):
        game = Game(spec, seats, seed=seed)
        while not game.over:
            seat = game.actor
            advice = search.advise([game], np.array([seat]), rng.integers(2**63, size=1))[0]
            game.apply(advice.action)
            later = game.clone()
            if next_own_decision(later, seat, rng):
                kept.append(_visits(search, later, seat) / advice.simulations)
    return np.array(kept)


def _visits(search: PlayoutSearch, game: Game, seat: int) -> int:
    tree = search.trees[0].arena
    nodes = tree.nodes.view(np.recarray)  # interpreted kernels reach fields as attributes
    slot = find_node(nodes, tree.table, int(key_of(game.observe(seat).view(np.uint32), seat)))
    node = int(tree.table[slot])
    return 0 if node < 0 else int(nodes.visits[node])


def main(
    games: Annotated[list[str] | None, typer.Argument(help="Games; all by default.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the report goes.")] = None,
    simulations: Annotated[int, typer.Option(help="Simulations a search.", min=1)] = 1000,
    count: Annotated[int, typer.Option(help="Games played at each seat count.", min=1)] = 3,
) -> None:
    """Measure what keeping trees would save."""
    rows, plain = [], []
    for name in games or [spec.name for spec in all_specs("kingmaker")]:
        for seats in sorted({get_spec(name).seats[0], get_spec(name).seats[-1]}):
            found = shares(name, seats, simulations, count)
            figures = [100 * float(value) for value in (found.mean(), np.median(found), (found > 0).mean())]
            rows.append([name, str(seats), str(len(found)), *(f"{value:.1f}" for value in figures)])
            plain.append({"game": name, "seats": seats, "decisions": len(found), "percent": figures})
    table = Grid("What a kept search tree would hold", HEADS, rows)
    Console().print(table.rich())
    if out is not None:
        facts = {"command": command_line(), "simulations a search": simulations, "games": count}
        out.mkdir(parents=True, exist_ok=True)
        write_text(out / "search_reuse.json", json.dumps({"facts": facts, "cases": plain}, indent=1) + "\n")
        lines = ["# Reuse of search trees", "", *(f"* {key}: {value}" for key, value in facts.items()), ""]
        write_text(out / "search_reuse.md", "\n".join(lines) + "\n" + table.markdown() + "\n")


if __name__ == "__main__":
    typer.run(main)
