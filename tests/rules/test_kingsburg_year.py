"""The calendar of a year; the King's aid, reward and Envoy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers_kingsburg import (
    SIDES,
    board,
    boards,
    calendar,
    closing,
    dice,
    envoy,
    events,
    field,
    goods,
    idle,
    idle_to,
    legal,
    order,
    placing,
    play,
    random_positions,
    reach,
    recruiting,
    seat,
    sources,
    vp,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AID, AUTUMN, ENVOY, RECRUITING, REWARD, SPRING, SUMMER, WINTER

# Buildings that do nothing between battles but for the Crane and the Stables, to count with.
COUNTED = ("barricade", "palisade", "guard-tower", "blacksmith", "stables", "crane")


def needs(*seats: tuple[int, int], **others: object) -> list[dict]:
    """Describe seats by how many buildings and goods they have."""
    return [seat((held, 0, 0), COUNTED[:built], **others) for built, held in seats]


def aid(*seats: tuple[int, int], order: Sequence[int] | None = None) -> Game:
    """Return a game at the beginning of year II; the Zombies of year I took nothing but points."""
    return play(recruiting(*needs(*seats), order=order, enemy="I-e"), "stop-recruiting 1 ...")


@pytest.mark.rule("KB-110", "KB-111")
@pytest.mark.parametrize("num_players", [2, 4])
def test_phases_of_a_year_come_in_order(num_players: int) -> None:
    eight = [AID, SPRING, REWARD, SUMMER, ENVOY, AUTUMN, RECRUITING, WINTER]
    expected = [(number, year) for year in range(1, 6) for number in eight]
    begun = [(AID, 1)]
    for game in random_positions(num_players, 1):
        if game.moves:
            begun += [happening[2:4] for happening in events(game, "phase-begins")]
    assert begun == expected[: len(begun)]
    assert begun[-1] in [(WINTER, 5), (RECRUITING, 5), (AUTUMN, 5)]


# Which step of a season asks what.
STEPS = {"reroll": 0, "place": 1, "gain": 2, "trade": 2, "build": 3, "town-hall": 4}


@pytest.mark.rule("KB-111")
def test_steps_of_a_season_come_in_order() -> None:
    asked: list[tuple[int, int, int]] = []
    for game in random_positions(3, 2):
        if not game.moves:
            asked.clear()
        if calendar(game) in (SPRING, SUMMER, AUTUMN):
            asked.append((int(game.states["year"][0]), calendar(game), STEPS[game.phase]))
            assert asked == sorted(asked)


@pytest.mark.rule("KB-112", "KB-39")
@pytest.mark.parametrize(
    ("seats", "helped"),
    [
        ([(1, 0), (0, 5), (2, 0)], 1),  # fewest buildings, whatever the goods
        ([(1, 3), (1, 2), (2, 0)], 1),  # then fewest goods
        ([(0, 1), (0, 1), (0, 0)], 2),
        ([(3, 0), (2, 4), (2, 5)], 1),
        ([(0, 9), (1, 0)], 0),
        ([(4, 0), (4, 1), (4, 2), (4, 3), (3, 9)], 4),
    ],
)
def test_neediest_seat_rolls_a_white_die(seats: list[tuple[int, int]], helped: int) -> None:
    game = aid(*seats)
    assert events(game, "aid-die") == [("aid-die", helped, 0, 0, 0)]
    assert game.phase == "place"  # nobody has been asked anything
    assert [len(dice(game, number)[1]) for number in range(len(seats))] == [
        int(number == helped) for number in range(len(seats))
    ]
    assert [sum(shown.goods) for shown in boards(game)] == [held for _, held in seats]


@pytest.mark.rule("KB-38", "KB-41")
@pytest.mark.parametrize(
    ("seats", "order", "tied"),
    [
        ([(2, 1), (2, 1), (2, 3)], [0, 1, 2], [0, 1]),
        ([(2, 1), (2, 3), (2, 1)], [2, 1, 0], [2, 0]),
        ([(0, 0), (0, 0), (0, 0)], [1, 2, 0], [1, 2, 0]),
        ([(0, 0), (1, 0), (0, 0), (1, 0), (0, 0)], [4, 3, 2, 1, 0], [4, 2, 0]),
    ],
)
def test_tied_seats_take_a_good_each_in_turn_order(
    seats: list[tuple[int, int]], order: list[int], tied: list[int]
) -> None:
    game = aid(*seats, order=order)
    before = boards(game)
    for number in tied:
        assert (game.actor, game.phase, calendar(game)) == (number, "gain", AID)
        assert legal(game) == {"take-gold", "take-wood", "take-stone"}
        play(game, "take-stone ..." if number == tied[-1] else "take-stone")
    assert not events(game, "aid-die")
    for number, was in enumerate(before):
        assert goods(game, number)[2] == was.goods.stone + (number in tied)
        assert dice(game, number)[1] == ()


@pytest.mark.rule("KB-39")
@pytest.mark.parametrize("used", [True, False])
def test_white_die_goes_back_after_spring(used: bool) -> None:
    game = placing(seat(dice=(6, 6, 5), white=(3,)), seat(), seat(), calendar=SPRING)
    assert field(game, "aid_die", 0) == 1
    play(game, *(["place-l-w1"] if used else []), "pass ...")
    idle_to(game, SUMMER)
    assert dice(game, 0)[1] == ()
    assert field(game, "aid_die", 0) == 0


@pytest.mark.rule("KB-113", "KB-40")
@pytest.mark.parametrize(
    ("built", "rewarded"),
    [
        ([0, 1, 2], [2]),
        ([3, 3, 1], [0, 1]),
        ([0, 0, 0], [0, 1, 2]),
        ([2, 2, 2, 2], [0, 1, 2, 3]),
        ([5, 4], [0]),
    ],
)
def test_most_buildings_score_a_point(built: list[int], rewarded: list[int]) -> None:
    """Goods break no tie here."""
    seats = [seat((number, 0, 0), COUNTED[:count]) for number, count in enumerate(built)]
    game = closing(*seats, calendar=SPRING)
    before = vp(game)
    idle_to(game, SUMMER)
    assert [now - was for now, was in zip(vp(game), before, strict=True)] == [
        int(number in rewarded) for number in range(len(built))
    ]
    assert all(sources(game, number).get("king's reward", 0) == 1 for number in rewarded)


@pytest.mark.rule("KB-114", "KB-21")
@pytest.mark.parametrize(
    ("seats", "holder"),
    [
        ([(1, 0), (0, 5), (2, 0)], 1),
        ([(1, 3), (1, 2), (1, 4)], 1),
        ([(1, 2), (1, 2), (1, 4)], -1),
        ([(0, 0), (0, 0)], -1),
        ([(3, 1), (2, 9)], 1),
        ([(2, 0), (1, 2), (1, 2), (1, 3), (2, 0)], -1),
    ],
)
@pytest.mark.parametrize("before", [-1, 0, 1])
def test_neediest_seat_gets_the_envoy(seats: list[tuple[int, int]], holder: int, before: int) -> None:
    """Whoever still has it gives it back first, and may get it again."""
    game = idle_to(closing(*needs(*seats), calendar=SUMMER, envoy=before), AUTUMN)
    assert envoy(game) == holder


@pytest.mark.rule("KB-114", "KB-21")
def test_envoy_phase_is_told() -> None:
    game = play(closing(*needs((1, 0), (0, 0)), calendar=SUMMER), "pass ...")
    assert events(game, "envoy-gained", "envoy-idle") == [("envoy-gained", 1, 0, 0, 0)]
    game = play(closing(*needs((0, 0), (0, 0)), calendar=SUMMER), "pass ...")
    assert events(game, "envoy-gained", "envoy-idle") == [("envoy-idle", -1, 0, 0, 0)]


@pytest.mark.rule("KB-24")
def test_envoy_serves_until_the_next_envoy_phase() -> None:
    """Autumn, and Spring and Summer of the next year."""
    game = play(closing(*needs((1, 0), (0, 0), (2, 0)), calendar=SUMMER), "pass ...")
    assert envoy(game) == 1
    for season in (SPRING, SUMMER):
        idle_to(game, season)
        assert envoy(game) == 1
    assert int(game.states["year"][0]) == 2


@pytest.mark.rule("KB-24")
def test_last_envoy_serves_in_one_autumn() -> None:
    game = play(closing(*needs((1, 0), (0, 0)), calendar=SUMMER, year=5), "pass ...")
    assert envoy(game) == 1
    assert idle(game).over


@pytest.mark.rule("KB-24", "KB-22")
def test_envoy_is_used_once() -> None:
    """A second closed advisor stays closed, in this season and in the next."""
    game = placing(seat(dice=(1, 2, 4)), seat(influence=[1, 2, 4]), seat(), envoy=0, calendar=AUTUMN)
    assert {1, 2, 3, 4} <= reach(game)
    play(game, "place-l")
    assert envoy(game) == -1
    assert events(game, "envoy-used") == [("envoy-used", 0, 0, 0, 0)]
    assert reach(game) == {6}  # 2 and 4 are taken
    assert envoy(idle_to(game, SPRING)) == -1


@pytest.mark.rule("KB-25")
def test_envoy_stays_with_a_free_advisor_and_a_single_building() -> None:
    game = placing(seat((2, 2, 2), dice=(6, 6, 6)), seat(), seat(), envoy=0, calendar=SPRING)
    play(game, "place-lmh")  # the King, who was free
    assert not events(game, "envoy-used")
    assert (game.actor, game.phase) == (0, "build")
    play(game, "build-barricade")
    assert envoy(game) == 0
    play(game, "build-nothing ...")
    assert envoy(game) == 0


@pytest.mark.rule("KB-24", "KB-23")
def test_envoy_gone_in_placing_is_not_there_for_building() -> None:
    game = placing(seat((3, 3, 3), dice=(1,)), seat(influence=[1]), seat(), envoy=0)
    play(game, "place-l", "build-barricade ...")
    assert game.phase != "build"
    assert len(board(game, 0).buildings) == 1


@pytest.mark.rule("KB-41", "KB-26")
def test_choices_of_help_come_in_turn_order() -> None:
    """Two seats at one advisor, by the Envoy; the turn order is 2, 0, 1."""
    game = closing(seat(influence=[12]), seat(), seat(influence=[12]), order=[2, 0, 1], calendar=AUTUMN)
    play(game, "pass")
    assert (game.actor, game.phase) == (2, "gain")
    play(game, "take-gold-gold")
    assert (game.actor, game.phase) == (0, "gain")


@pytest.mark.rule("KB-39", "KB-7")
def test_aid_and_farms_make_two_white_dice() -> None:
    farmer = seat((0, 0, 0), ("inn", "market", "farms"))
    richer = seat((0, 0, 0), ("inn", "market", "palisade", "stables"))
    game = play(recruiting(farmer, richer, enemy="I-e"), "stop-recruiting 1 ...")
    assert len(dice(game, 0)[1]) == 2
    assert all(1 <= face <= SIDES for face in dice(game, 0)[1])
    idle_to(game, SUMMER)
    assert len(dice(game, 0)[1]) == 1


@pytest.mark.rule("KB-41", "KB-116")
def test_order_of_autumn_holds_through_winter() -> None:
    game = recruiting(seat(), seat(), seat(), order=[1, 2, 0], enemy="I-e")
    play(game, "stop-recruiting 2")
    assert order(game) == [1, 2, 0]
    assert (game.actor, calendar(game)) == (1, AID)
