"""The rules of thumb for Clockwork Kingdom: how strong they are, and that they see what matters."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from kingmaker.agents import load_agent
from kingmaker.benchmarks.playing import play_out
from kingmaker.envs.core.batch import BatchGames
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.loops import PURPOSE_AGENTS
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.testing.case import stream

sys.path.append(str(Path(__file__).parent / "rules"))
from figures_clockwork import PAIRS, RESOURCES
from helpers_clockwork import card_action, name_of_action, play, position, resolve, seat

SPEC = get_spec("clockwork_kingdom")
GAMES = 400
LAST = 9
ALL_SLOTS = [f"{RESOURCES[a]}-{RESOURCES[b]}" for a, b in PAIRS]


def advice(game: Game) -> str:
    """Return the name of the heuristic's action for the seat to move."""
    own = stream(SPEC, 0, 0, PURPOSE_AGENTS)
    action = SPEC.entry("game_heuristic")(game.states, game.tables, game.observe(), game.mask(), own)
    return name_of_action(game, int(action))


# --- strength -----------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("num_players", SPEC.seats)
def test_it_beats_random_play(num_players: int) -> None:
    batch = BatchGames(SPEC, GAMES, num_players, seed=num_players, autoreset=False)
    agents = [load_agent(name, SPEC, num_players) for name in ("heuristic", "random")]
    own = np.arange(GAMES) % num_players
    seats = np.ones((GAMES, num_players), np.int64)
    seats[np.arange(GAMES), own] = 0
    play_out(batch, agents, seats, np.random.default_rng(0))
    assert (batch.ranks[np.arange(GAMES), own] == 0).mean() >= 0.95


# --- placement ----------------------------------------------------------------------------------------


def test_a_schematic_that_can_be_paid_for_is_completed_in_the_last_round() -> None:
    game = position(seat(pool=["automaton"], yard=["Palace"], store=(2, 2, 1, 1)), seat(), number=LAST)
    assert advice(game).startswith("automaton-workshop")


def test_a_missing_resource_is_fetched_and_the_schematic_completed() -> None:
    board = seat(pool=["automaton"] * 2, yard=["Palace"], store=(2, 2, 1, 0), tokens=0)
    game = position(board, seat(), number=LAST)
    placed = []
    while game.actor == 0 and game.phase == "place":
        placed.append(advice(game))
        play(game, placed[-1])
    assert sorted(placed) == ["automaton-market-canvas", "automaton-workshop-1"]
    assert (game.phase, advice(game)) == ("workshop", "build-1")


@pytest.mark.parametrize(
    ("own", "theirs", "battlefield"),
    [((0, 0, 2, 1), (0, 0, 2, 3), 3), ((0, 0, 1, 1), (0, 0, 3, 2), 4), ((0, 0, 3, 0), (0, 0, 1, 0), 4)],
)
def test_the_last_token_goes_where_it_counts(
    own: tuple[int, ...], theirs: tuple[int, ...], battlefield: int
) -> None:
    game = position(seat(pool=["automaton"], forces=own), seat(forces=theirs), number=LAST)
    assert advice(game) == f"automaton-battle-{battlefield}"


def test_an_artificer_wins_the_factory_early_on() -> None:
    game = position(seat(pool=["artificer"]), seat(), number=1, facility="Garden")
    game.state.open[7:19] = 0  # neither Workshop nor battlefields nor University
    game.refresh()
    assert advice(game) == "artificer-factory"


def test_workers_study_while_there_is_time() -> None:
    board = [seat(pool=["automaton"]), seat(pool=["automaton"])]
    assert advice(position(*board, number=2)) == "automaton-university-1"
    assert not advice(position(*board, number=LAST)).startswith("automaton-university")


# --- Ruins cards --------------------------------------------------------------------------------------


def test_cards_for_the_turn_are_used_before_placing() -> None:
    game = position(seat(pool=["automaton"], hand=["Recruits"]), seat())
    assert advice(game) == card_action(game, "use", "Recruits")


def test_plans_are_played_when_they_let_a_worker_build() -> None:
    board = {"yard": ["Palace"], "hand": ["Plans"]}
    game = resolve(seat("workshop-1", store=(2, 2, 0, 0), **board), seat())
    assert advice(game) == card_action(game, "play", "Plans")
    game = resolve(seat("workshop-1", store=(1, 0, 0, 0), **board), seat())
    assert advice(game) == "pass"


def test_draughts_and_whistles_are_kept_for_a_contest_that_they_turn() -> None:
    for area, card, most in (("lab", "Draught", 2), ("factory", "Whistle", 2)):
        for rivals in range(most + 2):
            game = resolve(
                seat(area, hand=[card]), seat(*[area] * rivals, pool=[]), order=[0, 1], facility="Mine"
            )
            turned = 1 < rivals <= 1 + most
            assert advice(game) == (card_action(game, "play", card) if turned else "pass"), (area, rivals)


def test_banners_wait_for_the_end_of_the_war() -> None:
    for number, waits in ((2, True), (3, False)):
        game = resolve(seat("lab", hand=["Banner"], slots=ALL_SLOTS), seat("battle-3"), number=number)
        assert (advice(game) == "pass") == waits


# --- smaller choices ----------------------------------------------------------------------------------


def test_what_the_yard_needs_is_received_and_kept() -> None:
    game = resolve(seat("alchemist-market-steel", yard=["School"], store=(1, 1, 1, 0)), seat())
    assert advice(game) == "receive-canvas"
    game = resolve(seat("market-steel", yard=["Palace"], store=(3, 2, 1, 0)), seat())
    assert advice(game) == "discard-steel"


def test_a_schematic_is_paid_with_what_the_other_one_does_not_need() -> None:
    board = seat("workshop-1", yard=["Shed", "Fort"], store=(1, 1, 0, 0), slots=["steel-copper"])
    game = play(resolve(board, seat()), "build-1")
    assert (game.phase, advice(game)) == ("pay", "pay-steel")


def test_points_are_taken_before_the_end() -> None:
    game = resolve(seat("workshop-1", yard=["Palace"], store=(2, 2, 1, 1)), seat(), number=LAST, row=["Hall"])
    assert advice(game) == "build-1"


def test_the_better_schematic_is_taken() -> None:
    game = resolve(seat("workshop-1", store=(2, 2, 1, 1)), seat(), number=4, row=["Shed", "Palace", "Three"])
    assert advice(game) == "take-2"


def test_professors_are_the_first_choice_in_the_university() -> None:
    game = resolve(seat("university-1"), seat("university-2"), number=2)
    assert advice(game) == "study-professor-professor"
