"""``kingmaker list``: the games and the agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from kingmaker.cli.common import Json, console, examples, print_json, say, show_sheet

if TYPE_CHECKING:
    from kingmaker.cli.facts import Sheet


def list_games(as_json: Json = False) -> None:
    """List the games and the forms of agents."""
    import kingmaker.envs  # noqa: F401 - registers the games
    from kingmaker.agents.loader import agent_names
    from kingmaker.cli import facts
    from kingmaker.envs.core.registry import all_specs

    sheet = facts.games(all_specs())
    if as_json:
        print_json({"games": sheet.records(), "agents": list(agent_names())})
        return
    out = console()
    show_sheet(out, _narrowed(sheet))
    say(out, f"Agents: {', '.join(agent_names())}")
    say(out, "More of a game: kingmaker describe GAME")


def _narrowed(sheet: Sheet) -> Sheet:
    """Return the sheet for a terminal: both ids, which contain the name, in one cell; options counted."""
    from kingmaker.cli.facts import Sheet

    rows = []
    for _, pettingzoo_id, gymnasium_id, seats, actions, observation, size, options, *rest in sheet.rows:
        count = options.count(",") + 1 if options else 0
        rows.append((f"{pettingzoo_id}\n{gymnasium_id}", seats, actions, observation, size, count, *rest))
    return Sheet(sheet.title, ("PettingZoo id\nGymnasium id", *sheet.header[3:]), tuple(rows))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("list", epilog=examples("kingmaker list", "kingmaker list --json"))(list_games)
