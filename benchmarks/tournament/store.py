"""Results on disk, game by game.

``results.jsonl`` begins with a header that defines the tournament; each further line is one game. A chunk's
lines are appended together and flushed to the disk; a chunk cut short by a crash is cut off when the file
is next opened. Chunks stand in the order in which they ended; each line carries its game's number.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pydantic

from kingmaker.benchmarks.tournament.config import Setup
from kingmaker.benchmarks.tournament.errors import TournamentError
from kingmaker.benchmarks.tournament.files import write_text
from kingmaker.benchmarks.tournament.play import ChunkResult, block_seeds
from kingmaker.envs.core.datafile import problems

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

RESULTS, TIMING = "results.jsonl", "timing.json"
TRAINING = ("config.json", "checkpoint.pt", "checkpoint.zip")  # what tells the directory of a training run
_SHOWN = 40  # characters of a setting in a message


class GameLine(pydantic.BaseModel):
    """One game."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    game: int  # its number in the schedule
    block: int  # games of one block share their seed
    lineup: int  # index into the header's ``lineups``
    seed: int
    seats: list[str]  # the agent in each seat
    ranks: list[int]  # by seat, 0 is best
    scores: list[float]  # by seat, in game points
    truncated: bool
    decisions: int = pydantic.Field(ge=1, lt=2**31)


@dataclass(frozen=True)
class Results:
    """All games in the order of the schedule.

    Attributes:
        seats: int64 ``(G, n)``, the agent in each seat.
        ranks: int64 ``(G, n)``.
        scores: float64 ``(G, n)``.
        truncated: bool ``(G,)``.
        decisions: int64 ``(G,)``.
    """

    seats: np.ndarray
    ranks: np.ndarray
    scores: np.ndarray
    truncated: np.ndarray
    decisions: np.ndarray


