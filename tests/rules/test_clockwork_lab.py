"""The Alchemy Lab and the Factory: influence, ties, and what the winner gets."""

from __future__ import annotations

from itertools import product

import pytest
from figures_clockwork import PAIRS, RESOURCES, STONES
from helpers_clockwork import (
    asked,
    before_last,
    card_action,
    distribution,
    events,
    face_up,
    facilities,
    happened,
    legal,
    order,
    play,
    pool,
    resolve,
    resolved,
    seat,
    sides,
    slots,
    store,
)

SLOTS = [f"{RESOURCES[a]}-{RESOURCES[b]}" for a, b in PAIRS]
AREA = pytest.mark.parametrize("area", ["lab", "factory"])


def winner(area: str, *lines: list[str], turn_order: list[int] | None = None) -> tuple:
    """Return the seat that wins an area with these placements there, and its influence."""
    seats = [seat(*(f"{worker}-{area}" for worker in line)) for line in lines]
    game = resolve(*seats, order=turn_order, facility="Mine")
    ((_, who, first, second, _),) = events(game, "wins-lab" if area == "lab" else "wins-facility")
    return who, first if area == "lab" else second


# --- influence ----------------------------------------------------------------------------------------


@AREA
@pytest.mark.rule("CK-123", "CK-152")
def test_most_workers_win(area: str) -> None:
    assert winner(area, ["automaton"], ["automaton"] * 2, ["professor"]) == (1, 2)
    assert winner(area, [], ["automaton"], []) == (1, 1)
    assert winner(area, ["automaton"], [], ["professor", "automaton", "automaton"]) == (2, 3)


@pytest.mark.rule("CK-124", "CK-155", "CK-19")
@pytest.mark.parametrize(
    ("area", "worker", "influence"),
    [
        (area, worker, 2 if (area, worker) in {("lab", "alchemist"), ("factory", "artificer")} else 1)
        for area, worker in product(("lab", "factory"), ("automaton", "professor", "alchemist", "artificer"))
    ],
)
def test_influence_of_each_worker(area: str, worker: str, influence: int) -> None:
    assert winner(area, [worker], [], []) == (0, influence)
    assert winner(area, [worker, "automaton"], [], []) == (0, influence + 1)
    assert winner(area, [worker] * 3, [], []) == (0, 3 * influence)


@AREA
@pytest.mark.rule("CK-17", "CK-153")
@pytest.mark.parametrize("turn_order", [[0, 1, 2], [1, 2, 0], [2, 1, 0]])
def test_the_earlier_in_turn_order_wins_a_tie(area: str, turn_order: list[int]) -> None:
    same = [["automaton"] * 2] * 3
    assert winner(area, *same, turn_order=turn_order) == (turn_order[0], 2)
    least = [["automaton"] if number == turn_order[0] else ["automaton"] * 2 for number in range(3)]
    assert winner(area, *least, turn_order=turn_order) == (turn_order[1], 2)


@pytest.mark.rule("CK-124", "CK-155", "CK-17", "CK-153")
def test_influence_and_not_workers_is_compared() -> None:
    assert winner("lab", ["automaton", "automaton"], ["alchemist"], [], turn_order=[1, 0, 2]) == (1, 2)
    assert winner("lab", ["automaton", "automaton"], ["alchemist"], []) == (0, 2)
    assert winner("factory", ["automaton", "automaton"], ["artificer", "automaton"], []) == (1, 3)


@pytest.mark.rule("CK-23", "CK-153")
def test_the_factory_goes_by_the_order_of_this_round() -> None:
    """Seat 1 will be first from the next round on, by King's Park; the tie is still seat 0's."""
    game = resolve(seat("factory"), seat("factory", "park"), seat(), facility="Garden")
    assert (facilities(game, 0), facilities(game, 1)) == (["Garden"], [])
    assert order(game) == [1, 0, 2]


@AREA
@pytest.mark.rule("CK-18")
def test_nobody_there_nothing_awarded(area: str) -> None:
    game = resolve(seat("ruins"), seat(), seat(), facility="Mine")
    assert happened(game, "wins-lab", "wins-facility") == []
    assert face_up(game) == "Mine"
    assert int(game.states["stones"][0]) == STONES


# --- alchemy stones -----------------------------------------------------------------------------------


