"""A game's facts as tables of plain data, made from its spec: for the terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kingmaker.envs.core.spec import REWARD_MODES, GameSpec, Option

REWARD_MEANINGS = {
    "win": "the winner gets +1 and each other seat -1/(n-1); tied winners share what their places hold",
    "placement": "+1 for the first down to -1 for the last in equal steps; ties get the average",
    "score": "own score less the mean score, divided by the game's score scale",
}


@dataclass(frozen=True)
class Sheet:
    """A table: a title, the columns' names, and rows of strings, numbers and booleans."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def records(self) -> list[dict[str, Any]]:
        """Return each row by column name, for JSON."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def games(specs: tuple[GameSpec, ...]) -> Sheet:
    """Return one row for each game."""
    header = (
        "game",
        "id",
        "Gymnasium id",
        "seats",
        "actions",
        "observation",
        "state bytes",
        "options",
        "hidden",
        "status",
    )
    rows = tuple(
        (
            spec.name,
            spec.id,
            spec.gym_id,
            ", ".join(map(str, spec.seats)),
            spec.num_actions,
            _by_seats(spec, spec.observation_size),
            spec.state_dtype.itemsize,
            ", ".join(option.name for option in spec.options),
            spec.hidden,
            spec.status,
        )
        for spec in specs
    )
    return Sheet("Games", header, rows)


def facts(spec: GameSpec) -> Sheet:
    """Return what there is to know of a game in a word or a number."""
    defaults = spec.check_options({})
    rows = (
        ("title", spec.title),
        ("PettingZoo id", spec.id),
        ("Gymnasium id", spec.gym_id),
        ("seats", ", ".join(map(str, spec.seats))),
        ("actions", spec.num_actions),
        ("observation", _by_seats(spec, spec.observation_size)),
        ("state bytes", spec.state_dtype.itemsize),
        ("decisions at most", _by_seats(spec, lambda seats: spec.longest(seats, defaults))),
        ("hidden", spec.hidden),
        ("simultaneous choices", any(phase.simultaneous for phase in spec.phases)),
        ("status", spec.status),
        ("rules", spec.rulebook),
    )
    return Sheet(spec.title, ("fact", "value"), rows)


def _by_seats(spec: GameSpec, figure: Callable[[int], int]) -> str:
    """Return a figure that may depend on the seat count: ``39``, or ``39 (2 seats), 52 (3 seats)``."""
    figures = {seats: figure(seats) for seats in spec.seats}
    if len(set(figures.values())) == 1:
        return str(figures[spec.seats[0]])
    return ", ".join(f"{value} ({seats} seats)" for seats, value in figures.items())


def options(spec: GameSpec) -> Sheet:
    """Return the rule options."""
    rows = tuple(
        (option.name, option.type.__name__, option.default, _range(option), option.meaning)
        for option in spec.options
    )
    return Sheet("Options", ("option", "type", "default", "values", "meaning"), rows)


def _range(option: Option) -> str:
    return "true, false" if option.type is bool else f"{option.low}..{option.high}"


def phases(spec: GameSpec) -> Sheet:
    """Return the kinds of choice."""
    rows = tuple((phase.name, phase.chooser, phase.simultaneous, phase.meaning) for phase in spec.phases)
    return Sheet("Phases", ("phase", "chooser", "simultaneous", "meaning"), rows)


def actions(spec: GameSpec) -> Sheet:
    """Return the action table."""
    rows = tuple(
        (number, action.name, action.phase, action.meaning) for number, action in enumerate(spec.actions)
    )
    return Sheet("Actions", ("action", "name", "phase", "meaning"), rows)


def observation(spec: GameSpec, num_players: int) -> Sheet:
    """Return the parts of the observation vector in a game with ``num_players`` seats."""
    slices = spec.slices(num_players)
    rows = tuple(
        (_indices(slices[part.name]), part.name, part.low, part.high, part.meaning)
        for part in spec.features(num_players)
    )
    title = f"Observation, {num_players} seats: float32 ({spec.observation_size(num_players)},)"
    return Sheet(title, ("index", "name", "low", "high", "meaning"), rows)


def _indices(part: slice) -> str:
    return str(part.start) if part.stop == part.start + 1 else f"{part.start}..{part.stop - 1}"


def rewards() -> Sheet:
    """Return the reward modes, which every game has; all come at the end of a game and sum to zero."""
    rows = tuple((mode, REWARD_MEANINGS[mode]) for mode in REWARD_MODES)
    return Sheet("Rewards", ("reward", "meaning"), rows)


def events(spec: GameSpec) -> Sheet:
    """Return the kinds of journal rows."""
    return Sheet("Journal", ("event", "text"), tuple((event.name, event.text) for event in spec.events))


def history(spec: GameSpec) -> Sheet:
    """Return what changed with each version."""
    rows = tuple((f"v{number}", what) for number, what in spec.history)
    return Sheet("Versions", ("version", "change"), rows)


def all_sheets(spec: GameSpec, num_players: int) -> dict[str, Sheet]:
    """Return every table about a game, by name."""
    return {
        "facts": facts(spec),
        "options": options(spec),
        "phases": phases(spec),
        "actions": actions(spec),
        "observation": observation(spec, num_players),
        "rewards": rewards(),
        "journal": events(spec),
        "versions": history(spec),
    }
