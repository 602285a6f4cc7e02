"""The Market and the store: resources received, drawn, discarded."""

from __future__ import annotations

import pytest
from figures_clockwork import RESOURCES, STORE, STORE_WITH_WAREHOUSE
from helpers_clockwork import (
    asked,
    before_last,
    distribution,
    events,
    field,
    happened,
    legal,
    play,
    position,
    resolve,
    seat,
    store,
    supply,
)

FULL_MARKET = ("market-steel", "market-copper", "market-lumber", "market-canvas")
WITH_RANDOM = (*FULL_MARKET, "market-random")


# --- spaces -------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-118")
@pytest.mark.parametrize("resource", range(4))
def test_a_worker_brings_the_resource_of_its_space_when_the_market_resolves(resource: int) -> None:
    space = f"market-{RESOURCES[resource]}"
    game = position(seat(pool=["automaton"]), seat(pool=["automaton"]), seat())
    play(game, f"automaton-{space}")
    assert store(game, 0) == (0, 0, 0, 0)
    play(game, "automaton-ruins")
    assert store(game, 0) == tuple(int(number == resource) for number in range(4))
    assert supply(game)[resource] == 9 or events(game, f"park-holds-{RESOURCES[resource]}")


@pytest.mark.rule("CK-118", "CK-121")
@pytest.mark.parametrize("worker", ["automaton", "professor", "artificer"])
def test_only_alchemists_choose(worker: str) -> None:
    game = resolve(seat(f"{worker}-market-canvas"), seat(), seat())
    assert store(game) == (0, 0, 0, 1)


@pytest.mark.rule("CK-121", "CK-14")
@pytest.mark.parametrize("space", WITH_RANDOM)
def test_an_alchemist_takes_any_resource(space: str) -> None:
    game = resolve(seat(f"alchemist-{space}"), seat(), seat(), seat())
    assert asked(game) == (0, "receive")
    assert legal(game) == {f"receive-{name}" for name in RESOURCES}
    play(game, "receive-lumber")
    assert store(game) == (0, 0, 1, 0)


@pytest.mark.rule("CK-121", "CK-13")
def test_an_alchemist_takes_what_there_is() -> None:
    game = resolve(seat("alchemist-market-steel"), seat(), seat(), supply=(0, 3, 0, 2))
    assert legal(game) == {"receive-copper", "receive-canvas"}
    game = resolve(seat("alchemist-market-steel", "park"), seat(), seat(), supply=(0, 3, 0, 0))
    assert (game.phase, store(game)) == ("place", (0, 1, 0, 0))  # no choice, so nobody was asked
    game = resolve(seat("alchemist-market-steel", "park"), seat(), seat(), supply=(0, 0, 0, 0))
    assert store(game) == (0, 0, 0, 0)


@pytest.mark.rule("CK-13")
def test_a_named_resource_that_has_run_out_is_not_received() -> None:
    game = resolve(seat("market-steel"), seat("park"), seat(), supply=(0, 5, 5, 5))
    assert store(game) == (0, 0, 0, 0)
    assert ("supply-empty", 0) in happened(game)


@pytest.mark.rule("CK-13", "CK-119")
@pytest.mark.parametrize("left", [(1, 2, 3, 4), (10, 0, 5, 1), (0, 0, 7, 0)])
def test_a_random_resource_is_drawn_evenly_from_the_pieces_left(left: tuple[int, ...]) -> None:
    game, last = before_last(seat("market-random"), seat(), seat(), seat("lab"), supply=left)
    seen = distribution(game, last, lambda after: store(after))
    expected = {
        tuple(int(number == resource) for number in range(4)): count / sum(left)
        for resource, count in enumerate(left)
        if count
    }
    assert seen == pytest.approx(expected)


@pytest.mark.rule("CK-13")
def test_no_random_resource_from_an_empty_supply() -> None:
    game = resolve(seat("market-random"), seat(), seat(), seat(), supply=(0, 0, 0, 0))
    assert store(game) == (0, 0, 0, 0)
    assert ("supply-empty", 0) in happened(game)


