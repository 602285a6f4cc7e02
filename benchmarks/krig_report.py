"""Plots and tables of perfect play of Krig; ``python -m kingmaker.benchmarks.krig_report docs/results/krig``.

Every figure comes from the solution, by way of the game's own states and views. Written are ``actions.png``
(the best action over both seats' hit points), ``parry.png`` (which faces are rightly parried),
``tokens.png`` (what tokens are worth) and ``tables.txt`` (Markdown).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.agents.exact.solver import Solution
from kingmaker.agents.exact.store import find_solution
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.krig.state import ACT, REACT

ACTIONS = ("attack", "defend", "charge")
COLOURS = ("#c0504d", "#4f81bd", "#e0a030")

# Boards of the seat to act and of the other seat, for the maps of actions.
SITUATIONS: tuple[tuple[str, Mapping[str, int], Mapping[str, int]], ...] = (
    ("nothing standing", {}, {}),
    ("own shield 5", {"defence": 5}, {}),
    ("other's shield 5", {}, {"defence": 5}),
    ("both shields 5", {"defence": 5}, {"defence": 5}),
    ("other is charging", {}, {"charging": 1}),
    ("other is charging, own shield 5", {"defence": 5}, {"charging": 1}),
)
PARRIES: tuple[tuple[str, Mapping[str, int], Mapping[str, int]], ...] = (
    ("no shield", {}, {}),
    ("own shield 4", {"defence": 4}, {}),
    ("own shield 8", {"defence": 8}, {}),
)


@dataclass(frozen=True)
class Solved:
    """A game with its solution."""

    name: str
    game: Game
    solution: Solution

    @classmethod
    def of(cls, name: str) -> Solved:
        """Solve a game by name, or load it."""
        spec = get_spec(name)
        has_match = any(option.name == "games" for option in spec.options)
        game = Game(spec, seed=0, options={"games": 1} if has_match else {})
        return cls(name, game, find_solution(game.tables))

    def values(self, positions: list[dict[str, Any]]) -> np.ndarray:
        """Return the values of all actions at positions, float64 ``(n, A)``.

        A position has ``own`` and ``other``, fields of the boards of the seat that decides and of the other
        one, and may have ``face``, the attack die of an attack that is pending.
        """
        views = [self._view(**position) for position in positions]
        return self.solution.action_values(np.stack(views), self.game.spec.num_actions)

    def _view(self, own: Mapping[str, int], other: Mapping[str, int], face: int = 0) -> np.ndarray:
        game = self.game.clone()
        seat = game.actor
        for who, fields in ((seat, own), (1 - seat, other)):
            for name, value in fields.items():
                game.state.seats[who][name] = value
        game.state.phase = REACT if face else ACT
        if face:
            pending = game.state.pending
            pending.active, pending.target, pending.face, pending.total = 1, seat, face, face
        return game.observe(seat)


def grid(solved: Solved, own: Mapping[str, int], other: Mapping[str, int], face: int = 0) -> np.ndarray:
    """Return action values over hit points of both seats, float64 ``(own, other, A)``."""
    full = solved.solution.figures.hit_points
    positions = [
        {
            "own": {**own, "hit_points": mine + 1},
            "other": {**other, "hit_points": theirs + 1},
            "face": face,
        }
        for mine, theirs in np.ndindex(full, full)
    ]
    return solved.values(positions).reshape(full, full, -1)


def best_actions(solved: Solved, own: Mapping[str, int], other: Mapping[str, int]) -> np.ndarray:
    """Return the number in ``ACTIONS`` of the best action over hit points, int64 ``(own, other)``."""
    columns = [solved.game.spec.action_ids[name] for name in ACTIONS]
    return np.nanargmax(grid(solved, own, other)[..., columns], axis=-1)


def parried(solved: Solved, own: Mapping[str, int], other: Mapping[str, int]) -> np.ndarray:
    """Return which faces are rightly parried over hit points, bool ``(own, other, face)``."""
    ids, figures = solved.game.spec.action_ids, solved.solution.figures
    faces = [grid(solved, own, other, face) for face in range(1, figures.parried + 1)]
    return np.stack([values[..., ids["parry"]] > values[..., ids["accept"]] for values in faces], axis=-1)


def thresholds(right: np.ndarray) -> np.ndarray:
    """Return ``n`` where the faces 1 to ``n`` are parried, and one more than all where there are gaps."""
    count = right.sum(axis=-1)
    gaps = (np.diff(right.astype(int), axis=-1) > 0).any(axis=-1)
    return np.where(gaps, right.shape[-1] + 1, count)


def _maps(path: Path, maps: list[tuple[str, np.ndarray]], colours: Any, names: tuple[str, ...]) -> None:
    """Draw maps over hit points side by side and save them."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    rows = -(-len(maps) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(10, 3.4 * rows + 0.8), squeeze=False, layout="constrained")
    for axis, (title, content) in zip(axes.flat, maps, strict=True):
        full = len(content)
        axis.imshow(
            content,
            origin="lower",
            cmap=ListedColormap(colours),
            vmin=-0.5,
            vmax=len(colours) - 0.5,
            extent=(0.5, full + 0.5, 0.5, full + 0.5),
        )
        axis.set(title=title, xlabel="other's hit points", ylabel="own hit points")
        axis.set(xticks=range(5, full + 1, 5), yticks=range(5, full + 1, 5))
    handles = [Patch(color=colour, label=name) for colour, name in zip(colours, names, strict=True)]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(names))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _token_plot(path: Path, solution: Solution) -> None:
    """Draw the win probability by tokens, at the usual start and over hit points."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    fig = solution.figures
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    points = range(1, fig.hit_points + 1)
    axes[1].set_xticks(range(5, fig.hit_points + 1, 5))
    for own in range(fig.tokens + 1):
        line = [
            100 * _value(solution, fig.hit_points - 2, fig.hit_points, own, t) for t in range(fig.tokens + 1)
        ]
        axes[0].plot(range(fig.tokens + 1), line, marker="o", label=f"{own} own tokens")
        gain = [
            100 * (_value(solution, p, p, own, fig.tokens) - _value(solution, p, p, 0, fig.tokens))
            for p in points
        ]
        axes[1].plot(points, gain, label=f"{own} own tokens")
    title = f"{fig.hit_points - 2} v {fig.hit_points} hit points, first to act"
    axes[0].set(title=title, xlabel="other's tokens", ylabel="wins (%)", xticks=range(fig.tokens + 1))
    title = f"gain over no token, other has {fig.tokens}, equal hit points"
    axes[1].set(title=title, xlabel="hit points of both", ylabel="percentage points")
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _value(solution: Solution, first: int, second: int, own: int, other: int) -> float:
    return float(solution.values[0, first - 1, second - 1, own, other, 0])


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def token_table(solution: Solution) -> str:
    """Return the win probability of the usual start by tokens of both seats, as Markdown."""
    fig = solution.figures
    rows = [
        [f"{own} own"]
        + [
            f"{100 * _value(solution, fig.hit_points - 2, fig.hit_points, own, other):.2f}%"
            for other in range(fig.tokens + 1)
        ]
        for own in range(fig.tokens + 1)
    ]
    return _table(["tokens", *(f"{other} other's" for other in range(fig.tokens + 1))], rows)


def parry_table(solved: Solved) -> str:
    """Return which faces are rightly parried, by own hit points and shield, at 20 for the other seat."""
    shields = range(0, 9, 2)
    maps = [parried(solved, {"defence": shield}, {})[:, -1] for shield in shields]
    rows = [
        [
            str(points),
            *(", ".join(str(face + 1) for face in np.flatnonzero(m[points - 1])) or "-" for m in maps),
        ]
        for points in (20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)
    ]
    return _table(["own hit points", *(f"shield {shield}" for shield in shields)], rows)


def write_report(folder: Path) -> None:
    """Write plots and tables into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    base, expansion = Solved.of("krig"), Solved.of("krig_intervention")
    maps = [(title, best_actions(base, own, other)) for title, own, other in SITUATIONS]
    _maps(folder / "actions.png", maps, COLOURS, ACTIONS)
    maps = [(title, thresholds(parried(base, own, other))) for title, own, other in PARRIES]
    shades = ("#dddddd", "#c6dbef", "#6baed6", "#2171b5", "#08306b", "#e0a030")
    _maps(folder / "parry.png", maps, shades, ("never", "1", "up to 2", "up to 3", "up to 4", "with gaps"))
    _token_plot(folder / "tokens.png", expansion.solution)
    tables = {
        "Faces that are rightly parried (base game, other at 20 without a shield)": parry_table(base),
        "Wins of the seat that goes first, 18 v 20, by tokens": token_table(expansion.solution),
    }
    text = "\n".join(f"**{title}**\n\n{table}" for title, table in tables.items())
    (folder / "tables.txt").write_text(text, "utf-8")


def main() -> None:
    """Write the report into the folder given."""
    import kingmaker.envs  # noqa: F401 - registers the games

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    write_report(parser.parse_args().folder)


if __name__ == "__main__":
    main()
