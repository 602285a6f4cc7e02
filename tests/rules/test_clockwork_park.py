"""King's Park: bonuses, the turn order, and the resources that lie there."""

from __future__ import annotations

from itertools import permutations

import pytest
from figures_clockwork import BOARDS, RESOURCES
from helpers_clockwork import (
    OWN,
    asked,
    before_last,
    carried,
    distribution,
    happened,
    legal,
    order,
    play,
    position,
    resolve,
    seat,
    spaces,
    store,
    supply,
)

from kingmaker.envs.core.kernel import JIT

SEATS = pytest.mark.parametrize("num_players", [2, 3, 4])


# --- placement ----------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-156", "CK-49")
def test_each_seat_may_have_one_worker_there(num_players: int) -> None:
    game = position(*(seat(pool=["automaton", "professor"]) for _ in range(num_players)))
    for _ in range(num_players):
        assert "park" in spaces(game, "automaton") & spaces(game, "professor")
        play(game, "professor-park")
    for _ in range(num_players):
        assert "park" not in spaces(game)
        play(game, "automaton-ruins")
    assert order(game) == list(range(num_players))


@pytest.mark.rule("CK-156", "CK-5")
@pytest.mark.parametrize("worker", ["automaton", "professor", "alchemist", "artificer"])
def test_a_worker_of_any_type_takes_the_lowest_open_space(worker: str) -> None:
    """Seat 2 comes first to the Park, then seat 0: spaces one and two, with their bonuses."""
    game = resolve(seat("ruins", f"{worker}-park"), seat("ruins"), seat(f"{worker}-park"))
    assert (store(game, 2), store(game, 0), store(game, 1)) == ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0))


# --- turn order ---------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-157", "CK-158", "CK-48")
def test_the_park_first_and_then_the_others_as_they_were(num_players: int) -> None:
    """Every set of seats in the Park, which enter it in the order of before; every such order if compiled."""
    for before in list(permutations(range(num_players)))[1 :: 1 if JIT else 11]:
        for bits in range(1 << num_players):
            parked = [who for who in before if bits >> who & 1]
            seats = [seat("park" if who in parked else "ruins") for who in range(num_players)]
            game = resolve(*seats, order=before)
            assert order(game) == parked + [who for who in before if who not in parked]
            assert game.actor == order(game)[0]


@pytest.mark.rule("CK-157", "CK-156")
def test_the_order_of_placement_in_the_park_becomes_the_turn_order() -> None:
    for first, second in permutations(range(3), 2):
        lines = {first: ["park"], second: ["ruins", "park"]}
        game = resolve(*(seat(*lines.get(who, ["ruins"] * 3)) for who in range(3)))
        assert order(game)[:2] == [first, second]


@pytest.mark.rule("CK-48", "CK-158")
def test_without_anybody_in_the_park_the_order_stays() -> None:
    game = resolve(*(seat("ruins") for _ in range(4)), order=[3, 1, 0, 2])
    assert order(game) == [3, 1, 0, 2]


@pytest.mark.rule("CK-157", "CK-104")
def test_the_order_of_the_board_holds_until_the_park_has_resolved() -> None:
    """The Ruins, whose seats draw in turn order, still go by the old one."""
    game = resolve(seat("ruins", "ruins"), seat("ruins", "park"), seat(), ruins=["Crown"] * 5)
    assert asked(game) == (0, "window")
    assert [who for _, who in happened(game, "draws-card")] == [0, 0, 1]
    play(game, "pass", "pass")
    assert order(game) == [1, 0, 2]


# --- bonuses ------------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-157", "CK-46")
def test_each_space_has_its_bonus(num_players: int) -> None:
    """On the bench these are steel, copper, lumber and canvas, from the lowest space."""
    game = position(*(seat(pool=["automaton"]) for _ in range(num_players)))
    for number in range(num_players):
        play(game, "automaton-park")
        if number < num_players - 1:
            assert store(game, number) == (0, 0, 0, 0)
    for number in range(num_players):
        assert store(game, number) == tuple(int(kind == number) for kind in range(4))


@pytest.mark.rule("CK-157")
def test_no_worker_no_bonus() -> None:
    game = resolve(seat("ruins"), seat("park"), seat())
    assert [store(game, number) for number in range(3)] == [(0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0)]


