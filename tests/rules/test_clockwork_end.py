"""The final count, end scoring, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from helpers_clockwork import events, happened, idle, play, points, pool, resolve, seat, store, total

from kingmaker.envs.clockwork_kingdom.state import NUM_SOURCES
from kingmaker.envs.core.kernel import JIT

LAST = {"number": 9}


# --- the count ----------------------------------------------------------------------------------------


@pytest.mark.rule("CK-101", "CK-161", "CK-162", "CK-50")
def test_the_printed_example() -> None:
    """15 points from battles, 23 from schematics, 8 workers and 5 resources: 13 // 3 = 4, and 42 in all."""
    nine = ["Palace"] * 2  # 18
    five = ["School", "Fort"]  # 3 + 2
    game = resolve(
        seat("university-1", "university-2", "university-3", store=(2, 1, 1, 1), built=[*nine, *five]),
        seat("park"),
        seat(),
        **LAST,
    )
    game.state.seats[0].points[0] = 15
    assert points(game) == {"battles": 15, "schematics": 23}
    play(game, "study-professor-professor", "study-alchemist-alchemist", "study-artificer-artificer")
    assert game.over
    assert (sum(pool(game)), sum(store(game))) == (8, 5)
    assert points(game) == {"battles": 15, "schematics": 23, "leftovers": 4}
    assert total(game) == 42
    assert game.results("win")[1][0] == 42


