"""The enemy deck: who knows what, and what is drawn again for a seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from figures_kingsburg import CARDS, STRENGTHS, cards_of
from helpers_kingsburg import field, placing, play, random_positions, recruiting, seat

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import SUMMER, WINTER

YEARS = pytest.mark.parametrize("year", [1, 2, 3, 4, 5])
REDEALS = 60


def summer(year: int, peeked: Sequence[int] = ()) -> Game:
    """Return a game of three in a Summer; some seats have looked at the enemy."""
    seats = [seat(dice=(2, 3, 6), peeked=int(number in peeked)) for number in range(3)]
    return placing(*seats, year=year, calendar=SUMMER)


def deck(game: Game) -> list[str]:
    """Return the enemies of the five years."""
    return [CARDS[int(card)] for card in game.states["deck"][0]]


def redealt_cards(game: Game, viewer: int) -> list[set[str]]:
    """Return for each year the cards that redealing for a seat brings up."""
    decks = [deck(game.redealt(viewer, number)) for number in range(REDEALS)]
    return [{cards[year] for cards in decks} for year in range(5)]


def with_card(game: Game, year: int, card: str) -> Game:
    """Return a copy of a game with another enemy in a year."""
    other = game.clone()
    other.state.deck[year - 1] = CARDS.index(card)
    other.refresh()
    return other


@YEARS
@pytest.mark.rule("KB-18", "KB-103", "KB-106", "KB-107")
def test_unseen_cards_are_drawn_again_from_those_of_their_year(year: int) -> None:
    game = summer(year)
    for index, found in enumerate(redealt_cards(game, 0)):
        over = index + 1 < year  # fought already, before everybody's eyes
        assert found == ({deck(game)[index]} if over else set(cards_of(index + 1)))


@YEARS
@pytest.mark.rule("KB-18")
def test_seen_card_is_kept_for_the_seat_that_saw_it(year: int) -> None:
    game = summer(year, peeked=[1])
    assert redealt_cards(game, 1)[year - 1] == {deck(game)[year - 1]}
    assert redealt_cards(game, 0)[year - 1] == redealt_cards(game, 2)[year - 1] == set(cards_of(year))
    for later in range(year, 5):
        assert redealt_cards(game, 1)[later] == set(cards_of(later + 1))


@pytest.mark.rule("KB-18", "KB-170")
def test_in_winter_the_card_is_known_to_all() -> None:
    game = recruiting(seat((2, 2, 2)), seat((2, 2, 2)), seat((2, 2, 2)), year=2, enemy="II-d")
    play(game, "stop-recruiting 1")
    assert (game.phase, int(game.states["calendar"][0])) == ("lose", WINTER)
    for viewer in range(3):
        assert redealt_cards(game, viewer)[1] == {"II-d"}
        assert "II-d" in game.position(viewer)


@pytest.mark.rule("KB-18", "KB-53")
def test_next_years_card_is_unknown_again() -> None:
    game = recruiting(seat(peeked=1), seat(), seat(), year=2, enemy="II-e")
    play(game, "stop-recruiting 1 ...")
    assert [field(game, "peeked", number) for number in range(3)] == [0, 0, 0]
    assert redealt_cards(game, 0)[2] == set(cards_of(3))
    assert redealt_cards(game, 0)[1] == {"II-e"}


@YEARS
@pytest.mark.rule("KB-18", "KB-106")
@pytest.mark.parametrize("peeked", [[], [0, 1]])
def test_nothing_tells_the_card_to_a_seat_that_has_not_looked(year: int, peeked: list[int]) -> None:
    """Whatever lies in the deck: view, mask and words are the same."""
    game = summer(year, peeked)
    seen = [game.observe(viewer) for viewer in range(3)]
    others = [(year, card) for card in cards_of(year)]
    others += [(later, card) for later in range(year + 1, 6) for card in cards_of(later)[1:4:2]]
    for other in [with_card(game, *number) for number in others]:
        assert np.array_equal(other.mask(), game.mask())
        changed = deck(other)[year - 1] != deck(game)[year - 1]
        for viewer in range(3):
            same = np.array_equal(other.observe(viewer), seen[viewer])
            assert same == (viewer not in peeked or not changed)
            assert (other.position(viewer) == game.position(viewer)) == same


@YEARS
@pytest.mark.rule("KB-107")
def test_strengths_of_the_year_are_told_to_all(year: int) -> None:
    game = summer(year)
    for viewer in range(3):
        assert f"strengths {', '.join(map(str, STRENGTHS[year]))}" in game.position(viewer)


@YEARS
@pytest.mark.rule("KB-18")
def test_that_a_seat_looked_is_public(year: int) -> None:
    one, other = summer(year, peeked=[1]), summer(year)
    for viewer in range(3):
        assert not np.array_equal(one.observe(viewer), other.observe(viewer))
        assert "has looked at the enemy" in one.position(viewer)
        assert "has looked at the enemy" not in other.position(viewer)


@pytest.mark.rule("KB-18", "KB-106")
@pytest.mark.parametrize("num_players", [2, 5])
def test_redealing_in_random_games(num_players: int) -> None:
    """What a seat knows stays: the cards fought, and the one it has seen."""
    for game in random_positions(num_players, 1):
        if game.moves % 29:
            continue
        year, winter = int(game.states["year"][0]), int(game.states["calendar"][0]) == WINTER
        for viewer in range(num_players):
            other = game.redealt(viewer, game.moves)
            known = year if winter or field(game, "peeked", viewer) else year - 1
            assert deck(other)[:known] == deck(game)[:known]
            assert all(card in cards_of(index + 1) for index, card in enumerate(deck(other)))
            assert np.array_equal(other.observe(viewer), game.observe(viewer))


@pytest.mark.rule("KB-18")
def test_private_events_are_the_looks_alone() -> None:
    """Nothing else in the journal of a game is for one seat."""
    seen = set()
    for game in random_positions(3, 1):
        for happening in game.journal():
            assert happening.private == (happening.name in ("sees", "chance"))
            seen.add(happening.name)
    assert "sees" in seen
