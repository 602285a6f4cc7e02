"""The Battle for the Kingdom: tokens, and the scoring of battlefields against the printed table."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from figures_clockwork import BATTLES, BOARDS, TOKENS, WARS
from helpers_clockwork import (
    asked,
    card_action,
    events,
    field,
    forces,
    happened,
    legal,
    play,
    points,
    position,
    resolve,
    seat,
    spaces,
)

from kingmaker.envs.core.kernel import JIT

SEATS = pytest.mark.parametrize("num_players", [2, 3, 4])


# --- tokens -------------------------------------------------------------------------------------------


@pytest.mark.rule("CK-139", "CK-140")
@pytest.mark.parametrize("worker", ["automaton", "professor", "alchemist", "artificer"])
def test_any_worker_brings_a_token_when_the_area_resolves(worker: str) -> None:
    game = position(seat(pool=[worker]), seat(pool=["automaton"]), seat(), seat())
    play(game, f"{worker}-battle-3")
    assert forces(game) == (0, 0, 0, 0)
    play(game, "automaton-battle-1")
    assert [forces(game, number) for number in range(3)] == [(0, 0, 1, 0), (1, 0, 0, 0), (0, 0, 0, 0)]
    assert (field(game, "tokens", 0), field(game, "tokens", 2)) == (TOKENS - 1, TOKENS)


@pytest.mark.rule("CK-140", "CK-145")
def test_tokens_stay_until_the_battlefields_are_scored() -> None:
    game = resolve(seat("battle-2", "battle-3", forces=(0, 2, 0, 1)), seat(), seat())
    assert forces(game) == (0, 3, 1, 1)
    assert field(game, "tokens") == TOKENS - 5


@pytest.mark.rule("CK-36")
@pytest.mark.parametrize(("per_worker", "tokens"), [(False, 1), (True, 3)])
def test_several_workers_below_a_battlefield_bring_one_token_or_by_option_one_each(
    per_worker: bool, tokens: int
) -> None:
    line = ["battle-2"] * 3 + ["battle-4"]
    game = resolve(seat(*line), seat(), seat(), tokens_per_worker=per_worker)
    assert forces(game) == (0, tokens, 0, 1)
    assert len(events(game, "token-placed")) == tokens + 1
    # The next round begins afresh.
    play(game, *["automaton-battle-2", "automaton-ruins", "automaton-ruins"])
    while game.phase == "place" and int(game.states["rounds"][0]) == 2:
        play(game, "automaton-ruins")
    assert forces(game)[1] == tokens + 1


@pytest.mark.rule("CK-36", "CK-139")
def test_a_second_worker_only_blocks() -> None:
    """Three spaces with three seats: a seat with three workers leaves none to the others."""
    game = position(seat(pool=["automaton"] * 3), seat(pool=["automaton"] * 3), seat())
    for _ in range(2):
        play(game, "automaton-battle-2", "automaton-ruins")
    play(game, "automaton-battle-2")
    assert "battle-2" not in spaces(game)
    assert "battle-3" in spaces(game)


@SEATS
@pytest.mark.rule("CK-139", "CK-146", "CK-147", "CK-164")
def test_battlefields_are_full_by_the_workers_of_all_seats(num_players: int) -> None:
    board = BOARDS[num_players]
    game = position(*(seat(pool=["automaton"] * 3) for _ in range(num_players)))
    for taken in range(board.battle_spaces):
        assert "battle-4" in spaces(game), taken
        play(game, "automaton-battle-4")
    assert "battle-4" not in spaces(game)


@pytest.mark.rule("CK-37")
def test_no_token_beside_the_board_no_token_placed() -> None:
    game = resolve(seat("battle-2", forces=(0, 4, 4, 2)), seat("battle-2"), seat())
    assert (forces(game, 0), forces(game, 1)) == ((0, 4, 4, 2), (0, 1, 0, 0))
    assert happened(game, "no-token") == [("no-token", 0)]


@pytest.mark.rule("CK-192", "CK-37")
@pytest.mark.parametrize("per_worker", [False, True])
def test_the_last_tokens_go_down_in_board_order(per_worker: bool) -> None:
    line = ("battle-4", "battle-3", "battle-2")
    game = resolve(seat(*line, forces=(0, 0, 8, 0)), seat(), seat(), tokens_per_worker=per_worker)
    assert forces(game) == (0, 1, 9, 0)
    assert field(game, "tokens") == 0


# --- scoring ------------------------------------------------------------------------------------------


def scored(number: int, tokens: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return the points of each seat on each battlefield after a round that ends with these tokens there."""
    num_players = len(next(iter(tokens.values())))
    boards = [
        seat(
            *["park"] * (who == 0),
            forces=[tokens.get(battlefield, [0] * 4)[who] for battlefield in range(1, 5)],
        )
        for who in range(num_players)
    ]
    game = resolve(*boards, number=number)
    got = {battlefield: [0] * num_players for battlefield in tokens}
    for _, who, gained, battlefield, there in events(game, "war-scored"):
        got[battlefield][who] += gained
        assert there == tokens[battlefield][who]
    for who in range(num_players):
        assert points(game, who).get("battles", 0) == sum(there[who] for there in got.values())
        assert (forces(game, who), field(game, "tokens", who)) == ((0, 0, 0, 0), TOKENS)
    return {battlefield: tuple(there) for battlefield, there in got.items()}


