"""Placing dice on advisors: sums, colours, the "+2" token, the Market, passing, the Envoy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers_kingsburg import (
    Placement,
    board,
    calendar,
    closing,
    envoy,
    events,
    field,
    free_dice,
    goods,
    influence,
    legal,
    place,
    placements,
    placing,
    play,
    reach,
    seat,
)

from kingmaker.envs.core.errors import IllegalAction
from kingmaker.envs.kingsburg.state import AUTUMN, SUMMER

MARKET = ("inn", "market")


def reached(
    dice: Sequence[int], white: Sequence[int] = (), *, taken: Sequence[int] = (), **others: object
) -> set[int]:
    """Return the advisors in reach of a seat with these dice."""
    first = {name: others.pop(name) for name in list(others) if name not in ("blocked", "envoy")}
    return reach(placing(seat(dice=dice, white=white, **first), seat(influence=taken), seat(), **others))


@pytest.mark.rule("KB-117")
def test_seats_place_one_group_each_by_turns() -> None:
    dice = [(1, 2, 3), (4, 5, 6), (6, 6, 6)]
    game = placing(*[seat(dice=faces) for faces in dice], order=[1, 2, 0], calendar=SUMMER)
    actors = []
    while game.phase == "place" and calendar(game) == SUMMER:
        actors.append(game.actor)
        lowest = min(placements(game), key=lambda found: len(found[1].coloured))
        game.apply(lowest[0])
    # Seat 1 cannot place its six, nor seat 2 its last one: advisor 6 is taken.
    assert actors == [1, 2, 0, 1, 2, 0, 0]


@pytest.mark.rule("KB-117", "KB-12")
def test_placing_goes_on_until_all_have_passed() -> None:
    game = placing(seat(dice=(1, 2, 5)), seat(dice=(3, 4, 6)), seat(dice=(2, 2, 2)), calendar=SUMMER)
    play(game, "pass", "place-l", "pass", "place-m")
    assert (game.actor, influence(game, 1)) == (1, {3, 4})
    assert not events(game, "helped")
    play(game, "place-h")
    assert events(game, "helped")[0] == ("helped", 1, 3, 0, 0)


@pytest.mark.rule("KB-6")
@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((1, 2, 4), {1, 2, 3, 4, 5, 6, 7}),
        ((6, 6, 6), {6, 12, 18}),
        ((5, 5, 6), {5, 6, 10, 11, 16}),
        ((1, 1, 1), {1, 2, 3}),
    ],
)
def test_sum_is_the_advisors_number(dice: tuple[int, ...], expected: set[int]) -> None:
    assert reached(dice) == expected


@pytest.mark.rule("KB-6", "KB-10")
@pytest.mark.parametrize(
    ("dice", "white", "extra", "expected"),
    [
        ((6, 6, 6), (), {"tokens": 1}, {6, 8, 12, 14, 18}),  # 20 is nobody
        ((6, 6, 6), (1,), {}, {6, 7, 12, 13, 18}),  # nor is 19
        ((1, 1, 1), (), {"buildings": MARKET}, {1, 2, 3, 4}),  # nor is 0
        ((6, 6, 5), (2,), {"buildings": MARKET}, {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}),
        ((6, 6, 6), (6,), {"tokens": 1, "buildings": MARKET}, {5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18}),
    ],
)
def test_sums_below_1_and_above_18_reach_nobody(
    dice: tuple[int, ...], white: tuple[int, ...], extra: dict, expected: set[int]
) -> None:
    assert reached(dice, white, **extra) == expected


@pytest.mark.rule("KB-10", "KB-6")
def test_market_brings_19_down_to_the_king() -> None:
    """Coloured 6, 6, 5 and white 2."""
    game = placing(seat(buildings=MARKET, dice=(6, 6, 5), white=(2,)), seat(), seat())
    assert [found for _, found in placements(game) if found.advisor == 18] == [
        Placement((5, 6, 6), (), 0, 1),
        Placement((5, 6, 6), (2,), 0, -1),
    ]


@pytest.mark.rule("KB-7")
@pytest.mark.parametrize(
    ("dice", "white", "expected"),
    [
        ((1,), (4,), {1, 5}),  # not 4
        ((1, 2), (6,), {1, 2, 3, 7, 8, 9}),
        ((3,), (4, 6), {3, 7, 9, 13}),
        ((1, 1, 1), (5, 5), {1, 2, 3, 6, 7, 8, 11, 12, 13}),
    ],
)
def test_every_group_has_a_coloured_die(
    dice: tuple[int, ...], white: tuple[int, ...], expected: set[int]
) -> None:
    assert reached(dice, white) == expected


@pytest.mark.rule("KB-7", "KB-12")
def test_white_dice_alone_are_no_group() -> None:
    game = placing(seat(dice=(2,), white=(4, 5), tokens=1), seat(dice=(1, 3, 6)), seat())
    play(game, "place-l")
    assert events(game, "passes") == []
    assert game.actor == 1
    play(game, "place-l")
    assert events(game, "passes") == [("passes", 0, 0, 0, 0)]
    assert game.actor == 1
    assert free_dice(game, 0) == ((), (4, 5))


@pytest.mark.rule("KB-7")
def test_white_dice_may_be_split_over_groups() -> None:
    game = placing(seat(dice=(2, 3), white=(4, 5)), seat(), seat(), calendar=SUMMER)
    place(game, 6, coloured=(2,), white=(4,))
    assert {found for _, found in placements(game)} == {Placement((3,)), Placement((3,), (5,))}
    place(game, 8)
    assert influence(game, 0) == {6, 8}


@pytest.mark.rule("KB-8")
def test_one_token_a_season() -> None:
    game = placing(seat(dice=(1, 1, 1), tokens=3), seat(), seat())
    assert reach(game) == {1, 2, 3, 4, 5}
    play(game, "place-l-token")
    assert board(game, 0).tokens == 2
    assert influence(game, 0) == {3}
    assert events(game, "token-used") == [("token-used", 0, 2, 0, 0)]
    assert {found.token for _, found in placements(game)} == {0}


@pytest.mark.rule("KB-8")
def test_a_token_serves_again_next_season() -> None:
    game = placing(seat(buildings=["barricade"], dice=(1, 1, 1), tokens=3), seat(), seat(), calendar=SUMMER)
    play(game, "place-l-token", "pass 1 2 3 1 2 3 1 2 3")
    assert calendar(game) == AUTUMN
    assert {found.token for _, found in placements(game)} == {0, 1}


@pytest.mark.rule("KB-8")
def test_one_token_a_group() -> None:
    game = placing(seat(dice=(2,), tokens=5), seat(), seat())
    assert reach(game) == {2, 4}


@pytest.mark.rule("KB-8")
def test_without_a_token_there_is_none_to_use() -> None:
    assert reached((2,)) == {2}


@pytest.mark.rule("KB-8", "KB-31")
def test_token_paid_at_the_town_hall_does_not_count() -> None:
    hall = ("barricade", "crane", "town-hall")
    game = placing(seat(buildings=hall, dice=(1,), tokens=2), seat(), seat(), calendar=SUMMER)
    play(game, "place-l-token", "pay-token 1 2 3 1 2 3 1 2 3")
    assert board(game, 0).tokens == 0


@pytest.mark.rule("KB-9")
def test_token_joins_a_group_with_white_dice() -> None:
    game = placing(seat(dice=(3,), white=(4,), tokens=1), seat(), seat(), calendar=SUMMER)
    assert reach(game) == {3, 5, 7, 9}
    place(game, 9)
    assert influence(game, 0) == {9}
    assert board(game, 0).tokens == 0


@pytest.mark.rule("KB-10", "KB-11")
def test_market_and_token_together() -> None:
    """A single die of 4 reaches 3 to 7."""
    game = placing(seat(buildings=MARKET, dice=(4,), tokens=1), seat(), seat())
    assert {(found.advisor, found.token, found.market) for _, found in placements(game)} == {
        (3, 0, -1), (4, 0, 0), (5, 0, 1), (5, 1, -1), (6, 1, 0), (7, 1, 1),
    }  # fmt: skip
    singles = {"place-l-down", "place-l", "place-l-up"}
    assert legal(game) == singles | {"place-l-token-down", "place-l-token", "place-l-token-up", "pass"}


@pytest.mark.rule("KB-11")
@pytest.mark.parametrize(("advisor", "market"), [(5, -1), (7, 1)])
def test_market_and_token_on_one_group_use_both(advisor: int, market: int) -> None:
    game = placing(seat(buildings=MARKET, dice=(4, 1), tokens=2), seat(), seat())
    place(game, advisor, coloured=(4,), token=1, market=market)
    assert influence(game, 0) == {advisor}
    assert (field(game, "token_used", 0), field(game, "market_used", 0)) == (1, 1)
    assert {found for _, found in placements(game)} == {Placement((1,))}


@pytest.mark.rule("KB-10")
@pytest.mark.parametrize(("step", "advisor"), [("up", 3), ("down", 1)])
def test_market_moves_one_group_a_season(step: str, advisor: int) -> None:
    game = placing(seat(buildings=MARKET, dice=(2, 5, 6)), seat(), seat())
    play(game, f"place-l-{step}")
    assert influence(game, 0) == {advisor}
    assert events(game, "market-used") == [("market-used", 0, 1 if step == "up" else -1, 0, 0)]
    assert reach(game) == {5, 6, 11}
    assert free_dice(game, 0)[0] == (5, 6)


@pytest.mark.rule("KB-10")
def test_market_is_kept_by_a_group_that_does_not_need_it() -> None:
    game = placing(seat(buildings=MARKET, dice=(2, 5)), seat(), seat())
    play(game, "place-l")
    assert reach(game) == {4, 5, 6}


@pytest.mark.rule("KB-10")
def test_market_is_needed_for_its_step() -> None:
    assert reached((3,), buildings=("inn",)) == {3}


@pytest.mark.rule("KB-12")
def test_a_seat_may_pass_with_dice_left() -> None:
    game = placing(seat(dice=(1, 2, 3)), seat(dice=(4, 5, 6)), seat(), calendar=SUMMER)
    assert "pass" in legal(game)
    play(game, "pass")
    assert events(game, "passes") == [("passes", 0, 0, 0, 0)]
    for _ in range(3):  # seat 0 is not asked again
        assert game.actor == 1
        play(game, "place-l" if game.phase == "place" and _ == 0 else "place-m" if _ == 1 else "place-h ...")
    assert goods(game, 0) == (0, 0, 0)


@pytest.mark.rule("KB-12")
def test_a_seat_without_a_legal_placement_passes() -> None:
    """Sums 2, 3 and 5 are all taken."""
    game = placing(seat(dice=(2, 3)), seat(influence=[2, 3], dice=(6,)), seat(dice=(5,)), order=[2, 1, 0])
    play(game, "place-l")
    assert game.actor == 1
    play(game, "place-l ...")
    assert ("passes", 0, 0, 0, 0) in events(game, "passes")
    assert influence(game, 0) == set()


@pytest.mark.rule("KB-12", "KB-22")
def test_the_envoy_spares_a_seat_from_passing() -> None:
    game = placing(seat(dice=(5,)), seat(influence=[2, 3, 5]), seat(dice=(6,)), order=[2, 0, 1], envoy=0)
    play(game, "place-l")
    assert (game.actor, legal(game)) == (0, {"place-l", "pass"})


@pytest.mark.rule("KB-13")
def test_an_advisor_takes_one_group() -> None:
    assert reached((1, 2, 4), taken=[2, 3, 7]) == {1, 4, 5, 6}


@pytest.mark.rule("KB-13")
def test_own_advisors_are_closed_too() -> None:
    game = placing(seat(dice=(2, 2, 4)), seat(), seat())
    play(game, "place-l")
    assert reach(game) == {4, 6}
    play(game, "place-h")
    assert game.phase == "place" or influence(game, 0) == {2, 4}


@pytest.mark.rule("KB-13")
def test_closed_placement_is_refused() -> None:
    game = placing(seat(dice=(1, 2, 4)), seat(influence=[2]), seat())
    with pytest.raises(IllegalAction):
        game.apply("place-m")


@pytest.mark.rule("KB-13")
def test_advisors_are_free_again_next_season() -> None:
    game = closing(seat(influence=[1, 5]), seat(), seat(), calendar=SUMMER)
    play(game, "pass 1 2 3 6 6 6 6 6 6")
    assert reach(game) == {1, 2, 3, 4, 5, 6}


@pytest.mark.rule("KB-22")
def test_envoy_joins_another_seat() -> None:
    """Both are helped."""
    game = placing(seat(dice=(6, 2)), seat(influence=[8]), seat(), envoy=0, calendar=SUMMER)
    play(game, "place-lm ...")
    assert (goods(game, 0), goods(game, 1)) == ((2, 0, 0), (2, 0, 0))
    assert envoy(game) == -1 or calendar(game) != SUMMER


@pytest.mark.rule("KB-22")
def test_envoy_repeats_the_own_advisor() -> None:
    """Seat 0 has two groups at the Squire, and is helped for each."""
    game = placing(seat(dice=(2, 2, 6)), seat(), seat(), envoy=0, calendar=SUMMER)
    play(game, "place-l")
    assert not events(game, "envoy-used")
    play(game, "place-m")
    assert events(game, "envoy-used") == [("envoy-used", 0, 0, 0, 0)]
    assert field(game, "twice", 0) == 1 << 2
    play(game, "pass ...")
    assert goods(game, 0) == (2, 0, 0)
    assert [happening[:3] for happening in events(game, "helped")] == [("helped", 0, 2), ("helped", 0, 2)]


@pytest.mark.rule("KB-22")
def test_envoy_repeat_asks_for_each_gift() -> None:
    game = play(closing(seat(influence=[12], twice=[12]), seat(), seat(), calendar=SUMMER), "pass")
    for choice in ("take-gold-gold", "take-wood-stone ..."):
        assert (game.actor, game.phase) == (0, "gain")
        play(game, choice)
    assert board(game, 0)[:2] == ((2, 1, 1), 2)


@pytest.mark.rule("KB-22", "KB-7", "KB-6")
def test_normal_dice_rules_hold_for_the_envoy() -> None:
    everybody = list(range(1, 19))
    assert reached((3,), (6,), taken=everybody, envoy=0) == {3, 9}
    assert reached((3,), (6,), taken=everybody, tokens=1, envoy=0) == {3, 5, 9, 11}
    assert reached((3,), taken=everybody, envoy=1) == set()


@pytest.mark.rule("KB-22", "KB-24")
def test_only_the_holder_has_the_envoy() -> None:
    assert reached((1, 2), taken=[1, 3], envoy=1) == {2}
    assert reached((1, 2), taken=[1, 3], envoy=0) == {1, 2, 3}
