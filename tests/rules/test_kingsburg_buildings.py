"""Construction: prices, points, rows, the Crane, the second building of the Envoy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from figures_kingsburg import BUILDING, BUILDINGS, COLUMN, GOODS, ROWS, Goods, points
from helpers_kingsburg import (
    NAMES,
    Board,
    board,
    boards,
    closing,
    envoy,
    events,
    idle_to,
    legal,
    order,
    placing,
    play,
    seat,
    sources,
)

from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, SPRING, SUMMER

# Can build nothing, and is asked for soldiers: the game waits before Winter.
WAITING = seat((0, 0, 2))

ALL = pytest.mark.parametrize("name", NAMES)


def before(name: str) -> tuple[str, ...]:
    """Return the buildings that stand left of one in its row."""
    row = next(row for row in ROWS if name in row)
    return row[: row.index(name)]


def price(name: str, owned: Iterable[str]) -> Goods:
    """Return what a building costs the owner of others."""
    cost = BUILDING[name].cost
    return cost._replace(gold=cost.gold - ("crane" in owned and COLUMN[name] >= 2))


def building(*seats: dict, **others: object) -> Game:
    """Return a game in which the first of these seats that can builds."""
    return play(closing(*seats, **others), "pass")


def builds(goods: Sequence[int], owned: Iterable[str] = (), **others: object) -> set[str]:
    """Return what a seat can build with these goods, empty if it is not asked."""
    game = play(closing(seat(goods, owned, influence=[1]), seat(), seat(), **others), "pass ...")
    if game.phase != "build":
        return set()
    return {action.removeprefix("build-") for action in legal(game)} - {"nothing"}


@ALL
@pytest.mark.rule(
    "KB-142", "KB-143", "KB-144", "KB-145", "KB-146", "KB-147", "KB-148", "KB-149", "KB-150", "KB-151",
    "KB-152", "KB-153", "KB-154", "KB-155", "KB-156", "KB-157", "KB-158", "KB-159", "KB-160", "KB-161",
    "KB-140",
)  # fmt: skip
def test_price_and_points(name: str) -> None:
    """The exact price builds it, at once for its points; one good less of any kind does not."""
    cost = price(name, before(name))
    game = building(seat(cost, before(name)), seat(), WAITING, calendar=AUTUMN)
    worth = board(game, 0).vp
    assert f"build-{name}" in legal(game)
    play(game, f"build-{name}")
    after = board(game, 0)
    assert after.goods == Goods()
    assert after.buildings == {*before(name), name}
    embassy = name == "embassy"  # a point at the end of this season
    assert after.vp == worth + BUILDING[name].vp + embassy
    assert sources(game, 0).get("buildings", 0) == points(after.buildings)
    assert events(game, "builds") == [("builds", 0, NAMES.index(name), 0, 0)]
    for number, count in enumerate(cost):
        if count:
            less = [have - (number == kind) for kind, have in enumerate(cost)]
            assert name not in builds(less, before(name))


@ALL
@pytest.mark.rule("KB-140")
def test_goods_beyond_the_price_stay(name: str) -> None:
    game = building(seat((6, 7, 8), before(name)), seat(), seat(), calendar=AUTUMN)
    play(game, f"build-{name}")
    paid = price(name, before(name))
    assert board(game, 0).goods == (6 - paid.gold, 7 - paid.wood, 8 - paid.stone)


def test_checksums() -> None:
    """Points by row 24, 7, 13, 8, 7; all together cost 38 gold, 22 wood, 22 stone."""
    assert [sum(BUILDING[name].vp for name in row) for row in ROWS] == [24, 7, 13, 8, 7]
    assert tuple(sum(building.cost[kind] for building in BUILDINGS) for kind in range(3)) == (38, 22, 22)


@pytest.mark.rule("KB-141", "KB-140")
def test_rows_are_built_from_the_left() -> None:
    assert builds((9, 9, 9)) == {"statue", "inn", "guard-tower", "palisade", "barricade"}
    assert builds((9, 9, 9), ("statue", "inn", "market", "barricade")) == {
        "chapel", "farms", "guard-tower", "palisade", "crane",
    }  # fmt: skip


@ALL
@pytest.mark.rule("KB-141")
def test_every_building_once_and_in_its_turn(name: str) -> None:
    owned = (*before(name), name)
    offered = builds((9, 9, 9), owned)
    assert not offered & set(owned)
    row = next(row for row in ROWS if name in row)
    assert offered & set(row) == set(row[len(owned) : len(owned) + 1])


@pytest.mark.rule("KB-141")
def test_building_out_of_turn_is_refused() -> None:
    game = building(seat((9, 9, 9)), seat(), seat())
    with pytest.raises(IllegalAction):
        game.apply("build-chapel")


@pytest.mark.rule("KB-27")
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
def test_one_building_a_season_in_turn_order(order: list[int]) -> None:
    game = building(*[seat((9, 9, 9)) for _ in range(3)], order=order, calendar=AUTUMN)
    for number in order:
        assert (game.actor, game.phase) == (number, "build")
        play(game, "build-inn" if number != order[-1] else "build-inn ...")
    assert game.phase == "recruit"
    assert [shown.buildings for shown in boards(game)] == [frozenset({"inn"})] * 3


@pytest.mark.rule("KB-27", "KB-116")
def test_construction_goes_by_the_new_turn_order() -> None:
    """The order of this season's dice, not that of the season before."""
    game = play(
        closing(*[seat((1, 1, 0)) for _ in range(3)], calendar=SPRING),
        *["pass", "build-nothing", "build-nothing"],
    )
    play(game, "build-nothing 6 6 6 1 1 1 3 3 3", "pass", "pass", "pass")
    assert (game.actor, game.phase) == (1, "build")
    assert order(game) == [1, 2, 0]


