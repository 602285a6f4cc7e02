"""Which tables a leaderboard has, and who plays at each: agents that a game lacks are left out by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kingmaker.agents.baselines import find_baseline
from kingmaker.agents.exact.agent import check_solvable
from kingmaker.agents.loader import agent_file, load_agent
from kingmaker.benchmarks.leaderboard.errors import LeaderboardError
from kingmaker.benchmarks.leaderboard.plan import Plan, Settings
from kingmaker.benchmarks.tournament.config import TournamentConfig, enter
from kingmaker.benchmarks.tournament.schedule import make_schedule
from kingmaker.envs.core.errors import AgentError
from kingmaker.envs.core.registry import all_specs, get_spec
from kingmaker.envs.core.spec import GameSpec


@dataclass(frozen=True)
class Entry:
    """One table: a game at a seat count, and its tournament.

    Attributes:
        spec: the game.
        num_players: seats in play.
        config: the tournament.
        left_out: why an agent of the plan does not play, by label.
    """

    spec: GameSpec
    num_players: int
    config: TournamentConfig
    left_out: dict[str, str]

    @property
    def title(self) -> str:
        """What the table is called."""
        return f"{self.spec.title}, {self.num_players} seats"

    @property
    def folder(self) -> str:
        """The name of the folder with its results."""
        return f"{self.spec.name}-{self.num_players}"


def choose(
    plan: Plan,
    games: Sequence[str] = (),
    seats: Sequence[int] = (),
    *,
    num_seeds: int | None = None,
    command: str | None = None,
) -> list[Entry]:
    """Return the tables to play, checked as far as that goes without playing.

    Args:
        plan: who plays what.
        games: names or ids; all by default.
        seats: seat counts; all that a game has by default.
        num_seeds: game seeds a table, in place of what the plan says.
        command: the command line, for the reports.

    Raises:
        KingmakerError: for a game, seat count, option or agent that does not exist or fit.
    """
    specs = [get_spec(game) for game in games] or list(all_specs())
    if games:
        for spec in specs:
            for count in seats:
                spec.check_seats(count)
    chosen = list(
        dict.fromkeys((spec, count) for spec in specs for count in spec.seats if not seats or count in seats)
    )
    if not chosen:
        raise LeaderboardError(f"no game has {' or '.join(map(str, seats))} seats")
    return [_entry(spec, count, plan.settings(spec, count), num_seeds, command) for spec, count in chosen]


def _entry(
    spec: GameSpec, num_players: int, settings: Settings, num_seeds: int | None, command: str | None
) -> Entry:
    spec.check_options(settings.options)
    agents: list[str] = []
    left_out: dict[str, str] = {}
    for planned in settings.agents:
        agent = planned.replace("{game}", spec.name).replace("{seats}", str(num_players))
        entrant = enter(agent)
        reason = _missing(entrant.name, spec, num_players)
        if reason is None:
            agents.append(agent)
        else:
            left_out[entrant.label] = reason
    if not agents:
        reasons = "; ".join(left_out.values())
        raise LeaderboardError(f"nobody in the plan plays {spec.name} at {num_players} seats: {reasons}")
    block = make_schedule(len(agents), num_players, 1, settings.chunk_games, settings.max_lineups).block_games
    config = TournamentConfig(
        game=spec.id,
        agents=tuple(agents),
        num_players=num_players,
        command=command,
        **settings.model_dump(exclude={"agents", "seeds"}),
        games=block * (settings.seeds if num_seeds is None else num_seeds),
    )
    return Entry(spec, num_players, config, left_out)


def _missing(name: str, spec: GameSpec, num_players: int) -> str | None:
    """Return why a game lacks an agent; a name that no game knows is an error."""
    path = agent_file(name)
    if path is not None and not path.is_file():
        return f"there is no file {path}"
    try:
        if name == "exact":
            check_solvable(spec)
        elif name == "baseline":
            find_baseline(spec, num_players)
    except AgentError as error:
        return str(error)
    if path is None and name != "exact":  # solving and reading weights are left until they play
        load_agent(name, spec, num_players)  # a misspelt name or setting shows before anything is played
    return None
