"""Components and setup: seats, turn order, enemy deck, goods and what lies open."""

from __future__ import annotations

import pytest
from figures_kingsburg import BUILDINGS, CARDS, STRENGTHS, cards_of, year_of
from helpers_kingsburg import (
    NAMES,
    Board,
    board,
    boards,
    calendar,
    closing,
    dice,
    envoy,
    events,
    idle,
    idle_to,
    kingsburg,
    legal,
    order,
    play,
    random_positions,
    recruiting,
    seat,
)

from kingmaker.envs.core.errors import OptionError
from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, SUMMER, WINTER

SEATS = pytest.mark.parametrize("num_players", [2, 3, 4, 5])


@SEATS
@pytest.mark.rule("KB-101")
def test_two_to_five_seats_with_three_coloured_dice(num_players: int) -> None:
    game = idle(kingsburg(num_players), "place")
    assert game.num_players == num_players
    for number in range(num_players):
        coloured, white = dice(game, number)
        assert len(coloured) == 3
        assert all(1 <= face <= 6 for face in coloured)
        assert white == ()


@pytest.mark.rule("KB-101")
@pytest.mark.parametrize("wrong", [0, 1, 6])
def test_other_numbers_of_seats_are_refused(wrong: int) -> None:
    with pytest.raises(OptionError, match="kingsburg is for 2, 3, 4, 5 seats"):
        Game("kingsburg", wrong)


@SEATS
@pytest.mark.rule("KB-101", "KB-173")
def test_five_years(num_players: int) -> None:
    game, years = kingsburg(num_players), [1]
    while not game.over:
        game.apply(game.legal_actions()[-1])
        years += [happening[2] for happening in events(game, "year-begins")]
    assert years == [1, 2, 3, 4, 5]
    assert calendar(game) == WINTER
    assert not game.truncated


@SEATS
@pytest.mark.rule("KB-102", "KB-37", "KB-104")
def test_seats_start_with_nothing(num_players: int) -> None:
    game = kingsburg(num_players)
    assert boards(game) == [Board()] * num_players
    assert envoy(game) == -1
    assert sorted(order(game)) == list(range(num_players))


@SEATS
@pytest.mark.rule("KB-102")
def test_every_turn_order_comes_up(num_players: int) -> None:
    firsts = {order(kingsburg(num_players, seed=number))[0] for number in range(60)}
    assert firsts == set(range(num_players))


@SEATS
@pytest.mark.rule("KB-37", "KB-38", "KB-41", "KB-104")
def test_first_aid_gives_one_good_each(num_players: int) -> None:
    game = kingsburg(num_players, seed=4)
    for number in order(game):
        assert (game.actor, game.phase) == (number, "gain")
        assert legal(game) == {"take-gold", "take-wood", "take-stone"}
        game.apply("take-wood")
    assert [shown.goods for shown in boards(game)] == [(0, 1, 0)] * num_players
    assert game.phase == "place"


@pytest.mark.rule("KB-103")
def test_deck_is_one_card_of_each_year() -> None:
    seen = set()
    for number in range(200):
        deck = [CARDS[int(card)] for card in Game("kingsburg", seed=number).states["deck"][0]]
        assert [year_of(card) for card in deck] == [1, 2, 3, 4, 5]
        seen.update(deck)
    assert seen == set(CARDS)


@pytest.mark.rule("KB-103", "KB-170")
@pytest.mark.parametrize("year", [1, 2, 3, 4, 5])
def test_year_1_lies_on_top(year: int) -> None:
    game = recruiting(seat(), seat(), year=year)
    deck = [int(card) for card in game.states["deck"][0]]
    play(game, "stop-recruiting ...")
    ((_, _, revealed, strength, _),) = events(game, "enemy")
    assert revealed == deck[year - 1]
    assert strength in STRENGTHS[year]


@pytest.mark.rule("KB-107")
@pytest.mark.parametrize("year", [1, 2, 3, 4, 5])
def test_public_strengths_are_those_of_the_cards(year: int) -> None:
    enemies = Game("kingsburg", seed=0).tables["enemies"][0]
    strengths = [int(enemies[CARDS.index(card)]["strength"]) for card in cards_of(year)]
    assert tuple(sorted(strengths)) == STRENGTHS[year]


@pytest.mark.rule("KB-104")
@pytest.mark.parametrize("field", ["tokens", "soldiers", "vp"])
def test_only_cubes_are_goods(field: str) -> None:
    """The Envoy's tie-break counts goods; a seat that has more of anything else is as needy as before."""
    rich = {"tokens": 3, "soldiers": 4, "vp": 9}
    game = play(
        closing(seat((1, 0, 0)), seat((1, 0, 0)), seat((0, 0, 0), **{field: rich[field]}), calendar=SUMMER),
        "pass ...",
    )
    assert envoy(game) == 2


@pytest.mark.rule("KB-104")
def test_all_kinds_count_alike() -> None:
    for goods, holder in (((0, 0, 1), 1), ((0, 1, 1), -1)):
        game = closing(seat((2, 0, 0)), seat(goods), seat((0, 2, 0)), calendar=SUMMER)
        assert envoy(idle_to(game, AUTUMN)) == holder


@pytest.mark.rule("KB-105", "KB-8")
def test_supply_has_no_end() -> None:
    """There are 25 gold, 20 wood and 15 stone cubes and 20 tokens in the box."""
    game = closing(seat((60, 50, 40), tokens=30, influence=[12]), seat(), seat())
    play(game, "pass", "take-stone-stone")
    assert board(game, 0)[:2] == ((60, 50, 42), 31)


@pytest.mark.rule("KB-36", "KB-141")
def test_all_twenty_buildings_can_stand() -> None:
    """There are 17 markers a seat."""
    owned = [name for name in NAMES if name != "embassy"]
    game = play(closing(seat((2, 2, 2), owned), seat(), seat()), "pass")
    assert legal(game) == {"build-embassy", "build-nothing"}
    play(game, "build-embassy")
    assert board(game, 0).buildings == {building.name for building in BUILDINGS}
    assert board(game, 0).vp == 59 + 1  # and the Embassy's point at the end of the season


@pytest.mark.rule("KB-106")
def test_nothing_but_the_deck_is_hidden() -> None:
    """What is drawn again for a seat is the deck and the chance to come; everything else stays."""
    for number, game in enumerate(random_positions(3, 2)):
        if number % 23:
            continue
        other = game.redealt(number % 3, number)
        for name in game.states.dtype.names:
            if name not in ("chance", "deck"):
                assert other.states[name].tobytes() == game.states[name].tobytes()
