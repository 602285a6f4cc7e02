"""Options, card sets of one's own, and the errors for data files that describe no playable game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers_clockwork import BENCH, OWN, all_names, kingdom

from kingmaker.envs.clockwork_kingdom.tables import load
from kingmaker.envs.core.errors import OptionError, TableError
from kingmaker.envs.core.game import Game

TEXT = BENCH.read_text("utf-8")


def edited(folder: Path, old: str, new: str) -> Path:
    """Return a copy of the bench's file with the first such entry replaced."""
    assert old in TEXT
    path = folder / "mine.toml"
    path.write_text(TEXT.replace(old, new, 1), "utf-8")
    return path


@pytest.mark.rule("CK-170")
def test_a_set_of_ones_own_replaces_the_cards() -> None:
    assert "Chronicle" in all_names(kingdom(cards=BENCH), "schematics")
    assert "Chronicle" not in all_names(kingdom(cards=OWN), "schematics")
    assert "Steam-Powered Tank" in all_names(kingdom(cards=OWN), "schematics")


@pytest.mark.rule("CK-170")
def test_figures_of_ones_own_are_played_with(tmp_path: Path) -> None:
    text = TEXT
    for old, new in (
        ("automatons = 5", "automatons = 2"),
        ("tokens = 10", "tokens = 4"),
        ("rounds = 9", "rounds = 3"),
        *((f"after = {number}", f"after = {number // 3}") for number in (3, 6, 9)),
    ):
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    game = Game("clockwork_kingdom", 2, seed=1, tables=path)
    assert game.states["seats"]["pool"][0, :2, 0].tolist() == [2, 2]
    assert game.states["seats"]["tokens"][0, :2].tolist() == [4, 4]
    while not game.over:
        game.apply(game.legal_actions()[-1])
    assert int(game.states["rounds"][0]) == 3


@pytest.mark.rule("CK-36")
@pytest.mark.parametrize("value", [1, 0, "yes", 2])
def test_tokens_per_worker_is_a_truth_value(value: Any) -> None:
    with pytest.raises(OptionError, match="option 'tokens_per_worker' is true or false"):
        Game("clockwork_kingdom", options={"tokens_per_worker": value})


@pytest.mark.rule("CK-36", "CK-1")
def test_unknown_options_are_refused() -> None:
    with pytest.raises(OptionError, match="clockwork_kingdom has no option 'token_per_worker'"):
        Game("clockwork_kingdom", options={"token_per_worker": True})


