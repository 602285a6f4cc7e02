"""``kingmaker play``: a person against agents in the terminal."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kingmaker.cli.common import (
    Options,
    Seats,
    Tables,
    check_target,
    console,
    examples,
    find_game,
    parse_options,
    say,
)
from kingmaker.cli.errors import EXIT_SIGNAL, CommandError

if TYPE_CHECKING:
    from kingmaker.cli.session import Session
    from kingmaker.envs.core.spec import GameSpec

_SMALL_SEEDS = 1_000_000  # seeds that nobody chose are short, to be typed and to name files with


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name or id of a game; not needed with --resume.")
    ] = None,
    seat: Annotated[
        list[int] | None,
        typer.Option("--seat", metavar="K", help="A seat that a person plays; repeatable. [0]"),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT,...",
            help="One agent for all other seats, or one for each in ascending order. [heuristic]",
        ),
    ] = None,
    hints: Annotated[str, typer.Option(metavar="AGENT", help="The agent that gives hints.")] = "heuristic",
    seats: Seats = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed of all chance; drawn by default.")
    ] = None,
    option: Options = None,
    tables: Tables = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the log goes; ./GAME-SEED.jsonl by default.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="LOG", help="Go on with a saved game, in its own file unless --log is given."),
    ] = None,
) -> None:
    """Play a game in the terminal against agents, with hints, undo, rules at hand and a saved log.

    Type actions by number, name or the beginning of a name; `help` lists the
    commands. Undo and resume keep the luck of a game: the same actions bring
    the same dice. The log is written when the game ends or is left, however
    that happens; `kingmaker replay` reads it.
    """
    from kingmaker.agents.loader import split_names

    seating = {"persons": seat or [0], "opponents": split_names(opponents or "heuristic")}
    if resume is not None:
        fixed = {"GAME": game, "--seats": seats, "--seed": seed, "--option": option}
        given = [name for name, value in fixed.items() if value]
        if given:
            raise CommandError(f"a saved game has its own {given[0]}; leave it out with --resume")
        session, target = _resume(resume, tables, seating), log or resume
        _check_opponents(session, opponents)
        _converse(session, target, hints)
        return
    if game is None:
        raise CommandError("name a GAME, or a saved one with --resume")
    spec = find_game(game)
    chosen = _seed(seed)
    target = log or Path(f"{spec.name}-{chosen}.jsonl")
    if target.exists():
        raise CommandError(f"{target} exists; --resume it, or choose another --log or --seed")
    session = _begin(spec, seats, chosen, parse_options(spec, option), tables, seating)
    _check_opponents(session, opponents)
    _converse(session, target, hints)


def _seed(given: int | None) -> int:
    from kingmaker.envs.core.spec import check_seed

    return check_seed(None) % _SMALL_SEEDS if given is None else check_seed(given)


def _begin(
    spec: GameSpec,
    seats: int | None,
    seed: int,
    options: dict[str, Any],
    tables: Path | None,
    seating: dict[str, Any],
) -> Session:
    from kingmaker.cli.session import Session

    return Session.begin(spec, seats, seed, options, tables, **seating)


def _resume(path: Path, tables: Path | None, seating: dict[str, Any]) -> Session:
    from kingmaker.cli.replay import load, verified
    from kingmaker.cli.session import Session

    log = load(path)
    for _ in verified(path, log, tables):
        pass
    return Session.resume(log, tables, **seating)


def _converse(session: Session, target: Path, hints: str) -> None:
    """Play, and save the log whatever happens; a game without a decision leaves no file."""
    from kingmaker.cli.dialogue import Dialogue

    check_target(target)
    out = console()
    dialogue = Dialogue(session, out, session.agent(hints))
    with _signals_leave():
        try:
            dialogue.run()
        finally:
            if session.log.decisions:
                session.log.save(target)
                again = "kingmaker replay" if session.game.over else "kingmaker play --resume"
                say(out, f"The log is saved: {again} {shlex.quote(str(target))}")


def _check_opponents(session: Session, opponents: str | None) -> None:
    if opponents is not None and len(session.persons) == session.game.num_players:
        raise CommandError("people play all the seats; leave out --opponents")


@contextmanager
def _signals_leave() -> Iterator[None]:
    """Let a hang-up or a request to terminate leave the game as an interrupt does, with its log saved."""

    def leave(number: int, _: Any) -> None:
        for other in before:  # a second one must not cut the saving short
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(EXIT_SIGNAL + number)

    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, leave) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    epilog = examples(
        "kingmaker play krig",
        "kingmaker play krig --seat 1 --opponents policy:runs/krig-ppo-1/policy.pt",
        "kingmaker play krig --option hit_points=12 --seed 7 --log duel.jsonl",
        "kingmaker play --resume duel.jsonl",
    )
    app.command("play", epilog=epilog)(play)
