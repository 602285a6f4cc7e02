"""The facts of a game, declared as data.

Registration, documentation tables, command-line help and the conformance tests are made from a
``GameSpec``; only the rules themselves are code.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np

from kingmaker.envs.core.checks import is_integer
from kingmaker.envs.core.contract import Rules, bind_rules, check_field_names, load_linked
from kingmaker.envs.core.errors import OptionError, TableError
from kingmaker.envs.core.kernel import entry
from kingmaker.envs.core.loops import ENTRIES

RewardMode = Literal["win", "placement", "score"]
REWARD_MODES: tuple[RewardMode, ...] = ("win", "placement", "score")


MAX_SEED = 2**63 - 1
_LOOPS: dict[str, Callable[..., Any]] = {loop.__name__: loop for loop in ENTRIES}


def check_seed(seed: int | None) -> int:
    """Return ``seed`` if it lies in ``[0, 2**63)``, or one from the operating system for ``None``."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)
    if not is_integer(seed) or not 0 <= seed < 2**63:
        raise OptionError(f"a seed is an integer in 0..2**63-1, not {seed!r}")
    return int(seed)


def check_reward(mode: str) -> int:
    """Return the number of a reward mode; raise ``OptionError`` for an unknown one."""
    if mode not in REWARD_MODES:
        raise OptionError(f"reward is one of {', '.join(REWARD_MODES)}, not {mode!r}")
    return REWARD_MODES.index(mode)


@dataclass(frozen=True)
class Action:
    """One row of a game's action table: its stable id is its position there."""

    name: str  # stable, lower case with dashes; printed by render, CLI, logs and errors
    meaning: str
    phase: str  # the phase it belongs to


@dataclass(frozen=True)
class Feature:
    """A named slice of the observation vector."""

    name: str
    meaning: str
    size: int = 1
    low: float = 0.0
    high: float = 1.0


def feature_slices(features: Iterable[Feature]) -> dict[str, slice]:
    """Return each feature's name with its slice of the observation vector."""
    table, start = {}, 0
    for feature in features:
        table[feature.name] = slice(start, start + feature.size)
        start += feature.size
    return table


@dataclass(frozen=True)
class Phase:
    """A kind of choice."""

    name: str
    chooser: str
    meaning: str
    simultaneous: bool = False


@dataclass(frozen=True)
class Event:
    """A kind of journal row; ``text`` is a format string over ``seat``, ``a``, ``b``, ``c``."""

    name: str
    text: str
    private: bool = False  # whether only ``seat`` may read it
    # words in place of numbers: under ``"a"`` a sequence that the value of ``a`` is a position in
    names: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)

    def words(self, seat: int, a: int, b: int, c: int) -> str:
        """Return the row in words."""
        values: dict[str, Any] = {"seat": seat, "a": a, "b": b, "c": c}
        return self.text.format(
            **{
                letter: self.names[letter][value] if letter in self.names else value
                for letter, value in values.items()
            }
        )


@dataclass(frozen=True)
class Option:
    """A rule option.

    An option with ``table`` (a dotted path) replaces that entry of the game's data file, and allows every
    value that the file may hold. The tables record has the entry under the same path: ``"dice.attack"`` is
    ``record["dice"]["attack"]``. The other options become the field of the same name in the options record.
    """

    name: str
    meaning: str
    type: type  # int or bool
    default: Any
    low: int = 0
    high: int = 1
    table: str | None = None

    def check(self, value: Any) -> Any:
        """Return ``value`` as the option's type; raise ``OptionError`` if it is not one of its values."""
        if self.type is bool:
            if isinstance(value, bool | np.bool_):
                return bool(value)
            raise OptionError(f"option {self.name!r} is true or false, not {value!r}")
        if not is_integer(value):
            raise OptionError(f"option {self.name!r} is an integer, not {value!r}")
        if not self.low <= value <= self.high:
            raise OptionError(f"option {self.name!r} lies in {self.low}..{self.high}, not {value!r}")
        return int(value)


