"""Help of the eighteen advisors, their order, and the Stables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import pytest
from figures_kingsburg import ADVISOR, CARDS, ENEMIES, GOODS, Goods
from helpers_kingsburg import (
    Board,
    board,
    calendar,
    card,
    closing,
    events,
    field,
    goods,
    idle,
    idle_to,
    legal,
    place,
    placing,
    play,
    seat,
    sources,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, SPRING, SUMMER

STABLES = ("palisade", "stables")


def influenced(advisor: int, **others: object) -> Game:
    """Return a game in which seat 0 has placed dice on an advisor and is helped; nobody else is there."""
    dice = next(
        faces for count in (1, 2, 3) for faces in combinations_with_replacement(range(1, 7), count)
        if sum(faces) == advisor
    )  # fmt: skip
    game = placing(seat(dice=dice, **others), seat(), seat(), calendar=SUMMER)
    return place(game, advisor, coloured=dice)


def gained(advisor: int, *choices: str, **others: object) -> Board:
    """Return what lies before seat 0 when an advisor has helped it, from nothing unless others say so."""
    game = influenced(advisor, **others)
    for choice in choices:
        play(game, f"{choice} ...")
    assert game.phase not in ("gain", "trade")
    return board(game, 0)


@pytest.mark.rule(
    "KB-121", "KB-122", "KB-123", "KB-125", "KB-128", "KB-130", "KB-133", "KB-135", "KB-136", "KB-138"
)
@pytest.mark.parametrize(
    ("advisor", "expected"),
    [
        (1, Board(vp=1)),
        (2, Board(Goods(gold=1))),
        (3, Board(Goods(wood=1))),
        (5, Board(soldiers=1)),
        (8, Board(Goods(gold=2))),
        (10, Board(soldiers=2)),
        (13, Board(Goods(stone=3))),
        (15, Board(Goods(1, 1, 1))),
        (16, Board(Goods(gold=4))),
        (18, Board(Goods(1, 1, 1), soldiers=1)),
    ],
)
def test_gifts_without_a_choice(advisor: int, expected: Board) -> None:
    game = influenced(advisor)
    assert game.phase != "gain"
    assert board(game, 0) == expected
    assert events(game, "helped") == [("helped", 0, advisor, 0, 0)]
    assert board(game, 1) == board(game, 2) == Board()


@pytest.mark.rule("KB-124", "KB-127", "KB-129", "KB-131", "KB-132", "KB-134", "KB-137")
@pytest.mark.parametrize(
    ("advisor", "before", "choices"),
    [
        (4, Board(), {"gold": (1, 0, 0), "wood": (0, 1, 0)}),
        (7, Board(tokens=1), {"gold": (1, 0, 0), "wood": (0, 1, 0), "stone": (0, 0, 1)}),
        (9, Board(Goods(wood=1)), {"gold": (1, 1, 0), "stone": (0, 1, 1)}),
        (11, Board(Goods(stone=1)), {"gold": (1, 0, 1), "wood": (0, 1, 1)}),
        (
            12,
            Board(tokens=1),
            {
                "gold-gold": (2, 0, 0),
                "gold-wood": (1, 1, 0),
                "gold-stone": (1, 0, 1),
                "wood-wood": (0, 2, 0),
                "wood-stone": (0, 1, 1),
                "stone-stone": (0, 0, 2),
            },
        ),
        (
            17,
            Board(vp=3),
            {
                "gold-gold": (2, 0, 0),
                "gold-wood": (1, 1, 0),
                "gold-stone": (1, 0, 1),
                "wood-wood": (0, 2, 0),
                "wood-stone": (0, 1, 1),
                "stone-stone": (0, 0, 2),
            },
        ),
    ],
)
def test_gifts_of_choice(advisor: int, before: Board, choices: dict[str, tuple[int, int, int]]) -> None:
    game = influenced(advisor)
    assert (game.actor, game.phase) == (0, "gain")
    assert legal(game) == {f"take-{choice}" for choice in choices}
    assert board(game, 0) == before
    for choice, cubes in choices.items():
        after = play(game.clone(), f"take-{choice} ...")
        assert board(after, 0) == before._replace(goods=Goods(*cubes))


@pytest.mark.rule("KB-134", "KB-17")
def test_smuggler_sells_three_goods_for_a_point() -> None:
    game = influenced(14)
    threes = list(combinations_with_replacement(GOODS, 3))
    assert legal(game) == {"-".join(("take", *kinds)) for kinds in threes} | {"decline-offer"}
    assert board(game, 0) == Board()
    for kinds in threes:
        after = play(game.clone(), f"{'-'.join(('take', *kinds))} ...")
        assert board(after, 0) == Board(Goods(*(kinds.count(kind) for kind in GOODS)), vp=-1)
        assert sources(after, 0) == {"paid to advisors": -1}


@pytest.mark.rule("KB-17", "KB-52")
@pytest.mark.parametrize("points", [-3, 0, 1, 7])
def test_smuggler_may_always_be_paid_or_declined(points: int) -> None:
    assert gained(14, "take-stone-stone-stone", vp=points) == Board(Goods(stone=3), vp=points - 1)
    assert gained(14, "decline-offer", vp=points) == Board(vp=points)


@pytest.mark.rule("KB-126")
@pytest.mark.parametrize(
    ("given", "held", "after"),
    [
        ("gold", (1, 0, 0), (0, 1, 1)),
        ("wood", (0, 1, 0), (1, 0, 1)),
        ("stone", (2, 0, 3), (3, 1, 2)),
        ("gold", (2, 1, 1), (1, 2, 2)),
    ],
)
def test_alchemist_trades_once(given: str, held: tuple[int, int, int], after: tuple[int, int, int]) -> None:
    game = influenced(6, goods=held)
    assert (game.actor, game.phase) == (0, "trade")
    held_kinds = {f"trade-{kind}" for kind, count in zip(GOODS, held, strict=True) if count}
    assert legal(game) == held_kinds | {"decline-trade"}
    play(game, f"trade-{given} ...")
    assert goods(game) == after
    assert game.phase != "trade"


@pytest.mark.rule("KB-16", "KB-126")
def test_alchemist_may_be_declined() -> None:
    assert gained(6, "decline-trade", goods=(1, 0, 0)) == Board(Goods(gold=1))


@pytest.mark.rule("KB-16")
def test_alchemist_without_goods_does_nothing() -> None:
    """Dice may be placed there all the same; tokens and points are no goods."""
    game = influenced(6, tokens=2, vp=5)
    assert game.phase != "trade"
    assert board(game, 0) == Board(tokens=2, vp=5)
    assert events(game, "helped") == [("helped", 0, 6, 0, 0)]


@pytest.mark.rule("KB-15")
def test_advisors_help_in_ascending_order() -> None:
    """Whatever the turn order, and whoever placed first."""
    game = closing(
        seat(influence=[18, 2]),
        seat(influence=[5, 16]),
        seat(influence=[10, 1, 8]),
        order=[2, 1, 0],
        calendar=AUTUMN,
    )
    play(game, "pass")
    helped = [happening[1:3] for happening in events(game, "helped")]
    assert helped == [(2, 1), (0, 2), (1, 5), (2, 8), (2, 10), (1, 16), (0, 18)]


@pytest.mark.rule("KB-15", "KB-126")
def test_goods_of_an_earlier_advisor_may_be_used_at_a_later_one() -> None:
    """A wood just got from the Merchant goes to the Alchemist."""
    game = play(closing(seat(influence=[4, 6]), seat(), seat()), "pass")
    assert legal(game) == {"take-gold", "take-wood"}
    play(game, "take-wood")
    assert legal(game) == {"trade-wood", "decline-trade"}
    play(game, "trade-wood")
    assert goods(game) == (1, 0, 1)


@pytest.mark.rule("KB-15")
def test_goods_of_a_later_advisor_come_too_late() -> None:
    game = play(closing(seat(influence=[6, 8]), seat(), seat()), "pass ...")
    assert game.phase != "trade"
    assert goods(game) == (2, 0, 0)


@pytest.mark.rule("KB-15")
def test_each_advisor_is_done_before_the_next() -> None:
    """While seat 1 chooses at the Merchant, the Sergeant has sent nobody."""
    game = play(closing(seat(influence=[5]), seat(influence=[4]), seat()), "pass")
    assert (game.actor, board(game, 0).soldiers) == (1, 0)
    play(game, "take-gold ...")
    assert board(game, 0).soldiers == 1


@pytest.mark.rule("KB-26")
@pytest.mark.parametrize("first", [0, 2])
def test_two_seats_at_one_advisor_are_helped_in_turn_order(first: int) -> None:
    last = 2 - first
    game = closing(seat(influence=[8]), seat(), seat(influence=[8]), order=[first, 1, last], calendar=AUTUMN)
    play(game, "pass")
    assert [happening[1] for happening in events(game, "helped")] == [first, last]


# --- a look at the enemy ------------------------------------------------------------------------------


@pytest.mark.rule("KB-18", "KB-130", "KB-137")
@pytest.mark.parametrize("advisor", range(1, 19))
def test_general_and_queen_show_the_card(advisor: int) -> None:
    """To that seat alone; that it looked is public."""
    game = influenced(advisor, goods=(1, 0, 0))
    told = events(game, "looks", "sees")
    if advisor not in (10, 17):
        assert told == []
        assert field(game, "peeked", 0) == 0
        return
    number = CARDS.index(card(game))
    assert told == [("looks", 0, 0, 0, 0), ("sees", 0, number, ENEMIES[card(game)].strength, 0)]
    assert [field(game, "peeked", number) for number in range(3)] == [1, 0, 0]
    private = {
        happening.name for happening in game.journal() if happening.private and happening.name != "chance"
    }
    assert private == {"sees"}
    for viewer in range(3):
        names = {happening.name for happening in game.journal(viewer)}
        assert "looks" in names
        assert ("sees" in names) == (viewer == 0)


@pytest.mark.rule("KB-18")
def test_look_lasts_until_winter() -> None:
    game = influenced(10)
    seen = set()
    while int(game.states["year"][0]) == 1:
        seen.add(calendar(game))
        assert field(game, "peeked", 0) == 1
        idle(play(game, "pass ..."), "place", "gain")
    assert seen == {AUTUMN}
    assert field(game, "peeked", 0) == 0


@pytest.mark.rule("KB-18", "KB-53")
def test_look_is_at_this_years_card() -> None:
    for year in range(1, 6):
        game = closing(seat(influence=[10]), seat(), seat(), year=year, calendar=SPRING)
        deck = [int(number) for number in game.states["deck"][0]]
        play(game, "pass ...")
        assert events(game, "sees")[0][2] == deck[year - 1]


# --- Stables ------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-19", "KB-155")
@pytest.mark.parametrize("advisor", range(1, 19))
def test_stables_add_a_soldier_to_soldiers(advisor: int) -> None:
    game = influenced(advisor, buildings=STABLES)
    expected = {5: 2, 10: 3, 18: 2}.get(advisor, 0)
    assert board(game, 0).soldiers == expected
    assert expected == ADVISOR[advisor].soldiers + (ADVISOR[advisor].soldiers > 0)


def soldiers(influence: Sequence[int], twice: Sequence[int] = (), **options: bool) -> int:
    """Return the soldiers of a seat with Stables after the help of these advisors."""
    game = closing(
        seat(buildings=STABLES, influence=influence, twice=twice), seat(), seat(), calendar=SPRING, **options
    )
    return board(play(game, "pass ..."), 0).soldiers


@pytest.mark.rule("KB-19")
def test_stables_add_a_soldier_at_every_such_advisor() -> None:
    assert soldiers([5, 10]) == 2 + 3
    assert soldiers([5, 10, 18]) == 2 + 3 + 2
    assert soldiers([10], [10]) == 3 + 3  # again for a repeat by the Envoy


@pytest.mark.rule("KB-19")
def test_stables_once_a_season_as_an_option() -> None:
    assert soldiers([5, 10], stables_once=True) == 2 + 2
    assert soldiers([5, 10, 18], stables_once=True) == 2 + 2 + 1
    assert soldiers([10], [10], stables_once=True) == 3 + 2
    assert soldiers([1, 5], stables_once=True) == 2


@pytest.mark.rule("KB-19")
def test_stables_once_serve_again_next_season() -> None:
    game = closing(
        seat(buildings=STABLES, influence=[5, 10]), seat(), seat(), calendar=SPRING, stables_once=True
    )
    idle_to(game, SUMMER)
    assert board(game, 0).soldiers == 4
    idle(game, "place")
    while game.actor != 0:
        play(game, "pass")
    game.state.seats[0].faces[:3] = (5, 5, 5)
    game.refresh()
    play(game, "place-l")
    idle_to(game, AUTUMN)
    assert board(game, 0).soldiers == 6


@pytest.mark.rule("KB-19")
def test_stables_of_another_seat_add_nothing() -> None:
    game = closing(seat(influence=[5]), seat(buildings=STABLES), seat(), calendar=SPRING)
    play(game, "pass ...")
    assert [board(game, number).soldiers for number in range(3)] == [1, 0, 0]


@pytest.mark.rule("KB-20")
def test_stables_built_now_come_too_late() -> None:
    game = closing(seat((1, 1, 1), ["palisade"], influence=[5, 10]), seat(), seat())
    play(game, "pass", "build-stables ...")
    assert board(game, 0).soldiers == 3
