"""The Workshop: taking and completing schematics, the row, the Warehouses."""

from __future__ import annotations

import pytest
from figures_clockwork import STORE
from helpers_clockwork import (
    OWN,
    all_names,
    asked,
    before_last,
    built,
    deck,
    distribution,
    events,
    happened,
    kingdom,
    legal,
    numbers,
    play,
    points,
    printed,
    resolve,
    row,
    seat,
    sides,
    store,
    supply,
    yard,
)

from kingmaker.envs.clockwork_kingdom.state import SCHEMATIC_TYPES
from kingmaker.envs.core.game import Game

SHOWN = ["Hall", "Fort", "School", "Shed", "Palace"]
TAKES = {f"take-{place}" for place in range(1, 6)}


# --- one thing for each worker ------------------------------------------------------------------------


@pytest.mark.rule("CK-128", "CK-31")
def test_workers_act_in_the_order_of_their_spaces() -> None:
    game = resolve(
        seat("workshop-4", "workshop-1"), seat("workshop-2"), seat("workshop-5", "workshop-3"), row=SHOWN
    )
    turns = []
    while game.phase == "workshop":
        turns.append(game.actor)
        play(game, "done")
    assert turns == [0, 1, 2, 0, 2]


@pytest.mark.rule("CK-128", "CK-130")
@pytest.mark.parametrize("place", range(5))
def test_a_schematic_is_taken_into_the_yard(place: int) -> None:
    game = resolve(seat("workshop-1"), seat(), seat(), row=SHOWN)
    assert asked(game) == (0, "workshop")
    assert legal(game) == TAKES | {"take-warehouse", "done"}
    play(game, f"take-{place + 1}")
    assert game.phase == "place"
    assert yard(game) == [SHOWN[place], None]
    assert built(game) == []


@pytest.mark.rule("CK-128", "CK-131", "CK-132", "CK-29")
@pytest.mark.parametrize("worker", ["automaton", "alchemist"])
def test_a_schematic_is_completed_from_the_yard(worker: str) -> None:
    game = resolve(
        seat(f"{worker}-workshop-2", yard=["School", "Hall"], store=(1, 1, 2, 1), built=["Hall", "Fort"]),
        seat("park"),
        seat(),
        row=SHOWN,
    )
    assert legal(game) == {"build-1", "build-2", "done"}
    play(game, "build-2")
    assert game.phase == "place"
    assert (yard(game), built(game)) == (["School", None], ["Hall", "Hall", "Fort"])
    assert store(game) == (0, 0, 2, 1)
    assert supply(game) == (9, 10, 8, 9)
    assert points(game) == {"schematics": 2 + 2 + 2}
    assert happened(game, "pays-steel", "pays-copper", "completes-schematic") == [
        ("pays-steel", 0), ("pays-copper", 0), ("completes-schematic", 0)
    ]  # fmt: skip


@pytest.mark.rule("CK-128")
def test_take_or_complete_but_not_both() -> None:
    line = seat("workshop-1", yard=["Shed"], store=(2, 0, 0, 0))
    game = resolve(line, seat(), seat(), row=SHOWN)
    assert {"take-1", "build-1"} <= legal(game)
    assert play(game.clone(), "take-1").phase == "place"
    assert play(game.clone(), "build-1").phase == "place"


@pytest.mark.rule("CK-131", "CK-21")
@pytest.mark.parametrize(
    ("resources", "able"),
    [((1, 1, 0, 0), True), ((1, 0, 5, 0), False), ((0, 0, 0, 0), False), ((0, 6, 0, 0), False)],
)
def test_what_cannot_be_paid_cannot_be_completed(resources: tuple[int, ...], able: bool) -> None:
    game = resolve(seat("workshop-1", yard=["Hall"], store=resources), seat("park"), seat(), row=SHOWN)
    assert ("build-1" in legal(game)) == able


