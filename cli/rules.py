"""``kingmaker rules``: the rulebook, one rule of it, or the rules that mention something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cli.common import Game, console, examples, find_game, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from kingmaker.envs.core.rulebook import Rule
    from kingmaker.envs.core.spec import GameSpec

_ID = re.compile(r"[A-Za-z]+-\d+")


def rules(
    game: Game,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID|WORD]...", help="Ids of rules, or words that a rule must all contain."),
    ] = None,
) -> None:
    """Print the rulebook of a game, single rules by id, or the rules that contain some words."""
    spec = find_game(game)
    out = console()
    if words:
        show_rules(out, find_rules(spec, words))
    else:
        _show_rulebook(out, spec)


def find_rules(spec: GameSpec, words: Sequence[str]) -> list[Rule]:
    """Return the rules of the ids in ``words``; if it holds other words, the rules that contain them all.

    Raises:
        OptionError: if there is none.
    """
    from kingmaker.envs.core.errors import OptionError
    from kingmaker.envs.core.rulebook import read_rulebook

    book = read_rulebook(spec)
    if all(_ID.fullmatch(word) for word in words):
        by_id = {rule.id: rule for rule in book}
        wanted = [word.upper() for word in words]
        missing = [name for name in wanted if name not in by_id]
        if missing:
            raise OptionError(f"{spec.name} has no rule {missing[0]}; see `kingmaker rules {spec.name}`")
        return [by_id[name] for name in wanted]
    found = [rule for rule in book if _contains(rule, words)]
    if not found:
        raise OptionError(f"no rule of {spec.name} contains {' and '.join(map(repr, words))}")
    return found


def _contains(rule: Rule, words: Sequence[str]) -> bool:
    text = f"{rule.id} {rule.section} {rule.text}".lower()
    return all(word.lower() in text for word in words)


def show_rules(out: Console, found: Sequence[Rule]) -> None:
    """Print rules under the headings of their sections."""
    section = ""
    for rule in found:
        if rule.section != section:
            section = rule.section
            say(out, section, style="bold")
        say(out, f"{rule.id} ({rule.status}) {rule.text}")


def _show_rulebook(out: Console, spec: GameSpec) -> None:
    """Print the whole book: set in type on a terminal, as it stands anywhere else."""
    from kingmaker.envs.core.rulebook import rulebook_path

    text = rulebook_path(spec).read_text("utf-8")
    if not out.is_terminal:
        print(text, end="")
        return
    from rich.markdown import Markdown

    out.print(Markdown(text))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker rules krig", "kingmaker rules krig KR-12", "kingmaker rules krig perfect parry"
    )
    app.command("rules", epilog=epilog)(rules)