# --- the order of resolution --------------------------------------------------------------------------


@pytest.mark.rule("CK-14")
def test_spaces_resolve_in_board_order_and_then_the_random_one() -> None:
    """Whoever placed first, and in whatever order."""
    game = resolve(
        seat("market-random"),
        seat("market-canvas", "market-steel"),
        seat("market-lumber"),
        seat("market-copper"),
    )
    received = [(name, who) for name, who in happened(game) if name.startswith("receives")]
    assert received[:4] == [
        ("receives-steel", 1), ("receives-copper", 3), ("receives-lumber", 2), ("receives-canvas", 1)
    ]  # fmt: skip
    assert received[4][1] == 0


@pytest.mark.rule("CK-14", "CK-13")
def test_an_alchemist_names_its_resource_only_when_its_space_resolves() -> None:
    """The last steel goes to the steel space; the Alchemist on canvas comes too late for it."""
    game = resolve(seat("alchemist-market-canvas"), seat("market-steel"), seat(), supply=(1, 4, 4, 4))
    assert store(game, 1) == (1, 0, 0, 0)
    assert legal(game) == {"receive-copper", "receive-lumber", "receive-canvas"}
    # On the first space it comes first.
    game = resolve(seat("alchemist-market-steel"), seat("market-copper"), seat("ruins"), supply=(4, 1, 4, 4))
    play(game, "receive-copper")
    assert store(game, 1) == (0, 0, 0, 0)


@pytest.mark.rule("CK-122", "CK-14", "CK-15")
def test_alchemists_beside_the_market_come_last_in_the_order_of_placement() -> None:
    game = resolve(
        seat(*WITH_RANDOM[:2], "alchemist-market-overflow"),
        seat(*WITH_RANDOM[2:4], "alchemist-market-overflow"),
        seat(WITH_RANDOM[4], "ruins", "ruins", "alchemist-market-overflow"),
        seat(),
    )
    received = [who for name, who in happened(game) if name.startswith("receives")]
    assert received == [0, 0, 1, 1, 2, 0, 1, 2]


# --- the full Market ----------------------------------------------------------------------------------


@pytest.mark.rule("CK-122", "CK-15")
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_an_alchemist_stands_beside_the_market_only_while_all_spaces_are_taken(num_players: int) -> None:
    needed = WITH_RANDOM if num_players == 4 else FULL_MARKET
    game = position(
        seat(pool=["automaton"] * 5), seat(pool=["alchemist"] * 6), *(seat() for _ in range(num_players - 2))
    )
    for space in needed:
        play(game, f"automaton-{space}")
        assert asked(game) == (1, "place")
        assert ("alchemist-market-overflow" in legal(game)) == (space == needed[-1])
        play(game, "alchemist-ruins")
    if game.actor == 0:
        assert "alchemist-market-overflow" not in legal(game)  # Automatons only
        play(game, "automaton-ruins")
    assert "alchemist-market-overflow" in legal(game)


@pytest.mark.rule("CK-15", "CK-121")
def test_any_number_beside_the_market_each_a_random_resource() -> None:
    """Five of two seats; nobody is asked for a resource."""
    beside = ["alchemist-market-overflow"] * 3
    game = resolve(seat(*FULL_MARKET, *beside[:2]), seat(*["ruins"] * 4, *beside), seat("park"))
    assert game.phase == "place"
    assert [sum(store(game, number)) for number in range(3)] == [6, 3, 1]


@pytest.mark.rule("CK-122", "CK-13")
def test_a_resource_beside_the_market_is_drawn_evenly() -> None:
    game, last = before_last(
        seat(*FULL_MARKET),
        seat(*["ruins"] * 4, "alchemist-market-overflow"),
        seat("park"),
        supply=(4, 3, 2, 1),
    )
    seen = distribution(game, last, lambda after: store(after, 1))
    assert seen == pytest.approx({(1, 0, 0, 0): 3 / 6, (0, 1, 0, 0): 2 / 6, (0, 0, 1, 0): 1 / 6})