@pytest.mark.rule("CK-130", "CK-30")
def test_a_full_yard_takes_nothing_and_gives_nothing_up() -> None:
    game = resolve(
        seat("workshop-1", "workshop-2", yard=["Palace", "Shed"], store=(1, 0, 0, 0)),
        seat(),
        seat(),
        row=SHOWN,
    )
    assert legal(game) == {"build-2", "done"}
    play(game, "build-2")
    assert asked(game) == (0, "workshop")
    assert legal(game) == TAKES | {"take-warehouse", "done"}
    play(game, "take-1")
    assert yard(game) == ["Palace", "Hall"]
    # With neither a slot nor the means there is nothing to ask, and no way to discard.
    game = resolve(seat("workshop-1", yard=["Palace", "Palace"]), seat(), seat(), row=SHOWN)
    assert (game.phase, yard(game)) == ("place", ["Palace", "Palace"])


@pytest.mark.rule("CK-30", "CK-170")
def test_every_cost_fits_into_a_store() -> None:
    game = kingdom(cards=OWN)
    for name in all_names(game, "schematics"):
        cost = numbers(printed(game, "schematics", name).cost)
        assert 2 <= sum(cost) <= STORE
        full = resolve(seat("workshop-1", yard=[name], store=cost), seat("park"), seat(), cards=OWN)
        assert "build-1" in legal(full)


@pytest.mark.rule("CK-24")
def test_a_worker_may_do_nothing() -> None:
    game = resolve(seat("workshop-1", yard=["Shed"], store=(1, 0, 0, 0)), seat("park"), seat(), row=["Hall"])
    play(game, "done")
    assert (yard(game), store(game)) == (["Shed", None], (1, 0, 0, 0))


@pytest.mark.rule("CK-31", "CK-128")
def test_two_workers_of_a_seat_act_one_after_the_other() -> None:
    game = resolve(
        seat("workshop-1", "workshop-3", store=(1, 0, 0, 0)),
        seat("workshop-2"),
        seat("park"),
        row=["Shed", "Fort"],
    )
    play(game, "take-1")
    assert asked(game) == (1, "workshop")
    play(game, "take-2")
    assert asked(game) == (0, "workshop")
    assert legal(game) == {"take-warehouse", "build-1", "done"}
    play(game, "build-1")
    assert built(game) == ["Shed"]


# --- the Professor ------------------------------------------------------------------------------------


def professor(*yard_cards: str, row: list[str] | None = None, store: tuple[int, ...] = (2, 1, 1, 1)) -> Game:
    return resolve(
        seat("professor-workshop-1", yard=yard_cards, store=store, built=["Warehouse"]),
        seat("park"),
        seat(),
        row=SHOWN if row is None else row,
    )


@pytest.mark.rule("CK-136", "CK-28")
def test_a_professor_builds_and_takes_in_either_order() -> None:
    game = professor("Fort")
    assert legal(game) == TAKES | {"build-1", "done"}
    first = play(game.clone(), "build-1")
    assert (asked(first), legal(first)) == ((0, "workshop"), TAKES | {"done"})
    play(first, "take-3")
    assert (first.phase, built(first), yard(first)) == ("place", ["Warehouse", "Fort"], ["School", None])
    second = play(game.clone(), "take-3")
    assert legal(second) == {"build-1", "build-2", "done"}
    play(second, "build-1")
    assert (second.phase, built(second), yard(second)) == ("place", ["Warehouse", "Fort"], [None, "School"])


@pytest.mark.rule("CK-28")
def test_a_professor_builds_what_it_has_just_taken() -> None:
    game = play(professor(), "take-2")
    assert legal(game) == {"build-1", "done"}
    play(game, "build-1")
    assert (game.phase, built(game)) == ("place", ["Warehouse", "Fort"])


@pytest.mark.rule("CK-136", "CK-28")
def test_a_professor_does_neither_twice() -> None:
    game = play(professor("Fort", "Shed"), "build-1")
    assert legal(game) == TAKES | {"done"}
    game = play(professor("Palace"), "take-4")
    assert legal(game) == {"build-2", "done"}
    play(game, "build-2")
    assert game.phase == "place"


