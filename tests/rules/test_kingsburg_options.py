"""Figures as data: the option, data files, and the errors for wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from figures_kingsburg import ADVISORS, BUILDINGS, DISPUTED, ENEMIES, GOODS
from helpers_kingsburg import closing, field, goods, kingsburg, legal, play, seat, vp

from kingmaker.envs.core.errors import OptionError, TableError
from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import SUMMER
from kingmaker.envs.kingsburg.tables import ENEMY_TYPES, FILE

PRINTED = FILE.read_text("utf-8")


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return a copy of the data file with some words replaced."""
    text = PRINTED
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the file"
        text = text.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.rule(
    "KB-121", "KB-122", "KB-123", "KB-124", "KB-125", "KB-126", "KB-127", "KB-128", "KB-129", "KB-130",
    "KB-131", "KB-132", "KB-133", "KB-134", "KB-135", "KB-136", "KB-137", "KB-138",
)  # fmt: skip
def test_printed_advisors() -> None:
    table = kingsburg(2).tables["advisors"][0]
    for row, advisor in zip(table, ADVISORS, strict=True):
        assert tuple(row["goods"]) == advisor.given
        assert {kind for bit, kind in enumerate(GOODS) if int(row["kinds"]) >> bit & 1} == advisor.kinds
        assert (row["choice"], row["price"], row["trade"]) == (advisor.choice, advisor.price, advisor.trades)
        others = [int(row[name]) for name in ("tokens", "soldiers", "vp", "peek")]
        assert others == [advisor.tokens, advisor.soldiers, advisor.vp, advisor.peek]


@pytest.mark.rule(
    "KB-142", "KB-143", "KB-144", "KB-145", "KB-146", "KB-147", "KB-148", "KB-149", "KB-150", "KB-151",
    "KB-152", "KB-153", "KB-154", "KB-155", "KB-156", "KB-157", "KB-158", "KB-159", "KB-160", "KB-161",
)  # fmt: skip
def test_printed_buildings() -> None:
    table = kingsburg(2).tables["buildings"][0]
    for row, building in zip(table, BUILDINGS, strict=True):
        against = ENEMY_TYPES[int(row["against"])] if row["against"] >= 0 else None
        assert (tuple(row["cost"]), row["vp"], row["battle"]) == (building.cost, building.vp, building.battle)
        assert (against, row["against_bonus"]) == (building.against, int(building.against is not None))


@pytest.mark.rule("KB-180")
def test_printed_enemies() -> None:
    table = kingsburg(2).tables["enemies"][0]
    for row, (card, enemy) in zip(table, ENEMIES.items(), strict=True):
        assert (row["strength"], ENEMY_TYPES[int(row["type"])]) == (enemy.strength, enemy.kind)
        if card == DISPUTED:
            continue
        assert (tuple(row["lose_goods"]), row["lose_choice"]) == (enemy.loses, enemy.choice_lost)
        assert (row["lose_building"], row["lose_vp"]) == (enemy.building_lost, enemy.vp_lost)
        assert (tuple(row["win_goods"]), row["win_choice"], row["win_vp"]) == (
            enemy.wins, enemy.choice_won, enemy.vp_won,
        )  # fmt: skip


# --- the option ---------------------------------------------------------------------------------------


