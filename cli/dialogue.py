"""The dialogue of ``kingmaker play``: what a person types, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kingmaker.cli import words
from kingmaker.cli.common import check_target, say
from kingmaker.cli.errors import CommandError
from kingmaker.cli.rules import find_rules, show_rules
from kingmaker.envs.core.errors import AgentError, OptionError

if TYPE_CHECKING:
    from rich.console import Console

    from kingmaker.agents.base import Agent
    from kingmaker.cli.session import Move, Session
    from kingmaker.envs.core.words import Choice, Happening

HELP = """\
Type an action by number, by name, or by any beginning of its name that only one legal action has. Or:
  hint            what the hinting agent would do
  why ACTION      which rule forbids an action
  undo            back to your previous decision; the same action would bring the same dice again
  show            the position and your actions again
  rules [ID|WORD] rules by id, or those that contain the words
  save FILE       write the log so far to a file
  quit            stop; the log is saved and can be resumed"""
SHOWN_PROBABILITIES = 3


class Dialogue:
    """Leads persons through a game until it ends or they leave.

    Args:
        session: the game.
        out: where to print.
        hinter: the agent that gives hints.
    """

    def __init__(self, session: Session, out: Console, hinter: Agent) -> None:
        self.session = session
        self.out = out
        self.hinter = hinter
        self._left = False
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "hint": self._hint,
            "why": self._why,
            "undo": self._undo,
            "show": self._show,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
        }

    # --- flow -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play; returns at the end of the game, on ``quit`` and at the end of input."""
        self._say_lines(self._seen(self.session.opening))
        self._follow_agents()
        while not self.session.game.over and not self._left:
            self._read()
        if self.session.game.over:
            self._announce_end()

    def _read(self) -> None:
        """Read one line and do what it says; anything wrong is told and asked again."""
        game = self.session.game
        try:
            line = input(f"seat {game.actor}, {game.phase}> ").strip()
        except EOFError:
            print()
            self._left = True
            return
        word, _, rest = line.partition(" ")
        try:
            if line in game.spec.action_ids or word.lower() not in self._commands:
                self._act(line)
            else:
                self._commands[word.lower()](rest.strip())
        except (CommandError, OptionError, OSError) as error:  # of a command; an agent's failure ends it all
            say(self.out, str(error))

    def _follow_agents(self) -> None:
        """Let the agents move up to the next choice of a person, and show that."""
        for move in self.session.run_agents():
            self._tell(move)
        if not self.session.game.over:
            self._show("")

    # --- actions --------------------------------------------------------------------------------------

    def _act(self, line: str) -> None:
        choice = self._choice(line)
        if choice is None:
            return
        if choice.legal:
            self._tell(self.session.take(choice.action))
            self._follow_agents()
        else:
            self._explain(choice)

    def _choice(self, text: str) -> Choice | None:
        """Return the action that ``text`` means, illegal ones included; tell the person if it is unclear."""
        choices = self.session.game.describe().choices
        found = match_action(choices, text)
        if len(found) == 1:
            return found[0]
        if not text:
            say(self.out, "Type an action or a command; `help` lists the commands.")
        elif found:
            say(self.out, f"{text!r} could be {', '.join(choice.name for choice in found)}.")
        else:
            say(self.out, f"{text!r} is no action or command; `help` lists the commands.")
        return None

    def _explain(self, choice: Choice) -> None:
        if choice.legal:
            say(self.out, f"{choice.name} is legal: {choice.meaning}.")
        else:
            say(self.out, f"{choice.name} is not possible ({choice.reason}).")

    def _tell(self, move: Move) -> None:
        person = move.seat in self.session.persons
        action = "has chosen" if move.secret and not person else f"plays {move.action}"
        say(self.out, f"seat {move.seat} ({self.session.name_of(move.seat)}) {action}")
        self._say_lines(self._seen(move.happenings), indent="  ")

    def _seen(self, happenings: Sequence[Happening]) -> list[str]:
        """Return what happened in words, without what any person at this terminal may not know."""
        persons = self.session.persons
        return words.journal(h for h in happenings if all(h.seen_by(person) for person in persons))

    def _say_lines(self, lines: Sequence[str], indent: str = "") -> None:
        for line in lines:
            say(self.out, indent + line)

    def _announce_end(self) -> None:
        game = self.session.game
        say(self.out, "")
        say(self.out, game.position(min(self.session.persons)))
        self._say_lines(words.result(game, self.session.name_of))

    # --- commands -------------------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        say(self.out, HELP)

    def _show(self, rest: str) -> None:
        game = self.session.game
        say(self.out, "")
        say(self.out, game.position(game.actor))
        for choice in game.describe().choices:
            if choice.legal:
                say(self.out, f"  {choice.action:>3}  {choice.name}: {choice.meaning}")

    def _hint(self, rest: str) -> None:
        game, agent = self.session.game, self.hinter
        chances = agent.probabilities(game.observe()[None], game.mask()[None])
        if chances is None:
            try:
                name = game.spec.actions[self.session.ask(agent)].name
            except AgentError as error:
                say(self.out, str(error))
            else:
                say(self.out, f"{agent.name} would play {name}.")
            return
        ranked = [(game.spec.actions[a].name, chances[0][a]) for a in np.argsort(-chances[0], kind="stable")]
        likely = ", ".join(f"{name} {p:.0%}" for name, p in ranked[:SHOWN_PROBABILITIES] if p > 0)
        say(self.out, f"{agent.name} would play {likely}.")

    def _why(self, rest: str) -> None:
        choice = self._choice(rest)
        if choice is None:
            return
        self._explain(choice)
        if choice.rule:
            show_rules(self.out, find_rules(self.session.game.spec, [choice.rule]))

    def _undo(self, rest: str) -> None:
        if self.session.undo():
            self._show("")
        else:
            say(self.out, "There is no earlier decision of yours.")

    def _rules(self, rest: str) -> None:
        if rest:
            show_rules(self.out, find_rules(self.session.game.spec, rest.split()))
        else:
            book = f"kingmaker rules {self.session.game.spec.name}"
            say(self.out, f"Give an id or words, as in `rules parry`; the whole book is in `{book}`.")

    def _save(self, rest: str) -> None:
        if not rest:
            say(self.out, "save needs a file name.")
            return
        path = Path(rest).expanduser()
        check_target(path)
        self.session.log.save(path)
        say(self.out, f"Saved to {rest}.")

    def _quit(self, rest: str) -> None:
        self._left = True


def match_action(choices: Sequence[Choice], text: str) -> list[Choice]:
    """Return the actions that ``text`` can mean: that of its number or full name, else by beginning of name.

    Legal actions go before illegal ones: a beginning that one legal action has means that one.
    """
    text = text.lower()
    if not text:
        return []
    exact = [choice for choice in choices if text in (choice.name, str(choice.action))]
    begun = [choice for choice in choices if choice.name.startswith(text)]
    return exact or [choice for choice in begun if choice.legal] or begun