@pytest.mark.rule("CK-123", "CK-126", "CK-20")
@pytest.mark.parametrize("slot", SLOTS)
def test_a_stone_goes_to_an_empty_slot_of_the_owners_choice(slot: str) -> None:
    game = resolve(seat("lab"), seat(), seat())
    assert asked(game) == (0, "stone")
    assert legal(game) == {f"stone-{name}" for name in SLOTS}
    play(game, f"stone-{slot}")
    assert slots(game) == {slot}
    assert int(game.states["stones"][0]) == STONES - 1
    game = resolve(seat("lab", slots=[slot]), seat(), seat())
    assert legal(game) == {f"stone-{name}" for name in SLOTS if name != slot}


@pytest.mark.rule("CK-125")
@pytest.mark.parametrize(
    ("line", "stones"),
    [
        (["automaton"], 1),
        (["automaton"] * 4, 1),
        (["alchemist"], 2),
        (["alchemist", "automaton"], 2),
        (["alchemist"] * 3, 2),
        (["artificer", "professor"], 1),
    ],
)
def test_an_alchemist_brings_one_more_stone_and_only_one(line: list[str], stones: int) -> None:
    game = resolve(seat(*(f"{worker}-lab" for worker in line)), seat(), seat())
    taken = 0
    while game.phase == "stone":
        play(game, sorted(legal(game))[0])
        taken += 1
    assert taken == len(slots(game)) == stones


@pytest.mark.rule("CK-125")
def test_an_alchemist_that_does_not_win_brings_nothing() -> None:
    game = resolve(seat(*["lab"] * 3), seat("alchemist-lab"), seat())
    play(game, "stone-steel-copper")
    assert game.phase == "place"
    assert (len(slots(game, 0)), len(slots(game, 1))) == (1, 0)


@pytest.mark.rule("CK-20")
def test_the_last_slot_is_filled_without_asking_and_then_no_stone_is_taken() -> None:
    game = resolve(seat("alchemist-lab", slots=SLOTS[:5]), seat(), seat())
    assert game.phase == "place"
    assert slots(game) == set(SLOTS)
    assert happened(game, "stone-placed", "stone-lost") == [("stone-placed", 0), ("stone-lost", 0)]
    left = int(game.states["stones"][0])
    game = resolve(seat("alchemist-lab", slots=SLOTS), seat(), seat())
    assert happened(game, "wins-lab", "stone-placed", "stone-lost") == [("wins-lab", 0), ("stone-lost", 0)]
    assert int(game.states["stones"][0]) == left == STONES - 6


@pytest.mark.rule("CK-112", "CK-20")
def test_the_lab_resolves_until_its_stones_are_placed() -> None:
    game = resolve(seat("alchemist-lab"), seat("park"), seat())
    assert resolved(game)[-1] == "lab"
    play(game, "stone-steel-copper")
    assert resolved(game) == []
    play(game, "stone-steel-canvas")
    assert resolved(game)[0] == "workshop"


@pytest.mark.rule("CK-126")
def test_stones_are_never_moved() -> None:
    game = resolve(seat("lab", slots=SLOTS[:1]), seat(), seat(), number=2)
    play(game, "stone-lumber-canvas")
    for _ in range(6):
        play(game, sorted(legal(game))[0])
    assert slots(game) >= {SLOTS[0], "lumber-canvas"}
    assert not any("stone" in action.name and action.phase != "stone" for action in game.spec.actions)


@pytest.mark.rule("CK-191")
@pytest.mark.parametrize(("left", "taken"), [(0, 0), (1, 1), (2, 2), (5, 2)])
def test_no_stone_from_an_empty_supply(left: int, taken: int) -> None:
    game = resolve(seat("alchemist-lab"), seat(), seat(), fields_of_state={"stones": left})
    while game.phase == "stone":
        play(game, sorted(legal(game))[0])
    assert len(slots(game)) == taken
    assert int(game.states["stones"][0]) == left - taken


# --- facilities ---------------------------------------------------------------------------------------


