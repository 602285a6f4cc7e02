"""The University: workers for workers."""

from __future__ import annotations

import pytest
from figures_clockwork import WORKERS
from helpers_clockwork import asked, happened, legal, play, pool, resolve, seat

SPECIALISTS = ("professor", "alchemist", "artificer")
FULL_LINE = ("university-1", "university-2", "university-3", "university-4", "university-5")


def own(*kinds: str) -> set[str]:
    """Return the moves to spaces of these types for a worker that gains what the space says."""
    return {f"study-{kind}-{kind}" for kind in kinds}


@pytest.mark.rule("CK-148", "CK-149")
@pytest.mark.parametrize("worker", ["automaton", "alchemist", "artificer"])
def test_a_worker_gains_what_its_space_says(worker: str) -> None:
    for gained in WORKERS:
        game = resolve(seat(f"{worker}-university-1"), seat("park"), seat())
        assert asked(game) == (0, "university")
        assert legal(game) == own(*WORKERS)
        play(game, f"study-{gained}-{gained}")
        expected = [5, 0, 0, 0]
        expected[WORKERS.index(gained)] += 1
        assert (game.phase, pool(game)) == ("place", tuple(expected))


@pytest.mark.rule("CK-148", "CK-149")
def test_one_space_for_each_specialist_and_two_for_automatons() -> None:
    game = resolve(*(seat(FULL_LINE[number]) for number in range(4)))
    play(game, "study-professor-professor")
    assert legal(game) == own("automaton", "alchemist", "artificer")
    play(game, "study-automaton-automaton")
    assert legal(game) == own("automaton", "alchemist", "artificer")
    play(game, "study-automaton-automaton")
    assert legal(game) == own("alchemist", "artificer")
    play(game, "study-artificer-artificer")
    assert sorted(pool(game, number) for number in range(4)) == [
        (5, 0, 0, 1), (5, 1, 0, 0), (6, 0, 0, 0), (6, 0, 0, 0)
    ]  # fmt: skip


@pytest.mark.rule("CK-45", "CK-149")
def test_the_number_of_the_space_decides_and_not_the_turn_order() -> None:
    game = resolve(
        seat("university-4"), seat("university-1", "university-5"), seat("university-3"), order=[2, 0, 1]
    )
    turns = []
    while game.phase == "university":
        turns.append(game.actor)
        play(game, sorted(legal(game))[0])
    assert turns[:3] == [1, 2, 0]


@pytest.mark.rule("CK-149")
def test_what_was_gained_is_placed_in_the_next_round() -> None:
    """Five Automatons, a Professor and an Artificer make seven: the printed example."""
    game = resolve(seat("university-1", "university-2"), seat("park"), seat())
    play(game, "study-professor-professor", "study-artificer-artificer")
    assert (game.phase, pool(game), sum(pool(game))) == ("place", (5, 1, 0, 1), 7)
    assert happened(game, "gains-artificer") == [("gains-artificer", 0)]


@pytest.mark.rule("CK-150", "CK-6")
def test_the_workers_sent_there_do_not_return() -> None:
    game = resolve(seat("professor-university-1", "alchemist-university-2"), seat("park"), seat())
    play(game, "study-artificer-artificer", "study-automaton-automaton")
    assert pool(game) == (6, 0, 0, 1)


@pytest.mark.rule("CK-150", "CK-7")
def test_they_leave_only_at_the_end_of_the_phase() -> None:
    """All three Professors are there and still on the board, so none can be gained in this phase."""
    line = [f"professor-{place}" for place in FULL_LINE[:3]]
    game = resolve(seat(*line), seat("park"), seat())
    for _ in range(3):
        assert asked(game) == (0, "university")
        assert not any(action.endswith("-professor") for action in legal(game))
        play(game, sorted(legal(game))[-1])


@pytest.mark.rule("CK-43")
def test_workers_wait_until_the_university_resolves() -> None:
    """Placed first, it chooses only after what the areas before have brought."""
    game = resolve(seat("university-3"), seat("lab"), seat())
    assert asked(game) == (1, "stone")
    assert pool(game) == (0, 0, 0, 0)
    play(game, "stone-steel-copper")
    assert asked(game) == (0, "university")