# --- the store ----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-120", "CK-16")
def test_a_seventh_resource_has_one_discarded_at_once() -> None:
    game = resolve(seat("market-canvas", store=(2, 2, 2, 0)), seat(), seat())
    assert asked(game) == (0, "discard")
    assert store(game) == (2, 2, 2, 1)
    # The one just received may go as well.
    assert legal(game) == {f"discard-{name}" for name in RESOURCES}
    for name, left in (("canvas", (2, 2, 2, 0)), ("steel", (1, 2, 2, 1))):
        after = play(game.clone(), f"discard-{name}")
        assert store(after) == left
        assert sum(store(after)) == STORE


@pytest.mark.rule("CK-120")
def test_six_resources_are_kept() -> None:
    game = resolve(seat("market-steel", store=(5, 0, 0, 0)), seat(), seat())
    assert (game.phase, store(game)) == ("place", (6, 0, 0, 0))


@pytest.mark.rule("CK-120")
def test_a_discard_without_a_choice_is_not_asked() -> None:
    game = resolve(seat("market-steel", store=(6, 0, 0, 0)), seat("park"), seat())
    assert game.phase == "place"
    assert store(game) == (6, 0, 0, 0)
    assert happened(game, "receives-steel", "discards-steel")[:2] == [
        ("receives-steel", 0),
        ("discards-steel", 0),
    ]


@pytest.mark.rule("CK-16")
def test_the_limit_is_checked_after_each_single_resource() -> None:
    """Three by income and room for one: a discard after the second and after the third."""
    game = resolve(seat("ruins", store=(5, 0, 0, 0), facilities=["Garden"]), seat("park"), seat())
    assert (game.phase, store(game)) == ("discard", (5, 1, 1, 0))
    play(game, "discard-lumber")
    assert (game.phase, store(game)) == ("discard", (5, 1, 1, 0))
    play(game, "discard-steel")
    assert (game.phase, store(game)) == ("place", (4, 1, 1, 0))


@pytest.mark.rule("CK-16", "CK-13")
def test_a_discard_is_back_in_the_supply_before_the_next_resource() -> None:
    game = resolve(
        seat("ruins", store=(0, 6, 0, 0), built=["Mint"]), seat("park"), seat(), supply=(5, 0, 5, 1)
    )
    # Copper has run out, so the Mint brings the one canvas, then another if the first is given up.
    assert (game.phase, store(game)) == ("discard", (0, 6, 0, 1))
    play(game, "discard-canvas")
    assert (game.phase, store(game)) == ("discard", (0, 6, 0, 1))


@pytest.mark.rule("CK-16", "CK-120", "CK-179")
def test_a_warehouse_makes_it_eight() -> None:
    game = resolve(seat("market-canvas", store=(3, 4, 0, 0), built=["Warehouse"]), seat("park"), seat())
    assert (game.phase, sum(store(game))) == ("place", STORE_WITH_WAREHOUSE)
    game = resolve(seat("market-canvas", store=(3, 4, 1, 0), built=["Warehouse"]), seat("park"), seat())
    assert (game.phase, sum(store(game))) == ("discard", STORE_WITH_WAREHOUSE + 1)


@pytest.mark.rule("CK-16", "CK-179")
def test_a_warehouse_counts_as_soon_as_it_is_completed() -> None:
    line = seat("workshop-1", yard=["Warehouse"], store=(2, 2, 2, 0), facilities=["Garden"])
    game = resolve(line, seat("park"), seat())
    play(game, "build-1")
    assert field(game, "capacity") == STORE_WITH_WAREHOUSE
    assert (game.phase, store(game)) == ("place", (2, 3, 3, 0))
    game = resolve(line, seat("park"), seat())
    play(game, "done")
    assert (game.phase, store(game)) == ("discard", (2, 3, 2, 0))