@pytest.mark.rule("CK-170", "CK-1", "CK-30", "CK-33", "CK-171", "CK-195")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rounds = 9", "rounds = 10", r"^mine\.toml: rounds: .*less than or equal to 9"),
        ("rounds = 9", "rounds = 0", r"^mine\.toml: rounds: .*greater than or equal to 1"),
        ("rounds = 9", 'rounds = "9"', r"^mine\.toml: rounds: .*integer"),
        ("rounds = 9", "", r"^mine\.toml: rounds: .*required"),
        ("hand = 4", "hand = 5", r"^mine\.toml: hand: .*less than or equal to 4"),
        ("hand = 4", "hands = 4", r"hand: .*; hands: unknown setting"),
        ("[workers]", "[workers", r"mine\.toml is not a TOML file: "),
        ("automaton = 7", "automaton = 4", "a seat has 4 automatons, fewer than the 5 of a round"),
        ("professor = 3", "professor = 4", r"workers\.professor: .*less than or equal to 3"),
        (
            "cost = { steel = 1 }",
            "cost = {}",
            "the cost of Shed is 0 resources; it has to be 1 to 6, a full store",
        ),
        (
            "cost = { steel = 1 }",
            "cost = { steel = 4, canvas = 3 }",
            "the cost of Shed is 7 resources; it has to be 1 to 6, a full store",
        ),
        ("cost = { steel = 1 }", "cost = { iron = 1 }", r"schematics\.cards\.0\.cost\.iron: unknown setting"),
        ("cost = { steel = 1 }", "cost = { steel = -1 }", r"schematics\.cards\.0\.cost\.steel: "),
        ("cost = { lumber = 1 }", "cost = { lumber = 7 }", "the cost of Warehouse is 7 resources"),
        ("supply = 10", "supply = 1", "the cost of Palace has 2 of one resource; there are 1"),
        ("points = 9", "points = 31", r"schematics\.cards\.2\.points: .*less than or equal to 30"),
        ("points = 9", "points = 9.5", r"schematics\.cards\.2\.points: "),
        ('name = "Hall"', 'name = "Shed"', "schematic 'Shed' is listed twice; raise its copies instead"),
        ('name = "Map"', 'name = "Sack"', "uins card 'Sack' is listed twice"),
        ("hand = 4", "hand = 3", "there are 4 copies of Relic; at most 3 are possible"),
        ('name = "Garden"', 'name = "Mine"', "facility 'Mine' is listed twice"),
        ('name = "Hall"', 'name = " "', "a name has 1 to 32 bytes, not ' '"),
        ('name = "Hall"', f'name = "{"Ä" * 17}"', "a name has 1 to 32 bytes, not 'ÄÄ"),
        ("copies = 8", "copies = 13", r"schematics\.cards\.0\.copies: .*less than or equal to 12"),
        ("copies = 8", "copies = 0", r"schematics\.cards\.0\.copies: "),
        (
            'type = "military"',
            'type = "militia"',
            r"schematics\.cards\.3\.type: .*'plain', 'military' or 'academy'",
        ),
        ("seats = 4\ntype", "seats = 5\ntype", r"schematics\.cards\.6\.seats: .*less than or equal to 4"),
        ('windows = ["turn"]', 'windows = ["turns"]', r"ruins\.cards\.0\.windows\.0: "),
        ('windows = ["turn"]', "windows = []", r"ruins\.cards\.0\.windows: "),
        ("at_once = { cards = 2 }", "at_once = { cards = 5 }", r"at_once\.cards: .*less than or equal to 4"),
        ("at_once = { cards = 2 }", "at_once = { stone = 2 }", r"at_once\.stone: unknown setting"),
        (
            "each_round = { automaton = 1 }",
            "each_round = { choice = 1 }",
            r"each_round\.choice: unknown setting",
        ),
        ("lasting = { lab = 1 }", "lasting = { ruins = 1 }", r"lasting\.ruins: unknown setting"),
        ("market_random = 0", "market_random = 2", r"setups\.0\.market_random: "),
        ("workshop = 3", "workshop = 6", r"setups\.0\.workshop: .*less than or equal to 5"),
        ("battlefields = [3, 4]", "battlefields = [3, 5]", r"setups\.0\.battlefields\.1: "),
        ("battlefields = [3, 4]", "battlefields = []", r"setups\.0\.battlefields: "),
        ("seats = 2\n", "seats = 3\n", r"setups are for 2, 3 and 4 seats in this order, not for \[3, 3, 4\]"),
        ("shared = [2, 1, 1]", "shared = [2, 1]", r"wars\.0\.shared: "),
        ("after = 3", "after = 0", r"wars\.0\.after: "),
        (
            "after = 3",
            "after = 7",
            r"wars are scored after rounds in ascending order up to 9, not \[7, 6, 9\]",
        ),
        ('[[battlefields]]\nname = "Third"\n', "", r"battlefields: .*at least 4"),
        ("{ canvas = 1 }]", "]", r"park\.spaces: "),
    ],
)
def test_wrong_data_file_names_file_and_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        Game("clockwork_kingdom", tables=edited(tmp_path, old, new))


@pytest.mark.rule("CK-105", "CK-171")
def test_two_seats_need_a_row(tmp_path: Path) -> None:
    start, end = TEXT.index("[[schematics.cards]]"), TEXT.index("# --- Ruins cards")
    few = '[[schematics.cards]]\nname = "A"\ncopies = 4\npoints = 1\ncost = { steel = 1 }\n'
    more = '[[schematics.cards]]\nname = "B"\nseats = 3\npoints = 1\ncost = { steel = 1 }\n'
    path = tmp_path / "mine.toml"
    path.write_text(TEXT[:start] + few + more + TEXT[end:], "utf-8")
    with pytest.raises(TableError, match=r"^mine\.toml: 2 seats need at least 5 schematics, not 4"):
        load(path, {})
    path.write_text(TEXT[:start] + few.replace("4", "5") + more + TEXT[end:], "utf-8")
    assert int(load(path, {})["designs"][0]) == 3


@pytest.mark.rule("CK-170")
def test_too_many_designs(tmp_path: Path) -> None:
    many = "".join(
        f'[[schematics.cards]]\nname = "X{number}"\npoints = 1\ncost = {{ steel = 1 }}\n'
        for number in range(4)
    )
    end = TEXT.index("# --- Ruins cards")
    path = tmp_path / "mine.toml"
    path.write_text(TEXT[:end] + many + TEXT[end:], "utf-8")
    with pytest.raises(TableError, match=r"^mine\.toml: schematics\.cards: .*at most 31"):
        load(path, {})


def test_missing_data_file(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"cannot read .*none\.toml"):
        Game("clockwork_kingdom", tables=tmp_path / "none.toml")