@pytest.mark.rule("KB-27")
def test_construction_is_optional() -> None:
    game = building(seat((9, 9, 9)), seat(), seat(), calendar=AUTUMN)
    play(game, "build-nothing")
    assert game.phase != "build"
    assert board(game, 0) == Board(Goods(9, 9, 9))


@pytest.mark.rule("KB-27", "KB-111")
def test_goods_of_this_seasons_help_pay() -> None:
    game = placing(seat(dice=(2,)), seat(dice=(3,)), seat(buildings=["barricade"]), calendar=SUMMER)
    play(game, "place-l")
    game.state.seats[0].goods[1] = 1
    play(game, "place-l")
    assert (game.actor, legal(game)) == (0, {"build-inn", "build-barricade", "build-nothing"})


# --- Crane --------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-28", "KB-159")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("barricade", "crane")])
def test_crane_takes_a_gold_off_the_right_half(name: str) -> None:
    owned = {*before(name), "barricade", "crane"}
    cost = price(name, owned)
    assert name in builds(cost, owned)
    for kind, count in zip(GOODS, cost, strict=True):
        if count:
            assert name not in builds(cost._replace(**{kind: count - 1}), owned)


@pytest.mark.rule("KB-28")
@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("farms", (1, 3, 1)),
        ("cathedral", (4, 0, 3)),
        ("embassy", (1, 2, 2)),
        ("church", (2, 1, 2)),
        ("stone-wall", (1, 0, 2)),
    ],
)
def test_prices_with_a_crane(name: str, cost: tuple[int, int, int]) -> None:
    owned = {*before(name), "barricade", "crane"}
    game = building(seat(cost, owned), seat(), WAITING, calendar=AUTUMN)
    play(game, f"build-{name}")
    assert board(game, 0).goods == Goods()


@pytest.mark.rule("KB-28")
def test_crane_does_not_serve_itself() -> None:
    """It is in column II; a seat without stone cannot build it, and it never costs gold."""
    assert builds((5, 1, 0), ("barricade",)) == {"statue", "inn"}
    assert "crane" in builds((0, 1, 1), ("barricade",))


