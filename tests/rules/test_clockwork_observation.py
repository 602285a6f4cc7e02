"""What a seat of Clockwork Kingdom sees: where each feature stands, and that nothing hidden is among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from figures_clockwork import AREAS, RESOURCES, WORKERS
from helpers_clockwork import (
    BENCH,
    OWN,
    all_names,
    before_last,
    card_action,
    idle,
    kingdom,
    order,
    play,
    position,
    resolve,
    row_of,
    seat,
)

from kingmaker.envs.clockwork_kingdom.actions import BUILD, TAKE
from kingmaker.envs.clockwork_kingdom.features import (
    DESIGN_SCALE,
    FEW_SCALE,
    POINTS_SCALE,
    ROUND_SCALE,
    SCALE,
    SUPPLY_SCALE,
    references,
)
from kingmaker.envs.clockwork_kingdom.state import MAX_DESIGNS
from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec

SPEC = get_spec("clockwork_kingdom")
SEATS = pytest.mark.parametrize("num_players", SPEC.seats)
SHOWN = ["Hall", "Fort", "School", "Shed", "Palace"]


def see(game: Game, name: str, viewer: int | None = None) -> list[float]:
    """Return the feature ``name`` as ``viewer`` sees it, by default the seat to move."""
    return game.observe(viewer)[SPEC.slices(game.num_players)[name]].tolist()


def counts(game: Game, name: str, scale: int = SCALE, viewer: int | None = None) -> Any:
    """Return the feature as counts, a single one by itself."""
    read = [value * scale for value in see(game, name, viewer)]
    assert read == np.rint(read).tolist(), f"{name} is no count"
    return int(read[0]) if len(read) == 1 else [int(value) for value in read]


def members(game: Game, name: str, viewer: int | None = None) -> list[int]:
    """Return the positions of the entries that are not 0."""
    return [number for number, value in enumerate(see(game, name, viewer)) if value]


def moment(num_players: int, moves: int) -> Game:
    """Return a random game after so many moves."""
    game, chooser = kingdom(num_players, cards=OWN, seed=3), np.random.default_rng(3)
    while game.moves < moves:
        game.apply(int(chooser.choice(game.legal_actions())))
    return game


# --- shape --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "size"), [(2, 398), (3, 471), (4, 544)])
def test_the_vector_is_short(num_players: int, size: int) -> None:
    assert SPEC.observation_size(num_players) == size


@SEATS
def test_figures_can_be_read_back(num_players: int) -> None:
    for number in (0, 40, 130, 220):
        game = moment(num_players, number)
        viewer = number // 10 % num_players
        place = order(game).index(viewer)
        for ahead, number in enumerate(order(game)[place:] + order(game)[:place]):
            whose, board = f"next_{ahead}" if ahead else "own", row_of(game, number)
            assert counts(game, f"{whose}.pool", viewer=viewer) == board["pool"].tolist()
            assert counts(game, f"{whose}.standing", viewer=viewer) == board["standing"].sum(axis=1).tolist()
            assert counts(game, f"{whose}.store", viewer=viewer) == board["store"].tolist()
            assert counts(game, f"{whose}.types", viewer=viewer) == board["types"].tolist()
            assert counts(game, f"{whose}.points", POINTS_SCALE, viewer) == board["points"].sum()
            assert counts(game, f"{whose}.place", FEW_SCALE, viewer) == order(game).index(number)
            assert counts(game, f"{whose}.cards", FEW_SCALE, viewer) == board["cards"]


@SEATS
def test_actions_refer_to_the_designs_that_they_name(num_players: int) -> None:
    take, build = references(num_players)
    game = position(
        seat(pool=["automaton"], yard=["School", "Palace"]), *[seat()] * (num_players - 1), row=SHOWN
    )
    names, seen = all_names(game, "schematics"), game.observe()
    for reference, first, shown in ((take, TAKE, SHOWN), (build, BUILD, ["School", "Palace"])):
        assert reference.size == MAX_DESIGNS
        assert reference.actions == tuple(range(first, first + len(shown)))
        found = [
            round(float(seen[at]) * reference.scale) + offset
            for at, offset in zip(reference.features, reference.offsets, strict=True)
        ]
        assert [names[design] for design in found] == shown


# --- what time it is ----------------------------------------------------------------------------------


def test_phase_area_and_round() -> None:
    game, last = before_last(seat("workshop-1"), seat("lab"), number=5, row=SHOWN)
    assert members(game, "phase") == [0]
    assert members(game, "area") == []
    assert counts(game, "round", ROUND_SCALE) == 5
    play(game, last)
    assert members(game, "phase") == [4]  # a stone for seat 1
    assert members(game, "area") == [AREAS.index("lab")]
    play(game, "stone-steel-copper")
    assert members(game, "area") == [AREAS.index("workshop")]
    assert see(game, "income") == [0]


@pytest.mark.rule("CK-116")
@pytest.mark.parametrize(("number", "left"), [(1, 3), (3, 1), (4, 3), (6, 1), (7, 3), (9, 1)])
def test_rounds_up_to_the_next_war(number: int, left: int) -> None:
    game = position(seat(pool=["automaton"]), seat(), number=number)
    assert counts(game, "war") == left


@pytest.mark.rule("CK-36")
def test_the_option_shows() -> None:
    setting = [seat("battle-3", "battle-3"), seat("lab", "lab")]
    for option in (False, True):
        game, _ = before_last(*setting, tokens_per_worker=option)
        assert see(game, "per_worker") == [option]
        assert counts(game, "own.forces", viewer=0) == [0, 0, 1 + option, 0]
        assert counts(game, "own.battle", FEW_SCALE, 0) == [0, 0, 2, 0]
        assert counts(game, "battle.open") == [0, 0, 2, 4]


@pytest.mark.rule("CK-33")
def test_a_used_card_shows_until_the_turn_passes_on() -> None:
    game = position(seat(pool=["automaton"], hand=["Recruits"]), seat(pool=["automaton"]))
    assert see(game, "used") == [0]
    play(game, card_action(game, "use", "Recruits"))
    assert see(game, "used") == [1]
    play(game, "automaton-lab")
    assert see(game, "used") == [0]


# --- the board ----------------------------------------------------------------------------------------


def test_open_spaces_and_own_workers() -> None:
    game, _ = before_last(
        seat("market-copper", "workshop-2", "university-3", "lab"),
        seat("market-canvas", "workshop-4", "university-1"),
        seat("park"),
    )
    assert members(game, "market.open") == [RESOURCES.index("steel"), RESOURCES.index("lumber")]
    assert members(game, "market.own", 0) == [RESOURCES.index("copper")]
    assert members(game, "market.own", 1) == [RESOURCES.index("canvas")]
    assert members(game, "workshop.open") == [0, 2, 4]
    assert (members(game, "workshop.own", 0), members(game, "workshop.own", 1)) == ([1], [3])
    assert members(game, "university.open") == [1, 3, 4]
    assert (members(game, "university.own", 0), members(game, "university.own", 1)) == ([2], [0])
    whose = {0: 1, 1: 2, 2: 3}  # as seat 0 sees them, the first in turn order
    for viewer in range(3):
        seen = {number: (whose[number] - viewer - 1) % 3 + 1 for number in whose}
        for area, holders in (
            ("market", [None, 0, None, 1, None]),
            ("workshop", [None, 0, None, 1, None]),
            ("university", [1, None, 0, None, None]),
        ):
            expected = [0 if holder is None else seen[holder] for holder in holders]
            assert counts(game, f"{area}.whose", FEW_SCALE, viewer) == expected
    assert counts(game, "park.taken", FEW_SCALE) == 1
    assert counts(game, "own.park", FEW_SCALE, 2) == counts(game, "next_1.park", FEW_SCALE, 1) == 1


def test_own_workers_that_have_been_served_no_longer_show() -> None:
    game = resolve(
        seat("market-steel", "workshop-1", "workshop-3", yard=["Hall"], store=(1, 1, 0, 0)),
        seat("university-2"),
        row=SHOWN,
    )
    assert (members(game, "market.own", 0), members(game, "workshop.own", 0)) == ([], [0, 2])
    assert counts(game, "workshop.whose", FEW_SCALE, 1) == [2, 0, 2, 0, 0]
    play(game, "done")
    assert members(game, "workshop.own", 0) == [2]
    assert members(game, "university.own", 1) == [1]
    play(game, "done")
    assert members(game, "workshop.own", 0) == []
    assert counts(game, "workshop.whose", FEW_SCALE, 1) == [0, 0, 0, 0, 0]
    assert members(game, "university.own", 1) == [1]
    assert members(game, "phase") == [9]


@pytest.mark.rule("CK-19", "CK-178")
def test_influence_with_all_that_helps() -> None:
    game, _ = before_last(
        seat("alchemist-lab", "artificer-factory", "automaton-ruins", built=["Spire"]),
        seat("automaton-lab", built=["Yoke"]),
    )
    assert counts(game, "own.influence", viewer=0) == [3, 2]
    assert counts(game, "own.helped", FEW_SCALE, 0) == [1, 0]
    assert counts(game, "next_1.influence", viewer=0) == [1, 0]  # no worker, no influence
    assert counts(game, "next_1.helped", FEW_SCALE, 0) == counts(game, "own.helped", FEW_SCALE, 1) == [0, 1]


def test_facility_park_and_supply() -> None:
    game = position(
        seat(pool=["automaton"]),
        seat(),
        facility="Smelter",
        supply=(9, 8, 7, 6),
        fields_of_state={"carried": [0, 1, 2, 0], "stones": 5},
    )
    assert counts(game, "facility.resources", FEW_SCALE) == [0, 0, 0, 0]
    assert counts(game, "facility.random", FEW_SCALE) == 1
    assert counts(game, "facility.refine", FEW_SCALE) == [2, 0, 0, 0]
    assert counts(game, "supply", SUPPLY_SCALE) == [9, 8, 7, 6]
    assert counts(game, "stones", SUPPLY_SCALE) == 5
    assert counts(game, "park.carried", FEW_SCALE) == [0, 1, 2, 0]


def test_the_row() -> None:
    game = position(seat(pool=["automaton"], store=(1, 2, 0, 0)), seat(), row=SHOWN[1:])
    names = all_names(game, "schematics")
    assert members(game, "row") == sorted(names.index(name) for name in SHOWN[1:])
    numbers = counts(game, "row.design", DESIGN_SCALE)
    assert [names[number - 1] for number in numbers[:4]] == SHOWN[1:]
    assert numbers[4] == 0
    assert counts(game, "row.missing") == [0, 1, 0, 3, 0]  # Fort, School, Shed, Palace
    assert counts(game, "row.missing", viewer=1) == [1, 1, 1, 6, 0]


@pytest.mark.rule("CK-106", "CK-27")
def test_who_may_take_a_warehouse() -> None:
    game = position(
        seat(pool=["automaton"], yard=["Warehouse"]), seat(built=["Warehouse"]), seat(store=(0, 0, 1, 0))
    )
    assert [see(game, "warehouse", viewer) for viewer in range(3)] == [[0], [0], [1]]
    assert [counts(game, "warehouse.missing", viewer=viewer) for viewer in range(3)] == [1, 1, 0]


# --- yards --------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-21", "CK-177")
def test_own_yard_counts_stones_and_discounts() -> None:
    board = seat(
        pool=["automaton"],
        yard=["Palace", "Hall"],
        store=(3, 0, 1, 0),
        slots=["steel-copper"],
        built=["Crane"],
    )
    game = position(board, seat())
    # Palace costs 2 steel, 2 copper, a lumber and a canvas: three steel and the lumber match, one is off.
    assert counts(game, "own.yard_1.cost", FEW_SCALE) == [2, 2, 1, 1]
    assert counts(game, "own.yard_1.missing") == 1
    assert counts(game, "own.yard_1.points") == 9
    assert counts(game, "own.yard_2.missing") == 0
    assert counts(game, "own.discount", FEW_SCALE) == 1
    assert counts(game, "next_1.yard.cost", viewer=1) == [3, 3, 1, 1]
    assert counts(game, "next_1.yard.points", POINTS_SCALE, 1) == 11
    names = all_names(game, "schematics")
    designs = counts(game, "next_1.yard.design", DESIGN_SCALE, 1)
    assert [names[number - 1] for number in designs] == ["Palace", "Hall"]
    assert counts(game, "next_1.yard.design", DESIGN_SCALE, 0) == [0, 0]
    assert counts(game, "next_1.yard.missing", viewer=1) == [2, 0]  # stones apart


@pytest.mark.parametrize(
    ("card", "name", "count"),
    [
        ("Professors", "workers", 1),
        ("Mint", "resources", 3),
        ("Fair", "resources", 2),
        ("Gift of Tokens", "tokens", 2),
        ("Gift of Stones", "help", 2),
        ("Gift of Cards", "help", 2),
        ("Crane", "help", 1),
        ("Silo", "help", 1),
    ],
)
def test_what_a_schematic_in_the_yard_does(card: str, name: str, count: int) -> None:
    game = position(seat(pool=["automaton"], yard=[card]), seat())
    for other in ("workers", "resources", "tokens", "help"):
        assert counts(game, f"own.yard_1.{other}", FEW_SCALE) == (count if other == name else 0)
        assert counts(game, f"own.yard_2.{other}", FEW_SCALE) == 0


@pytest.mark.rule("CK-180", "CK-181")
def test_end_scoring_as_things_are() -> None:
    board = seat(
        pool=["automaton", "professor"],
        yard=["Chronicle"],
        built=["Chronicle", "Hall", "Fort"],
        facilities=["Mine", "Mine"],
        slots=["steel-copper"],
        won=1,
    )
    game = position(board, seat())
    assert counts(game, "own.scoring", FEW_SCALE) == [1, 2, 3, 4, 5, 6, 7]
    assert counts(game, "next_1.scoring", FEW_SCALE, 1) == [1, 2, 3, 4, 5, 6, 7]
    now = 1 + 2 + 3 + 2 * 4 + 5 + 6 + 7
    assert counts(game, "own.end", POINTS_SCALE) == now
    assert counts(game, "own.yard_1.scoring") == now + 3  # an academy more
    assert counts(game, "own.end", POINTS_SCALE, 1) == 0


# --- the seats ----------------------------------------------------------------------------------------


def test_boards() -> None:
    game = position(
        seat(pool=["automaton"], built=["Automatons", "Fair", "Silo"], facilities=["Garden", "Smelter"]),
        seat(forces=(0, 0, 2, 1), won=3, slots=["steel-copper", "copper-canvas"]),
        order=[1, 0],
    )
    assert counts(game, "own.capacity") == 7
    assert counts(game, "own.workers", FEW_SCALE) == [1, 0, 0, 0]
    assert counts(game, "own.resources", FEW_SCALE) == [0, 1, 3, 0]
    assert counts(game, "own.random", FEW_SCALE) == 2
    assert counts(game, "own.refine", FEW_SCALE) == [2, 0, 0, 0]
    assert counts(game, "own.facilities") == 2
    assert counts(game, "own.place", FEW_SCALE) == 1
    assert counts(game, "next_1.forces") == [0, 0, 2, 1]
    assert counts(game, "next_1.tokens") == 7
    assert counts(game, "next_1.won") == 3
    assert members(game, "next_1.slots") == members(game, "own.slots", 1) == [0, 4]
    assert counts(game, "next_1.refine", FEW_SCALE, 1) == [2, 0, 0, 0]
    assert see(game, "own.to_move", 0) == [1]
    assert see(game, "own.to_move", 1) == [0]


def test_lead_over_the_best_other_seat() -> None:
    game = position(seat(pool=["automaton"], built=["Palace"]), seat(built=["Hall"]), seat(built=["School"]))
    assert [counts(game, "own.lead", POINTS_SCALE, viewer) for viewer in range(3)] == [6, -7, -6]


def test_specialists_in_the_workshop() -> None:
    game, _ = before_last(
        seat("professor-workshop-1", "artificer-workshop-2", "artificer-workshop-3"), seat(*["lab"] * 3)
    )
    assert counts(game, "own.working", FEW_SCALE, 0) == [1, 2]
    assert counts(game, "own.working", FEW_SCALE, 1) == [0, 0]
    assert counts(game, "next_1.working", FEW_SCALE, 1) == [1, 2]


# --- pending things -----------------------------------------------------------------------------------


def test_a_bill_that_is_being_paid() -> None:
    game = resolve(
        seat("workshop-1", yard=["Palace"], store=(4, 2, 1, 1), slots=["steel-copper"]),
        seat("park"),
        row=SHOWN,
    )
    assert (see(game, "workshop.take"), see(game, "workshop.build")) == ([1], [1])
    assert counts(game, "bill.cost", FEW_SCALE) == [0, 0, 0, 0]
    play(game, "build-1", "pay-steel")  # two steel have to be paid in any case
    assert game.phase == "pay"
    assert counts(game, "bill.cost", FEW_SCALE) == [2, 2, 1, 1]
    assert counts(game, "bill.paid", FEW_SCALE) == [3, 0, 0, 0]
    assert counts(game, "bill.left") == 3
    assert (see(game, "workshop.take"), see(game, "workshop.build")) == ([0], [0])


@pytest.mark.rule("CK-175")
def test_what_is_still_owed() -> None:
    game = resolve(seat("workshop-1", yard=["Cornucopia"], store=(1, 0, 0, 0)), seat("park"))
    play(game, "build-1")
    assert game.phase == "receive"
    assert counts(game, "owed.choice") == 1
    assert counts(game, "owed.stones", FEW_SCALE) == 1
    assert counts(game, "owed.tokens", FEW_SCALE) == 1
    assert counts(game, "owed.cards", FEW_SCALE) == 1
    play(game, "receive-canvas", "stone-steel-copper", "token-3")
    assert counts(game, "owed.stones", FEW_SCALE) == counts(game, "owed.tokens", FEW_SCALE) == 0


@pytest.mark.rule("CK-174")
def test_what_is_refined() -> None:
    game = resolve(seat("ruins", facilities=["Refinery"], store=(1, 1, 0, 0)), seat("park"))
    assert game.phase == "refine"
    assert counts(game, "owed.refine", FEW_SCALE) == [0, 0, 0, 1]
    assert see(game, "income") == [1]


@pytest.mark.rule("CK-148")
def test_rooms_of_the_university() -> None:
    game = resolve(seat("professor-university-1", "university-2"), seat("park"))
    assert counts(game, "rooms", FEW_SCALE) == [2, 1, 1, 1]
    play(game, "study-automaton-alchemist")
    assert counts(game, "rooms", FEW_SCALE) == [1, 1, 1, 1]


# --- hidden things ------------------------------------------------------------------------------------


@pytest.mark.rule("CK-11")
def test_of_other_hands_only_the_size_shows() -> None:
    hands = (["Recruits", "Sack"], ["Plans", "Map"], ["Crown", "Crown"])
    all_cards = [card for hand in hands for card in hand]
    games = [
        position(
            seat(pool=["automaton"]),
            seat(hand=hand),
            seat(),
            ruins=[card for card in all_cards if card not in hand],
        )
        for hand in hands
    ]
    for viewer in (0, 2):
        seen = {game.observe(viewer).tobytes() for game in games}
        assert len(seen) == 1
        assert counts(games[0], f"next_{1 if viewer == 0 else 2}.cards", FEW_SCALE, viewer) == 2
    kinds = all_names(games[0], "ruins")
    for game, hand in zip(games, hands, strict=True):
        held = counts(game, "own.hand", FEW_SCALE, 1)
        assert [kind for kind, count in zip(kinds, held, strict=False) for _ in range(count)] == hand


@pytest.mark.rule("CK-11")
def test_what_is_left_in_deck_and_stack_shows() -> None:
    game = position(
        seat(pool=["automaton"]), seat(), deck=["Hall", "Fort", "Hall"], stack=["Mine", "Garden", "Mine"]
    )
    for name, kinds, left in (
        ("deck", "schematics", {"Warehouse": 4, "Hall": 2, "Fort": 1}),
        ("stack", "facilities", {"Mine": 2, "Garden": 1}),
    ):
        shown = see(game, name)
        assert {
            kind: shown[place] for place, kind in enumerate(all_names(game, kinds)) if shown[place]
        } == left


@pytest.mark.rule("CK-11")
def test_cards_that_may_be_drawn_or_in_other_hands_show_together() -> None:
    board = seat(pool=["automaton"], hand=["Crown"])
    games = [
        position(board, seat(hand=[hand]), seat(), ruins=[left, "Crown"])
        for hand, left in (("Map", "Plans"), ("Plans", "Map"))
    ]
    assert games[0].observe().tobytes() == games[1].observe().tobytes()
    kinds = all_names(games[0], "ruins")
    for viewer, kept in ((0, ["Map", "Plans", "Crown"]), (1, ["Crown", "Plans", "Crown"])):
        expected = [kept.count(kind) for kind in kinds]
        assert counts(games[0], "unseen", FEW_SCALE, viewer)[: len(kinds)] == expected


@SEATS
def test_an_ended_game_can_be_observed(num_players: int) -> None:
    game = idle(kingdom(num_players, cards=BENCH))
    assert game.over
    for viewer in range(num_players):
        assert np.isfinite(game.observe(viewer)).all()
    assert len(WORKERS) == 4
