"""Game logs: one JSON-lines file that replays a game without its random generator.

The first line says which game, version, options, tables and start; each further line is one decision, its
action by name and the chance outcomes that followed; the last is the result. A log is data: reading one
runs no code from it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pydantic

from kingmaker.envs.core.datafile import tables_hash
from kingmaker.envs.core.errors import KingmakerError, LogError
from kingmaker.envs.core.game import Game

FORMAT = 1
DIGEST = 8  # bytes before a saved state


@dataclass(frozen=True)
class Start:
    """Where a recorded game began: at a seed, or in the middle of things at a saved state."""

    seed: int | None = None
    state: bytes | None = None


class Header(pydantic.BaseModel):
    """First line of a log."""

    model_config = pydantic.ConfigDict(extra="forbid")

    kingmaker_log: int
    game: Annotated[str, pydantic.Field(pattern="^[^:]*$")]  # a registered id: a log imports no module
    num_players: int
    options: dict[str, int | bool]
    tables: str
    seed: int | None = None
    state: str | None = None
    chance: list[int]


class Decision(pydantic.BaseModel):
    """One decision."""

    model_config = pydantic.ConfigDict(extra="forbid")

    seat: int
    action: str
    chance: list[int]


class Result(pydantic.BaseModel):
    """Last line of a finished game."""

    model_config = pydantic.ConfigDict(extra="forbid")

    ranks: list[int]
    scores: list[float]
    truncated: bool


def _seal(state: bytes) -> str:
    """Return a state as text with a digest, so that damage is found before compiled rules run on it."""
    return base64.b64encode(hashlib.sha256(state).digest()[:DIGEST] + state).decode()


def _unseal(text: str) -> bytes:
    """Return the state in ``text``; raise ``ValueError`` if it is damaged."""
    content = base64.b64decode(text, validate=True)
    digest, state = content[:DIGEST], content[DIGEST:]
    if hashlib.sha256(state).digest()[:DIGEST] != digest:
        raise ValueError("the saved state is damaged")
    return state


def _draws(game: Game) -> list[int]:
    return [happening.values[0] for happening in game.journal() if happening.name == "chance"]


@dataclass
class GameLog:
    """A recorded game."""

    header: Header
    decisions: list[Decision] = field(default_factory=list)
    result: Result | None = None

    @classmethod
    def of_play(cls, game: Game, start: Start, actions: Sequence[int]) -> GameLog:
        """Return the log of a game with the options of ``game``, replayed from its start and actions."""
        replica = game.clone()
        replica.record()
        if start.state is None:
            replica.reset(start.seed)
            opening = _draws(replica)
        else:
            replica.load(start.state)
            opening = []
        state = None if start.state is None else _seal(start.state)
        log = cls(
            Header(
                kingmaker_log=FORMAT,
                game=game.spec.id,
                num_players=game.num_players,
                options=game.options,
                tables=tables_hash(game.tables),
                seed=start.seed,
                state=state,
                chance=opening,
            )
        )
        for action in actions:
            seat = replica.actor
            replica.apply(action)
            name = game.spec.actions[action].name
            log.decisions.append(Decision(seat=seat, action=name, chance=_draws(replica)))
        if replica.over:
            ranks, scores, _ = replica.results()
            log.result = Result(ranks=ranks.tolist(), scores=scores.tolist(), truncated=replica.truncated)
        return log

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        parts = [self.header, *self.decisions, *([self.result] if self.result else [])]
        for part in parts:
            yield json.dumps(part.model_dump(exclude_none=True), separators=(",", ":"))

    def save(self, path: Any) -> None:
        """Write the log; a file of that name is replaced only once the new one is complete."""
        target = Path(path)
        partial = target.with_name(target.name + ".part")
        partial.write_text("\n".join(self.lines()) + "\n", "utf-8")
        partial.replace(target)

    @classmethod
    def load(cls, path: Any) -> GameLog:
        """Read a log.

        Raises:
            LogError: if the file cannot be read or a line is not what a log has there; names the line.
        """
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise LogError(f"cannot read {path}: {error}") from error
        rows = [line for line in text.splitlines() if line.strip()]
        if not rows:
            raise LogError(f"{path} is empty")
        log = cls(_parse(Header, rows[0], 1))
        if log.header.kingmaker_log != FORMAT:
            raise LogError(f"{path} has log format {log.header.kingmaker_log}; this version reads {FORMAT}")
        for number, row in enumerate(rows[1:], start=2):
            if log.result is not None:
                raise LogError(f"line {number}: the log goes on after its result")
            if '"ranks"' in row:
                log.result = _parse(Result, row, number)
            else:
                log.decisions.append(_parse(Decision, row, number))
        return log

    def replay(self, tables: Any = None) -> Iterator[tuple[Decision | None, Game]]:
        """Yield the game at its start and after each decision, chance taken from the log.

        The game is one object that moves on; clone it to keep a position. Its journal is on.

        Args:
            tables: path of the data file that the game was played with, if not the game's own.

        Raises:
            LogError: where the log contradicts the rules, or was made with other tables.
        """
        game = self._opening(tables)
        yield None, game
        for number, decision in enumerate(self.decisions, start=1):
            if decision.seat != game.actor:
                raise LogError(
                    f"decision {number} is seat {decision.seat}'s, but seat {game.actor} is to move"
                )
            try:
                game.apply(decision.action, script=decision.chance)
            except KingmakerError as error:
                raise LogError(f"decision {number}: {error}") from error
            yield decision, game
        self._check_result(game)

    def _opening(self, tables: Any) -> Game:
        head = self.header
        try:
            game = Game(head.game, head.num_players, seed=0, options=head.options, tables=tables)
            if tables_hash(game.tables) != head.tables:
                raise LogError("the log was made with another data file; pass it as tables")
            game.record()
            if head.state is None:
                game.reset(head.seed if head.seed is not None else 0, script=head.chance)
            else:
                game.load(_unseal(head.state))
        except (KingmakerError, ValueError, binascii.Error) as error:
            raise LogError(f"the log does not start a game: {error}") from error
        return game

    def _check_result(self, game: Game) -> None:
        if self.result is None:
            return
        if not game.over:
            raise LogError("the log has a result, but its game has not ended")
        if game.truncated != self.result.truncated:
            ended = {True: "a limit", False: "the rules"}
            raise LogError(
                f"the log says that {ended[self.result.truncated]} ended the game, "
                f"but {ended[game.truncated]} did"
            )
        ranks, scores, _ = game.results()
        if (ranks.tolist(), scores.tolist()) != (self.result.ranks, self.result.scores):
            raise LogError(
                f"the log says ranks {self.result.ranks} and scores {self.result.scores}, "
                f"the rules say {ranks.tolist()} and {scores.tolist()}"
            )


def _parse(model: Any, row: str, number: int) -> Any:
    try:
        return model.model_validate_json(row)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise LogError(f"line {number}: {where}: {first['msg']}") from None
