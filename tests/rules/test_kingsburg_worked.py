"""Worked examples, played through the real rules from the dice to the result."""

from __future__ import annotations

import pytest
from figures_kingsburg import ROWS, Goods
from helpers_kingsburg import (
    Board,
    blocked,
    board,
    boards,
    calendar,
    closing,
    dice,
    envoy,
    events,
    field,
    free_dice,
    goods,
    legal,
    name_of,
    order,
    placements,
    placing,
    play,
    reach,
    recruiting,
    seat,
    sources,
    vp,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, SPRING

P0 = ("statue", "inn", "market")
P1 = ("guard-tower", "palisade", "stables")
P2 = ("barricade",)
# Nobody builds in Spring; then all roll.
ROLLS = ("pass", "build-nothing", "build-nothing", "build-nothing 4 4 4 2 3 5 1 2 6")
PLACEMENTS = ("place-mh-up", "place-lh", "place-h", "place-l-token", "place-m")


def summer() -> Game:
    """Return the game before the Summer of year II; the King's reward then gives P0 and P1 a point each."""
    return closing(
        seat((1, 0, 1), P0, tokens=1, vp=5),
        seat((0, 2, 0), P1, vp=4, soldiers=1),
        seat((2, 0, 0), P2, vp=3),
        year=2,
        calendar=SPRING,
        envoy=2,
        enemy="II-b",
    )


def played_summer() -> Game:
    """Play it, to the first question of Autumn."""
    game = play(summer(), *ROLLS)
    play(game, "reroll-coloured 1")
    play(game, *PLACEMENTS)
    play(game, "take-stone", "take-stone")
    play(game, "build-guard-tower", "build-statue", "build-guard-tower", "build-barricade 1 3 5 1 3 5 1 3 5")
    return game


@pytest.mark.rule("KB-2", "KB-3", "KB-1", "KB-116", "KB-40", "KB-113")
def test_summer_step_a() -> None:
    game = play(summer(), *ROLLS)
    assert vp(game) == [6, 5, 3]
    assert (game.actor, legal(game)) == (0, {"reroll-coloured", "keep-roll"})
    play(game, "reroll-coloured 1")
    assert [dice(game, number)[0] for number in range(3)] == [(1, 4, 4), (2, 3, 5), (1, 2, 6)]
    assert order(game) == [0, 2, 1]


@pytest.mark.rule("KB-117", "KB-6", "KB-8", "KB-10", "KB-12", "KB-13")
def test_summer_step_b() -> None:
    game = play(summer(), *ROLLS, "reroll-coloured 1")
    turns = [
        (0, "place-mh-up", 9),  # 4 and 4, one more by the Market
        (2, "place-lh", 7),  # 1 and 6
        (1, "place-h", 5),
        (0, "place-l-token", 3),  # 1 and 2 by the token
        (2, "place-m", 2),
    ]
    for actor, action, advisor in turns:
        assert (game.actor, game.phase) == (actor, "place")
        assert {name_of(game, number): found.advisor for number, found in placements(game)}[action] == advisor
        play(game, action)
    # P1 holds 2 and 3; advisors 2, 3 and 5 are taken, so it passes without being asked.
    assert {happening[1] for happening in events(game, "passes")} == {0, 1, 2}
    assert (free_dice(game, 1), game.phase) == (((2, 3), ()), "gain")


@pytest.mark.rule("KB-15", "KB-19", "KB-122", "KB-123", "KB-125", "KB-127", "KB-129")
def test_summer_step_c() -> None:
    game = play(summer(), *ROLLS, "reroll-coloured 1")
    play(game, *PLACEMENTS)
    assert goods(game, 2) == (3, 0, 0)  # the Squire
    assert goods(game, 0) == (1, 1, 1)  # the Architect
    assert board(game, 1).soldiers == 3  # the Sergeant, and the Stables
    assert (game.actor, legal(game)) == (2, {"take-gold", "take-wood", "take-stone"})  # the Astronomer
    play(game, "take-stone")
    assert (goods(game, 2), board(game, 2).tokens) == ((3, 0, 1), 1)
    assert (game.actor, legal(game)) == (0, {"take-gold", "take-stone"})  # the Master Hunter
    play(game, "take-stone")
    assert (goods(game, 0), board(game, 0).tokens) == ((1, 2, 2), 0)


@pytest.mark.rule("KB-27", "KB-140", "KB-23", "KB-24")
def test_summer_step_d() -> None:
    game = play(summer(), *ROLLS, "reroll-coloured 1")
    play(game, *PLACEMENTS, "take-stone", "take-stone")
    assert legal(game) == {"build-guard-tower", "build-palisade", "build-barricade", "build-nothing"}
    play(game, "build-guard-tower")
    assert (goods(game, 0), vp(game)[0]) == ((0, 2, 1), 7)
    assert game.actor == 2
    play(game, "build-statue")
    assert (goods(game, 2), vp(game)[2], envoy(game)) == ((1, 0, 1), 6, 2)
    play(game, "build-guard-tower")
    assert (goods(game, 2), vp(game)[2], envoy(game)) == ((0, 0, 0), 7, -1)
    assert game.actor == 1
    assert "build-barricade" in legal(game)


@pytest.mark.rule("KB-33", "KB-114", "KB-24")
def test_summer_to_its_end() -> None:
    game = played_summer()
    assert boards(game) == [
        Board(Goods(0, 2, 1), 1, 7, 0, frozenset({*P0, "guard-tower"})),
        Board(Goods(0, 1, 0), 0, 5, 3, frozenset({*P1, "barricade"})),
        Board(Goods(0, 0, 0), 1, 7, 0, frozenset({*P2, "statue", "guard-tower"})),
    ]
    assert (calendar(game), envoy(game)) == (AUTUMN, 2)  # 4, 4 and 3 buildings


@pytest.mark.rule("KB-43", "KB-45", "KB-46", "KB-47", "KB-49", "KB-50", "KB-51", "KB-53", "KB-171")
def test_battle_after_that_summer() -> None:
    """II-b: Goblins of strength 4. Autumn and recruiting are taken to have changed nothing."""
    summer = played_summer()
    game = recruiting(
        *[
            seat(shown.goods, shown.buildings, vp=shown.vp, tokens=shown.tokens, soldiers=shown.soldiers)
            for shown in boards(summer)
        ],
        year=2,
        enemy="II-b",
        order=order(summer),
    )
    play(game, "stop-recruiting 2 ...")
    assert [field(game, "combat", number) for number in range(3)] == [3, 8, 4]
    assert [happening[1:] for happening in events(game, "fights")] == [
        (0, 3, 4, 0),
        (2, 4, 4, 1),
        (1, 8, 4, 2),
    ]
    assert boards(game) == [
        Board(Goods(0, 2, 1), 1, 6, 0, frozenset({"statue", "inn", "guard-tower"})),  # the Market is lost
        Board(Goods(0, 1, 1), 0, 6, 0, frozenset({*P1, "barricade"})),
        Board(Goods(0, 0, 0), 1, 7, 0, frozenset({*P2, "statue", "guard-tower"})),
    ]


@pytest.mark.rule("KB-47")
def test_stone_wall_in_that_battle() -> None:
    """P2's draw at 4 would have been a value of 5 with the wall, a victory in its own right."""
    walls = ("palisade", "stables", "stone-wall")
    game = play(
        recruiting(seat(buildings=(*P2, *walls)), seat(), year=2, enemy="II-b"), "stop-recruiting 1 ..."
    )
    # Barricade, Palisade and the wall itself add 3: a value of 4, equal to the strength.
    assert (field(game, "combat", 0), goods(game)[2]) == (4, 1)


# --- small cases --------------------------------------------------------------------------------------


@pytest.mark.rule("KB-4")
def test_reroll_chain() -> None:
    game = play(closing(seat(buildings=["statue", "chapel"]), seat(), seat()), "pass 2 2 2 1 3 5 1 3 5")
    assert legal(game) == {"reroll-coloured", "reroll-all", "keep-roll"}
    first_chapel = play(game.clone(), "reroll-all 5 5 5")
    assert legal(first_chapel) == {"reroll-coloured", "keep-roll"}
    first_statue = play(game.clone(), "reroll-coloured 3")
    assert sum(dice(first_statue, 0)[0]) == 7
    assert legal(first_statue) == {"reroll-all", "keep-roll"}


@pytest.mark.rule("KB-14")
@pytest.mark.parametrize(
    ("thrown", "expected"), [("2 4 5 5 6", {11, 5, 6}), ("1 3 4 4 4", {8, 4}), ("3 3 6 1 4", {12, 5})]
)
def test_two_player_blocks(thrown: str, expected: set[int]) -> None:
    assert blocked(play(closing(seat(), seat()), f"pass {thrown} 1 3 5 2 4 6")) == expected


@pytest.mark.rule("KB-7", "KB-10")
def test_white_dice_cases() -> None:
    game = placing(seat(buildings=["inn", "market"], dice=(6, 6, 5), white=(2,)), seat(), seat())
    assert any(placement == ((5, 6, 6), (2,), 0, -1) for _, placement in placements(game))
    assert reach(placing(seat(dice=(6,), white=(4,)), seat(), seat())) == {6, 10}


@pytest.mark.rule("KB-28")
@pytest.mark.parametrize(
    ("name", "row", "price"), [("cathedral", ROWS[0][:3], (4, 0, 3)), ("embassy", ROWS[4][:3], (1, 2, 2))]
)
def test_crane_prices(name: str, row: tuple[str, ...], price: tuple[int, int, int]) -> None:
    owned = {*row, "barricade", "crane"}
    game = play(closing(seat(price, owned), seat(), seat((0, 0, 2)), calendar=AUTUMN), "pass")
    play(game, f"build-{name}")
    assert goods(game) == (0, 0, 0)


@pytest.mark.rule("KB-50", "KB-52")
def test_losses_to_demons() -> None:
    game = recruiting(seat((1, 0, 3)), seat(), seat(), year=3, enemy="III-d")
    play(game, "stop-recruiting 1 ...")
    assert (goods(game), vp(game)[0]) == ((0, 0, 2), -1)


@pytest.mark.rule("KB-47")
@pytest.mark.parametrize(("walls", "soldiers", "won"), [(3, 3, True), (2, 4, False)])
def test_equal_values_at_strength_6(walls: int, soldiers: int, won: bool) -> None:
    row = ("palisade", "stables", "stone-wall")[:walls]
    game = recruiting(seat(buildings=row, soldiers=soldiers), seat(), seat(), year=3, enemy="III-d")
    play(game, "stop-recruiting 1 ...")
    assert field(game, "combat", 0) == 6
    assert sources(game, 0).get("victories", 0) == won


@pytest.mark.rule("KB-38", "KB-112")
def test_aid_tie_of_year_3() -> None:
    owned = ("barricade", "inn")
    game = recruiting(*[seat((held, 0, 0), owned, soldiers=9) for held in (1, 1, 3)], year=2, enemy="II-e")
    play(game, "stop-recruiting 1")
    assert game.actor == 0
    play(game, "take-wood")
    assert game.actor == 1
    play(game, "take-stone ...")
    assert [goods(game, number) for number in range(3)] == [(1, 1, 0), (1, 0, 1), (3, 0, 0)]
    assert not events(game, "aid-die")
    assert calendar(game) == SPRING
