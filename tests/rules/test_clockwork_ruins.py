"""Ruins cards: drawing, the hand, and when cards may be played."""

from __future__ import annotations

from typing import Any

import pytest
from figures_clockwork import AREAS, HAND
from helpers_clockwork import (
    BENCH,
    OWN,
    asked,
    before_last,
    card_action,
    distribution,
    events,
    hand,
    happened,
    kingdom,
    legal,
    play,
    points,
    pool,
    position,
    resolve,
    resolved,
    ruins,
    seat,
    sides,
    total,
)

# A card of the bench for the window of each area.
CARD = dict(
    zip(AREAS, ("Sack", "Draught", "Plans", "Map", "Banner", "Letter", "Whistle", "Crown"), strict=True)
)


# --- drawing ------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-137", "CK-138")
@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_a_card_for_each_worker(workers: int) -> None:
    game = resolve(
        seat(*["ruins"] * workers), seat(), seat("park"), ruins=["Sack"] * 2 + ["Map"] * 2 + ["Crate"] * 2
    )
    assert len(hand(game)) == workers
    assert len(ruins(game)) == 6 - workers
    assert (hand(game, 1), hand(game, 2)) == ([], [])
    assert game.phase == "place"


@pytest.mark.rule("CK-137")
def test_workers_of_any_type_draw_one_card() -> None:
    line = ["professor-ruins", "alchemist-ruins", "artificer-ruins", "ruins"]
    game = resolve(seat(*line), seat(), seat("park"), ruins=["Sack"] * 9)
    assert hand(game) == ["Sack"] * 4


@pytest.mark.rule("CK-137", "CK-108")
def test_cards_are_drawn_evenly() -> None:
    game, last = before_last(
        seat("ruins"), seat("lab"), seat("park"), ruins=["Sack"] * 3 + ["Map"] + ["Letter"] * 2
    )
    first = play(game.clone(), last)
    assert first.phase == "stone"
    seen = distribution(first, "stone-steel-copper", lambda after: hand(after)[0])
    assert seen == pytest.approx({"Sack": 3 / 6, "Map": 1 / 6, "Letter": 2 / 6})


@pytest.mark.rule("CK-32")
def test_seats_draw_in_turn_order_all_cards_of_each() -> None:
    game = resolve(
        seat("ruins", "ruins"),
        seat("ruins"),
        seat("ruins", "ruins", "ruins"),
        order=[2, 0, 1],
        ruins=["Sack"] * 9,
    )
    assert [who for _, who in happened(game, "draws-card")] == [2, 2, 2, 0, 0, 1]
    assert sides(game)[:6] == [9, 8, 7, 6, 5, 4]


# --- the hand -----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-138", "CK-32")
def test_a_fifth_card_has_one_discarded_at_once() -> None:
    """And the next card is drawn only then: each of three draws over the limit is followed by a discard."""
    full = ["Sack", "Map", "Crate", "Letter"]
    game = resolve(seat(*["ruins"] * 3, hand=full), seat("ruins"), seat(), ruins=["Crown"] * 9)
    for number in range(3):
        if number == 0:
            play_window(game, "pass")
        assert asked(game) == (0, "drop")
        assert len(hand(game)) == HAND + 1
        assert happened(game, "draws-card") == [("draws-card", 0)]
        assert legal(game) == {card_action(game, "drop", card) for card in set(hand(game))}
        play(game, card_action(game, "drop", ("Crown", "Sack", "Map")[number]))
    assert sorted(hand(game)) == sorted(["Crate", "Letter", "Crown", "Crown"])
    assert ruins(game, "ruins_discards") == ["Sack", "Map", "Crown"]


def play_window(game, answer: str) -> None:
    """Answer all windows before the Ruins resolve."""
    while game.phase == "window":
        play(game, answer)


@pytest.mark.rule("CK-138")
def test_four_cards_are_kept() -> None:
    game = resolve(seat("ruins", hand=["Crown", "Crown", "Recruits"]), seat("lab"), seat(), ruins=["Crown"])
    play(game, "stone-steel-copper")
    assert asked(game) == (0, "window")  # the Park, long after
    assert len(hand(game)) == HAND


