"""Components, set-up, and which spaces are open with two, three and four seats."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from figures_clockwork import (
    AUTOMATONS_A_ROUND,
    BOARDS,
    EACH_RESOURCE,
    FACILITIES,
    RESOURCES,
    ROW,
    RUINS_CARDS,
    SCHEMATICS,
    STONES,
    STORE,
    TOKENS,
    WAREHOUSES,
    WORKERS_IN_PLAY,
)
from helpers_clockwork import (
    BENCH,
    OWN,
    all_names,
    built,
    deck,
    face_up,
    facilities,
    field,
    forces,
    hand,
    kingdom,
    order,
    play,
    points,
    pool,
    position,
    printed,
    resolve,
    row,
    ruins,
    seat,
    sides,
    slots,
    spaces,
    store,
    supply,
    yard,
)

from kingmaker.envs.core.errors import OptionError, ScriptError
from kingmaker.envs.core.game import Game

SEATS = pytest.mark.parametrize("num_players", [2, 3, 4])


# --- seats and their pieces ---------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-1", "CK-102", "CK-103", "CK-110")
def test_seats_start_with_five_automatons_and_nothing_else(num_players: int) -> None:
    game = kingdom(num_players, cards=OWN)
    assert game.num_players == num_players
    for number in range(num_players):
        assert pool(game, number) == (AUTOMATONS_A_ROUND, 0, 0, 0)
        assert store(game, number) == (0, 0, 0, 0)
        assert (field(game, "tokens", number), forces(game, number)) == (TOKENS, (0, 0, 0, 0))
        assert (slots(game, number), hand(game, number), points(game, number)) == (set(), [], {})
        assert (yard(game, number), built(game, number), facilities(game, number)) == ([None, None], [], [])
        assert field(game, "capacity", number) == STORE
    assert supply(game) == (EACH_RESOURCE,) * 4
    assert int(game.states["stones"][0]) == STONES


@pytest.mark.rule("CK-1")
@pytest.mark.parametrize("wrong", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(wrong: int) -> None:
    with pytest.raises(OptionError, match="clockwork_kingdom is for 2, 3, 4 seats"):
        Game("clockwork_kingdom", wrong)


@pytest.mark.rule("CK-102", "CK-7")
def test_workers_of_a_seat() -> None:
    """Eight Automatons and three of each specialist, one of the Automatons marking the turn order."""
    assert tuple(int(count) for count in kingdom(cards=OWN).tables["workers"][0]) == WORKERS_IN_PLAY


# --- turn order ---------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-2", "CK-104")
def test_each_turn_order_comes_of_one_outcome_of_the_draws(num_players: int) -> None:
    """The draws of the order have as many outcomes together as there are orders: all are as likely."""
    game = kingdom(num_players)
    game.reset(0)
    counts = sides(game)[: num_players - 1]
    rest = sides(game)[num_players - 1 :]
    orders = []
    for draws in product(*map(range, counts)):
        game.reset(0, script=[*draws, *(0 for _ in rest)])
        orders.append(tuple(order(game)))
        assert game.actor == orders[-1][0]
    assert sorted(orders) == sorted(permutations(range(num_players)))


@SEATS
@pytest.mark.rule("CK-104", "CK-111")
def test_turn_order_is_the_order_of_placement(num_players: int) -> None:
    game = kingdom(num_players, seed=7)
    for who in order(game) * 2:
        assert game.actor == who
        play(game, "automaton-ruins")


# --- decks --------------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-105", "CK-106", "CK-107", "CK-108")
def test_decks(num_players: int) -> None:
    game = kingdom(num_players, seed=3, cards=OWN)
    shown = row(game)
    assert None not in shown
    assert len(shown) == ROW
    assert "Warehouse" not in shown
    assert deck(game).count("Warehouse") == WAREHOUSES
    if SCHEMATICS[num_players]:
        assert len(deck(game)) - WAREHOUSES + ROW == SCHEMATICS[num_players]
    assert deck(game, "discards") == []
    assert face_up(game) is not None
    assert int(game.states["stack"][0].sum()) == FACILITIES - 1
    assert len(ruins(game)) == RUINS_CARDS
    assert ruins(game, "ruins_discards") == []


@pytest.mark.rule("CK-105", "CK-107")
def test_row_and_facility_are_drawn_evenly_from_what_is_left() -> None:
    """Each draw has as many outcomes as cards are left, and each outcome is one of these cards."""
    game = kingdom(3)
    cards = sum(printed(game, "schematics", name).copies for name in all_names(game, "schematics")[1:])
    cards -= printed(game, "schematics", "Four").copies
    assert sides(game)[2:] == [*range(cards, cards - ROW, -1), FACILITIES]
    firsts = []
    for outcome in range(cards):
        game.reset(0, script=[0, 0, outcome, 0, 0, 0, 0, 0])
        firsts.append(row(game)[0])
    for name in all_names(game, "schematics")[1:]:
        expected = 0 if name == "Four" else printed(game, "schematics", name).copies
        assert firsts.count(name) == expected
    shown = []
    for outcome in range(FACILITIES):
        game.reset(0, script=[0, 0, 0, 0, 0, 0, 0, outcome])
        shown.append(face_up(game))
    for name in all_names(game, "facilities"):
        assert shown.count(name) == printed(game, "facilities", name).copies
    with pytest.raises(ScriptError):
        game.reset(0, script=[0, 0, cards, 0, 0, 0, 0, 0])


@pytest.mark.rule("CK-109", "CK-171")
def test_the_tank_is_for_four_seats() -> None:
    for num_players in (2, 3, 4):
        game = kingdom(num_players, cards=OWN)
        assert ("Steam-Powered Tank" in deck(game) + row(game)) == (num_players == 4)


@SEATS
@pytest.mark.rule("CK-171")
def test_marks_say_with_how_many_seats_a_schematic_is_used(num_players: int) -> None:
    for cards in (OWN, BENCH):
        game = kingdom(num_players, cards=cards)
        used = deck(game) + row(game)
        for name in all_names(game, "schematics"):
            card = printed(game, "schematics", name)
            assert used.count(name) == (card.copies if card.seats <= num_players else 0)


@pytest.mark.rule("CK-171")
def test_some_are_marked_three_and_one_four() -> None:
    game = kingdom(cards=OWN)
    marks = {name: int(printed(game, "schematics", name).seats) for name in all_names(game, "schematics")}
    assert [name for name, mark in marks.items() if mark == 4] == ["Steam-Powered Tank"]
    assert 3 in marks.values()


# --- spaces -------------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule(
    "CK-4", "CK-5", "CK-12", "CK-119", "CK-42", "CK-146", "CK-147", "CK-49", "CK-164", "CK-165", "CK-43"
)
def test_open_spaces(num_players: int) -> None:
    board = BOARDS[num_players]
    expected = {f"market-{name}" for name in RESOURCES} | {"lab", "ruins", "factory", "park"}
    expected |= {"market-random"} if board.random_spaces else set()
    expected |= {f"workshop-{number + 1}" for number in range(board.workshop)}
    expected |= {f"university-{number + 1}" for number in range(board.university)}
    expected |= {f"battle-{number}" for number in board.battlefields}
    for cards in (OWN, BENCH):
        assert spaces(kingdom(num_players, cards=cards)) == expected


@SEATS
@pytest.mark.rule("CK-4", "CK-5", "CK-146", "CK-147", "CK-164", "CK-12")
def test_how_many_workers_each_space_holds(num_players: int) -> None:
    """Seat 0 with pieces without end takes a space until it is closed; Lab, Ruins and Factory never close."""
    board = BOARDS[num_players]
    one = position(seat(pool=["automaton"]), *(seat() for _ in range(num_players - 1)))
    for space in sorted(spaces(one)):
        game = one.clone()
        game.state.seats[0].pool[0] = 30
        game.refresh()
        taken = 0
        while space in spaces(game) and taken < 15:
            play(game, f"automaton-{space}")
            taken += 1
        if space in ("lab", "ruins", "factory"):
            assert taken == 15
        elif space.startswith("battle"):
            assert taken == board.battle_spaces
        else:
            assert taken == 1


@SEATS
@pytest.mark.rule("CK-49", "CK-156", "CK-164")
def test_the_park_has_a_space_for_each_seat(num_players: int) -> None:
    game = position(*(seat(pool=["automaton"] * 2) for _ in range(num_players)))
    assert BOARDS[num_players].park == num_players
    for _ in range(num_players):
        assert "park" in spaces(game)
        play(game, "automaton-park")
    assert "park" not in spaces(game)


@pytest.mark.rule("CK-4", "CK-3")
def test_unlimited_areas_take_all_workers() -> None:
    pools = ["lab", "ruins", "factory"]
    game = resolve(*(seat(*pools * 4) for _ in range(4)))
    assert game.phase == "stone"


@pytest.mark.rule("CK-164", "CK-119", "CK-146")
@SEATS
def test_covered_spaces_stay_covered_all_game(num_players: int) -> None:
    board = BOARDS[num_players]
    for number in (2, 5, 9):
        game = resolve(*(seat("ruins") for _ in range(num_players)), number=number - 1)
        assert ("market-random" in spaces(game)) == bool(board.random_spaces)
        assert {space for space in spaces(game) if space.startswith("battle")} == {
            f"battle-{battlefield}" for battlefield in board.battlefields
        }
