"""What a seat of Kingsburg sees: where each feature stands, and that nothing hidden is among them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from helpers_kingsburg import (
    NAMES,
    calendar,
    free_dice,
    idle,
    order,
    placements,
    placing,
    play,
    random_positions,
    recruiting,
    seat,
)

from kingmaker.envs.core.game import Game
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.kingsburg.actions import PASS, PLACE_FIRST
from kingmaker.envs.kingsburg.observation import (
    BATTLE_SCALE,
    FEW_SCALE,
    GOODS_SCALE,
    POINTS_SCALE,
    SUM_SCALE,
    references,
)
from kingmaker.envs.kingsburg.state import WINTER

SPEC = get_spec("kingsburg")
READ = ("goods", "tokens", "vp", "soldiers", "place", "to_move", "buildings")
SEATS = pytest.mark.parametrize("num_players", SPEC.seats)


def see(game: Game, name: str, viewer: int | None = None) -> list[float]:
    """Return the feature ``name`` as ``viewer`` sees it, by default the seat to move."""
    return game.observe(viewer)[SPEC.slices(game.num_players)[name]].tolist()


def counts(game: Game, name: str, scale: int, viewer: int | None = None) -> Any:
    """Return the feature as counts, a single one by itself."""
    read = [value * scale for value in see(game, name, viewer)]
    assert read == np.rint(read).tolist(), f"{name} is no count"
    return int(read[0]) if len(read) == 1 else [int(value) for value in read]


def members(game: Game, name: str, viewer: int | None = None, first: int = 0) -> dict[int, float]:
    """Return the entries that are not 0."""
    return {number: value for number, value in enumerate(see(game, name, viewer), first) if value}


# --- shape --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "size"), [(2, 261), (3, 304), (4, 365), (5, 426)])
def test_the_vector_is_short(num_players: int, size: int) -> None:
    assert SPEC.observation_size(num_players) == size


def test_only_two_seats_meet_neutral_dice() -> None:
    assert [n for n in SPEC.seats if "blocked" in SPEC.slices(n)] == [2]


@SEATS
def test_figures_can_be_read_back(num_players: int) -> None:
    slices = SPEC.slices(num_players)
    for game in islice(random_positions(num_players, 1), 0, None, 5):
        viewer = game.moves % num_players
        seen, place = game.observe(viewer), order(game).index(viewer)
        for ahead, number in enumerate(order(game)[place:] + order(game)[:place]):
            board = {name: seen[slices[f"{f'next_{ahead}' if ahead else 'own'}.{name}"]] for name in READ}
            row = game.states["seats"][0, number]
            assert (board["goods"] * GOODS_SCALE).tolist() == row["goods"].tolist()
            assert board["tokens"] * FEW_SCALE == row["tokens"]
            assert board["vp"] * POINTS_SCALE == row["vp"]
            assert board["soldiers"] * BATTLE_SCALE == row["soldiers"]
            assert board["place"] * FEW_SCALE == order(game).index(number)
            assert board["to_move"] == (game.actor == number)
            assert np.flatnonzero(board["buildings"]).tolist() == [
                building for building in range(len(NAMES)) if int(row["buildings"]) >> building & 1
            ]


# --- boards -------------------------------------------------------------------------------------------


def table(**setting: Any) -> Game:
    """Return a game of three, seats 2, 0, 1 in turn order."""
    return placing(
        seat((1, 0, 2), ["inn", "market"], dice=(2, 2, 6), white=(5,), tokens=2, vp=7, peeked=1),
        seat((0, 3, 0), ["farms"], dice=(1, 4, 4), white=(2, 3), vp=-2, soldiers=3),
        seat((4, 4, 4), ["guard-tower", "wizards-guild"], dice=(3, 5, 6), vp=12),
        order=[2, 0, 1],
        envoy=1,
        **setting,
    )


def test_the_others_follow_in_turn_order() -> None:
    game = table()
    assert counts(game, "own.vp", POINTS_SCALE, 0) == 7
    assert counts(game, "next_1.vp", POINTS_SCALE, 0) == -2
    assert counts(game, "next_2.vp", POINTS_SCALE, 0) == 12
    assert counts(game, "next_1.vp", POINTS_SCALE, 1) == 12
    assert counts(game, "next_2.vp", POINTS_SCALE, 1) == 7


def test_flags() -> None:
    game = table()
    assert see(game, "own.to_move", 2) == see(game, "next_2.to_move", 0) == [1]
    assert see(game, "own.envoy", 1) == see(game, "next_1.envoy", 0) == [1]
    assert see(game, "own.peeked", 0) == see(game, "next_1.peeked", 2) == [1]
    assert see(game, "own.aid_die", 0) == see(game, "next_2.aid_die", 1) == [1]
    play(game, "pass", "place-l-token")
    assert see(game, "own.passed", 2) == see(game, "next_1.passed", 1) == [1]
    assert see(game, "own.token_used", 0) == see(game, "next_2.token_used", 1) == [1]


def test_battle_bonus_is_what_counts_against_any_enemy() -> None:
    game = table()
    assert [counts(game, "own.battle", BATTLE_SCALE, viewer) for viewer in range(3)] == [0, -1, 3]


def test_lead_over_the_best_other_seat() -> None:
    game = table()
    assert [counts(game, "own.lead", POINTS_SCALE, viewer) for viewer in range(3)] == [-5, -14, 5]


@pytest.mark.rule("KB-28")
def test_goods_missing_for_the_next_building_of_each_row() -> None:
    game = placing(seat((2, 1, 0), ["statue", "crane", "barricade", "inn", "market"], dice=(1, 1, 1)), seat())
    missing = np.reshape(counts(game, "own.missing", FEW_SCALE, 0), (5, 3)).tolist()
    # Chapel, Farms (a gold less by the Crane), Guard Tower, Palisade, Town Hall (a gold less)
    assert missing == [[1, 0, 1], [0, 2, 1], [0, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert see(game, "own.next", 0) == [0, 0, 0, 0, 0]
    game.state.seats[0].goods[2] = 1
    assert see(game, "own.next", 0) == [0, 0, 1, 0, 1]


def test_a_full_row_wants_nothing() -> None:
    game = placing(seat((0, 0, 0), ["statue", "chapel", "church", "cathedral"], dice=(1, 1, 1)), seat())
    assert see(game, "own.missing", 0)[:3] == [0, 0, 0]
    assert see(game, "own.next", 0)[0] == 0


# --- dice and advisors --------------------------------------------------------------------------------


def test_own_dice_by_slot() -> None:
    game = play(table(), "pass", "place-l-w1")
    shown = np.reshape(see(game, "own.dice", 0), (5, 6))
    assert [(slot, face + 1) for slot, face in np.argwhere(shown).tolist()] == [(1, 2), (2, 6)]


def test_other_dice_by_face() -> None:
    game = table()
    assert counts(game, "next_1.dice", FEW_SCALE, 0) == [1, 0, 0, 2, 0, 0]
    assert counts(game, "next_1.white.count", FEW_SCALE, 0) == 2
    assert counts(game, "next_1.white.sum", SUM_SCALE, 0) == 5


def test_dice_are_put_away_after_placing() -> None:
    game = idle(table(), "build")
    for viewer in range(3):
        assert not members(game, "own.dice", viewer)
        assert not members(game, "next_1.dice", viewer)
        assert see(game, "own.passed", viewer) == [0]


@SEATS
def test_sums_name_the_advisors_of_placements(num_players: int) -> None:
    (reference,) = references(num_players)
    assert reference.actions == tuple(range(PLACE_FIRST, PASS))
    for game in islice(random_positions(num_players, 1), 0, None, 3):
        seen = game.observe()
        assert bool(seen[SPEC.slices(num_players)["own.sums"]].any()) == (game.phase == "place")
        assert not members(game, "own.sums", (game.actor + 1) % num_players)
        for action, placement in placements(game) if game.phase == "place" else []:
            at = reference.actions.index(action)
            base = seen[reference.features[at]] * reference.scale
            assert base > 0
            assert base + reference.offsets[at] == placement.advisor


def test_sums_leave_out_dice_that_are_not_free() -> None:
    game = play(table(), "pass", "place-l-w1", "pass")
    assert game.actor == 0
    dice = np.reshape(counts(game, "own.sums", SUM_SCALE), (7, 4))
    assert free_dice(game, 0) == ((2, 6), ())
    assert dice[:, 0].tolist() == [0, 2, 0, 6, 0, 8, 0]
    assert not dice[:, 1:].any()


def test_influence_shows_until_the_advisor_has_helped() -> None:
    game = placing(seat(dice=(4,) * 3), seat(influence=[7, 12], twice=[12]), seat(dice=(1, 2, 6)), envoy=0)
    assert members(game, "own.influence", 1, first=1) == {7: 1, 12: 2}
    play(game, "place-l", "place-h", "pass", "pass")  # advisors 4 and 6; the Merchant asks seat 0
    assert members(game, "own.influence", 0, first=1) == {}
    assert members(game, "next_1.influence", 0, first=1) == {7: 1, 12: 2}
    assert members(game, "own.influence", 2, first=1) == {6: 1}
    assert counts(game, "advisor", SUM_SCALE) == 4
    play(game, "take-gold")
    assert (game.actor, members(game, "own.influence", 1, first=1)) == (1, {12: 2})
    play(game, "take-wood")
    assert members(game, "own.influence", 1, first=1) == {12: 1}
    play(game, "take-gold-gold")
    assert members(game, "own.influence", 1, first=1) == {}
    assert counts(game, "advisor", SUM_SCALE) == 12


def test_seats_later_in_turn_order_have_yet_to_be_helped_by_the_same_advisor() -> None:
    game = placing(seat(dice=(1, 5, 6)), seat(influence=[7]), seat(influence=[7]))
    play(game, "pass")
    assert (game.actor, game.phase) == (1, "gain")
    assert members(game, "own.influence", 1, first=1) == {}
    assert members(game, "own.influence", 2, first=1) == {7: 1}
    play(game, "take-gold")
    assert members(game, "next_2.influence", 2, first=1) == {}


def test_blocked_advisors() -> None:
    game = placing(seat(dice=(1, 2, 3)), seat(), blocked=[8, 11])
    assert members(game, "blocked", 1, first=1) == {8: 1, 11: 1}
    assert not members(play(game, "place-l", "place-m", "place-h"), "blocked")


# --- the question -------------------------------------------------------------------------------------


def test_phase_and_calendar() -> None:
    phases = [phase.name for phase in SPEC.phases]
    for game in random_positions(2, 1):
        assert members(game, "phase") == {phases.index(game.phase): 1}
        assert members(game, "calendar", first=1) == {calendar(game): 1}
        assert see(game, "year") == [np.float32(int(game.states["year"][0]) / 5)]


def test_offer() -> None:
    game = placing(seat(dice=(4, 5, 5), influence=[9]), seat())
    play(game, "place-lmh", "take-stone")
    assert (counts(game, "pending.count", FEW_SCALE), counts(game, "pending.price", FEW_SCALE)) == (3, 1)
    assert see(game, "pending.kinds") == [1, 1, 1]
    other = play(placing(seat(dice=(4, 5, 5), influence=[9]), seat()), "pass")
    assert counts(other, "pending.count", FEW_SCALE) == 1
    assert see(other, "pending.kinds") == [1, 0, 1]


def test_second_building() -> None:
    game = placing(seat((3, 3, 3), dice=(1, 5, 6)), seat((1, 1, 1)), envoy=0)
    play(game, "pass")
    assert see(game, "built") == [0]
    play(game, "build-barricade")
    assert (game.actor, see(game, "built")) == (0, [1])


# --- the enemy ----------------------------------------------------------------------------------------


@pytest.mark.rule("KB-107")
@pytest.mark.parametrize(
    ("year", "lowest", "mean", "highest"),
    [(1, 2, 2.8, 4), (2, 3, 4.2, 5), (3, 4, 5.2, 6), (4, 5, 6.2, 7), (5, 7, 8.2, 9)],
)
def test_strengths_of_the_year_are_public(year: int, lowest: int, mean: float, highest: int) -> None:
    game = table(year=year)
    for viewer in range(3):
        seen = np.multiply(see(game, "strengths", viewer), BATTLE_SCALE)
        assert seen == pytest.approx([lowest, mean, highest])


CARD = (
    "card.known", "card.strength", "card.type", "card.loss.goods", "card.loss.choice", "card.loss.building",
    "card.loss.vp", "card.reward.goods", "card.reward.choice", "card.reward.vp",
)  # fmt: skip


@pytest.mark.rule("KB-18")
def test_the_card_shows_to_seats_that_looked() -> None:
    game = table(year=3, enemy="III-d")  # seat 0 has looked
    for name in CARD:
        assert not members(game, name, 1)
        assert not members(game, name, 2)
    shown = {name: see(game, name, 0) for name in CARD}
    assert shown == {
        "card.known": [1],
        "card.strength": [6 / BATTLE_SCALE],
        "card.type": [0, 0, 0, 0, 1, 0],
        "card.loss.goods": [2 / FEW_SCALE, 1 / FEW_SCALE, 1 / FEW_SCALE],
        "card.loss.choice": [0],
        "card.loss.building": [0],
        "card.loss.vp": [1 / FEW_SCALE],
        "card.reward.goods": [0, 0, 0],
        "card.reward.choice": [0],
        "card.reward.vp": [1 / FEW_SCALE],
    }


@pytest.mark.rule("KB-18", "KB-106")
@pytest.mark.parametrize("card", range(5, 10))
def test_the_card_makes_no_difference_to_seats_that_did_not_look(card: int) -> None:
    game, other = table(year=2), table(year=2)
    other.state.deck[1] = card
    for viewer in (1, 2):
        assert np.array_equal(game.observe(viewer), other.observe(viewer))


@pytest.mark.rule("KB-170")
def test_all_see_the_card_in_winter() -> None:
    game = recruiting(seat((2, 2, 2), ["farms"]), seat((2, 2, 2)), year=4, enemy="IV-d")
    play(game, "stop-recruiting 1")  # both are defeated and asked what they lose
    assert (calendar(game), game.phase) == (WINTER, "lose")
    for viewer in range(2):
        assert see(game, "card.known", viewer) == [1]
        assert see(game, "card.strength", viewer) == [7 / BATTLE_SCALE]


@pytest.mark.rule("KB-46")
def test_margin_counts_what_is_known() -> None:
    boards = [seat((0, 0, 0), ["palisade"], dice=(1, 2, 3), soldiers=2, peeked=peeked) for peeked in (1, 0)]
    game = placing(*boards, year=3, enemy="III-e")  # Zombies of strength 6
    assert counts(game, "own.margin", BATTLE_SCALE, 0) == 2 + 2 - 6
    assert see(game, "own.margin", 1) == pytest.approx([(2 + 1 - 5.2) / BATTLE_SCALE])
    other = placing(*boards, year=3, enemy="III-c")
    assert counts(other, "own.margin", BATTLE_SCALE, 0) == 2 + 1 - 5