@SEATS
@pytest.mark.rule("CK-189")
def test_bonuses_of_the_own_set(num_players: int) -> None:
    """A random one; another; one of choice; two random ones."""
    seats = [seat("park") for _ in range(BOARDS[num_players].park)]
    game = resolve(*seats, cards=OWN)
    random, choice = [1, 1, 0, 2], [0, 0, 1, 0]
    asked_for = [0] * num_players
    while game.phase == "receive":
        asked_for[game.actor] += 1
        play(game, "receive-lumber")
    assert asked_for == choice[:num_players]
    assert [sum(store(game, who)) for who in range(num_players)] == [
        random[who] + choice[who] for who in range(num_players)
    ]
    assert sum(supply(game)) == 40 - sum(random[:num_players]) - sum(choice[:num_players])


@pytest.mark.rule("CK-157", "CK-16")
def test_bonuses_come_in_the_order_of_the_spaces_under_the_limit() -> None:
    full = {"store": (3, 3, 0, 0)}
    game = resolve(seat("ruins", "park", **full), seat("park", **full), seat())
    assert asked(game) == (1, "discard")
    play(game, "discard-copper")
    assert asked(game) == (0, "discard")
    assert legal(game) == {"discard-steel", "discard-copper"}


# --- resources in the Park ----------------------------------------------------------------------------


@pytest.mark.rule("CK-159", "CK-13")
def test_an_empty_park_gets_a_random_resource() -> None:
    game, last = before_last(seat("ruins"), seat(), seat(), supply=(1, 2, 3, 4))
    seen = distribution(game, last, carried)
    kinds = [tuple(int(kind == number) for kind in range(4)) for number in range(4)]
    assert seen == pytest.approx(dict(zip(kinds, (0.1, 0.2, 0.3, 0.4), strict=True)))
    after = game.clone()
    after.apply(last, script=[9])
    assert (carried(after), supply(after)) == ((0, 0, 0, 1), (1, 2, 3, 3))


@pytest.mark.rule("CK-159", "CK-13")
def test_an_empty_supply_leaves_nothing_there() -> None:
    game = resolve(seat("ruins"), seat(), seat(), supply=(0, 0, 0, 0))
    assert carried(game) == (0, 0, 0, 0)


@pytest.mark.rule("CK-46", "CK-159")
def test_what_lies_there_goes_to_the_first_space_when_the_park_resolves() -> None:
    game = position(
        seat(pool=["automaton"] * 2),
        seat(pool=["automaton"]),
        seat(),
        fields_of_state={"carried": [0, 1, 0, 0]},
    )
    play(game, "automaton-ruins", "automaton-park")
    assert store(game, 1) == (0, 0, 0, 0)  # not at placement
    play(game, "automaton-park")
    assert (store(game, 1), store(game, 0)) == ((1, 1, 0, 0), (0, 1, 0, 0))
    assert carried(game) == (0, 0, 0, 0)
    assert supply(game) == (
        9,
        9,
        10,
        10,
    )  # steel and copper by bonus; the other copper has come from the Park


@pytest.mark.rule("CK-47")
def test_each_empty_round_adds_one_and_all_go_to_that_seat() -> None:
    game = position(*(seat(pool=["automaton"]) for _ in range(3)))
    for number in range(1, 4):
        while int(game.states["rounds"][0]) == number:
            play(game, "automaton-ruins")
        assert sum(carried(game)) == number
        assert sum(supply(game)) + number == 40
    there = carried(game)
    play(game, "automaton-park")
    while int(game.states["rounds"][0]) == 4:
        play(game, "automaton-ruins")
    assert store(game, 0) == tuple(count + (kind == 0) for kind, count in enumerate(there))
    assert carried(game) == (0, 0, 0, 0)


@pytest.mark.rule("CK-47", "CK-16")
def test_the_limit_of_the_store_holds_for_them() -> None:
    game = resolve(
        seat("park", store=(0, 0, 0, 6)), seat(), seat(), fields_of_state={"carried": [0, 1, 1, 0]}
    )
    for _ in range(3):  # steel by the bonus, then copper and lumber
        assert asked(game) == (0, "discard")
        play(game, "discard-canvas")
    assert (game.phase, store(game)) == ("place", (1, 1, 1, 3))


@pytest.mark.rule("CK-46")
@pytest.mark.parametrize("kind", range(4))
def test_what_lies_there_is_received_even_with_an_empty_supply(kind: int) -> None:
    there = [int(number == kind) for number in range(4)]
    game = resolve(seat("park"), seat(), seat(), supply=(0, 0, 0, 0), fields_of_state={"carried": there})
    assert store(game) == tuple(there)
    assert happened(game, f"receives-{RESOURCES[kind]}") == [(f"receives-{RESOURCES[kind]}", 0)]
