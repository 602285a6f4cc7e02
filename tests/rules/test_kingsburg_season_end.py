"""The end of a productive season: Inn, Embassy and Town Hall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from helpers_kingsburg import (
    Board,
    board,
    calendar,
    closing,
    envoy,
    events,
    idle,
    idle_once,
    legal,
    play,
    seat,
    sources,
    vp,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.kingsburg.state import AUTUMN, SPRING, SUMMER

SEASONS = pytest.mark.parametrize("season", [SPRING, SUMMER, AUTUMN])
HALL = ("barricade", "crane", "town-hall")
EMBASSY = (*HALL, "embassy")
# Builds nothing, and is asked for soldiers: the game waits before Winter.
WAITING = seat((0, 0, 2))


def ended(season: int, buildings: Iterable[str], goods: Sequence[int] = (0, 0, 0), **others: object) -> Game:
    """Return a game after the construction step of a season, seat 0 having these buildings."""
    game = closing(seat(goods, buildings, **others), seat(), WAITING, calendar=season)
    return play(game, "pass" if game.phase == "build" else "pass ...")


# --- Inn and Embassy ----------------------------------------------------------------------------------


@SEASONS
@pytest.mark.rule("KB-33", "KB-146")
def test_inn_gives_a_token_at_the_end_of_summer(season: int) -> None:
    game = ended(season, ["inn"])
    assert board(game, 0).tokens == (season == SUMMER)
    assert events(game, "gains-tokens") == ([("gains-tokens", 0, 1, 1, 0)] if season == SUMMER else [])


@SEASONS
@pytest.mark.rule("KB-32", "KB-161")
def test_embassy_scores_in_every_season(season: int) -> None:
    game = ended(season, EMBASSY)
    assert sources(game, 0)["embassy"] == 1


@pytest.mark.rule("KB-32")
def test_embassy_scores_three_times_a_year() -> None:
    game = ended(SPRING, EMBASSY)
    while int(game.states["year"][0]) == 1:
        idle_once(game)
    assert sources(game, 0)["embassy"] == 3  # Winter gives none


@pytest.mark.rule("KB-29", "KB-32")
def test_embassy_works_in_the_season_it_is_built() -> None:
    game = closing(seat((1, 2, 2), HALL), seat(), seat(), calendar=SPRING)
    play(game, "pass", "build-embassy ...")
    assert sources(game, 0)["embassy"] == 1


@pytest.mark.rule("KB-29", "KB-33")
def test_inn_works_in_the_season_it_is_built() -> None:
    game = closing(seat((1, 1, 0)), seat(), seat(), calendar=SUMMER)
    play(game, "pass", "build-inn ...")
    assert board(game, 0).tokens == 1


@pytest.mark.rule("KB-29", "KB-31")
def test_town_hall_works_in_the_season_it_is_built() -> None:
    game = closing(seat((2, 2, 1), ["barricade", "crane"]), seat(), seat(), calendar=SPRING)
    play(game, "pass", "build-town-hall")
    assert (game.actor, legal(game)) == (0, {"pay-gold", "pay-wood", "pay-nothing"})


@pytest.mark.rule("KB-33", "KB-114")
def test_inn_comes_before_the_envoy_phase() -> None:
    game = ended(SUMMER, ["inn"])
    told = [happening[0] for happening in events(game, "gains-tokens", "phase-begins")]
    assert told[:2] == ["gains-tokens", "phase-begins"]


# --- Town Hall ----------------------------------------------------------------------------------------


@SEASONS
@pytest.mark.rule("KB-31", "KB-160")
@pytest.mark.parametrize(
    ("choice", "left", "tokens"),
    [
        ("pay-gold", (0, 1, 0), 1),
        ("pay-wood", (1, 0, 0), 1),
        ("pay-token", (1, 1, 0), 0),
    ],
)
def test_town_hall_sells_a_point(season: int, choice: str, left: tuple[int, int, int], tokens: int) -> None:
    # The row of the Palisade is full but for 3 gold; nothing can be built with a gold and a wood.
    game = ended(season, (*EMBASSY, "inn", "market", "palisade"), (1, 1, 0), tokens=1)
    assert (game.actor, game.phase) == (0, "town-hall")
    tokens += season == SUMMER  # of the Inn
    points = vp(game)[0]
    assert legal(game) == {"pay-gold", "pay-wood", "pay-token", "pay-nothing"}
    play(game, f"{choice} ..." if season != AUTUMN else choice)
    assert board(game, 0)[:2] == (left, tokens)
    assert events(game, "token-used") == ([("token-used", 0, tokens, 0, 0)] if choice == "pay-token" else [])
    reward = season == SPRING  # of the King
    assert vp(game)[0] == points + 1 + reward
    assert sources(game, 0)["town hall"] == 1


@pytest.mark.rule("KB-31")
def test_town_hall_is_optional_and_once_a_season() -> None:
    game = ended(SPRING, HALL, (0, 0, 3), tokens=2)
    assert legal(game) == {"pay-stone", "pay-token", "pay-nothing"}
    kept = play(game.clone(), "pay-nothing ...")
    assert "town hall" not in sources(kept, 0)
    assert board(kept, 0)[:2] == ((0, 0, 3), 2)
    play(game, "pay-stone ...")
    assert (calendar(game), game.phase) == (SUMMER, "place")
    assert sources(game, 0)["town hall"] == 1


@pytest.mark.rule("KB-31")
def test_town_hall_sells_again_next_season() -> None:
    game = play(ended(SPRING, HALL, (0, 0, 3)), "pay-stone ...")
    idle(game, "town-hall")
    assert (calendar(game), game.actor) == (SUMMER, 0)


@pytest.mark.rule("KB-31")
def test_town_hall_without_goods_and_tokens_is_not_asked() -> None:
    assert ended(SPRING, HALL).phase == "place"


@pytest.mark.rule("KB-30", "KB-33", "KB-31")
def test_token_of_the_inn_may_be_paid_in_the_same_summer() -> None:
    game = ended(SUMMER, (*HALL, "inn"))
    assert (game.actor, legal(game)) == (0, {"pay-token", "pay-nothing"})
    play(game, "pay-token ...")
    assert board(game, 0)[:2] == ((0, 0, 0), 0)
    assert sources(game, 0)["town hall"] == 1


@pytest.mark.rule("KB-30")
def test_embassy_scores_before_the_town_hall_is_asked() -> None:
    game = ended(SPRING, EMBASSY, (0, 0, 1))
    assert game.phase == "town-hall"
    assert sources(game, 0)["embassy"] == 1


@pytest.mark.rule("KB-31", "KB-114")
@pytest.mark.parametrize(("choice", "holder"), [("pay-stone", 0), ("pay-nothing", -1)])
def test_town_hall_comes_before_the_envoy_phase(choice: str, holder: int) -> None:
    """Three buildings each; the good that is paid decides who has the fewest."""
    game = closing(
        seat((0, 0, 1), HALL), seat((0, 0, 1), ["guard-tower", "blacksmith", "inn"]), seat((9, 9, 9), HALL),
        calendar=SUMMER,
    )  # fmt: skip
    play(game, "pass", "build-nothing", f"{choice}", "pay-nothing ...")
    assert envoy(game) == holder


@pytest.mark.rule("KB-41", "KB-31")
def test_town_halls_are_asked_in_turn_order() -> None:
    game = closing(*[seat((0, 0, 1), HALL) for _ in range(3)], order=[1, 2, 0], calendar=SPRING)
    play(game, "pass")
    for number in (1, 2, 0):
        assert (game.actor, game.phase) == (number, "town-hall")
        play(game, "pay-stone" if number else "pay-stone ...")


@pytest.mark.rule("KB-31")
def test_town_hall_takes_no_soldiers_or_points() -> None:
    game = ended(SPRING, HALL, vp=9, soldiers=4)
    assert game.phase == "place"
    assert board(game, 0) == Board(vp=10, soldiers=4, buildings=frozenset(HALL))  # and the King's reward
