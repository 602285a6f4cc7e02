"""Winter: the enemy, combat values, rewards and losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from figures_kingsburg import BUILDING, CARDS, DISPUTED, ENEMIES, GOODS, ROWS, Enemy, Goods, points, year_of
from helpers_kingsburg import (
    Board,
    board,
    boards,
    calendar,
    events,
    field,
    goods,
    idle,
    idle_once,
    legal,
    placing,
    play,
    recruiting,
    seat,
    sources,
    vp,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AID, AUTUMN, WINTER

UNDISPUTED = pytest.mark.parametrize("card", [card for card in CARDS if card != DISPUTED])


def battle(*seats: dict, enemy: str, die: int = 1, year: int = 5, **others: object) -> Game:
    """Return a game in which the enemy has come and the King has sent so many soldiers.

    Any enemy may come in year V, after which nothing else happens.
    """
    game = recruiting(*seats, year=year, enemy=enemy, **others)
    return play(game, f"stop-recruiting {die}" if year == 5 else f"stop-recruiting {die} ...")


def soldiers_for(enemy: Enemy, result: str, die: int = 1) -> int:
    """Return the soldiers that a seat without buildings needs for a result."""
    return enemy.strength - die + {"wins": 1, "draws": 0, "loses": -1}[result]


def settled(
    enemy: str, result: str, held: Sequence[int], buildings: Iterable[str] = (), *choices: str
) -> Board:
    """Return what a seat has after a battle with a result; its buildings must add nothing to it."""
    game = battle(seat(held, buildings, soldiers=soldiers_for(ENEMIES[enemy], result)), seat(), enemy=enemy)
    for choice in choices:
        play(game, choice)
    assert game.over
    return board(game, 0)


# --- combat values ------------------------------------------------------------------------------------


@pytest.mark.rule("KB-170", "KB-43", "KB-45")
@pytest.mark.parametrize("die", range(1, 7))
def test_one_die_for_all(die: int) -> None:
    game = battle(seat(soldiers=0), seat(soldiers=3), seat(soldiers=11), enemy="V-e", die=die)
    assert events(game, "enemy", "reinforcements") == [
        ("enemy", -1, CARDS.index("V-e"), 9, 0),
        ("reinforcements", -1, die, 0, 0),
    ]
    assert [field(game, "combat", number) for number in range(3)] == [die, 3 + die, 11 + die]


@pytest.mark.rule("KB-44", "KB-49")
def test_eleven_beats_ten() -> None:
    game = battle(seat(soldiers=9), seat(soldiers=10), enemy="V-e", die=1)
    assert [field(game, "combat", number) for number in range(2)] == [10, 11]
    assert vp(game) == [3, 3 + 1]


@pytest.mark.rule(
    "KB-45",
    "KB-46",
    "KB-35",
    "KB-150",
    "KB-151",
    "KB-153",
    "KB-154",
    "KB-156",
    "KB-157",
    "KB-148",
    "KB-144",
    "KB-158",
)
@pytest.mark.parametrize("name", BUILDING)
def test_battle_bonus_of_each_building(name: str) -> None:
    """The bonus of a building is that of its row up to it less that of the row before it."""
    row = next(row for row in ROWS if name in row)
    bonus = {
        "farms": -1, "guard-tower": 1, "blacksmith": 1, "wizards-guild": 2, "palisade": 1, "stone-wall": 1,
        "fortress": 1,
    }.get(name, 0)  # fmt: skip
    against = {"palisade": "zombies", "barricade": "goblins", "church": "demons"}
    for enemy in ("V-e", "V-b", "V-d", "I-c", "I-d", "I-e"):
        more = against.get(name) == ENEMIES[enemy].kind
        with_it, without = seat(buildings=row[: row.index(name) + 1]), seat(buildings=row[: row.index(name)])
        game = battle(with_it, without, enemy=enemy)
        assert field(game, "combat", 0) - field(game, "combat", 1) == bonus + more


@pytest.mark.rule("KB-45", "KB-51")
def test_all_values_stand_before_anything_is_lost() -> None:
    """Seat 0 loses its Guard Tower; its value was taken with it, and so was that of seat 1."""
    game = battle(seat(buildings=["guard-tower"]), seat(buildings=["guard-tower"], soldiers=9), enemy="V-b")
    assert [field(game, "combat", number) for number in range(2)] == [2, 11]
    assert board(game, 0).buildings == frozenset()


@pytest.mark.rule("KB-35", "KB-45")
def test_farms_may_bring_a_value_down_to_0() -> None:
    assert field(battle(seat(buildings=["inn", "market", "farms"]), seat(), enemy="V-e"), "combat", 0) == 0


# --- results ------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-171")
@pytest.mark.parametrize("die", [1, 4, 6])
@pytest.mark.parametrize(("more", "result"), [(-2, 0), (-1, 0), (0, 1), (1, 2), (5, 2)])
def test_higher_wins_equal_draws_lower_loses(die: int, more: int, result: int) -> None:
    game = battle(seat(soldiers=9 - die + more), seat(), enemy="V-e", die=die)
    assert events(game, "fights")[0] == ("fights", 0, 9 + more, 9, result)
    assert vp(game)[0] == (-5, 0, 3 + 1)[result]


@pytest.mark.rule("KB-171")
def test_draw_has_no_consequences() -> None:
    for enemy in CARDS:
        assert settled(enemy, "draws", (3, 3, 3), ["statue", "inn"]) == Board(
            Goods(3, 3, 3), vp=3, buildings=frozenset({"statue", "inn"})
        )


WALL = ("palisade", "stables", "stone-wall")  # add 2 in battle


@pytest.mark.rule("KB-47", "KB-49", "KB-48", "KB-156", "KB-157")
@pytest.mark.parametrize(
    ("buildings", "bonus", "gained"),
    [(WALL[:2], 1, 0), (WALL, 2, 3 + 1), ((*WALL, "fortress"), 3, 3 + 1 + 1)],
)
def test_stone_wall_wins_ties(buildings: tuple[str, ...], bonus: int, gained: int) -> None:
    """The reward, the point of the strongest, and that of the Fortress."""
    game = battle(seat(buildings=buildings, soldiers=8 - bonus), seat(), enemy="V-e", die=1)
    assert field(game, "combat", 0) == 9
    assert vp(game)[0] == points(frozenset(buildings)) + gained


@pytest.mark.rule("KB-47", "KB-171")
def test_stone_wall_does_not_turn_a_defeat() -> None:
    game = battle(seat(buildings=WALL, soldiers=5), seat(), enemy="V-e", die=1)
    assert field(game, "combat", 0) == 8
    assert vp(game)[0] == points(frozenset(WALL)) - 5


@pytest.mark.rule("KB-48", "KB-157")
@pytest.mark.parametrize(("soldiers", "expected"), [(0, -5), (5, -5), (6, 3 + 1 + 1), (20, 3 + 1 + 1)])
def test_fortress_scores_victories_alone(soldiers: int, expected: int) -> None:
    fortress = (*WALL, "fortress")
    game = battle(seat(buildings=fortress, soldiers=soldiers - 1), seat(), enemy="V-e", die=1)
    assert vp(game)[0] == points(frozenset(fortress)) + expected
    assert sources(game, 0).get("fortress", 0) == (expected > 0)


@pytest.mark.rule("KB-49")
@pytest.mark.parametrize(
    ("values", "strongest"),
    [
        ([10, 11, 12], [2]),
        ([12, 11, 12], [0, 2]),
        ([10, 10, 10], [0, 1, 2]),
        ([9, 9, 5], []),  # a draw is no victory
        ([10, 9, 3], [0]),
        ([3, 5, 8], []),
    ],
)
def test_highest_values_among_the_victors_score(values: list[int], strongest: list[int]) -> None:
    game = battle(*[seat(soldiers=value - 2) for value in values], enemy="V-e", die=2)
    assert [sources(game, number).get("strongest", 0) for number in range(3)] == [
        int(number in strongest) for number in range(3)
    ]


@pytest.mark.rule("KB-49", "KB-47")
def test_only_the_victor_of_tied_highest_values_scores() -> None:
    """Equal to the strength: the seat with the Stone Wall has won, the other has not."""
    game = battle(seat(soldiers=8), seat(buildings=WALL, soldiers=6), enemy="V-e", die=1)
    assert [field(game, "combat", number) for number in range(2)] == [9, 9]
    assert [sources(game, number).get("strongest", 0) for number in range(2)] == [0, 1]


# --- cards --------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-180", "KB-107")
def test_strengths_and_kinds_of_all_cards() -> None:
    types = ("goblins", "orcs", "zombies", "barbarians", "demons", "dragons")
    table = recruiting(seat(), seat()).tables["enemies"][0]
    for number, (card, enemy) in enumerate(ENEMIES.items()):
        assert (int(table[number]["strength"]), types[int(table[number]["type"])]) == (
            enemy.strength,
            enemy.kind,
        ), card
    kinds = [enemy.kind for enemy in ENEMIES.values()]
    assert [kinds.count(kind) for kind in types] == [8, 4, 4, 4, 4, 1]
    assert sum(enemy.strength for enemy in ENEMIES.values()) == 133


@UNDISPUTED
@pytest.mark.rule("KB-180", "KB-171", "KB-172")
def test_reward_of_each_card(card: str) -> None:
    enemy = ENEMIES[card]
    if enemy.choice_won:
        for kind, expected in zip(GOODS, ((2, 1, 1), (1, 2, 1), (1, 1, 2)), strict=True):
            assert settled(card, "wins", (1, 1, 1), [], f"take-{kind}") == Board(Goods(*expected), vp=1)
        return
    won = Goods(*(1 + count for count in enemy.wins))
    assert settled(card, "wins", (1, 1, 1)) == Board(won, vp=enemy.vp_won + 1)  # and the strongest's point


@UNDISPUTED
@pytest.mark.rule("KB-180", "KB-50", "KB-171")
def test_losses_of_each_card(card: str) -> None:
    """From plenty: named goods, goods of choice, the topmost building of the rightmost column, points."""
    enemy = ENEMIES[card]
    left = [5 - count for count in enemy.loses]
    choices = []
    if enemy.choice_lost:
        left[2] -= enemy.choice_lost
        choices = ["-".join(("lose", *["stone"] * enemy.choice_lost))]
    owned = {"inn", "market", "statue"} - ({"market"} if enemy.building_lost else set())
    expected = Board(Goods(*left), 0, points(frozenset(owned)) - enemy.vp_lost, 0, frozenset(owned))
    assert settled(card, "loses", (5, 5, 5), ["inn", "market", "statue"], *choices) == expected


@UNDISPUTED
@pytest.mark.rule("KB-50", "KB-180")
def test_what_a_seat_lacks_is_forgiven(card: str) -> None:
    assert settled(card, "loses", (0, 0, 0)) == Board(vp=-ENEMIES[card].vp_lost)


@pytest.mark.parametrize("result", ["wins", "loses"])
def test_disputed_card_is_played_to_its_end(result: str) -> None:
    """Its strength and kind are agreed; what it brings and takes is left to the data."""
    game = battle(seat((3, 3, 3), soldiers=soldiers_for(ENEMIES[DISPUTED], result)), seat(), enemy=DISPUTED)
    assert events(game, "fights")[0][2:] == (field(game, "combat", 0), 6, 2 if result == "wins" else 0)
    assert idle(game).over


@pytest.mark.rule("KB-172")
def test_reward_of_any_kind_is_the_winners_choice() -> None:
    game = battle(seat(soldiers=9), seat(soldiers=9), enemy="IV-d", order=[1, 0])
    for number in (1, 0):
        assert (game.actor, game.phase, calendar(game)) == (number, "gain", WINTER)
        assert legal(game) == {"take-gold", "take-wood", "take-stone"}
        play(game, "take-stone")
    assert (goods(game, 0), goods(game, 1)) == ((0, 0, 1), (0, 0, 1))


# --- losses -------------------------------------------------------------------------------------------


@pytest.mark.rule("KB-50", "KB-52")
def test_named_goods_are_lost_as_far_as_held() -> None:
    """III-d takes 2 gold, 1 wood, 1 stone and a point."""
    assert settled("III-d", "loses", (1, 0, 3)) == Board(Goods(0, 0, 2), vp=-1)


@pytest.mark.rule("KB-50")
@pytest.mark.parametrize(
    ("held", "choices"),
    [
        ((1, 1, 1), {"gold-wood", "gold-stone", "wood-stone"}),
        ((2, 1, 0), {"gold-gold", "gold-wood"}),
        ((0, 2, 2), {"wood-wood", "wood-stone", "stone-stone"}),
        ((3, 3, 3), {"gold-gold", "gold-wood", "gold-stone", "wood-wood", "wood-stone", "stone-stone"}),
        ((0, 0, 5), None),  # one kind is no choice
        ((1, 1, 0), None),  # nor is all that there is
        ((1, 0, 0), None),
        ((0, 0, 0), None),
    ],
)
def test_goods_of_choice_are_among_those_held(held: tuple[int, int, int], choices: set[str] | None) -> None:
    game = battle(seat(held), seat(), enemy="I-d")  # 2 goods of choice and a point
    if choices is None:
        assert game.over
        assert sum(goods(game)) == max(sum(held) - 2, 0)
        return
    assert (game.actor, game.phase) == (0, "lose")
    assert legal(game) == {f"lose-{choice}" for choice in choices}
    play(game, min(legal(game)))
    assert game.over
    assert sum(goods(game)) == sum(held) - 2


@pytest.mark.rule("KB-50")
def test_goods_come_before_building_and_points() -> None:
    game = battle(seat((1, 1, 1), ["statue"]), seat(), enemy="I-a")  # a good of choice and a building
    assert game.phase == "lose"
    assert board(game, 0) == Board(Goods(1, 1, 1), vp=3, buildings=frozenset({"statue"}))
    play(game, "lose-wood")
    assert board(game, 0) == Board(Goods(1, 0, 1))
    told = [happening[0] for happening in events(game, "loses-goods", "building-lost", "scores")]
    assert told == ["loses-goods", "building-lost", "scores"]
    game = battle(seat((0, 2, 2), ["statue"]), seat(), enemy="I-b")  # wood, stone, a building, a point
    told = [
        happening[:3]
        for happening in events(game, "loses-goods", "building-lost", "scores")
        if happening[1] == 0
    ]
    assert told == [("loses-goods", 0, 0), ("building-lost", 0, 0), ("scores", 0, -3), ("scores", 0, -1)]


@pytest.mark.rule("KB-50", "KB-41")
def test_losers_choose_in_turn_order() -> None:
    game = battle(*[seat((1, 1, 1)) for _ in range(3)], enemy="I-d", order=[2, 0, 1])
    for number in (2, 0, 1):
        assert (game.actor, game.phase, calendar(game)) == (number, "lose", WINTER)
        play(game, "lose-gold-wood")
    assert [goods(game, number) for number in range(3)] == [(0, 0, 1)] * 3


@pytest.mark.rule("KB-51")
@pytest.mark.parametrize(
    ("owned", "falls"),
    [
        ({"inn", "barricade", "crane"}, "crane"),  # column II before I
        ({"inn", "barricade", "crane", "market"}, "market"),  # above the Crane
        ({"statue", "inn", "barricade"}, "statue"),
        ({"inn", "barricade"}, "inn"),
        ({"barricade"}, "barricade"),
        ({*ROWS[0], *ROWS[1], *ROWS[2]}, "cathedral"),
        ({*ROWS[1], *ROWS[2]}, "merchants-guild"),
        ({*ROWS[0][:3], *ROWS[4][:3]}, "church"),
        ({*ROWS[0][:2], *ROWS[4][:3]}, "town-hall"),
        ({*ROWS[2][:1], *ROWS[3][:2]}, "stables"),
    ],
)
def test_topmost_building_of_the_rightmost_column_falls(owned: set[str], falls: str) -> None:
    game = battle(seat(buildings=owned), seat(), enemy="V-b")
    assert board(game, 0).buildings == owned - {falls}
    assert vp(game)[0] == points(frozenset(owned)) - BUILDING[falls].vp
    lost = -BUILDING[falls].vp
    assert sources(game, 0).get("buildings lost", 0) == lost


@pytest.mark.rule("KB-51", "KB-140")
def test_lost_building_is_rebuilt_at_full_price() -> None:
    game = battle(seat((0, 0, 0), ["statue", "chapel"]), seat(), seat(), enemy="I-c", year=1)
    assert board(game, 0) == Board(vp=3, buildings=frozenset({"statue"}))
    idle(game, "place")
    game.state.seats[0].goods[:] = (3, 0, 1)
    idle(game, "build")
    assert "build-chapel" in legal(game)
    play(game, "build-chapel ...")
    assert board(game, 0).goods == Goods()
    assert {"statue", "chapel"} == board(game, 0).buildings


@pytest.mark.rule("KB-51", "KB-35", "KB-31")
def test_power_goes_with_the_building() -> None:
    """The Farms fall in Winter; Spring brings no white die for them."""
    game = battle(
        seat(buildings=["inn", "market", "farms"]), seat(soldiers=9), seat(soldiers=9), enemy="I-c", year=1
    )
    assert board(game, 0).buildings == {"inn", "market"}
    idle(game, "place")
    assert [int(face) for face in game.states["seats"][0, 0]["faces"][3:]] == [0, 0]


@pytest.mark.rule("KB-52")
def test_points_fall_below_0() -> None:
    game = battle(seat(), seat(vp=-4), enemy="V-a")
    assert vp(game) == [-8, -12]


@pytest.mark.rule("KB-52", "KB-51")
def test_points_of_a_lost_building_fall_below_0() -> None:
    game = battle(seat(buildings=["statue"], vp=1), seat(), enemy="V-b")
    assert vp(game)[0] == -2


# --- afterwards ---------------------------------------------------------------------------------------


@pytest.mark.rule("KB-53")
@pytest.mark.parametrize("enemy", ["I-e", "I-d"])
def test_soldiers_go_home(enemy: str) -> None:
    game = battle(seat(soldiers=3), seat(soldiers=9), seat(soldiers=1), enemy=enemy, year=1)
    assert [shown.soldiers for shown in boards(game)] == [0, 0, 0]
    assert (calendar(game), int(game.states["year"][0])) in [(AID, 2), (AID + 1, 2)]


@pytest.mark.rule("KB-53", "KB-103")
@pytest.mark.parametrize("year", [1, 2, 3, 4])
def test_next_card_comes_next_year(year: int) -> None:
    game = placing(seat(dice=(1,)), seat(), year=year, calendar=AUTUMN)
    deck = [int(number) for number in game.states["deck"][0]]
    fought: list[int] = []
    while len(fought) < 2:
        fought += [happening[2] for happening in events(idle_once(game), "enemy")]
    assert fought == deck[year - 1 : year + 1]
    assert year_of(CARDS[fought[1]]) == year + 1