@dataclass(frozen=True)
class GameText:
    """A game's words; see ``kingmaker.envs.core.game.Game.describe``."""

    # (state, tables, viewer) -> the position as that seat may see it, several lines; -1 sees everything
    position: Callable[[Any, Any, int], str]
    # (state, tables, action) -> (rule id, sentence) for an action that is illegal now
    forbidden: Callable[[Any, Any, int], tuple[str, str]]


@dataclass(frozen=True)
class Reference:
    """Actions that mean another thing in every position, and how the observation tells which.

    A placement of dice, for example, means the advisor that their sum reaches. Action ``actions[i]`` refers
    to the thing number ``round(observation[features[i]] * scale) + offsets[i]`` of ``0 .. size - 1``, and to
    nothing where the observation's entry is 0 or the number lies outside. Networks can learn about the
    things instead of about every action by itself (``kingmaker.training.network``).

    Attributes:
        name: what the things are.
        size: how many there are.
        scale: from the observation's entries to numbers.
        actions: ids, ``(k,)``.
        features: positions in the observation vector, ``(k,)``.
        offsets: integers, ``(k,)``.
    """

    name: str
    size: int
    scale: float
    actions: tuple[int, ...]
    features: tuple[int, ...]
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Tally:
    """Figures of ended games by seat, which ``kingmaker balance`` reports.

    Attributes:
        title: what they are, for example ``"victory points by source"``.
        names: what each figure is.
        values: ``(N, P, len(names))``, numbers for ``N`` games and ``P`` seats.
        parts: whether the figures of a seat add up to its score.
    """

    title: str
    names: tuple[str, ...]
    values: np.ndarray
    parts: bool = False


