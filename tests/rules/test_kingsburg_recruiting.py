"""Recruiting: soldiers for goods."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from figures_kingsburg import GOODS, ROWS, Goods
from helpers_kingsburg import Board, board, closing, events, idle, legal, play, seat

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN


def asked(*seats: dict, **others: object) -> Game:
    """Return a game at the first question of recruiting."""
    return idle(closing(*seats, calendar=AUTUMN, **others), "recruit")


@pytest.mark.rule("KB-42")
def test_soldier_costs_two_goods_of_any_kinds() -> None:
    game = asked(seat((2, 2, 2)), seat(), seat())
    pairs = {"-".join(("recruit", *kinds)) for kinds in combinations_with_replacement(GOODS, 2)}
    assert legal(game) == pairs | {"stop-recruiting"}
    play(game, "recruit-gold-stone")
    assert board(game, 0) == Board(Goods(1, 2, 1), soldiers=1)
    assert legal(game) == pairs - {"recruit-gold-gold", "recruit-stone-stone"} | {"stop-recruiting"}
    play(game, "recruit-wood-wood")
    assert legal(game) == {"recruit-gold-stone", "stop-recruiting"}


@pytest.mark.rule("KB-42")
def test_any_number_of_soldiers() -> None:
    game = asked(seat((4, 4, 5)), seat(), seat())
    play(
        game,
        *["recruit-stone-stone"] * 2,
        *["recruit-wood-wood"] * 2,
        *["recruit-gold-gold"],
        "recruit-gold-gold ...",
    )
    assert events(game, "gains-soldiers")[0] == ("gains-soldiers", 0, 1, 6, 0)


@pytest.mark.rule("KB-42")
def test_one_good_hires_nobody() -> None:
    game = closing(seat((1, 0, 0)), seat((0, 0, 1)), seat(), calendar=AUTUMN)
    play(game, "pass ...")
    assert game.phase not in ("recruit", "build")


@pytest.mark.rule("KB-42", "KB-152")
def test_barracks_halve_the_price() -> None:
    barracks = ROWS[2][:3]
    game = asked(seat((1, 2, 1), barracks), seat(), seat())
    assert legal(game) == {"recruit-gold", "recruit-wood", "recruit-stone", "stop-recruiting"}
    play(game, "recruit-wood", "recruit-wood", "recruit-stone")
    assert board(game, 0)[:1] == ((1, 0, 0),)
    assert board(game, 0).soldiers == 3
    assert legal(game) == {"recruit-gold", "stop-recruiting"}


@pytest.mark.rule("KB-42")
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_recruiting_goes_by_turn_order(order: list[int]) -> None:
    game = asked(*[seat((2, 0, 0), ["statue"]) for _ in range(3)], order=order)
    for number in order:
        assert (game.actor, game.phase) == (number, "recruit")
        play(game, "recruit-gold-gold" if number != order[-1] else "recruit-gold-gold ...")


@pytest.mark.rule("KB-42")
def test_recruiting_is_optional() -> None:
    game = asked(seat((4, 0, 0), ["statue"]), seat((2, 0, 0), ["statue"]), seat())
    play(game, "stop-recruiting")
    assert (game.actor, board(game, 0)) == (1, Board(Goods(4, 0, 0), vp=3, buildings=frozenset({"statue"})))


@pytest.mark.rule("KB-44")
def test_soldiers_have_no_limit() -> None:
    game = asked(seat((9, 9, 9), ROWS[2][:3]), seat(), seat())
    play(game, *[f"recruit-{kind}" for kind in GOODS for _ in range(9)][:-1])
    assert board(game, 0).soldiers == 26