@pytest.mark.rule("KB-28")
def test_crane_of_another_seat_does_not_serve() -> None:
    game = play(
        closing(seat((1, 0, 2), ["palisade", "stables"]), seat(buildings=["barricade", "crane"]), seat()),
        "pass",
    )
    assert legal(game) == {"build-guard-tower", "build-nothing"}


# --- Envoy --------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-23")
def test_envoy_allows_a_second_building_at_full_price() -> None:
    game = building(seat((3, 0, 1)), seat((9, 9, 9)), seat(), envoy=0, calendar=SPRING)
    play(game, "build-statue")
    assert (game.actor, legal(game), envoy(game)) == (0, {"build-guard-tower", "build-nothing"}, 0)
    play(game, "build-guard-tower")
    assert board(game, 0) == Board(vp=4, buildings=frozenset({"statue", "guard-tower"}))
    assert events(game, "envoy-used") == [("envoy-used", 0, 0, 0, 0)]
    assert (game.actor, envoy(game)) == (1, -1)


@pytest.mark.rule("KB-23", "KB-141")
def test_second_building_may_be_the_next_of_the_row() -> None:
    game = building(seat((5, 0, 1)), seat(), seat(), envoy=0, calendar=SPRING)
    play(game, "build-statue")
    assert legal(game) == {"build-chapel", "build-guard-tower", "build-nothing"}
    play(game, "build-chapel ...")
    assert board(game, 0).vp == 3 + 5 + 1  # and the King's reward


@pytest.mark.rule("KB-23", "KB-28")
def test_second_building_may_profit_from_the_crane() -> None:
    game = building(seat((1, 2, 2), ["barricade"]), seat(), WAITING, envoy=0, calendar=AUTUMN)
    play(game, "build-crane")
    assert "build-town-hall" in legal(game)  # 2 gold, 1 wood, 1 stone less the one gold
    play(game, "build-town-hall")
    assert board(game, 0).goods == Goods()


@pytest.mark.rule("KB-23", "KB-24")
def test_no_third_building() -> None:
    game = building(seat((9, 9, 9)), seat(), seat(), envoy=0, calendar=AUTUMN)
    play(game, "build-statue", "build-chapel")
    assert game.phase == "recruit"


@pytest.mark.rule("KB-23", "KB-25")
def test_second_building_may_be_left() -> None:
    game = building(seat((9, 9, 9)), seat(), seat(), envoy=0, calendar=AUTUMN)
    play(game, "build-statue", "build-nothing")
    assert (game.phase, envoy(game)) == ("recruit", 0)
    assert not events(game, "envoy-used")


@pytest.mark.rule("KB-25")
def test_envoy_stays_with_a_seat_that_builds_nothing() -> None:
    game = building(seat((9, 9, 9)), seat(), seat(), envoy=0, calendar=AUTUMN)
    play(game, "build-nothing")
    assert (game.phase, envoy(game)) == ("recruit", 0)


@pytest.mark.rule("KB-23")
def test_others_build_once_while_somebody_has_the_envoy() -> None:
    game = building(seat((9, 9, 9)), seat((9, 9, 9)), seat(), envoy=1, calendar=AUTUMN)
    play(game, "build-statue")
    assert game.actor == 1
    play(game, "build-statue")
    assert (game.actor, game.phase) == (1, "build")


@pytest.mark.rule("KB-23", "KB-24")
def test_envoy_used_for_building_does_not_open_an_advisor() -> None:
    game = building(seat((4, 4, 4)), seat(), seat(), envoy=0, calendar=SPRING)
    play(game, "build-barricade", "build-inn ...")
    idle_to(game, SUMMER)
    assert envoy(game) == -1


@pytest.mark.rule("KB-42", "KB-152", "KB-29")
def test_barracks_built_this_autumn_serve_this_year() -> None:
    game = building(seat((3, 2, 1), ["guard-tower", "blacksmith"]), seat(), seat(), calendar=AUTUMN)
    play(game, "build-barracks")
    assert (game.actor, legal(game)) == (0, {"recruit-gold", "stop-recruiting"})
