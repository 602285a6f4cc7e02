"""Paying for a schematic: alchemy stones, discounts, and the choice of units, against trying everything."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from figures_clockwork import PAIRS, RESOURCES
from helpers_clockwork import (
    AMOUNT,
    asked,
    built,
    card_action,
    legal,
    play,
    points,
    resolve,
    seat,
    slots,
    store,
    supply,
)
from reference_clockwork import payments

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.kernel import JIT

CASES = 600 if JIT else 60
SLOTS = [f"{RESOURCES[a]}-{RESOURCES[b]}" for a, b in PAIRS]


def builder(
    cost: AMOUNT,
    resources: AMOUNT,
    *stones: str,
    worker: str = "automaton",
    cranes: int = 0,
    yard: str = "Shed",
) -> Game:
    """Return a game in which a worker may complete a schematic of this cost."""
    return resolve(
        seat(
            f"{worker}-workshop-1",
            yard=[yard],
            store=resources,
            slots=stones,
            built=["Crane"] * cranes + ["Warehouse"],
        ),
        seat("park"),
        costs={yard: cost},
    )


def ways(game: Game) -> Counter[AMOUNT]:
    """Return how many lines of answers pay the bill with each set of units."""
    before, found = store(game), Counter()
    open_lines = [play(game.clone(), "build-1")]
    while open_lines:
        line = open_lines.pop()
        if line.phase != "pay":
            found[tuple(old - new for old, new in zip(before, store(line), strict=True))] += 1
            continue
        assert len(legal(line)) > 1, "a payment without a choice is asked"
        open_lines += [play(line.clone(), action) for action in legal(line)]
    return found


# --- stones -------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-127", "CK-126")
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_either_resource_of_a_slot_stands_for_the_other(a: int, b: int) -> None:
    one, other = (tuple(int(number == kind) for number in range(4)) for kind in (a, b))
    slot = SLOTS[PAIRS.index((a, b))]
    for cost, given in ((one, other), (other, one)):
        game = builder(cost, given, slot)
        assert "build-1" in legal(game)
        play(game, "build-1")
        assert (store(game), built(game)) == ((0, 0, 0, 0), ["Warehouse", "Shed"])
        for wrong in SLOTS:
            if wrong != slot:
                assert "build-1" not in legal(builder(cost, given, wrong))


@pytest.mark.rule("CK-127", "CK-21")
def test_the_printed_example_of_two_slots() -> None:
    """Copper/Steel and Steel/Lumber: copper for steel and steel for lumber, but no copper for lumber."""
    stones = ("steel-copper", "steel-lumber")
    able = {
        (cost, given)
        for cost, given in product(range(4), repeat=2)
        if "build-1"
        in legal(builder(*(tuple(int(n == kind) for n in range(4)) for kind in (cost, given)), *stones))
    }
    assert able == {(kind, kind) for kind in range(4)} | {(0, 1), (1, 0), (0, 2), (2, 0)}


@pytest.mark.rule("CK-21", "CK-127")
def test_a_stone_serves_any_number_of_units_and_stays() -> None:
    game = builder((3, 0, 1, 0), (0, 3, 1, 0), "steel-copper")
    play(game, "build-1")
    assert (store(game), supply(game)) == ((0, 0, 0, 0), (9, 10, 10, 10))
    assert slots(game) == {"steel-copper"}


@pytest.mark.rule("CK-21")
def test_one_swap_for_each_unit() -> None:
    """Canvas for lumber takes two stones for one unit; a matching over several units is no chain."""
    chain = ("steel-copper", "copper-lumber", "lumber-canvas")
    assert "build-1" not in legal(builder((0, 0, 1, 0), (1, 0, 0, 0), *chain))
    # Steel for copper, copper for lumber, lumber for canvas: a swap each.
    assert "build-1" in legal(builder((0, 1, 1, 1), (1, 1, 1, 0), *chain))


# --- choices ------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-22", "CK-131")
def test_without_a_choice_it_is_paid_without_asking() -> None:
    game = play(builder((2, 1, 0, 0), (3, 2, 3, 0)), "build-1")
    assert (game.phase, store(game)) == ("place", (1, 1, 3, 0))
    assert supply(game) == (8, 9, 7, 10)  # the Park has given one steel
    # One way only, although a swap is needed for it.
    game = play(builder((1, 1, 0, 0), (0, 1, 0, 1), "steel-canvas"), "build-1")
    assert (game.phase, store(game)) == ("place", (0, 0, 0, 0))


@pytest.mark.rule("CK-22")
def test_ways_that_differ_in_what_is_left_are_asked_unit_by_unit() -> None:
    game = play(builder((2, 0, 0, 0), (2, 2, 0, 0), "steel-copper"), "build-1")
    assert asked(game) == (0, "pay")
    assert legal(game) == {"pay-steel", "pay-copper"}
    assert (
        play(game.clone(), "pay-copper").phase == "place"
    )  # later units are of the same or a later resource
    play(game, "pay-steel")
    assert legal(game) == {"pay-steel", "pay-copper"}
    play(game, "pay-copper")
    assert (game.phase, store(game), built(game)) == ("place", (1, 1, 0, 0), ["Warehouse", "Shed"])


@pytest.mark.rule("CK-22")
def test_each_way_is_reached_once() -> None:
    game = builder((2, 0, 0, 0), (2, 2, 0, 0), "steel-copper")
    assert ways(game) == Counter([(2, 0, 0, 0), (1, 1, 0, 0), (0, 2, 0, 0)])


# --- discounts ----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-135", "CK-29")
def test_an_artificer_takes_off_one_resource_of_choice() -> None:
    game = builder((1, 1, 0, 0), (1, 1, 0, 0), worker="artificer")
    assert ways(game) == Counter([(1, 0, 0, 0), (0, 1, 0, 0)])
    # What is missing may be the one.
    game = builder((2, 0, 1, 0), (2, 0, 0, 0), worker="artificer")
    assert ways(game) == Counter([(2, 0, 0, 0)])
    for other in ("automaton", "professor", "alchemist"):
        assert "build-1" not in legal(builder((2, 0, 1, 0), (2, 0, 0, 0), worker=other))


@pytest.mark.rule("CK-29", "CK-177")
def test_a_cost_does_not_fall_below_nothing() -> None:
    for cranes, worker in ((1, "automaton"), (3, "artificer")):
        game = play(builder((1, 0, 0, 0), (1, 1, 0, 0), worker=worker, cranes=cranes), "build-1")
        assert (game.phase, store(game)) == ("place", (1, 1, 0, 0))
        assert "Shed" in built(game)


@pytest.mark.rule("CK-29")
def test_an_artificer_helps_only_its_own_build() -> None:
    board = {"yard": ["Hall", "Hall"], "store": (1, 0, 0, 0)}
    for spaces, asked_on in (
        (("artificer-workshop-2", "workshop-1"), 1),
        (("artificer-workshop-1", "workshop-2"), 0),
    ):
        game = resolve(seat(*spaces, **board), seat("park"), row=["Shed"])
        # The Automaton, on the other space, has nothing to do, so it is not asked.
        assert (legal(game), int(game.states["at"][0])) == ({"build-1", "build-2", "done"}, asked_on)
        assert play(game, "done").phase == "place"


@pytest.mark.rule("CK-177", "CK-135")
def test_discounts_add_up() -> None:
    cost = (2, 2, 1, 1)
    for cranes, worker, due in ((0, "automaton", 6), (2, "automaton", 4), (2, "artificer", 3)):
        game = builder(cost, (2, 2, 1, 1), worker=worker, cranes=cranes)
        assert {sum(way) for way in ways(game)} == {due}


@pytest.mark.rule("CK-177", "CK-185")
def test_a_discount_of_a_card_holds_for_each_build_of_the_round() -> None:
    board = {"yard": ["Hall", "Palace"], "store": (0, 0, 0, 0), "hand": ["Plans"]}
    game = resolve(seat("workshop-1", "workshop-2", **board), seat("workshop-3", yard=["Hall"]), seat("park"))
    assert asked(game) == (0, "window")
    play(game, card_action(game, "play", "Plans"))
    assert "build-1" in legal(game)
    assert "build-2" not in legal(game)
    play(game, "build-1")
    assert points(game) == {"schematics": 2}
    assert asked(game) == (0, "workshop")
    assert "build-2" not in legal(game)
    play(game, "done")
    # It is the player's own discount.
    assert asked(game) == (1, "workshop")
    assert "build-1" not in legal(game)


@pytest.mark.rule("CK-185")
def test_a_discount_of_a_card_ends_with_the_round() -> None:
    game = resolve(seat("factory", yard=["Hall"], hand=["Plans"]), seat("park"), seat())
    play(game, card_action(game, "play", "Plans"))
    assert game.phase == "place"
    play(game, "automaton-factory", "automaton-workshop-1")
    while game.phase == "place":
        play(game, "automaton-factory")
    assert asked(game) == (0, "workshop")
    assert "build-1" not in legal(game)


# --- against trying everything ------------------------------------------------------------------------


def random_case(chooser: np.random.Generator) -> tuple[AMOUNT, AMOUNT, list[int], str, int]:
    """Return a cost of one to six, a store of at most eight, filled slots, a worker, lasting discounts."""
    kinds = chooser.integers(2, 5)  # few kinds of resources match more often
    cost = np.bincount(chooser.integers(kinds, size=chooser.integers(1, 6)), minlength=4)
    resources = np.bincount(chooser.integers(kinds, size=chooser.integers(2, 9)), minlength=4)
    stones = (chooser.random(6) < chooser.choice([0.2, 0.5, 0.8])).astype(int).tolist()
    worker = str(chooser.choice(["automaton", "artificer"]))
    return (
        tuple(cost.tolist()),
        tuple(resources.tolist()),
        stones,
        worker,
        int(chooser.choice([0, 0, 0, 1, 2])),
    )


@pytest.mark.rule("CK-21", "CK-22", "CK-29", "CK-127", "CK-135", "CK-177")
def test_builds_are_legal_exactly_when_units_match_and_choices_reach_each_way_once() -> None:
    chooser = np.random.default_rng(5)
    seen = Counter()
    for _ in range(CASES):
        cost, resources, stones, worker, cranes = random_case(chooser)
        filled = [slot for slot, stone in zip(SLOTS, stones, strict=True) if stone]
        game = builder(cost, resources, *filled, worker=worker, cranes=cranes)
        expected = payments(resources, cost, stones, cranes + (worker == "artificer"))
        case = (cost, resources, filled, worker, cranes)
        assert ("build-1" in legal(game)) == bool(expected), case
        if expected:
            assert ways(game) == Counter(expected), case
        seen[min(len(expected), 3)] += 1
    assert min(seen[count] for count in range(4)) > CASES // 20, "too few cases of a kind"