@pytest.mark.rule("CK-152", "CK-154")
def test_one_facility_a_round_and_then_the_next_is_turned_up() -> None:
    game, last = before_last(
        seat("factory"), seat("factory"), seat("park"), facility="Mine", stack=["Garden", "Lottery", "Garden"]
    )
    after = game.clone()
    after.apply(last, script=[2])
    assert (facilities(after, 0), facilities(after, 1), face_up(after)) == (["Mine"], [], "Lottery")
    assert store(after) == (1, 0, 0, 0)
    seen = distribution(game, last, face_up)
    assert seen == pytest.approx({"Garden": 2 / 3, "Lottery": 1 / 3})


@pytest.mark.rule("CK-154", "CK-18")
def test_no_facility_is_turned_up_unless_one_is_claimed() -> None:
    game = resolve(seat("ruins"), seat("park"), seat(), facility="Mine", stack=["Garden"])
    assert face_up(game) == "Mine"
    assert sides(game) == []


@pytest.mark.rule("CK-193")
def test_the_stack_is_not_replaced() -> None:
    game = resolve(seat("factory"), seat("park"), seat(), facility="Mine")
    assert face_up(game) is None
    game = resolve(seat("factory"), seat("park"), seat())
    assert (facilities(game), happened(game, "wins-facility")) == ([], [])


@pytest.mark.rule("CK-152", "CK-115")
def test_facilities_of_a_seat_pay_every_round() -> None:
    game = resolve(seat("ruins", facilities=["Mine", "Mine", "Garden"]), seat("park"), seat())
    assert store(game) == (2, 1, 2, 0)


# --- help from cards ----------------------------------------------------------------------------------


@pytest.mark.rule("CK-178")
@pytest.mark.parametrize(("area", "card"), [("lab", "Spire"), ("factory", "Yoke")])
def test_lasting_influence_counts_with_a_worker_there(area: str, card: str) -> None:
    event = "wins-lab" if area == "lab" else "wins-facility"
    game = resolve(seat(area), seat(area, built=[card]), seat(), facility="Mine")
    assert happened(game, event) == [(event, 1)]
    game = resolve(seat(area, area), seat(area, built=[card]), seat(), facility="Mine")
    assert happened(game, event) == [(event, 0)]
    game = resolve(seat(), seat("ruins", built=[card]), seat(), facility="Mine")
    assert happened(game, event) == []
    other = {"lab": "factory", "factory": "lab"}[area]
    game = resolve(seat(other, other), seat(other, built=[card]), seat(), facility="Mine")
    assert [who for _, who in happened(game, "wins-lab", "wins-facility")] == [0]


@pytest.mark.rule("CK-178", "CK-9")
def test_lasting_influence_holds_from_the_completion_on() -> None:
    """The Factory resolves after the Workshop, so a help completed there counts in the same round."""
    line = ("workshop-1", "factory")
    game = resolve(
        seat(*line, yard=["Yoke"], store=(1, 0, 0, 0)),
        seat("factory"),
        seat(),
        order=[1, 0, 2],
        facility="Mine",
    )
    assert facilities(play(game.clone(), "done"), 1) == ["Mine"]
    assert facilities(play(game, "build-1"), 0) == ["Mine"]


@pytest.mark.rule("CK-186")
@pytest.mark.parametrize(("area", "card"), [("lab", "Draught"), ("factory", "Whistle")])
def test_influence_of_a_card_for_this_round(area: str, card: str) -> None:
    event = "wins-lab" if area == "lab" else "wins-facility"
    rivals = (seat(area, area), seat())
    game = resolve(seat(area, hand=[card]), *rivals, facility="Mine")
    assert asked(game) == (0, "window")
    assert happened(play(game.clone(), "pass"), event) == [(event, 1)]
    after = play(game, card_action(game, "play", card))
    assert happened(after, event) == [(event, 0)]
    if after.phase == "stone":
        play(after, "stone-steel-copper")
    assert [int(value) for value in after.states["seats"][0, 0]["passing"]] == [0, 0, 0]
    # It does nothing without a worker there.
    game = resolve(seat("ruins", hand=[card]), *rivals, facility="Mine")
    assert happened(play(game, card_action(game, "play", card)), event) == [(event, 1)]


@pytest.mark.rule("CK-7", "CK-6")
def test_workers_of_the_lab_are_gone_afterwards() -> None:
    game = resolve(seat(*["alchemist-lab"] * 3), seat(), seat())
    play(game, "stone-steel-copper", "stone-steel-canvas")
    assert pool(game) == (5, 0, 0, 0)