@pytest.mark.rule("CK-195", "CK-138")
@pytest.mark.parametrize("cards", [BENCH, OWN])
def test_a_hand_that_is_too_large_leaves_a_choice(cards: Any) -> None:
    """So nobody learns from a silent discard that a hand is all of one kind."""
    tables = kingdom(cards=cards).tables[0]
    assert tables["ruins"]["copies"].max() <= tables["hand"]
    game = resolve(seat("ruins", hand=["Recruits"] * 4), seat("park"), seat(), ruins=["Sack"])
    assert asked(game) == (0, "drop")
    assert len(legal(game)) == 2


@pytest.mark.rule("CK-138")
def test_the_discard_comes_before_any_card_is_played() -> None:
    """A card for the Battle, whose window opens next, does not help against the limit."""
    game = resolve(
        seat("ruins", hand=["Banner", "Banner", "Crate", "Crate"]), seat("lab"), seat(), ruins=["Letter"]
    )
    play(game, "stone-steel-copper", "pass")  # the Workshop's window, for the Crate
    assert asked(game) == (0, "drop")
    assert resolved(game)[-1] == "ruins"
    play(game, card_action(game, "drop", "Banner"))
    assert asked(game) == (0, "window")


# --- the deck -----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-34")
def test_the_discards_are_shuffled_when_the_deck_is_empty() -> None:
    game, last = before_last(
        seat("ruins", "ruins"),
        seat("lab"),
        seat("park"),
        ruins=["Sack"],
        ruins_discards=["Crown", "Map", "Map"],
    )
    after = play(game.clone(), last)
    seen = distribution(after, "stone-steel-copper", lambda later: tuple(sorted(set(hand(later)) - {"Sack"})))
    assert seen == pytest.approx({("Crown",): 1 / 3, ("Map",): 2 / 3})
    play(after, "stone-steel-copper")
    assert [happening[2] for happening in events(after, "ruins-reshuffled")] == [3]
    assert (len(ruins(after)), ruins(after, "ruins_discards")) == (2, [])


@pytest.mark.rule("CK-34")
def test_no_card_where_there_is_none() -> None:
    game = resolve(seat("ruins", "ruins"), seat("ruins"), seat("park"), ruins=["Sack"])
    assert [hand(game, number) for number in range(2)] == [["Sack"], []]
    assert ("no-card", 0) in happened(game)
    assert ("no-card", 1) in happened(game)


@pytest.mark.rule("CK-35")
def test_cards_in_hand_are_worth_nothing_at_the_end() -> None:
    game = resolve(seat("ruins", hand=["Recruits"] * 4), seat("park"), seat("ruins"), number=9)
    assert game.over
    assert total(game, 0) == total(game, 2) == 5 // 3


# --- windows of areas ---------------------------------------------------------------------------------


@pytest.mark.rule("CK-33")
@pytest.mark.parametrize("area", AREAS)
def test_each_area_opens_a_window_as_it_starts_to_resolve(area: str) -> None:
    game = resolve(seat("factory", hand=[CARD[area]]), seat("park"), seat())
    assert asked(game) == (0, "window")
    assert resolved(game)[-1] == area
    assert legal(game) == {"pass", card_action(game, "play", CARD[area])}
    after = play(game.clone(), "pass")
    assert (after.phase, hand(after)) == ("place", [CARD[area]])
    play(game, card_action(game, "play", CARD[area]))
    assert happened(game, "plays-card") == [("plays-card", 0)]
    assert CARD[area] not in hand(game) or area == "ruins"


@pytest.mark.rule("CK-33")
def test_a_window_comes_before_the_area_resolves() -> None:
    game = resolve(seat("market-canvas", hand=["Sack"]), seat("park"), seat())
    assert "receives-canvas" not in [name for name, _ in happened(game)]
    play(game, card_action(game, "play", "Sack"))
    received = [name for name, who in happened(game) if who == 0 and name.startswith("receives")]
    assert received == ["receives-steel", "receives-steel", "receives-canvas"]


@pytest.mark.rule("CK-33", "CK-10")
def test_seats_are_asked_in_turn_order_and_only_with_a_card() -> None:
    game = resolve(
        seat("factory", hand=["Crown"]),
        seat("park", hand=["Sack"]),
        seat(hand=["Crown", "Sack"]),
        seat(hand=["Sack"]),
        order=[3, 2, 0, 1],
    )
    turns = []
    while game.phase == "window":
        turns.append(game.actor)
        play(game, "pass")
    assert turns == [3, 2, 1, 2, 0]


