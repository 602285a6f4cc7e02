"""Figures as data: options, data files, and the errors for wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers_krig import board, defence, events, faces, hit_points, krig, legal, play, sides, tokens

from kingmaker.envs.core.errors import OptionError, TableError
from kingmaker.envs.core.game import Game
from kingmaker.envs.krig import tables

FILES = {
    name: (Path(tables.FOLDER) / f"{name}.toml").read_text("utf-8") for name in ("krig", "krig_intervention")
}


@pytest.mark.rule("KR-9", "KR-117", "KR-119")
def test_other_dice() -> None:
    """The bars go by the dice in use: the highest agility face is critical, a parry reaches its sides."""
    game = krig(agility_die=4, attack_die=12, defence_die=3, parry_die=6)
    assert sides(play(game.clone(), "defend 3")) == [3]
    assert sides(play(game.clone(), "attack 1 12")) == [4, 12]
    critical = play(game.clone(), "attack 4 12")
    assert (critical.phase, hit_points(critical)) == ("act", (20, 8))
    assert play(game.clone(), "attack 3 7").phase == "act"
    parried = play(game.clone(), "attack 3 6", "parry 6")
    assert sides(parried) == [6]
    assert hit_points(parried) == (20, 20)
    charged = play(game.clone(), "charge", "attack 1 1 3 12 3")
    assert hit_points(charged) == (20, 5)


@pytest.mark.rule("KR-52", "KR-109", "KR-205")
@pytest.mark.parametrize(
    ("options", "points", "held"),
    [
        ({"hit_points": 7}, (5, 7), 3),
        ({"hit_points": 30, "handicap": 0}, (30, 30), 3),
        ({"handicap": 19, "tokens": 0}, (1, 20), 0),
        ({"tokens": 20}, (18, 20), 20),
    ],
)
def test_other_starts(options: dict[str, int], points: tuple[int, int], held: int) -> None:
    game = krig("krig_intervention", **options)
    assert hit_points(game) == points
    assert tokens(game) == (held, held)


@pytest.mark.rule("KR-204")
def test_mechanisms_can_be_switched_off() -> None:
    options: dict[str, Any] = {"tokens": 0, "games": 1}
    game = krig("krig_intervention", perfect_parry=False, **options)
    play(game, "attack 5 4", "parry 4", "attack 5 5")
    assert hit_points(game) == (13, 20)
    game = krig("krig_intervention", other={"defence": 4}, guard_break=False, **options)
    play(game, "attack 5 4", "accept")
    assert "guard-broken" not in events(game)
    assert board(game, 1).broken == 0
    assert "defend" in legal(game)


def test_cap_of_turns_is_an_option() -> None:
    game = play(krig(max_turns=1), "charge")
    assert game.truncated
    assert int(game.states["turn"][0]) == 1


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("krig", {"tokens": 3}, "krig has no option 'tokens'"),
        ("krig", {"hit_points": 0}, r"option 'hit_points' lies in 1\.\.100, not 0"),
        ("krig", {"agility_die": 2}, r"option 'agility_die' lies in 3\.\.20, not 2"),
        ("krig", {"max_turns": 0}, "option 'max_turns' lies in"),
        ("krig", {"attack_die": 6.0}, "option 'attack_die' is an integer, not 6.0"),
        ("krig_intervention", {"guard_break": 1}, "option 'guard_break' is true or false, not 1"),
        ("krig_intervention", {"tokens": 21}, r"option 'tokens' lies in 0\.\.20, not 21"),
    ],
)
def test_wrong_options(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Game(name, options=options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 2}, "games must be odd, so that a match has a winner, not 2"),
        ({"handicap": 20}, "handicap 20 leaves the first seat no hit points of 20"),
        ({"hit_points": 2}, "handicap 2 leaves the first seat no hit points of 2"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, int], message: str) -> None:
    with pytest.raises(TableError, match=message):
        Game("krig_intervention", options=options)


def edited(folder: Path, name: str, old: str, new: str) -> Path:
    """Return a copy of a game's data file with one entry replaced."""
    assert FILES[name].count(old) == 1
    path = folder / "mine.toml"
    path.write_text(FILES[name].replace(old, new), "utf-8")
    return path


def test_data_file_replaces_the_figures(tmp_path: Path) -> None:
    path = edited(tmp_path, "krig", "attack = 6", "attack = 12")
    game = Game("krig", seed=0, tables=path)
    game.record()
    game.reset(0, script=faces(2, 1))
    play(game, "attack 10 12")
    assert sides(game) == [10, 12]
    assert hit_points(game) == (20, 8)
    # An option given beside the file replaces the file's entry; the others stay.
    both = Game("krig", seed=0, tables=path, options={"hit_points": 5})
    assert hit_points(both) == (5, 5)
    assert int(both.tables["dice"]["attack"][0]) == 12


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("krig", "attack = 6", "attack = 0", r"^mine\.toml: dice\.attack: .*greater than or equal to 1"),
        ("krig", "attack = 6", "attack = 21", r"^mine\.toml: dice\.attack: .*less than or equal to 20"),
        ("krig", "agility = 10", "agility = 2", r"^mine\.toml: dice\.agility: "),
        ("krig", "parry = 4", "", r"^mine\.toml: dice\.parry: .*required"),
        ("krig", "parry = 4", "party = 4", r"dice\.parry: .*; dice\.party: "),
        ("krig", "hit_points = 20", 'hit_points = "20"', r"^mine\.toml: hit_points: .*integer"),
        ("krig", "hit_points = 20", "hit_points = 20.0", r"^mine\.toml: hit_points: "),
        ("krig", "hit_points = 20", "hit_points = 101", r"^mine\.toml: hit_points: "),
        ("krig", "tokens = 0", "tokens = 1", r"^mine\.toml: .*need intervention = true"),
        ("krig", "games = 1 ", "games = 2 ", r"^mine\.toml: .*games must be odd"),
        ("krig_intervention", "handicap = 2 ", "handicap = 20 ", r"^mine\.toml: .*no hit points of 20"),
        (
            "krig_intervention",
            "guard_break = true",
            "guard_break = 1",
            r"^mine\.toml: guard_break: .*boolean",
        ),
        ("krig_intervention", "tokens = 3", "tokens = -1", r"^mine\.toml: tokens: "),
        ("krig_intervention", "[dice]", "[dice", r"mine\.toml is not a TOML file: "),
    ],
)
def test_wrong_data_file_names_file_and_field(
    tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(TableError, match=message):
        Game(name, tables=edited(tmp_path, name, old, new))


def test_missing_data_file(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"cannot read .*none\.toml"):
        Game("krig", tables=tmp_path / "none.toml")


def test_largest_figures_stay_in_range() -> None:
    """The record holds 16-bit counts: the biggest dice and scores that the options allow must fit."""
    game = krig(attack_die=20, defence_die=20, agility_die=20, hit_points=100)
    play(game, "charge", "attack 1 1 20 20 20")
    assert hit_points(game) == (100, 60)
    assert defence(game) == (0, 0)
    game = krig("krig_intervention", games=9, hit_points=100, handicap=0, tokens=0)
    for number in range(1, 6):
        winner = 0
        if game.actor != winner:
            play(game, "attack 1 1")
        game.state.seats[1].hit_points = 1
        game.apply("attack", script=faces(10, 1, *((8, 1) if 2 <= number < 5 else ())))
    assert game.results()[1].tolist() == [500, 0]