@pytest.mark.rule("CK-43", "CK-148", "CK-165")
def test_a_full_line_fills_all_five_spaces() -> None:
    game = resolve(seat(*FULL_LINE), seat("park"), seat())
    for kind in ("automaton", "professor", "alchemist"):
        play(game, f"study-{kind}-{kind}")
    assert legal(game) == own("automaton", "artificer")
    play(game, "study-artificer-artificer")  # the last one has no choice left
    assert (game.phase, pool(game)) == ("place", (7, 1, 1, 1))


# --- the Professor ------------------------------------------------------------------------------------


@pytest.mark.rule("CK-151", "CK-44")
def test_a_professor_gains_any_type_on_any_space() -> None:
    game = resolve(seat("professor-university-1"), seat("university-2"), seat())
    assert legal(game) == {f"study-{space}-{gained}" for space in WORKERS for gained in WORKERS}
    play(game, "study-automaton-alchemist", "study-automaton-automaton")
    assert pool(game) == (5, 0, 1, 0)


@pytest.mark.rule("CK-44")
def test_the_last_in_line_is_asked_only_what_it_gains() -> None:
    game = resolve(seat("professor-university-1"), seat("university-2"), seat("professor-university-3"))
    play(game, "study-automaton-alchemist", "study-automaton-automaton")
    assert legal(game) == {f"study-professor-{gained}" for gained in WORKERS}


@pytest.mark.rule("CK-44")
def test_the_space_of_a_professor_is_taken_for_the_others() -> None:
    game = resolve(seat("professor-university-1"), seat("university-2"), seat("professor-university-3"))
    play(game, "study-alchemist-professor")
    assert asked(game) == (1, "university")
    assert legal(game) == own("automaton", "professor", "artificer")
    play(game, "study-professor-professor")
    assert legal(game) == {f"study-automaton-{gained}" for gained in WORKERS}


@pytest.mark.rule("CK-44", "CK-7")
def test_a_professor_gains_only_what_its_owner_has_left() -> None:
    line = ["professor-university-1", *["alchemist-factory"] * 3]
    game = resolve(seat(*line), seat("university-2"), seat())
    gains = set(WORKERS) - {"alchemist"}
    assert legal(game) == {f"study-{space}-{gained}" for space in WORKERS for gained in gains}


# --- the supply of workers ----------------------------------------------------------------------------


@pytest.mark.rule("CK-7")
@pytest.mark.parametrize("worker", SPECIALISTS)
def test_a_space_is_closed_to_a_seat_without_such_a_worker(worker: str) -> None:
    game = resolve(seat("university-1", *[f"{worker}-factory"] * 3), seat("university-2"), seat())
    assert legal(game) == own(*(set(WORKERS) - {worker}))
    play(game, "study-automaton-automaton")
    assert asked(game) == (1, "university")
    assert legal(game) == own(*WORKERS)


@pytest.mark.rule("CK-7", "CK-149")
def test_workers_gained_earlier_in_the_round_count() -> None:
    """Two Professors of a schematic just completed, and one in the Factory, are all there are."""
    board = {"yard": ["Gift of Workers"], "store": (1, 0, 0, 0)}
    game = resolve(seat("workshop-1", "university-1", "professor-factory", **board), seat("park"), seat())
    play(game, "build-1")
    assert pool(game) == (1, 2, 0, 0)
    assert legal(game) == own("automaton", "alchemist", "artificer")


@pytest.mark.rule("CK-43", "CK-7")
def test_a_worker_for_whom_all_spaces_are_closed_gains_nothing() -> None:
    everybody = ["factory"] * 6 + [f"{worker}-factory" for worker in SPECIALISTS for _ in range(3)]
    game = resolve(seat("university-1", *everybody), seat("university-2"), seat())
    assert asked(game) == (1, "university")
    assert pool(game, 0) == (0, 0, 0, 0)
    # With one type left there is nothing to ask.
    game = resolve(seat("university-1", *everybody[1:]), seat("park"), seat())
    assert (game.phase, pool(game)) == ("place", (6, 0, 0, 0))
