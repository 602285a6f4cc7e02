"""The conformance suite: what every game must hold to, shipped so that a game from anywhere can be tested.

    from kingmaker.envs.testing import check_game
    check_game(my_spec, num_players=3)

runs everything. One check alone: ``check_masks(Case(my_spec, 3, games=5))``. All raise ``ConformanceError``,
an ``AssertionError`` that names the game, the seed and the decision, so that a failure can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import GameSpec
from kingmaker.envs.testing.aec import (
    check_aec,
    check_illegal_end,
    check_illegal_raise,
    check_rewards,
    check_seeds,
)
from kingmaker.envs.testing.case import Case, ConformanceError
from kingmaker.envs.testing.copies import (
    check_aec_copies,
    check_batch_copies,
    check_game_copies,
    check_logs,
    check_seat_env_copies,
)
from kingmaker.envs.testing.engines import (
    check_batch,
    check_batch_refusals,
    check_batch_splits,
    check_batch_stops,
    check_seat_envs,
    check_seat_games,
)
from kingmaker.envs.testing.facts import (
    check_features,
    check_names,
    check_options,
    check_records,
    check_registration,
)
from kingmaker.envs.testing.hidden import check_future, check_heuristic, check_leaks
from kingmaker.envs.testing.libraries import check_gymnasium, check_pettingzoo, check_turn_based_parallel
from kingmaker.envs.testing.processes import check_interpreted, check_processes
from kingmaker.envs.testing.rules import (
    check_chance,
    check_choosing,
    check_ends,
    check_masks,
    check_observations,
    check_reset,
    check_scripts,
    check_words,
)

# In the order of what a failure explains: the first to fail is the one to mend first.
CHECKS: tuple[Callable[[Case], None], ...] = (
    check_names,
    check_registration,
    check_records,
    check_features,
    check_chance,
    check_ends,
    check_masks,
    check_choosing,
    check_observations,
    check_reset,
    check_words,
    check_scripts,
    check_leaks,
    check_future,
    check_heuristic,
    check_game_copies,
    check_logs,
    check_batch,
    check_batch_splits,
    check_batch_stops,
    check_batch_refusals,
    check_batch_copies,
    check_seat_games,
    check_seat_envs,
    check_seat_env_copies,
    check_aec,
    check_rewards,
    check_illegal_end,
    check_illegal_raise,
    check_seeds,
    check_aec_copies,
    check_options,
    check_pettingzoo,
    check_turn_based_parallel,
    check_gymnasium,
    check_processes,
    check_interpreted,
)

__all__ = ["CHECKS", "Case", "ConformanceError", "check_game", *(check.__name__ for check in CHECKS)]


def run_check(check: Callable[[Case], None], case: Case) -> None:
    """Run one check; whatever it stumbles over becomes a ``ConformanceError``."""
    try:
        check(case)
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError(
            f"{case}: {check.__name__} stopped at {type(error).__name__}: {error}"
        ) from error


def check_game(
    game: GameSpec | str,
    num_players: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    games: int = 20,
    seed: int = 0,
    invariant: Callable[[Game], None] | None = None,
) -> None:
    """Run every check on one seat count and one set of options.

    Args:
        game: a spec, or a game's name or id.
        num_players: seats in play; the game's smallest count by default.
        options: rule options by name.
        games: random games that the cheap checks play; the dear ones play a fifth of them.
        seed: of the first game.
        invariant: called with a ``Game`` at every position; raises ``AssertionError`` if something that no
            move may change has changed.

    Raises:
        ConformanceError: at the first thing that is not as it must be.
    """
    spec = game if isinstance(game, GameSpec) else get_spec(game)
    case = Case(spec, spec.check_seats(num_players), dict(options or {}), games, seed, invariant)
    for check in CHECKS:
        run_check(check, case)
