"""One game in Python: what logs, replays, tests, searches and the command line work with."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kingmaker.envs.core.contract import NOBODY, RUNNING, TRUNCATED
from kingmaker.envs.core.errors import GameOver, GameRunning, IllegalAction, ScriptError
from kingmaker.envs.core.loops import TURN_ILLEGAL
from kingmaker.envs.core.record import copy_records
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import GameSpec, RewardMode, check_reward, check_seed
from kingmaker.envs.core.tape import (
    EVENT_CHANCE,
    FAULT_EXHAUSTED,
    FAULT_NONE,
    JOURNAL_CAPACITY,
    SCRIPT_CAPACITY,
    switch_journal,
)
from kingmaker.envs.core.words import Choice, Description, Happening


def action_index(action: Any, num_actions: int) -> int:
    """Return ``action`` as an int; raise ``IllegalAction`` for what is no integer, or no machine integer."""
    try:
        number = None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        number = None
    if number is None or not -(2**63) <= number < 2**63:
        raise IllegalAction(f"an action is an integer 0..{num_actions - 1}, not {action!r}")
    return number


class Game:
    """One game, on the compiled rules.

    Args:
        game: a spec, or a game's name or id.
        num_players: seats in play; the game's smallest count by default.
        seed: integer in ``[0, 2**63)``, or ``None`` for one from the operating system.
        options: rule options by name.
        tables: path of a data file to use in place of the game's own.

    Raises:
        OptionError, TableError: for a seat count, option or data file that does not fit.
    """

    def __init__(
        self,
        game: GameSpec | str,
        num_players: int | None = None,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        tables: Any = None,
    ) -> None:
        self.spec = game if isinstance(game, GameSpec) else get_spec(game)
        self.num_players = self.spec.check_seats(num_players)
        self.tables, self._options, self.options = self.spec.configure(options or {}, tables)
        self.states = np.zeros(1, self.spec.state_dtype)
        self._observation = np.zeros(self.spec.observation_size(self.num_players), np.float32)
        self._mask = np.zeros(self.spec.num_actions, np.int8)
        self.reset(seed)

    @classmethod
    def from_arrays(
        cls,
        spec: GameSpec,
        num_players: int,
        options: Mapping[str, Any],
        tables: Any,
        record: Any,
        states: Any,
    ) -> Game:
        """Return a game of its own on a copy of arrays that a batch or an environment holds."""
        game = object.__new__(cls)
        game.spec, game.num_players, game.options = spec, num_players, dict(options)
        game.tables, game._options, game.states = copy_records(tables), record, copy_records(states)
        game._observation = np.zeros(spec.observation_size(num_players), np.float32)
        game._mask = np.zeros(spec.num_actions, np.int8)
        game.seed = -1
        game.refresh()
        return game

    # --- state ----------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The state record (a view; rules tests may set its fields, then call ``refresh``)."""
        return self.states.view(np.recarray)[0]

    @property
    def actor(self) -> int:
        """The seat to move, -1 after the end."""
        return int(self.states["actor"][0])

    @property
    def choosing(self) -> tuple[int, ...]:
        """All seats that choose now; more than the actor only in a simultaneous phase."""
        bits = int(self.states["choosing"][0])
        return tuple(seat for seat in range(self.num_players) if bits >> seat & 1)

    @property
    def phase(self) -> str:
        """Name of the phase a seat chooses in, ``"over"`` after the end."""
        if self.over:
            return "over"
        return self.spec.phases[int(self.states["phase"][0])].name

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self.states["over"][0]) != RUNNING

    @property
    def truncated(self) -> bool:
        """Whether a limit, not the rules, ended it."""
        return int(self.states["over"][0]) == TRUNCATED

    @property
    def moves(self) -> int:
        """Decisions taken so far."""
        return int(self.states["moves"][0])

    # --- play -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, script: Sequence[int] | None = None) -> None:
        """Start anew; ``script`` dictates the chance draws up to the first choice."""
        seed = check_seed(seed)
        self._run(script, lambda: self._start(seed))
        self.seed = seed

    def _start(self, seed: int) -> None:
        self.spec.entry("start_game")(
            self.states,
            self.tables,
            self._options,
            self.num_players,
            seed,
            self._observation,
            self._mask,
        )

    def apply(self, action: int | str, script: Sequence[int] | None = None) -> None:
        """Take an action, by id or name, for the seat to move.

        Args:
            action: id or name.
            script: outcomes of the chance draws that follow, counted from 0 (a die's face less one); all
                must be used. ``None`` draws from the game's stream.

        Raises:
            IllegalAction: if the rules forbid it; the game is unchanged.
            GameOver: if the game has ended.
            ScriptError: if the script does not fit; the game is unchanged.
        """
        if isinstance(action, str):
            number = self.spec.action_ids.get(action, -1)
        else:
            number = action_index(action, self.spec.num_actions)
        if self.over:
            raise GameOver(f"the game is over after {self.moves} decisions; reset it to play on")
        if not 0 <= number < self.spec.num_actions or not self._mask[number]:
            raise IllegalAction(self.complaint(action))
        self._run(script, lambda: self._turn(number))

    def _turn(self, action: int) -> None:
        answer = self.spec.entry("take_turn")(self.states, self.tables, action, self._observation, self._mask)
        if answer == TURN_ILLEGAL:
            raise IllegalAction(self.complaint(action))

    def _run(self, script: Sequence[int] | None, play: Any) -> None:
        """Run ``play`` with the script on; on a fault put the game back as it was and raise."""
        tape = self.tables["tape"]
        tape["count"] = 0
        if script is None:
            play()
            return
        if len(script) > SCRIPT_CAPACITY:
            raise ScriptError(f"a script holds at most {SCRIPT_CAPACITY} draws, not {len(script)}")
        for draw in script:
            if not isinstance(draw, int | np.integer) or not 0 <= draw < 2**31:
                raise ScriptError(f"{draw!r} in the script is no outcome of any draw")
        before = copy_records(self.states)
        tape["on"] = tape["scripted"] = 1
        tape["fault"] = FAULT_NONE
        tape["script_position"], tape["script_length"] = 0, len(script)
        tape["script"][0, : len(script)] = script
        try:
            play()
            self._check_script(len(script))
        except ScriptError:
            self.states[:] = before
            self.refresh()
            raise
        finally:
            tape["scripted"] = 0
            tape["on"] = tape["recording"]

    def _check_script(self, length: int) -> None:
        tape = self.tables["tape"][0]
        used, sides = int(tape["script_position"]), int(tape["fault_sides"])
        if tape["fault"] == FAULT_EXHAUSTED:
            raise ScriptError(f"the script ends after {length} draws, but a draw of {sides} sides follows")
        if tape["fault"] != FAULT_NONE:
            wrong = int(tape["script"][used - 1])
            raise ScriptError(f"draw {used} of the script is {wrong}; that draw has outcomes 0..{sides - 1}")
        if used != length:
            raise ScriptError(f"the script has {length} draws, but only {used} were made")

    def refresh(self) -> None:
        """Write the mask again after the state was changed from outside."""
        self.spec.entry("write_mask")(self.states, self.tables, self._mask)

    # --- what a seat sees -----------------------------------------------------------------------------

    def mask(self) -> np.ndarray:
        """Return the int8 action mask of the seat to move, all zero after the end."""
        return self._mask.copy()

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order, empty after the end."""
        return np.flatnonzero(self._mask).tolist()

    def observe(self, seat: int | None = None) -> np.ndarray:
        """Return the float32 observation of ``seat`` (the seat to move by default, seat 0 after the end)."""
        viewer = max(self.actor, 0) if seat is None else self._seat(seat)
        out = np.zeros_like(self._observation)
        self.spec.entry("write_observation")(self.states, self.tables, viewer, out)
        return out

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.num_players:
            raise ValueError(f"seats are 0..{self.num_players - 1}, not {seat}")
        return int(seat)

    # --- results --------------------------------------------------------------------------------------

    def results(self, mode: RewardMode = "win") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return ranks (int64, 0 is best), scores and zero-sum returns (float32) of an ended game, by seat.

        Raises:
            GameRunning: if the game has not ended.
        """
        if not self.over:
            raise GameRunning(f"the game is still running after {self.moves} decisions; it has no result yet")
        ranks = np.zeros(self.num_players, np.int64)
        scores = np.zeros(self.num_players, np.float32)
        returns = np.zeros(self.num_players, np.float32)
        scale = float(self.spec.score_scale(self.tables[0]))
        self.spec.entry("game_returns")(
            self.states, self.tables, check_reward(mode), scale, ranks, scores, returns
        )
        return ranks, scores, returns

    def returns(self, mode: RewardMode = "win") -> np.ndarray:
        """Return each seat's zero-sum return of an ended game, float32."""
        return self.results(mode)[2]

    # --- copies ---------------------------------------------------------------------------------------

    def clone(self) -> Game:
        """Return an independent copy with the same future chance."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        for name in ("states", "tables"):
            setattr(other, name, copy_records(getattr(self, name)))
        for name in ("_observation", "_mask"):
            setattr(other, name, getattr(self, name).copy())
        return other

    __copy__ = clone

    def redealt(self, seat: int, seed: int) -> Game:
        """Return a copy in which everything that ``seat`` cannot know is drawn again."""
        other = self.clone()
        other.spec.entry("redeal_game")(other.states, other.tables, self._seat(seat), check_seed(seed))
        other.refresh()
        return other

    def save(self) -> bytes:
        """Return the whole state as bytes."""
        return self.states.tobytes()

    def load(self, saved: bytes) -> None:
        """Take over a state from ``save`` of a game with the same options and seat count.

        Raises:
            ValueError: if the bytes cannot be a state of this game. Beyond the common header that is for
                ``GameSpec.check_state`` to say: compiled rules do not check bounds.
        """
        size = self.spec.state_dtype.itemsize
        if len(saved) != size:
            raise ValueError(f"a saved {self.spec.name} game has {size} bytes, not {len(saved)}")
        states = np.frombuffer(saved, self.spec.state_dtype)
        wrong = self._impossible(states[0])
        if wrong:
            raise ValueError(f"not a saved {self.spec.name} game for {self.num_players} seats: {wrong}")
        self.states[:] = states
        self.refresh()

    def _impossible(self, state: Any) -> str | None:
        """Return what is impossible in a state, or nothing."""
        running = state["over"] == RUNNING
        fits = {
            "num_players": state["num_players"] == self.num_players,
            "over": RUNNING <= state["over"] <= TRUNCATED,
            "actor": 0 <= state["actor"] < self.num_players if running else state["actor"] == NOBODY,
            "choosing": 0 <= state["choosing"] < 1 << self.num_players,
            "phase": not running or 0 <= state["phase"] < len(self.spec.phases),
            "moves": state["moves"] >= 0,
        }
        wrong = ", ".join(f"{name} {state[name]}" for name, good in fits.items() if not good)
        if wrong or self.spec.check_state is None:
            return wrong
        return self.spec.check_state(state, self.tables[0])

    # --- chance and events ----------------------------------------------------------------------------

    def record(self, on: bool = True) -> None:
        """Switch the journal on or off."""
        switch_journal(self.tables, on)

    def journal(self, viewer: int | None = None) -> list[Happening]:
        """Return what happened in the last ``reset`` or ``apply``; needs ``record`` first.

        Args:
            viewer: leave out what this seat may not know: private events of others and, unless the game has
                perfect information, the bare draws of chance.
        """
        tape = self.tables["tape"][0]
        count = int(tape["count"])
        if count > JOURNAL_CAPACITY:
            raise RuntimeError(f"one move made {count} events; the journal holds {JOURNAL_CAPACITY}")
        happenings = (self._happening(*map(int, row)) for row in tape["events"][:count])
        return [happening for happening in happenings if viewer is None or happening.seen_by(viewer)]

    def _happening(self, kind: int, seat: int, a: int, b: int, c: int) -> Happening:
        if kind == EVENT_CHANCE:
            hidden = not self.spec.perfect_information
            return Happening("chance", seat, (a, b, c), f"draws {a + 1} of {b}", hidden)
        event = self.spec.events[kind - 1]
        return Happening(event.name, seat, (a, b, c), event.words(seat, a, b, c), event.private)

    def outcomes(self, action: int | str) -> Iterator[tuple[float, Game]]:
        """Yield ``(probability, game after)`` for every chance outcome of an action; explicit chance.

        The draws are enumerated by scripts, so this is exact; dice that rules reroll on ties without end
        make it endless, and so does a shuffle of a large deck in practice.
        """
        prefixes: list[tuple[float, list[int]]] = [(1.0, [])]
        while prefixes:
            probability, prefix = prefixes.pop()
            branch = self.clone()
            try:
                branch.apply(action, script=prefix)
            except ScriptError:
                tape = branch.tables["tape"][0]
                if tape["fault"] != FAULT_EXHAUSTED:
                    raise
                sides = int(tape["fault_sides"])
                prefixes += [(probability / sides, [*prefix, face]) for face in reversed(range(sides))]
            else:
                yield probability, branch

    # --- words ----------------------------------------------------------------------------------------

    def position(self, viewer: int | None = None) -> str:
        """Return the position in words, as the seat ``viewer`` may see it; by default everything."""
        seat = -1 if viewer is None else self._seat(viewer)
        return self.spec.text.position(self.state, self.tables.view(np.recarray)[0], seat)

    def describe(self, viewer: int | None = None) -> Description:
        """Return the position and every action in words, with the rule that forbids an illegal one.

        Args:
            viewer: show the position as this seat may see it; by default everything.
        """
        state, tables = self.state, self.tables.view(np.recarray)[0]
        choices = []
        for number, action in enumerate(self.spec.actions):
            legal = bool(self._mask[number])
            rule, why = (None, None) if legal else self._forbidden(state, tables, number)
            choices.append(Choice(number, action.name, action.meaning, legal, rule, why))
        return Description(self.position(viewer), self.actor, self.phase, tuple(choices))

    def _forbidden(self, state: Any, tables: Any, action: int) -> tuple[str | None, str]:
        if self.over:
            return None, "the game is over"
        return self.spec.text.forbidden(state, tables, action)

    def complaint(self, action: Any) -> str:
        """Return the message for an action that is not legal now."""
        legal = ", ".join(f"{a} ({self.spec.actions[a].name})" for a in self.legal_actions())
        number = self.spec.action_ids.get(action) if isinstance(action, str) else action
        if number is None or not 0 <= number < self.spec.num_actions:
            problem = f"{action!r} is not an action of {self.spec.name} (0..{self.spec.num_actions - 1})"
        else:
            rule, why = self._forbidden(self.state, self.tables.view(np.recarray)[0], int(number))
            problem = f"action {number} ({self.spec.actions[number].name}) is illegal: {why} ({rule})"
        return f"{problem}; in phase {self.phase!r} seat {self.actor} may play {legal or 'nothing'}"
