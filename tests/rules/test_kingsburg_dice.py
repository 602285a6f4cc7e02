"""The beginning of a productive season: neutral dice, rolls, rerolls, turn order."""

from __future__ import annotations

import pytest
from helpers_kingsburg import (
    blocked,
    calendar,
    closing,
    dice,
    events,
    field,
    goods,
    legal,
    order,
    place,
    placing,
    play,
    reach,
    recruiting,
    rolled,
    seat,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, REROLL, REROLLING, SPRING, SUMMER

STATUE, CHAPEL = ("statue",), ("statue", "chapel")
FARMS = ("inn", "market", "farms")
GUILD = (*FARMS, "merchants-guild")


def summer(*seats: dict, throws: str, **others: object) -> Game:
    """Return a game at the first question of a Summer that began with these dice."""
    return play(closing(*seats, calendar=SPRING, **others), f"pass {throws}")


# --- rolls --------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-115", "KB-101")
def test_every_seat_rolls_its_dice() -> None:
    game = summer(seat(), seat(), seat(), throws="6 2 4 1 1 5 3 3 2")
    assert [dice(game, number) for number in range(3)] == [((2, 4, 6), ()), ((1, 1, 5), ()), ((2, 3, 3), ())]
    assert {happening[1] for happening in events(game, "rolls")} == {0, 1, 2}


@pytest.mark.rule("KB-115", "KB-35", "KB-7")
@pytest.mark.parametrize("before", [SPRING, SUMMER])
def test_farms_give_a_white_die_every_season(before: int) -> None:
    game = closing(seat(buildings=FARMS), seat(), calendar=before)
    play(game, "pass 1 1 1 1 1 6 2 5 4 3 2 4")
    assert dice(game, 0) == ((2, 5, 6), (4,))
    assert dice(game, 1) == ((2, 3, 4), ())


@pytest.mark.rule("KB-35", "KB-115")
def test_farms_give_a_white_die_in_spring() -> None:
    game = recruiting(seat(buildings=FARMS), seat(buildings=(*FARMS, "stables")), seat(), enemy="I-e")
    play(game, "stop-recruiting 6 3 1 5 4 3 1 5 2 3 1 5 6")
    assert [dice(game, number)[1] for number in range(3)] == [(4,), (2,), (6,)]  # the last is the King's aid


@pytest.mark.rule("KB-34")
@pytest.mark.parametrize("before", [SPRING, SUMMER])
def test_merchants_guild_gives_gold_before_the_roll(before: int) -> None:
    game = closing(seat((0, 0, 1), GUILD), seat(), calendar=before)
    play(game, "pass ...")
    told = [happening for happening in events(game) if happening[0] in ("gains-goods", "rolls")]
    assert told[0] == ("gains-goods", 0, 1, 0, 0)
    assert told[1][0] == "rolls"
    assert goods(game) == (1, 0, 1)


@pytest.mark.rule("KB-34")
def test_merchants_guild_gives_gold_in_spring() -> None:
    game = recruiting(seat(buildings=GUILD), seat(), seat(), enemy="I-e")
    play(game, "stop-recruiting 6", "take-wood", "take-wood ...")
    assert calendar(game) == SPRING
    assert goods(game) == (1, 0, 0)


# --- rerolls ------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-2", "KB-41")
def test_rerolls_come_after_all_rolls_in_the_old_order() -> None:
    seats = [seat(buildings=STATUE) for _ in range(3)]
    game = summer(*seats, throws="6 6 6 1 1 1 4 4 4", order=[2, 0, 1])
    assert len(events(game, "rolls")) == 3
    for actor, last in ((2, False), (0, False), (1, True)):
        assert (game.actor, game.phase) == (actor, "reroll")
        play(game, "keep-roll")
        assert (game.phase == "place") == last
    assert order(game) == [0, 1, 2]  # by 3, 12 and 18


@pytest.mark.rule("KB-2", "KB-3")
def test_rerolls_are_optional() -> None:
    game = summer(seat(buildings=CHAPEL), seat(), seat(), throws="2 2 2 1 3 5 1 3 5")
    assert legal(game) == {"reroll-coloured", "reroll-all", "keep-roll"}
    play(game, "keep-roll")
    assert game.phase == "place"
    assert dice(game, 0) == ((2, 2, 2), ())


@pytest.mark.rule("KB-3", "KB-35")
@pytest.mark.parametrize(
    ("buildings", "thrown", "offered"),
    [
        (STATUE, "3 3 3", {"reroll-coloured"}),
        (STATUE, "3 3 4", None),
        (STATUE, "1 1 1", {"reroll-coloured"}),
        (STATUE, "1 2 3", None),  # the total is no matter of the Statue
        (CHAPEL, "1 1 5", {"reroll-all"}),
        (CHAPEL, "1 1 6", None),
        (CHAPEL, "1 2 4", {"reroll-all"}),
        (CHAPEL, "2 3 3", None),
        (CHAPEL, "1 1 1", {"reroll-coloured", "reroll-all"}),
        (CHAPEL, "3 3 3", {"reroll-coloured"}),
        ((*STATUE, *FARMS), "2 2 2 2", {"reroll-coloured", "reroll-white"}),
        ((*STATUE, *FARMS), "2 2 2 3", None),  # a white die that differs
        ((*CHAPEL, *FARMS), "2 2 2 2", {"reroll-coloured", "reroll-white"}),  # the total is 8
        ((*CHAPEL, *FARMS), "1 1 2 3", {"reroll-all"}),
        ((*CHAPEL, *FARMS), "1 1 2 4", None),
        ((*CHAPEL, *FARMS), "1 1 1 1", {"reroll-coloured", "reroll-white", "reroll-all"}),
        ((), "1 1 1", None),
    ],
)
def test_conditions_of_the_rerolls(buildings: tuple[str, ...], thrown: str, offered: set[str] | None) -> None:
    game = summer(seat(buildings=buildings), seat(), seat(), throws=f"{thrown} 1 3 5 1 3 5")
    if offered is None:
        assert game.phase == "place"
    else:
        assert (game.actor, legal(game)) == (0, offered | {"keep-roll"})


@pytest.mark.rule("KB-4", "KB-3")
@pytest.mark.parametrize(
    ("first", "shown", "then"),
    [
        ("reroll-all 5 5 5", (5, 5, 5), {"reroll-coloured", "keep-roll"}),
        ("reroll-all 1 1 2", (1, 1, 2), None),  # the Chapel is used up
        ("reroll-all 1 1 1", (1, 1, 1), {"reroll-coloured", "keep-roll"}),
        ("reroll-coloured 3", (2, 2, 3), {"reroll-all", "keep-roll"}),
        ("reroll-coloured 4", (2, 2, 4), None),
        ("reroll-coloured 2", (2, 2, 2), {"reroll-all", "keep-roll"}),  # the Statue is used up
    ],
)
def test_one_reroll_may_open_the_other(first: str, shown: tuple[int, ...], then: set[str] | None) -> None:
    game = summer(seat(buildings=CHAPEL), seat(), seat(), throws="2 2 2 1 3 5 1 3 5")
    play(game, first)
    assert dice(game, 0)[0] == shown
    if then is None:
        assert game.phase == "place"
    else:
        assert (game.actor, legal(game)) == (0, then)


@pytest.mark.rule("KB-4")
def test_both_rerolls_then_none() -> None:
    """A Statue that becomes possible only by the Chapel, and a Chapel that is possible again afterwards."""
    game = summer(seat(buildings=CHAPEL), seat(), seat(), throws="1 2 4 1 3 5 1 3 5")
    assert legal(game) == {"reroll-all", "keep-roll"}
    play(game, "reroll-all 2 2 2")
    assert legal(game) == {"reroll-coloured", "keep-roll"}
    play(game, "reroll-coloured 1")
    assert game.phase == "place"
    assert dice(game, 0)[0] == (1, 2, 2)


@pytest.mark.rule("KB-4")
def test_rerolls_serve_again_next_season() -> None:
    game = summer(seat(buildings=STATUE), seat(), throws="1 1 1 1 6 3 3 3 1 3 5")
    play(game, "reroll-coloured 3", "pass", "pass 1 1 1 1 6 4 4 4 1 3 5")
    assert (calendar(game), game.phase, game.actor) == (AUTUMN, "reroll", 0)


@pytest.mark.rule("KB-5")
@pytest.mark.parametrize(("choice", "shown"), [("coloured", ((1, 5, 5), (5,))), ("white", ((5, 5, 5), (1,)))])
def test_owner_picks_the_colour_of_the_die(choice: str, shown: tuple) -> None:
    game = summer(seat(buildings=(*STATUE, *FARMS)), seat(), seat(), throws="5 5 5 5 1 3 5 1 3 5")
    play(game, f"reroll-{choice} 1")
    assert dice(game, 0) == shown
    assert events(game, "rerolls-one") == [("rerolls-one", 0, 5, 1, 0)]


@pytest.mark.rule("KB-5", "KB-39")
def test_one_of_two_white_dice_is_rerolled() -> None:
    game = placing(seat(buildings=(*STATUE, *FARMS), dice=(1, 1, 1), white=(1, 1)), seat(), calendar=SPRING)
    state = game.state
    state.phase, state.step = REROLL, REROLLING  # the rolls have just come
    game.refresh()
    assert legal(game) == {"reroll-coloured", "reroll-white", "keep-roll"}
    play(game, "reroll-white 6")
    assert dice(game, 0) == ((1, 1, 1), (1, 6))


@pytest.mark.rule("KB-3", "KB-39")
def test_chapel_rerolls_white_dice_too() -> None:
    game = summer(seat(buildings=(*CHAPEL, *FARMS)), seat(), seat(), throws="1 2 2 2 1 3 5 1 3 5")
    play(game, "reroll-all 6 5 4 3")
    assert dice(game, 0) == ((4, 5, 6), (3,))
    assert rolled(game) == [6, 5, 4, 3]


# --- turn order ---------------------------------------------------------------------------------------


@pytest.mark.rule("KB-116", "KB-1")
@pytest.mark.parametrize(
    ("throws", "before", "after"),
    [
        ("6 6 6 1 1 1 3 3 3", [0, 1, 2], [1, 2, 0]),
        ("3 3 3 2 3 4 1 2 6", [0, 1, 2], [0, 1, 2]),  # 9 each
        ("3 3 3 2 3 4 1 2 6", [2, 1, 0], [2, 1, 0]),
        ("4 4 4 1 2 6 3 3 3", [1, 2, 0], [2, 0, 1]),
        ("1 1 2 6 6 6 2 1 1", [1, 0, 2], [1, 2, 0]),  # 1 has 4, 0 has 18, 2 has 4
    ],
)
def test_lowest_total_goes_first(throws: str, before: list[int], after: list[int]) -> None:
    """The throws are in the order of before."""
    game = summer(seat(), seat(), seat(), throws=throws, order=before)
    assert order(game) == after
    assert game.actor == after[0]
    assert [happening[1] for happening in events(game, "turn-order")] == after


@pytest.mark.rule("KB-1", "KB-35")
def test_white_dice_count_for_turn_order() -> None:
    game = summer(seat(buildings=FARMS), seat(), seat(), throws="1 1 1 6 2 2 4 3 3 3")
    assert order(game) == [1, 0, 2]  # 9, 8 and 9


@pytest.mark.rule("KB-1", "KB-116")
def test_rerolls_count_for_turn_order() -> None:
    game = summer(seat(buildings=STATUE), seat(), seat(), throws="3 3 3 1 3 6 1 3 4")
    play(game, "reroll-coloured 6")
    assert order(game) == [2, 1, 0]


@pytest.mark.rule("KB-1")
def test_ties_of_five_keep_their_order() -> None:
    game = summer(*[seat() for _ in range(5)], throws=" ".join(["6 3 1"] * 5), order=[3, 0, 4, 2, 1])
    assert order(game) == [3, 0, 4, 2, 1]


# --- neutral dice -------------------------------------------------------------------------------------


@pytest.mark.rule("KB-14")
@pytest.mark.parametrize(
    ("thrown", "expected"),
    [
        ("2 4 5 5 6", {11, 5, 6}),  # 11 twice
        ("1 3 4 4 4", {8, 4}),  # 8 twice, and equal faces: one die is set aside
        ("3 3 6 1 4", {12, 5}),
        ("1 1 1 1 2", {3, 1, 2}),
        ("6 6 6 6 6", {18, 12}),
        ("1 1 2 2 2", {4, 2}),
        ("1 1 1 1 1", {3, 2}),
        ("2 2 3 1 6", {7, 1, 6}),
        ("4 4 4 6 6", {12, 6}),
        ("5 6 1 6 5", {12, 11}),
    ],
)
def test_neutral_dice_block_advisors(thrown: str, expected: set[int]) -> None:
    game = summer(seat(), seat(), throws=f"{thrown} 1 3 5 2 4 6")
    assert blocked(game) == expected
    assert {happening[2] for happening in events(game, "blocked")} == expected
    assert not reach(game) & expected


@pytest.mark.rule("KB-14")
@pytest.mark.parametrize("before", [SPRING, SUMMER])
def test_neutral_dice_are_first_of_all(before: int) -> None:
    """Before the Merchants' Guild and before the players' dice; those of last season are gone."""
    game = closing(seat(buildings=GUILD), seat(), calendar=before, blocked=[1, 2, 3])
    play(game, "pass 6 6 5 6 3 1 3 5 2 2 4 6")
    assert blocked(game) == {17, 9}
    told = [happening[0] for happening in events(game, "blocked", "gains-goods", "rolls")]
    assert told == ["blocked", "blocked", "gains-goods", "rolls", "rolls"]


@pytest.mark.rule("KB-14")
@pytest.mark.parametrize("num_players", [3, 4, 5])
def test_more_seats_have_no_neutral_dice(num_players: int) -> None:
    game = summer(*[seat() for _ in range(num_players)], throws=" ".join(["6 3 1"] * num_players))
    assert blocked(game) == set()
    assert not events(game, "blocked")


@pytest.mark.rule("KB-14", "KB-22")
def test_only_the_envoy_opens_a_blocked_advisor() -> None:
    closed = placing(seat(dice=(6, 5, 1)), seat(), blocked=[6, 11])
    assert reach(closed) == {1, 5, 7, 12}
    opened = placing(seat(dice=(6, 5, 1)), seat(), blocked=[6, 11], envoy=0)
    assert reach(opened) == {1, 5, 6, 7, 11, 12}
    play(opened, "place-h")
    assert field(opened, "influence", 0) == 1 << 6
    assert events(opened, "envoy-used") == [("envoy-used", 0, 0, 0, 0)]
    assert reach(opened) == {1, 5}


@pytest.mark.rule("KB-14", "KB-22")
def test_only_the_placing_seat_gains_at_a_blocked_advisor() -> None:
    game = placing(seat(dice=(6, 6, 4)), seat(), blocked=[16], envoy=0, calendar=SUMMER)
    place(game, 16)
    assert (goods(game, 0), goods(game, 1)) == ((4, 0, 0), (0, 0, 0))