@pytest.mark.rule("CK-33")
def test_one_card_in_a_window() -> None:
    game = resolve(seat("factory", hand=["Crown", "Crown"]), seat("park"), seat())
    play(game, card_action(game, "play", "Crown"))
    assert (game.phase, hand(game), points(game)) == ("place", ["Crown"], {"rewards": 2})


@pytest.mark.rule("CK-33")
def test_a_card_for_several_windows_may_be_played_in_each_of_them() -> None:
    game = resolve(seat("factory", hand=["Relic"]), seat("park"), seat())
    seen = []
    while game.phase == "window":
        seen += resolved(game)
        assert card_action(game, "play", "Relic") in legal(game)
        play(game, "pass")
    assert seen == list(AREAS)
    assert legal(game) >= {"automaton-lab"}
    assert hand(game) == ["Relic"]


@pytest.mark.rule("CK-33")
def test_a_card_drawn_in_the_ruins_may_be_played_in_the_next_window() -> None:
    game = resolve(seat("ruins"), seat("park"), seat(), ruins=["Banner"])
    assert asked(game) == (0, "window")
    assert resolved(game)[-1] == "battle"
    game = resolve(seat("ruins"), seat("park"), seat(), ruins=["Sack"])
    assert game.phase == "place"


# --- the placement turn -------------------------------------------------------------------------------


@pytest.mark.rule("CK-33", "CK-183")
def test_a_card_at_the_start_of_a_placement_turn() -> None:
    game = position(
        seat(pool=["artificer"], hand=["Recruits", "Crate", "Crown"]), seat(pool=["automaton"]), seat()
    )
    uses = {card_action(game, "use", card) for card in ("Recruits", "Crate")}
    assert {action for action in legal(game) if action.startswith("use")} == uses
    play(game, card_action(game, "use", "Recruits"))
    # The same seat then places, one of the new workers if it likes, and may not use another card.
    assert asked(game) == (0, "place")
    assert pool(game) == (1, 1, 0, 1)
    assert not any(action.startswith("use") for action in legal(game))
    play(game, "professor-ruins")
    assert asked(game) == (1, "place")
    play(game, "automaton-ruins")
    # In its next turn it may again.
    assert asked(game) == (0, "place")
    assert card_action(game, "use", "Crate") in legal(game)


@pytest.mark.rule("CK-33", "CK-3")
def test_no_turn_no_card() -> None:
    """A seat without workers has no placement turn, so it cannot use a card that would give it some."""
    game = position(seat(pool=["automaton"] * 2), seat(hand=["Recruits"]), seat(pool=["automaton"]))
    play(game, "automaton-lab")
    assert game.actor == 2
    play(game, "automaton-lab")
    assert game.actor == 0


@pytest.mark.rule("CK-33")
def test_a_card_in_a_placement_turn_may_ask() -> None:
    game = position(seat(pool=["automaton"], hand=["Crate"], store=(6, 0, 0, 0)), seat(), seat())
    play(game, card_action(game, "use", "Crate"))
    assert asked(game) == (0, "receive")
    play(game, "receive-lumber")
    assert asked(game) == (0, "discard")
    play(game, "discard-steel")
    assert asked(game) == (0, "place")


@pytest.mark.rule("CK-182")
def test_a_played_card_is_discarded_before_its_effect() -> None:
    """A card that draws a card finds itself among the discards when the deck is empty."""
    game = resolve(seat("factory", hand=["Map"]), seat("park"), seat())
    assert asked(game) == (0, "window")
    play(game, card_action(game, "play", "Map"))
    assert [name for name, who in happened(game, "plays-card", "ruins-reshuffled", "draws-card")] == [
        "plays-card", "ruins-reshuffled", "draws-card"
    ]  # fmt: skip
    assert (hand(game), ruins(game), ruins(game, "ruins_discards")) == (["Map"], [], [])
    game = resolve(seat("factory", hand=["Crown"]), seat("park"), seat())
    play(game, card_action(game, "play", "Crown"))
    assert ruins(game, "ruins_discards") == ["Crown"]