@pytest.mark.rule("CK-28", "CK-24")
def test_a_professor_may_leave_either_out() -> None:
    game = professor("Fort")
    assert play(game.clone(), "done").phase == "place"
    assert play(game.clone(), "build-1", "done").phase == "place"
    assert play(game.clone(), "take-1", "done").phase == "place"


@pytest.mark.rule("CK-28", "CK-24")
def test_what_a_professor_cannot_do_as_well_is_not_asked() -> None:
    game = play(professor("Fort", row=[]), "build-1")
    assert game.phase == "place"
    game = play(professor("Palace", store=(0, 0, 0, 0)), "take-1")
    assert game.phase == "place"


@pytest.mark.rule("CK-136", "CK-130")
def test_a_full_yard_is_opened_by_building_first() -> None:
    game = professor("Fort", "Palace")
    assert legal(game) == {"build-1", "done"}
    play(game, "build-1")
    assert legal(game) == TAKES | {"done"}
    play(game, "take-1")
    assert yard(game) == ["Hall", "Palace"]


# --- types --------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-129", "CK-170")
def test_three_types_of_schematic() -> None:
    game = kingdom(cards=OWN)
    kinds = [
        SCHEMATIC_TYPES[card.kind]
        for name in all_names(game, "schematics")[1:]
        for card in [printed(game, "schematics", name)]
        for _ in range(card.copies)
    ]
    assert set(kinds) == {"plain", "military", "academy"}
    assert len(kinds) == 30


@pytest.mark.rule("CK-129", "CK-132")
def test_completed_schematics_are_counted_by_type() -> None:
    for name, counts in (
        ("Shed", [1, 0, 0]),
        ("Fort", [0, 1, 0]),
        ("School", [0, 0, 1]),
        ("Warehouse", [1, 0, 0]),
    ):
        game = resolve(seat("workshop-1", yard=[name], store=(1, 1, 1, 1)), seat("park"), seat())
        play(game, "build-1")
        assert game.states["seats"][0, 0]["types"].tolist() == counts


# --- the row ------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-25")
def test_the_row_is_not_refilled_while_the_workshop_resolves() -> None:
    game = resolve(
        seat("workshop-1", "workshop-3"), seat("workshop-2"), seat(), row=["Hall", "Fort"], deck=["Shed"] * 5
    )
    play(game, "take-1")
    assert row(game) == [None, "Fort", None, None, None]
    assert legal(game) == {"take-2", "take-warehouse", "done"}
    play(game, "take-2")
    assert legal(game) == {"take-warehouse", "done"}


@pytest.mark.rule("CK-133")
def test_what_is_left_is_discarded_and_five_are_dealt() -> None:
    game = resolve(seat("workshop-1"), seat("park"), seat(), row=SHOWN, deck=["Shed"] * 7, discards=["Hall"])
    play(game, "take-2")
    assert row(game) == ["Shed"] * 5
    assert sorted(deck(game, "discards")) == sorted(["Hall", "Hall", "School", "Shed", "Palace"])
    assert [card for card in deck(game) if card != "Warehouse"] == ["Shed"] * 2
    assert deck(game).count("Warehouse") == 4


@pytest.mark.rule("CK-133")
def test_the_row_changes_although_nobody_was_in_the_workshop() -> None:
    game = resolve(seat("ruins"), seat("park"), seat(), row=SHOWN, deck=["Shed"] * 5)
    assert row(game) == ["Shed"] * 5
    assert sorted(deck(game, "discards")) == sorted(SHOWN)


@pytest.mark.rule("CK-133", "CK-105")
def test_the_row_is_dealt_evenly_from_the_deck() -> None:
    game, last = before_last(
        seat("ruins"), seat("park"), seat(), deck=["Shed", "Hall", "Hall", "Fort", "School", "Palace"]
    )
    after = game.clone()
    after.apply(last)
    assert sides(after) == [6, 5, 4, 3, 2]
    first = {}
    for outcome in range(6):
        after = game.clone()
        after.apply(last, script=[outcome, 0, 0, 0, 0])
        first[row(after)[0]] = first.get(row(after)[0], 0) + 1
    assert first == {"Shed": 1, "Hall": 2, "Fort": 1, "School": 1, "Palace": 1}


