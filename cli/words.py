"""A running game in words, for ``play`` and ``replay``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingmaker.envs.core.game import Game
    from kingmaker.envs.core.words import Happening


def journal(happenings: Iterable[Happening]) -> list[str]:
    """Return what happened, a line an event; draws of chance stand behind the event that they follow."""
    lines: list[str] = []
    draws: list[str] = []

    def close() -> None:
        if draws:
            drawn = f"({', '.join(draws)})"
            lines[-1:] = [f"{lines[-1]} {drawn}"] if lines else [f"draws {drawn}"]
            draws.clear()

    for happening in happenings:
        if happening.name == "chance":
            outcome, sides, _ = happening.values
            draws.append(f"{outcome + 1} of {sides}")
        else:
            close()
            lines.append(happening.text)
    close()
    return lines


def result(game: Game, name_of: Callable[[int], str] | None = None) -> list[str]:
    """Return the result of an ended game, a line a seat, the best first; ``name_of`` gives players' names."""
    ranks, scores, _ = game.results()
    lines = []
    for rank, seat in sorted((int(rank), seat) for seat, rank in enumerate(ranks)):
        player = f" ({name_of(seat)})" if name_of else ""
        lines.append(f"{rank + 1}. seat {seat}{player}, score {scores[seat]:g}")
    return [*lines, *(["the game was cut off by its limit"] if game.truncated else [])]