class Store:
    """The results file of one tournament, open for appending; a context manager.

    Args:
        setup: the tournament.
        directory: where its files lie; made if missing.
        resume: whether results that are there already are continued.

    Raises:
        TournamentError: if the directory holds another tournament's results, or this one's and ``resume``
            is off, or a training run, or another process writes to it, or its file is damaged. Nothing is
            changed then.
    """

    def __init__(self, setup: Setup, directory: Path, *, resume: bool) -> None:
        self.setup = setup
        self.path = directory / RESULTS
        self._timing = directory / TIMING
        games, n = setup.schedule.num_games, setup.num_players
        self._done = np.zeros(setup.schedule.num_chunks, np.bool_)
        self.results = Results(
            seats=setup.schedule.seats(np.arange(games)),
            ranks=np.zeros((games, n), np.int64),
            scores=np.zeros((games, n)),
            truncated=np.zeros(games, np.bool_),
            decisions=np.zeros(games, np.int64),
        )
        self._seeds = block_seeds(setup.config.seed, setup.schedule.num_blocks)
        trained = [name for name in TRAINING if (directory / name).exists()]
        if trained:
            raise TournamentError(f"{directory} holds a training run ({trained[0]}); use another directory")
        directory.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            self._lock()
            self._open(resume)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()

    @property
    def missing(self) -> list[int]:
        """The chunks that are still to be played."""
        return np.flatnonzero(~self._done).tolist()

    @property
    def num_done(self) -> int:
        """Games that are in the file."""
        return sum(len(self.setup.schedule.games_of(chunk)) for chunk in np.flatnonzero(self._done).tolist())

    # --- reading --------------------------------------------------------------------------------------

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TournamentError(f"another process is writing to {self.path}") from None

    def _open(self, resume: bool) -> None:
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        if not lines or (len(lines) == 1 and not lines[0].endswith(b"\n")):  # nothing, or half a header
            self._file.truncate(0)
            self._append([json.dumps(self.setup.header())])
            return
        self._check_header(lines[0])
        if not resume:
            raise TournamentError(
                f"{self.path} holds this tournament's results; resume it, or use another directory"
            )
        kept = len(lines[0]) + self._load(lines[1:])
        self._file.truncate(kept)

    def _check_header(self, line: bytes) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or "kingmaker_tournament" not in header:
            raise TournamentError(f"{self.path} is not a tournament's results; use another directory")
        expected = json.loads(json.dumps(self.setup.header()))
        changes = _changes(header, expected)
        if changes:
            raise TournamentError(
                f"{self.path} holds another tournament's results: {'; '.join(changes)}; use another directory"
            )

    def _load(self, lines: list[bytes]) -> int:
        """Take over all whole chunks; return the bytes they fill."""
        used = position = 0
        while position < len(lines):
            game = self._parse(lines, position)
            if game is None:
                break
            chunk = game.game // self.setup.config.chunk_games
            numbers = self._numbers(chunk, position)
            rows = [self._parse(lines, p) for p in range(position, min(position + len(numbers), len(lines)))]
            whole = [row for row in rows if row is not None]
            if [row.game for row in whole] != list(numbers)[: len(whole)]:
                raise TournamentError(
                    f"{self.path}, line {position + 2}: the games of chunk {chunk} are out of order"
                )
            if len(whole) < len(numbers):
                break
            for offset, row in enumerate(whole):
                wrong = self._check_game(row)
                if wrong:
                    raise self._damage(position + offset, wrong)
            self._take(chunk, whole)
            used += sum(map(len, lines[position : position + len(numbers)]))
            position += len(numbers)
        return used

    def _numbers(self, chunk: int, position: int) -> range:
        if not 0 <= chunk < len(self._done) or self._done[chunk]:
            raise TournamentError(
                f"{self.path}, line {position + 2}: chunk {chunk} is unknown or there twice"
            )
        return self.setup.schedule.games_of(chunk)

    def _parse(self, lines: list[bytes], position: int) -> GameLine | None:
        """Return a line's game, or ``None`` for a last line that was cut short."""
        try:
            if lines[position].endswith(b"\n"):
                return GameLine.model_validate_json(lines[position])
        except pydantic.ValidationError as error:
            if position + 1 < len(lines):
                raise self._damage(position, problems(error)) from None
        return None

    def _damage(self, position: int, what: str) -> TournamentError:
        return TournamentError(f"{self.path}, line {position + 2} is damaged: {what}")

    def _check_game(self, row: GameLine) -> str | None:
        """Return what cannot be in a game's line, or ``None``."""
        schedule, n = self.setup.schedule, self.setup.num_players
        block = row.game // schedule.block_games
        if row.seats != [self.setup.labels[agent] for agent in self.results.seats[row.game]]:
            return "the seats are not the schedule's"
        if (row.block, row.lineup) != (block, schedule.lineup_of(row.game)):
            return "block and line-up are not the schedule's"
        if row.seed != self._seeds[block]:
            return "the seed is not the schedule's"
        if len(row.ranks) != n or len(row.scores) != n:
            return f"ranks and scores are {n} each"
        if row.ranks != [sum(other < rank for other in row.ranks) for rank in row.ranks]:
            return f"{row.ranks} is no ranking"
        if not all(map(math.isfinite, row.scores)):
            return "a score is not finite"
        return None

    def _take(self, chunk: int, rows: list[GameLine]) -> None:
        games, results = self.setup.schedule.games_of(chunk), self.results
        part = slice(games.start, games.stop)
        results.ranks[part] = [row.ranks for row in rows]
        results.scores[part] = [row.scores for row in rows]
        results.truncated[part] = [row.truncated for row in rows]
        results.decisions[part] = [row.decisions for row in rows]
        self._done[chunk] = True

    # --- writing --------------------------------------------------------------------------------------

    def _append(self, lines: list[str]) -> None:
        self._file.write("".join(line + "\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, result: ChunkResult) -> None:
        """Append a chunk's games, and count its thinking time."""
        rows = [
            self._line(result, i, game) for i, game in enumerate(self.setup.schedule.games_of(result.chunk))
        ]
        self._append([row.model_dump_json() for row in rows])
        self._take(result.chunk, rows)
        self._count_time(result)

    def _line(self, result: ChunkResult, i: int, game: int) -> GameLine:
        schedule = self.setup.schedule
        return GameLine(
            game=game,
            block=game // schedule.block_games,
            lineup=schedule.lineup_of(game),
            seed=int(result.seeds[i]),
            seats=[self.setup.labels[agent] for agent in self.results.seats[game]],
            ranks=result.ranks[i].tolist(),
            scores=result.scores[i].tolist(),
            truncated=bool(result.truncated[i]),
            decisions=int(result.decisions[i]),
        )

    def _count_time(self, result: ChunkResult) -> None:
        """Add to ``timing.json``, apart from the results since no two runs take the same time."""
        times: dict[str, dict[str, Any]] = self.timing()
        for label, asked, cpu in zip(
            self.setup.labels, result.asked.tolist(), result.cpu.tolist(), strict=True
        ):
            before = times.get(label, {"decisions": 0, "cpu_seconds": 0.0})
            decisions, seconds = before["decisions"] + asked, before["cpu_seconds"] + cpu
            times[label] = {
                "decisions": decisions,
                "cpu_seconds": seconds,
                "cpu_seconds_per_decision": seconds / decisions if decisions else None,
            }
        write_text(self._timing, json.dumps(times, indent=2) + "\n")

    def timing(self) -> dict[str, dict[str, Any]]:
        """Return each agent's decisions and CPU seconds over all runs in this directory."""
        return json.loads(self._timing.read_text("utf-8")) if self._timing.exists() else {}


# --- differences ----------------------------------------------------------------------------------------


def _changes(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return in few words which settings of two headers differ; other games differ in nothing else."""
    if before.get("game") != now["game"]:
        return [_change("game", before.get("game"), now["game"])]
    changes: list[str] = []
    for key in dict.fromkeys([*now, *before]):
        was: Any = before.get(key)
        new: Any = now.get(key)
        if was == new:
            continue
        if key == "agents":
            changes += _agent_changes(was, new)
        elif key == "options" and isinstance(was, dict):
            names = [name for name in {**new, **was} if was.get(name) != new.get(name)]
            changes += [_change(f"option {name}", was.get(name), new.get(name)) for name in names]
        elif key != "lineups":
            changes.append(_change(key, was, new))
        elif not changes:  # they follow from the agents and the seats
            changes.append("the line-ups differ")
    return changes


def _agent_changes(was: Any, now: list[dict[str, Any]]) -> list[str]:
    try:
        old = {agent["label"]: agent for agent in was}
    except (TypeError, KeyError):
        return ["the agents differ"]
    new = {agent["label"]: agent for agent in now}
    if list(old) != list(new):
        return [f"agents were {', '.join(map(str, old))} and are now {', '.join(new)}"]
    return [f"agent {label!r} has changed" for label in new if old[label] != new[label]]


def _change(name: str, was: Any, now: Any) -> str:
    shown = (json.dumps(value) for value in (was, now))
    old, new = (text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..." for text in shown)
    return f"{name} was {old} and is now {new}"