@pytest.mark.rule("CK-160", "CK-50")
def test_workers_and_resources_of_the_ninth_round_count() -> None:
    """The five Automatons, a Professor of a schematic, and two resources of facilities."""
    game = resolve(
        seat("ruins", built=["Professors"], facilities=["Mine", "Mine"]), seat("park"), seat(), **LAST
    )
    assert game.over
    assert (pool(game), store(game)) == ((5, 1, 0, 0), (2, 0, 0, 0))
    assert points(game) == {"schematics": 1, "leftovers": 8 // 3}
    assert events(game, "leftovers-scored")[0] == ("leftovers-scored", 0, 2, 8, 0)


@pytest.mark.rule("CK-161")
@pytest.mark.parametrize("resources", range(7))
def test_resources_and_workers_are_counted_together_and_rounded_down(resources: int) -> None:
    game = resolve(seat("ruins", store=(resources, 0, 0, 0)), seat("park"), seat(), **LAST)
    assert points(game) == {"leftovers": (resources + 5) // 3}


@pytest.mark.rule("CK-162")
def test_incomplete_schematics_score_nothing() -> None:
    game = resolve(
        seat("ruins", yard=["Palace", "Chronicle"], built=["School"]), seat("park"), seat(), **LAST
    )
    assert points(game) == {"schematics": 3, "leftovers": 1}


@pytest.mark.rule("CK-162", "CK-52")
def test_the_game_ends_then_and_only_then() -> None:
    for number in range(1, 10):
        game = resolve(seat("ruins"), seat("park"), seat(), number=number)
        assert game.over == (number == 9)
        assert ("leftovers-scored" in [name for name, _ in happened(game)]) == game.over
    assert not game.truncated
    assert (game.actor, game.phase) == (-1, "over")


# --- end scoring of schematics ------------------------------------------------------------------------

# What the bench's Chronicle gives for each thing counted.
WORTH = {
    "plain": 1,
    "military": 2,
    "academy": 3,
    "facilities": 4,
    "stones": 5,
    "battles": 6,
    "specialists": 7,
}


def count(built: Sequence[str] = (), **board: Any) -> dict[str, int]:
    """Return the end scoring of a seat with a Chronicle, by what it counts."""
    line = seat("ruins", built=["Chronicle", *built], **board)
    game = idle(resolve(line, seat("park"), seat(), **LAST))
    return {name.removeprefix("end_"): got for name, got in points(game).items() if name.startswith("end_")}


@pytest.mark.rule("CK-180")
def test_end_scoring_for_completed_schematics_of_a_type_itself_included() -> None:
    assert count() == {"academy": 3}
    assert count(built=["Shed", "Hall", "Fort"]) == {"plain": 2 * 1, "military": 2, "academy": 3}
    assert count(built=["School"] * 2 + ["Warehouse"]) == {"plain": 1, "academy": 3 * 3}
    assert count(yard=["Fort", "School"]) == {"academy": 3}


@pytest.mark.rule("CK-181")
def test_end_scoring_for_facilities_and_stones() -> None:
    got = count(facilities=["Refinery", "Refinery", "Lottery"], slots=["steel-copper", "lumber-canvas"])
    assert got == {"academy": 3, "facilities": 3 * 4, "stones": 2 * 5}


@pytest.mark.rule("CK-181", "CK-50")
def test_end_scoring_for_specialists_in_the_pool() -> None:
    """Of any of the three types, those gained in the last round included, and Automatons not."""
    assert count(built=["Professors"] * 2 + ["Artificers"])["specialists"] == 3 * 7
    assert "specialists" not in count(built=["Automatons"])


@pytest.mark.rule("CK-181", "CK-41")
def test_end_scoring_for_battlefields_scored_as_first() -> None:
    """Those of the last war count, and those of the wars before."""
    assert count(forces=(0, 1, 2, 0))["battles"] == 2 * 6
    assert count(won=3)["battles"] == 3 * 6
    assert count(won=3, forces=(0, 0, 0, 1))["battles"] == 4 * 6


@pytest.mark.rule("CK-181")
def test_a_shared_first_place_counts_and_a_second_does_not() -> None:
    seats = [seat("park", forces=(0, 2, 1, 0)), seat(forces=(0, 2, 2, 0)), seat()]
    for number in (3, 6):
        game = resolve(*seats, number=number)
        assert [int(game.states["seats"][0, who]["won"]) for who in range(3)] == [1, 2, 0]


@pytest.mark.rule("CK-180", "CK-181")
def test_each_copy_scores_by_itself() -> None:
    got = count(built=["Chronicle", "Fort"])
    assert got == {"military": 2 * 2 * 1, "academy": 2 * 3 * 2}


# --- ranking ------------------------------------------------------------------------------------------


def ranked(*boards: dict[str, Any]) -> list[int]:
    """Return the ranks of seats with these boards at the end."""
    seats = [seat(*["ruins"] * (who == 0), **board) for who, board in enumerate(boards)]
    game = resolve(*seats, number=9)
    assert game.over
    ranks, scores, _ = game.results()
    assert scores.tolist() == [total(game, who) for who in range(len(boards))]
    return ranks.tolist()


def worth(amount: int, resources: int = 0, automatons: int = 0) -> dict[str, Any]:
    """Return a board with so many points, resources, and workers beyond five at the end."""
    left = (resources + 5 + automatons) // 3
    battles = [amount - left, *[0] * (NUM_SOURCES - 1)]
    return {"store": (resources, 0, 0, 0), "built": ["Automatons"] * automatons, "points": battles}


@pytest.mark.rule("CK-163", "CK-101")
def test_most_points_win() -> None:
    assert ranked(worth(10), worth(12), worth(11)) == [2, 0, 1]


@pytest.mark.rule("CK-163", "CK-51")
def test_then_resources_then_workers() -> None:
    assert ranked(worth(10, 2), worth(10, 3), worth(10, 1)) == [1, 0, 2]
    assert ranked(worth(10, 2), worth(10, 2, 2), worth(10, 2, 1)) == [2, 0, 1]
    # More workers do not make up for a resource.
    assert ranked(worth(10, 1, 2), worth(10, 2), worth(10)) == [1, 0, 2]


@pytest.mark.rule("CK-163", "CK-51")
def test_seats_equal_in_all_three_share_their_place() -> None:
    assert ranked(worth(10, 2), worth(10, 2), worth(9, 6)) == [0, 0, 2]
    assert ranked(worth(8, 1), worth(10), worth(8, 1), worth(8, 1)) == [1, 0, 1, 1]


@pytest.mark.rule("CK-51")
def test_ranking_against_sorting() -> None:
    keys = list(product((9, 10), (0, 1), (0, 1)))
    for number, one in enumerate(keys):
        for other in keys if JIT else keys[number % 3 :: 3]:
            third = keys[(keys.index(one) + keys.index(other)) % len(keys)]
            group = [one, other, third]
            expected = [sum(rival > mine for rival in group) for mine in group]
            assert ranked(*(worth(*key) for key in group)) == expected
