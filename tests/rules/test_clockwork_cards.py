"""What cards can do: each effect on the bench, and each card of the game's own set by what its row says.

The figures of the own cards are read from the tables, since they are a matter of design; what an effect does
is told here once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from figures_clockwork import FACILITIES, RESOURCES, RUINS_CARDS, WAREHOUSES, WORKERS
from helpers_clockwork import (
    BENCH,
    OWN,
    all_names,
    asked,
    built,
    card_action,
    events,
    facilities,
    field,
    forces,
    hand,
    happened,
    idle,
    kingdom,
    legal,
    numbers,
    play,
    points,
    pool,
    position,
    printed,
    resolve,
    resolved,
    ruins,
    seat,
    slots,
    store,
)

from kingmaker.envs.clockwork_kingdom.state import AREAS, SCHEMATIC_TYPES, SCORED
from kingmaker.envs.clockwork_kingdom.tables import FILE, WINDOWS, load, name_of
from kingmaker.envs.core.datafile import tomllib
from kingmaker.envs.core.game import Game

SETS = pytest.mark.parametrize("cards", [OWN, BENCH], ids=["own", "bench"])
_TABLES = {cards: load(cards, {}).view(np.recarray)[0] for cards in (OWN, BENCH)}
_LENGTHS = {"schematics": "designs", "ruins": "ruins_kinds", "facilities": "facility_kinds"}


def rows(kind: str, cards: Any = OWN) -> list[Any]:
    """Return the rows of a kind of card."""
    table = _TABLES[cards]
    return list(getattr(table, kind)[: table[_LENGTHS[kind]]])


def every(kind: str) -> Any:
    """Parametrize a test by the cards of a kind, of both sets."""
    found = [
        pytest.param(cards, name_of(row), id=f"{'own' if cards is OWN else 'bench'}-{name_of(row)}")
        for cards in (OWN, BENCH)
        for row in rows(kind, cards)
    ]
    return pytest.mark.parametrize(("cards", "name"), found)


def windows_of(row: Any) -> list[str]:
    """Return the windows of a Ruins card."""
    return [name for number, name in enumerate(WINDOWS) if row.windows >> number & 1]


def quiet(cards: Any) -> str:
    """Return a Ruins card that opens no window of an area, to be drawn without a question."""
    return next(name_of(row) for row in rows("ruins", cards) if windows_of(row) == ["turn"])


def worth(row: Any) -> int:
    """Return how many resources a reward or income brings."""
    return int(sum(row.resources) + row.random + (row.choice if "choice" in row.dtype.names else 0))


# --- each schematic, card, facility by its row --------------------------------------------------------


def complete(cards: Any, name: str) -> Game:
    """Return a game in which a seat has just been able to pay for a schematic and has completed it."""
    row = next(row for row in rows("schematics", cards) if name_of(row) == name)
    line = seat("workshop-1", yard=[name], store=numbers(row.cost))
    game = resolve(line, seat("lab"), seat(), cards=cards, ruins=[quiet(cards)] * 9)
    play(game, "stone-steel-copper")
    return play(game, "build-1")


@every("schematics")
@pytest.mark.rule("CK-172", "CK-173", "CK-175", "CK-179", "CK-9", "CK-131")
def test_each_schematic_gives_what_its_row_says(cards: Any, name: str) -> None:
    game = idle(complete(cards, name), "place")
    row = printed(game, "schematics", name)
    gift, income = row.reward, row.income
    assert built(game) == [name]
    expected = {"schematics": int(row.points), "rewards": int(gift.points)}
    assert points(game) == {source: got for source, got in expected.items() if got}
    assert pool(game) == tuple(
        int(gift.workers[kind] + income.workers[kind]) + (5 if kind == 0 else 0) for kind in range(4)
    )
    assert sum(store(game)) == worth(gift) + worth(income)
    assert all(have >= got for have, got in zip(store(game), gift.resources + income.resources, strict=True))
    assert len(slots(game)) == gift.stones
    assert sum(forces(game)) == gift.tokens
    assert hand(game) == [quiet(cards)] * gift.cards
    assert field(game, "capacity") == 6 + row.capacity
    lasting = game.states["seats"][0, 0]["lasting"]
    assert [int(lasting[helped]) for helped in ("discount", "lab", "factory")] == [
        row.lasting.discount, row.lasting.lab, row.lasting.factory
    ]  # fmt: skip


def gifts(seen: list[tuple[str, int]]) -> dict[str, int]:
    """Return what seat 0 has received, by what happened."""
    names = [name for name, who in seen if who == 0]
    got = {f"gains-{worker}": names.count(f"gains-{worker}") for worker in WORKERS}
    got |= {name: names.count(name) for name in ("stone-placed", "token-placed", "draws-card")}
    return got | {"resources": sum(name.startswith("receives") for name in names)}


def promised(gift: Any, automatons: int = 0) -> dict[str, int]:
    """Return what a reward says, and so many Automatons besides."""
    got = {f"gains-{worker}": int(gift.workers[kind]) for kind, worker in enumerate(WORKERS)}
    got["gains-automaton"] += automatons
    got |= {"stone-placed": int(gift.stones), "token-placed": int(gift.tokens), "draws-card": int(gift.cards)}
    return got | {"resources": worth(gift)}


@every("ruins")
@pytest.mark.rule("CK-33", "CK-175", "CK-182", "CK-183", "CK-184", "CK-185", "CK-186", "CK-187")
def test_each_ruins_card_gives_what_its_row_says_in_each_of_its_windows(cards: Any, name: str) -> None:
    rival, deck = seat("park"), [quiet(cards)] * 9
    row = next(row for row in rows("ruins", cards) if name_of(row) == name)
    for window in windows_of(row):
        if window == "turn":
            game = position(seat(pool=["automaton"], hand=[name]), rival, seat(), cards=cards, ruins=deck)
            play(game, card_action(game, "use", name))
        else:
            game = resolve(seat("factory", hand=[name]), rival, seat(), cards=cards, ruins=deck)
            while resolved(game)[-1:] != [window]:
                play(game, "pass")
            assert asked(game) == (0, "window")
            play(game, card_action(game, "play", name))
        assert happened(game)[0] == ("plays-card", 0)
        seen = happened(game)
        while game.phase != "place":
            play(game, sorted(legal(game))[0])
            seen += happened(game)
        assert gifts(seen) == promised(row.reward, 0 if window == "turn" else 5)
        assert points(game) == ({"rewards": int(row.reward.points)} if row.reward.points else {})
        assert hand(game) == [quiet(cards)] * row.reward.cards
        assert ruins(game, "ruins_discards") == [name]
        passing = game.states["seats"][0, 0]["passing"]
        for part in ("discount", "lab", "factory"):  # until the end of the round
            assert int(passing[part]) == (row.passing[part] if window == "turn" else 0)


@every("facilities")
@pytest.mark.rule("CK-115", "CK-173", "CK-188")
def test_each_facility_pays_what_its_row_says(cards: Any, name: str) -> None:
    game = idle(resolve(seat("factory"), seat("lab"), seat(), cards=cards, facility=name), "place")
    income = printed(game, "facilities", name).income
    assert facilities(game) == [name]
    assert sum(store(game)) == worth(income)
    assert all(have >= got for have, got in zip(store(game), income.resources, strict=True))
    assert pool(game) == tuple(int(income.workers[kind]) + (5 if kind == 0 else 0) for kind in range(4))


# --- the order of a reward ----------------------------------------------------------------------------


@pytest.mark.rule("CK-175")
def test_a_reward_comes_in_its_order() -> None:
    """Points and workers at once, then resources named, random, chosen; a stone, a token, a card."""
    game = complete(BENCH, "Cornucopia")
    seen = happened(game)
    phases = []
    while game.phase != "place":
        phases.append(game.phase)
        play(
            game,
            {"receive": "receive-lumber", "stone": "stone-lumber-canvas", "token": "token-2"}[game.phase],
        )
        seen += happened(game)
    assert phases == ["receive", "stone", "token"]
    names = [name for name, who in seen if who == 0]
    start = names.index("completes-schematic")
    parts = names[start : names.index("card-seen")]
    random = parts.pop(parts.index("receives-canvas") + 1)
    assert random.startswith("receives-")
    assert sorted(parts[1:3]) == ["gains-artificer", "reward-scored"]
    assert parts[3:] == ["receives-canvas", "receives-lumber", "stone-placed", "token-placed", "draws-card"]


@pytest.mark.rule("CK-175", "CK-120")
def test_the_limit_of_the_store_is_seen_to_on_the_way() -> None:
    game = resolve(
        seat("workshop-1", yard=["Cornucopia"], store=(1, 6, 0, 0), built=["Silo"]),
        seat("park"),
        seat(),
        ruins=["Sack"],
    )
    play(game, "build-1")
    phases = []
    while game.phase != "place":
        phases.append(game.phase)
        play(game, "discard-copper" if game.phase == "discard" else sorted(legal(game))[0])
    # The store holds seven: canvas makes it seven, then one is drawn and one chosen.
    assert phases == ["discard", "receive", "discard", "stone", "token"]


@pytest.mark.rule("CK-175")
def test_points_count_from_that_moment() -> None:
    game = complete(BENCH, "Gift of Points")
    assert points(game) == {"schematics": 1, "rewards": 5}


# --- lasting help and end scoring through the own cards -----------------------------------------------


def with_effect(part: str, effect: Any) -> list[str]:
    """Return the own schematics that have something in a column of their row."""
    return [name_of(row) for row in rows("schematics") if row[part][effect] > 0]


@pytest.mark.rule("CK-177")
@pytest.mark.parametrize("name", with_effect("lasting", "discount"))
def test_own_cards_that_give_a_discount(name: str) -> None:
    off = int(next(row for row in rows("schematics") if name_of(row) == name).lasting.discount)
    dearest = max(rows("schematics"), key=lambda row: sum(row.cost))
    have = list(numbers(dearest.cost))
    for _ in range(off):
        have[have.index(max(have))] -= 1
    for store_now, able in ((have, True), (spend_one(have), False)):
        line = seat("workshop-1", yard=[name_of(dearest)], store=store_now, built=[name])
        game = resolve(line, seat("park"), seat(), cards=OWN)
        assert ("build-1" in legal(game)) == able


def spend_one(amounts: list[int]) -> list[int]:
    """Return the amounts with one fewer of the first that there is."""
    kind = next(kind for kind, amount in enumerate(amounts) if amount)
    return [amount - (number == kind) for number, amount in enumerate(amounts)]


@pytest.mark.rule("CK-178")
@pytest.mark.parametrize(
    ("area", "name"), [(area, name) for area in ("lab", "factory") for name in with_effect("lasting", area)]
)
def test_own_cards_that_give_influence(area: str, name: str) -> None:
    more = int(next(row for row in rows("schematics") if name_of(row) == name).lasting[area])
    event = "wins-lab" if area == "lab" else "wins-facility"
    facility = name_of(rows("facilities")[0])
    for rivals, winner in ((more, 1), (more + 1, 0)):
        game = resolve(seat(*[area] * rivals), seat(area, built=[name]), seat(), cards=OWN, facility=facility)
        assert happened(game, event) == [(event, winner if rivals <= more else 0)]


@pytest.mark.rule("CK-180", "CK-181")
@pytest.mark.parametrize(
    ("what", "name"),
    [(what, name) for number, what in enumerate(SCORED) for name in with_effect("scoring", number)],
)
def test_own_cards_that_score_at_the_end(what: str, name: str) -> None:
    row = next(row for row in rows("schematics") if name_of(row) == name)
    others = [name_of(rows("facilities")[0])] * 2
    line = seat(
        "university-1",
        built=[name],
        facilities=others,
        slots=["steel-copper", "copper-canvas", "lumber-canvas"],
        won=4,
    )
    game = resolve(line, seat("lab"), seat(), cards=OWN, number=9)
    play(game, "stone-steel-copper", "study-alchemist-alchemist")
    idle(game)
    have = {"facilities": 2, "stones": 3, "battles": 4, "specialists": sum(pool(game)[1:])}
    have |= {kind: int(SCHEMATIC_TYPES[row.kind] == kind) for kind in SCHEMATIC_TYPES}
    assert points(game).get(f"end_{what}", 0) == int(row.scoring[SCORED.index(what)]) * have[what]


# --- the own set as a whole ---------------------------------------------------------------------------


@pytest.mark.rule("CK-170", "CK-106")
def test_the_own_set_has_the_printed_numbers_of_cards() -> None:
    schematics = rows("schematics")
    assert sum(row.copies for row in schematics[1:]) == 30
    assert schematics[0].copies == WAREHOUSES
    assert sum(row.copies for row in rows("ruins")) == RUINS_CARDS
    assert len(rows("ruins")) == 12
    assert sum(row.copies for row in rows("facilities")) == FACILITIES
    assert {SCHEMATIC_TYPES[row.kind] for row in schematics} == set(SCHEMATIC_TYPES)
    assert all(2 <= sum(row.cost) <= 6 for row in schematics)


@pytest.mark.rule("CK-170")
def test_what_no_source_prints_is_marked_reconstructed() -> None:
    content = tomllib.loads(FILE.read_text("utf-8"))
    assert all(
        content[part]["reconstructed"] for part in ("warehouse", "schematics", "ruins", "facilities", "park")
    )
    marks = {field["name"]: field.get("reconstructed", False) for field in content["battlefields"]}
    assert [name for name, mark in marks.items() if not mark] == ["Temple of Vapori", "Sea of Verne"]


@pytest.mark.rule("CK-172", "CK-173", "CK-177", "CK-178", "CK-180", "CK-181")
def test_the_own_schematics_use_the_effects_that_the_print_tells_of() -> None:
    schematics = rows("schematics")
    assert any(sum(row.income.workers) for row in schematics)
    assert any(sum(row.income.resources) + row.income.random for row in schematics)
    assert any(row.lasting.discount for row in schematics)
    assert any(row.lasting.lab for row in schematics)
    assert any(row.lasting.factory for row in schematics)
    for number, what in enumerate(SCORED):
        assert any(row.scoring[number] for row in schematics), what


@pytest.mark.rule("CK-179")
def test_the_warehouse_raises_the_limit_to_eight() -> None:
    assert _TABLES[OWN].store + rows("schematics")[0].capacity == 8
    assert all(row.capacity == 0 for row in rows("schematics")[1:])


@pytest.mark.rule("CK-183", "CK-184", "CK-185", "CK-186", "CK-187")
def test_the_kinds_of_own_ruins_cards() -> None:
    kinds = rows("ruins")
    workers = [row for row in kinds if sum(row.reward.workers)]
    assert sorted(numbers(row.reward.workers > 0) for row in workers) == sorted(
        tuple(int(kind == number) for number in range(4)) for kind in range(4)
    )
    assert all(windows_of(row) == ["turn"] for row in workers)
    goods = [row for row in kinds if worth(row.reward) and not row.passing.lab]
    assert sorted((bool(row.reward.choice), bool(row.reward.random)) for row in goods) == [
        (False, True),
        (True, False),
    ]
    assert all(set(windows_of(row)) == {"turn", "workshop"} for row in goods)
    for part, window in (("discount", "workshop"), ("lab", "lab"), ("factory", "factory")):
        assert [windows_of(row) for row in kinds if row.passing[part]] == [[window]]
    elixir = next(row for row in kinds if row.passing.lab)
    assert (worth(elixir.reward), int(elixir.reward.choice)) == (1, 1)
    for gift, window in (("tokens", "battle"), ("stones", "turn"), ("points", "park")):
        assert [windows_of(row) for row in kinds if row.reward[gift]] == [[window]]


@pytest.mark.rule("CK-188")
def test_each_resource_has_three_own_facilities() -> None:
    for kind in range(len(RESOURCES)):
        plain = [row for row in rows("facilities") if row.income.resources[kind]]
        refining = [row for row in rows("facilities") if row.income.refine[kind]]
        assert sum(row.copies for row in plain) == 2
        assert sum(row.copies for row in refining) == 1
        assert all(row.income.random for row in refining)
        assert not any(sum(row.income.refine) for row in plain)


@SETS
@pytest.mark.rule("CK-33")
def test_windows_are_areas_or_the_placement_turn(cards: Any) -> None:
    assert (*AREAS, "turn") == WINDOWS
    game = kingdom(cards=cards)
    for number, window in enumerate(WINDOWS):
        expected = [name_of(row) for row in rows("ruins", cards) if window in windows_of(row)]
        bits = int(game.tables["window_kinds"][0, number])
        assert [name for kind, name in enumerate(all_names(game, "ruins")) if bits >> kind & 1] == expected


@pytest.mark.rule("CK-184")
def test_resources_of_a_card_at_both_its_times() -> None:
    """Before a placement, and as the Workshop starts to resolve: in time for a build there."""
    game = position(seat(pool=["automaton"], hand=["Crate"]), seat(), seat())
    play(game, card_action(game, "use", "Crate"), "receive-steel")
    assert (asked(game), store(game)) == ((0, "place"), (1, 0, 0, 0))
    line = seat("workshop-1", hand=["Crate"], yard=["Shed"])
    game = resolve(line, seat("park"), seat())
    play(game, card_action(game, "play", "Crate"), "receive-steel", "build-1")
    assert built(game) == ["Shed"]


@pytest.mark.rule("CK-183", "CK-7")
def test_a_worker_of_a_card_that_the_supply_lacks_is_lost() -> None:
    game = position(seat(pool=["professor"] * 3, hand=["Recruits"]), seat(), seat())
    play(game, card_action(game, "use", "Recruits"))
    assert pool(game) == (1, 3, 0, 0)
    assert events(game, "worker-lost") == [("worker-lost", 0, 0, 0, 0)]


@pytest.mark.rule("CK-187")
def test_a_stone_of_a_card() -> None:
    card = next(row for row in rows("ruins") if row.reward.stones)
    game = position(seat(pool=["automaton"], hand=[name_of(card)]), seat(), seat(), cards=OWN)
    play(game, card_action(game, "use", name_of(card)))
    assert asked(game) == (0, "stone")
    play(game, "stone-copper-lumber")
    assert slots(game) == {"copper-lumber"}
    assert game.phase == "place" or card.reward.stones > 1