@pytest.mark.rule(
    "CK-116", "CK-141", "CK-142", "CK-143", "CK-144", "CK-145", "CK-38", "CK-39", "CK-40", "CK-41"
)
@pytest.mark.parametrize("number", WARS)
@pytest.mark.parametrize("pattern", BATTLES, ids=lambda pattern: "".join(map(str, pattern)))
def test_every_pattern_of_tokens(pattern: tuple[int, ...], number: int) -> None:
    """All orders of the seats, several battlefields at a time, which must not disturb each other.

    Interpreted rules try a third of the orders in each war.
    """
    war = WARS.index(number)
    expected = BATTLES[pattern][war]
    seats = len(pattern)
    ways = list(permutations(range(1, seats)))
    for way in ways if JIT else ways[war % len(ways) :: 3]:
        deal = (
            0,
            *way,
        )  # the entry of the pattern that each seat has; its rotations fill the other battlefields
        factor = max(1, TOKENS // max(sum(pattern), 1)) if way[0] == 1 else 1
        turned = {
            battlefield: deal[turn:] + deal[:turn]
            for turn, battlefield in enumerate(BOARDS[seats].battlefields)
        }
        got = scored(
            number, {b: tuple(factor * pattern[entry] for entry in way) for b, way in turned.items()}
        )
        assert got == {b: tuple(expected[entry] for entry in way) for b, way in turned.items()}


@pytest.mark.rule("CK-141", "CK-142", "CK-143")
@SEATS
def test_the_table_has_every_pattern(num_players: int) -> None:
    """Each deal of up to four different strengths has the order of one pattern in the table."""
    patterns = set()
    for deal in product(range(num_players + 1), repeat=num_players):
        ranks = sorted({tokens for tokens in deal if tokens} | {0})
        patterns.add(tuple(sorted((ranks.index(tokens) for tokens in deal), reverse=True)))
    assert patterns == {pattern for pattern in BATTLES if len(pattern) == num_players}


@pytest.mark.rule("CK-116", "CK-145")
@pytest.mark.parametrize("number", [1, 2, 4, 5, 7, 8])
def test_other_rounds_score_nothing(number: int) -> None:
    game = resolve(seat("ruins", forces=(0, 3, 0, 0)), seat(), seat(), number=number)
    assert points(game) == {}
    assert forces(game) == (0, 3, 0, 0)


@pytest.mark.rule("CK-39")
def test_who_never_fought_there_holds_no_place() -> None:
    """Alone on a battlefield is first; nobody is second, and nobody first where no token lies."""
    game = resolve(seat("park", forces=(0, 1, 0, 0)), seat(), seat(), number=3)
    assert [points(game, who) for who in range(3)] == [{"battles": 4}, {}, {}]
    assert events(game, "war-scored") == [("war-scored", 0, 4, 2, 1)]


@pytest.mark.rule("CK-116", "CK-140")
def test_tokens_of_the_round_count_in_its_scoring() -> None:
    game = resolve(seat("battle-2"), seat("battle-3", forces=(0, 1, 0, 0)), seat(), number=6)
    assert [points(game, who) for who in range(3)] == [{"battles": 3}, {"battles": 3 + 5}, {}]


@pytest.mark.rule("CK-41", "CK-143")
def test_round_nine_is_scored_before_the_final_count() -> None:
    game = resolve(seat("park", forces=(0, 2, 0, 0)), seat(), seat(), number=9)
    names = [name for name, _ in happened(game, "war-scored", "war-ends", "leftovers-scored")]
    assert names == ["war-scored", "war-ends", *["leftovers-scored"] * 3]
    assert game.over
    assert field(game, "tokens") == TOKENS
    assert points(game)["battles"] == 6


@pytest.mark.rule("CK-145")
def test_new_battles_begin_after_a_scoring() -> None:
    game = resolve(seat("park", forces=(0, 5, 0, 0)), seat("ruins"), seat(), number=3)
    while int(game.states["rounds"][0]) == 4:
        play(
            game,
            "automaton-battle-2" if game.actor == 1 and "battle-2" in spaces(game) else "automaton-ruins",
        )
    assert (forces(game, 0), forces(game, 1)) == ((0, 0, 0, 0), (0, 1, 0, 0))


# --- tokens by cards ----------------------------------------------------------------------------------


@SEATS
@pytest.mark.rule("CK-176", "CK-187")
def test_a_token_of_a_card_goes_to_any_battlefield_in_play(num_players: int) -> None:
    game = resolve(seat("factory", hand=["Banner"]), seat("park"), *(seat() for _ in range(num_players - 2)))
    play(game, card_action(game, "play", "Banner"))
    assert asked(game) == (0, "token")
    assert legal(game) == {f"token-{battlefield}" for battlefield in BOARDS[num_players].battlefields}
    play(game, "token-4")
    assert (forces(game), field(game, "tokens")) == ((0, 0, 0, 1), TOKENS - 1)


@pytest.mark.rule("CK-176")
def test_each_token_is_placed_by_itself() -> None:
    game = resolve(seat("workshop-1", yard=["Gift of Tokens"], store=(1, 0, 0, 0)), seat("park"), seat())
    play(game, "build-1", "token-2", "token-3")
    assert (game.phase, forces(game)) == ("place", (0, 1, 1, 0))


@pytest.mark.rule("CK-176", "CK-37")
def test_without_tokens_a_card_places_none() -> None:
    game = resolve(seat("factory", hand=["Banner"], forces=(0, 9, 1, 0)), seat("park"), seat())
    play(game, card_action(game, "play", "Banner"))
    assert (game.phase, forces(game)) == ("place", (0, 9, 1, 0))
    assert ("no-token", 0) in happened(game)
    board = {"yard": ["Gift of Tokens"], "store": (1, 0, 0, 0), "forces": (0, 9, 0, 0)}
    game = resolve(seat("workshop-1", **board), seat("park"), seat())
    play(game, "build-1", "token-3")
    assert (game.phase, forces(game)) == ("place", (0, 9, 1, 0))