@pytest.mark.rule("CK-134", "CK-26")
def test_the_discards_become_the_deck_when_it_ends() -> None:
    """One is left and dealt; then what was discarded, the row of before among it, is shuffled."""
    game, last = before_last(
        seat("ruins"), seat("park"), seat(), row=["Hall"], deck=["Shed"], discards=["Fort", "Fort"]
    )
    after = game.clone()
    after.apply(last)
    assert [(name, a) for name, _, a, *_ in events(after, "schematics-reshuffled")] == [
        ("schematics-reshuffled", 3)
    ]
    assert sides(after) == [1, 3, 2, 1]
    assert deck(after, "discards") == []
    assert row(after)[0] == "Shed"
    assert sorted(row(after)[1:4]) == ["Fort", "Fort", "Hall"]
    assert row(after)[4] is None
    seen = distribution(game, last, lambda later: row(later)[1])
    assert seen == pytest.approx({"Fort": 2 / 3, "Hall": 1 / 3})


@pytest.mark.rule("CK-134", "CK-26")
def test_an_exact_deck_is_not_shuffled_yet() -> None:
    game = resolve(seat("ruins"), seat("park"), seat(), row=["Hall"], deck=["Shed"] * 5)
    assert happened(game, "schematics-reshuffled") == []
    assert deck(game, "discards") == ["Hall"]


@pytest.mark.rule("CK-26")
def test_too_few_cards_make_a_short_row() -> None:
    game = resolve(seat("workshop-1"), seat("park"), seat(), row=["Hall", "Fort"], deck=["Shed"])
    play(game, "take-1")
    assert sorted(filter(None, row(game))) == ["Fort", "Shed"]
    assert row(game).count(None) == 3
    game = resolve(seat("workshop-1"), seat("park"), seat(), row=["Hall"])
    play(game, "take-1")
    assert row(game) == [None] * 5


# --- Warehouses ---------------------------------------------------------------------------------------


@pytest.mark.rule("CK-106", "CK-27", "CK-130")
def test_a_warehouse_is_the_one_take_of_a_worker() -> None:
    game = resolve(seat("workshop-1"), seat("park"), seat(), row=SHOWN, deck=["Shed"] * 5)
    play(game, "take-warehouse")
    assert (game.phase, yard(game)) == ("place", ["Warehouse", None])
    assert deck(game).count("Warehouse") == 3
    # The others stay where they are.
    assert "Warehouse" not in deck(game, "discards")
    game = resolve(seat("workshop-1", yard=["Hall", "Hall"], store=(1, 1, 0, 0)), seat("park"), seat())
    assert legal(game) == {"build-1", "build-2", "done"}


@pytest.mark.rule("CK-106", "CK-27")
@pytest.mark.parametrize("board", [{"yard": ["Warehouse"]}, {"built": ["Warehouse"]}])
def test_a_second_warehouse_is_never_taken(board: dict[str, list[str]]) -> None:
    game = resolve(seat("workshop-1", **board), seat("workshop-2"), seat(), row=SHOWN)
    assert legal(game) == TAKES | {"done"}
    play(game, "done")
    assert "take-warehouse" in legal(game)  # the next seat has none


@pytest.mark.rule("CK-106", "CK-27")
def test_a_professor_does_not_take_a_second_one_either() -> None:
    game = resolve(
        seat("professor-workshop-1", "workshop-2", store=(0, 0, 1, 0)), seat("park"), seat(), row=SHOWN
    )
    play(game, "take-warehouse", "build-1")
    assert built(game) == ["Warehouse"]
    assert asked(game) == (0, "workshop")
    assert "take-warehouse" not in legal(game)


@pytest.mark.rule("CK-106")
def test_warehouses_can_be_taken_in_any_round_while_the_stack_lasts() -> None:
    game = resolve(seat("workshop-1"), seat("park"), seat(), number=9)
    assert legal(game) == {"take-warehouse", "done"}
    game = resolve(*(seat(f"workshop-{number + 1}") for number in range(4)))
    for _ in range(4):
        play(game, "take-warehouse")
    assert deck(game) == []
