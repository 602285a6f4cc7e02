"""The round: placement, the order of areas and of the end of a round, and where workers go."""

from __future__ import annotations

import pytest
from figures_clockwork import AREAS, AUTOMATONS_A_ROUND, WORKERS_IN_PLAY
from helpers_clockwork import (
    asked,
    events,
    happened,
    legal,
    order,
    play,
    pool,
    position,
    resolve,
    resolved,
    seat,
    spaces,
    store,
    supply,
)

SEATS = pytest.mark.parametrize("num_players", [2, 3, 4])
ALL_BUT_ONE_SLOT = ("steel-copper", "steel-lumber", "steel-canvas", "copper-lumber", "copper-canvas")


# --- placement ----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-111", "CK-3")
def test_seats_place_one_worker_each_in_turn_until_all_pools_are_empty() -> None:
    pools = (["automaton"] * count for count in (2, 1, 4))
    game = position(*(seat(pool=workers) for workers in pools), order=[2, 0, 1])
    turns = []
    while int(game.states["rounds"][0]) == 1:
        turns.append(game.actor)
        play(game, "automaton-ruins")
    assert turns == [2, 0, 1, 2, 0, 2, 2]


@pytest.mark.rule("CK-111")
def test_a_worker_of_any_type_in_the_pool_may_be_placed() -> None:
    game = position(seat(pool=["professor", "artificer"]), seat(pool=["automaton"]), seat())
    assert spaces(game, "professor") == spaces(game, "artificer") != set()
    assert spaces(game, "automaton") == spaces(game, "alchemist") == set()
    play(game, "artificer-market-steel")
    assert (asked(game), pool(game, 0)) == ((1, "place"), (0, 1, 0, 0))
    assert "market-steel" not in spaces(game)


@pytest.mark.rule("CK-117", "CK-6")
def test_workers_are_not_saved() -> None:
    """What was placed does not come back: five Automatons are all that a seat has without gains."""
    game = resolve(
        seat("ruins", "professor-factory", "alchemist-ruins", "artificer-battle-2"), seat(), seat()
    )
    assert game.phase == "place"
    assert [pool(game, number) for number in range(3)] == [(AUTOMATONS_A_ROUND, 0, 0, 0)] * 3


@pytest.mark.rule("CK-6", "CK-7")
@pytest.mark.parametrize(
    ("others", "spare"),
    [
        (["factory"] * 6, False),
        (["factory"] * 5 + ["park"], False),
        (["factory"] * 5 + ["ruins"], True),
        (["factory"] * 5 + ["market-steel"], True),
        (["factory"] * 5 + ["battle-2"], True),
    ],
)
def test_workers_stand_until_their_area_has_resolved(others: list[str], spare: bool) -> None:
    """All seven Automatons are out, one in the University: those of earlier areas are back by then."""
    game = resolve(seat("university-1", *others), seat(), seat())
    assert asked(game) == (0, "university")
    gains = {"professor", "alchemist", "artificer"} | ({"automaton"} if spare else set())
    assert legal(game) == {f"study-{kind}-{kind}" for kind in gains}


# --- areas --------------------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-112")
def test_areas_resolve_in_numerical_order(num_players: int) -> None:
    game = resolve(seat("park", "ruins", "lab"), *(seat() for _ in range(num_players - 1)))
    seen = resolved(game)
    while game.phase != "place":
        play(game, sorted(legal(game))[0])
        seen += resolved(game)
    assert seen == list(AREAS)


@pytest.mark.rule("CK-112", "CK-118", "CK-123", "CK-128", "CK-137", "CK-140", "CK-149", "CK-152", "CK-157")
def test_each_area_gives_what_it_gives_in_its_place() -> None:
    line = ("park", "factory", "university-2", "battle-3", "ruins", "workshop-1", "lab", "market-lumber")
    game = resolve(
        seat(*line, slots=ALL_BUT_ONE_SLOT), seat(), seat(), facility="Barracks", ruins=["Sack"], row=["Hall"]
    )
    seen = happened(game)
    for who, what in ((0, "workshop"), (0, "university")):
        assert asked(game) == (who, what)
        play(game, "take-1" if what == "workshop" else "study-professor-professor")
        seen += happened(game)
    assert [name for name, who in seen if who == 0 and not name.startswith("places")] == [
        "receives-lumber",
        "wins-lab", "stone-placed",
        "takes-schematic",
        "draws-card", "card-seen",
        "token-placed",
        "gains-professor",
        "wins-facility",
        "receives-steel",  # King's Park
        "takes-place",
        "gains-automaton",  # the facility
        *["gains-automaton"] * AUTOMATONS_A_ROUND,
    ]  # fmt: skip


