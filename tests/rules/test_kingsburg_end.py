"""The end of the game: the Cathedral, the winner, ties."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from figures_kingsburg import ROWS
from helpers_kingsburg import board, calendar, goods, play, recruiting, seat, sources, vp

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import WINTER

CATHEDRAL = ROWS[0]


def final(*seats: dict, enemy: str = "V-e", die: int = 1) -> Game:
    """Return a game that has ended after the battle of year V."""
    game = play(recruiting(*seats, year=5, enemy=enemy), f"stop-recruiting {die}")
    assert game.over
    return game


@pytest.mark.rule("KB-173")
def test_game_ends_after_winter_of_year_5() -> None:
    game = final(seat(), seat())
    assert (calendar(game), int(game.states["year"][0]), game.actor) == (WINTER, 5, -1)
    assert not game.truncated
    assert game.legal_actions() == []


@pytest.mark.rule("KB-173")
@pytest.mark.parametrize("year", [1, 2, 3, 4])
def test_earlier_winters_end_no_game(year: int) -> None:
    game = play(recruiting(seat(), seat(), year=year), "stop-recruiting 1 ...")
    assert not game.over
    assert int(game.states["year"][0]) == year + 1


@pytest.mark.rule("KB-54", "KB-145")
@pytest.mark.parametrize(
    ("held", "scored"), [((0, 0, 0), 0), ((1, 0, 0), 0), ((1, 1, 0), 1), ((2, 2, 3), 3), ((8, 0, 0), 4)]
)
def test_cathedral_scores_a_point_for_two_goods(held: Sequence[int], scored: int) -> None:
    game = final(seat(held, CATHEDRAL, soldiers=9), seat((9, 9, 9)))
    assert sources(game, 0).get("cathedral", 0) == scored
    assert goods(game) == tuple(held)
    assert sources(game, 1) == {"defeats": -5}


@pytest.mark.rule("KB-54")
def test_cathedral_counts_after_the_battle() -> None:
    """It has to be standing, and what has been lost counts no more."""
    game = final(seat((3, 0, 0), CATHEDRAL), seat(), enemy="II-b")  # 2 gold and a building
    assert board(game, 0).buildings == set(CATHEDRAL[:3])
    assert "cathedral" not in sources(game, 0)
    game = final(seat((3, 2, 1), CATHEDRAL), seat(), enemy="III-d")  # 2 gold, 1 wood, 1 stone
    assert goods(game) == (1, 1, 0)
    assert sources(game, 0)["cathedral"] == 1


@pytest.mark.rule("KB-54", "KB-172")
def test_cathedral_counts_rewards_of_the_battle() -> None:
    game = recruiting(seat((1, 0, 0), CATHEDRAL, soldiers=9), seat(), year=5, enemy="IV-d")
    play(game, "stop-recruiting 1", "take-stone")  # a good of any kind
    assert sources(game, 0)["cathedral"] == 1


@pytest.mark.rule("KB-174", "KB-55")
@pytest.mark.parametrize(
    ("seats", "ranks"),
    [
        ([(9, 0, 0), (8, 5, 4)], [0, 1]),  # points, whatever the rest
        ([(7, 1, 0), (9, 0, 0), (8, 9, 3)], [2, 0, 1]),
        ([(9, 2, 0), (9, 3, 0)], [1, 0]),  # most goods
        ([(9, 2, 4), (9, 3, 0)], [1, 0]),
        ([(9, 2, 1), (9, 2, 2)], [1, 0]),  # most buildings
        ([(9, 2, 1), (9, 2, 1)], [0, 0]),  # shared
        ([(9, 2, 1), (9, 2, 1), (9, 2, 0)], [0, 0, 2]),
        ([(-3, 0, 0), (-2, 0, 0)], [1, 0]),
        ([(5, 0, 0), (9, 1, 1), (9, 1, 1), (9, 4, 0), (5, 0, 0)], [3, 1, 1, 0, 3]),
    ],
)
def test_ranks(seats: list[tuple[int, int, int]], ranks: list[int]) -> None:
    """Points, goods and buildings of each seat; all draw with the enemy."""
    free = ("barricade", "inn", "crane", "stables")
    game = final(
        *[seat((held, 0, 0), free[:built], vp=points, soldiers=8) for points, held, built in seats],
    )
    assert vp(game) == [points for points, _, _ in seats]
    found, scores, returns = game.results()
    assert found.tolist() == ranks
    assert scores.tolist() == vp(game)
    winners = ranks.count(0)
    assert [bool(value > 0) for value in returns] == [rank == 0 and winners < len(seats) for rank in ranks]


@pytest.mark.rule("KB-55", "KB-104")
def test_tokens_and_soldiers_break_no_tie() -> None:
    game = final(seat((1, 0, 0), tokens=5, soldiers=8), seat((1, 0, 0), soldiers=8))
    assert game.results()[0].tolist() == [0, 0]


@pytest.mark.rule("KB-54", "KB-55")
def test_goods_of_the_cathedral_break_ties() -> None:
    """They are not spent."""
    game = final(seat((4, 0, 0), CATHEDRAL, vp=20, soldiers=8), seat((3, 0, 0), vp=22, soldiers=8))
    assert vp(game) == [22, 22]
    assert game.results()[0].tolist() == [0, 1]
