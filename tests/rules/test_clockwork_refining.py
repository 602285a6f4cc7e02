"""Facilities that refine: one resource for another at the end of a round."""

from __future__ import annotations

import pytest
from helpers_clockwork import asked, happened, legal, play, resolve, seat, store, supply


@pytest.mark.rule("CK-174", "CK-115")
def test_refining_turns_one_other_resource_into_that_of_the_facility() -> None:
    game = resolve(seat("ruins", facilities=["Refinery"], store=(2, 0, 1, 1)), seat("park"), seat())
    assert asked(game) == (0, "refine")
    assert legal(game) == {"refine-steel", "refine-lumber", "keep"}
    before = supply(game)
    play(game, "refine-steel")
    assert (game.phase, store(game)) == ("place", (1, 0, 1, 2))
    assert supply(game) == (before[0] + 1, *before[1:3], before[3] - 1)


@pytest.mark.rule("CK-174")
def test_refining_may_be_declined() -> None:
    game = resolve(seat("ruins", facilities=["Refinery"], store=(2, 0, 1, 1)), seat("park"), seat())
    play(game, "keep")
    assert (game.phase, store(game)) == ("place", (2, 0, 1, 1))


@pytest.mark.rule("CK-174")
def test_refining_needs_another_resource_and_one_in_the_supply() -> None:
    game = resolve(seat("ruins", facilities=["Refinery"], store=(0, 0, 0, 3)), seat("park"), seat())
    assert (game.phase, store(game)) == ("place", (0, 0, 0, 3))
    game = resolve(
        seat("ruins", facilities=["Refinery"], store=(3, 0, 0, 0)), seat("park"), seat(), supply=(5, 5, 5, 0)
    )
    assert (game.phase, store(game)) == ("place", (3, 0, 0, 0))


@pytest.mark.rule("CK-174", "CK-173")
def test_refining_comes_after_all_other_resources_named_ones_first() -> None:
    game = resolve(
        seat("ruins", facilities=["Smelter", "Garden"], built=["Foundry", "Fair"]), seat("park"), seat()
    )
    received = [name for name, who in happened(game) if who == 0 and name.startswith("receives")]
    assert received[:4] == ["receives-copper", *["receives-lumber"] * 3]
    assert len(received) == 4 + 2
    # The Smelter refines two into steel and the Foundry one.
    answers = 0
    while game.phase == "refine":
        assert not any(action.endswith("-steel") for action in legal(game))
        play(game, next(action for action in sorted(legal(game)) if action.startswith("refine")))
        answers += 1
    assert answers == 3
    assert store(game)[0] >= 3
    assert sum(store(game)) == 6


@pytest.mark.rule("CK-174")
def test_facilities_that_refine_do_so_one_after_the_other() -> None:
    game = resolve(seat("ruins", facilities=["Refinery"] * 2, store=(1, 1, 0, 0)), seat("park"), seat())
    play(game, "refine-steel")
    assert legal(game) == {"refine-copper", "keep"}
    play(game, "refine-copper")
    assert (game.phase, store(game)) == ("place", (0, 0, 0, 2))
    # Declining ends it for that resource.
    game = resolve(seat("ruins", facilities=["Refinery"] * 2, store=(1, 1, 0, 0)), seat("park"), seat())
    assert play(game, "keep").phase == "place"