# --- the end of a round -------------------------------------------------------------------------------


@pytest.mark.rule("CK-8", "CK-113", "CK-114", "CK-115", "CK-116")
def test_the_end_of_a_round_in_its_order() -> None:
    game = resolve(
        seat("park", built=["Professors"], facilities=["Garden"], forces=(0, 1, 0, 0)),
        seat(),
        seat(),
        number=3,
    )
    after = [name for name, who in happened(game) if name != "takes-place" and who <= 0]
    assert after[after.index("park-resolves") :] == [
        "park-resolves",
        "receives-steel",
        "gains-professor",
        *["gains-automaton"] * AUTOMATONS_A_ROUND,
        *["receives-copper", "receives-lumber", "receives-lumber"],
        "war-scored",
        "war-ends",
        "round-begins",
    ]


@pytest.mark.rule("CK-113", "CK-114", "CK-8", "CK-7")
def test_workers_of_schematics_come_before_the_five() -> None:
    """With seven Automatons in all, three by schematics leave room for four of the five."""
    game = resolve(seat("ruins", built=["Automatons"] * 3), seat(), seat())
    gained = happened(game, "gains-automaton", "worker-lost")
    assert [name for name, who in gained if who == 0] == ["gains-automaton"] * 7 + ["worker-lost"]
    assert pool(game) == (7, 0, 0, 0)


@pytest.mark.rule("CK-7", "CK-102")
@pytest.mark.parametrize(
    ("card", "worker", "most"),
    [("Automatons", 0, 7), ("Professors", 1, 3), ("Alchemists", 2, 3), ("Artificers", 3, 3)],
)
def test_a_gain_beyond_the_pieces_of_a_seat_is_lost(card: str, worker: int, most: int) -> None:
    game = resolve(seat("ruins", built=[card] * 4), seat(), seat())
    assert pool(game)[worker] == most == WORKERS_IN_PLAY[worker]
    lost = 4 + (AUTOMATONS_A_ROUND if worker == 0 else 0) - most
    assert len(events(game, "worker-lost")) == lost


@pytest.mark.rule("CK-9", "CK-115")
def test_income_begins_in_the_round_of_completion() -> None:
    game = resolve(
        seat("workshop-1", "factory", yard=["Mint"], store=(1, 0, 0, 0)), seat(), seat(), facility="Mine"
    )
    play(game, "build-1")
    assert game.phase == "place"
    assert store(game) == (1, 1, 0, 2)


@pytest.mark.rule("CK-9", "CK-113")
def test_workers_of_a_schematic_come_in_the_round_of_completion() -> None:
    game = resolve(seat("workshop-1", yard=["Alchemists"], store=(1, 0, 0, 0)), seat(), seat())
    play(game, "build-1")
    assert pool(game) == (5, 0, 1, 0)


@pytest.mark.rule("CK-10", "CK-115")
def test_income_goes_by_the_turn_order_in_force() -> None:
    """Once King's Park has taken a steel, one is left: it goes to the seat that is first from now on."""
    for parked, lucky in ((1, 1), (2, 2), (None, 0)):
        places = [["ruins", "park"] if number == parked else ["ruins"] for number in range(3)]
        game = resolve(*(seat(*line, facilities=["Mine"]) for line in places), supply=(2, 0, 0, 0))
        assert order(game)[0] == lucky
        income = [who for _, who in happened(game, "receives-steel")]
        assert income == ([parked] if parked else []) + [lucky]
        assert [who for _, who in happened(game, "supply-empty")] == [n for n in order(game) if n != lucky]
        assert supply(game) == (0, 0, 0, 0)


@pytest.mark.rule("CK-10", "CK-16", "CK-120")
def test_discards_of_income_go_by_turn_order() -> None:
    full = (3, 3, 0, 0)
    game = resolve(
        *(seat("ruins", store=full, facilities=["Garden"]) for _ in range(2)), seat(), order=[1, 2, 0]
    )
    turns = []
    while game.phase == "discard":
        turns.append(game.actor)
        play(game, "discard-steel")
    assert turns == [1] * 3 + [0] * 3
