"""The expansion's match: order of the games, handicap, what carries over, and its end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers_krig import (
    board,
    defence,
    events,
    faces,
    hit_points,
    krig,
    legal,
    play,
    random_positions,
    rolled,
    tokens,
    wins,
)

from kingmaker.envs.core.game import Game


def match(first: int = 0, **options: int) -> Game:
    """Return a match without tokens, so that no window interrupts a line."""
    return krig("krig_intervention", first=first, tokens=0, **options)


def win_game(game: Game, winner: int, roll_off: Sequence[int] = ()) -> None:
    """Let a seat win the game by a critical hit; ``roll_off`` are the faces that then open the next."""
    if game.actor != winner:
        play(game, "attack 1 1")
    game.state.seats[1 - winner].hit_points = 1
    game.apply("attack", script=faces(10, 1, *roll_off))


def first(game: Game) -> int:
    return int(game.states["first"][0])


def number(game: Game) -> int:
    return int(game.states["game"][0])


@pytest.mark.rule("KR-202", "KR-203", "KR-54")
@pytest.mark.parametrize(
    "winners", [(0, 0), (1, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1)], ids=lambda winners: str(winners)
)
def test_two_wins_take_the_match(winners: tuple[int, ...]) -> None:
    game = match()
    for played, winner in enumerate(winners, start=1):
        assert not game.over
        assert number(game) == played
        goes_on = played == 2 and len(winners) == 3
        win_game(game, winner, (6, 2) if goes_on else ())
        assert wins(game) == (winners[:played].count(0), winners[:played].count(1))
    assert game.over
    assert not game.truncated
    ranks, _, returns = game.results()
    assert ranks[winners[-1]] == 0
    assert returns[winners[-1]] == 1


@pytest.mark.rule("KR-54")
def test_third_game_only_at_one_win_each_and_no_draws() -> None:
    """Over random matches: game 3 stands at 1-1, and a game ends with just one seat at 0."""
    played = set()
    for game in random_positions("krig_intervention", 80, tokens=1, hit_points=8):
        played.add(number(game))
        assert sorted(wins(game)) == [[0, 0], [0, 1], [1, 1]][number(game) - 1]
        assert min(hit_points(game)) > 0
        for action in game.legal_actions():
            after = game.clone()
            after.apply(action)
            for happening in after.journal():
                if happening.name == "game-won":
                    assert happening.values[1] > 0  # the winner's hit points
            if after.over:
                assert sorted(min(points, 1) for points in hit_points(after)) == [0, 1]
    assert played == {1, 2, 3}


@pytest.mark.rule("KR-53")
@pytest.mark.parametrize("opener", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_second_game_is_opened_by_the_other_seat_whoever_won(opener: int, winner: int) -> None:
    game = match(opener)
    win_game(game, winner)  # no roll-off: the script holds the attack alone
    assert number(game) == 2
    assert first(game) == game.actor == 1 - opener


@pytest.mark.rule("KR-53", "KR-111", "KR-49")
@pytest.mark.parametrize(("roll_off", "opener"), [((9, 2), 0), ((2, 9), 1), ((5, 5, 3, 3, 1, 2), 1)])
def test_third_game_is_opened_by_a_new_roll_off(roll_off: tuple[int, ...], opener: int) -> None:
    game = krig("krig_intervention")
    for winner, opening in ((0, ()), (1, roll_off)):
        game.states["seats"]["tokens"] = 0
        win_game(game, winner, opening)
    assert number(game) == 3
    assert rolled(game) == [10, 1, *roll_off]
    assert first(game) == game.actor == opener
    assert game.phase == "act"  # no window on the roll-off, although both seats have tokens again
    assert tokens(game) == (3, 3)


@pytest.mark.rule("KR-52")
@pytest.mark.parametrize("opener", [0, 1])
@pytest.mark.parametrize("last_opener", [0, 1])
def test_first_seat_of_every_game_starts_at_18(opener: int, last_opener: int) -> None:
    game = match(opener)
    assert (board(game, opener).hit_points, board(game, 1 - opener).hit_points) == (18, 20)
    win_game(game, 0)
    assert (board(game, 1 - opener).hit_points, board(game, opener).hit_points) == (18, 20)
    win_game(game, 1, (9, 2) if last_opener == 0 else (2, 9))
    assert (board(game, last_opener).hit_points, board(game, 1 - last_opener).hit_points) == (18, 20)


@pytest.mark.rule("KR-50", "KR-205")
def test_nothing_carries_over() -> None:
    """Tokens, hit points, shields and broken guards are as new in the next game."""
    game = krig("krig_intervention")
    for seat, mess in enumerate(
        ({"defence": 5, "broken": 1, "tokens": 0}, {"hit_points": 1, "defence": 6, "broken": 1, "tokens": 0})
    ):
        for field, value in mess.items():
            game.state.seats[seat][field] = value
    game.refresh()
    play(game, "attack 10 3")
    assert events(game)[-3:] == ["game-won", "game-begins", "turn-begins"]
    assert hit_points(game) == (20, 18)
    assert tokens(game) == (3, 3)
    assert wins(game) == (1, 0)
    for seat in (0, 1):
        assert board(game, seat)[1:4] == (0, 0, 0)
    assert int(game.states["bonus"][0]) == int(game.states["pending"]["active"][0]) == 0
    assert int(game.states["turn"][0]) == 1
    assert legal(game) == {"attack", "defend", "charge"}


@pytest.mark.parametrize("name", ["krig", "krig_intervention"])
def test_new_start_forgets_the_old_match(name: str) -> None:
    """Equal seeds give equal states, byte for byte, whatever was played before in the same record."""
    fresh = Game(name, seed=5).save()
    for game in random_positions(name, 2):
        last = game
    last.reset(5)
    assert last.save() == fresh


@pytest.mark.rule("KR-50")
def test_charge_and_bonus_end_with_the_game() -> None:
    game = match()
    # Seat 1's charge is declared, then its hit points go: nothing is rolled for it in the next game.
    play(game, "attack 1 1", "charge")
    game.state.seats[1].hit_points = 1
    play(game, "attack 10 1")
    assert (number(game), game.actor, game.phase) == (2, 1, "act")
    assert (board(game, 0).charging, board(game, 1).charging) == (0, 0)
    # The answer to a perfect parry wins a game; the first attack of the next one has no bonus.
    game = match(1)
    play(game, "attack 5 3", "parry 3")
    game.state.seats[1].hit_points = 1
    play(game, "attack 10 1", "attack 5 6")
    assert hit_points(game) == (18, 14)


@pytest.mark.rule("KR-55")
@pytest.mark.parametrize("won", [0, 1])
def test_cap_cuts_the_match_off(won: int) -> None:
    """Turns are counted per game, and a match that is cut off has no winner, even at 1-0."""
    game = match(max_turns=4)
    if won:
        win_game(game, 0)
        assert int(game.states["turn"][0]) == 1
    play(game, "attack 1 1", "attack 1 1", "attack 1 1")
    assert not game.over
    play(game, "attack 1 1")
    assert game.truncated
    assert game.results()[0].tolist() == [0, 0]
    assert game.returns("win").tolist() == game.returns("placement").tolist() == [0, 0]


@pytest.mark.rule("KR-54")
def test_one_game_and_five_game_matches() -> None:
    """The match length is data; more than half of the games wins."""
    game = match(games=1)
    win_game(game, 1)
    assert game.over
    game = match(games=5)
    for winner in (0, 1, 0, 1):
        assert not game.over
        win_game(game, winner, (8, 1) if number(game) >= 2 else ())
    assert defence(game) == (0, 0)
    win_game(game, 1)
    assert wins(game) == (2, 3)
    assert game.over
