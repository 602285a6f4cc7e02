"""``kingmaker describe``: all the facts of a game."""

from __future__ import annotations

import typer

from kingmaker.cli.common import Game, Json, Seats, console, examples, find_game, print_json, show_sheet


def describe(game: Game, seats: Seats = None, as_json: Json = False) -> None:
    """Show a game's facts: options, phases, action table, observation table, rewards."""
    from kingmaker.cli import facts

    spec = find_game(game)
    sheets = facts.all_sheets(spec, spec.check_seats(seats))
    if as_json:
        print_json({name: sheet.records() for name, sheet in sheets.items()})
        return
    out = console()
    for sheet in sheets.values():
        show_sheet(out, sheet)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples("kingmaker describe krig", "kingmaker describe krig_intervention --json")
    app.command("describe", epilog=epilog)(describe)