@dataclass(frozen=True)
class GameSpec:
    """Everything the shared code needs to know of a game."""

    name: str  # "krig": module-like, the id is "kingmaker/<name>-v<version>"
    title: str
    version: int
    module: str  # import path of the module that registers the spec
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    actions: tuple[Action, ...]
    phases: tuple[Phase, ...]  # position = value of ``state.phase`` when a seat chooses
    events: tuple[Event, ...]  # position + 1 = journal kind
    hidden: str  # what is hidden from whom, in words
    perfect_information: bool  # whether nothing is hidden, past draws of chance included
    state_dtype: np.dtype
    tables_dtype: np.dtype
    options_dtype: np.dtype
    rules: Rules
    text: GameText
    # (num_players) -> the observation vector's parts in order
    features: Callable[[int], tuple[Feature, ...]]
    # (path or None, overrides {dotted path: value}) -> tables record array of length 1
    load_tables: Callable[[Any, Mapping[str, Any]], np.ndarray]
    # (num_players, options) -> an upper bound on the decisions of one game
    longest: Callable[[int, Mapping[str, Any]], int]
    # (tables) -> divisor of the "score" reward, in game points
    score_scale: Callable[[Any], float]
    # (state record, tables record) -> what no state can hold, or None; the header has been checked before
    check_state: Callable[[Any, Any], str | None] | None = None
    # (num_players) -> what actions refer to
    references: Callable[[int], tuple[Reference, ...]] = lambda num_players: ()
    # (states of N ended games with P seats, P, tables array) -> what balance reports tell of them
    tallies: Callable[[np.ndarray, int, np.ndarray], tuple[Tally, ...]] | None = None
    # (how often each action was taken, (N, P, actions), P, tables array) -> what they tell of the play
    action_tallies: Callable[[np.ndarray, int, np.ndarray], tuple[Tally, ...]] | None = None
    rulebook: str = "rulebook.md"  # beside the module
    namespace: str = "kingmaker"
    status: str = "thoroughly tested"
    history: tuple[tuple[int, str], ...] = ()  # (version, what changed)
    _entries: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = [action.name for action in self.actions]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.name}: action names are not unique")
        for dtype in (self.state_dtype, self.tables_dtype, self.options_dtype):
            check_field_names(dtype)
        bind_rules(self.rules, self.state_dtype, self.tables_dtype, self.options_dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.module, self.id)

    def __deepcopy__(self, memo: Any) -> GameSpec:
        return self

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def id(self) -> str:
        """The registered id, for example ``kingmaker/krig-v0``."""
        return f"{self.namespace}/{self.name}-v{self.version}"

    @property
    def gym_id(self) -> str:
        """The Gymnasium id of the one-seat environment, for example ``kingmaker/Krig-v0``."""
        camel = "".join(part.capitalize() for part in self.name.split("_"))
        return f"{self.namespace}/{camel}-v{self.version}"

    @property
    def num_actions(self) -> int:
        """Size of the action table."""
        return len(self.actions)

    @cached_property
    def action_ids(self) -> dict[str, int]:
        """Action name to id."""
        return {action.name: index for index, action in enumerate(self.actions)}

    def observation_size(self, num_players: int) -> int:
        """Length of the observation vector."""
        return sum(feature.size for feature in self.features(num_players))

    def slices(self, num_players: int) -> dict[str, slice]:
        """Feature name to its slice of the observation vector."""
        return feature_slices(self.features(num_players))

    def check_seats(self, num_players: int | None) -> int:
        """Return the seat count (the smallest by default); raise ``OptionError`` if the game lacks it."""
        if num_players is None:
            return self.seats[0]
        if not is_integer(num_players) or num_players not in self.seats:
            counts = ", ".join(map(str, self.seats))
            raise OptionError(f"{self.name} is for {counts} seats, not num_players={num_players!r}")
        return int(num_players)

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options with defaults filled in; raise ``OptionError`` on an unknown name or value."""
        known = {option.name: option for option in self.options}
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise OptionError(
                f"{self.name} has no option {', '.join(map(repr, unknown))}; "
                f"its options are {', '.join(known) or 'none'}"
            )
        return {
            name: option.check(given[name]) if given.get(name) is not None else option.default
            for name, option in known.items()
        }

    def configure(
        self, given: Mapping[str, Any], tables: Any = None
    ) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
        """Return tables and options arrays (length 1 each), and all options as they are then in force.

        Args:
            given: rule options by name; the others are as the data file or else their default says.
            tables: path of a data file in place of the game's own.

        Raises:
            OptionError: on an unknown or impossible option.
            TableError: if the data file is unreadable or invalid.
        """
        if tables is not None and not isinstance(tables, str | os.PathLike):
            raise TableError(f"tables is the path of a data file, not {tables!r}")
        values = self.check_options(given)
        overrides = {
            option.table: values[option.name]
            for option in self.options
            if option.table is not None and given.get(option.name) is not None
        }
        options = np.zeros(1, self.options_dtype)
        for name in self.options_dtype.names or ():
            options[name] = values[name]
        if tables is None:
            record = _own_tables(self.load_tables, tuple(overrides.items())).copy()
        else:
            record = self.load_tables(tables, overrides)
        for option in self.options:
            if option.table is not None:
                values[option.name] = option.type(_entry(record, option.table))
        return record, options, values

    def entry(self, loop: str | Callable[..., Any]) -> Any:
        """Return a loop compiled for this game.

        Args:
            loop: a name in ``kingmaker.envs.core.loops``, or a function written like those.
        """
        if loop not in self._entries:
            function = _LOOPS[loop] if isinstance(loop, str) else loop
            load_linked(self.state_dtype, function)
            self._entries[loop] = entry(function, self.file)
        return self._entries[loop]

    @property
    def file(self) -> str:
        """Path of the module that registers the game; its folder holds rules, tables and rulebook."""
        path = inspect.getsourcefile(importlib.import_module(self.module))
        if path is None:
            raise ValueError(f"{self.module} has no source file; compiled rules are kept by source")
        return path


@lru_cache(maxsize=256)
def _own_tables(load: Callable[..., np.ndarray], overrides: tuple[tuple[str, Any], ...]) -> np.ndarray:
    """Return a game's own tables; reading a large file takes longer than playing a game."""
    return load(None, dict(overrides))


def _entry(record: np.ndarray, path: str) -> Any:
    """Return the entry of a tables record at a dotted path."""
    part: Any = record[0]
    for name in path.split("."):
        part = part[name]
    return part


def _restore(module: str, spec_id: str) -> GameSpec:
    from kingmaker.envs.core.registry import get_spec

    importlib.import_module(module)
    return get_spec(spec_id)