@pytest.mark.rule("KB-19")
@pytest.mark.parametrize("once", [False, True])
def test_stables_once_is_an_option(once: bool) -> None:
    game = kingsburg(3, stables_once=once)
    assert game.options == {"stables_once": once}
    assert int(game.states["stables_once"][0]) == once
    assert kingsburg(3).options == {"stables_once": False}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stables_once": 1}, "option 'stables_once' is true or false, not 1"),
        ({"stables": True}, "kingsburg has no option 'stables'; its options are stables_once"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Game("kingsburg", options=options)


# --- data files ---------------------------------------------------------------------------------------


def test_other_figures_are_played(tmp_path: Path) -> None:
    """A Jester of 5 points, a Squire who lets one choose, an Inn of other price and points."""
    path = edited(
        tmp_path,
        ("jester = { vp = 1 }", "jester = { vp = 5 }"),
        ("squire = { gold = 1 }", 'squire = { choice = 3, kinds = ["stone", "gold"] }'),
        ("inn = { cost = { gold = 1, wood = 1 }, vp = 0", "inn = { cost = { stone = 2 }, vp = 4"),
    )
    game = closing(seat(influence=[1]), seat(influence=[2]), seat(), calendar=SUMMER, tables=path)
    play(game, "pass")
    assert vp(game) == [5, 0, 0]
    mixed = {"take-gold-gold-gold", "take-gold-gold-stone", "take-gold-stone-stone", "take-stone-stone-stone"}
    assert (game.actor, legal(game)) == (1, mixed)
    play(game, "take-gold-stone-stone", "build-inn ...")
    assert (goods(game, 1), vp(game)) == ((1, 0, 0), [5, 4, 0])


def test_effects_may_move(tmp_path: Path) -> None:
    """The Barricade gives the Inn's token, the Inn nothing."""
    barricade = "barricade = { cost = { wood = 1 }, vp = 0"
    path = edited(
        tmp_path,
        ('vp = 0, effect = "summer-token"', "vp = 0"),
        (barricade, f'{barricade}, effect = "summer-token"'),
    )
    game = closing(seat(buildings=["inn"]), seat(buildings=["barricade"]), calendar=SUMMER, tables=path)
    play(game, "pass ...")
    assert [field(game, "tokens", number) for number in range(2)] == [0, 1]


def test_names_may_stand_in_any_order(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("jester = { vp = 1 }\n", ""), ("queen = { choice", "jester = { vp = 1 }\nqueen = { choice")
    )
    assert (
        Game("kingsburg", tables=path).tables["advisors"].tobytes()
        == kingsburg(2).tables["advisors"].tobytes()
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("jester = { vp = 1 }", "", r"^mine\.toml: advisors lacks jester"),
        ("jester = {", "joker = {", r"advisors lacks jester and has no place for joker"),
        ("inn = {", "tavern = {", r"^mine\.toml: buildings lacks inn and has no place for tavern"),
        (
            "V-e = { strength = 9",
            "V-f = { strength = 9",
            r"^mine\.toml: enemies lacks V-e and has no place for V-f",
        ),
        (
            "jester = { vp = 1 }",
            "jester = { vp = -1 }",
            r"^mine\.toml: advisors\.jester\.vp: .*greater than or equal to 0",
        ),
        ("jester = { vp = 1 }", "jester = { vp = 31 }", r"advisors\.jester\.vp: .*less than or equal to 30"),
        ("jester = { vp = 1 }", 'jester = { vp = "1" }', r"advisors\.jester\.vp: .*integer"),
        ("jester = { vp = 1 }", "jester = { points = 1 }", r"advisors\.jester\.points: unknown setting"),
        (
            "duchess = { choice = 2",
            "duchess = { choice = 4",
            r"advisors\.duchess\.choice: .*less than or equal to 3",
        ),
        (
            "wizard = { gold = 4 }",
            "wizard = { gold = 7 }",
            r"advisors\.wizard: 7 goods at once; 6 is the most",
        ),
        (
            "smuggler = { choice = 3",
            "smuggler = { gold = 3",
            r"advisors\.smuggler: a price is paid for goods of choice",
        ),
        (
            "alchemist = { trade = true",
            "alchemist = { choice = 1, trade = true",
            r"advisors\.alchemist: .*not both",
        ),
        ('kinds = ["gold", "stone"]', 'kinds = ["gold", "iron"]', r"advisors\.master-hunter\.kinds\.1: "),
        ('kinds = ["gold", "stone"]', "kinds = []", r"advisors\.master-hunter\.kinds: "),
        ("statue = { cost = { gold = 2 }, ", "statue = { ", r"buildings\.statue\.cost: .*required"),
        (
            "statue = { cost = { gold = 2 }",
            "statue = { cost = { gold = 10 }",
            r"buildings\.statue\.cost\.gold: ",
        ),
        ('against = "demons"', 'against = "devils"', r"buildings\.church\.against: "),
        (
            ', against = "demons", against_bonus = 1',
            ', against = "demons"',
            r"buildings\.church: .*belong together",
        ),
        ('effect = "reroll-one"', 'effect = "reroll-two"', r"buildings\.statue\.effect: "),
        (
            'effect = "reroll-one"',
            'effect = "reroll-all"',
            r"more than one building has the effect reroll-all",
        ),
        ("farms = { cost = { gold = 2,", "farms = { cost = {", r"mine\.toml: farms costs? no gold, so"),
        ("V-e = { strength = 9", "V-e = { strength = 100", r"enemies\.V-e\.strength: "),
        ("V-e = { strength = 9, ", "V-e = { ", r"enemies\.V-e\.strength: .*required"),
        ('type = "dragons"', 'type = "dragon"', r"enemies\.V-e\.type: "),
        (
            'V-a = { strength = 7, type = "barbarians", loss = {',
            'V-a = { strength = 7, type = "barbarians", loss = { choice = 5,',
            r"enemies\.V-a\.loss\.choice: ",
        ),
        (
            "reward = { vp = 3 }",
            "reward = { vp = 3, building = true }",
            r"enemies\.V-e\.reward\.building: unknown setting",
        ),
        ("[enemies]", "[enemies", r"mine\.toml is not a TOML file: "),
        ("[enemies]", "[foes]", r"mine\.toml: enemies: .*required; foes: unknown setting"),
    ],
)
def test_wrong_data_file_names_file_and_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        Game("kingsburg", tables=edited(tmp_path, (old, new)))


def test_missing_data_file(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"cannot read .*none\.toml"):
        Game("kingsburg", tables=tmp_path / "none.toml")


def test_disputed_card_is_data(tmp_path: Path) -> None:
    """The other reading of IV-c is a matter of one line."""
    line = next(line for line in PRINTED.splitlines() if line.startswith("IV-c"))
    loss, reward = "loss = { choice = 4, building = true }", "reward = { gold = 1 }"
    other = f'IV-c = {{ strength = 6, type = "demons", {loss}, {reward} }}'
    game = Game("kingsburg", tables=edited(tmp_path, (line, other)))
    row = game.tables["enemies"][0, list(ENEMIES).index(DISPUTED)]
    assert (row["lose_building"], row["lose_vp"], row["win_vp"]) == (1, 0, 0)
