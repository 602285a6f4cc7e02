"""``kingmaker evaluate``: one agent among others of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kingmaker.cli.common import (
    Game,
    Json,
    Options,
    Seats,
    check_target,
    console,
    examples,
    find_game,
    parse_options,
    print_json,
    say,
)


def evaluate(
    context: typer.Context,
    game: Game,
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT...", help="Agents to measure, see `kingmaker list`.")
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="Who plays all other seats; repeatable. [random, heuristic]"),
    ] = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games a pairing, over all seats alike; rounded up.")
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="S", help="All that is drawn depends on it.")] = 0,
    option: Options = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the figures there, as JSON.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure how often an agent wins when one other agent plays all other seats, with 95 % intervals."""
    spec = find_game(game)
    from kingmaker.agents import load_agent
    from kingmaker.benchmarks.command import command_line
    from kingmaker.benchmarks.grid import Grid
    from kingmaker.benchmarks.tournament.files import write_text
    from kingmaker.envs.core.spec import check_seed
    from kingmaker.training.evaluate import evaluate as measure

    players, options = spec.check_seats(seats), parse_options(spec, option)
    check_seed(seed)
    if out is not None:
        check_target(out)
    loaded = [load_agent(name, spec, players) for name in agents]
    scores: list[dict[str, Any]] = []
    for agent in loaded:
        for opponent in against or ["random", "heuristic"]:
            say(console(stderr=True), f"{agent.name} against {opponent}")
            score = measure(agent, opponent, games, seed=seed, options=options)
            scores.append({"agent": agent.name, **vars(score)})
    content = {
        "command": command_line(context.obj),
        "game": spec.id,
        "num_players": players,
        "options": options,
        "seed": seed,
        "par": round(1 / players, 6),
        "scores": scores,
    }
    if out is not None:
        import json

        write_text(out, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        print_json(content)
        return
    heads = ["agent", "against", "win share, %", "95 % interval", "games"]
    rows = [
        [
            score["agent"],
            score["opponent"],
            f"{100 * score['win_rate']:.1f}",
            f"[{100 * score['low']:.1f}, {100 * score['high']:.1f}]",
            str(score["games"]),
        ]
        for score in scores
    ]
    title = f"{spec.title}, {players} seats: one against the same in all others; par {100 / players:.1f} %"
    console().print(Grid(title, heads, rows).rich())


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker evaluate kingsburg policy:runs/kingsburg-ppo-1/policy.pt --against heuristic",
        "kingmaker evaluate kingsburg heuristic --against random --seats 4 --games 10000",
    )
    app.command("evaluate", epilog=epilog)(evaluate)
